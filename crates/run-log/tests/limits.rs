//! The limits, exactly.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use std::io::{BufRead, Read};

use conform_run_log::generate::Plan;
use conform_run_log::read::{Failure, Format, Given, read};
use conform_run_log::{
    Field, Identifier, MAX_FINDINGS, MAX_IDENTIFIER, MAX_REFERENCES, Options, ReasonCode,
    Reference, Report, SequenceError, SequenceNumber, validate_event_sequence,
};

fn id(text: &str) -> Identifier {
    Identifier::new(text, Field::EventId).unwrap()
}

fn number(number: i64) -> SequenceNumber {
    SequenceNumber::new(number, Field::SequenceNumber).unwrap()
}

fn options() -> Options {
    Options::new(id("r"), number(0), None, false).unwrap()
}

fn log(run: &str, count: usize) -> impl Iterator<Item = Result<Reference, SequenceError>> {
    let run_id = id(run);
    (0..count).map(move |at| {
        Ok(Reference {
            run_id: run_id.clone(),
            event_id: id(&format!("e{at}")),
            sequence_number: number(i64::try_from(at).unwrap()),
        })
    })
}

#[test]
fn identifiers() {
    for (length, right) in [(0, false), (1, true), (128, true), (129, false)] {
        let text = "a".repeat(length);
        assert_eq!(Identifier::new(&text, Field::RunId).is_ok(), right, "{length}");
    }
    assert_eq!(MAX_IDENTIFIER, 128);
    for text in ["a.b", "a_b", "a-b", "0", "a--.__9", "Zz"] {
        assert_eq!(id(text).as_str(), text);
    }
    for text in ["-", ".a", "a.", "_a", "a_", "a+b", "a\n", "\u{e9}", "a\u{2028}b"] {
        let error = Identifier::new(text, Field::RunId).unwrap_err();
        assert_eq!(error.to_string(), "run_id: invalid_identifier", "{text:?}");
    }
}

#[test]
fn numbers() {
    for (value, right) in [(-1, false), (0, true), (1_000_000_000, true), (1_000_000_001, false)] {
        assert_eq!(SequenceNumber::new(value, Field::SequenceNumber).is_ok(), right, "{value}");
    }
    assert_eq!(SequenceNumber::MAX.get(), 1_000_000_000);
}

#[test]
fn the_last_number_has_no_next() {
    let log = [999_999_998, 1_000_000_000].map(|at| {
        Ok(Reference {
            run_id: id("r"),
            event_id: id(&at.to_string()),
            sequence_number: number(at),
        })
    });
    let start = Options::new(id("r"), number(999_999_998), Some(SequenceNumber::MAX), false);
    let report = validate_event_sequence(&start.unwrap(), log).unwrap();
    let found: Vec<_> =
        report.findings().iter().map(|f| (f.reason_code, f.sequence_number)).collect();
    assert_eq!(found, [(ReasonCode::SequenceGap, Some(number(999_999_999)))]);
}

#[test]
fn a_terminal_number_is_at_least_the_start() {
    let make =
        |start, terminal| Options::new(id("r"), number(start), Some(number(terminal)), false);
    assert!(make(5, 5).is_ok());
    assert!(make(5, 4).is_err());
}

#[test]
fn references() {
    assert_eq!(MAX_REFERENCES, 100_000);
    let report = validate_event_sequence(&options(), log("r", 100_000)).unwrap();
    assert!(report.is_valid());
    assert_eq!(report.event_count(), 100_000);
    let error = validate_event_sequence(&options(), log("r", 100_001)).unwrap_err();
    assert_eq!(error.to_string(), "references: too_many_events");
}

/// The 100,001st is looked at before it is said that it is too many, and nothing after it.
#[test]
fn an_endless_log_is_refused_at_the_limit() {
    let mut taken = 0_usize;
    let run_id = id("r");
    let endless = std::iter::repeat_with(|| {
        taken += 1;
        Ok(Reference {
            run_id: run_id.clone(),
            event_id: id("e"),
            sequence_number: SequenceNumber::ZERO,
        })
    });
    assert!(validate_event_sequence(&options(), endless).is_err());
    assert_eq!(taken, 100_001);
    let wrong =
        SequenceError::new(conform_run_log::ErrorCode::InvalidReferenceType, Field::References);
    let last = log("r", 100_000).chain(std::iter::once(Err(wrong)));
    assert_eq!(validate_event_sequence(&options(), last), Err(wrong));
}

#[test]
fn findings() {
    assert_eq!(MAX_FINDINGS, 1_000);
    let report = |count| validate_event_sequence(&options(), log("other", count)).unwrap();
    assert_eq!(report(1_000).findings().len(), 1_000);
    assert!(report(1_000).reason_codes().all(|code| code == ReasonCode::CrossRunReference));
    for count in [1_001, 1_002, 5_000] {
        let report = report(count);
        assert_eq!(report.findings().len(), 1_000);
        let last = &report.findings()[999];
        assert_eq!(last.reason_code, ReasonCode::FindingsTruncated);
        assert_eq!((last.sequence_number, &last.event_id), (None, &None));
        assert_eq!(report.findings()[998].sequence_number, Some(number(998)));
    }
}

