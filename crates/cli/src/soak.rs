//! `agui-conform soak`: compare verifier, model and generators on generated cases.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::Duration;

use conform_event::quote;
use conform_generate::{Cell, Kind, Scope, Who};
use conform_subject::{Case, Found, PEER, PeerTally, Saying, Soak, Soaked};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};

use crate::args;
use crate::exit::Exit;
use crate::output::print;

/// Compares, and shows the first difference.
///
/// # Errors
///
/// A sentence about what in the arguments cannot be used, or what cannot be written.
pub(crate) fn run(arguments: &args::Soak) -> Result<Exit, String> {
    let seed = arguments.seed.unwrap_or_else(seed_of_the_clock);
    let soak = Soak {
        seed,
        cases: arguments.cases.unwrap_or(if arguments.seconds.is_some() {
            u64::MAX
        } else {
            100_000
        }),
        time: arguments.seconds.map(Duration::from_secs),
        jobs: arguments.jobs.unwrap_or_else(available_jobs).max(1),
        shard: arguments.shard.unwrap_or(args::Shard { index: 0, of: 1 }).into(),
    };
    let bar = progress_bar((soak.cases < u64::MAX).then_some(soak.cases));
    let soaked = soak.run(|done| bar.set_position(done));
    bar.finish_and_clear();
    let mut text = summary(&soak, &soaked);
    if let Some(found) = &soaked.found {
        let path = arguments.output.join(format!("soak-{seed}-{}.json", found.case.number));
        text.push_str(&shown(seed, found));
        write_case(&path, seed, found)?;
        let _ = writeln!(text, "case file: {}", path.display());
    }
    print("the result", text.as_bytes())?;
    Ok(match (&soaked.found, soaked.out_of_time && arguments.cases.is_some()) {
        (Some(_), _) => Exit::Findings,
        (None, true) => Exit::Incomplete,
        (None, false) => Exit::Conforms,
    })
}

/// A seed that nobody chose.
pub(crate) fn seed_of_the_clock() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(1, |now| now.as_secs() << 20 | u64::from(now.subsec_micros()))
}

