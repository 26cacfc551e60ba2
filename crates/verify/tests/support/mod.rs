//! Streams in shorthand, and a verifier that is fed with them.
#![allow(dead_code, reason = "every test target uses a part of it")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::fmt::Write as _;

use conform_event::json::read;
use conform_event::{Event, RunInput, decode};
use conform_verify::{
    Breach, EntityKind, Owner, Position, Rule, StreamVerifier, VerificationError, Verifier,
};

/// Either verifier.
pub(crate) trait Verify {
    fn observe(
        &mut self,
        at: Position,
        event: &Event<'_>,
    ) -> Result<Option<VerificationError>, VerificationError>;
    fn assume(&mut self, at: Position, event: &Event<'_>);
}

impl Verify for Verifier {
    fn observe(
        &mut self,
        at: Position,
        event: &Event<'_>,
    ) -> Result<Option<VerificationError>, VerificationError> {
        self.observe_at(at, event).map(|()| None)
    }

    fn assume(&mut self, at: Position, event: &Event<'_>) {
        self.assume_at(at, event);
    }
}

impl Verify for StreamVerifier {
    fn observe(
        &mut self,
        at: Position,
        event: &Event<'_>,
    ) -> Result<Option<VerificationError>, VerificationError> {
        self.observe_at(at, event)
    }

    fn assume(&mut self, at: Position, event: &Event<'_>) {
        self.assume_at(at, event);
    }
}

/// A verifier and how many events it was sent. Positions count what was sent, refused
/// events too.
pub(crate) struct Feed<V> {
    pub(crate) verifier: V,
    sent: u64,
}

/// A run that has seen nothing.
pub(crate) fn run() -> Feed<Verifier> {
    Feed { verifier: Verifier::new(), sent: 0 }
}

/// A stream that has seen nothing.
pub(crate) fn stream() -> Feed<StreamVerifier> {
    Feed { verifier: StreamVerifier::new(None), sent: 0 }
}

/// A stream that has seen nothing, for a request.
pub(crate) fn stream_for(request: &str) -> Feed<StreamVerifier> {
    let (request, _) = read(request.as_bytes()).unwrap();
    Feed { verifier: StreamVerifier::new(RunInput::from_json(&request)), sent: 0 }
}

/// A stream that has seen RUN_STARTED, as event 0.
pub(crate) fn started() -> Feed<StreamVerifier> {
    let mut feed = stream();
    feed.ok("RUN_STARTED r1");
    feed
}

impl<V: Verify> Feed<V> {
    fn send(&mut self, line: &str) -> Result<Option<VerificationError>, VerificationError> {
        let json = json(line);
        let at = Position::of_event(self.sent);
        self.sent += 1;
        self.verifier.observe(at, &decode(json.as_bytes()).unwrap().event)
    }

    /// Events, one a line, each of which is accepted without a doubt.
    #[track_caller]
    pub(crate) fn ok(&mut self, lines: &str) {
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            match self.send(line) {
                Ok(None) => {}
                Ok(Some(doubt)) => panic!("{line}: {doubt}"),
                Err(error) => panic!("{line}: {error}"),
            }
        }
    }

    /// An event that is refused.
    #[track_caller]
    pub(crate) fn no(&mut self, line: &str) -> VerificationError {
        match self.send(line) {
            Ok(_) => panic!("{line}: accepted"),
            Err(error) => error,
        }
    }

    /// An event that is refused, and what is wrong with it.
    #[track_caller]
    pub(crate) fn breach(&mut self, line: &str) -> Breach {
        self.no(line).breach().clone()
    }

    /// An event that breaks a rule.
    #[track_caller]
    pub(crate) fn breaks(&mut self, rule: Rule, line: &str) {
        let error = self.no(line);
        assert_eq!(error.rule(), Some(rule), "{line}: {error}");
    }

    /// An event that breaks what only the stream scope asks for.
    #[track_caller]
    pub(crate) fn lacks(&mut self, requirement: &str, line: &str) {
        let error = self.no(line);
        assert_eq!(error.requirement(), Some(requirement), "{line}: {error}");
    }

    /// An event that is accepted with a doubt.
    #[track_caller]
    pub(crate) fn doubt(&mut self, line: &str) -> Breach {
        match self.send(line) {
            Ok(Some(doubt)) => doubt.breach().clone(),
            Ok(None) => panic!("{line}: accepted without a doubt"),
            Err(error) => panic!("{line}: {error}"),
        }
    }

    /// An event that is refused and then taken in all the same.
    #[track_caller]
    pub(crate) fn assume(&mut self, line: &str) {
        let error = self.send(line);
        assert!(error.is_err(), "{line}: accepted");
        let at = Position::of_event(self.sent - 1);
        self.verifier.assume(at, &decode(json(line).as_bytes()).unwrap().event);
    }
}

/// The JSON of an event in shorthand: its type, its id, `@` and its tag, further members as
/// `name=text` or, at the end of the line, `name:=json`. An id or tag `""` is empty.
pub(crate) fn json(line: &str) -> String {
    if line.starts_with('{') {
        return line.to_owned();
    }
    let (words, raw) = match line.find(":=") {
        Some(colon) => {
            let name = line[..colon].rfind(' ').unwrap();
            (&line[..name], Some((&line[name + 1..colon], &line[colon + 2..])))
        }
        None => (line, None),
    };
    let mut words = words.split(' ');
    let kind = words.next().unwrap();
    let mut json = format!(r#"{{"type":"{kind}""#);
    let mut member = |name: &str, text: &str| {
        let text = if text == "\"\"" { "" } else { text };
        write!(json, r#","{name}":"{text}""#).unwrap();
    };
    for word in words {
        if let Some(tag) = word.strip_prefix('@') {
            member("subagentRunId", tag);
        } else if let Some((name, text)) = word.split_once('=') {
            member(name, text);
        } else {
            member(id_member(kind), word);
        }
    }
    if let Some((name, value)) = raw {
        write!(json, r#","{name}":{value}"#).unwrap();
    }
    json + "}"
}

fn id_member(kind: &str) -> &'static str {
    match kind {
        "REASONING_ENCRYPTED_VALUE" => "entityId",
        "CUSTOM" => "name",
        _ if kind.starts_with("TOOL_CALL") => "toolCallId",
        _ if kind.starts_with("STEP") => "stepName",
        _ if kind.starts_with("SUBAGENT") => "subagentRunId",
        _ if kind.starts_with("RUN") => "runId",
        _ => "messageId",
    }
}

/// The event with this index.
pub(crate) fn at(event: u64) -> Position {
    Position::of_event(event)
}

/// The parent agent, or the subagent with this id.
pub(crate) fn owner(id: Option<&str>) -> Owner {
    id.map_or_else(Owner::parent, Owner::subagent)
}

/// Kind and id of the entity that a breach is about.
pub(crate) fn entity(breach: &Breach) -> (EntityKind, &str) {
    let entity = breach.entity().unwrap();
    (entity.kind, &entity.id)
}
