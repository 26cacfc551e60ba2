//! Logs that follow from a seed.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::{Fault, Label, Labelled, Plan};
use crate::call::{Call, Item, References, Value};

/// Choices that follow from a seed and a case, the same on every machine.
#[derive(Debug, Clone)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// The choices of a case under a seed.
    pub fn of_case(seed: u64, case: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(case);
        Self(rng)
    }

    /// A number below `n`, which is 1 at least.
    pub fn below(&mut self, n: u32) -> u32 {
        // Below 2^32, for `n` is.
        u32::try_from(self.0.next_u64() % u64::from(n.max(1))).unwrap_or_default()
    }
}

/// A plan: up to 12 events, seldom up to 300; starts at 0, low, or close to the last number.
pub fn plan(dice: &mut Dice) -> Plan {
    let events = if dice.below(20) == 0 { 1 + dice.below(300) } else { 1 + dice.below(12) };
    let start = match dice.below(4) {
        0 => 0,
        1 => 1,
        2 => dice.below(1_000_000),
        // With room for what faults add.
        _ => 1_000_000_000 - events - 2_000,
    };
    let run = match dice.below(5) {
        0 => "r".to_owned(),
        1 => "a".repeat(128),
        2 => "Run_1.0-x9".to_owned(),
        3 => "0".to_owned(),
        _ => format!("run-{}", dice.below(1_000)),
    };
    Plan { run, start, events, terminal: dice.below(2) == 0 }
}

/// Items drawn from small pools, so that everything meets everything.
pub fn soup(dice: &mut Dice) -> Call {
    let pool = 1 + dice.below(6);
    let events = dice.below(16);
    let items = (0..events).map(|_| {
        let number = i64::from(dice.below(2 * pool + 1));
        let number = if dice.below(30) == 0 { 1_000_000_000 - number } else { number };
        let run = if dice.below(6) == 0 { "r2" } else { "r1" };
        Item::reference(run, &format!("e{}", dice.below(3 * pool)), number)
    });
    let references = References::Items(items.collect());
    let number = |dice: &mut Dice| {
        (dice.below(3) == 0).then(|| Value::number(dice.below(2 * pool + 1).into()))
    };
    Call {
        references,
        expected_start: number(dice),
        terminal: number(dice),
        allow_empty: (dice.below(3) == 0).then(|| Value::Flag(dice.below(2) == 0)),
        ..Call::new("r1", Vec::new())
    }
}

/// The log of a case under a seed: valid, with a finding, with an error where `errors` are
/// wanted, or soup. Two errors at once are soup, too. One in a thousand is beyond a limit.
///
/// ```
/// use conform_run_log::generate::log;
/// assert_eq!(log(1, 7, true), log(1, 7, true));
/// ```
pub fn log(seed: u64, case: u64, errors: bool) -> Labelled {
    let dice = &mut Dice::of_case(seed, case);
    let plan = plan(dice);
    let choice = dice.below(u32::MAX);
    let unknown =
        |name: &str, call| Labelled { name: name.to_owned(), call, label: Label::Unknown };
    let nth = |faults: &[Fault], dice: &mut Dice| {
        let at = dice.below(u32::try_from(faults.len()).unwrap_or(1)) as usize;
        faults.get(at).copied()
    };
    let [truncated, too_many] = Fault::at_limits();
    if errors {
        if dice.below(2_000) == 0 {
            return too_many.breaks(&plan, choice);
        }
        let all: Vec<Fault> = Fault::errors().collect();
        let Some(first) = nth(&all, dice) else { return unknown("soup", soup(dice)) };
        let broken = first.breaks(&plan, choice);
        if dice.below(3) > 0 {
            return broken;
        }
        // Two errors, from two places of the call: which is told first is the contract's order.
        let second = nth(&all, dice).map(|fault| fault.breaks(&plan, dice.below(u32::MAX)).call);
        return unknown("two errors", mixed(broken.call, second, dice));
    }
    if dice.below(1_000) == 0 {
        return truncated.breaks(&plan, choice);
    }
    match dice.below(20) {
        0..=1 => Labelled {
            name: "valid".to_owned(),
            call: plan.call(),
            label: Label::Findings(Vec::new()),
        },
        2..=9 => unknown("soup", soup(dice)),
        _ => {
            let all: Vec<Fault> = Fault::findings().collect();
            let broken = nth(&all, dice).map(|fault| fault.breaks(&plan, choice));
            broken.unwrap_or_else(|| unknown("soup", soup(dice)))
        }
    }
}

/// Some members of one call and some of another.
fn mixed(one: Call, other: Option<Call>, dice: &mut Dice) -> Call {
    let Some(other) = other else { return one };
    let mut take = || dice.below(2) == 0;
    Call {
        run_id: if take() { one.run_id } else { other.run_id },
        expected_start: if take() { one.expected_start } else { other.expected_start },
        terminal: if take() { one.terminal } else { other.terminal },
        allow_empty: if take() { one.allow_empty } else { other.allow_empty },
        references: if take() { one.references } else { other.references },
    }
}
