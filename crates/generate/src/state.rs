//! What a generator knows of the stream that it has woven so far.

use std::collections::{BTreeMap, BTreeSet};

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
    /// The calls that the run started and nobody has answered, in order.
    pub unanswered: Vec<String>,
    /// The calls that earlier runs introduced.
    pub earlier_calls: BTreeSet<String>,
    /// Whether the run's input is known.
    pub input_known: bool,
    /// Who spawned each agent of the run that has an id.
    pub spawners: BTreeMap<String, Owner>,
    /// Whether the chunk stream that was closed last ended with its owner or its run: of
    /// each kind, in each lane, and in any.
    pub(crate) last_closed: BTreeMap<(Kind, Option<Owner>), bool>,
    /// Role of a text message and name and parent of a call, as first said.
    pub(crate) said: BTreeMap<(Kind, String), (String, Option<String>)>,
    /// Whether the run's state is known to be an object.
    pub(crate) shared_is_known: bool,
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
            shared_is_known: self.shared_is_known,
            ..Self::default()
        };
    }
}
