//! Faults: a valid stream with one thing broken at one place.
//!
//! A fault knows by construction which event must be rejected first, and why: it is made from
//! what the weaver knows at that place, not from any verifier.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::choose::Choose;
use crate::plan::{Plan, Scope};
use crate::state::{Kind, Owner, State};

mod beyond;
mod chunk;
mod insert;
mod pieces;
mod remove;

/// Who breaks the rule, as seen from the owner of what is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Who {
    /// The parent agent, at what is its own or nobody's.
    Parent,
    /// A subagent of the parent agent, at what is its own, the parent agent's or nobody's.
    Subagent,
    /// A subagent, at what another of the same spawner owns.
    Sibling,
    /// A subagent of a subagent, or one at what is owned elsewhere in the tree.
    Nested,
    /// The subagent whose id is the empty string.
    EmptyId,
    /// An event without a tag, at what a subagent owns.
    Untagged,
}

impl Who {
    /// Every relation.
    pub const ALL: [Self; 6] =
        [Self::Parent, Self::Subagent, Self::Sibling, Self::Nested, Self::EmptyId, Self::Untagged];

    /// The name in grids.
    ///
    /// ```
    /// assert_eq!(conform_generate::Who::EmptyId.as_str(), "empty-id");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Parent => "parent",
            Self::Subagent => "subagent",
            Self::Sibling => "sibling",
            Self::Nested => "nested",
            Self::EmptyId => "empty-id",
            Self::Untagged => "untagged",
        }
    }

    /// Who tags an event with `tag` at what `owner` owns.
    fn of(state: &State, tag: &Owner, owner: &Owner) -> Self {
        let spawner = |id: &str| state.spawners.get(id).cloned().flatten();
        match (tag.as_deref(), owner.as_deref()) {
            (Some(""), _) => Self::EmptyId,
            (None, None) => Self::Parent,
            (None, Some(_)) => Self::Untagged,
            (Some(tag), Some(owner)) if tag != owner && spawner(tag) == spawner(owner) => {
                Self::Sibling
            }
            (Some(tag), Some(owner)) if tag != owner => Self::Nested,
            (Some(tag), _) if spawner(tag).is_some() => Self::Nested,
            (Some(_), _) => Self::Subagent,
        }
    }
}

/// A place in the grid of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// The rule, or the requirement where only stream scope refuses it.
    pub rule: &'static str,
    /// What it is broken at; none where the run as a whole is.
    pub kind: Option<Kind>,
    /// The type of the event that must be rejected; `end` for the end of the stream.
    pub event_type: &'static str,
    /// Who breaks it.
    pub who: Who,
}

/// A valid stream with one thing broken.
#[derive(Debug, Clone)]
pub struct Fault {
    /// Its place in the grid.
    pub cell: Cell,
    /// The requirement that it breaks.
    pub requirement: &'static str,
    /// The index of the event that must be rejected first; none is the end of the stream.
    pub at: Option<usize>,
    /// The events.
    pub events: Vec<Value>,
    /// The nearest stream that is valid.
    pub twin: Vec<Value>,
    /// Whether the twin is the whole stream, for want of a nearer one.
    pub twin_is_original: bool,
}

impl Fault {
    /// Every rule that a fault breaks, every requirement that only stream scope refuses, and
    /// every one beyond the order of events.
    pub const RULES: [&'static str; 50] = [
        "run-ended",
        "duplicate-run-started",
        "duplicate-start",
        "not-open",
        "unknown-id",
        "out-of-order",
        "open-at-finish",
        "owner-mismatch",
        "lifecycle/first-event",
        "lifecycle/terminated",
        "chunk/first-carries-id",
        "chunk/repeat-agrees",
        "chunk/forms-do-not-mix",
        "chunk/unambiguous-lane",
        "chunk/ends-with-its-owner",
        "lifecycle/same-run-id",
        "lifecycle/same-thread-id",
        "lifecycle/cancelled-has-no-result",
        "ids/run-not-reused",
        "ids/message-unique",
        "usage/parts-within-totals",
        "usage/total-is-the-sum",
        "usage/one-entry-per-model",
        "text/reopen-agrees",
        "tool/reopen-agrees",
        "tool/one-result",
        "tool/arguments-are-json",
        "tool/pending-list-exact",
        "tool/pending-list-sent",
        "reasoning/encrypted-entity-known",
        "reasoning/encrypted-type-needs-value",
        "state/delta-applies",
        "state/patch-well-formed",
        "activity/snapshot-first",
        "activity/delta-applies",
        "activity/stays-an-object",
        "activity/keep-agrees",
        "subagent/announced-before-use",
        "subagent/success-has-no-interrupts",
        "interrupt/at-least-one",
        "interrupt/unique-ids",
        "interrupt/suspended-ids-exist",
        "shape/known-type",
        "shape/known-fields",
        "shape/well-formed",
        "shape/absent-not-null",
        "shape/metadata-reserved-key",
        "shape/custom-name-prefixed",
        "version/declared",
        "version/published",
    ];

