//! JUnit XML.

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use crate::suite::{Suite, Test, TestResult};

/// Writes suites as JUnit XML.
///
/// # Errors
///
/// What writing failed with.
///
/// ```
/// use conform_report::{Suite, Test, TestResult, write_junit};
/// let test = Test { group: "g".into(), name: "<n>".into(), result: TestResult::Passed };
/// let mut xml = Vec::new();
/// write_junit(&[Suite { name: "s".into(), tests: vec![test] }], &mut xml).unwrap();
/// let xml = String::from_utf8(xml).unwrap();
/// assert!(xml.contains(r#"<testcase classname="g" name="&lt;n&gt;"/>"#));
/// ```
pub fn write_junit(suites: &[Suite], output: &mut impl Write) -> io::Result<()> {
    let all = counts(suites.iter().flat_map(|suite| &suite.tests));
    let mut xml = Writer::new_with_indent(&mut *output, b' ', 1);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let root = xml.create_element("testsuites").with_attribute(("name", "agui-conform"));
    let root = root.with_attributes(all.iter().map(|(name, count)| (*name, count.as_str())));
    root.write_inner_content(|xml| suites.iter().try_for_each(|suite| write_suite(xml, suite)))?;
    output.write_all(b"\n")
}

fn write_suite<W: Write>(xml: &mut Writer<W>, suite: &Suite) -> io::Result<()> {
    let (counted, name) = (counts(suite.tests.iter()), text(&suite.name));
    let element = xml.create_element("testsuite").with_attribute(("name", name.as_str()));
    let counted = counted.iter().map(|(name, count)| (*name, count.as_str()));
    let element = element.with_attributes(counted);
    element
        .write_inner_content(|xml| suite.tests.iter().try_for_each(|test| write_test(xml, test)))?;
    Ok(())
}

fn write_test<W: Write>(xml: &mut Writer<W>, test: &Test) -> io::Result<()> {
    let (group, name) = (text(&test.group), text(&test.name));
    let element = xml.create_element("testcase");
    let element = element.with_attributes([("classname", group.as_str()), ("name", name.as_str())]);
    let (tag, message, lines) = match &test.result {
        TestResult::Passed => {
            element.write_empty()?;
            return Ok(());
        }
        TestResult::Skipped(why) | TestResult::Incomplete(why) => ("skipped", why, &[][..]),
        TestResult::Unreadable(why) => ("error", why, &[][..]),
        // There is no word for a warning, and a failure would fail what does not fail.
        TestResult::Warned(why, lines) => ("skipped", why, lines.as_slice()),
        TestResult::Failed(why, lines) => ("failure", why, lines.as_slice()),
    };
    let warned = if matches!(test.result, TestResult::Warned(..)) { "warning: " } else { "" };
    let (message, lines) = (text(&format!("{warned}{message}")), text(&lines.join("\n")));
    element.write_inner_content(|xml| {
        let inner = xml.create_element(tag).with_attribute(("message", message.as_str()));
        if lines.is_empty() {
            inner.write_empty()?;
        } else {
            inner.write_text_content(BytesText::new(&lines))?;
        }
        Ok(())
    })?;
    Ok(())
}

fn counts<'t>(tests: impl Iterator<Item = &'t Test>) -> [(&'static str, String); 4] {
    let mut counts = [0_u64; 4];
    for test in tests {
        counts[0] += 1;
        match test.result {
            TestResult::Passed => {}
            TestResult::Failed(..) => counts[1] += 1,
            TestResult::Unreadable(_) => counts[2] += 1,
            TestResult::Skipped(_) | TestResult::Incomplete(_) | TestResult::Warned(..) => {
                counts[3] += 1;
            }
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
