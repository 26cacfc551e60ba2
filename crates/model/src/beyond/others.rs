//! Encrypted values, subagents, interrupts, kept activities, names of CUSTOM events.

use conform_event::json::{Json, Value};
use conform_event::{Body, EventType, Holder, Item};

use super::{Story, calls_of, messages, outcome};

pub(super) fn breaches(story: &Story<'_>, at: usize) -> Vec<&'static str> {
    let mut broken = Vec::new();
    match story.body(at) {
        Body::EncryptedValue { holder: Some(holder), id } => {
            let known = match holder {
                Holder::Message => message_is_known(story, at, id),
                Holder::ToolCall => call_is_known(story, at, id),
            };
            if !known {
                broken.push("reasoning/encrypted-entity-known");
            }
        }
        Body::SubagentStarted { id, .. } if announced_late(story, at, id) => {
            broken.push("subagent/announced-before-use");
        }
        Body::RunFinished => {
            let ids = interrupts(story.json(at));
            if (0..ids.len()).any(|n| ids[..n].contains(&ids[n])) {
                broken.push("interrupt/unique-ids");
            }
            if waits_for_nothing(story, at) {
                broken.push("interrupt/suspended-ids-exist");
            }
        }
        Body::ActivitySnapshot { id, keep: true } if keeps_anothers(story, at, id) => {
            broken.push("activity/keep-agrees");
        }
        Body::Custom if story.text(at, "name").is_some_and(|name| !is_prefixed(name)) => {
            broken.push("shape/custom-name-prefixed");
        }
        _ => {}
    }
    broken
}

/// "A text or reasoning message opened on the stream, a result's message, a message of a list
/// or seed that is no activity, or the parentMessageId of a call."
fn message_is_known(story: &Story<'_>, at: usize, id: &str) -> bool {
    let listed = |holder: &Json<'_>| {
        messages(holder).iter().any(|message| {
            message.text("id") == Some(id) && message.text("role") != Some("activity")
        })
    };
    let by_event = |at: usize| match (story.body(at), story.opens(at)) {
        (Body::MessagesSnapshot { .. }, _) => listed(story.json(at)),
        (Body::ToolResult { message, .. }, _) => message.as_deref() == Some(id),
        (_, Some((Item::TextMessage | Item::ReasoningMessage, opened))) => opened == id,
        _ => {
            let of_call =
                matches!(story.opens(at).or_else(|| story.adds_to(at)), Some((Item::ToolCall, _)));
            of_call && story.text(at, "parentMessageId") == Some(id)
        }
    };
    story.seeds(at).into_iter().any(listed) || (0..at).any(by_event)
}

/// "A call opened or listed."
fn call_is_known(story: &Story<'_>, at: usize, id: &str) -> bool {
    let listed = |holder: &Json<'_>| {
        messages(holder).iter().flat_map(calls_of).any(|call| call.text("id") == Some(id))
    };
    let by_event = |at: usize| match story.body(at) {
        Body::MessagesSnapshot { .. } => listed(story.json(at)),
        _ => story.opens(at) == Some((Item::ToolCall, id)),
    };
    story.seeds(at).into_iter().any(listed) || (0..at).any(by_event)
}

/// "A SUBAGENT_STARTED, the first for its id in the run, after an event of the run that has its
/// id as tag."
fn announced_late(story: &Story<'_>, at: usize, id: &str) -> bool {
    let mut run = story.run_before(at);
    let announces = |at: usize| matches!(story.body(at), Body::SubagentStarted { id: other, .. } if other == id);
    !run.clone().any(announces) && run.any(|at| story.events[at].event.tag.as_deref() == Some(id))
}

fn interrupts<'j>(json: &'j Json<'_>) -> Vec<&'j str> {
    if outcome(json) != Some("interrupt") {
        return Vec::new();
    }
    let list = json.get("outcome").and_then(|outcome| outcome.get("interrupts"));
    list.map_or(&[][..], Json::items).iter().filter_map(|one| one.text("id")).collect()
}

/// Whether the outcome of a run and the ids of its interrupts can be read: "a member that is
/// missing or of the wrong type is shape's affair".
fn says_what_it_asks(json: &Json<'_>) -> bool {
    if json.get("outcome").is_none() {
        return true;
    }
    match outcome(json) {
        Some("success" | "cancelled") => true,
        Some("interrupt") => {
            let list = json.get("outcome").and_then(|outcome| outcome.get("interrupts"));
            let has_id = |one: &Json<'_>| one.text("id").is_some();
            list.is_some_and(|list| {
                matches!(list.value, Value::Array(_)) && list.items().iter().all(has_id)
            })
        }
        _ => false,
    }
}

fn waits_for_nothing(story: &Story<'_>, at: usize) -> bool {
    if !says_what_it_asks(story.json(at)) {
        return false;
    }
    let raised = interrupts(story.json(at));
    let suspends = |at: &usize| {
        story.events[*at].event.event_type() == Some(EventType::SubagentFinished)
            && outcome(story.json(*at)) == Some("suspended")
    };
    story.run_before(at).filter(suspends).any(|at| {
        let ids = story.json(at).get("outcome").and_then(|outcome| outcome.get("interruptIds"));
        let ids = ids.map_or(&[][..], Json::items).iter().filter_map(Json::as_str);
        ids.into_iter().any(|id| !raised.contains(&id))
    })
}

/// "An ACTIVITY_SNAPSHOT with replace: false and a tag, for an activity that has an owner
/// recorded in the run other than the tag."
fn keeps_anothers(story: &Story<'_>, at: usize, id: &str) -> bool {
    let Some(tag) = story.events[at].event.tag.as_deref() else { return false };
    // The owner: none is the parent agent.
    let of_list = |holder: &Json<'_>, last: bool| -> Option<Option<String>> {
        let own = |m: &&Json<'_>| m.text("id") == Some(id) && m.text("role") == Some("activity");
        let mut found = messages(holder).iter().filter(own);
        let found = if last { found.next_back() } else { found.next() };
        found.map(|message| message.text("subagentRunId").map(str::to_owned))
    };
    let Some(began) = story.run_of(at) else { return false };
    let mut owner = story.inputs(at).into_iter().find_map(|input| of_list(input, false));
    for earlier in began..at {
        match story.body(earlier) {
            Body::MessagesSnapshot { .. } => {
                owner = of_list(story.json(earlier), true).or(owner);
            }
            Body::ActivitySnapshot { id: other, keep }
                if other == id && (!keep || owner.is_none()) =>
            {
                owner = Some(story.events[earlier].event.tag.as_deref().map(str::to_owned));
            }
            _ => {}
        }
    }
    owner.is_some_and(|owner| owner.as_deref() != Some(tag))
}

/// "The name has `:`, `.` or `/` with text on both sides."
fn is_prefixed(name: &str) -> bool {
    [':', '.', '/']
        .into_iter()
        .any(|mark| name.match_indices(mark).any(|(at, _)| at > 0 && at + 1 < name.len()))
}
