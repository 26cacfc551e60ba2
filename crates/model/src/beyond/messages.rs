//! Whose id is whose, and what is said again.

use conform_event::json::Json;
use conform_event::{Body, Item};

use super::{Named, Story, calls_of, messages};

pub(super) fn breaches(story: &Story<'_>, at: usize) -> Vec<&'static str> {
    let mut broken = Vec::new();
    let given = identities(story, at);
    let twice = (0..given.len()).any(|n| {
        matches!(story.body(at), Body::MessagesSnapshot { .. })
            && given[..n].iter().any(|(id, _)| *id == given[n].0)
    });
    let listed_twice = repeated_in_list(story, at);
    let taken = given.iter().enumerate().any(|(n, (id, identity))| {
        let mut others = known(story, at, id);
        others.extend(given[..n].iter().filter(|(other, _)| other == id).map(|(_, i)| *i));
        !others.is_empty() && !others.contains(identity)
    });
    if twice || taken || listed_twice {
        broken.push("ids/message-unique");
    }
    if reopens_otherwise(story, at) {
        broken.push("text/reopen-agrees");
    }
    if restates(story, at) {
        broken.push("lifecycle/restates-by-snapshot");
    }
    broken
}

/// What an id can name: "text, reasoning, activity, and one a tool call that a result answers".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Identity<'e> {
    Text,
    Reasoning,
    Activity,
    AnswerTo(Option<&'e str>),
}

fn of_listed<'e>(message: &'e Json<'_>) -> Option<(&'e str, Identity<'e>)> {
    let identity = match message.text("role")? {
        "developer" | "system" | "assistant" | "user" => Identity::Text,
        "reasoning" => Identity::Reasoning,
        "activity" => Identity::Activity,
        "tool" => Identity::AnswerTo(message.text("toolCallId")),
        _ => return None,
    };
    Some((message.text("id")?, identity))
}

/// The identities that an event gives to ids.
fn identities<'e>(story: &Story<'e>, at: usize) -> Vec<(&'e str, Identity<'e>)> {
    let of_item = |item: Item, id: &'e str| match item {
        Item::TextMessage => Some((id, Identity::Text)),
        Item::ReasoningMessage => Some((id, Identity::Reasoning)),
        Item::ReasoningSpan | Item::ToolCall => None,
    };
    match story.body(at) {
        Body::Start { item, id, .. } => of_item(*item, id).into_iter().collect(),
        Body::Chunk(chunk) => {
            let id = chunk.id.as_deref();
            id.and_then(|id| of_item(chunk.item, id)).into_iter().collect()
        }
        Body::ToolResult { call, message: Some(message) } => {
            vec![(message, Identity::AnswerTo(Some(call)))]
        }
        Body::ActivitySnapshot { id, .. } => vec![(id, Identity::Activity)],
        Body::MessagesSnapshot { .. } => {
            messages(story.json(at)).iter().filter_map(of_listed).collect()
        }
        _ => Vec::new(),
    }
}

/// The identities that an id has before an event, by seeds or by earlier events.
fn known<'e>(story: &Story<'e>, at: usize, id: &str) -> Vec<Identity<'e>> {
    let seeds = story.seeds(at).into_iter().flat_map(messages).filter_map(of_listed);
    let events = (0..at).flat_map(|at| identities(story, at));
    seeds.chain(events).filter(|(other, _)| *other == id).map(|(_, identity)| identity).collect()
}

/// "An id twice in one list is one too", whatever the roles are.
fn repeated_in_list(story: &Story<'_>, at: usize) -> bool {
    if !matches!(story.body(at), Body::MessagesSnapshot { .. }) {
        return false;
    }
    let ids: Vec<&str> =
        messages(story.json(at)).iter().filter_map(|message| message.text("id")).collect();
    (0..ids.len()).any(|n| ids[..n].contains(&ids[n]))
}

/// Role and name of a TEXT_MESSAGE_START or an opening chunk, where both can be read.
fn speaker<'e>(story: &Story<'e>, at: usize, id: &str) -> Option<(&'e str, Option<&'e str>)> {
    let readable =
        |member: &str| story.json(at).get(member).is_none_or(|json| json.as_str().is_some());
    let opens = story.opens(at) == Some((Item::TextMessage, id));
    let role = story.text(at, "role").unwrap_or("assistant");
    (opens && readable("role") && readable("name")).then(|| (role, story.text(at, "name")))
}

fn reopens_otherwise(story: &Story<'_>, at: usize) -> bool {
    let Some((Item::TextMessage, id)) = story.opens(at) else { return false };
    let Some(own) = speaker(story, at, id) else { return false };
    let first = (0..at).find_map(|earlier| speaker(story, earlier, id));
    first.is_some_and(|first| first != own)
}

/// The text that the run's inputs hold of an item; of several the last.
fn held<'e>(story: &Story<'e>, at: usize, (item, id): Named<'_>) -> Option<&'e str> {
    // The request after the echo: it was sent, the echo only says so.
    let mut inputs = story.inputs(at);
    inputs.reverse();
    let mut found = None;
    for message in inputs.into_iter().flat_map(messages) {
        let role = message.text("role").unwrap_or_default();
        let own = message.text("id") == Some(id);
        match item {
            Item::TextMessage
                if own && ["developer", "system", "assistant", "user"].contains(&role) =>
            {
                found = content(message).or(found);
            }
            Item::ReasoningMessage if own && role == "reasoning" => {
                found = content(message).or(found);
            }
            Item::ToolCall => {
                for call in calls_of(message).iter().filter(|call| call.text("id") == Some(id)) {
                    let arguments = call.get("function").and_then(|f| f.text("arguments"));
                    found = arguments.filter(|text| !text.is_empty()).or(found);
                }
            }
            _ => {}
        }
    }
    found
}

fn content<'j>(message: &'j Json<'_>) -> Option<&'j str> {
    message.text("content").filter(|text| !text.is_empty())
}

/// "From an opening, the text streamed since it begins with all of the input's. At the event
/// that completes it, once an opening."
fn restates(story: &Story<'_>, at: usize) -> bool {
    let Some(named) = story.adds_to(at) else { return false };
    let Some(held) = held(story, at, named) else { return false };
    let run = story.run_of(at).unwrap_or(0)..=at;
    let Some(opened) = run.rev().find(|at| story.opens(*at) == Some(named)) else { return false };
    let said = |until: usize| -> String {
        let parts = (opened..until).filter(|at| story.adds_to(*at) == Some(named));
        parts.filter_map(|at| story.text(at, "delta")).collect()
    };
    story.text(at, "delta").is_some()
        && said(at + 1).starts_with(held)
        && !said(at).starts_with(held)
}
