//! A notation for tests: one event a line, the verdict that it must get in front.
//!
//! `ok`, a rule or requirement that is broken, or `?` and the rule that is warned of. The
//! line `END` is the end of the stream.

use conform_event::{Event, RunInput, decode, json};
use conform_model::{Judgement, Verdict, judge_run, judge_stream};

/// Judges the lines in run scope.
pub(crate) fn run(text: &str) {
    check(text, judge_run);
}

/// Judges the lines in stream scope. Lines without `END` say nothing of the end.
pub(crate) fn stream(text: &str) {
    check(text, |events| judge_stream(events, None));
}

/// Judges the lines in stream scope, a RUN_STARTED before them.
pub(crate) fn in_run(text: &str) {
    stream(&format!("ok {{\"type\":\"RUN_STARTED\",\"runId\":\"r\"}}\n{text}"));
}

/// Judges the lines in stream scope, as the answer to a request.
pub(crate) fn answer(request: &str, text: &str) {
    let (request, _) = json::read(request.as_bytes()).unwrap();
    let request = RunInput::from_json(&request).unwrap();
    check(text, |events| judge_stream(events, Some(&request)));
}

fn check(text: &str, judge: impl Fn(&[Event<'_>]) -> Judgement) {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let (ends, lines): (Vec<_>, Vec<_>) = lines
        .map(|line| line.split_once(' ').expect("a verdict and an event"))
        .map(|(verdict, rest)| (verdict, rest.trim()))
        .partition(|(_, rest)| *rest == "END");
    let events: Vec<Event<'_>> =
        lines.iter().map(|(_, line)| decode(line.as_bytes()).expect(line).event).collect();
    let judgement = judge(&events);
    let found = lines.iter().zip(&judgement.events);
    let found: Vec<_> = found.map(|((_, line), verdict)| (name(*verdict), *line)).collect();
    let wanted: Vec<_> =
        lines.iter().map(|(verdict, line)| ((*verdict).to_owned(), *line)).collect();
    assert_eq!(found, wanted);
    for (end, _) in ends {
        assert_eq!(name(judgement.end), end, "at the end");
    }
    without_the_rejected(&events, &judgement, judge);
}

/// "A rejected event changes nothing."
fn without_the_rejected(
    events: &[Event<'_>],
    judgement: &Judgement,
    judge: impl Fn(&[Event<'_>]) -> Judgement,
) {
    let accepted = |verdict: &Verdict| !verdict.is_rejection();
    let kept: Vec<_> = events.iter().zip(&judgement.events).filter(|(_, v)| accepted(v)).collect();
    let again = judge(&kept.iter().map(|(event, _)| (*event).clone()).collect::<Vec<_>>());
    assert_eq!(again.events, kept.iter().map(|(_, v)| **v).collect::<Vec<_>>());
    assert_eq!(again.end, judgement.end);
}

fn name(verdict: Verdict) -> String {
    let mark = if matches!(verdict, Verdict::Warn(_)) { "?" } else { "" };
    match verdict.breach() {
        None => "ok".to_owned(),
        Some(breach) => {
            assert_ne!(breach.rule.is_some(), breach.requirement.is_some());
            format!("{mark}{}", breach.rule.or(breach.requirement).unwrap_or_default())
        }
    }
}
