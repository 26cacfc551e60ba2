//! Reports in every format.

use conform_check::{Finding, Outcome};
use conform_report::{FailOn, Format, Journal, Judged, Writer, render};
use serde_json::Value;

use crate::Recording;

/// Reports on a recording in every format: JSON is JSON, lines are lines, and what a person
/// reads has nothing in it that steers a terminal, nor a line that it should not have.
///
/// # Panics
///
/// Where that is not so.
pub fn reports(recording: &Recording<'_>) {
    let outcome = recording.judged([recording.bytes]);
    let name = recording.name();
    let judged = Judged {
        scope: recording.options.scope,
        spec: None,
        fail_on: FailOn::Warning,
        policy: recording.options.policy.clone(),
        inputs: vec![(name, outcome)],
    };
    json(&judged);
    journal(&judged);
    others(&judged);
    let plain = written(&judged, Format::Human { color: false, quiet: false });
    if let Some(bad) = plain.chars().find(|c| steers(*c)) {
        panic!("{bad:?} in\n{plain}");
    }
    let (_, outcome) = &judged.inputs[0];
    assert_eq!(
        plain.lines().count(),
        lines(outcome),
        "something brought a line of its own:\n{plain}"
    );
    let quiet = written(&judged, Format::Human { color: false, quiet: true });
    assert!(quiet.lines().all(|line| plain.contains(line)), "quiet says more:\n{quiet}");
    let colored = written(&judged, Format::Human { color: true, quiet: false });
    assert_eq!(uncolored(&colored), plain);
}

/// The other formats: what is read back from the journal says the same, XML is XML, and no
/// text steers a terminal or brings a workflow command of its own.
fn others(judged: &Judged) {
    let journal = Journal::read(&written(judged, Format::Jsonl)).expect("it is a journal");
    let (_, outcome) = &judged.inputs[0];
    for format in [
        Format::Junit,
        Format::Sarif,
        Format::Tap,
        Format::Github,
        Format::Markdown,
        Format::Html,
        Format::Json,
    ] {
        let text = written(judged, format);
        let mut later = Vec::new();
        render(format, &journal, None, &mut later).expect("memory can be written to");
        assert_eq!(text.as_bytes(), later, "{format:?} from the journal");
        match format {
            Format::Sarif | Format::Json => {
                serde_json::from_str::<Value>(&text).expect("it is JSON");
                continue;
            }
            Format::Junit => {
                let mut reader = quick_xml::Reader::from_str(&text);
                while reader.read_event().expect("it is XML") != quick_xml::events::Event::Eof {}
            }
            Format::Github => {
                let own =
                    outcome.findings.iter().filter(|f| f.is_error() || f.is_warning()).count();
                let noted = usize::from(journal.report.summary.not_judged > 0)
                    + usize::from(journal.report.summary.unsupported > 0);
                let commands = text.lines().filter(|line| line.starts_with("::")).count();
                assert_eq!(commands, own + noted, "{text}");
            }
            _ => {}
        }
        if let Some(bad) = text.chars().find(|c| *c != '\n' && steers(*c)) {
            panic!("{bad:?} in {format:?}\n{text}");
        }
    }
}

fn written(judged: &Judged, format: Format) -> String {
    let mut output = Vec::new();
    let mut writer = Writer::new(format, &mut output);
    let (name, outcome) = &judged.inputs[0];
    let mut write = || {
        writer.begin(judged, &["check".to_owned(), name.clone()])?;
        for (index, finding) in outcome.findings.iter().enumerate() {
            writer.finding(name, index, finding)?;
        }
        writer.input(judged, name, outcome)?;
        writer.end(judged)
    };
    write().expect("memory can be written to");
    String::from_utf8(output).expect("a report is UTF-8")
}

fn json(judged: &Judged) {
    let (_, outcome) = &judged.inputs[0];
    let text = written(judged, Format::Json);
    let report: Value = serde_json::from_str(&text).expect("the report is JSON");
    assert_eq!(report["schema"], conform_report::REPORT_SCHEMA);
    assert_eq!(report["inputs"][0]["name"], *judged.inputs[0].0);
    let findings = report["inputs"][0]["findings"].as_array().expect("findings are listed");
    assert_eq!(findings.len(), outcome.findings.len());
    assert_eq!(report["summary"]["errors"], outcome.errors);
    let failed = outcome.errors + outcome.warnings > 0;
    assert_eq!(report["verdict"] == "fail", failed, "{}", report["verdict"]);
}

fn journal(judged: &Judged) {
    let (_, outcome) = &judged.inputs[0];
    let text = written(judged, Format::Jsonl);
    assert!(text.ends_with('\n'), "the last line has no end");
    let lines: Vec<Value> = text
        .split_terminator('\n')
        .map(|line| serde_json::from_str(line).expect("a line of the journal is JSON"))
        .collect();
    let kinds: Vec<&str> = lines.iter().filter_map(|line| line["kind"].as_str()).collect();
    let findings = vec!["finding"; outcome.findings.len()];
    assert_eq!(kinds, [&["header"][..], &findings, &["input", "footer"]].concat());
}

/// How many lines a report for a person has, whatever was sent and however the input is called.
fn lines(outcome: &Outcome) -> usize {
    // What all inputs come to.
    const END: usize = 2;
    let finding = |finding: &Finding| {
        let why = if finding.consequence_of.is_some() { 1 } else { 2 };
        // Title, place, message, and the blank line after it.
        4 + usize::from(finding.related.is_some()) + why
    };
    let notes = if outcome.unreadable.is_some() { 0 } else { outcome.notes.len() };
    outcome.findings.iter().map(finding).sum::<usize>() + notes + 1 + END
}

/// Whether a terminal or a log could take it for something else: control, format and
/// bidirectional characters, separators.
fn steers(c: char) -> bool {
    !matches!(c, '\n' | '"' | '\'' | '\\') && c.escape_debug().len() > 1
}

/// The text without `ESC [ ... m`.
fn uncolored(text: &str) -> String {
    let mut pieces = text.split('\u{1b}');
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |all, piece| all + piece.split_once('m').map_or(piece, |(_, rest)| rest))
}
