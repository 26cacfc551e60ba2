//! Faults beyond the order of events: a run of our own, in which one thing is wrong, comes
//! after the last run of a valid stream.
//!
//! A sketch is such a run, broken and mended; what it takes to break the requirement is all in
//! it, so that it is known by construction which event shows the fault.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::{Cell, Change, Edit, Who};

mod amid;
mod bend;
mod content;
mod depths;
mod inplace;
mod items;
mod known;
mod runs;
mod shape;

pub(super) use amid::{Amid, Place, places};

/// The threadId of a sketch, until it is put onto a stream.
const THREAD: &str = "own-thread";

/// A run of our own, broken at one place.
#[derive(Debug, Clone)]
pub(super) struct Sketch {
    requirement: &'static str,
    event_type: &'static str,
    who: Who,
    broken: Vec<Value>,
    mended: Vec<Value>,
    /// The event that shows what is broken, by its place in `broken`.
    at: usize,
    /// What may stand amid another run too.
    part: Option<Part>,
}

/// What is between the start and the end of a sketch, in the parent agent's name.
#[derive(Debug, Clone)]
struct Part {
    broken: Vec<Value>,
    mended: Vec<Value>,
    /// The event that shows what is broken, by its place in `broken`; none is the end of the
    /// run.
    at: Option<usize>,
    /// How the run ends.
    end: Value,
    needs: Needs,
    /// Whether a chunk stream may be open at its end.
    chunked: bool,
    /// Whether a list gives the parent agent what the rest is about.
    parents: bool,
}

/// What it takes for a part to stand amid another run.
#[derive(Debug, Clone, Copy)]
struct Needs {
    /// The shared state is known, and can be established again.
    state: bool,
    /// The run declares the newest version.
    newest: bool,
    /// No message whose id is empty is known.
    no_empty_parent: bool,
}

impl Part {
    fn of(broken: Vec<Value>, mended: Vec<Value>, at: Option<usize>, end: Value) -> Self {
        let events = || broken.iter().chain(&mended);
        let of_state = |event: &Value| type_of(event).starts_with("STATE_");
        let has = |name: &str, value: &Value| {
            events().any(|event| event.get(name).is_some_and(|held| held == value))
        };
        let needs = Needs {
            state: events().any(of_state),
            newest: events().any(|event| event.to_string().contains("encryptedValueType")),
            no_empty_parent: has("parentMessageId", &json!("")),
        };
        let chunked = events().any(|event| type_of(event).ends_with("_CHUNK"));
        let list = |event: &Value| Some(event.get("messages")?.as_array()?.clone());
        let before = broken.iter().take(at.unwrap_or_default()).filter_map(list).flatten();
        let roles = ["reasoning", "tool"];
        let parents =
            before.into_iter().any(|entry| roles.iter().any(|role| entry["role"] == *role));
        Self { broken, mended, at, end, needs, chunked, parents }
    }

    /// The calls that it leaves unanswered.
    fn pending(&self) -> Vec<&str> {
        let ids = self.end.pointer("/outcome/pendingToolCallIds").and_then(Value::as_array);
        ids.into_iter().flatten().filter_map(Value::as_str).collect()
    }
}

static SKETCHES: LazyLock<Vec<Sketch>> = LazyLock::new(|| {
    let mut sketches = Vec::new();
    runs::sketches(&mut sketches);
    depths::sketches(&mut sketches);
    for owner in Owned::ALL {
        items::sketches(owner, &mut sketches);
        content::sketches(owner, &mut sketches);
        shape::sketches(owner, &mut sketches);
    }
    sketches
});

/// How many sketches there are.
pub(super) fn count() -> usize {
    SKETCHES.len()
}

/// The place of a sketch in the grid.
pub(super) fn cell(place: usize) -> Option<Cell> {
    let sketch = SKETCHES.get(place)?;
    Some(Cell {
        rule: sketch.requirement,
        kind: None,
        event_type: sketch.event_type,
        who: sketch.who,
    })
}

/// The fault that a sketch makes of a stream of so many events, on this thread.
pub(super) fn edit(place: usize, events: &[Value]) -> Option<Edit> {
    let sketch = SKETCHES.get(place)?;
    let thread = events.iter().find_map(|event| event.get("threadId"))?;
    let on_thread = |events: &[Value]| -> Vec<Value> {
        let mut events = events.to_vec();
        for event in &mut events {
            for at in ["/threadId", "/thread_id", "/input/threadId", "/input/thread_id"] {
                if let Some(place) = event.pointer_mut(at).filter(|id| *id == THREAD) {
                    *place = thread.clone();
                }
            }
        }
        events
    };
    Some(Edit {
        cell: cell(place)?,
        requirement: sketch.requirement,
        change: Change::Splice(events.len(), on_thread(&sketch.broken), events.len() + sketch.at),
        twin: Some(on_thread(&sketch.mended)),
    })
}

/// In whose name the events of a sketch are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owned {
    /// The parent agent's.
    Parent,
    /// An announced subagent's.
    Subagent,
    /// That of a subagent of a subagent.
    Nested,
    /// That of the subagent whose id is the empty string, which is not announced.
    EmptyId,
}

impl Owned {
    const ALL: [Self; 4] = [Self::Parent, Self::Subagent, Self::Nested, Self::EmptyId];

    fn who(self) -> Who {
        match self {
            Self::Parent => Who::Parent,
            Self::Subagent => Who::Subagent,
            Self::Nested => Who::Nested,
            Self::EmptyId => Who::EmptyId,
        }
    }

