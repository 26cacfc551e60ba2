//! The subject protocol `agui-conform.subject.v1`, as the subject speaks it: JSON Lines in,
//! JSON Lines out.

use std::io::{self, BufRead, Write};

use conform_event::json::{self, Json};
use conform_event::{Event, RunInput, quote};
use serde::Serialize;

/// The protocol's name and version.
pub const PROTOCOL: &str = "agui-conform.subject.v1";

/// A verifier that can be put behind the protocol.
pub trait VerifierSubject {
    /// Its name, as reports show it.
    fn name(&self) -> &str;
    /// `run` or `stream`.
    fn scope(&self) -> &str;
    /// Its opinion of a whole sequence.
    fn judge(&self, events: &[Event<'_>], request: Option<&RunInput<'_>>) -> Opinion;
}

/// What a verifier says of a sequence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum Opinion {
    /// Every event is right.
    Accept,
    /// One is wrong.
    Reject {
        /// The first rejected event, or the end.
        at: At,
        /// The ordering rule that it breaks, where it is one.
        rule: Option<String>,
        /// The requirement that it breaks, where the subject knows.
        #[serde(skip_serializing_if = "Option::is_none")]
        requirement: Option<String>,
        /// The sentence for a person; never compared.
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// The subject cannot judge it.
    Unsupported {
        /// Why.
        reason: String,
    },
}

/// A position in a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// The event of this index.
    Event(usize),
    /// The end of the stream.
    End,
}

impl Serialize for At {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Event(index) => serializer.serialize_u64(*index as u64),
            Self::End => serializer.serialize_str("end"),
        }
    }
}

#[derive(Serialize)]
struct Hello<'a> {
    subject: &'a str,
    version: &'a str,
    role: &'a str,
    scope: &'a str,
    features: [&'a str; 0],
}

#[derive(Serialize)]
struct Answer<'a> {
    id: Option<&'a serde_json::value::RawValue>,
    #[serde(flatten)]
    opinion: Opinion,
}

/// Answers a harness on `input` until it closes: the hello, then one line a case, in order.
///
/// A line that is no case of the protocol is answered as unsupported, with the reason, so
/// that the harness is never left waiting.
///
/// # Errors
///
/// What reading or writing failed with.
///
/// ```
/// use conform_subject::{Ours, serve};
/// let cases = concat!(
///     r#"{"hello":{"protocol":"agui-conform.subject.v1","role":"verifier"}}"#, "\n",
///     r#"{"id":"c1","events":[{"type":"STEP_FINISHED","stepName":"s"}]}"#, "\n",
/// );
/// let mut answers = Vec::new();
/// serve(&Ours::verifier("run").unwrap(), cases.as_bytes(), &mut answers).unwrap();
/// let answers = String::from_utf8(answers).unwrap();
/// assert!(answers.lines().nth(1).unwrap().starts_with(
///     r#"{"id":"c1","verdict":"reject","at":0,"rule":"not-open","#
/// ));
/// ```
pub fn serve(
    subject: &dyn VerifierSubject,
    input: impl BufRead,
    output: impl Write,
) -> io::Result<()> {
    each_line(input, output, |line, output| answer(subject, line, output))
}

/// Has every line answered, by a line.
pub(crate) fn each_line<W: Write>(
    mut input: impl BufRead,
    mut output: W,
    answer: impl Fn(&[u8], &mut W) -> io::Result<()>,
) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        answer(&line, &mut output)?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
}

fn answer(subject: &dyn VerifierSubject, line: &[u8], output: &mut impl Write) -> io::Result<()> {
    let unsupported = |id, reason: String| Answer { id, opinion: Opinion::Unsupported { reason } };
    let (json, _) = match json::read(line) {
        Ok(read) => read,
        Err(error) => {
            let reason = format!("byte {} of the line: {error}", error.offset);
            return write(output, &unsupported(None, reason));
        }
    };
    if let Some(hello) = json.get("hello") {
        return match greeted(hello, "verifier") {
            Err(reason) => write(output, &unsupported(None, reason)),
            Ok(()) => introduce(output, subject.name(), "verifier", subject.scope()),
        };
    }
    // The id is echoed as it came, whatever it is.
    let id = json.get("id").and_then(|id| {
        let text = std::str::from_utf8(line.get(id.start..id.end)?).ok()?;
        serde_json::from_str::<&serde_json::value::RawValue>(text).ok()
    });
    let Some(events) = json.get("events").filter(|events| events.kind() == "an array") else {
        let reason = "a case has an array `events`".to_owned();
        return write(output, &unsupported(id, reason));
    };
    let events: Vec<Event<'_>> = events.items().iter().map(Event::from_json).collect();
    let request = json.get("request").and_then(RunInput::from_json);
    let opinion = subject.judge(&events, request.as_ref());
    write(output, &Answer { id, opinion })
}

/// Whether a hello asks for this role of this protocol, or what it asks for.
pub(crate) fn greeted(hello: &Json<'_>, role: &str) -> Result<(), String> {
    let asked = hello.get("role").and_then(Json::as_str);
    let protocol = hello.get("protocol").and_then(Json::as_str);
    if asked == Some(role) && protocol == Some(PROTOCOL) {
        return Ok(());
    }
    Err(format!(
        "this subject speaks {PROTOCOL} in the role {role}, not {} in the role {}",
        quote(protocol.unwrap_or_default()),
        quote(asked.unwrap_or_default())
    ))
}

/// Answers a hello.
pub(crate) fn introduce(
    output: &mut impl Write,
    subject: &str,
    role: &str,
    scope: &str,
) -> io::Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    write(output, &Hello { subject, version, role, scope, features: [] })
}

pub(crate) fn write(output: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(output, value).map_err(io::Error::from)
}
