//! The requirements: what a producer owes, one entry each.
//!
//! An entry says what is required, why, what it takes to judge it, where the specification
//! says so, what to do about it, and what judges it. Reports, `explain`, the documentation
//! and the tests all read this list.

use std::fmt;

use conform_verify::Rule;

#[macro_use]
mod examples;

mod activity;
mod breach;
mod chunk;
mod http;
mod identifiers;
mod interrupt;
mod lifecycle;
mod reasoning;
mod shape;
mod state;
mod step;
mod subagent;
mod text;
mod tool;
mod usage;
mod version;

pub use breach::of_breach;

/// The groups, in the order in which reports list them.
const GROUPS: [&[Requirement]; 15] = [
    lifecycle::ENTRIES,
    identifiers::ENTRIES,
    usage::ENTRIES,
    step::ENTRIES,
    text::ENTRIES,
    tool::ENTRIES,
    reasoning::ENTRIES,
    chunk::ENTRIES,
    state::ENTRIES,
    activity::ENTRIES,
    subagent::ENTRIES,
    interrupt::ENTRIES,
    shape::ENTRIES,
    version::ENTRIES,
    http::ENTRIES,
];

/// What a name means that the list does not have.
const FALLBACK: &Requirement = &lifecycle::ENTRIES[0];

/// Every requirement, group by group.
///
/// ```
/// use conform_check::registry;
/// assert_eq!(registry::all().count(), 81);
/// ```
pub fn all() -> impl Iterator<Item = &'static Requirement> {
    GROUPS.into_iter().flatten()
}

/// The requirement of an id.
///
/// ```
/// use conform_check::registry::{self, Level};
/// let found = registry::find("tool/open-before-args").unwrap();
/// assert_eq!(found.level, Level::Must);
/// assert!(registry::find("tool/").is_none());
/// ```
pub fn find(id: &str) -> Option<&'static Requirement> {
    all().find(|requirement| requirement.id == id)
}

/// The requirements that a rule of the ordering contract stands behind.
pub fn of_rule(rule: Rule) -> impl Iterator<Item = &'static Requirement> {
    all().filter(move |requirement| requirement.rule() == Some(rule))
}

/// How much a requirement binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// Breaking it is an error.
    Must,
    /// Breaking it is a warning.
    Should,
}

impl Level {
    /// The level's name in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Must => "must",
            Self::Should => "should",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What it takes to judge a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Needs {
    /// The events alone.
    Stream,
    /// The run input that was sent too.
    Request,
    /// The bytes as they were framed.
    Bytes,
    /// Status and headers of the response too.
    Http,
    /// A connection, and a clock.
    Live,
    /// A live producer, and a request chosen on purpose.
    Probe,
}

impl Needs {
    /// Its name in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stream => "stream",
            Self::Request => "request",
            Self::Bytes => "bytes",
            Self::Http => "http",
            Self::Live => "live",
            Self::Probe => "probe",
        }
    }

    /// What it is, in a few words.
    ///
    /// ```
    /// use conform_check::registry::Needs;
    /// assert_eq!(Needs::Stream.describe(), "the events alone");
    /// ```
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Stream => "the events alone",
            Self::Request => "the run input, sent or echoed",
            Self::Bytes => "the bytes as they were framed",
            Self::Http => "status and headers of the response",
            Self::Live => "a connection and a clock",
            Self::Probe => "a live producer and a request chosen on purpose",
        }
    }

    /// The command that judges what needs this: `check` judges recordings, `certify` live
    /// producers.
    ///
    /// ```
    /// use conform_check::registry::Needs;
    /// assert_eq!(Needs::Bytes.judged_by(), "check");
    /// assert_eq!(Needs::Live.judged_by(), "certify");
    /// ```
    pub const fn judged_by(self) -> &'static str {
        match self {
            Self::Stream | Self::Request | Self::Bytes | Self::Http => "check",
            Self::Live | Self::Probe => "certify",
        }
    }
}

