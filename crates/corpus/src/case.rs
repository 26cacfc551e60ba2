//! What a case file says.

use std::fmt;

use conform_check::registry::{self, Requirement};
use conform_check::{Request, Rule, Scope, nearest, quote};
use conform_event::RunInput;
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};

/// The name and version of the format of a case file.
pub const CASE_SCHEMA: &str = "agui-conform.case.v1";

/// A stream, and what is to be said of it.
///
/// ```
/// use conform_corpus::{Case, Replay};
/// let text = r#"{
///   "schema": "agui-conform.case.v1", "name": "end-without-start", "about": "An end alone.",
///   "source": null, "scope": "run",
///   "input": {"format": "events", "events": [{"type": "TEXT_MESSAGE_END", "messageId": "m1"}]},
///   "expect": {"verdict": "reject", "at": 0, "requirement": "text/open-before-content"}
/// }"#;
/// let case: Case = serde_json::from_str(text).unwrap();
/// assert_eq!(case.check(&conform_check::Options::default()), Ok(Replay::Agrees));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// [`CASE_SCHEMA`].
    #[serde(deserialize_with = "schema")]
    pub schema: String,
    /// The name, that of the file.
    pub name: String,
    /// What happens in it, in one line.
    pub about: String,
    /// Where it comes from, if it was not invented.
    pub source: Option<String>,
    /// How far it is to be judged.
    #[serde(with = "scope")]
    pub scope: Scope,
    /// The stream.
    pub input: Input,
    /// The run input that was sent, where it matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Map<String, Value>>,
    /// What is to be said of it.
    pub expect: Expect,
    /// The one-line change to the verifier that makes the case fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kill: Option<String>,
}

impl Case {
    /// The stream as bytes: events become JSON Lines, text is taken as it is.
    ///
    /// ```
    /// use conform_corpus::Input;
    /// let input = Input::Events(vec![serde_json::json!({"type": "RUN_ERROR", "message": "m"})]);
    /// assert_eq!(input.bytes(), b"{\"type\":\"RUN_ERROR\",\"message\":\"m\"}\n");
    /// ```
    pub fn bytes(&self) -> Vec<u8> {
        self.input.bytes()
    }

    /// The run input that was sent.
    pub fn sent(&self) -> Option<Request> {
        let text = Value::Object(self.request.clone()?).to_string();
        Request::read(text.as_bytes()).ok()
    }

    /// The run input as the verifiers read it.
    pub fn run_input(&self) -> Option<RunInput<'static>> {
        self.sent().map(|request| request.input().clone())
    }
}

/// The stream of a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RawInput", into = "RawInput")]
pub enum Input {
    /// Events, already parsed.
    Events(Vec<Value>),
    /// Server-sent events, byte for byte.
    Sse(String),
    /// JSON Lines, byte for byte.
    Ndjson(String),
}

impl Input {
    /// The stream as bytes.
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Events(events) => events
                .iter()
                .flat_map(|event| [event.to_string(), "\n".to_owned()])
                .collect::<String>()
                .into_bytes(),
            Self::Sse(text) | Self::Ndjson(text) => text.clone().into_bytes(),
        }
    }
}

/// What is to be said of a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RawExpect", into = "RawExpect")]
pub struct Expect {
    /// The verdict.
    pub verdict: Verdict,
    /// Every error and warning in its order, where that matters too; consequences are left
    /// out.
    pub findings: Option<Vec<&'static Requirement>>,
}

/// The verdict on a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing is wrong.
    Accept,
    /// Something is, and this comes first.
    Reject {
        /// Where.
        at: At,
        /// What is broken.
        requirement: &'static Requirement,
        /// The ordering rule behind it, where there is one.
        rule: Option<Rule>,
    },
}

