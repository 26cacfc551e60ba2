//! The values of the contract: none of these types can hold one that is not valid.

use crate::error::{ErrorCode, Field, SequenceError};

/// The most references that a log may have.
pub const MAX_REFERENCES: usize = 100_000;
/// The most findings that a report has; where there are more, the last says so.
pub const MAX_FINDINGS: usize = 1_000;
/// The longest identifier, in ASCII characters.
pub const MAX_IDENTIFIER: usize = 128;

/// An opaque id: 1 to 128 ASCII letters, digits, `_`, `.` and `-`, of which the first and the
/// last are letters or digits.
///
/// ```
/// use conform_run_log::{Field, Identifier};
/// assert_eq!(Identifier::new("run-1", Field::RunId).unwrap().as_str(), "run-1");
/// let error = Identifier::new("run 1", Field::EventId).unwrap_err();
/// assert_eq!(error.to_string(), "event_id: invalid_identifier");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identifier(Box<str>);

impl Identifier {
    /// The identifier that a text is.
    ///
    /// # Errors
    ///
    /// `invalid_identifier` of `field`, where it is none.
    pub fn new(text: &str, field: Field) -> Result<Self, SequenceError> {
        if is_identifier(text.as_bytes()) {
            Ok(Self(text.into()))
        } else {
            Err(SequenceError::new(ErrorCode::InvalidIdentifier, field))
        }
    }

    /// Its characters.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

pub(crate) fn is_identifier(text: &[u8]) -> bool {
    let ends = [text.first(), text.last()];
    text.len() <= MAX_IDENTIFIER
        && ends.iter().all(|end| end.is_some_and(u8::is_ascii_alphanumeric))
        && text.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(byte))
}

/// A position in a log: 0 to 1,000,000,000.
///
/// ```
/// use conform_run_log::{Field, SequenceNumber};
/// assert_eq!(SequenceNumber::new(7, Field::SequenceNumber).unwrap().get(), 7);
/// let error = SequenceNumber::new(-1, Field::ExpectedStart).unwrap_err();
/// assert_eq!(error.to_string(), "expected_start: sequence_number_out_of_range");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SequenceNumber(u32);

impl SequenceNumber {
    /// The first.
    pub const ZERO: Self = Self(0);
    /// The last.
    pub const MAX: Self = Self(1_000_000_000);

    /// The position that a number is.
    ///
    /// # Errors
    ///
    /// `sequence_number_out_of_range` of `field`, where it is none.
    pub fn new(number: i64, field: Field) -> Result<Self, SequenceError> {
        match u32::try_from(number) {
            Ok(number) if number <= Self::MAX.0 => Ok(Self(number)),
            _ => Err(SequenceError::new(ErrorCode::SequenceNumberOutOfRange, field)),
        }
    }

    /// The number.
    pub fn get(self) -> u32 {
        self.0
    }

    /// The position after this one. There is none after the last; then it is the last.
    pub(crate) fn next(self) -> Self {
        Self((self.0 + 1).min(Self::MAX.0))
    }
}

/// A reference to one event of a run: never the event itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The run that it says it is of.
    pub run_id: Identifier,
    /// The event.
    pub event_id: Identifier,
    /// The event's position in the run.
    pub sequence_number: SequenceNumber,
}

/// What a log is judged against.
///
/// ```
/// use conform_run_log::{Field, Identifier, Options, SequenceNumber};
/// let number = |n| SequenceNumber::new(n, Field::SequenceNumber).unwrap();
/// let run = Identifier::new("r1", Field::RunId).unwrap();
/// assert!(Options::new(run.clone(), number(1), Some(number(9)), false).is_ok());
/// let error = Options::new(run, number(9), Some(number(1)), false).unwrap_err();
/// assert_eq!(error.to_string(), "terminal_sequence_number: terminal_before_start");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    run_id: Identifier,
    expected_start: SequenceNumber,
    terminal: Option<SequenceNumber>,
    allow_empty: bool,
}

impl Options {
    /// The options of a run.
    ///
    /// # Errors
    ///
    /// `terminal_before_start`, where the terminal number is below the expected start.
    pub fn new(
        run_id: Identifier,
        expected_start: SequenceNumber,
        terminal: Option<SequenceNumber>,
        allow_empty: bool,
    ) -> Result<Self, SequenceError> {
        if terminal.is_some_and(|terminal| terminal < expected_start) {
            return Err(SequenceError::new(
                ErrorCode::TerminalBeforeStart,
                Field::TerminalSequenceNumber,
            ));
        }
        Ok(Self { run_id, expected_start, terminal, allow_empty })
    }

    /// The run whose log it is.
    pub fn run_id(&self) -> &Identifier {
        &self.run_id
    }

    /// The number that the log must begin with.
    pub fn expected_start(&self) -> SequenceNumber {
        self.expected_start
    }

    /// The number that the run is declared to end with.
    pub fn terminal(&self) -> Option<SequenceNumber> {
        self.terminal
    }

    /// Whether a log without references is right.
    pub fn allow_empty(&self) -> bool {
        self.allow_empty
    }
}
