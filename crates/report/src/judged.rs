//! What has been judged, and the document that it makes.

use std::borrow::Cow;

use conform_check::registry::{self, Judge, Needs, Requirement};
use conform_check::{
    FEATURES, Finding, FirstRejected, Note, Outcome, Policy, Scope, Traced, Version,
};

use crate::document::{
    EntityReport, FindingReport, InputReport, NoteReport, REPORT_SCHEMA, Report, RequirementReport,
    Status, Summary, Tool, TraceReport, Verdict,
};

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
            let unreadable = outcome.unreadable.is_some();
            summary.add(self.verdict(outcome), unreadable, outcome.errors, outcome.warnings);
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