/// A position in a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum At {
    /// The event of this index, from 0.
    Event(u64),
    /// The end of the stream.
    End,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Event(index) => write!(f, "event {index}"),
            Self::End => f.write_str("the end"),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawInput {
    format: RawFormat,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    events: Option<Vec<Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RawFormat {
    Events,
    Sse,
    Ndjson,
}

impl TryFrom<RawInput> for Input {
    type Error = &'static str;

    fn try_from(raw: RawInput) -> Result<Self, Self::Error> {
        match (raw.format, raw.events, raw.text) {
            (RawFormat::Events, Some(events), None) => Ok(Self::Events(events)),
            (RawFormat::Sse, None, Some(text)) => Ok(Self::Sse(text)),
            (RawFormat::Ndjson, None, Some(text)) => Ok(Self::Ndjson(text)),
            (RawFormat::Events, ..) => Err("an input of format events has `events` and no `text`"),
            _ => Err("an input of format sse or ndjson has `text` and no `events`"),
        }
    }
}

impl From<Input> for RawInput {
    fn from(input: Input) -> Self {
        match input {
            Input::Events(events) => {
                Self { format: RawFormat::Events, events: Some(events), text: None }
            }
            Input::Sse(text) => Self { format: RawFormat::Sse, events: None, text: Some(text) },
            Input::Ndjson(text) => {
                Self { format: RawFormat::Ndjson, events: None, text: Some(text) }
            }
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawExpect {
    verdict: RawVerdict,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at: Option<At>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    requirement: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rule: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    findings: Option<Vec<String>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RawVerdict {
    Accept,
    Reject,
}

impl TryFrom<RawExpect> for Expect {
    type Error = String;

    fn try_from(raw: RawExpect) -> Result<Self, Self::Error> {
        let verdict = match (raw.verdict, raw.at, raw.requirement) {
            (RawVerdict::Accept, None, None) if raw.rule.is_none() => Verdict::Accept,
            (RawVerdict::Accept, ..) => {
                return Err("what is accepted has no `at`, `requirement` or `rule`".to_owned());
            }
            (RawVerdict::Reject, Some(at), Some(id)) => {
                let requirement = requirement(&id)?;
                let rule = raw.rule.map(|name| rule(&name, requirement)).transpose()?;
                Verdict::Reject { at, requirement, rule }
            }
            (RawVerdict::Reject, ..) => {
                return Err("what is rejected has `at` and `requirement`".to_owned());
            }
        };
        let findings = raw.findings.map(|ids| ids.iter().map(|id| requirement(id)).collect());
        Ok(Self { verdict, findings: findings.transpose()? })
    }
}

impl From<Expect> for RawExpect {
    fn from(expect: Expect) -> Self {
        let findings = expect.findings.map(|list| list.iter().map(|r| r.id.to_owned()).collect());
        let (verdict, at, requirement, rule) = match expect.verdict {
            Verdict::Accept => (RawVerdict::Accept, None, None, None),
            Verdict::Reject { at, requirement, rule } => {
                (RawVerdict::Reject, Some(at), Some(requirement), rule)
            }
        };
        Self {
            verdict,
            at,
            requirement: requirement.map(|requirement| requirement.id.to_owned()),
            rule: rule.map(|rule| rule.as_str().to_owned()),
            findings,
        }
    }
}

fn requirement(id: &str) -> Result<&'static Requirement, String> {
    registry::find(id).ok_or_else(|| {
        format!("no requirement is named {}; the nearest is {}", quote(id), nearest(id))
    })
}

/// A rule that is not behind the requirement would make the case contradict itself.
fn rule(name: &str, requirement: &Requirement) -> Result<Rule, String> {
    let rule = Rule::from_name(name).ok_or_else(|| format!("no rule is named {}", quote(name)))?;
    if requirement.rule() == Some(rule) {
        return Ok(rule);
    }
    Err(format!("the rule {rule} is not behind {}", requirement.id))
}

impl Serialize for At {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Event(index) => serializer.serialize_u64(*index),
            Self::End => serializer.serialize_str("end"),
        }
    }
}

impl<'de> Deserialize<'de> for At {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Place;
        impl Visitor<'_> for Place {
            type Value = At;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the index of an event, or \"end\"")
            }

            fn visit_u64<E: de::Error>(self, index: u64) -> Result<At, E> {
                Ok(At::Event(index))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<At, E> {
                if text == "end" {
                    return Ok(At::End);
                }
                Err(E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_any(Place)
    }
}

fn schema<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let schema = String::deserialize(deserializer)?;
    if schema == CASE_SCHEMA {
        return Ok(schema);
    }
    Err(de::Error::custom(format!(
        "this reads cases of schema {CASE_SCHEMA}, not {}",
        quote(&schema)
    )))
}

mod scope {
    use super::{Deserialize, Deserializer, Scope, Serializer, de};

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    pub(super) fn serialize<S: Serializer>(
        scope: &Scope,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(scope.as_str())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Scope, D::Error> {
        let name = String::deserialize(deserializer)?;
        [Scope::Run, Scope::Stream]
            .into_iter()
            .find(|scope| scope.as_str() == name)
            .ok_or_else(|| de::Error::unknown_variant(&name, &["run", "stream"]))
    }
}