/// A log that never ends, a line at a time.
struct Endless {
    line: Vec<u8>,
    at: usize,
    given: u64,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let piece = self.fill_buf()?;
        let length = piece.len().min(buffer.len());
        buffer[..length].copy_from_slice(&piece[..length]);
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for Endless {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        assert!(self.given < 64 << 20, "it is read without end");
        Ok(&self.line[self.at..])
    }

    fn consume(&mut self, amount: usize) {
        self.given += amount as u64;
        self.at = (self.at + amount) % self.line.len();
    }
}

#[test]
fn endless_input_is_refused_at_the_limit_in_every_format() {
    let given = Given::new(Some("r"), None, None, None);
    for (format, first, line) in [
        (Format::Ndjson, "", "{\"run_id\":\"r\",\"event_id\":\"e\",\"sequence_number\":1}\n"),
        (Format::Csv, "run_id,event_id,sequence_number\n", "r,e,1\n"),
        (Format::Json, "[", "{\"run_id\":\"r\",\"event_id\":\"e\",\"sequence_number\":1},"),
        (
            Format::Json,
            "{\"references\":[",
            "{\"run_id\":\"r\",\"event_id\":\"e\",\"sequence_number\":1},",
        ),
    ] {
        let mut log = Endless { line: line.into(), at: 0, given: 0 };
        let read = read(first.as_bytes().chain(&mut log), format, &given);
        let Err(Failure::Refused(refused)) = read else { panic!("{read:?}") };
        assert_eq!(refused.error.to_string(), "references: too_many_events");
        assert_eq!(refused.reference, Some(100_000));
        assert!(log.given < 33 << 20, "{format:?}: {}", log.given);
    }
}

/// What is not a reference's is passed over and may be long: then the document is read in
/// pieces, and says the same.
#[test]
fn long_documents() {
    let plan = Plan { run: "r".into(), start: 0, events: 100, terminal: true };
    let short = plan.call().to_json();
    let long = short.replacen(
        "{\"run_id\"",
        &format!("{{\"x\":\"{}\",\"run_id\"", "y".repeat(17 << 20)),
        1,
    );
    let given = Given::default();
    let short = read(short.as_bytes(), Format::Json, &given).unwrap();
    assert_eq!(read(long.as_bytes(), Format::Json, &given).unwrap(), short);
    assert!(short.is_valid());
    let cut = &long[..long.len() - 1];
    let error = read(cut.as_bytes(), Format::Json, &given).unwrap_err();
    assert_eq!(error.to_string(), "the JSON ends too early (line 1)");
}

#[test]
fn a_line_has_an_end() {
    let given = Given::new(Some("r"), None, None, None);
    let endless = || Endless { line: b"x".to_vec(), at: 0, given: 0 };
    let lines = read(endless(), Format::Ndjson, &given).unwrap_err();
    assert_eq!(lines.to_string(), "a line is longer than 1048576 bytes (line 1)");
    let rows = read(b"run_id,event_id,sequence_number\n".chain(endless()), Format::Csv, &given)
        .unwrap_err();
    assert_eq!(rows.to_string(), "it cannot be read: a row is longer than 1048576 bytes");
}

#[test]
fn reports_are_read_back() {
    let json = validate_event_sequence(&options(), log("x", 3)).unwrap().to_json();
    let read = |from: &str, to: &str| {
        Report::from_json(&json.replacen(from, to, 1)).unwrap().map_err(|error| error.to_string())
    };
    assert_eq!(read("", "").unwrap().to_json(), json);
    for (from, to, error) in [
        ("sequence.v1", "sequence.v2", "schema_version: invalid_schema_version"),
        ("\"openmed.agent.event_sequence.v1\"", "1", "schema_version: invalid_schema_version"),
        ("cross_run_reference", "Cross_run_reference", "reason_code: unknown_reason_code"),
        ("\"cross_run_reference\"", "null", "reason_code: unknown_reason_code"),
        ("\"e0\"", "\"e 0\"", "event_id: invalid_identifier"),
        ("\"run_id\":\"r\"", "\"run_id\":null", "run_id: invalid_identifier"),
        (
            "sequence_number\":0",
            "sequence_number\":-1",
            "sequence_number: sequence_number_out_of_range",
        ),
        (
            "terminal_sequence_number\":null",
            "terminal_sequence_number\":1.0",
            "terminal_sequence_number: invalid_sequence_number",
        ),
    ] {
        assert_eq!(read(from, to), Err(error.to_owned()), "{from}");
    }
    assert!(Report::from_json("{").is_err());
}
