//! Findings: what is wrong, where, and what would be right.

use conform_verify::{EntityKind, Owner, Position, Rule};

use crate::registry::{Level, Requirement};

/// What a finding counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// An error.
    Error,
    /// A warning.
    Warning,
    /// Shown, and counted as neither: the user allowed its requirement.
    Allowed,
}

impl Severity {
    /// The name in reports.
    ///
    /// ```
    /// assert_eq!(conform_check::Severity::Error.as_str(), "error");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Allowed => "allowed",
        }
    }
}

impl From<Level> for Severity {
    fn from(level: Level) -> Self {
        match level {
            Level::Must => Self::Error,
            Level::Should => Self::Warning,
        }
    }
}

/// A requirement that something in the input breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The requirement.
    pub requirement: &'static Requirement,
    /// The ordering rule behind it, where there is one.
    pub rule: Option<Rule>,
    /// What it counts as.
    pub severity: Severity,
    /// The 0-based index of the event; none where no event is concerned.
    pub event: Option<u64>,
    /// Whether it is about the end of the stream.
    pub at_end: bool,
    /// The type that the event names.
    pub event_type: Option<String>,
    /// The 1-based line of the input.
    pub line: Option<u64>,
    /// The offset in the input, in bytes.
    pub byte: Option<u64>,
    /// The JSON pointer of the member to blame.
    pub pointer: Option<String>,
    /// The earlier event that explains it.
    pub related: Option<Position>,
    /// The entity that it is about: its kind and its id.
    pub entity: Option<(EntityKind, String)>,
    /// Who owns that entity, where it is about owners.
    pub owner: Option<Owner>,
    /// What is wrong, as a sentence without a full stop.
    pub message: String,
    /// The index of the finding that it follows from; then it does not count.
    pub consequence_of: Option<usize>,
}

impl Finding {
    /// Whether it counts as an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error && self.consequence_of.is_none()
    }

    /// Whether it counts as a warning.
    pub fn is_warning(&self) -> bool {
        self.severity == Severity::Warning && self.consequence_of.is_none()
    }
}

/// Something that a person who reads the report should know and no requirement is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What it is.
    pub message: String,
    /// The 1-based line of the input.
    pub line: Option<u64>,
    /// The offset in the input, in bytes.
    pub byte: Option<u64>,
    /// Whether something could not be judged because of it.
    pub incomplete: bool,
}
