//! How an input is judged, and what comes of it.

use std::collections::BTreeMap;

use conform_event::shape::Version;

use crate::finding::{Finding, Note};
use crate::frames::{Format, Limits, ResponseHead};
use crate::names;
use crate::ordering::Scope;
use crate::policy::Policy;
use crate::request::Request;
use crate::trace::Traced;

/// How an input is judged.
#[derive(Debug, Clone)]
pub struct Options {
    /// How far.
    pub scope: Scope,
    /// The run input that was sent, where it is at hand.
    pub request: Option<Request>,
    /// Status and headers of the response, where the input does not begin with them.
    pub head: Option<ResponseHead>,
    /// Which version of the protocol it is judged by; none is the one that each run declares,
    /// or else the newest.
    pub spec: Option<Version>,
    /// What the reader keeps at most.
    pub limits: Limits,
    /// How many findings are kept; the rest is counted.
    pub max_findings: usize,
    /// What the user allows and denies.
    pub policy: Policy,
    /// Whether it is kept what each event does: memory then grows with every event.
    pub trace: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            scope: Scope::Stream,
            request: None,
            head: None,
            spec: None,
            limits: Limits::default(),
            max_findings: 1000,
            policy: Policy::default(),
            trace: false,
        }
    }
}

/// Why an input is nothing that can be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// What it is instead, as a sentence without a full stop.
    pub message: String,
    /// The offset in the input, in bytes, at which that shows, if it does.
    pub byte: Option<u64>,
    /// Whether it is a JSON document of another kind, to be passed over where a whole
    /// directory is judged.
    pub other_document: bool,
}

/// What was found in one input.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// What the input is; none for an empty or unreadable one.
    pub format: Option<Format>,
    /// Its length.
    pub bytes: u64,
    /// How many frames with data it has.
    pub events: u64,
    /// How many runs start in it.
    pub runs: u64,
    /// What it breaks, in the order of the input, at most as many as asked for.
    pub findings: Vec<Finding>,
    /// How many findings were not kept.
    pub dropped: u64,
    /// Errors, those not kept included; consequences are none.
    pub errors: u64,
    /// Warnings, counted likewise.
    pub warnings: u64,
    /// What else a reader should know.
    pub notes: Vec<Note>,
    /// The first event that breaks something, as an error.
    pub first_rejected: Option<FirstRejected>,
    /// How often each requirement was put to the test, by its place in the registry.
    pub checked: Vec<u64>,
    /// How many findings about each requirement are no consequences, by its place in the
    /// registry.
    pub found: Vec<u64>,
    /// How many of them say that it is surely broken; the rest are doubts.
    pub broken: Vec<u64>,
    /// Whether status and headers of the response were there.
    pub has_head: bool,
    /// Whether the run input was there, as a request or as an echo.
    pub has_input: bool,
    /// The protocol version that the stream declares first.
    pub declared_version: Option<String>,
    /// How often each feature was seen.
    pub features: BTreeMap<&'static str, u64>,
    /// Why it could not be judged at all.
    pub unreadable: Option<Unreadable>,
    /// What each event does, by its index, where that was asked for.
    pub trace: Option<Vec<Traced>>,
}

/// Where the first error is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FirstRejected {
    /// At this event.
    Event(u64),
    /// At the end of the stream.
    End,
}

impl Outcome {
    /// Counts that a requirement was put to the test.
    pub(crate) fn count_checked(&mut self, id: &'static str) {
        if let Some(count) = self.checked.get_mut(names::place(id)) {
            *count += 1;
        }
    }

    /// Whether something of the input could not be judged.
    pub fn is_incomplete(&self) -> bool {
        self.notes.iter().any(|note| note.incomplete)
    }
}
