//! The report as a document: what `--format json` prints, and what the other formats show.

use std::borrow::Cow;
use std::collections::BTreeMap;

use conform_check::registry::{self, Judge, Needs, Requirement};
use conform_check::{
    FEATURES, Finding, FirstRejected, Note, Outcome, Policy, Scope, Traced, Version,
};
use serde::{Deserialize, Serialize};

/// The name and version of the report format.
pub const REPORT_SCHEMA: &str = "agui-conform.report.v1";

/// From when on findings make a run fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum FailOn {
    /// An error.
    #[default]
    Error,
    /// A warning or an error.
    Warning,
    /// Nothing: the verdict is still `fail`, the exit code is not.
    Never,
}

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

/// What has been judged, and how.
#[derive(Debug, Clone)]
pub struct Judged {
    /// How far.
    pub scope: Scope,
    /// The specification's version that the user asked for; none is what the streams declare.
    pub spec: Option<String>,
    /// From when on it fails.
    pub fail_on: FailOn,
    /// What the user allowed and denied.
    pub policy: Policy,
    /// Name and outcome of each input.
    pub inputs: Vec<(String, Outcome)>,
}

/// The newest version of the specification that this tool knows.
pub const NEWEST_SPEC: &str = Version::NEWEST.as_str();

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

impl Judged {
    /// The verdict on one input.
    pub fn verdict(&self, outcome: &Outcome) -> Verdict {
        let warned = self.fail_on == FailOn::Warning && outcome.warnings > 0;
        if outcome.errors > 0 || warned {
            Verdict::Fail
        } else if outcome.is_incomplete() || outcome.unreadable.is_some() {
            Verdict::Incomplete
        } else {
            Verdict::Pass
        }
    }

    /// The version of the specification that was judged by: the one asked for, else the one
    /// that the streams declare, else the newest.
    pub fn spec(&self) -> String {
        if let Some(spec) = &self.spec {
            return spec.clone();
        }
        let mut declared = self.inputs.iter().filter_map(|(_, o)| o.declared_version.as_deref());
        match declared.next() {
            Some(first) if Version::of(first).is_some() && declared.all(|v| v == first) => {
                first.to_owned()
            }
            _ => NEWEST_SPEC.to_owned(),
        }
    }

    /// The counts.
    pub fn summary(&self) -> Summary {
        let mut summary = Summary::default();
        for (_, outcome) in &self.inputs {
            summary.errors += outcome.errors;
            summary.warnings += outcome.warnings;
            if outcome.unreadable.is_some() {
                summary.unsupported += 1;
                continue;
            }
            summary.run += 1;
            match self.verdict(outcome) {
                Verdict::Pass => summary.passed += 1,
                Verdict::Fail => summary.failed += 1,
                Verdict::Incomplete => summary.not_judged += 1,
            }
        }
        summary
    }

    /// What it all comes to.
    pub fn overall(&self) -> Verdict {
        let verdicts = || self.inputs.iter().map(|(_, outcome)| self.verdict(outcome));
        if verdicts().any(|verdict| verdict == Verdict::Fail) {
            Verdict::Fail
        } else if self.inputs.is_empty() || verdicts().any(|verdict| verdict == Verdict::Incomplete)
        {
            // Where everything was passed over, nothing was found to conform either.
            Verdict::Incomplete
        } else {
            Verdict::Pass
        }
    }

