//! The report, and its canonical JSON.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::error::{ErrorCode, Field, SequenceError};
use crate::scalar::Scalar;
use crate::types::{Identifier, SequenceNumber};

/// The name and version of the report.
pub const SCHEMA_VERSION: &str = "openmed.agent.event_sequence.v1";

/// Why a log cannot be replayed. The names are stable, and stand in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReasonCode {
    /// Another run's reference.
    CrossRunReference,
    /// An event that the log has had already.
    DuplicateEventId,
    /// A number that the log has had already.
    DuplicateSequenceNumber,
    /// No references, where that is not allowed.
    EmptySequence,
    /// There are more findings than a report has.
    FindingsTruncated,
    /// A number that is not above the one just before it.
    OutOfOrder,
    /// A number above the declared terminal one.
    PostTerminalEvent,
    /// Something is missing between two numbers.
    SequenceGap,
    /// The lowest number is not the expected one.
    StartSequenceMismatch,
    /// The declared terminal number never appears.
    TerminalEventMissing,
}

impl ReasonCode {
    /// Every code, in the order of their names.
    pub const ALL: [Self; 10] = [
        Self::CrossRunReference,
        Self::DuplicateEventId,
        Self::DuplicateSequenceNumber,
        Self::EmptySequence,
        Self::FindingsTruncated,
        Self::OutOfOrder,
        Self::PostTerminalEvent,
        Self::SequenceGap,
        Self::StartSequenceMismatch,
        Self::TerminalEventMissing,
    ];

    /// The name in reports.
    ///
    /// ```
    /// assert_eq!(conform_run_log::ReasonCode::SequenceGap.as_str(), "sequence_gap");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CrossRunReference => "cross_run_reference",
            Self::DuplicateEventId => "duplicate_event_id",
            Self::DuplicateSequenceNumber => "duplicate_sequence_number",
            Self::EmptySequence => "empty_sequence",
            Self::FindingsTruncated => "findings_truncated",
            Self::OutOfOrder => "out_of_order",
            Self::PostTerminalEvent => "post_terminal_event",
            Self::SequenceGap => "sequence_gap",
            Self::StartSequenceMismatch => "start_sequence_mismatch",
            Self::TerminalEventMissing => "terminal_event_missing",
        }
    }

    /// What it says, as a sentence without a full stop.
    pub fn describe(self) -> &'static str {
        match self {
            Self::CrossRunReference => "the reference names another run",
            Self::DuplicateEventId => "an earlier reference has this event id",
            Self::DuplicateSequenceNumber => "an earlier reference has this number",
            Self::EmptySequence => "the log has no references",
            Self::FindingsTruncated => "there are more findings, which are not shown",
            Self::OutOfOrder => "the number is not above the one just before it",
            Self::PostTerminalEvent => "the number is above the declared terminal one",
            Self::SequenceGap => "the log has numbers below and above this one, and not this one",
            Self::StartSequenceMismatch => "the lowest number is not the expected start",
            Self::TerminalEventMissing => "the declared terminal number is not in the log",
        }
    }

    /// What would be right, as a sentence without a full stop.
    pub fn help(self) -> &'static str {
        match self {
            Self::CrossRunReference => "append only the run's own events to its log",
            Self::DuplicateEventId => "append each event once, or give each its own id",
            Self::DuplicateSequenceNumber => "give each event the number after the last one",
            Self::EmptySequence => "append the run's events, or allow an empty log (allow_empty)",
            Self::FindingsTruncated => "mend the first and judge again",
            Self::OutOfOrder => "append events in the order of their numbers",
            Self::PostTerminalEvent => "append nothing after the run has ended",
            Self::SequenceGap => "find the event that was lost, or number without gaps",
            Self::StartSequenceMismatch => {
                "begin with the expected number, or say which is expected (expected_start)"
            }
            Self::TerminalEventMissing => "append the run's last event, or declare the right one",
        }
    }

    fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.as_str() == name)
    }
}

/// One reason why a log cannot be replayed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The reason.
    pub reason_code: ReasonCode,
    /// The number that it is about, where there is one.
    pub sequence_number: Option<SequenceNumber>,
    /// The event that it is about, where there is one.
    pub event_id: Option<Identifier>,
}

/// What a log comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    run_id: Identifier,
    event_count: usize,
    first: Option<SequenceNumber>,
    last: Option<SequenceNumber>,
    terminal: Option<SequenceNumber>,
    findings: Vec<Finding>,
}

impl Report {
    pub(crate) fn new(
        run_id: Identifier,
        event_count: usize,
        first: Option<SequenceNumber>,
        last: Option<SequenceNumber>,
        terminal: Option<SequenceNumber>,
        findings: Vec<Finding>,
    ) -> Self {
        Self { run_id, event_count, first, last, terminal, findings }
    }

    /// The run.
    pub fn run_id(&self) -> &Identifier {
        &self.run_id
    }

    /// How many references the log has.
    pub fn event_count(&self) -> usize {
        self.event_count
    }

