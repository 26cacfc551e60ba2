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
