//! The state that deltas apply to.

use conform_event::EventType;
use conform_event::json::{self, Json};
use serde_json::{Map, Value};

use super::patch::{Document, MAX_COPIED, Patched};
use super::{Broken, Said, Seen};

#[derive(Debug, Clone, Default)]
pub(super) struct State {
    /// What the state is, if that is known.
    value: Option<Document>,
    /// Whether an input or a snapshot has ever said what it is.
    established: bool,
}

impl State {
    /// Takes the state of an input; without one it is an empty object.
    pub(super) fn seed(&mut self, input: &Json<'_>) {
        self.established = true;
        self.value = match input.get("state") {
            None | Some(Json { value: json::Value::Null, .. }) => {
                Some(Document::from(Value::Object(Map::new())))
            }
            Some(json) => Document::of(json),
        };
    }

    pub(super) fn observe(&mut self, seen: &Seen<'_>, said: &mut Said) {
        match seen.event_type {
            Some(EventType::RunStarted) if !self.established => {
                if let Some(echo) = seen.echo() {
                    self.seed(echo);
                }
            }
            Some(EventType::StateSnapshot) => {
                self.established = true;
                self.value = seen.json.get("snapshot").and_then(Document::of);
            }
            Some(EventType::StateDelta) => self.delta(seen, said),
            _ => {}
        }
    }

    fn delta(&mut self, seen: &Seen<'_>, said: &mut Said) {
        // Unless the delta applies, the state is unknown from here on.
        let Some(state) = self.value.take() else { return };
        said.test("state/delta-applies");
        let Some(delta) = seen.json.get("delta") else { return };
        match state.apply(delta, MAX_COPIED) {
            Patched::Done(state) => self.value = Some(state),
            Patched::Unknown => {}
            Patched::Failed { index, message } => {
                let pointer = format!("/delta/{index}");
                said.push(Broken::new("state/delta-applies", pointer, message));
            }
        }
    }
}
