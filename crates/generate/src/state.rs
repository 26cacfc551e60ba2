//! What a generator knows of the stream that it has woven so far.

use std::collections::{BTreeMap, BTreeSet};

use conform_event::shape::Version;
use serde_json::Value;

/// Who owns an entity: a subagent's id, or none for the parent agent.
pub type Owner = Option<String>;

/// The kinds of entities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A text message, or the message that a result makes.
    Text,
    /// A reasoning message; its owner is the span's too.
    Reasoning,
    /// A reasoning span.
    Span,
    /// A tool call.
    Call,
    /// A step.
    Step,
    /// An invocation of a subagent.
    Subagent,
    /// An activity.
    Activity,
}

impl Kind {
    /// The record that holds the owner: spans share the reasoning messages'.
    pub(crate) fn record(self) -> Self {
        if self == Self::Span { Self::Reasoning } else { self }
    }

    /// The name that reports use.
    ///
    /// ```
    /// assert_eq!(conform_generate::Kind::Text.as_str(), "text-message");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text-message",
            Self::Reasoning => "reasoning-message",
            Self::Span => "reasoning-span",
            Self::Call => "tool-call",
            Self::Step => "step",
            Self::Subagent => "subagent",
            Self::Activity => "activity",
        }
    }
}

/// Something that is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Open {
    /// Who owns it; a step's is its tag.
    pub owner: Owner,
    /// The lane, if chunks hold it open.
    pub lane: Option<Owner>,
}

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Phase {
    /// None has begun.
    #[default]
    Before,
    /// One is going on.
    Running,
    /// The last one finished.
    Finished,
    /// The last one failed.
    Failed,
}

/// What is known between two events.
#[derive(Debug, Clone, Default)]
pub struct State {
    /// Where the run stands.
    pub phase: Phase,
    /// The recorded owners, by kind (spans under reasoning messages) and id.
    pub owners: BTreeMap<(Kind, String), Owner>,
    /// What is open. A step's id is its name; two owners may each have one of a name, so
    /// that the owner is part of the key.
    pub open: BTreeMap<(Kind, String, Owner), Open>,
    /// What was open in this run and is not.
    pub closed: BTreeSet<(Kind, String)>,
    /// The item that each lane holds open in chunks.
    pub lanes: BTreeMap<Owner, (Kind, String)>,
    /// The subagents that were announced in this run.
    pub announced: BTreeSet<String>,
    /// Those of them that have ended.
    pub ended: BTreeSet<String>,
    /// The tags in use in this run.
    pub tags: BTreeSet<String>,
    /// The calls that the run opened and nobody has answered since, in the order first opened.
    pub unanswered: Vec<String>,
    /// The calls that earlier runs introduced.
    pub earlier_calls: BTreeSet<String>,
    /// Whether the run's input is known and resumes nothing, so that no other call may be
    /// answered.
    pub input_known: bool,
    /// Who spawned each agent of the run that has an id.
    pub spawners: BTreeMap<String, Owner>,
    /// Whether the chunk stream that was closed last ended with its owner or its run: of
    /// each kind, in each lane, and in any.
    pub(crate) last_closed: BTreeMap<(Kind, Option<Owner>), bool>,
    /// What the first opening of an item says of it, on the stream: of a text message its role
    /// (empty where it is absent) and name, of a call its tool and parent message. Of the
    /// message that a result makes, `tool` and the call.
    pub(crate) said: BTreeMap<(Kind, String), (String, Option<String>)>,
    /// The messages on the stream: those opened, those that results made, and those of lists
    /// and inputs. Their kind is text, reasoning or activity.
    pub(crate) messages: BTreeMap<(Kind, String), Message>,
    /// The content of each activity on the stream, as patched.
    pub(crate) activities: BTreeMap<String, Value>,
    /// The shared state, as patched; none while nothing has established it.
    pub(crate) shared: Option<Value>,
    /// The protocol version that the run declares.
    pub(crate) version: Option<Version>,
    /// The ids of the runs so far.
    pub(crate) runs: Vec<String>,
    /// The frontend tools that the run's input advertises.
    pub(crate) tools: BTreeSet<String>,
    /// The calls that the run opened, in the order first opened.
    pub(crate) run_calls: Vec<String>,
    /// The calls that were answered since they were last opened, on the stream: by a result,
    /// or by a message of a list or an input.
    pub(crate) answered: BTreeSet<String>,
    /// The calls that were opened on the stream, and whether the input of the run that opened
    /// each advertises its tool.
    pub(crate) frontend: BTreeMap<String, bool>,
    /// The message that answers a call, on the stream; a frontend call's waits for an input.
    pub(crate) results: BTreeMap<String, String>,
    /// The argument text of each call that the run opened.
    pub(crate) arguments: BTreeMap<String, Arguments>,
    /// The interrupts that the last run ended with.
    pub(crate) interrupts: Vec<String>,
}

/// A message that is known on the stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Message {
    /// Its role.
    pub(crate) role: String,
    /// The call that a tool message answers.
    pub(crate) answers: Option<String>,
    /// The calls that have it as their parent, or were listed with it.
    pub(crate) calls: Vec<String>,
    /// Whether an input carried it.
    pub(crate) carried: bool,
}

