//! How logs may be written, and that no value that is refused is ever shown.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use conform_run_log::read::{Format, Given, read};

fn given() -> Given {
    Given::new(Some("r1"), None, None, None)
}

fn codes(text: &str, format: Format, given: &Given) -> Vec<&'static str> {
    let report = read(text.as_bytes(), format, given).unwrap_or_else(|e| panic!("{e}: {text}"));
    report.reason_codes().map(conform_run_log::ReasonCode::as_str).collect()
}

#[track_caller]
fn fails(text: impl AsRef<[u8]>, format: Format, given: &Given, expected: &str) {
    let error = read(text.as_ref(), format, given).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[test]
fn json_in_any_order_with_other_members() {
    let log = r#" {"note":{"a":[1]},"references":[
        {"sequence_number":0,"x":null,"event_id":"e\u0030","run_id":"r1"}],"run_id":"r1"} "#;
    assert_eq!(codes(log, Format::Json, &Given::default()), [""; 0]);
    assert_eq!(codes(&format!("\u{feff}{log}"), Format::Json, &Given::default()), [""; 0]);
    // Flags go before members.
    let other = Given::new(Some("r2"), Some("1"), Some("3"), None);
    assert_eq!(
        codes(log, Format::Json, &other),
        ["cross_run_reference", "start_sequence_mismatch", "terminal_event_missing"]
    );
}

#[test]
fn of_members_that_come_twice_the_last_counts() {
    let log = r#"{"run_id":7,"references":3,"run_id":"r1","references":[
        {"run_id":1,"run_id":"r1","event_id":"e","sequence_number":"","sequence_number":0}]}"#;
    assert_eq!(codes(log, Format::Json, &Given::default()), [""; 0]);
    let log = r#"{"run_id":"r1","references":[],"references":7}"#;
    fails(log, Format::Json, &Given::default(), "references: invalid_sequence");
}

#[test]
fn the_contract_orders_what_the_document_does_not() {
    let log = r#"{"references":[],"allow_empty":1,"terminal_sequence_number":0.5,"run_id":" "}"#;
    fails(log, Format::Json, &Given::default(), "run_id: invalid_identifier");
    let log = log.replace("\" \"", "\"r\"");
    fails(
        &log,
        Format::Json,
        &Given::default(),
        "terminal_sequence_number: invalid_sequence_number",
    );
    let log = log.replace("0.5", "null");
    fails(&log, Format::Json, &Given::default(), "allow_empty: invalid_flag");
    // What comes after a refused reference is not read.
    let log = r#"{"run_id":"r","references":[7],"allow_empty":1}"#;
    fails(log, Format::Json, &Given::default(), "references: invalid_reference_type (reference 0)");
}

#[test]
fn lists_lines_and_rows() {
    let list = r#"[{"run_id":"r1","event_id":"e0","sequence_number":0}]"#;
    assert_eq!(codes(list, Format::Json, &given()), [""; 0]);
    let lines = "\n{\"run_id\":\"r1\",\"event_id\":\"e0\",\"sequence_number\":-0}\r\n\n\
                 {\"run_id\":\"r1\",\"event_id\":\"e1\",\"sequence_number\":2}";
    assert_eq!(codes(lines, Format::Ndjson, &given()), ["sequence_gap"]);
    let rows = "when,sequence_number,event_id, run_id \r\n1,0,e0,r1\r\n\"a\nb\",1,\"e1\",r1";
    assert_eq!(codes(rows, Format::Csv, &given()), [""; 0]);
    assert_eq!(codes("", Format::Ndjson, &given()), ["empty_sequence"]);
    assert_eq!(
        codes("run_id,event_id,sequence_number\n", Format::Csv, &given()),
        ["empty_sequence"]
    );
    let allowed = Given::new(Some("r1"), None, None, Some(true));
    assert_eq!(codes("", Format::Ndjson, &allowed), [""; 0]);
}

#[test]
fn places() {
    let two = "{\"run_id\":\"r1\",\"event_id\":\"e0\",\"sequence_number\":0}\n\n7\n";
    fails(
        two,
        Format::Ndjson,
        &given(),
        "references: invalid_reference_type (reference 1, line 3)",
    );
    let rows = "run_id,event_id,sequence_number\nr1,e0,0\nr1,e1,1.0\n";
    fails(
        rows,
        Format::Csv,
        &given(),
        "sequence_number: invalid_sequence_number (reference 1, line 3)",
    );
    let rows = "run_id,event_id,sequence_number\nr1,e0\n";
    fails(
        rows,
        Format::Csv,
        &given(),
        "sequence_number: invalid_sequence_number (reference 0, line 2)",
    );
    fails(
        "event_id,run_id\n",
        Format::Csv,
        &given(),
        "the CSV has no column `sequence_number` (line 1)",
    );
    fails("{\"run_id\":\n\n]", Format::Json, &given(), "the JSON is broken at column 1 (line 3)");
    fails("", Format::Json, &given(), "the JSON ends too early (line 1)");
    fails("[] []", Format::Json, &given(), "the JSON is broken at column 4 (line 1)");
    fails("{}\n{", Format::Ndjson, &given(), "run_id: invalid_identifier (reference 0, line 1)");
    fails("{", Format::Ndjson, &given(), "the JSON ends too early (line 1)");
    fails("7", Format::Json, &given(), &format!("{NO_LOG} (line 1)"));
    fails("\"x\"", Format::Json, &given(), &format!("{NO_LOG} (line 1)"));
    fails([b'[', 0xff], Format::Json, &given(), "the JSON is broken at column 2 (line 1)");
    let latin = [b"run_id,event_id,sequence_number\nr1,".as_slice(), &[0xe9], b",0\n"].concat();
    fails(latin, Format::Csv, &given(), "event_id: invalid_identifier (reference 0, line 2)");
}

