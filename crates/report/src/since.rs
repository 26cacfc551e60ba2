//! What has changed since an older report.

use std::collections::BTreeSet;
use std::io::{self, Write};

use serde::Serialize;

use crate::document::Report;
use crate::human::{clean, printable};

/// What broke, what healed, and what is broken still.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Changes {
    /// Broken now, and not before.
    pub broke: Vec<Change>,
    /// Broken before, and not any more.
    pub healed: Vec<Change>,
    /// Broken before and now.
    pub still: Vec<Change>,
    /// Inputs that were judged before and are not there any more: nothing is said of them.
    pub gone: Vec<String>,
}

/// A requirement in an input.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Change {
    /// The input's name.
    pub input: String,
    /// The requirement's id.
    pub requirement: String,
}

impl Changes {
    /// Compares two reports by the errors that count.
    pub fn between(old: &Report<'_>, new: &Report<'_>) -> Self {
        let broken = |report: &Report<'_>| -> BTreeSet<Change> {
            let inputs = report.inputs.iter();
            inputs
                .flat_map(|input| {
                    input.findings.iter().filter(|f| f.is_error()).map(|finding| Change {
                        input: input.name.to_string(),
                        requirement: finding.requirement.to_string(),
                    })
                })
                .collect()
        };
        let judged: BTreeSet<&str> = new.inputs.iter().map(|input| &*input.name).collect();
        let (before, now) = (broken(old), broken(new));
        let gone = old.inputs.iter().filter(|input| !judged.contains(&*input.name));
        Self {
            broke: now.difference(&before).cloned().collect(),
            healed: before
                .difference(&now)
                .filter(|change| judged.contains(change.input.as_str()))
                .cloned()
                .collect(),
            still: now.intersection(&before).cloned().collect(),
            gone: gone.map(|input| input.name.to_string()).collect(),
        }
    }

    pub(crate) fn human(&self, output: &mut impl Write) -> io::Result<()> {
        for (what, list) in
            [("broke", &self.broke), ("healed", &self.healed), ("still broken", &self.still)]
        {
            for Change { input, requirement } in list {
                writeln!(output, "{what}: {} in {}", clean(requirement), printable(input))?;
            }
        }
        for input in &self.gone {
            writeln!(output, "not judged any more: {}", printable(input))?;
        }
        writeln!(
            output,
            "since then: {} broke, {} healed, {} still broken",
            self.broke.len(),
            self.healed.len(),
            self.still.len()
        )
    }
}
