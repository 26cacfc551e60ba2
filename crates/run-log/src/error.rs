//! Structural errors: why a log cannot be judged at all.

use std::fmt;

/// What is wrong with the structure of a log. The names are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ErrorCode {
    /// No identifier, or no string.
    InvalidIdentifier,
    /// No integer.
    InvalidSequenceNumber,
    /// An integer below 0 or above 1,000,000,000.
    SequenceNumberOutOfRange,
    /// The terminal number is below the expected start.
    TerminalBeforeStart,
    /// No boolean.
    InvalidFlag,
    /// The references are no list.
    InvalidSequence,
    /// An item of the references is no reference.
    InvalidReferenceType,
    /// There are more than [`MAX_REFERENCES`](crate::MAX_REFERENCES).
    TooManyEvents,
    /// A report names a reason that is none.
    UnknownReasonCode,
    /// A report is of another schema version.
    InvalidSchemaVersion,
}

impl ErrorCode {
    /// Every code.
    pub const ALL: [Self; 10] = [
        Self::InvalidIdentifier,
        Self::InvalidSequenceNumber,
        Self::SequenceNumberOutOfRange,
        Self::TerminalBeforeStart,
        Self::InvalidFlag,
        Self::InvalidSequence,
        Self::InvalidReferenceType,
        Self::TooManyEvents,
        Self::UnknownReasonCode,
        Self::InvalidSchemaVersion,
    ];

    /// The name in reports.
    ///
    /// ```
    /// assert_eq!(conform_run_log::ErrorCode::InvalidFlag.as_str(), "invalid_flag");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidIdentifier => "invalid_identifier",
            Self::InvalidSequenceNumber => "invalid_sequence_number",
            Self::SequenceNumberOutOfRange => "sequence_number_out_of_range",
            Self::TerminalBeforeStart => "terminal_before_start",
            Self::InvalidFlag => "invalid_flag",
            Self::InvalidSequence => "invalid_sequence",
            Self::InvalidReferenceType => "invalid_reference_type",
            Self::TooManyEvents => "too_many_events",
            Self::UnknownReasonCode => "unknown_reason_code",
            Self::InvalidSchemaVersion => "invalid_schema_version",
        }
    }

    /// What would be right, as a sentence without a full stop.
    pub fn help(self) -> &'static str {
        match self {
            Self::InvalidIdentifier => {
                "an identifier is a string of 1 to 128 ASCII letters, digits, `_`, `.` and `-`, \
                 and begins and ends with a letter or digit"
            }
            Self::InvalidSequenceNumber => {
                "a sequence number is a JSON integer: no float, string, boolean or null"
            }
            Self::SequenceNumberOutOfRange => "a sequence number is from 0 to 1000000000",
            Self::TerminalBeforeStart => {
                "the terminal number is at least the expected start of the log"
            }
            Self::InvalidFlag => "allow_empty is true or false",
            Self::InvalidSequence => "references is a list",
            Self::InvalidReferenceType => {
                "each reference is an object with run_id, event_id and sequence_number"
            }
            Self::TooManyEvents => "a log has at most 100000 references; judge it in parts",
            Self::UnknownReasonCode => "a reason code is one of the contract's",
            Self::InvalidSchemaVersion => "the schema version is openmed.agent.event_sequence.v1",
        }
    }
}

/// The field that an error is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// `run_id`, of the log or of a reference.
    RunId,
    /// `event_id`
    EventId,
    /// `sequence_number`
    SequenceNumber,
    /// `expected_start`
    ExpectedStart,
    /// `terminal_sequence_number`
    TerminalSequenceNumber,
    /// `allow_empty`
    AllowEmpty,
    /// `references`
    References,
    /// `reason_code`, of a report.
    ReasonCode,
    /// `schema_version`, of a report.
    SchemaVersion,
}

impl Field {
    /// The name in reports.
    ///
    /// ```
    /// assert_eq!(conform_run_log::Field::RunId.as_str(), "run_id");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RunId => "run_id",
            Self::EventId => "event_id",
            Self::SequenceNumber => "sequence_number",
            Self::ExpectedStart => "expected_start",
            Self::TerminalSequenceNumber => "terminal_sequence_number",
            Self::AllowEmpty => "allow_empty",
            Self::References => "references",
            Self::ReasonCode => "reason_code",
            Self::SchemaVersion => "schema_version",
        }
    }
}

/// Why a log cannot be judged. It never holds the value that was refused.
///
/// ```
/// use conform_run_log::{ErrorCode, Field, SequenceError};
/// let error = SequenceError::new(ErrorCode::TooManyEvents, Field::References);
/// assert_eq!(error.to_string(), "references: too_many_events");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SequenceError {
    /// What is wrong.
    pub code: ErrorCode,
    /// Where.
    pub field: Field,
}

impl SequenceError {
    /// An error about a field.
    pub fn new(code: ErrorCode, field: Field) -> Self {
        Self { code, field }
    }
}

impl fmt::Display for SequenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field.as_str(), self.code.as_str())
    }
}

impl std::error::Error for SequenceError {}