/// The argument text of a call in a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Arguments {
    /// What was sent.
    pub(crate) sent: String,
    /// What is missing to a JSON document.
    pub(crate) rest: String,
}

impl State {
    /// The key under which an entity may be open.
    pub(crate) fn key(kind: Kind, id: &str, owner: &Owner) -> (Kind, String, Owner) {
        // Only steps are told apart by owner.
        let owner = if kind == Kind::Step { owner.clone() } else { None };
        (kind, id.to_owned(), owner)
    }

    /// The recorded owner.
    pub fn owner(&self, kind: Kind, id: &str) -> Option<&Owner> {
        self.owners.get(&(kind.record(), id.to_owned()))
    }

    pub(crate) fn is_open(&self, kind: Kind, id: &str, owner: &Owner) -> bool {
        self.open.contains_key(&Self::key(kind, id, owner))
    }

    pub(crate) fn own(&mut self, kind: Kind, id: &str, owner: &Owner) {
        self.owners.insert((kind.record(), id.to_owned()), owner.clone());
    }

    /// Records the owner of an id that has none.
    pub(crate) fn own_first(&mut self, kind: Kind, id: &str, owner: &Owner) {
        self.owners.entry((kind.record(), id.to_owned())).or_insert_with(|| owner.clone());
    }

    pub(crate) fn opens(&mut self, kind: Kind, id: &str, owner: &Owner, lane: Option<Owner>) {
        let open = Open { owner: owner.clone(), lane };
        self.open.insert(Self::key(kind, id, owner), open);
    }

    pub(crate) fn closes(&mut self, kind: Kind, id: &str, owner: &Owner) {
        self.open.remove(&Self::key(kind, id, owner));
        self.closed.insert((kind, id.to_owned()));
    }

    /// Ends the chunk stream of a lane, because something else came.
    pub(crate) fn close_lane(&mut self, lane: &Owner) {
        self.end_lane(lane, false);
    }

    /// Ends the chunk stream of a lane, with its owner or its run or not.
    pub(crate) fn end_lane(&mut self, lane: &Owner, with_owner: bool) {
        if let Some((kind, id)) = self.lanes.remove(lane) {
            self.closes(kind, &id, &None);
            self.last_closed.insert((kind, Some(lane.clone())), with_owner);
            self.last_closed.insert((kind, None), with_owner);
        }
    }

    /// Ends the chunk stream that assembles an item, in whatever lane.
    pub(crate) fn close_assembling(&mut self, kind: Kind, id: &str) {
        let lane = self.lanes.iter().find(|(_, item)| item.0 == kind && item.1 == id);
        if let Some(lane) = lane.map(|(lane, _)| lane.clone()) {
            self.close_lane(&lane);
        }
    }

    pub(crate) fn close_all_lanes(&mut self) {
        while let Some(lane) = self.lanes.keys().next().cloned() {
            self.end_lane(&lane, true);
        }
    }

    /// Records that a call was opened: it waits for an answer.
    pub(crate) fn call_opened(&mut self, id: &str) {
        if !self.run_calls.iter().any(|call| call == id) {
            self.run_calls.push(id.to_owned());
        }
        self.answered.remove(id);
        let advertised = self.is_advertised(id);
        self.frontend.entry(id.to_owned()).or_insert(advertised);
        self.wait_again();
    }

    /// Records that a call was answered.
    pub(crate) fn call_answered(&mut self, id: &str) {
        self.answered.insert(id.to_owned());
        self.wait_again();
    }

    fn wait_again(&mut self) {
        let waiting = self.run_calls.iter().filter(|call| !self.answered.contains(*call));
        self.unanswered = waiting.cloned().collect();
    }

    /// Whether the run's input advertises the tool of a call.
    pub(crate) fn is_advertised(&self, call: &str) -> bool {
        let said = self.said.get(&(Kind::Call, call.to_owned()));
        said.is_some_and(|(tool, _)| self.tools.contains(tool))
    }

    /// Whether a call is one that only an input may answer.
    pub(crate) fn is_frontend(&self, call: &str) -> bool {
        self.frontend.get(call).copied().unwrap_or_default() || self.is_advertised(call)
    }

    /// The lanes that hold an item of this kind.
    pub(crate) fn lanes_of(&self, kind: Kind) -> impl Iterator<Item = &Owner> {
        self.lanes.iter().filter(move |(_, item)| item.0 == kind).map(|(lane, _)| lane)
    }

    /// A run begins: what belongs to a run is forgotten.
    pub(crate) fn begin(&mut self) {
        let calls = self.owners.keys().filter(|(kind, _)| *kind == Kind::Call);
        let calls: Vec<String> = calls.map(|(_, id)| id.clone()).collect();
        self.close_all_lanes();
        self.earlier_calls.extend(calls);
        *self = Self {
            phase: Phase::Running,
            earlier_calls: std::mem::take(&mut self.earlier_calls),
            said: std::mem::take(&mut self.said),
            last_closed: std::mem::take(&mut self.last_closed),
            messages: std::mem::take(&mut self.messages),
            activities: std::mem::take(&mut self.activities),
            shared: self.shared.take(),
            runs: std::mem::take(&mut self.runs),
            answered: std::mem::take(&mut self.answered),
            frontend: std::mem::take(&mut self.frontend),
            results: std::mem::take(&mut self.results),
            ..Self::default()
        };
    }
}
