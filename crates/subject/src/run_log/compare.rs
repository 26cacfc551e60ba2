//! A subject compared with the model on generated logs.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use conform_run_log::call::{Call, Item, References};
use conform_run_log::generate::log;
use conform_run_log::model;
use serde_json::Value;

use super::RunLogLedger;
use crate::process::{Process, Trouble};

/// Which logs a subject is asked about.
#[derive(Debug, Clone)]
pub struct RunLogTest {
    /// The seed that they follow from.
    pub seed: u64,
    /// The first case, and how far the next one is: a share of all.
    pub shard: (u64, u64),
    /// How many cases there are in all; one of five is broken in its structure.
    pub cases: u64,
    /// Known differences.
    pub ledger: RunLogLedger,
}

/// What came of it.
#[derive(Debug, Clone, Default)]
pub struct RunLogTally {
    /// How many cases were compared.
    pub compared: u64,
    /// How many the subject cannot judge.
    pub unsupported: u64,
    /// How often each known difference showed.
    pub known: BTreeMap<String, u64>,
    /// How many cases the model finds each reason in, or refuses with each error.
    pub said: BTreeMap<String, u64>,
    /// Unknown differences, the smallest witness first.
    pub differences: Vec<RunLogDifference>,
    /// Entries of the ledger that show no more: their names.
    pub stale: Vec<String>,
}

/// An unknown difference: what is said of it, how often, and the smallest call that shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunLogDifference {
    /// What the model says.
    pub expected: String,
    /// What the subject says, or the trouble with it.
    pub said: String,
    /// How many cases show it.
    pub count: u64,
    /// The smallest call that shows it.
    pub witness: Call,
    /// What the model says of the witness, whole.
    pub report: String,
}

/// What a report or an error comes to, so that alike differences are one: the reasons, or the
/// error as it is printed.
///
/// ```
/// assert_eq!(conform_subject::said_of(&Err(("too_many_events", "references"))),
///     "references: too_many_events");
/// ```
pub fn said_of(said: &Result<String, (&str, &str)>) -> String {
    match said {
        Err((code, field)) => format!("{field}: {code}"),
        Ok(report) => {
            let Ok(report) = serde_json::from_str::<Value>(report) else {
                return "a report that is no JSON".to_owned();
            };
            let findings = report.get("findings").and_then(Value::as_array);
            let mut reasons: Vec<&str> = findings
                .into_iter()
                .flatten()
                .filter_map(|finding| finding.get("reason_code")?.as_str())
                .collect();
            reasons.sort_unstable();
            reasons.dedup();
            if reasons.is_empty() { "valid".to_owned() } else { reasons.join(", ") }
        }
    }
}

/// What a subject answers.
enum Answered {
    Said(Result<String, (String, String)>),
    Unsupported,
    Nonsense,
}

fn answered(answer: &Value) -> Answered {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    if answer.get("verdict").and_then(Value::as_str) == Some("unsupported") {
        return Answered::Unsupported;
    }
    if let Some(report) = text(answer.get("report")) {
        return Answered::Said(Ok(report));
    }
    let error = answer.get("error");
    let part = |name| text(error.and_then(|error| error.get(name)));
    match part("code").zip(part("field_name")) {
        Some(error) => Answered::Said(Err(error)),
        None => Answered::Nonsense,
    }
}

fn line(number: u64, call: &Call) -> String {
    format!("{{\"id\":{number},\"call\":{}}}", call.to_json())
}

/// How a subject differs from the model on a call; none where it does not, or cannot judge.
fn differs(expected: &Result<String, (&str, &str)>, answer: &Answer) -> Option<(String, String)> {
    let told = |said: String| Some((said_of(expected), said));
    let answer = match answer {
        Ok(answer) => answered(answer),
        Err(trouble) => return told(trouble.to_string()),
    };
    match answer {
        Answered::Unsupported => None,
        Answered::Nonsense => told("neither a report nor an error".to_owned()),
        Answered::Said(said) => {
            let said = said.as_ref().map_err(|(code, field)| (code.as_str(), field.as_str()));
            let same = match (expected, &said) {
                (Ok(one), Ok(two)) => one == *two,
                (Err(one), Err(two)) => one == two,
                _ => false,
            };
            if same {
                return None;
            }
            let said = said_of(&said.cloned());
            let (expected, mut said) = (said_of(expected), said);
            if expected == said {
                said.push_str(" (another report)");
            }
            Some((expected, said))
        }
    }
}

type Answer = Result<Value, Trouble>;

