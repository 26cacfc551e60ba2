//! Writing the arguments of calls: JSON documents, however they are cut into pieces.

use serde_json::json;

use super::Weaver;
use super::words::{document, white_space};
use crate::state::{Arguments, Kind, Owner};

impl Weaver<'_> {
    /// Settles, before a call is opened, what its arguments are in this run.
    pub(super) fn begin_arguments(&mut self, id: &str) {
        let style = self.style;
        let open = self.state.is_open(Kind::Call, id, &None);
        let arguments = self
            .state
            .arguments
            .entry(id.to_owned())
            .or_insert_with(|| Arguments { sent: String::new(), rest: document(style).to_owned() });
        // A number goes on with another digit, and is a document before and after.
        let digits = !arguments.sent.is_empty()
            && !arguments.sent.starts_with('0')
            && arguments.sent.bytes().all(|byte| byte.is_ascii_digit());
        if !open && digits && style.one_in("digit", 2) {
            arguments.rest.push('7');
        }
    }

    /// The next piece of a call's arguments, the last one of an opening with all that is
    /// missing; white space after that.
    pub(super) fn argument_piece(&mut self, id: &str, piece: usize, of: usize) -> String {
        let style = self.style;
        let Some(arguments) = self.state.arguments.get_mut(id) else {
            return white_space(style).to_owned();
        };
        let left = arguments.rest.chars().count();
        if left == 0 {
            let space = white_space(style);
            arguments.sent.push_str(space);
            return space.to_owned();
        }
        let last = piece + 1 >= of;
        let share = left.div_ceil(of.saturating_sub(piece).max(1));
        let length = match style.below("cut", left + 2) {
            _ if last => left,
            0 => share,
            length => length - 1,
        };
        arguments.take(length)
    }

    /// Sends what the call that a lane holds in chunks still misses, before something ends it.
    pub(super) fn complete_lane(&mut self, lane: &Owner) {
        let Some((Kind::Call, id)) = self.state.lanes.get(lane).cloned() else { return };
        let Some(arguments) = self.state.arguments.get_mut(&id) else { return };
        let rest = arguments.take(usize::MAX);
        if rest.is_empty() {
            return;
        }
        let mut chunk = json!({"type": "TOOL_CALL_CHUNK", "toolCallId": id, "delta": rest});
        self.tag(&mut chunk, lane);
        self.emit(chunk);
    }

    /// Does so for the lane that assembles this item.
    pub(super) fn complete_assembling(&mut self, kind: Kind, id: &str) {
        let lane = self.state.lanes.iter().find(|(_, item)| item.0 == kind && item.1 == id);
        if let Some(lane) = lane.map(|(lane, _)| lane.clone()) {
            self.complete_lane(&lane);
        }
    }

    /// Does so for every lane.
    pub(super) fn complete_all_lanes(&mut self) {
        let lanes: Vec<Owner> = self.state.lanes.keys().cloned().collect();
        for lane in lanes {
            self.complete_lane(&lane);
        }
    }
}

impl Arguments {
    /// Takes so many characters of what is missing.
    fn take(&mut self, length: usize) -> String {
        let taken: String = self.rest.chars().take(length).collect();
        self.rest.drain(..taken.len());
        self.sent.push_str(&taken);
        taken
    }
}
