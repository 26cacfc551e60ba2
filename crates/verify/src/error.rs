//! The error that a refused event comes back with.

use std::borrow::Cow;
use std::fmt;

use conform_event::{MAX_QUOTED, quote};

use crate::breach::Breach;
use crate::rule::Rule;

/// What is named where no event is refused but the end.
pub(crate) const END_OF_STREAM: &str = "end of stream";

/// An event that was refused, and why.
///
/// It displays as one line: the event type, the rule or requirement, the facts; in debug
/// builds a second line lists all that is open. Ids are quoted and cut
/// ([`quote`](conform_event::quote)), so that nothing sent can forge a log line.
///
/// ```
/// # #[cfg(feature = "verify")] {
/// use conform_event::decode;
/// use conform_verify::{Rule, Verifier};
/// let text = br#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#;
/// let error = Verifier::new().observe(&decode(text).unwrap().event).unwrap_err();
/// assert_eq!(error.rule(), Some(Rule::NotOpen));
/// assert_eq!(
///     error.message(),
///     "TOOL_CALL_END breaks not-open: tool call \"c1\" is not open, nothing opened it in this run"
/// );
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerificationError(Box<Inner>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Inner {
    subject: String,
    breach: Breach,
    dump: Option<String>,
}

impl VerificationError {
    #[cfg_attr(not(feature = "verify"), expect(dead_code, reason = "nothing is refused"))]
    pub(crate) fn new(subject: &str, breach: Breach, dump: Option<String>) -> Self {
        Self(Box::new(Inner { subject: subject.to_owned(), breach, dump }))
    }

    /// The rule that was broken; none for what only the stream scope refuses.
    pub fn rule(&self) -> Option<Rule> {
        self.0.breach.rule()
    }

    /// The id of the requirement, for what only the stream scope refuses.
    pub fn requirement(&self) -> Option<&'static str> {
        self.0.breach.requirement()
    }

    /// The facts.
    pub fn breach(&self) -> &Breach {
        &self.0.breach
    }

    /// All that was open, sorted; only in debug builds.
    pub fn dump(&self) -> Option<&str> {
        self.0.dump.as_deref()
    }

    /// The sentence without the dump: the same in debug and release builds.
    pub fn message(&self) -> String {
        let breach = &self.0.breach;
        let name = breach.rule().map(Rule::as_str).or(breach.requirement()).unwrap_or_default();
        let verb = match breach {
            Breach::UnknownCall { may_be_earlier: true, .. } => "may break",
            _ => "breaks",
        };
        format!("{} {verb} {name}: {breach}", subject(&self.0.subject))
    }
}

/// A type name as a message shows it: as it is only where it cannot be taken for words of ours.
fn subject(name: &str) -> Cow<'_, str> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if name.is_empty() {
        Cow::Borrowed("an event without a type")
    } else if name == END_OF_STREAM || (name.len() <= MAX_QUOTED && name.bytes().all(plain)) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(quote(name))
    }
}

impl fmt::Display for VerificationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())?;
        match self.dump() {
            Some(dump) => write!(f, "\n{dump}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for VerificationError {}