impl RunLogTest {
    /// Asks the subject, until `go_on` says no after a case.
    ///
    /// # Errors
    ///
    /// The subject crashes in a loop, cannot be started again, or the harness is to stop. What
    /// was compared until then is in `tally`.
    pub fn run(
        &self,
        subject: &mut Process,
        tally: &mut RunLogTally,
        mut go_on: impl FnMut(&RunLogTally) -> bool,
    ) -> Result<(), Trouble> {
        Self::smoke(subject)?;
        let (first, step) = self.shard;
        let numbers = (first..self.cases).step_by(usize::try_from(step.max(1)).unwrap_or(1));
        let mut found: BTreeMap<(String, String), (u64, Call)> = BTreeMap::new();
        let asked = subject.ask(numbers.map(|n| (n, line(n, &self.call(n)))), |number, answer| {
            let call = self.call(number);
            let expected = model::judge(&call);
            tally.compared += 1;
            for said in said_of(&expected).split(", ") {
                *tally.said.entry(said.to_owned()).or_default() += 1;
            }
            if answer.as_ref().is_ok_and(|answer| matches!(answered(answer), Answered::Unsupported))
            {
                tally.unsupported += 1;
            }
            if let Some((expected, said)) = differs(&expected, &answer) {
                match self.ledger.known(&expected, &said) {
                    Some(known) => *tally.known.entry(known.name.clone()).or_default() += 1,
                    None => {
                        found.entry((expected, said)).or_insert_with(|| (0, call)).0 += 1;
                    }
                }
            }
            if go_on(tally) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        for ((expected, said), (count, call)) in found {
            let cause = (expected, said);
            let witness = match &asked {
                Ok(()) => shrink(subject, call, &cause),
                // A subject that crashes in a loop is not asked again.
                Err(_) => call,
            };
            let report = match model::judge(&witness) {
                Ok(report) => report,
                error => said_of(&error),
            };
            let (expected, said) = cause;
            tally.differences.push(RunLogDifference { expected, said, count, witness, report });
        }
        tally.differences.sort_by_key(|difference| difference.witness.to_json().len());
        asked?;
        self.stale(subject, tally)
    }

    fn call(&self, number: u64) -> Call {
        log(self.seed, number, number % 5 == 4).call
    }

    /// A case that every subject must get right, so that a broken adapter is told at once.
    fn smoke(subject: &mut Process) -> Result<(), Trouble> {
        let call = Call::new("r1", vec![Item::reference("r1", "e1", 0)]);
        let answer = subject.ask_one(0, line(0, &call))?;
        let known = matches!(answered(&answer), Answered::Said(_) | Answered::Unsupported);
        if known {
            Ok(())
        } else {
            Err(Trouble::Nonsense("the first case gets neither a report nor an error".to_owned()))
        }
    }

    /// Finds the entries of the ledger that show no more.
    fn stale(&self, subject: &mut Process, tally: &mut RunLogTally) -> Result<(), Trouble> {
        for known in &self.ledger.divergences {
            let shows = match Call::from_json(&known.witness) {
                Err(_) => false,
                Ok(call) => {
                    let answer = match subject.ask_one(0, line(0, &call)) {
                        Err(Trouble::Stopped) => return Err(Trouble::Stopped),
                        answer => answer,
                    };
                    let cause = differs(&model::judge(&call), &answer);
                    cause == Some((known.expected.clone(), known.said.clone()))
                }
            };
            if !shows {
                tally.stale.push(known.name.clone());
            }
        }
        Ok(())
    }
}

/// The smallest call that differs in the same way: options left out, references left out in
/// ever smaller pieces.
fn shrink(subject: &mut Process, mut call: Call, cause: &(String, String)) -> Call {
    let mut same = |call: &Call| {
        let answer = subject.ask_one(0, line(0, call));
        !matches!(answer, Err(Trouble::Stopped))
            && differs(&model::judge(call), &answer).as_ref() == Some(cause)
    };
    for leave_out in [
        (|call: &mut Call| call.expected_start = None) as fn(&mut Call),
        |call| call.terminal = None,
        |call| call.allow_empty = None,
    ] {
        let mut smaller = call.clone();
        leave_out(&mut smaller);
        if smaller != call && same(&smaller) {
            call = smaller;
        }
    }
    let References::Items(mut items) = call.references.clone() else { return call };
    let mut piece = items.len();
    while piece > 0 {
        let mut at = 0;
        while at < items.len() {
            let mut fewer = items.clone();
            fewer.drain(at..(at + piece).min(items.len()));
            let smaller = Call { references: References::Items(fewer.clone()), ..call.clone() };
            if same(&smaller) {
                items = fewer;
            } else {
                at += piece;
            }
        }
        piece /= 2;
    }
    Call { references: References::Items(items), ..call }
}
