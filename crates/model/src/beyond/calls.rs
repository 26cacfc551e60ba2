//! Tool calls.

use conform_event::json::{FlawKind, Json, read};
use conform_event::{Body, Item};

use super::{Story, calls_of, messages, outcome};

pub(super) fn breaches(story: &Story<'_>, at: usize) -> Vec<&'static str> {
    let mut broken = Vec::new();
    let mut rule = |id, breaks: bool| {
        if breaks {
            broken.push(id);
        }
    };
    rule("tool/reopen-agrees", reopens_otherwise(story, at));
    rule("tool/one-result", answers_again(story, at));
    rule("tool/arguments-are-json", closes_no_json(story, at));
    rule("tool/frontend-call-unanswered", answers_frontend_call(story, at));
    if *story.body(at) == Body::RunFinished {
        rule("tool/frontend-stop-is-success", stops_as_interrupted(story, at));
        let listed = story.json(at).get("outcome").and_then(|o| o.get("pendingToolCallIds"));
        let success = outcome(story.json(at)) == Some("success");
        let plain = story.json(at).get("outcome").is_none();
        let pending = pending(story, at);
        let strings = listed.and_then(strings).filter(|_| success);
        rule("tool/pending-list-exact", strings.is_some_and(|listed| listed != pending));
        let silent = (plain || success) && listed.is_none();
        rule("tool/pending-list-sent", silent && !pending.is_empty());
    }
    broken
}

fn strings<'j>(list: &'j Json<'_>) -> Option<Vec<&'j str>> {
    let all: Option<Vec<&str>> = list.items().iter().map(Json::as_str).collect();
    all.filter(|_| list.kind() == "an array")
}

fn is_start(story: &Story<'_>, at: usize, call: &str) -> bool {
    story.opens(at) == Some((Item::ToolCall, call))
}

/// toolCallName and parentMessageId of what opens a call, where they can be read.
fn said<'e>(story: &Story<'e>, at: usize, call: &str) -> Option<[Option<&'e str>; 2]> {
    let parent = story.json(at).get("parentMessageId");
    let readable = parent.is_none_or(|json| json.as_str().is_some());
    let name = story.text(at, "toolCallName");
    let opens = is_start(story, at, call) && readable && name.is_some();
    opens.then(|| [name, story.text(at, "parentMessageId")])
}

fn reopens_otherwise(story: &Story<'_>, at: usize) -> bool {
    let Some((Item::ToolCall, call)) = story.opens(at) else { return false };
    let Some(own) = said(story, at, call) else { return false };
    (0..at).find_map(|earlier| said(story, earlier, call)).is_some_and(|first| first != own)
}

fn answers(story: &Story<'_>, at: usize, wanted: &str) -> bool {
    matches!(story.body(at), Body::ToolResult { call, .. } if call == wanted)
}

/// "A second TOOL_CALL_RESULT of a call that was not opened in between, on the stream."
fn answers_again(story: &Story<'_>, at: usize) -> bool {
    let Body::ToolResult { call, .. } = story.body(at) else { return false };
    let last = (0..at).rev().find(|at| answers(story, *at, call) || is_start(story, *at, call));
    last.is_some_and(|last| answers(story, last, call))
}

/// "When a call closes, all its argument text since it was first opened in the run is one JSON
/// document."
fn closes_no_json(story: &Story<'_>, at: usize) -> bool {
    if *story.body(at) == Body::RunError {
        return false;
    }
    // What RUN_STARTED closes belongs to no run any more.
    let run = match story.body(at) {
        Body::RunStarted { .. } => return false,
        _ => story.run_before(at),
    };
    let calls = story.closes(at).into_iter().filter(|(item, _)| *item == Item::ToolCall);
    calls.into_iter().any(|named| {
        let mut named_at = run
            .clone()
            .filter(|at| story.opens(*at) == Some(named) || story.adds_to(*at) == Some(named));
        let Some(first) = named_at.next() else { return true };
        if (first..at).any(|at| is_unreadable(story, at, named)) {
            return false;
        }
        let parts = run.clone().filter(|at| story.adds_to(*at) == Some(named));
        let arguments: String = parts.filter_map(|at| story.text(at, "delta")).collect();
        !is_document(&arguments)
    })
}

/// Whether an event adds arguments that cannot be read, or adds them to who knows which call.
fn is_unreadable(story: &Story<'_>, at: usize, named: super::Named<'_>) -> bool {
    use conform_event::EventType as T;
    let event_type = story.events[at].event.event_type();
    if !matches!(event_type, Some(T::ToolCallArgs | T::ToolCallChunk)) {
        return false;
    }
    if *story.body(at) == Body::Hidden {
        return true;
    }
    let delta = story.json(at).get("delta");
    let absent = delta.is_none() && event_type == Some(T::ToolCallChunk);
    story.adds_to(at) == Some(named) && !absent && delta.and_then(Json::as_str).is_none()
}

