//! One fault for each reason code and each structural error.

use super::{Label, Labelled, Plan};
use crate::call::{Call, Item, References, Value};
use crate::model::Found;

/// What a fault leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A finding with this reason.
    Reason(&'static str),
    /// A structural error: code and field.
    Error(&'static str, &'static str),
}

/// Breaks one thing of a plan.
#[derive(Clone, Copy)]
pub struct Fault {
    /// What it leads to.
    pub kind: Kind,
    /// Breaks the plan; the number chooses the place and the way.
    make: fn(&Plan, u32) -> (Call, Label),
}

impl std::fmt::Debug for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.name())
    }
}

/// Texts that are no identifiers.
const NO_IDENTIFIERS: [&str; 14] = [
    "",
    "-a",
    "a-",
    ".",
    "a b",
    "a\n",
    "\na",
    "é",
    "a/b",
    "a\"b",
    "\u{1f980}",
    "a\u{0}b",
    "_",
    "run:1",
];

/// What is no integer. What is a string is so on purpose.
fn no_integer(choice: u32) -> Value {
    match choice % 10 {
        0 => Value::text("1"),
        1 => Value::Float("1.0".to_owned()),
        2 => Value::Float("1e3".to_owned()),
        3 => Value::Flag(true),
        4 => Value::List,
        5 => Value::Object,
        6 => Value::text(""),
        7 => Value::Float("-0.0".to_owned()),
        8 => Value::Float("1e400".to_owned()),
        _ => Value::Flag(false),
    }
}

/// Integers that are no sequence numbers.
fn out_of_range(choice: u32) -> Value {
    let digits = match choice % 6 {
        0 => "-1",
        1 => "1000000001",
        2 => "9223372036854775808",
        3 => "18446744073709551616",
        4 => "-9223372036854775809",
        _ => "123456789012345678901234567890",
    };
    Value::Integer(digits.to_owned())
}

fn no_identifier(choice: u32) -> Option<Value> {
    let place = choice as usize % (NO_IDENTIFIERS.len() + 7);
    match NO_IDENTIFIERS.get(place) {
        Some(text) => Some(Value::text(text)),
        None => match place - NO_IDENTIFIERS.len() {
            0 => None,
            1 => Some(Value::Null),
            2 => Some(Value::number(7)),
            3 => Some(Value::Flag(true)),
            4 => Some(Value::List),
            5 => Some(Value::Object),
            _ => Some(Value::Text("a".repeat(129))),
        },
    }
}

fn at(plan: &Plan, choice: u32) -> u32 {
    choice % plan.events.max(1)
}

fn finding(plan: &Plan, at: u32, reason: &'static str) -> Found {
    (Some(plan.number(at)), reason, Some(Plan::event(at)))
}

fn findings(call: Call, found: Vec<Found>) -> (Call, Label) {
    (call, Label::Findings(found))
}

/// The call with another item at a place.
fn with_item(plan: &Plan, at: u32, item: Item) -> Call {
    let mut items = plan.items();
    if let Some(place) = items.get_mut(at as usize) {
        *place = item;
    }
    Call { references: References::Items(items), ..plan.call() }
}

/// A reference of which one member is this.
fn member(plan: &Plan, choice: u32, set: impl FnOnce([&mut Option<Value>; 3])) -> Call {
    let at = at(plan, choice);
    let mut item = Item::reference(&plan.run, &Plan::event(at), plan.number(at));
    if let Item::Reference { run_id, event_id, sequence_number } = &mut item {
        set([run_id, event_id, sequence_number]);
    }
    with_item(plan, at, item)
}

/// A plan with as many events as a fault needs.
fn at_least(plan: &Plan, events: u32) -> Plan {
    Plan { events: plan.events.max(events), ..plan.clone() }
}

fn empty(plan: &Plan, choice: u32) -> (Call, Label) {
    let allow_empty = choice.is_multiple_of(2).then_some(Value::Flag(false));
    let call = Call { allow_empty, references: References::Items(vec![]), ..plan.call() };
    findings(call, vec![(None, "empty_sequence", None)])
}

fn start(plan: &Plan, choice: u32) -> (Call, Label) {
    let start = i64::from(plan.start);
    let expected = match choice % 3 {
        0 if start > 0 => start - 1,
        1 if start > 0 => 0,
        _ => start + 1,
    };
    let call =
        Call { expected_start: Some(Value::number(expected)), terminal: None, ..plan.call() };
    findings(call, vec![(Some(start), "start_sequence_mismatch", None)])
}

fn gap(plan: &Plan, choice: u32) -> (Call, Label) {
    let plan = at_least(plan, 3);
    let at = 1 + choice % (plan.events - 2);
    let mut items = plan.items();
    items.remove(at as usize);
    let call = Call { references: References::Items(items), ..plan.call() };
    findings(call, vec![(Some(plan.number(at)), "sequence_gap", None)])
}

