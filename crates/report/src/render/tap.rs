//! TAP 14.

use std::io::{self, Write};

use super::clean;
use crate::suite::{Suite, TestResult};

/// Writes suites as one list of TAP tests. What could not be judged has not passed.
///
/// # Errors
///
/// What writing failed with.
pub fn write_tap(suites: &[Suite], output: &mut impl Write) -> io::Result<()> {
    let tests: Vec<_> = suites.iter().flat_map(|suite| &suite.tests).collect();
    writeln!(output, "TAP version 14\n1..{}", tests.len())?;
    for (index, test) in tests.into_iter().enumerate() {
        let (ok, directive, lines) = match &test.result {
            TestResult::Passed => ("ok", String::new(), &[][..]),
            TestResult::Skipped(why) => ("ok", format!(" # SKIP {}", escaped(why)), &[][..]),
            // What is to be done fails nothing.
            TestResult::Warned(_, lines) => {
                ("not ok", " # TODO a warning".to_owned(), lines.as_slice())
            }
            TestResult::Incomplete(why) | TestResult::Unreadable(why) => {
                ("not ok", String::new(), std::slice::from_ref(why))
            }
            TestResult::Failed(_, lines) => ("not ok", String::new(), lines.as_slice()),
        };
        writeln!(output, "{ok} {} - {}{directive}", index + 1, escaped(&test.name))?;
        if lines.is_empty() {
            continue;
        }
        writeln!(output, "  ---\n  findings:")?;
        for line in lines {
            // A JSON string is a YAML string.
            writeln!(output, "    - {}", serde_json::Value::from(line.as_str()))?;
        }
        writeln!(output, "  ...")?;
    }
    Ok(())
}

/// A description: `#` would begin a directive.
fn escaped(text: &str) -> String {
    clean(text).replace('\\', "\\\\").replace('#', "\\#")
}