    /// The findings, in order.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Whether the log can be replayed: nothing was found.
    pub fn is_valid(&self) -> bool {
        self.findings.is_empty()
    }

    /// The reasons, in report order.
    pub fn reason_codes(&self) -> impl Iterator<Item = ReasonCode> {
        self.findings.iter().map(|finding| finding.reason_code)
    }

    /// The canonical JSON: compact, ASCII, members by name; the same bytes for the same log.
    ///
    /// ```
    /// use conform_run_log::Report;
    /// let json = concat!(
    ///     r#"{"event_count":0,"findings":[{"event_id":null,"reason_code":"empty_sequence","#,
    ///     r#""sequence_number":null}],"first_sequence_number":null,"#,
    ///     r#""last_sequence_number":null,"run_id":"r1","#,
    ///     r#""schema_version":"openmed.agent.event_sequence.v1","#,
    ///     r#""terminal_sequence_number":null}"#,
    /// );
    /// assert_eq!(Report::from_json(json).unwrap().unwrap().to_json(), json);
    /// ```
    pub fn to_json(&self) -> String {
        let canonical = Canonical {
            event_count: self.event_count,
            findings: self
                .findings
                .iter()
                .map(|finding| CanonicalFinding {
                    event_id: finding.event_id.as_ref().map(Identifier::as_str),
                    reason_code: finding.reason_code.as_str(),
                    sequence_number: finding.sequence_number.map(SequenceNumber::get),
                })
                .collect(),
            first_sequence_number: self.first.map(SequenceNumber::get),
            last_sequence_number: self.last.map(SequenceNumber::get),
            run_id: self.run_id.as_str(),
            schema_version: SCHEMA_VERSION,
            terminal_sequence_number: self.terminal.map(SequenceNumber::get),
        };
        // There is nothing in it that JSON cannot say.
        serde_json::to_string(&canonical).unwrap_or_default()
    }

    /// Reads a report that was stored.
    ///
    /// # Errors
    ///
    /// The outer one is of the JSON. The inner one is the contract's: `invalid_schema_version`,
    /// `unknown_reason_code`, or one of an identifier or number.
    pub fn from_json(json: &str) -> Result<Result<Self, SequenceError>, serde_json::Error> {
        serde_json::from_str::<Stored<'_>>(json).map(|stored| stored.report())
    }
}

/// The members in the order of their names.
#[derive(Serialize)]
struct Canonical<'a> {
    event_count: usize,
    findings: Vec<CanonicalFinding<'a>>,
    first_sequence_number: Option<u32>,
    last_sequence_number: Option<u32>,
    run_id: &'a str,
    schema_version: &'a str,
    terminal_sequence_number: Option<u32>,
}

#[derive(Serialize)]
struct CanonicalFinding<'a> {
    event_id: Option<&'a str>,
    reason_code: &'a str,
    sequence_number: Option<u32>,
}

#[derive(Deserialize)]
struct Stored<'a> {
    event_count: usize,
    #[serde(borrow)]
    findings: Vec<StoredFinding<'a>>,
    #[serde(borrow)]
    first_sequence_number: &'a RawValue,
    #[serde(borrow)]
    last_sequence_number: &'a RawValue,
    #[serde(borrow)]
    run_id: &'a RawValue,
    #[serde(borrow)]
    schema_version: &'a RawValue,
    #[serde(borrow)]
    terminal_sequence_number: &'a RawValue,
}

#[derive(Deserialize)]
struct StoredFinding<'a> {
    #[serde(borrow)]
    event_id: &'a RawValue,
    #[serde(borrow)]
    reason_code: &'a RawValue,
    #[serde(borrow)]
    sequence_number: &'a RawValue,
}

impl Stored<'_> {
    fn report(&self) -> Result<Report, SequenceError> {
        let number = |raw: &RawValue, field| Scalar::of(raw.get()).number_or_none(field);
        if Scalar::of(self.schema_version.get()).text() != Some(SCHEMA_VERSION) {
            return Err(SequenceError::new(ErrorCode::InvalidSchemaVersion, Field::SchemaVersion));
        }
        let findings = self.findings.iter().map(|finding| {
            let reason = Scalar::of(finding.reason_code.get());
            let reason_code = reason
                .text()
                .and_then(ReasonCode::of)
                .ok_or(SequenceError::new(ErrorCode::UnknownReasonCode, Field::ReasonCode))?;
            let sequence_number = number(finding.sequence_number, Field::SequenceNumber)?;
            let event_id = match Scalar::of(finding.event_id.get()) {
                Scalar::Null => None,
                id => Some(id.identifier(Field::EventId)?),
            };
            Ok(Finding { reason_code, sequence_number, event_id })
        });
        Ok(Report::new(
            Scalar::of(self.run_id.get()).identifier(Field::RunId)?,
            self.event_count,
            number(self.first_sequence_number, Field::SequenceNumber)?,
            number(self.last_sequence_number, Field::SequenceNumber)?,
            number(self.terminal_sequence_number, Field::TerminalSequenceNumber)?,
            findings.collect::<Result<_, _>>()?,
        ))
    }
}
