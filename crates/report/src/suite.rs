//! Suites of tests, for the formats that know nothing else: JUnit and TAP.

use crate::document::{Report, Status, Verdict};
use crate::human::printable;
use crate::render::{about, broken, incomplete, line, skipped, warns};

/// Tests that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suite {
    /// What they are about.
    pub name: String,
    /// The tests.
    pub tests: Vec<Test>,
}

/// A test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test {
    /// The group that it is of.
    pub group: String,
    /// Its name.
    pub name: String,
    /// What came of it.
    pub result: TestResult,
}

/// What came of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestResult {
    /// It passed.
    Passed,
    /// It was not to be run, and why.
    Skipped(String),
    /// It was to be run and could not be, and why.
    Incomplete(String),
    /// What is wrong is a warning, which fails nothing: what, and each place in a line.
    Warned(String, Vec<String>),
    /// It failed: why in a few words, and each reason in a line.
    Failed(String, Vec<String>),
    /// What it was to be run on cannot be read.
    Unreadable(String),
}

/// A report as suites: one of its requirements, one of its inputs.
pub(crate) fn suites(report: &Report<'_>) -> [Suite; 2] {
    // Where the user asks for it, a warning is as good as an error.
    let strict = report.inputs.iter().any(|i| i.verdict == Verdict::Fail && i.errors == 0);
    let requirements = report.requirements.iter().map(|requirement| {
        let (group, _) = requirement.id.split_once('/').unwrap_or((&requirement.id, ""));
        let lines: Vec<String> =
            about(report, &requirement.id).map(|(input, finding)| line(input, finding)).collect();
        let result = match (requirement.status, skipped(requirement)) {
            (Status::Fail, _) => {
                let first = lines.first().cloned();
                let first = first.unwrap_or_else(|| "it is broken".to_owned());
                if warns(report, &requirement.id) && !strict {
                    TestResult::Warned(first, lines)
                } else {
                    TestResult::Failed(first, lines)
                }
            }
            (_, Some(why)) => TestResult::Skipped(why.to_owned()),
            (_, None) => TestResult::Passed,
        };
        Test { group: group.to_owned(), name: requirement.id.to_string(), result }
    });
    let inputs = report.inputs.iter().map(|input| {
        let result = match input.verdict {
            _ if input.unreadable => TestResult::Unreadable(incomplete(input)),
            Verdict::Pass => TestResult::Passed,
            Verdict::Fail => {
                let lines = input.findings.iter().filter(|f| f.counts()).map(|f| line(input, f));
                TestResult::Failed(broken(input), lines.collect())
            }
            Verdict::Incomplete => TestResult::Incomplete(incomplete(input)),
        };
        Test { group: "inputs".to_owned(), name: printable(&input.name), result }
    });
    [
        Suite { name: "requirements".to_owned(), tests: requirements.collect() },
        Suite { name: "inputs".to_owned(), tests: inputs.collect() },
    ]
}
