//! Markdown, as a pull request's comment or a step's summary shows it.

use std::io::{self, Write};

use super::{about, clean, incomplete, place, printable, warns};
use crate::document::{Report, Status, Verdict};
use crate::since::Changes;

pub(super) fn write(report: &Report<'_>, output: &mut impl Write) -> io::Result<()> {
    let summary = report.summary;
    writeln!(output, "# agui-conform: {}\n", report.verdict.as_str())?;
    writeln!(
        output,
        "AG-UI {}, {} scope. {} inputs: {} passed, {} failed, {} unsupported, {} not judged. \
         {} errors, {} warnings.\n",
        escaped(&report.spec),
        escaped(&report.scope),
        summary.run + summary.unsupported,
        summary.passed,
        summary.failed,
        summary.unsupported,
        summary.not_judged,
        summary.errors,
        summary.warnings
    )?;
    for (status, warning, title) in [
        (Status::Fail, false, "Failed"),
        (Status::Fail, true, "Warnings"),
        (Status::Allowed, true, "Broken, and allowed"),
        (Status::Pass, true, "Passed"),
        (Status::NotExercised, true, "Not exercised"),
        (Status::NotJudged, true, "Not judged"),
    ] {
        let of = report.requirements.iter().filter(|r| r.status == status);
        let of: Vec<_> =
            of.filter(|r| status != Status::Fail || warns(report, &r.id) == warning).collect();
        if of.is_empty() {
            continue;
        }
        writeln!(output, "## {title}: {}\n", of.len())?;
        if !matches!(status, Status::Fail | Status::Allowed) {
            let ids: Vec<String> =
                of.iter().map(|r| format!("`{}`", clean(&r.id).replace('`', ""))).collect();
            writeln!(output, "{}\n", ids.join(", "))?;
            continue;
        }
        writeln!(output, "| requirement | where | what | right |\n|---|---|---|---|")?;
        for requirement in of {
            for (input, finding) in about(report, &requirement.id) {
                writeln!(
                    output,
                    "| [{}]({}) | {} | {} | {} |",
                    escaped(&requirement.id),
                    clean(&finding.spec).replace(['(', ')', ' ', '|'], ""),
                    escaped(&place(&input.name, finding)),
                    escaped(&finding.message),
                    escaped(&finding.help)
                )?;
            }
        }
        writeln!(output)?;
    }
    let unjudged: Vec<_> =
        report.inputs.iter().filter(|input| input.verdict == Verdict::Incomplete).collect();
    if !unjudged.is_empty() {
        writeln!(output, "## Inputs not judged\n")?;
        for input in unjudged {
            let name = escaped(&printable(&input.name));
            writeln!(output, "- {name}: {}", escaped(&incomplete(input)))?;
        }
        writeln!(output)?;
    }
    Ok(())
}

pub(super) fn changes(changes: &Changes, output: &mut impl Write) -> io::Result<()> {
    for (title, list) in
        [("Broke", &changes.broke), ("Healed", &changes.healed), ("Still broken", &changes.still)]
    {
        if !list.is_empty() {
            writeln!(output, "## {title}: {}\n", list.len())?;
            for change in list {
                let input = escaped(&printable(&change.input));
                writeln!(output, "- `{}` in {input}", clean(&change.requirement).replace('`', ""))?;
            }
            writeln!(output)?;
        }
    }
    Ok(())
}

/// Text that means nothing to Markdown and HTML.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in clean(text).chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '#' | '|' | '~' | '!' | '@' => {
                escaped.push('\\');
                escaped.push(c);
            }
            c => escaped.push(c),
        }
    }
    escaped
}
