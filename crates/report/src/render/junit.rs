//! JUnit XML: a suite of requirements, and one of inputs.

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::{about, broken, incomplete, line, printable, skipped};
use crate::document::{Report, Status, Verdict};

/// A test of a suite.
struct Case {
    class: String,
    name: String,
    result: Outcome,
}

enum Outcome {
    Passed,
    Skipped(String),
    /// What in a line, and all of it.
    Failed(String, String),
    Error(String),
}

pub(super) fn write(report: &Report<'_>, output: &mut impl Write) -> io::Result<()> {
    let requirements = report.requirements.iter().map(|requirement| {
        let (class, _) = requirement.id.split_once('/').unwrap_or((&requirement.id, ""));
        let lines: Vec<String> =
            about(report, &requirement.id).map(|(input, finding)| line(input, finding)).collect();
        let result = match (requirement.status, skipped(requirement)) {
            (Status::Fail, _) => {
                let first = lines.first().cloned().unwrap_or_else(|| "it is broken".to_owned());
                Outcome::Failed(first, lines.join("\n"))
            }
            (_, Some(why)) => Outcome::Skipped(why.to_owned()),
            (_, None) => Outcome::Passed,
        };
        Case { class: class.to_owned(), name: requirement.id.to_string(), result }
    });
    let inputs = report.inputs.iter().map(|input| {
        let result = match input.verdict {
            _ if input.unreadable => Outcome::Error(incomplete(input)),
            Verdict::Pass => Outcome::Passed,
            Verdict::Fail => {
                let lines = input.findings.iter().filter(|f| f.counts()).map(|f| line(input, f));
                Outcome::Failed(broken(input), lines.collect::<Vec<_>>().join("\n"))
            }
            Verdict::Incomplete => Outcome::Skipped(incomplete(input)),
        };
        Case { class: "inputs".to_owned(), name: printable(&input.name), result }
    });
    let suites = [("requirements", requirements.collect()), ("inputs", inputs.collect::<Vec<_>>())];
    let all = counts(suites.iter().flat_map(|(_, cases): &(_, Vec<Case>)| cases));
    let mut xml = Writer::new_with_indent(&mut *output, b' ', 1);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let root = xml.create_element("testsuites").with_attribute(("name", "agui-conform"));
    let root = root.with_attributes(all.iter().map(|(name, count)| (*name, count.as_str())));
    root.write_inner_content(|xml| suites.iter().try_for_each(|suite| write_suite(xml, suite)))?;
    output.write_all(b"\n")
}

fn write_suite<W: Write>(xml: &mut Writer<W>, (name, cases): &(&str, Vec<Case>)) -> io::Result<()> {
    let counted = counts(cases.iter());
    let suite = xml.create_element("testsuite").with_attribute(("name", *name));
    let suite = suite.with_attributes(counted.iter().map(|(name, count)| (*name, count.as_str())));
    suite.write_inner_content(|xml| cases.iter().try_for_each(|case| write_case(xml, case)))?;
    Ok(())
}

fn write_case<W: Write>(xml: &mut Writer<W>, case: &Case) -> io::Result<()> {
    let (class, name) = (text(&case.class), text(&case.name));
    let element = xml.create_element("testcase");
    let element = element.with_attributes([("classname", class.as_str()), ("name", name.as_str())]);
    let (tag, message, all) = match &case.result {
        Outcome::Passed => {
            element.write_empty()?;
            return Ok(());
        }
        Outcome::Skipped(why) => ("skipped", why, ""),
        Outcome::Error(why) => ("error", why, ""),
        Outcome::Failed(why, all) => ("failure", why, all.as_str()),
    };
    let (message, all) = (text(message), text(all));
    element.write_inner_content(|xml| {
        let inner = xml.create_element(tag).with_attribute(("message", message.as_str()));
        if all.is_empty() {
            inner.write_empty()?;
        } else {
            inner.write_text_content(BytesText::new(&all))?;
        }
        Ok(())
    })?;
    Ok(())
}

fn counts<'c>(cases: impl Iterator<Item = &'c Case>) -> [(&'static str, String); 4] {
    let mut counts = [0_u64; 4];
    for case in cases {
        counts[0] += 1;
        match case.result {
            Outcome::Passed => {}
            Outcome::Failed(..) => counts[1] += 1,
            Outcome::Error(_) => counts[2] += 1,
            Outcome::Skipped(_) => counts[3] += 1,
        }
    }
    let [tests, failures, errors, skipped] = counts.map(|count| count.to_string());
    [("tests", tests), ("failures", failures), ("errors", errors), ("skipped", skipped)]
}

/// Text that XML 1.0 can hold.
fn text(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' | '\t' => c,
            '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
            c if c.is_control() => '\u{fffd}',
            c => c,
        })
        .collect()
}