    /// Every fault that comes after a stream, in a run of its own: those of requirements beyond
    /// the ordering rules, in the order in which they are listed.
    pub fn all_beyond(stream: &[Value]) -> impl Iterator<Item = Self> {
        let edits = (0..beyond::count()).filter_map(move |place| beyond::edit(place, stream));
        edits.map(move |edit| edit.apply(stream))
    }

    /// One fault of every cell of those that stand amid the stream of a plan, in runs that go on
    /// around them; each has a place of its own.
    ///
    /// ```
    /// use conform_generate::{Dice, Fault, Plan, Scope};
    /// let mut dice = Dice::of(1);
    /// let plan = Plan::grow(&mut dice, Scope::Stream);
    /// let faults = Fault::each_amid_plan(&plan, &mut dice);
    /// assert!(faults.iter().any(|fault| fault.requirement == "shape/known-fields"));
    /// ```
    pub fn each_amid_plan(plan: &Plan, choose: &mut dyn Choose) -> Vec<Self> {
        let woven = plan.weave_with_states();
        let mut by_cell: BTreeMap<Cell, Vec<Draft<'_>>> = BTreeMap::new();
        for place in beyond::places(&woven.events, &woven.states) {
            for (cell, own) in place.all() {
                by_cell.entry(cell).or_default().push(Draft::Amid(place, own));
            }
        }
        let one = |mut drafts: Vec<Draft<'_>>| match drafts.swap_remove(choose.below(drafts.len()))
        {
            Draft::Amid(place, own) => place.edit(&own),
            _ => None,
        };
        by_cell.into_values().filter_map(one).map(|edit| edit.apply(&woven.events)).collect()
    }

    /// The ordering rule that it breaks, where it is one of the eight.
    ///
    /// ```
    /// use conform_generate::{Dice, Fault, Plan, Scope};
    /// let mut dice = Dice::of(1);
    /// let plan = Plan::grow(&mut dice, Scope::Stream);
    /// let fault = Fault::in_plan(&plan, &mut dice, |_| true).unwrap();
    /// assert!(fault.rule().is_some() || fault.requirement.contains('/'));
    /// ```
    pub fn rule(&self) -> Option<&'static str> {
        (!self.cell.rule.contains('/')).then_some(self.cell.rule)
    }

    /// A fault in the stream that a plan makes, of a cell that is `wanted`; none where the
    /// stream has no place for one. Every cell that it has a place for is as likely.
    pub fn in_plan(
        plan: &Plan,
        choose: &mut dyn Choose,
        wanted: impl Fn(&Cell) -> bool,
    ) -> Option<Self> {
        let woven = plan.weave_with_states();
        let all = edits(&woven.events, &woven.states, plan.scope).into_iter();
        let mut drafts: Vec<(Cell, Draft<'_>)> =
            all.map(|edit| (edit.cell, Draft::Edit(edit))).collect();
        if plan.scope == Scope::Stream {
            let after = (0..beyond::count()).filter_map(|own| Some((beyond::cell(own)?, own)));
            drafts.extend(after.map(|(cell, own)| (cell, Draft::After(own))));
            // What could stand at every place is tried at one.
            let places = beyond::places(&woven.events, &woven.states);
            if let Some(place) = places.get(choose.below(places.len())) {
                drafts.extend(place.all().map(|(cell, own)| (cell, Draft::Amid(*place, own))));
            }
        }
        let mut by_cell: BTreeMap<Cell, Vec<Draft<'_>>> = BTreeMap::new();
        for (cell, draft) in drafts.into_iter().filter(|(cell, _)| wanted(cell)) {
            by_cell.entry(cell).or_default().push(draft);
        }
        let cell = choose.below(by_cell.len());
        let (_, mut drafts) = by_cell.into_iter().nth(cell)?;
        let edit = match drafts.swap_remove(choose.below(drafts.len())) {
            Draft::Edit(edit) => edit,
            Draft::After(sketch) => beyond::edit(sketch, &woven.events)?,
            Draft::Amid(place, own) => place.edit(&own)?,
        };
        Some(edit.apply(&woven.events))
    }

    /// A fault at one of a few places of the stream that a plan makes: much cheaper, for where
    /// there will be many. None where those places have none.
    pub fn sample(plan: &Plan, choose: &mut dyn Choose) -> Option<Self> {
        let events = plan.weave().events;
        if plan.scope == Scope::Stream && choose.one_in(3) {
            let edit = beyond::edit(choose.below(beyond::count()), &events)?;
            return Some(edit.apply(&events));
        }
        let missing = choose.one_in(5);
        let places: BTreeSet<usize> = (0..4).map(|_| choose.below(events.len() + 1)).collect();
        // What is missing shows later, so that it takes all states to tell who misses it.
        let woven = if missing { plan.weave_with_states() } else { plan.weave_at(&places) };
        if plan.scope == Scope::Stream && !missing && choose.one_in(3) {
            let free = beyond::places(&woven.events, &woven.states);
            if let Some(place) = free.get(choose.below(free.len())) {
                let mut all: Vec<_> = place.all().collect();
                let (_, own) = all.swap_remove(choose.below(all.len()));
                return Some(place.edit(&own)?.apply(&woven.events));
            }
        }
        let mut edits = Vec::new();
        for (at, state) in woven.states.iter().filter(|(at, _)| places.contains(at)) {
            if missing {
                remove::at(&woven.events, &woven.states, *at, plan.scope, &mut edits);
            } else {
                insertions(*at, state, plan.scope, &mut edits);
            }
        }
        let cells: BTreeSet<Cell> = edits.iter().map(|edit| edit.cell).collect();
        let cell = cells.iter().nth(choose.below(cells.len()))?;
        edits.retain(|edit| edit.cell == *cell);
        let edit = edits.swap_remove(choose.below(edits.len()));
        Some(edit.apply(&woven.events))
    }

    /// One fault of every cell that the stream of a plan has a place for; those that come after
    /// any stream left out ([`Fault::all_beyond`]).
    pub fn each_in_plan(plan: &Plan, choose: &mut dyn Choose) -> Vec<Self> {
        let woven = plan.weave_with_states();
        let mut by_cell: BTreeMap<Cell, Vec<Edit>> = BTreeMap::new();
        for edit in edits(&woven.events, &woven.states, plan.scope) {
            by_cell.entry(edit.cell).or_default().push(edit);
        }
        let one = |mut edits: Vec<Edit>| edits.swap_remove(choose.below(edits.len()));
        by_cell.into_values().map(one).map(|edit| edit.apply(&woven.events)).collect()
    }
}

