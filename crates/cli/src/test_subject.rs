//! `agui-conform test-subject`: an implementation of somebody else's under generated cases.

use std::fmt::Write as _;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use conform_report::printable;
use conform_subject::process::{Process, Program, Trouble};
use conform_subject::{RunLogLedger, RunLogTally, RunLogTest};

use crate::args::{self, TestedRole};
use crate::exit::Exit;
use crate::input::shown;
use crate::output::print;
use crate::soak::{progress_bar, seed_of_the_clock};

/// Asks the subject, and shows where it differs.
///
/// # Errors
///
/// A sentence about what in the arguments cannot be used, or what cannot be written.
pub(crate) fn run(arguments: &args::TestSubject) -> Result<Exit, String> {
    let TestedRole::RunLog = arguments.role;
    let seed = arguments.seed.unwrap_or_else(seed_of_the_clock);
    let timeout = Duration::try_from_secs_f32(arguments.timeout)
        .map_err(|error| format!("--timeout: {error}"))?;
    let ledger = match &arguments.ledger {
        None => RunLogLedger::empty(),
        Some(path) => {
            let named = |error: &dyn std::fmt::Display| format!("{}: {error}", shown(path));
            let text = fs::read_to_string(path).map_err(|error| named(&error))?;
            RunLogLedger::parse(&text).map_err(|error| named(&error))?
        }
    };
    let stop = Arc::new(AtomicBool::new(false));
    let heard = Arc::clone(&stop);
    // Without a handler Ctrl-C ends the harness, and its pipes the subject.
    let _ = ctrlc::set_handler(move || heard.store(true, Ordering::Relaxed));
    let program = Program { command: arguments.program.clone(), role: "run-log", timeout, stop };
    let mut process = match Process::start(program) {
        Ok(process) => process,
        Err(Trouble::Stopped) => return Ok(Exit::Interrupted),
        Err(trouble) => {
            eprintln!("agui-conform: {}: {trouble}", printable(&arguments.program.join(" ")));
            return Ok(Exit::Target);
        }
    };
    let all =
        arguments.cases.unwrap_or(if arguments.seconds.is_some() { u64::MAX } else { 10_000 });
    let shard: (u64, u64) = arguments.shard.unwrap_or(args::Shard { index: 0, of: 1 }).into();
    let test = RunLogTest { seed, shard, cases: all, ledger };
    let bar = progress_bar((all < u64::MAX).then_some(all / shard.1));
    let until = arguments.seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut late = false;
    let mut tally = RunLogTally::default();
    let asked = test.run(&mut process, &mut tally, |tally| {
        bar.set_position(tally.compared);
        late = until.is_some_and(|until| Instant::now() >= until);
        !late
    });
    bar.finish_and_clear();
    let mut text = summary(&process, seed, &tally);
    if let Err(trouble) = &asked {
        let _ = writeln!(text, "broken off: {trouble}");
    }
    let complaints = process.complaints();
    if !tally.differences.is_empty() && !complaints.trim().is_empty() {
        text.push_str("the end of its standard error:\n");
        for line in complaints.lines() {
            let _ = writeln!(text, "  {}", printable(line));
        }
    }
    print("the result", text.as_bytes())?;
    Ok(match asked {
        Err(Trouble::Stopped) => Exit::Interrupted,
        Err(_) => Exit::Target,
        Ok(()) if !tally.differences.is_empty() || !tally.stale.is_empty() => Exit::Findings,
        Ok(()) if late && arguments.cases.is_some() || tally.unsupported > 0 => Exit::Incomplete,
        Ok(()) => Exit::Conforms,
    })
}

fn summary(process: &Process, seed: u64, tally: &RunLogTally) -> String {
    let introduction = process.introduction();
    let mut text = format!(
        "{} {}, role run-log, seed {seed}: {} cases, {} unsupported\n",
        printable(&introduction.name),
        printable(&introduction.version),
        tally.compared,
        tally.unsupported,
    );
    text.push_str("what the model says of them:\n");
    for (said, count) in &tally.said {
        let _ = writeln!(text, "  {count:>8}  {said}");
    }
    for (name, count) in &tally.known {
        let _ = writeln!(text, "known difference {name}: {count} cases");
    }
    for name in &tally.stale {
        let _ = writeln!(text, "the ledger's entry {name} shows no more: take it out");
    }
    for difference in &tally.differences {
        let _ = writeln!(
            text,
            "difference, {} cases\n  right    {}\n  subject  {}\n  smallest {}\n  report   {}",
            difference.count,
            difference.expected,
            printable(&difference.said),
            printable(&difference.witness.to_json()),
            difference.report,
        );
    }
    if tally.differences.is_empty() && tally.stale.is_empty() {
        text.push_str("no difference that is not known\n");
    }
    text
}
