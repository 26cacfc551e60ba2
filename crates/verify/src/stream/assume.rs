//! Going on as if a refused event had done what it meant to.

use conform_event::{Body, Chunk, Event, Item};

use super::{Assumed, Phase, StreamVerifier};
use crate::entity::{Owner, Position};
use crate::lanes::{Lane, Opener, kind};
use crate::run_state::Form;

impl StreamVerifier {
    /// Takes in an event that was refused, as if it had done what it meant to: a start
    /// opens, an end closes, RUN_FINISHED ends the run, content shows that its item is open,
    /// a tag who its owner is, and whatever comes before the first or after the last event
    /// of a run that the run is active. This is how a judge keeps on judging.
    pub fn assume_at(&mut self, at: Position, event: &Event<'_>) {
        match &event.body {
            Body::RunStarted { run_id, input } => {
                self.phase = Phase::Ended { by_error: false, at };
                self.close_all(at);
                self.begin_run(at, run_id.as_deref(), input.as_ref());
                return;
            }
            Body::RunFinished | Body::RunError => {
                self.close_all(at);
                self.phase = Phase::Ended { by_error: event.body == Body::RunError, at };
                return;
            }
            _ => {}
        }
        match self.phase {
            Phase::Empty => self.phase = Phase::Running { since: at, assumed: Assumed::Start },
            Phase::Ended { .. } => {
                self.phase = Phase::Running { since: at, assumed: Assumed::GoingOn }
            }
            Phase::Running { .. } => {}
        }
        if self.judge(at, event).is_ok() {
            return;
        }
        match &event.body {
            Body::Chunk(chunk) => self.assume_chunk(at, event.tag.as_deref(), chunk),
            Body::Content { item, id } if self.forms(event).is_err() => {
                self.close_assembling(at, *item, id);
                self.run.assume_open(at, *item, id, event.tag.as_deref(), Form::Explicit);
            }
            Body::End { item, id } if self.forms(event).is_err() => {
                self.close_assembling(at, *item, id);
            }
            _ => {
                let closings = self.closings(event);
                self.run.assume(at, event);
                self.close_lanes(at, closings);
            }
        }
    }

    /// Ends the chunk stream that assembles an item, in whatever lane.
    fn close_assembling(&mut self, at: Position, item: Item, id: &str) {
        if let Some(Form::Chunks(lane)) = self.run.open_item(item, id).map(|open| &open.form) {
            let lane = lane.clone();
            self.close_lane(&lane, at, false);
        }
    }

    fn assume_chunk(&mut self, at: Position, tag: Option<&str>, chunk: &Chunk<'_>) {
        let item = chunk.item;
        let id = chunk.id.as_deref();
        let lane = match self.lane(tag, item, id) {
            Ok(Some(lane)) => lane,
            Ok(None) => return,
            Err(_) => match self.lanes.of_untagged(item) {
                Lane::Ambiguous(_) => {
                    self.lanes.ambiguity_assumed[kind(item)] = true;
                    return;
                }
                Lane::Of(lane) => lane,
                Lane::None => Owner::parent(),
            },
        };
        let stream = self.lanes.get_mut(&lane).filter(|stream| stream.item == item);
        if let Some(stream) = stream.filter(|s| id.is_none() || id == s.id.as_deref()) {
            stream.opener.adopt(chunk);
            if let Some(id) = stream.id.clone() {
                self.run.assume_owner(at, item, &id, tag);
            }
            return;
        }
        let explicit =
            |id: &str| self.run.open_item(item, id).is_some_and(|open| open.form == Form::Explicit);
        if let Some(id) = id.filter(|id| explicit(id)) {
            self.run.assume_mixed(item, id);
            return;
        }
        if let Some(id) = id {
            self.close_assembling(at, item, id);
        }
        self.close_lane(&lane, at, false);
        if let Some(id) = id {
            self.run.assume_open(at, item, id, tag, Form::Chunks(lane.clone()));
        }
        self.lanes.open(&lane, item, id.map(Into::into), at, Opener::of(chunk));
    }
}
