//! The whole report on a stream.

use std::collections::BTreeSet;

use conform_event::json::Json;
use conform_event::{Body, Event, RunInput};

use crate::beyond::{self, Seen};
use crate::changes::change_breaches;
use crate::judge_stream;
use crate::requirement::requirement;
use crate::shape::{Version, shape_breaches};

/// Every requirement that the events of a stream break: at which event, none for the end, and
/// which. What follows from something else is among them.
///
/// Nothing is judged of a rejected event but its shape and its place.
///
/// ```
/// use conform_event::json;
/// let (custom, _) = json::read(br#"{"type":"CUSTOM","name":"a:b","value":1}"#).unwrap();
/// let report = conform_model::report(&[custom], None);
/// assert_eq!(Vec::from_iter(report), [
///     (None, "lifecycle/first-event"),
///     (Some(0), "lifecycle/first-event"),
/// ]);
/// ```
pub fn report(
    events: &[Json<'_>],
    request: Option<&Json<'_>>,
) -> BTreeSet<(Option<usize>, &'static str)> {
    let input = request.and_then(RunInput::from_json);
    let decoded: Vec<Event<'_>> = events.iter().map(Event::from_json).collect();
    let judgement = judge_stream(&decoded, input.as_ref());
    let mut broken = BTreeSet::new();
    let mut accepted: Vec<usize> = Vec::new();
    for (at, (event, verdict)) in decoded.iter().zip(&judgement.events).enumerate() {
        if let Some(breach) = verdict.breach() {
            let prefix: Vec<&Event<'_>> = accepted.iter().map(|at| &decoded[*at]).collect();
            let id = requirement(&prefix, event, input.as_ref(), breach);
            broken.extend(id.map(|id| (Some(at), id)));
        }
        if !verdict.is_rejection() {
            accepted.push(at);
        }
        let version = version(&events[..=at]);
        let shape = shape_breaches(&events[at], version);
        broken.extend(shape.into_iter().map(|id| (Some(at), id)));
    }
    let end = judgement.end.breach();
    broken.extend(end.and_then(|breach| breach.requirement).map(|id| (None, id)));
    let seen: Vec<Seen<'_>> = accepted
        .iter()
        .map(|at| Seen { index: *at, event: &decoded[*at], json: &events[*at] })
        .collect();
    let beyond = beyond::breaches(&seen, request).into_iter();
    let beyond = beyond.chain(change_breaches(&seen, request));
    broken.extend(beyond.map(|(at, id)| (Some(at), id)));
    broken
}

/// "The version that the last RUN_STARTED declares (the newest where it declares none that is
/// published)".
fn version(events: &[Json<'_>]) -> Version {
    let started = events
        .iter()
        .rev()
        .find(|event| matches!(Event::from_json(event).body, Body::RunStarted { .. }));
    match started.and_then(|event| event.get("protocolVersion")).and_then(Json::as_str) {
        Some("1.0") => Version::V1_0,
        _ => Version::V1_1,
    }
}