const NO_LOG: &str = "this is no run log: a JSON object with `references`, a list of references, \
                      or a reference a line";

#[test]
fn flags_are_checked_like_members() {
    let wrong = |run: &str, start, terminal| Given::new(Some(run), start, terminal, None);
    for (given, expected) in [
        (wrong("r 1", Some("x"), None), "run_id: invalid_identifier"),
        (wrong("r", Some("1.0"), Some("-1")), "expected_start: invalid_sequence_number"),
        (wrong("r", None, Some("-1")), "terminal_sequence_number: sequence_number_out_of_range"),
        (wrong("r", Some("5"), Some("4")), "terminal_sequence_number: terminal_before_start"),
        (Given::default(), "run_id: invalid_identifier"),
    ] {
        for format in [Format::Ndjson, Format::Csv, Format::Json] {
            fails("[]", format, &given, expected);
        }
    }
}

#[test]
fn formats_are_told_apart() {
    for (text, format) in [
        ("", Format::Ndjson),
        (" \n", Format::Ndjson),
        ("  [", Format::Json),
        ("{\n \"event_id\":1}", Format::Json),
        (r#"{"sequence_number":1}"#, Format::Ndjson),
        (r#"{"event_id":1,"references":[]}"#, Format::Json),
        ("\u{feff}{\"event_id\":1}\n", Format::Ndjson),
        ("event_id;run_id", Format::Csv),
    ] {
        assert_eq!(Format::detect(text.as_bytes()), format, "{text}");
    }
}

/// Whatever is refused, no value of the log is in the text, its debug form or a report.
#[test]
fn what_is_refused_is_never_shown() {
    let secret = "s3cret value";
    for text in [
        format!(r#"{{"run_id":"{secret}","references":[]}}"#),
        format!(r#"{{"run_id":"r","references":"{secret}"}}"#),
        format!(r#"{{"run_id":"r","references":["{secret}"]}}"#),
        format!(r#"{{"run_id":"r","references":[{{"run_id":"{secret}"}}]}}"#),
        format!(r#"{{"run_id":"r","references":[{{"run_id":"r","event_id":"{secret}"}}]}}"#),
        format!(r#"{{"run_id":"r","expected_start":"{secret}","references":[]}}"#),
        format!(r#"{{"run_id":"r","{secret}":1,"references":[]"#),
        format!(r#"{{"run_id":"r","references":[] {secret}"#),
        format!(r#""{secret}""#),
        format!("{secret},b\n1,2\n"),
        format!("run_id,event_id,sequence_number\nr1,{secret},0\n"),
    ] {
        for format in [Format::Json, Format::Ndjson, Format::Csv] {
            let shown = match read(text.as_bytes(), format, &given()) {
                Ok(report) => format!("{report:?} {}", report.to_json()),
                Err(failure) => format!("{failure} {failure:?}"),
            };
            assert!(!shown.contains("s3cret"), "{text}: {shown}");
        }
    }
}

/// An escape is the character that it stands for, in the document's own members as well.
#[test]
fn escapes_are_read() {
    let log = |run: &str| {
        format!(
            r#"{{"run_id":"{run}","references":[{{"run_id":"r-1","event_id":"e","sequence_number":0}}]}}"#
        )
    };
    assert_eq!(codes(&log(r"r\u002d1"), Format::Json, &Given::default()), [""; 0]);
    for run in [r"r\n1", r"r\u00201", r"\u0072\\", r#"r\"1"#] {
        fails(log(run), Format::Json, &Given::default(), "run_id: invalid_identifier");
    }
}

#[test]
fn the_run_can_be_given_later() {
    assert!(given().has_run_id());
    assert!(!Given::default().has_run_id());
    let later = Given::new(None, Some("1"), None, None).of_run("r1");
    assert!(later.has_run_id());
    let options = later.options().unwrap();
    assert_eq!((options.run_id().as_str(), options.expected_start().get()), ("r1", 1));
}

/// Every code says in words of its own what is wrong and what would be right.
#[test]
fn texts() {
    use conform_run_log::{ErrorCode, ReasonCode};
    let errors = ErrorCode::ALL.map(ErrorCode::help);
    let reasons = ReasonCode::ALL.map(ReasonCode::describe);
    let helps = ReasonCode::ALL.map(ReasonCode::help);
    let mut all: Vec<&str> = errors.into_iter().chain(reasons).chain(helps).collect();
    assert!(all.iter().all(|text| text.contains(' ') && !text.ends_with('.')), "{all:?}");
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 30);
    // The order of the codes is that of their names, which reports are sorted by.
    let names = ReasonCode::ALL.map(ReasonCode::as_str);
    assert!(names.is_sorted(), "{names:?}");
}

#[test]
fn a_log_with_findings_is_not_valid() {
    let two = "[{\"run_id\":\"r1\",\"event_id\":\"e0\",\"sequence_number\":1}]";
    assert!(!read(two.as_bytes(), Format::Json, &given()).unwrap().is_valid());
}
