//! Reading logs: JSON, NDJSON and CSV, judged while they are read.
//!
//! A JSON document has the contract's members `run_id`, `references`, `expected_start`,
//! `terminal_sequence_number` and `allow_empty`, or is a list of references alone. In NDJSON
//! each line is a reference, in CSV each row after the first, which names the columns. What
//! the log does not say itself comes from [`Given`]. Other members and columns are passed
//! over: they are neither kept nor shown. Of members that come twice the last counts.
//!
//! The checks run in the contract's order. Once a reference is refused nothing after it is
//! read, so that an endless log is refused at its limit; members of a JSON document that
//! come after the references are then not checked.

mod csv;
mod json;
mod lines;

use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufRead};

use crate::error::{Field, SequenceError};
use crate::log::Log;
use crate::report::Report;
use crate::scalar::Scalar;
use crate::types::{Identifier, Options, Reference, SequenceNumber};

/// How a log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// One JSON document.
    Json,
    /// A reference a line.
    Ndjson,
    /// A reference a row, the columns named by the first.
    Csv,
}

impl Format {
    /// What the beginning of a log looks like.
    ///
    /// ```
    /// use conform_run_log::read::Format;
    /// assert_eq!(Format::detect(b"{\"run_id\":\"r\",\"references\":[]}"), Format::Json);
    /// assert_eq!(Format::detect(b"{\"event_id\":\"e\"}\n{"), Format::Ndjson);
    /// assert_eq!(Format::detect(b"run_id,event_id,sequence_number\n"), Format::Csv);
    /// ```
    pub fn detect(beginning: &[u8]) -> Self {
        let text = without_mark(beginning).trim_ascii_start();
        match text.first() {
            Some(b'{') => {
                let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
                if json::is_reference(line) { Self::Ndjson } else { Self::Json }
            }
            Some(b'[') => Self::Json,
            // A file of no lines is a log of no references.
            None => Self::Ndjson,
            Some(_) => Self::Csv,
        }
    }
}

/// What is said of a log from outside, instead of what it may say itself.
///
/// ```
/// use conform_run_log::read::{Format, Given, read};
/// let given = Given::new(Some("r1"), None, Some("2"), None);
/// let log = b"event_id,run_id,sequence_number\ne0,r1,0\ne1,r1,1\n";
/// let report = read(&log[..], Format::Csv, &given).unwrap();
/// assert_eq!(report.findings()[0].reason_code.as_str(), "terminal_event_missing");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Given {
    header: Header,
}

impl Given {
    /// What a user says: the run, the expected start and the terminal number as they were
    /// typed, and whether an empty log is right.
    pub fn new(
        run_id: Option<&str>,
        expected_start: Option<&str>,
        terminal: Option<&str>,
        allow_empty: Option<bool>,
    ) -> Self {
        let text = |text: &str| Scalar::Text(text.to_owned().into());
        Self {
            header: Header {
                run_id: run_id.map(text),
                expected_start: expected_start.map(|text| Scalar::integer(text).into_owned()),
                terminal: terminal.map(|text| Scalar::integer(text).into_owned()),
                allow_empty: allow_empty.map(Scalar::Flag),
            },
        }
    }

    /// The options that this alone comes to.
    ///
    /// # Errors
    ///
    /// The first in the contract's order.
    pub fn options(&self) -> Result<Options, SequenceError> {
        self.header.options()
    }

    /// The same, of a run.
    #[must_use]
    pub fn of_run(mut self, run_id: &str) -> Self {
        self.header.run_id = Some(Scalar::Text(run_id.to_owned().into()));
        self
    }

    /// Whether the user names the run.
    pub fn has_run_id(&self) -> bool {
        self.header.run_id.is_some()
    }
}

/// The members of a call besides its references, unchecked.
#[derive(Debug, Clone, Default)]
struct Header {
    run_id: Option<Scalar<'static>>,
    expected_start: Option<Scalar<'static>>,
    terminal: Option<Scalar<'static>>,
    allow_empty: Option<Scalar<'static>>,
}

impl Header {
    /// Checked in the contract's order.
    fn options(&self) -> Result<Options, SequenceError> {
        let run_id = self.run_id.as_ref().unwrap_or(&Scalar::Null).identifier(Field::RunId)?;
        let start = self.expected_start.as_ref();
        let start = start.map_or(Ok(SequenceNumber::ZERO), |s| s.number(Field::ExpectedStart))?;
        let terminal = self.terminal.as_ref().unwrap_or(&Scalar::Null);
        let terminal = terminal.number_or_none(Field::TerminalSequenceNumber)?;
        let allow = self.allow_empty.as_ref();
        let allow = allow.map_or(Ok(false), |allow| allow.flag(Field::AllowEmpty));
        // Whether the terminal number comes before the start is told before a wrong flag is.
        let options = Options::new(run_id, start, terminal, allow.unwrap_or_default())?;
        allow.map(|_| options)
    }