/// From a place on, all numbers are higher.
fn wide_gap(plan: &Plan, choice: u32) -> (Call, Label) {
    let plan = at_least(plan, 2);
    let from = 1 + choice % (plan.events - 1);
    let more = 2 + i64::from(choice % 1_000);
    let items = (0..plan.events).map(|at| {
        let number = plan.number(at) + if at >= from { more } else { 0 };
        Item::reference(&plan.run, &Plan::event(at), number)
    });
    let call = Call {
        terminal: plan.terminal.then(|| Value::number(plan.number(plan.last()) + more)),
        references: References::Items(items.collect()),
        ..plan.call()
    };
    findings(call, vec![(Some(plan.number(from)), "sequence_gap", None)])
}

fn repeated_number(plan: &Plan, choice: u32) -> (Call, Label) {
    let (of, after) = (at(plan, choice), at(plan, choice / 7).max(at(plan, choice)));
    let mut items = plan.items();
    items.insert(after as usize + 1, Item::reference(&plan.run, "again", plan.number(of)));
    let call = Call { references: References::Items(items), ..plan.call() };
    let again = |reason| (Some(plan.number(of)), reason, Some("again".to_owned()));
    findings(call, vec![again("duplicate_sequence_number"), again("out_of_order")])
}

fn repeated_id(plan: &Plan, choice: u32) -> (Call, Label) {
    let plan = at_least(plan, 2);
    let at = 1 + choice % (plan.events - 1);
    let first = Plan::event(choice / 3 % at);
    let call = with_item(&plan, at, Item::reference(&plan.run, &first, plan.number(at)));
    findings(call, vec![(Some(plan.number(at)), "duplicate_event_id", Some(first))])
}

fn swapped(plan: &Plan, choice: u32) -> (Call, Label) {
    let plan = at_least(plan, 2);
    let at = choice % (plan.events - 1);
    let mut items = plan.items();
    items.swap(at as usize, at as usize + 1);
    let call = Call { references: References::Items(items), ..plan.call() };
    findings(call, vec![finding(&plan, at, "out_of_order")])
}

fn foreign(plan: &Plan, choice: u32) -> (Call, Label) {
    let at = at(plan, choice);
    // One that looks alike.
    let other = if choice.is_multiple_of(2) {
        plan.run.to_ascii_uppercase() + "X"
    } else {
        "r".to_owned() + &plan.run
    };
    let other: String = other.chars().take(128).collect();
    let other = if other == plan.run { "other".to_owned() } else { other };
    let call = with_item(plan, at, Item::reference(&other, &Plan::event(at), plan.number(at)));
    findings(call, vec![finding(plan, at, "cross_run_reference")])
}

fn after_terminal(plan: &Plan, choice: u32) -> (Call, Label) {
    let plan = at_least(plan, 2);
    let last = choice % (plan.events - 1);
    let call = Call { terminal: Some(Value::number(plan.number(last))), ..plan.call() };
    let after = (last + 1..plan.events).map(|at| finding(&plan, at, "post_terminal_event"));
    findings(call, after.collect())
}

fn no_terminal(plan: &Plan, choice: u32) -> (Call, Label) {
    let terminal = (plan.number(plan.last()) + 1 + i64::from(choice)).min(1_000_000_000);
    let call = Call { terminal: Some(Value::number(terminal)), ..plan.call() };
    findings(call, vec![(Some(terminal), "terminal_event_missing", None)])
}

/// One finding more than a report has, and a few more.
fn truncated(plan: &Plan, choice: u32) -> (Call, Label) {
    let plan = Plan { events: 1_001 + choice % 3, ..plan.clone() };
    let items =
        (0..plan.events).map(|at| Item::reference("another", &Plan::event(at), plan.number(at)));
    let call = Call { references: References::Items(items.collect()), ..plan.call() };
    let mut found: Vec<Found> =
        (0..999).map(|at| finding(&plan, at, "cross_run_reference")).collect();
    found.push((None, "findings_truncated", None));
    findings(call, found)
}

macro_rules! errors {
    ($($code:literal, $field:literal: |$plan:ident, $choice:ident| $call:expr;)*) => {
        &[$(Fault {
            kind: Kind::Error($code, $field),
            make: |$plan, $choice| ($call, Label::Error($code, $field)),
        }),*]
    };
}