/// What is to become an edit if it is chosen.
enum Draft<'s> {
    Edit(Edit),
    /// A run of our own after the stream.
    After(usize),
    /// Events of our own in a run of the stream.
    Amid(beyond::Place<'s>, beyond::Amid),
}

/// What makes a fault of a stream.
#[derive(Debug, Clone)]
struct Edit {
    cell: Cell,
    requirement: &'static str,
    change: Change,
    /// What is inserted, at the same place, for the twin.
    twin: Option<Vec<Value>>,
}

#[derive(Debug, Clone)]
enum Change {
    /// This event stands before the event of this index, and is rejected.
    Insert(usize, Value),
    /// The event of this index is this one, and is rejected.
    Replace(usize, Value),
    /// Several are others, and the first of them is rejected.
    ReplaceAll(Vec<(usize, Value)>),
    /// The event of this index is missing, and the one that has that index then, or the end
    /// of the stream, is rejected.
    Remove(usize, Option<usize>),
    /// These events stand before the event of the first index (or after the last one), and the
    /// event that then has the second index shows the fault; in the twin, others.
    Splice(usize, Vec<Value>, usize),
}

impl Edit {
    fn apply(self, stream: &[Value]) -> Fault {
        let mut events = stream.to_vec();
        let mut twin = stream.to_vec();
        let twin_is_original = self.twin.is_none();
        let at = match self.change {
            Change::Splice(at, more, shown) => {
                events.splice(at..at, more);
                twin.splice(at..at, self.twin.unwrap_or_default());
                Some(shown)
            }
            Change::Insert(at, event) => {
                events.insert(at, event);
                twin.splice(at..at, self.twin.unwrap_or_default());
                Some(at)
            }
            Change::Replace(at, event) => {
                events[at] = event;
                Some(at)
            }
            Change::ReplaceAll(others) => {
                let first = others.first().map(|(at, _)| *at);
                for (at, event) in others {
                    events[at] = event;
                }
                first
            }
            Change::Remove(at, rejected) => {
                events.remove(at);
                rejected
            }
        };
        let Self { cell, requirement, .. } = self;
        Fault { cell, requirement, at, events, twin, twin_is_original }
    }
}

/// Every fault that there is a place for.
fn edits(events: &[Value], states: &BTreeMap<usize, State>, scope: Scope) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (at, state) in states {
        insertions(*at, state, scope, &mut edits);
        remove::at(events, states, *at, scope, &mut edits);
    }
    edits
}

fn insertions(at: usize, state: &State, scope: Scope, edits: &mut Vec<Edit>) {
    insert::at(at, state, scope, edits);
    if scope == Scope::Stream {
        chunk::at(at, state, edits);
    }
}