    /// This, and from `given` what that says.
    fn with(self, given: &Given) -> Self {
        let given = given.header.clone();
        Self {
            run_id: given.run_id.or(self.run_id),
            expected_start: given.expected_start.or(self.expected_start),
            terminal: given.terminal.or(self.terminal),
            allow_empty: given.allow_empty.or(self.allow_empty),
        }
    }
}

/// Why there is no report.
#[derive(Debug)]
pub enum Failure {
    /// The contract's error.
    Refused(Refused),
    /// It is no JSON, NDJSON or CSV, or reading failed. No value of the log is in the text.
    Unreadable {
        /// What is wrong.
        message: String,
        /// The 1-based line, where it is known.
        line: Option<u64>,
    },
}

/// A structural error, and where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refused {
    /// The error.
    pub error: SequenceError,
    /// The 0-based index of the reference, where it is about one.
    pub reference: Option<usize>,
    /// The 1-based line, where references have lines.
    pub line: Option<u64>,
}

impl From<SequenceError> for Failure {
    fn from(error: SequenceError) -> Self {
        Self::Refused(Refused { error, reference: None, line: None })
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, index) = match self {
            Self::Refused(refused) => {
                write!(f, "{}", refused.error)?;
                (refused.line, refused.reference)
            }
            Self::Unreadable { message, line } => {
                f.write_str(message)?;
                (*line, None)
            }
        };
        match (line, index) {
            (Some(line), Some(index)) => write!(f, " (reference {index}, line {line})"),
            (None, Some(index)) => write!(f, " (reference {index})"),
            (Some(line), None) => write!(f, " (line {line})"),
            (None, None) => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}

fn unreadable(message: impl Into<String>, line: Option<u64>) -> Failure {
    Failure::Unreadable { message: message.into(), line }
}

fn failed(error: &io::Error) -> Failure {
    unreadable(format!("it cannot be read: {error}"), None)
}

/// Reads a log and judges it.
///
/// # Errors
///
/// See [`Failure`]. Memory stays within what [`MAX_REFERENCES`](crate::MAX_REFERENCES)
/// references take, and a line.
pub fn read(mut log: impl BufRead, format: Format, given: &Given) -> Result<Report, Failure> {
    let beginning = log.fill_buf().map_err(|error| failed(&error))?;
    let mark = beginning.len() - without_mark(beginning).len();
    log.consume(mark);
    match format {
        Format::Json => json::read(log, given),
        Format::Ndjson => lines::read(log, &given.options()?),
        Format::Csv => csv::read(log, &given.options()?),
    }
}

/// A reference whose parts were found elsewhere: two texts, and the JSON of the number.
///
/// # Errors
///
/// The first in the contract's order, where a part is missing or wrong.
///
/// ```
/// use conform_run_log::read::reference;
/// assert_eq!(reference(Some("r"), Some("e"), Some("7")).unwrap().sequence_number.get(), 7);
/// let error = reference(Some("r"), Some("e"), Some("7.0")).unwrap_err();
/// assert_eq!(error.to_string(), "sequence_number: invalid_sequence_number");
/// ```
pub fn reference(
    run_id: Option<&str>,
    event_id: Option<&str>,
    number: Option<&str>,
) -> Result<Reference, SequenceError> {
    Ok(Reference {
        run_id: Identifier::new(run_id.unwrap_or_default(), Field::RunId)?,
        event_id: Identifier::new(event_id.unwrap_or_default(), Field::EventId)?,
        sequence_number: number
            .map_or(Scalar::Null, Scalar::integer)
            .number(Field::SequenceNumber)?,
    })
}

fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// The members of a reference. An id that is missing or no text is empty, which is no
/// identifier.
struct Parts<'a> {
    run_id: Cow<'a, str>,
    event_id: Cow<'a, str>,
    number: Result<SequenceNumber, SequenceError>,
}

impl<'a> Parts<'a> {
    fn none() -> Self {
        let number = Scalar::Null.number(Field::SequenceNumber);
        Self { run_id: Cow::Borrowed(""), event_id: Cow::Borrowed(""), number }
    }

    fn set_id(&mut self, member: Member, text: Cow<'a, str>) {
        match member {
            Member::RunId => self.run_id = text,
            _ => self.event_id = text,
        }
    }

    fn push_to(&self, log: &mut Log) -> Result<(), SequenceError> {
        log.push(&self.run_id, &self.event_id, self.number)
    }
}

/// The members of a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Member {
    RunId,
    EventId,
    Number,
}

impl Member {
    const ALL: [(Self, &'static str); 3] =
        [(Self::RunId, "run_id"), (Self::EventId, "event_id"), (Self::Number, "sequence_number")];

    fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, known)| *known == name).map(|(member, _)| member)
    }
}
