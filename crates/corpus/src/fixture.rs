//! The AG-UI specification's own fixtures: streams, and what a client makes of them.

use conform_check::{Checker, Options};
use serde::Deserialize;
use serde_json::Value;

use crate::case::Input;

/// A fixture: what a producer sent, and how a client ends.
///
/// ```
/// use conform_corpus::{Fixture, Fixed};
/// let text = r#"{"name": "end-alone", "area": "text", "description": "An end alone.",
///   "stream": [{"type": "TEXT_MESSAGE_END", "messageId": "m1"}],
///   "expect": {"outcome": "failed", "errorContains": "TEXT_MESSAGE_START"}}"#;
/// let fixture: Fixture = serde_json::from_str(text).unwrap();
/// assert_eq!(fixture.check(), Fixed::Agrees);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Fixture {
    /// Its name.
    pub name: String,
    /// What it is about.
    pub area: String,
    /// What happens in it.
    #[serde(default)]
    pub description: String,
    /// The events.
    pub stream: Vec<Value>,
    /// How a client ends.
    pub expect: FixtureExpect,
}

/// How a client ends.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct FixtureExpect {
    /// `completed` or `failed`.
    pub outcome: String,
}

/// What the checker says of a fixture.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Fixed {
    /// A client fails, and the stream is refused; or it completes, and the stream is right.
    Agrees,
    /// A client must fail, and nothing is wrong with the stream.
    Accepted,
    /// A client tolerates what a producer must not send: the requirement that it breaks.
    Tolerated(&'static str),
    /// The outcome is neither.
    Unknown,
}

impl Fixture {
    /// Judges its stream.
    pub fn check(&self) -> Fixed {
        let mut checker = Checker::new(Options::default());
        checker.push(&Input::Events(self.stream.clone()).bytes());
        let outcome = checker.finish();
        let first = outcome.findings.iter().find(|finding| finding.is_error());
        match (self.expect.outcome.as_str(), first) {
            ("failed", Some(_)) | ("completed", None) => Fixed::Agrees,
            ("failed", None) => Fixed::Accepted,
            ("completed", Some(finding)) => Fixed::Tolerated(finding.requirement.id),
            _ => Fixed::Unknown,
        }
    }
}
