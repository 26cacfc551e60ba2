//! Run logs: the validator against the model, and nothing that was refused is shown.

use conform_run_log::call::Call;
use conform_run_log::read::{Failure, Format, Given, read};
use conform_run_log::{Report, model};

/// Reads bytes as a log in each format: it is judged as the model judges it, or refused
/// without a word of what it holds.
///
/// # Panics
///
/// Where that is not so.
pub fn run_log(bytes: &[u8]) {
    let given = Given::new(Some("r1"), None, None, None);
    for format in [Format::Json, Format::Ndjson, Format::Csv, Format::detect(bytes)] {
        match read(bytes, format, &given) {
            Ok(report) => is_canonical(&report),
            Err(failure) => says_nothing(&failure),
        }
    }
    let Some(call) = str::from_utf8(bytes).ok().and_then(|text| Call::from_json(text).ok()) else {
        return;
    };
    let said = model::judge(&call);
    let json = call.to_json();
    match read(json.as_bytes(), Format::Json, &Given::default()) {
        Ok(report) => assert_eq!(said.as_ref(), Ok(&report.to_json()), "{json}"),
        Err(Failure::Refused(refused)) => {
            let error = (refused.error.code.as_str(), refused.error.field.as_str());
            assert_eq!(said, Err(error), "{json}");
        }
        Err(unreadable) => panic!("{unreadable}: {json}"),
    }
    // As it was written, members may come in another order, which matters to errors only.
    if let Ok(report) = &said {
        let own = read(bytes, Format::Json, &Given::default()).expect("the model reads it");
        assert_eq!(&own.to_json(), report);
    }
}

fn is_canonical(report: &Report) {
    let json = report.to_json();
    assert!(json.is_ascii() && !json.contains([' ', '\n', '\\']), "{json}");
    let again = Report::from_json(&json).expect("it is JSON").expect("it is a report");
    assert_eq!(&again, report);
    let keys: Vec<_> = report
        .findings()
        .iter()
        .filter(|finding| finding.reason_code.as_str() != "findings_truncated")
        .map(|finding| {
            let id = finding.event_id.as_ref().map_or("", |id| id.as_str());
            (finding.sequence_number, finding.reason_code.as_str(), id.to_owned())
        })
        .collect();
    assert!(keys.is_sorted(), "{json}");
}

/// The texts are the library's own: apart from numbers they are few.
fn says_nothing(failure: &Failure) {
    let text = format!("{failure} {failure:?}");
    let plain: String = text.chars().filter(|c| !c.is_ascii_digit()).collect();
    let known = match failure {
        Failure::Refused(_) => plain.is_ascii(),
        Failure::Unreadable { message, .. } => [
            "the JSON ends too early",
            "the JSON is broken at column ",
            "this is no run log: ",
            "the CSV has no column `",
            "the CSV is broken",
            "a line is longer than ",
            "it cannot be read: a row is longer than ",
        ]
        .iter()
        .any(|start| message.starts_with(start)),
    };
    assert!(known, "{text}");
}