fn is_document(text: &str) -> bool {
    let Ok((_, flaws)) = read(text.as_bytes()) else { return false };
    let has = |kind| flaws.iter().any(|flaw| flaw.kind == kind);
    // What is nested too deeply is not judged.
    has(FlawKind::TooDeep)
        || !has(FlawKind::TrailingData)
            && !has(FlawKind::RawControl)
            && !has(FlawKind::ByteOrderMark)
}

fn tools<'e>(story: &Story<'e>, at: usize) -> Vec<&'e str> {
    let lists = story.inputs(at).into_iter().filter_map(|input| input.get("tools"));
    lists.flat_map(Json::items).filter_map(|tool| tool.text("name")).collect()
}

/// "A call is a frontend call if its toolCallName is among the tools of the input of the run
/// that opened it (of the current run, if no run on the stream opened it; then its name is
/// from the lists)."
fn is_frontend(story: &Story<'_>, at: usize, call: &str) -> bool {
    let opened = (0..=at).rev().find(|at| is_start(story, *at, call));
    if let Some(opened) = opened {
        let name = story.text(opened, "toolCallName");
        return name.is_some_and(|name| tools(story, opened).contains(&name));
    }
    let snapshots = (0..=at).filter(|at| matches!(story.body(*at), Body::MessagesSnapshot { .. }));
    let listed = |holder: &Json<'_>| -> Option<String> {
        let calls = messages(holder).iter().flat_map(calls_of);
        let named = calls.filter(|listed| listed.text("id") == Some(call));
        let mut names = named.filter_map(|listed| listed.get("function")?.text("name"));
        names.next().map(str::to_owned)
    };
    // The first list that tells it, in the order in which they became known.
    let mut lists: Vec<&Json<'_>> = story.request.into_iter().collect();
    let known = (0..=at).filter_map(|at| match story.echo(at) {
        Some(echo) => Some(echo),
        None => snapshots.clone().any(|snapshot| snapshot == at).then(|| story.json(at)),
    });
    lists.extend(known);
    let name = lists.into_iter().find_map(listed);
    name.is_some_and(|name| tools(story, at).contains(&name.as_str()))
}

/// The calls that the tool messages of a list answer.
fn answered_in<'j>(holder: &'j Json<'_>) -> Vec<&'j str> {
    let tools = messages(holder).iter().filter(|message| message.text("role") == Some("tool"));
    tools.filter_map(|message| message.text("toolCallId")).collect()
}

fn answers_frontend_call(story: &Story<'_>, at: usize) -> bool {
    match story.body(at) {
        Body::ToolResult { call, .. } => is_frontend(story, at, call),
        Body::MessagesSnapshot { .. } => {
            let excused: Vec<&str> = story.seeds(at).into_iter().flat_map(answered_in).collect();
            let told = |call: &str| {
                (0..at).any(|earlier| {
                    matches!(story.body(earlier), Body::MessagesSnapshot { .. })
                        && answered_in(story.json(earlier)).contains(&call)
                        && is_frontend(story, earlier, call)
                })
            };
            let listed = answered_in(story.json(at));
            listed
                .into_iter()
                .any(|call| !excused.contains(&call) && is_frontend(story, at, call) && !told(call))
        }
        _ => false,
    }
}

/// The calls opened in the run, "in the order first opened, that nothing answered since last
/// opened. A TOOL_CALL_RESULT answers, and so does a tool message in a MESSAGES_SNAPSHOT."
fn pending<'e>(story: &Story<'e>, at: usize) -> Vec<&'e str> {
    let run = story.run_before(at);
    let mut made: Vec<&str> = Vec::new();
    for earlier in run.clone() {
        if let Some((Item::ToolCall, call)) = story.opens(earlier)
            && !made.contains(&call)
        {
            made.push(call);
        }
    }
    made.retain(|call| {
        let last = run.clone().rev().find(|at| is_start(story, *at, call)).unwrap_or(at);
        !(last..at).any(|at| {
            answers(story, at, call)
                || matches!(story.body(at), Body::MessagesSnapshot { .. })
                    && answered_in(story.json(at)).contains(call)
        })
    });
    made
}

/// "RUN_FINISHED with outcome `interrupt`, where the run opened frontend calls that nothing
/// answered, and each of its interrupts (one at least) has one of them as toolCallId."
fn stops_as_interrupted(story: &Story<'_>, at: usize) -> bool {
    let open: Vec<&str> =
        pending(story, at).into_iter().filter(|call| is_frontend(story, at, call)).collect();
    let interrupts = story.json(at).get("outcome").and_then(|o| o.get("interrupts"));
    let interrupts = interrupts.map_or(&[][..], Json::items);
    let about_call = |interrupt: &Json<'_>| {
        interrupt.text("toolCallId").is_some_and(|call| open.contains(&call))
    };
    outcome(story.json(at)) == Some("interrupt")
        && !interrupts.is_empty()
        && interrupts.iter().all(about_call)
}
