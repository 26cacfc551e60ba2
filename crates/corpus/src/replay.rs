//! Replaying a case through the checker.

use std::fmt;

use conform_check::registry::{Judge, Level, Requirement};
use conform_check::{Checker, Finding, Options, Outcome};

use crate::case::{At, Case, Verdict};

/// What a replay without a mismatch says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Replay {
    /// The checker says what the case says.
    Agrees,
    /// The case is about a requirement that this version does not judge. That nothing else
    /// is wrong before it was checked.
    NotJudged(&'static Requirement),
}

/// How the checker and a case disagree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The case.
    pub case: String,
    /// What each of them says, as a sentence without a full stop.
    pub message: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.case, self.message)
    }
}

impl std::error::Error for Mismatch {}

impl Case {
    /// What the checker finds in it. Scope and request are the case's own, and every finding
    /// is kept; the rest is as `options` say.
    pub fn outcome(&self, options: &Options) -> Outcome {
        let mut checker = Checker::new(Options {
            scope: self.scope,
            request: self.sent(),
            max_findings: usize::MAX,
            ..options.clone()
        });
        checker.push(&self.bytes());
        checker.finish()
    }

    /// Replays it through the checker and compares.
    ///
    /// # Errors
    ///
    /// A sentence about what the two say differently.
    pub fn check(&self, options: &Options) -> Result<Replay, Mismatch> {
        let outcome = self.outcome(options);
        let mismatch = |message| Err(Mismatch { case: self.name.clone(), message });
        if let Some(unreadable) = &outcome.unreadable {
            return mismatch(format!("it cannot be judged: {}", unreadable.message));
        }
        let expected = expected(self.expect.verdict);
        let mut level = Level::Must;
        if let Verdict::Reject { at, requirement, .. } = self.expect.verdict {
            level = requirement.level;
            if requirement.judge == Judge::None {
                let before = first(&outcome, Level::Must).filter(|finding| place(finding) < at);
                return match before {
                    None => Ok(Replay::NotJudged(requirement)),
                    Some(finding) => {
                        mismatch(format!("the case {expected}, the checker {}", found(finding)))
                    }
                };
            }
        }
        let first = first(&outcome, level);
        let agrees = match (self.expect.verdict, first) {
            (Verdict::Accept, None) => true,
            (Verdict::Reject { at, requirement, rule }, Some(finding)) => {
                place(finding) == at
                    && finding.requirement == requirement
                    && (rule.is_none() || finding.rule == rule)
            }
            _ => false,
        };
        if !agrees {
            let found = first.map_or_else(|| "accepts it".to_owned(), found);
            return mismatch(format!("the case {expected}, the checker {found}"));
        }
        if let Some(findings) = &self.expect.findings {
            let counted = outcome.findings.iter().filter(|f| f.is_error() || f.is_warning());
            let found: Vec<_> = counted.map(|finding| finding.requirement.id).collect();
            let expected: Vec<_> = findings.iter().map(|requirement| requirement.id).collect();
            if found != expected {
                return mismatch(format!("the case finds {expected:?}, the checker {found:?}"));
            }
        }
        Ok(Replay::Agrees)
    }
}

/// The first error; where the case is about what is no more than a warning, the first of
/// either.
fn first(outcome: &Outcome, level: Level) -> Option<&Finding> {
    let counts = |f: &&Finding| f.is_error() || level == Level::Should && f.is_warning();
    outcome.findings.iter().filter(counts).min_by_key(|finding| place(finding))
}

fn place(finding: &Finding) -> At {
    finding.event.map_or(At::End, At::Event)
}

fn expected(verdict: Verdict) -> String {
    match verdict {
        Verdict::Accept => "accepts it".to_owned(),
        Verdict::Reject { at, requirement, rule } => rejects(at, requirement, rule),
    }
}

fn found(finding: &Finding) -> String {
    let rejects = rejects(place(finding), finding.requirement, finding.rule);
    format!("{rejects}: {}", finding.message)
}

fn rejects(at: At, requirement: &Requirement, rule: Option<conform_check::Rule>) -> String {
    let rule = rule.map(|rule| format!(", rule {rule}")).unwrap_or_default();
    format!("rejects it at {at} ({}{rule})", requirement.id)
}
