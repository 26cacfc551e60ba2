//! The whole report on a stream.

use std::collections::BTreeSet;

use conform_event::json::Json;
use conform_event::{Body, Event, RunInput};

use crate::beyond::{self, Seen};
use crate::changes::change_breaches;
use crate::requirement::requirement;
use crate::shape::{Version, shape_breaches};
use crate::stream;
use crate::stream_verdict;
use crate::verdict::Verdict;

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
    let mut broken = BTreeSet::new();
    let mut accepted: Vec<usize> = Vec::new();
    for (at, event) in decoded.iter().enumerate() {
        let prefix: Vec<&Event<'_>> = accepted.iter().map(|at| &decoded[*at]).collect();
        match stream_verdict(&prefix, event, input.as_ref()) {
            Verdict::Accept => accepted.push(at),
            Verdict::Warn(breach) => {
                accepted.push(at);
                broken.extend(
                    requirement(&prefix, event, input.as_ref(), breach).map(|id| (Some(at), id)),
                );
            }
            Verdict::Reject(breach) => {
                broken.extend(
                    requirement(&prefix, event, input.as_ref(), breach).map(|id| (Some(at), id)),
                );
            }
        }
        let version = version(&events[..=at]);
        let shape = shape_breaches(&events[at], version);
        broken.extend(shape.into_iter().map(|id| (Some(at), id)));
    }
    let prefix: Vec<&Event<'_>> = accepted.iter().map(|at| &decoded[*at]).collect();
    if let Verdict::Reject(breach) = stream::end_verdict(&prefix) {
        broken.extend(breach.requirement.map(|id| (None, id)));
    }
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
