//! A log at its limit, from JSON to the report: ours, and the published package `openmed`
//! beside it. `cargo bench -p conform-run-log`; the adapter's README says how to get the wheel.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use conform_run_log::generate::Plan;
use conform_run_log::read::{Format, Given, read};

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
        let ours = median(|| {
            let begun = Instant::now();
            let report = read(log.as_bytes(), Format::Json, &Given::default()).unwrap();
            std::hint::black_box(report.to_json());
            begun.elapsed()
        });
        println!("100,000 references {name}: {:.2} ms", ours.as_secs_f64() * 1e3);
        match peer(&log) {
            Some(theirs) => println!(
                "  openmed {:.1} ms: {:.1} times as long",
                theirs.as_secs_f64() * 1e3,
                theirs.as_secs_f64() / ours.as_secs_f64()
            ),
            None => println!("  SKIPPED: python3 cannot run adapters/openmed/subject.py"),
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

/// The package's own time, from JSON text to the report.
fn peer(log: &str) -> Option<Duration> {
    let adapter = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../adapters/openmed/subject.py");
    let file = std::env::temp_dir().join(format!("run-log-{}.json", std::process::id()));
    fs::write(&file, log).unwrap();
    let mut times: Vec<f64> = (0..TIMES)
        .filter_map(|_| {
            let output =
                Command::new("python3").arg(&adapter).arg("--time").arg(&file).output().ok()?;
            String::from_utf8(output.stdout).ok()?.trim().parse().ok()
        })
        .collect();
    let _ = fs::remove_file(&file);
    times.sort_unstable_by(f64::total_cmp);
    times.get(TIMES / 2).map(|seconds| Duration::from_secs_f64(*seconds))
}
