//! Faults beyond the order of events amid the runs of a stream, whose agents go on around
//! them: the middle of a sketch, in the name of whoever may speak there, or at what the stream
//! has.

use std::collections::BTreeMap;

use conform_event::shape::Version;
use serde_json::{Value, json};

use super::{Part, SKETCHES, inplace, is_unsigned, known, signed};
use crate::fault::insert::usable_tags;
use crate::fault::pieces::event;
use crate::fault::{Cell, Change, Edit, Who};
use crate::state::{Kind, Owner, Phase, State};

/// Where in a stream something of our own may stand.
#[derive(Debug, Clone, Copy)]
pub(in crate::fault) struct Place<'s> {
    /// Before the event of this index.
    pub(super) at: usize,
    pub(super) state: &'s State,
    pub(super) events: &'s [Value],
    /// What ends the run that goes on or begins there.
    pub(super) end: usize,
}

/// A fault that has a place.
#[derive(Debug, Clone)]
pub(in crate::fault) enum Amid {
    /// The middle of the sketch of this number, in somebody's name.
    Sketch(usize, Owner),
    /// At what the stream has.
    Edit(Box<Edit>),
}

/// Every place of a stream, of those whose states are there.
pub(in crate::fault) fn places<'s>(
    events: &'s [Value],
    states: &'s BTreeMap<usize, State>,
) -> Vec<Place<'s>> {
    let ends = |event: &Value| matches!(name(event), "RUN_FINISHED" | "RUN_ERROR");
    let place = |(at, state): (&usize, &'s State)| {
        let end = *at + events.get(*at..)?.iter().position(ends)?;
        Some(Place { at: *at, state, events, end })
    };
    states.iter().filter_map(place).collect()
}

pub(super) fn name(event: &Value) -> &str {
    event.get("type").and_then(Value::as_str).unwrap_or_default()
}

/// Whether an event may stand between the chunks of any lane: it closes none.
fn closes_no_chunk_stream(event: &Value) -> bool {
    matches!(
        name(event),
        "RAW" | "ACTIVITY_SNAPSHOT" | "ACTIVITY_DELTA" | "REASONING_ENCRYPTED_VALUE"
    )
}

impl Place<'_> {
    /// Every fault that may stand here.
    pub(in crate::fault) fn all(&self) -> impl Iterator<Item = (Cell, Amid)> {
        let mut edits = Vec::new();
        inplace::faults(self, &mut edits);
        let mut all = Vec::new();
        if self.state.phase == Phase::Running {
            self.sketches(&mut all);
            known::faults(self, &mut edits);
        }
        let edits = edits.into_iter().map(|edit| (edit.cell, Amid::Edit(Box::new(edit))));
        all.into_iter().chain(edits)
    }

    fn sketches(&self, all: &mut Vec<(Cell, Amid)>) {
        let tags: Vec<(Owner, Who)> = self.tags().collect();
        for (number, sketch) in SKETCHES.iter().enumerate() {
            let Some(part) = sketch.part.as_ref().filter(|part| self.has_room_for(part)) else {
                continue;
            };
            let signs = !part.parents && part.broken.iter().chain(&part.mended).any(is_unsigned);
            for (tag, who) in tags.iter().filter(|(tag, _)| signs || tag.is_none()) {
                let cell = Cell {
                    rule: sketch.requirement,
                    kind: None,
                    event_type: sketch.event_type,
                    who: *who,
                };
                all.push((cell, Amid::Sketch(number, tag.clone())));
            }
        }
    }

    /// The edit that makes it.
    pub(in crate::fault) fn edit(&self, own: &Amid) -> Option<Edit> {
        let (number, tag) = match own {
            Amid::Edit(edit) => return Some(Edit::clone(edit)),
            Amid::Sketch(number, tag) => (number, tag),
        };
        let sketch = SKETCHES.get(*number)?;
        let part = sketch.part.as_ref()?;
        let after = self.after(part, tag);
        let said = |events: &[Value]| -> Vec<Value> {
            let said = events.iter().map(|event| signed(event, tag.as_deref()));
            said.chain(after.iter().cloned()).collect()
        };
        let broken = said(&part.broken);
        let shown = part.at.map_or(self.end + broken.len(), |at| self.at + at);
        Some(Edit {
            cell: Cell {
                rule: sketch.requirement,
                kind: None,
                event_type: sketch.event_type,
                who: Who::of(self.state, tag, &None),
            },
            requirement: sketch.requirement,
            change: Change::Splice(self.at, broken, shown),
            twin: Some(said(&part.mended)),
        })
    }

    /// The tags that may stand on an event here, and who that is.
    pub(super) fn tags(&self) -> impl Iterator<Item = (Owner, Who)> {
        let tags = usable_tags(self.state).into_iter();
        let tags = tags.filter(|tag| tag.as_ref().is_none_or(|tag| !self.comes_later(tag)));
        tags.map(|tag| {
            let who = Who::of(self.state, &tag, &None);
            (tag, who)
        })
    }

    /// Whether the rest of the run announces this subagent.
    pub(super) fn comes_later(&self, id: &str) -> bool {
        let rest = self.events.get(self.at..self.end).unwrap_or_default();
        rest.iter().any(|event| name(event) == "SUBAGENT_STARTED" && event["subagentRunId"] == id)
    }

    /// Whether no chunk stream is open, so that any event may stand here.
    pub(super) fn is_free(&self) -> bool {
        self.state.lanes.is_empty()
    }

    /// How the run ends.
    pub(super) fn end_type(&self) -> &str {
        self.events.get(self.end).map_or("", name)
    }

    fn has_room_for(&self, part: &Part) -> bool {
        let mut events = part.broken.iter().chain(&part.mended);
        let free =
            self.is_free() || (events.all(closes_no_chunk_stream) && part.pending().is_empty());
        // What such a part leaves open may not be open where a run finishes.
        let ends = match name(&part.end) {
            "RUN_ERROR" => self.end_type() == "RUN_ERROR",
            _ => part.at.is_some() || self.end_type() == "RUN_FINISHED",
        };
        let state = !part.needs.state || self.state.shared.is_some();
        let version = !part.needs.newest || self.state.version == Some(Version::V1_1);
        let parent = !part.needs.no_empty_parent || self.state.owner(Kind::Text, "").is_none();
        free && ends && state && version && parent
    }

    /// What has to come after it, so that nothing else of the run is broken.
    fn after(&self, part: &Part, tag: &Owner) -> Vec<Value> {
        let mut after = Vec::new();
        if part.chunked {
            after.push(event("CUSTOM", json!({"name": "acme:note", "value": 1}), tag));
        }
        for (at, call) in part.pending().into_iter().enumerate() {
            let message = format!("own-late-answer-{at}");
            let members = json!({"messageId": message, "toolCallId": call, "content": "done"});
            after.push(event("TOOL_CALL_RESULT", members, &None));
        }
        if let Some(shared) = self.state.shared.as_ref().filter(|_| part.needs.state) {
            after.push(json!({"type": "STATE_SNAPSHOT", "snapshot": shared}));
        }
        after
    }
}
