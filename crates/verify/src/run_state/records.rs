//! What is kept of an id.

use std::collections::{BTreeMap, HashMap};

use conform_event::Item;

use super::Id;
use crate::breach::Breach;
use crate::entity::{Entity, EntityKind, Owner, Position};

#[derive(Debug, Clone)]
pub(super) struct Owned {
    pub(super) owner: Owner,
    pub(super) at: Position,
    /// Whom a refused event claimed it for; only [`RunState::assume`](super::RunState::assume)
    /// lets that pass.
    pub(super) assumed: Option<Claim>,
}

/// Who else may pass for an owner.
#[derive(Debug, Clone)]
pub(super) enum Claim {
    /// Whom a refused event named.
    By(Owner),
    /// Anyone: the event that opened it is missing.
    Anyone,
}

impl Owned {
    pub(super) fn by(owner: Owner, at: Position) -> Self {
        Self { owner, at, assumed: None }
    }

    /// Whether a tag may stand on what is owned: no tag always, and the owner's.
    pub(super) fn admits(&self, tag: Option<&str>) -> bool {
        tag.is_none() || self.is(tag)
    }

    /// Whether this is the owner: a subagent's id, or the parent agent.
    pub(super) fn is(&self, id: Option<&str>) -> bool {
        let assumed = match &self.assumed {
            None => false,
            Some(Claim::By(owner)) => owner.id() == id,
            Some(Claim::Anyone) => true,
        };
        assumed || self.owner.id() == id
    }
}

/// What is known of an id: its owner, and the states of what it names. A reasoning id
/// names a message and a span.
#[derive(Debug, Clone)]
pub(super) struct Record {
    pub(super) owned: Owned,
    pub(super) main: Openness,
    pub(super) span: Openness,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Openness {
    pub(super) open: Option<Open>,
    pub(super) closed_at: Option<Position>,
}

/// An open item.
#[derive(Debug, Clone)]
pub(crate) struct Open {
    pub(crate) since: Position,
    pub(crate) form: Form,
    /// Its place in the order of opening.
    pub(super) order: u64,
    /// How often it was opened beyond once; only [`RunState::assume`] does that.
    pub(crate) again: u32,
    /// Whether both forms are let pass; only [`RunState::assume`] does that.
    pub(crate) mixed: bool,
}

/// How an open item is streamed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Form {
    Explicit,
    /// In chunks, in the lane of this owner.
    Chunks(Owner),
}

/// The steps of one name, owner by owner.
#[derive(Debug, Clone, Default)]
pub(super) struct Steps {
    parent: Step,
    tagged: HashMap<Id, Step>,
    /// Those that are open, in the order of opening.
    pub(super) open: BTreeMap<u64, (Owner, Position)>,
}

/// The step of one name and owner.
#[derive(Debug, Clone, Default)]
pub(super) struct Step {
    /// Its places in the order of opening; more than one only after
    /// [`RunState::assume`](super::RunState::assume).
    pub(super) open: Vec<u64>,
    pub(super) closed_at: Option<Position>,
}

impl Steps {
    pub(super) fn get(&self, tag: Option<&str>) -> Option<&Step> {
        match tag {
            None => Some(&self.parent),
            Some(tag) => self.tagged.get(tag),
        }
    }

    pub(super) fn of(&mut self, owner: &Owner) -> &mut Step {
        match owner.shared_id() {
            None => &mut self.parent,
            Some(id) => self.tagged.entry(id).or_default(),
        }
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct Subagent {
    pub(super) active: Option<Open>,
    pub(super) finished_at: Option<Position>,
}

impl Record {
    pub(super) fn openness(&self, item: Item) -> &Openness {
        if item == Item::ReasoningSpan { &self.span } else { &self.main }
    }

    pub(super) fn openness_mut(&mut self, span: bool) -> &mut Openness {
        if span { &mut self.span } else { &mut self.main }
    }
}

/// Where a kind's open entities are kept; activities are never open.
pub(super) fn slot(kind: EntityKind) -> usize {
    match kind {
        EntityKind::TextMessage => 0,
        EntityKind::ReasoningMessage => 1,
        EntityKind::ReasoningSpan => 2,
        EntityKind::ToolCall => 3,
        EntityKind::Step => 4,
        EntityKind::Subagent => 5,
        EntityKind::Activity => usize::MAX,
    }
}

/// A tag agrees with the owner that it names; no tag agrees with every owner.
pub(super) fn agrees(
    kind: EntityKind,
    id: &str,
    owned: &Owned,
    tag: Option<&str>,
) -> Result<(), Breach> {
    match tag {
        Some(tag) if !owned.admits(Some(tag)) => Err(Breach::WrongOwner {
            entity: Entity::new(kind, id),
            owner: owned.owner.clone(),
            claimed: Owner::subagent(tag),
            at: owned.at,
        }),
        _ => Ok(()),
    }
}

/// Records an owner: in any case, or only where the id has none yet.
pub(super) fn record(records: &mut HashMap<Id, Record>, id: &str, owned: &Owned, replace: bool) {
    match records.get_mut(id) {
        Some(record) if replace => record.owned = owned.clone(),
        Some(_) => {}
        None => {
            let owned = owned.clone();
            let record = Record { owned, main: Openness::default(), span: Openness::default() };
            records.insert(id.into(), record);
        }
    }
}

pub(super) fn put<T>(map: &mut HashMap<Id, T>, id: &str, value: T) {
    match map.get_mut(id) {
        Some(old) => *old = value,
        None => {
            map.insert(id.into(), value);
        }
    }
}