const ERRORS: &[Fault] = errors! {
    "invalid_identifier", "run_id": |plan, choice| if choice.is_multiple_of(2) {
        Call { run_id: no_identifier(choice / 2), ..plan.call() }
    } else {
        member(plan, choice, |[run, ..]| *run = no_identifier(choice / 2))
    };
    "invalid_identifier", "event_id": |plan, choice|
        member(plan, choice, |[_, event, _]| *event = no_identifier(choice));
    "invalid_sequence_number", "sequence_number": |plan, choice|
        member(plan, choice, |[.., number]| *number = match choice % 12 {
            10 => None,
            11 => Some(Value::Null),
            choice => Some(no_integer(choice)),
        });
    "invalid_sequence_number", "expected_start": |plan, choice| Call {
        expected_start: Some(if choice % 11 == 10 { Value::Null } else { no_integer(choice % 11) }),
        ..plan.call()
    };
    "invalid_sequence_number", "terminal_sequence_number": |plan, choice|
        Call { terminal: Some(no_integer(choice)), ..plan.call() };
    "sequence_number_out_of_range", "sequence_number": |plan, choice|
        member(plan, choice, |[.., number]| *number = Some(out_of_range(choice)));
    "sequence_number_out_of_range", "expected_start": |plan, choice|
        Call { expected_start: Some(out_of_range(choice)), ..plan.call() };
    "sequence_number_out_of_range", "terminal_sequence_number": |plan, choice|
        Call { terminal: Some(out_of_range(choice)), ..plan.call() };
    "terminal_before_start", "terminal_sequence_number": |plan, choice| Call {
        expected_start: Some(Value::number(plan.number(0) + 1 + i64::from(choice % 3))),
        terminal: Some(Value::number(plan.number(0))),
        ..plan.call()
    };
    "invalid_flag", "allow_empty": |plan, choice| Call {
        allow_empty: Some(match choice % 6 {
            0 => Value::Null,
            1 => Value::number(1),
            2 => Value::text("true"),
            3 => Value::List,
            4 => Value::Object,
            _ => Value::number(0),
        }),
        ..plan.call()
    };
    "invalid_sequence", "references": |plan, choice| Call {
        references: match choice % 7 {
            6 => References::Other(Value::Object),
            0 => References::Missing,
            1 => References::Other(Value::Null),
            2 => References::Other(Value::text("e1")),
            3 => References::Other(Value::number(7)),
            4 => References::Other(Value::Flag(true)),
            _ => References::Other(Value::Float("1.5".to_owned())),
        },
        ..plan.call()
    };
    "invalid_reference_type", "references": |plan, choice| with_item(
        plan,
        at(plan, choice),
        Item::Other(match choice % 5 {
            0 => Value::Null,
            1 => Value::text("e1"),
            2 => Value::number(1),
            3 => Value::List,
            _ => Value::Flag(false),
        }),
    );
};

const TOO_MANY: Fault = Fault {
    kind: Kind::Error("too_many_events", "references"),
    make: |plan, choice| {
        let plan = Plan { start: plan.start % 1_000, events: 100_001 + choice % 2, ..plan.clone() };
        (plan.call(), Label::Error("too_many_events", "references"))
    },
};

const REASONS: &[Fault] = &[
    Fault { kind: Kind::Reason("empty_sequence"), make: empty },
    Fault { kind: Kind::Reason("start_sequence_mismatch"), make: start },
    Fault { kind: Kind::Reason("sequence_gap"), make: gap },
    Fault { kind: Kind::Reason("sequence_gap"), make: wide_gap },
    Fault { kind: Kind::Reason("duplicate_sequence_number"), make: repeated_number },
    Fault { kind: Kind::Reason("duplicate_event_id"), make: repeated_id },
    Fault { kind: Kind::Reason("out_of_order"), make: swapped },
    Fault { kind: Kind::Reason("cross_run_reference"), make: foreign },
    Fault { kind: Kind::Reason("post_terminal_event"), make: after_terminal },
    Fault { kind: Kind::Reason("terminal_event_missing"), make: no_terminal },
];

const TRUNCATED: Fault = Fault { kind: Kind::Reason("findings_truncated"), make: truncated };

impl Fault {
    /// Those that make small logs: every reason code but `findings_truncated`.
    pub fn findings() -> impl ExactSizeIterator<Item = Self> {
        REASONS.iter().copied()
    }

    /// Those that make small logs with structural errors: every one but `too_many_events`.
    pub fn errors() -> impl ExactSizeIterator<Item = Self> {
        ERRORS.iter().copied()
    }

    /// Those at the limits, which make large logs: over 1,000 findings, over 100,000 references.
    pub fn at_limits() -> [Self; 2] {
        [TRUNCATED, TOO_MANY]
    }

    /// What it is called: the reason, or error and field.
    pub fn name(&self) -> String {
        match self.kind {
            Kind::Reason(reason) => reason.to_owned(),
            Kind::Error(code, field) => format!("{field}: {code}"),
        }
    }

    /// Breaks a plan; `choice` chooses the place and the way.
    ///
    /// ```
    /// use conform_run_log::generate::{Fault, Label, Plan};
    /// let plan = Plan { run: "r1".into(), start: 0, events: 4, terminal: false };
    /// let fault = Fault::findings().nth(2).unwrap();
    /// let broken = fault.breaks(&plan, 0);
    /// assert_eq!(broken.label, Label::Findings(vec![(Some(1), "sequence_gap", None)]));
    /// ```
    pub fn breaks(&self, plan: &Plan, choice: u32) -> Labelled {
        let (call, label) = (self.make)(plan, choice);
        Labelled { name: self.name(), call, label }
    }
}
