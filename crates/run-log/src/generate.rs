//! Logs of which it is known what is to be said: a *plan* is a valid log by construction, and
//! a [`Fault`] breaks one thing of it and knows what that comes to.

mod fault;
mod seeded;

pub use fault::{Fault, Kind};
pub use seeded::{Dice, log, plan, soup};

use crate::call::{Call, Item, Value};
use crate::model::Found;

/// A valid log.
///
/// ```
/// use conform_run_log::{generate::Plan, model};
/// let plan = Plan { run: "r1".into(), start: 3, events: 2, terminal: true };
/// let report = model::judge(&plan.call()).unwrap();
/// assert!(report.contains(r#""findings":[],"first_sequence_number":3"#), "{report}");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The run.
    pub run: String,
    /// The first number.
    pub start: u32,
    /// How many events there are: 1 at least.
    pub events: u32,
    /// Whether the last number is declared.
    pub terminal: bool,
}

impl Plan {
    /// The id of the event at a place.
    pub fn event(at: u32) -> String {
        format!("e{at}")
    }

    /// The number of the event at a place.
    pub fn number(&self, at: u32) -> i64 {
        i64::from(self.start) + i64::from(at)
    }

    /// The place of the last event.
    pub fn last(&self) -> u32 {
        self.events.saturating_sub(1)
    }

    fn items(&self) -> Vec<Item> {
        (0..self.events)
            .map(|at| Item::reference(&self.run, &Self::event(at), self.number(at)))
            .collect()
    }

    /// The log.
    pub fn call(&self) -> Call {
        Call {
            expected_start: (self.start > 0).then(|| Value::number(self.start.into())),
            terminal: self.terminal.then(|| Value::number(self.number(self.last()))),
            ..Call::new(&self.run, self.items())
        }
    }
}

/// What is to be said of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Label {
    /// A report with these findings, in order.
    Findings(Vec<Found>),
    /// An error: its code and its field.
    Error(&'static str, &'static str),
    /// It is not known: only the opinions are compared.
    Unknown,
}

/// A log, and what is to be said of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Labelled {
    /// What was done to it.
    pub name: String,
    /// The log.
    pub call: Call,
    /// What is to be said.
    pub label: Label,
}
