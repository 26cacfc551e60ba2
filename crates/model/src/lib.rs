//! The reference model of the AG-UI ordering contract.
//!
//! A second opinion, independent of the verifier. Nothing here is stepped: whether an event
//! may be sent is a function of the accepted events before it, and each rule is written as
//! the contract is written ("the owner of a message is ..., an item is open if ..."). It is
//! quadratic where that is plainer.
//!
//! - `facts`: what an accepted event does, in the contract's terms.
//! - `owners` and `open`: who owns an entity after some facts, and what is open after them.
//! - `run`: the eight rules over those facts.
//! - `lanes`: which chunk streams there are after some events, and what a chunk means.
//! - `stream`: the stream scope: gates, forms, expansion, runs one after another.
//!
//! Numbers such as *(5)* are the sentences of the contract, *D9* is number 9 of
//! `docs/decisions/0002-where-the-ordering-contract-is-silent.md`.

mod beyond;
mod changes;
mod facts;
mod lanes;
mod open;
mod owners;
mod patch;
mod report;
mod requirement;
mod rules;
mod run;
mod shape;
mod stream;
mod verdict;

use conform_event::{Event, RunInput};

pub use report::report;
pub use run::run_verdict;
pub use stream::stream_verdict;
pub use verdict::{Breach, Judgement, Position, Verdict};

/// Judges the events of one run by the eight rules.
///
/// A rejected event is as if it had not been sent: the later ones are judged without it.
///
/// ```
/// use conform_model::{judge_run, Position, Verdict};
/// let end = conform_event::decode(br#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#).unwrap();
/// let judgement = judge_run(&[end.event]);
/// assert_eq!(judgement.first_rejected(), Some(Position::Event(0)));
/// assert_eq!(judgement.events[0].breach().unwrap().rule, Some("not-open"));
/// assert_eq!(judgement.end, Verdict::Accept);
/// ```
pub fn judge_run(events: &[Event<'_>]) -> Judgement {
    let (events, _) = judge_each(events, run_verdict);
    Judgement { events, end: Verdict::Accept }
}

/// Judges a stream of runs, with the request that asked for it where that is at hand.
///
/// A rejected event is as if it had not been sent: the later ones are judged without it.
///
/// ```
/// use conform_model::{judge_stream, Position};
/// let start = conform_event::decode(br#"{"type":"RUN_STARTED","runId":"r"}"#).unwrap();
/// let judgement = judge_stream(&[start.event], None);
/// assert_eq!(judgement.first_rejected(), Some(Position::End));
/// assert_eq!(judgement.end.breach().unwrap().requirement, Some("lifecycle/terminated"));
/// ```
pub fn judge_stream(events: &[Event<'_>], request: Option<&RunInput<'_>>) -> Judgement {
    let (events, accepted) =
        judge_each(events, |prefix, event| stream_verdict(prefix, event, request));
    Judgement { events, end: stream::end_verdict(&accepted) }
}

/// Judges each event after the accepted ones before it; also gives all the accepted ones.
fn judge_each<'s, 'e>(
    events: &'s [Event<'e>],
    verdict: impl Fn(&[&Event<'_>], &Event<'_>) -> Verdict,
) -> (Vec<Verdict>, Vec<&'s Event<'e>>) {
    let mut accepted: Vec<&Event<'_>> = Vec::new();
    let mut verdicts = Vec::new();
    for event in events {
        let verdict = verdict(&accepted, event);
        if !verdict.is_rejection() {
            accepted.push(event);
        }
        verdicts.push(verdict);
    }
    (verdicts, accepted)
}