    /// What became of each requirement, in the registry's order.
    pub fn requirements(&self) -> Vec<RequirementReport<'static>> {
        let sum = |of: &dyn Fn(&Outcome) -> &Vec<u64>, place: usize| -> u64 {
            self.inputs.iter().filter_map(|(_, outcome)| of(outcome).get(place)).sum()
        };
        let entries = registry::all().enumerate();
        let entries = entries.map(|(place, entry)| {
            let checked = sum(&|outcome| &outcome.checked, place);
            let broken = sum(&|outcome| &outcome.broken, place);
            let status = if broken > 0 && self.policy.allows(entry) {
                Status::Allowed
            } else if broken > 0 {
                Status::Fail
            } else if !self.judges(entry) {
                Status::NotJudged
            } else if checked == 0 {
                Status::NotExercised
            } else {
                Status::Pass
            };
            let findings = sum(&|outcome| &outcome.found, place);
            RequirementReport {
                id: entry.id.into(),
                level: entry.level.as_str().into(),
                status,
                checked,
                findings,
            }
        });
        entries.collect()
    }

    /// Whether there was what it takes to judge a requirement.
    fn judges(&self, entry: &Requirement) -> bool {
        let of_run = matches!(entry.judge, Judge::Rule(_) | Judge::Reader | Judge::Head);
        let of_input = |outcome: &Outcome| match entry.needs {
            Needs::Request => outcome.has_input,
            Needs::Http => outcome.has_head,
            _ => true,
        };
        entry.judge != Judge::None
            && (self.scope == Scope::Stream || of_run)
            && (self.inputs.is_empty() || self.inputs.iter().any(|(_, outcome)| of_input(outcome)))
    }

    /// The whole report.
    pub fn report(&self) -> Report<'_> {
        let inputs = self.inputs.iter();
        let features = FEATURES.map(|feature| {
            let seen = self.inputs.iter().filter_map(|(_, outcome)| outcome.features.get(feature));
            (Cow::Borrowed(feature), seen.sum())
        });
        Report {
            schema: REPORT_SCHEMA.into(),
            tool: Tool::THIS,
            spec: self.spec().into(),
            scope: self.scope.as_str().into(),
            verdict: self.overall(),
            inputs: inputs.map(|(name, outcome)| self.input(name, outcome)).collect(),
            features: features.into(),
            requirements: self.requirements(),
            summary: self.summary(),
        }
    }

    pub(crate) fn input<'a>(&self, name: &'a str, outcome: &'a Outcome) -> InputReport<'a> {
        InputReport {
            name: name.into(),
            format: outcome.format.map(|format| format.name().into()),
            bytes: outcome.bytes,
            events: outcome.events,
            runs: outcome.runs,
            verdict: self.verdict(outcome),
            unreadable: outcome.unreadable.is_some(),
            errors: outcome.errors,
            warnings: outcome.warnings,
            first_rejected: outcome.first_rejected.map(|at| match at {
                FirstRejected::Event(event) => event.into(),
                FirstRejected::End => "end".into(),
            }),
            findings: outcome.findings.iter().map(finding).collect(),
            dropped: outcome.dropped,
            notes: notes(outcome).collect(),
            trace: outcome.trace.as_ref().map(|trace| trace.iter().map(traced).collect()),
        }
    }
}

fn notes(outcome: &Outcome) -> impl Iterator<Item = NoteReport<'_>> {
    let unreadable = outcome.unreadable.iter().map(|unreadable| NoteReport {
        message: unreadable.message.as_str().into(),
        line: None,
        byte: unreadable.byte,
        incomplete: true,
    });
    unreadable.chain(outcome.notes.iter().map(|note: &Note| NoteReport {
        message: note.message.as_str().into(),
        line: note.line,
        byte: note.byte,
        incomplete: note.incomplete,
    }))
}

fn traced(traced: &Traced) -> TraceReport<'_> {
    TraceReport {
        event_type: traced.event_type.as_deref().map(Cow::Borrowed),
        line: traced.line,
        owner: traced.owner.as_deref().map(Cow::Borrowed),
        entity: traced
            .entity
            .as_ref()
            .map(|(kind, id)| EntityReport { kind: kind.as_str().into(), id: id.as_str().into() }),
        act: traced.act.as_str().into(),
    }
}

/// A finding as it stands in a report.
pub(crate) fn finding(finding: &Finding) -> FindingReport<'_> {
    FindingReport {
        requirement: finding.requirement.id.into(),
        rule: finding.rule.map(|rule| rule.as_str().into()),
        level: finding.severity.as_str().into(),
        event: finding.event,
        event_type: finding.event_type.as_deref().map(Cow::Borrowed),
        line: finding.line,
        byte: finding.byte,
        pointer: finding.pointer.as_deref().map(Cow::Borrowed),
        related_event: finding.related.map(|related| related.event),
        related_line: finding.related.map(|related| related.line).filter(|line| *line > 0),
        entity: finding
            .entity
            .as_ref()
            .map(|(kind, id)| EntityReport { kind: kind.as_str().into(), id: id.as_str().into() }),
        owner: finding.owner.as_ref().and_then(conform_check::Owner::id).map(Cow::Borrowed),
        message: finding.message.as_str().into(),
        help: finding.requirement.help.into(),
        spec: finding.requirement.spec_url().into(),
        since: finding.requirement.since.into(),
        blame: "producer".into(),
        consequence_of: finding.consequence_of,
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
