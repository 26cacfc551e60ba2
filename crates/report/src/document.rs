//! The report as a document: what `--format json` prints, and what the other formats show.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The name and version of the report format.
pub const REPORT_SCHEMA: &str = "agui-conform.report.v1";

/// What a judgement comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Everything that was judged conforms.
    Pass,
    /// Something does not.
    Fail,
    /// Nothing failed, and something could not be judged.
    Incomplete,
}

impl Verdict {
    /// The name in reports.
    ///
    /// ```
    /// assert_eq!(conform_report::Verdict::Pass.as_str(), "pass");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Incomplete => "incomplete",
        }
    }
}

/// A text of a report: borrowed while it is made, owned when it is read back.
pub type Text<'a> = Cow<'a, str>;

/// A report, ready to be written.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Report<'a> {
    /// [`REPORT_SCHEMA`].
    pub schema: Text<'a>,
    /// Who wrote it.
    pub tool: Tool<'a>,
    /// The version of the specification.
    pub spec: Text<'a>,
    /// How far the streams were judged.
    pub scope: Text<'a>,
    /// What it comes to.
    pub verdict: Verdict,
    /// What was judged.
    pub inputs: Vec<InputReport<'a>>,
    /// How often each feature was seen.
    pub features: BTreeMap<Text<'a>, u64>,
    /// The requirements, in the registry's order.
    pub requirements: Vec<RequirementReport<'a>>,
    /// The counts.
    pub summary: Summary,
}

/// Who wrote a report.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Tool<'a> {
    /// `agui-conform`
    pub name: Text<'a>,
    /// Its version.
    pub version: Text<'a>,
}

impl Tool<'static> {
    /// This tool.
    pub const THIS: Self = Self {
        name: Cow::Borrowed("agui-conform"),
        version: Cow::Borrowed(env!("CARGO_PKG_VERSION")),
    };
}

/// One input in a report.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct InputReport<'a> {
    /// Its name, as the user gave it; `-` is standard input.
    pub name: Text<'a>,
    /// What it was taken for; null where it could not be read.
    pub format: Option<Text<'a>>,
    /// Its length.
    pub bytes: u64,
    /// Its events.
    pub events: u64,
    /// Its runs.
    pub runs: u64,
    /// What it comes to.
    pub verdict: Verdict,
    /// Whether it is nothing that this tool reads; the first note says why.
    #[serde(default)]
    pub unreadable: bool,
    /// Errors that are no consequences.
    #[serde(default)]
    pub errors: u64,
    /// Warnings likewise.
    #[serde(default)]
    pub warnings: u64,
    /// The index of the first event that breaks something, `end`, or null.
    pub first_rejected: Option<serde_json::Value>,
    /// What it breaks.
    pub findings: Vec<FindingReport<'a>>,
    /// How many more findings were counted only.
    pub dropped: u64,
    /// What else a reader should know.
    pub notes: Vec<NoteReport<'a>>,
    /// What each event does, by its index, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Vec<TraceReport<'a>>>,
}

/// What one event does, in a report.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TraceReport<'a> {
    /// The type that it names.
    pub event_type: Option<Text<'a>>,
    /// Its line.
    pub line: u64,
    /// The subagent that it is attributed to.
    pub owner: Option<Text<'a>>,
    /// What it is about.
    pub entity: Option<EntityReport<'a>>,
    /// `opens`, `closes`, `chunk`, `ends-run` or `other`.
    pub act: Text<'a>,
}

/// A finding in a report.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FindingReport<'a> {
    /// The requirement's id.
    pub requirement: Text<'a>,
    /// The ordering rule behind it.
    pub rule: Option<Text<'a>>,
    /// `error`, `warning` or `allowed`.
    pub level: Text<'a>,
    /// The 0-based index of the event.
    pub event: Option<u64>,
    /// The event's type.
    pub event_type: Option<Text<'a>>,
    /// The 1-based line.
    pub line: Option<u64>,
    /// The offset in bytes.
    pub byte: Option<u64>,
    /// The JSON pointer of the member to blame.
    pub pointer: Option<Text<'a>>,
    /// The index of the earlier event that explains it.
    pub related_event: Option<u64>,
    /// The 1-based line of that event.
    #[serde(default)]
    pub related_line: Option<u64>,
    /// What it is about.
    pub entity: Option<EntityReport<'a>>,
    /// The subagent that owns it; null is the parent agent, or no owner is concerned.
    pub owner: Option<Text<'a>>,
    /// What is wrong.
    pub message: Text<'a>,
    /// What would be right.
    pub help: Text<'a>,
    /// Where the specification says so.
    pub spec: Text<'a>,
    /// The protocol version that brought the requirement, or `house`.
    pub since: Text<'a>,
    /// Whose fault it is.
    pub blame: Text<'a>,
    /// The index of the finding that it follows from.
    pub consequence_of: Option<usize>,
}

/// An entity in a report.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EntityReport<'a> {
    /// Its kind.
    pub kind: Text<'a>,
    /// Its id, whole.
    pub id: Text<'a>,
}

/// A note in a report.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct NoteReport<'a> {
    /// What it says.
    pub message: Text<'a>,
    /// The 1-based line.
    pub line: Option<u64>,
    /// The offset in bytes.
    pub byte: Option<u64>,
    /// Whether something could not be judged because of it.
    pub incomplete: bool,
}

/// A requirement in a report.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RequirementReport<'a> {
    /// Its id.
    pub id: Text<'a>,
    /// `must` or `should`.
    pub level: Text<'a>,
    /// What became of it.
    pub status: Status,
    /// How often it was put to the test.
    pub checked: u64,
    /// How many findings are about it, consequences left out.
    pub findings: u64,
}

/// What became of a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It was put to the test and kept.
    Pass,
    /// It was broken.
    Fail,
    /// Nothing in the inputs put it to the test.
    NotExercised,
    /// What it takes to judge it was not there.
    NotJudged,
    /// It was broken, and the user allows that.
    Allowed,
}

/// The counts of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Errors that are no consequences.
    pub errors: u64,
    /// Warnings likewise.
    pub warnings: u64,
    /// Inputs that were judged.
    pub run: u64,
    /// Those that conform.
    pub passed: u64,
    /// Those that do not.
    pub failed: u64,
    /// Those that are nothing this tool reads.
    pub unsupported: u64,
    /// Those of which something could not be judged.
    pub not_judged: u64,
}

impl Summary {
    /// Counts an input.
    pub(crate) fn add(&mut self, verdict: Verdict, unreadable: bool, errors: u64, warnings: u64) {
        self.errors += errors;
        self.warnings += warnings;
        if unreadable {
            self.unsupported += 1;
            return;
        }
        self.run += 1;
        match verdict {
            Verdict::Pass => self.passed += 1,
            Verdict::Fail => self.failed += 1,
            Verdict::Incomplete => self.not_judged += 1,
        }
    }
}

impl FindingReport<'_> {
    /// Whether it counts as an error or warning.
    pub fn counts(&self) -> bool {
        self.consequence_of.is_none() && self.level != "allowed"
    }

    /// Whether it counts as an error.
    pub fn is_error(&self) -> bool {
        self.consequence_of.is_none() && self.level == "error"
    }

    /// Whether it is about the end of the stream.
    pub fn is_at_end(&self) -> bool {
        self.event.is_none() && self.line.is_none() && self.byte.is_some()
    }
}
