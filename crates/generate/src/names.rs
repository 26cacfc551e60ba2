//! Ids, plain and odd.

use std::collections::HashSet;

use crate::choose::Choose;
use crate::plan::Scope;

/// What an id names; an id is unique within its space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Space {
    Text,
    Reasoning,
    Activity,
    Result,
    Call,
    Step,
    Subagent,
    Interrupt,
}

/// Draws ids that nothing of their space has yet.
#[derive(Debug)]
pub(crate) struct Names {
    scope: Scope,
    taken: HashSet<(Space, String)>,
    drawn: usize,
}

/// What may stand in an id, and does in somebody's.
const ODD: [&str; 12] = [
    "",
    "\"quoted\" \\ 'id'",
    "two\nlines\r\n",
    "nul\u{0}byte",
    "emoji 🦀👩‍👩‍👧",
    "right\u{202e}to left",
    "zero\u{200b}width",
    "a",
    "a ",
    "A",
    "а",
    "{\"type\":\"RAW\"}",
];

impl Names {
    pub(crate) fn new(scope: Scope) -> Self {
        Self { scope, taken: HashSet::new(), drawn: 0 }
    }

    /// Forgets the ids of this space: they may be used again.
    pub(crate) fn forget(&mut self, space: Space) {
        self.taken.retain(|(taken, _)| *taken != space);
    }

    /// An id for `space`.
    pub(crate) fn draw(&mut self, choose: &mut dyn Choose, space: Space) -> String {
        let space = match (self.scope, space) {
            // A message id names one message of a thread, whatever its kind.
            // And a result becomes a text message in any scope.
            (Scope::Stream, Space::Reasoning | Space::Activity) | (_, Space::Result) => Space::Text,
            (_, space) => space,
        };
        let candidate = match choose.below(16) {
            0..=3 => ODD[choose.below(ODD.len())].to_owned(),
            // Shared by whatever kinds draw it.
            4..=6 => format!("shared-{}", choose.below(4)),
            7 if choose.below(24) == 0 => "long".repeat(2560),
            _ => String::new(),
        };
        let plain = candidate.is_empty() && choose.below(8) != 0;
        if !plain && self.taken.insert((space, candidate.clone())) {
            return candidate;
        }
        loop {
            self.drawn += 1;
            let name = format!("{}{}", prefix(space), self.drawn);
            if self.taken.insert((space, name.clone())) {
                return name;
            }
        }
    }
}

fn prefix(space: Space) -> &'static str {
    match space {
        Space::Text => "m",
        Space::Reasoning => "r",
        Space::Activity => "a",
        Space::Result => "t",
        Space::Call => "c",
        Space::Step => "step",
        Space::Subagent => "s",
        Space::Interrupt => "i",
    }
}