fn available_jobs() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A bar on standard error, where that is a terminal.
pub(crate) fn progress_bar(cases: Option<u64>) -> ProgressBar {
    let target = if io::stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(cases, target);
    let template = if cases.is_some() {
        "{bar:40} {pos}/{len} cases, {per_sec}, {eta} left"
    } else {
        "{spinner} {pos} cases, {per_sec}, {elapsed}"
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn summary(soak: &Soak, soaked: &Soaked) -> String {
    let sources: Vec<String> = soaked
        .sources
        .iter()
        .map(|(source, count)| format!("{count} {}", source.as_str()))
        .collect();
    let seconds = soaked.elapsed.as_secs_f64().max(1e-9);
    #[expect(clippy::cast_precision_loss, reason = "a rate for a person")]
    let rate = soaked.cases as f64 / seconds / soak.jobs as f64;
    let mut text = format!(
        "seed {}: {} cases ({}), {seconds:.1} s, {rate:.0} cases a second and core\n",
        soak.seed,
        soaked.cases,
        sources.join(", "),
    );
    text.push_str(&grid(
        &soaked.grid.iter().map(|(cell, count)| (*cell, *count)).collect::<Vec<_>>(),
    ));
    text.push_str(&peer_line(&soaked.peer));
    text.push_str(match soaked.found {
        Some(_) => "",
        None => "verifier, model and generators agree on all of them\n",
    });
    text
}

/// How the published crate fared, in a line.
fn peer_line(tally: &PeerTally) -> String {
    let known: Vec<String> =
        tally.known.iter().map(|(name, count)| format!("{name} {count}")).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    format!(
        "{PEER}, run by run: {} compared, {} unsupported, known differences: {known}\n",
        tally.compared, tally.unsupported,
    )
}

/// A row a rule, kind and event type, a column a relation.
pub(crate) fn grid(cells: &[(Cell, u64)]) -> String {
    let mut text = format!("{:<28} {:<18} {:<26}", "rule", "kind", "event");
    for who in Who::ALL {
        let _ = write!(text, " {:>9}", who.as_str());
    }
    text.push('\n');
    let mut rows: Vec<(&str, Option<Kind>, &str)> =
        cells.iter().map(|(cell, _)| (cell.rule, cell.kind, cell.event_type)).collect();
    rows.sort_unstable();
    rows.dedup();
    for (rule, kind, event_type) in rows {
        let kind_name = kind.map_or("run", Kind::as_str);
        let _ = write!(text, "{rule:<28} {kind_name:<18} {event_type:<26}");
        for who in Who::ALL {
            let of_row = |cell: &Cell| {
                (cell.rule, cell.kind, cell.event_type, cell.who) == (rule, kind, event_type, who)
            };
            let count: u64 = cells.iter().filter(|(cell, _)| of_row(cell)).map(|(_, n)| n).sum();
            let count = if count == 0 { "-".to_owned() } else { count.to_string() };
            let _ = write!(text, " {count:>9}");
        }
        text.push('\n');
    }
    text
}

fn shown(seed: u64, found: &Found) -> String {
    let Found { case, difference, peer, small } = found;
    let at = difference.at.map_or("the end".to_owned(), |at| format!("event {at}"));
    let mut text = format!(
        "difference in case {} (seed {seed}, {}, {} scope), at {at}\n  verifier: {}\n  model: {}\n",
        case.number,
        case.source.as_str(),
        scope_name(case.scope),
        difference.verifier,
        difference.model,
    );
    if let Some(label) = difference.label {
        let _ = writeln!(text, "  generator: {label}");
    }
    if let Some(peer) = peer {
        let _ = writeln!(text, "  subject: {PEER}: {peer}");
    }
    let _ = writeln!(text, "in {} events:", small.events.len());
    for (at, event) in small.events.iter().enumerate() {
        let _ = writeln!(text, "  {at:>3} {event}");
    }
    let _ = writeln!(text, "repeat: agui-conform soak --seed {seed} --cases {}", case.number + 1);
    text
}

fn scope_name(scope: Scope) -> &'static str {
    match scope {
        Scope::Run => "run",
        Scope::Stream => "stream",
    }
}

/// Writes the smallest case, with what the model expects of it.
fn write_case(path: &Path, seed: u64, found: &Found) -> Result<(), String> {
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let case = case_file(&name.unwrap_or_default(), &found.small, seed);
    let text = format!("{case:#}\n");
    fs::write(path, text).map_err(|error| format!("{}: {error}", quote(&path.to_string_lossy())))
}

/// A case file whose expectation is the model's opinion.
pub(crate) fn case_file(name: &str, case: &Case, seed: u64) -> Value {
    let texts: Vec<String> = case.events.iter().map(Value::to_string).collect();
    let events: Vec<_> = texts
        .iter()
        .filter_map(|text| Some(conform_event::decode(text.as_bytes()).ok()?.event))
        .collect();
    let request_text = case.request.as_ref().map(Value::to_string);
    let request = request_text.as_ref().and_then(|text| {
        let (json, _) = conform_event::json::read(text.as_bytes()).ok()?;
        conform_event::RunInput::from_json(&json).map(conform_event::RunInput::into_owned)
    });
    let sayings = conform_subject::modelled(case.scope, &events, request.as_ref());
    let first = sayings.iter().enumerate().find_map(|(at, saying)| match saying {
        Saying::Reject(name) => Some((at, *name)),
        _ => None,
    });
    let expect = match first {
        None => json!({"verdict": "accept"}),
        Some((at, broken)) => {
            let at = if at < case.events.len() { json!(at) } else { json!("end") };
            let member = if broken.contains('/') { "requirement" } else { "rule" };
            json!({"verdict": "reject", "at": at, member: broken})
        }
    };
    let mut file = json!({
        "schema": "agui-conform.case.v1",
        "name": name,
        "about": format!("Case {} of seed {seed}, made smaller.", case.number),
        "source": null,
        "scope": scope_name(case.scope),
        "input": {"format": "events", "events": case.events},
    });
    if let Some(request) = &case.request {
        file["request"] = request.clone();
    }
    file["expect"] = expect;
    file
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use conform_subject::{Ledger, PeerTally, Soak};

    #[test]
    fn known_differences_are_in_one_line() {
        let known = BTreeMap::from([("one".to_owned(), 2), ("two".to_owned(), 1)]);
        let tally = PeerTally { compared: 9, unsupported: 3, known };
        assert_eq!(
            super::peer_line(&tally),
            "ag-ui 0.5.0-alpha.3, run by run: 9 compared, 3 unsupported, known differences: one 2, \
             two 1\n"
        );
        assert!(super::peer_line(&PeerTally::default()).ends_with("differences: none\n"));
    }

    #[test]
    fn unlisted_differences_say_who_differs() {
        let soak = Soak { seed: 1, cases: 2_000, time: None, jobs: 1, shard: (0, 1) };
        let found = soak.run_with(&Ledger::default(), |_| {}).found.unwrap();
        let text = super::shown(1, &found);
        assert!(text.contains("run scope"), "{text}");
        assert!(text.contains("\n  subject: ag-ui 0.5.0-alpha.3: "), "{text}");
        let case = super::case_file("n", &found.small, 1);
        assert_eq!(case["scope"], "run");
    }
}
