//! The role `run-log` of the subject protocol: our own validator and model behind it, and any
//! other compared with the model.

mod compare;
mod ledger;

use std::io::{self, BufRead, Write};

use conform_event::json;
use conform_run_log::call::Call;
use conform_run_log::model;
use conform_run_log::read::{Failure, Format, Given, read};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::protocol::{each_line, greeted, introduce, write};

pub use compare::{RunLogDifference, RunLogTally, RunLogTest, said_of};
pub use ledger::{RunLogDivergence, RunLogLedger};

/// Which of ours judges logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunLogSubject {
    /// The production validator.
    Validator,
    /// The reference model.
    Model,
}

#[derive(Deserialize)]
struct Case<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    call: Option<&'a RawValue>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Said {
    Report { report: String },
    Error { error: Error },
    Unsupported { verdict: &'static str, reason: String },
}

#[derive(Serialize)]
struct Error {
    code: &'static str,
    field_name: &'static str,
}

#[derive(Serialize)]
struct Answer<'a> {
    id: Option<&'a RawValue>,
    #[serde(flatten)]
    said: Said,
}

/// Answers a harness on `input` until it closes: the hello, then one line a case, in order.
///
/// # Errors
///
/// What reading or writing failed with.
///
/// ```
/// use conform_subject::{RunLogSubject, serve_run_log};
/// let case = r#"{"id":1,"call":{"run_id":"r 1","references":[]}}"#;
/// let mut answer = Vec::new();
/// serve_run_log(RunLogSubject::Validator, case.as_bytes(), &mut answer).unwrap();
/// assert_eq!(
///     String::from_utf8(answer).unwrap(),
///     "{\"id\":1,\"error\":{\"code\":\"invalid_identifier\",\"field_name\":\"run_id\"}}\n"
/// );
/// ```
pub fn serve_run_log(
    subject: RunLogSubject,
    input: impl BufRead,
    output: impl Write,
) -> io::Result<()> {
    each_line(input, output, |line, output| answer(subject, line, output))
}

fn answer(subject: RunLogSubject, line: &[u8], output: &mut impl Write) -> io::Result<()> {
    let unsupported = |reason| Said::Unsupported { verdict: "unsupported", reason };
    if let Ok((json, _)) = json::read(line)
        && let Some(hello) = json.get("hello")
    {
        let name = match subject {
            RunLogSubject::Validator => "agui-conform",
            RunLogSubject::Model => "agui-conform model",
        };
        return match greeted(hello, "run-log") {
            Ok(()) => introduce(output, name, "run-log", "run"),
            Err(reason) => write(output, &Answer { id: None, said: unsupported(reason) }),
        };
    }
    let case = serde_json::from_slice::<Case<'_>>(line);
    let (id, call) = match &case {
        Ok(case) => (case.id, case.call),
        Err(_) => (None, None),
    };
    let said = match call {
        None => unsupported("a case has an object `call`".to_owned()),
        Some(call) => judge(subject, call.get()).unwrap_or_else(unsupported),
    };
    write(output, &Answer { id, said })
}

/// What is said of a call, or why nothing can be.
fn judge(subject: RunLogSubject, call: &str) -> Result<Said, String> {
    let said = match subject {
        RunLogSubject::Model => {
            model::judge(&Call::from_json(call).map_err(|_| "the call is no object".to_owned())?)
        }
        RunLogSubject::Validator => match read(call.as_bytes(), Format::Json, &Given::default()) {
            Ok(report) => Ok(report.to_json()),
            Err(Failure::Refused(refused)) => {
                Err((refused.error.code.as_str(), refused.error.field.as_str()))
            }
            Err(failure) => return Err(failure.to_string()),
        },
    };
    Ok(match said {
        Ok(report) => Said::Report { report },
        Err((code, field_name)) => Said::Error { error: Error { code, field_name } },
    })
}
