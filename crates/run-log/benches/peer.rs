//! A log at its limit, judged, and from JSON to the report: ours, and the published package
//! `openmed` beside it. `cargo bench -p conform-run-log`; the adapter's README says how to get the wheel.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use conform_run_log::generate::Plan;
use conform_run_log::read::{Format, Given, read};
use conform_run_log::{
    Field, Identifier, Options, Reference, Report, SequenceNumber, validate_event_sequence,
};

/// So often each is measured; the median counts.
const TIMES: usize = 7;

fn main() {
    let plan = Plan { run: "run-1".into(), start: 0, events: 100_000, terminal: true };
    let sorted = plan.call().to_json();
    // In reverse, everything is out of order and the report is full.
    let mut reverse = String::from(r#"{"run_id":"run-1","references":["#);
    for at in (0..100_000).rev() {
        let comma = if at == 0 { "" } else { "," };
        let _ = write!(
            reverse,
            r#"{{"run_id":"run-1","event_id":"e{at}","sequence_number":{at}}}{comma}"#
        );
    }
    reverse.push_str("]}");
    for (name, log) in [("in order", sorted), ("in reverse", reverse)] {
        let whole = median(|| {
            let begun = Instant::now();
            let report = read(log.as_bytes(), Format::Json, &Given::default()).unwrap();
            std::hint::black_box(report.to_json());
            begun.elapsed()
        });
        // Both make references of two texts and a number each, and judge them.
        let call: serde_json::Value = serde_json::from_str(&log).unwrap();
        let parts: Vec<(String, String, i64)> = call["references"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| {
                let text = |name: &str| item[name].as_str().unwrap().to_owned();
                (text("run_id"), text("event_id"), item["sequence_number"].as_i64().unwrap())
            })
            .collect();
        let judging = median(|| {
            let begun = Instant::now();
            std::hint::black_box(judge(&parts).to_json());
            begun.elapsed()
        });
        let Some([peer_whole, peer_judging]) = peer(&log) else {
            println!("SKIPPED: python3 cannot run adapters/openmed/subject.py");
            return;
        };
        for (what, ours, theirs) in
            [("judged", judging, peer_judging), ("read and judged", whole, peer_whole)]
        {
            println!(
                "100,000 references {name}, {what}: {:.2} ms; openmed {:.1} ms, {:.1} times as long",
                ours.as_secs_f64() * 1e3,
                theirs.as_secs_f64() * 1e3,
                theirs.as_secs_f64() / ours.as_secs_f64()
            );
        }
    }
    let million = format!(
        r#"{{"run_id":"run-1","references":[{}]}}"#,
        vec![r#"{"run_id":"run-1","event_id":"e","sequence_number":1}"#; 1_000_000].join(",")
    );
    let refused = median(|| {
        let begun = Instant::now();
        read(million.as_bytes(), Format::Json, &Given::default()).unwrap_err();
        begun.elapsed()
    });
    println!(
        "1,000,000 references, {} MB, refused: {:.2} ms",
        million.len() >> 20,
        refused.as_secs_f64() * 1e3
    );
}

fn median(mut once: impl FnMut() -> Duration) -> Duration {
    let mut times: Vec<Duration> = (0..TIMES).map(|_| once()).collect();
    times.sort_unstable();
    times[TIMES / 2]
}

fn judge(parts: &[(String, String, i64)]) -> Report {
    let run_id = Identifier::new("run-1", Field::RunId).unwrap();
    let options = Options::new(run_id, SequenceNumber::ZERO, None, false).unwrap();
    let references = parts.iter().map(|(run_id, event_id, number)| {
        Ok(Reference {
            run_id: Identifier::new(run_id, Field::RunId)?,
            event_id: Identifier::new(event_id, Field::EventId)?,
            sequence_number: SequenceNumber::new(*number, Field::SequenceNumber)?,
        })
    });
    validate_event_sequence(&options, references).unwrap()
}

/// The package's own times: from JSON text to the report, and of judging alone.
fn peer(log: &str) -> Option<[Duration; 2]> {
    let adapter = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../adapters/openmed/subject.py");
    let file = std::env::temp_dir().join(format!("run-log-{}.json", std::process::id()));
    fs::write(&file, log).unwrap();
    let mut times: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
    for _ in 0..TIMES {
        let output =
            Command::new("python3").arg(&adapter).arg("--time").arg(&file).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        for (times, time) in times.iter_mut().zip(text.split_whitespace()) {
            times.push(time.parse().ok()?);
        }
    }
    let _ = fs::remove_file(&file);
    let [whole, judging] = times.map(|mut times| {
        times.sort_unstable_by(f64::total_cmp);
        times.get(TIMES / 2).map(|seconds| Duration::from_secs_f64(*seconds))
    });
    Some([whole?, judging?])
}