    fn tag(self) -> Option<&'static str> {
        match self {
            Self::Parent => None,
            Self::Subagent => Some("own-agent"),
            Self::Nested => Some("own-nested"),
            Self::EmptyId => Some(""),
        }
    }

    /// What announces it.
    fn begins(self) -> Vec<Value> {
        let outer = json!({"type": "SUBAGENT_STARTED", "subagentRunId": "own-agent", "name": "a"});
        let inner = json!({
            "type": "SUBAGENT_STARTED", "subagentRunId": "own-nested", "name": "b",
            "parentSubagentRunId": "own-agent",
        });
        match self {
            Self::Parent | Self::EmptyId => Vec::new(),
            Self::Subagent => vec![outer],
            Self::Nested => vec![outer, inner],
        }
    }

    /// What ends it.
    fn ends(self) -> Vec<Value> {
        let end = |id| json!({"type": "SUBAGENT_FINISHED", "subagentRunId": id});
        match self {
            Self::Parent | Self::EmptyId => Vec::new(),
            Self::Subagent => vec![end("own-agent")],
            Self::Nested => vec![end("own-nested"), end("own-agent")],
        }
    }

    /// The event in its name.
    fn says(self, mut event: Value) -> Value {
        if let Some(tag) = self.tag() {
            event["subagentRunId"] = json!(tag);
        }
        event
    }
}

fn started() -> Value {
    json!({"type": "RUN_STARTED", "threadId": THREAD, "runId": "own-run", "protocolVersion": "1.1"})
}

fn finished() -> Value {
    json!({"type": "RUN_FINISHED", "threadId": THREAD, "runId": "own-run"})
}

fn failed() -> Value {
    json!({"type": "RUN_ERROR", "message": "over"})
}

/// The event with other members.
fn with(mut event: Value, members: &Value) -> Value {
    for (name, value) in members.as_object().into_iter().flatten() {
        event[name] = value.clone();
    }
    event
}

/// The event without one.
fn without(mut event: Value, member: &str) -> Value {
    if let Some(members) = event.as_object_mut() {
        members.shift_remove(member);
    }
    event
}

/// Whether an event is somebody's: not of the run or the conversation as a whole, nor of a
/// subagent itself, nor tagged already.
fn is_unsigned(event: &Value) -> bool {
    // However the type is spelt.
    let name = event.get("type").and_then(Value::as_str).unwrap_or_default();
    let name = name.replace('_', "").to_uppercase();
    let whole = ["RUN", "SUBAGENT", "MESSAGESSNAPSHOT"].iter().any(|whole| name.starts_with(whole));
    !whole && event.get("subagentRunId").is_none()
}

/// The event in somebody's name, if it is to have one.
fn signed(event: &Value, tag: Option<&str>) -> Value {
    let mut event = event.clone();
    if let Some(tag) = tag.filter(|_| is_unsigned(&event)) {
        event["subagentRunId"] = json!(tag);
    }
    event
}

/// The wire name of an event's type, as one that lasts.
fn type_of(event: &Value) -> &'static str {
    let name = event.get("type").and_then(Value::as_str).unwrap_or_default();
    conform_event::EventType::from_name(name).map_or("other", conform_event::EventType::as_str)
}

/// A run whose events in the middle are in somebody's name: what comes before the fault, the
/// fault and what would be right, what comes after it, and how the run ends.
struct Middle<'s> {
    owner: Owned,
    before: Vec<Value>,
    after: Vec<Value>,
    end: Value,
    out: &'s mut Vec<Sketch>,
}

impl<'s> Middle<'s> {
    fn of(owner: Owned, out: &'s mut Vec<Sketch>) -> Self {
        Self { owner, before: Vec::new(), after: Vec::new(), end: finished(), out }
    }

    fn before(self, before: impl IntoIterator<Item = Value>) -> Self {
        Self { before: before.into_iter().collect(), ..self }
    }

    fn after(self, after: impl IntoIterator<Item = Value>) -> Self {
        Self { after: after.into_iter().collect(), ..self }
    }

    fn ending(self, end: Value) -> Self {
        Self { end, ..self }
    }

    /// The sketch of a fault in the event after `before`.
    fn breaks(self, requirement: &'static str, broken: Value, mended: impl Into<Option<Value>>) {
        self.breaks_at(requirement, 0, vec![broken], mended.into().into_iter().collect());
    }

    /// The same, of several events, of which the last shows the fault.
    fn breaks_last(self, requirement: &'static str, broken: Vec<Value>, mended: Vec<Value>) {
        let last = broken.len().saturating_sub(1);
        self.breaks_at(requirement, last, broken, mended);
    }

    /// The same, of several events, of which that at `shown` shows the fault.
    fn breaks_at(
        self,
        requirement: &'static str,
        shown: usize,
        broken: Vec<Value>,
        mended: Vec<Value>,
    ) {
        let event_type = broken.get(shown).map_or("other", type_of);
        let Self { owner, before, after, end, out } = self;
        let begin: Vec<Value> = [vec![started()], owner.begins()].concat();
        let at = begin.len() + before.len() + shown;
        let whole = |middle: Vec<Value>| -> Vec<Value> {
            before.iter().cloned().chain(middle).chain(after.iter().cloned()).collect()
        };
        let run = |middle: &[Value]| -> Vec<Value> {
            let said = middle.iter().map(|event| signed(event, owner.tag()));
            begin.iter().cloned().chain(said).chain(owner.ends()).chain([end.clone()]).collect()
        };
        let at_own = Some(before.len() + shown);
        let part = Part::of(whole(broken), whole(mended), at_own, end.clone());
        let (broken, mended) = (run(&part.broken), run(&part.mended));
        // In other runs it is said in whoever's name there is.
        let part = (owner == Owned::Parent).then_some(part);
        out.push(Sketch { requirement, event_type, who: owner.who(), broken, mended, at, part });
    }
}
