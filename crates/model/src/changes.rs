//! State and activities: what they are after some events, and which deltas fit them.

use std::collections::BTreeSet;

use conform_event::json::Json;
use conform_event::{Body, Event, EventType};

use crate::beyond::{Seen, messages};
use crate::patch::{Outcome, Value, apply};

/// Which deltas do not fit.
pub(crate) fn change_breaches(
    accepted: &[Seen<'_>],
    request: Option<&Json<'_>>,
) -> BTreeSet<(usize, &'static str)> {
    let mut broken = BTreeSet::new();
    for (at, seen) in accepted.iter().enumerate() {
        let before = &accepted[..at];
        if seen.event.event_type() == Some(EventType::StateDelta) {
            let fits = state(before, request).zip(seen.json.get("delta"));
            if fits.is_some_and(|(state, delta)| apply(&state, delta) == Outcome::Fails) {
                broken.insert((seen.index, "state/delta-applies"));
            }
        }
        let Body::ActivityDelta { id } = &seen.event.body else { continue };
        if !was_created(before, request, id) {
            let told =
                before.iter().any(|e| e.event.body == Body::ActivityDelta { id: id.clone() });
            if !told {
                broken.insert((seen.index, "activity/snapshot-first"));
            }
            continue;
        }
        let Some((content, patch)) = content(before, request, id).zip(seen.json.get("patch"))
        else {
            continue;
        };
        match apply(&content, patch) {
            Outcome::Fails => {
                broken.insert((seen.index, "activity/delta-applies"));
            }
            Outcome::Makes(value) if !value.is_object() => {
                broken.insert((seen.index, "activity/stays-an-object"));
            }
            _ => {}
        }
    }
    broken
}

fn is_of(event: &Event<'_>, event_type: EventType) -> bool {
    event.event_type() == Some(event_type)
}

/// The `input` that RUN_STARTED echoes.
fn echo<'e>(seen: &Seen<'e>) -> Option<&'e Json<'e>> {
    let starts = is_of(seen.event, EventType::RunStarted);
    seen.json.get("input").filter(|input| starts && input.is_object())
}

/// "The state is the request's from the beginning ({} if that carries none or null), else that
/// of the first `input` echo (likewise) if no snapshot came before; then what the accepted
/// deltas and snapshots make of it, across runs."
fn state(before: &[Seen<'_>], request: Option<&Json<'_>>) -> Option<Value> {
    let of_input = |input: &Json<'_>| match input.get("state").map(Value::of) {
        None | Some(Some(Value::Null)) => Some(Value::empty_object()),
        Some(state) => state,
    };
    let snapshots = before.iter().rposition(|e| is_of(e.event, EventType::StateSnapshot));
    let (began, mut state) = match (snapshots, request) {
        (Some(at), _) => (at + 1, before[at].json.get("snapshot").and_then(Value::of)),
        (None, Some(request)) => (0, of_input(request)),
        (None, None) => {
            let first = before.iter().position(|seen| echo(seen).is_some())?;
            (first, echo(&before[first]).and_then(of_input))
        }
    };
    for seen in before[began..].iter().filter(|e| is_of(e.event, EventType::StateDelta)) {
        let delta = seen.json.get("delta")?;
        state = match apply(&state?, delta) {
            Outcome::Makes(value) => Some(value),
            Outcome::Fails | Outcome::IsNone => None,
        };
    }
    state
}

/// The entries of a list that are this activity.
fn listed<'j, 'e>(holder: &'j Json<'e>, id: &str) -> Vec<&'j Json<'e>> {
    let own = |m: &&Json<'_>| m.text("id") == Some(id) && m.text("role") == Some("activity");
    messages(holder).iter().filter(own).collect()
}

fn was_created(before: &[Seen<'_>], request: Option<&Json<'_>>, id: &str) -> bool {
    let by_event = |seen: &Seen<'_>| match &seen.event.body {
        Body::ActivitySnapshot { id: other, .. } => other == id,
        Body::MessagesSnapshot { .. } => !listed(seen.json, id).is_empty(),
        _ => echo(seen).is_some_and(|echo| !listed(echo, id).is_empty()),
    };
    request.is_some_and(|request| !listed(request, id).is_empty()) || before.iter().any(by_event)
}

/// The content of an activity, where it is known.
fn content(before: &[Seen<'_>], request: Option<&Json<'_>>, id: &str) -> Option<Value> {
    let object = |holder: &Json<'_>| Value::of(holder.get("content")?).filter(Value::is_object);
    let first = |holder: &Json<'_>| listed(holder, id).first().map(|message| object(message));
    // None: there is no such activity yet; some none: it is unknown.
    let mut content: Option<Option<Value>> = request.and_then(first);
    for seen in before {
        match &seen.event.body {
            Body::MessagesSnapshot { .. } => {
                let last = listed(seen.json, id).last().map(|message| object(message));
                content = last.or(content);
            }
            Body::ActivitySnapshot { id: other, keep } if other == id => {
                if !keep || content.is_none() {
                    content = Some(object(seen.json));
                }
            }
            Body::ActivityDelta { id: other } if other == id => {
                let known = content.flatten();
                let made = known.zip(seen.json.get("patch")).map(|(v, patch)| apply(&v, patch));
                content = Some(match made {
                    Some(Outcome::Makes(value)) if value.is_object() => Some(value),
                    _ => None,
                });
            }
            _ => content = content.or_else(|| echo(seen).and_then(first)),
        }
    }
    content.flatten()
}
