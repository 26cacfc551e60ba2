//! A row of the table: a stream that ends in something refused.

use conform_event::{Event, decode};
use conform_verify::{Breach, StreamVerifier, VerificationError, Verifier};

/// Which verifier judges, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    /// The verifier of one run refuses the last line.
    Run,
    /// The verifier of a stream refuses the last line.
    Stream,
    /// The verifier of a stream accepts the last line with a doubt.
    Warning,
}

/// The last line of a row whose stream may not end there.
pub(crate) const END: &str = "end of stream";

/// What is broken, the scope, of what or where the event breaks it, and the events: one a
/// line as JSON, the last of which breaks it.
pub(crate) type Static = (&'static str, Scope, &'static str, &'static str);

pub(crate) struct Row {
    /// The rule or requirement.
    pub(crate) breaks: &'static str,
    pub(crate) scope: Scope,
    /// Of what or where the event breaks it.
    pub(crate) title: String,
    pub(crate) setup: Vec<String>,
    pub(crate) last: String,
}

impl Row {
    pub(crate) fn new(breaks: &'static str, scope: Scope, title: &str, lines: &str) -> Self {
        let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty());
        let mut setup: Vec<_> = lines.map(str::to_owned).collect();
        let last = setup.pop().unwrap();
        Self { breaks, scope, title: title.to_owned(), setup, last }
    }

    /// The error of the last line, after all others were accepted.
    pub(crate) fn error(&self) -> VerificationError {
        let title = &self.title;
        if self.scope == Scope::Run {
            let mut verifier = Verifier::new();
            for line in &self.setup {
                let accepted = with(line, |event| verifier.observe(event));
                assert_eq!(accepted, Ok(()), "{title}: {line}");
            }
            return with(&self.last, |event| verifier.observe(event)).unwrap_err();
        }
        let mut verifier = StreamVerifier::new(None);
        for line in &self.setup {
            let accepted = with(line, |event| verifier.observe(event));
            assert_eq!(accepted, Ok(None), "{title}: {line}");
        }
        if self.last == END {
            return verifier.finish().unwrap_err();
        }
        let result = with(&self.last, |event| verifier.observe(event));
        match self.scope {
            Scope::Warning => result.unwrap().unwrap(),
            _ => result.unwrap_err(),
        }
    }

    /// The type that the last line names.
    pub(crate) fn type_name(&self) -> String {
        if self.last == END {
            return END.to_owned();
        }
        with(&self.last, |event| event.type_name.as_str().to_owned())
    }

    /// Scope, type and title, on one line.
    pub(crate) fn headline(&self) -> String {
        let scope = match self.scope {
            Scope::Run => "run",
            Scope::Stream => "stream",
            Scope::Warning => "stream, accepted with a warning",
        };
        let name = self.type_name();
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let name = match name.as_str() {
            END => END,
            "" if !self.last.contains(r#""type":"""#) => "an event without a type",
            name if (1..=64).contains(&name.len()) && name.chars().all(plain) => name,
            _ => "an event",
        };
        format!("{scope}: {name} {}", self.title).trim_end().to_owned()
    }
}

fn with<R>(line: &str, look: impl FnOnce(&Event<'_>) -> R) -> R {
    look(&decode(line.as_bytes()).unwrap().event)
}

/// In which of its ways a rule or requirement is broken.
pub(crate) fn way(breach: &Breach) -> String {
    let kind = || breach.entity().unwrap().kind.as_str();
    match breach {
        Breach::RunEnded { by_error: true, .. } => "failed".to_owned(),
        Breach::RunEnded { by_error: false, .. } => "finished".to_owned(),
        Breach::AlreadyOpen { .. } => format!("{} open", kind()),
        Breach::AlreadyFinished { .. } => format!("{} finished", kind()),
        Breach::NotOpen { elsewhere: Some(_), .. } => format!("{} elsewhere", kind()),
        Breach::NotOpen { closed_at: Some(_), .. } => format!("{} closed", kind()),
        Breach::NotOpen { .. } => format!("{} unopened", kind()),
        Breach::UnknownParent { .. } => "parent".to_owned(),
        Breach::OpenAtFinish { .. } | Breach::WrongOwner { .. } => kind().to_owned(),
        Breach::WrongParentOwner { .. } => "parent message".to_owned(),
        Breach::ChunkLacks { member, .. } | Breach::ChunkDisagrees { member, .. } => {
            (*member).to_owned()
        }
        Breach::FormsMixed { opened_by_chunk: true, .. } => "chunked".to_owned(),
        Breach::FormsMixed { opened_by_chunk: false, .. } => "started".to_owned(),
        _ => String::new(),
    }
}