impl fmt::Display for Needs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What judges a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Judge {
    /// The ordering verifier: one of the eight rules, at some event types.
    Rule(Rule),
    /// The ordering verifier in stream scope.
    Stream,
    /// The reader of frames and JSON.
    Reader,
    /// The table of shapes.
    Shape,
    /// A judge of what is beyond ordering and shape (decision 6).
    Beyond,
    /// The judge of the response's head.
    Head,
    /// Nothing that a recording tells: only a live producer can be judged.
    None,
}

/// An input that breaks or keeps a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// The input, as it would be recorded: JSON Lines or SSE, told apart by content.
    pub input: &'static str,
    /// The run input that was sent, where the requirement needs it (JSON).
    pub request: Option<&'static str>,
    /// The status line and headers of the response, where the requirement needs them.
    pub headers: Option<&'static str>,
}

impl Example {
    /// An input that stands alone.
    pub const fn of(input: &'static str) -> Self {
        Self { input, request: None, headers: None }
    }

    /// The same input, sent in answer to `request`.
    #[must_use]
    pub const fn answering(self, request: &'static str) -> Self {
        Self { request: Some(request), ..self }
    }

    /// The same input, under these status line and headers.
    #[must_use]
    pub const fn under(self, headers: &'static str) -> Self {
        Self { headers: Some(headers), ..self }
    }
}

/// As a person reads it, without a line end at its end: status line and headers, the request,
/// the input. Carriage returns and other control characters are shown as escapes, and it is
/// said where a last frame is not ended.
///
/// ```
/// use conform_check::registry::Example;
/// let example = Example::of("data: 1\r\n\r\n").answering("{}");
/// assert_eq!(example.to_string(), "request: {}\ndata: 1\\r\n\\r");
/// let cut = Example::of("data: 1\n");
/// assert_eq!(cut.to_string(), "data: 1\n(the input ends here, without a blank line)");
/// ```
impl fmt::Display for Example {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(headers) = self.headers {
            write!(f, "{}\n\n", visible(headers.trim_end()))?;
        }
        if let Some(request) = self.request {
            writeln!(f, "request: {}", visible(request))?;
        }
        f.write_str(visible(self.input).trim_end_matches('\n'))?;
        let line_ends = self.input.chars().rev().take_while(|c| "\r\n".contains(*c));
        if self.input.starts_with("data:") && line_ends.filter(|c| *c == '\n').count() < 2 {
            f.write_str("\n(the input ends here, without a blank line)")?;
        }
        Ok(())
    }
}

fn visible(text: &str) -> String {
    let shown = text.chars().map(|c| match c {
        '\n' => "\n".to_owned(),
        c if c.is_control() || c == '\u{feff}' => c.escape_default().to_string(),
        c => c.to_string(),
    });
    shown.collect()
}

/// One thing that a producer owes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Requirement {
    /// Stable name, `group/kebab-case`; never renamed.
    pub id: &'static str,
    /// How much it binds.
    pub level: Level,
    /// What it takes to judge it.
    pub needs: Needs,
    /// The protocol version that brought it; `house` where the specification is silent.
    pub since: &'static str,
    /// Page and anchor of the specification.
    pub spec: &'static str,
    /// What is required, in one sentence.
    pub text: &'static str,
    /// Why: what a consumer or a user suffers from a producer that breaks it.
    pub why: &'static str,
    /// What to do about a finding.
    pub help: &'static str,
    /// What judges it.
    pub judge: Judge,
    /// An input that breaks it and nothing else; none where only `certify` can tell.
    pub broken: Option<Example>,
    /// The nearest input that keeps it.
    pub mended: Option<Example>,
}

impl Requirement {
    /// The group, the part of the id before the slash.
    pub fn group(&self) -> &'static str {
        self.id.split('/').next().unwrap_or_default()
    }

    /// The page of the specification, as a link.
    pub fn spec_url(&self) -> String {
        let version = if self.since == "1.1" { "1.1" } else { "1.0" };
        format!("https://docs.ag-ui.com/spec/{version}/{}", self.spec)
    }

    /// The ordering rule behind it, where there is one.
    pub fn rule(&self) -> Option<Rule> {
        match self.judge {
            Judge::Rule(rule) => Some(rule),
            _ => None,
        }
    }
}
