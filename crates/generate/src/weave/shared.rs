//! Writing what is patched: the shared state and activities.

use serde_json::{Value, json};

use super::{Weaver, bit};
use crate::patch::patch;
use crate::plan::{Change, Planned};
use crate::state::{Kind, Message, Owner};

impl Weaver<'_> {
    pub(super) fn activity(
        &mut self,
        me: &Owner,
        planned: &Planned,
        id: &str,
        change: Option<Change>,
        part: usize,
    ) -> bool {
        let recorded = self.state.owner(Kind::Activity, id).cloned();
        let owner = recorded.clone().unwrap_or_else(|| me.clone());
        let known = self.state.activities.contains_key(id);
        let goes_on = change.is_none() && known && self.style.one_in("goes on", 2);
        if change == Some(Change::Delta) || goes_on {
            let Some(mut content) = self.state.activities.get(id).cloned() else { return false };
            let operations = self.style.pick("operations", [1, 2, 3, 1, 0]);
            let patch = patch(&mut content, operations, true, &mut self.style.choices());
            let mut event = json!({
                "type": "ACTIVITY_DELTA",
                "messageId": id,
                "activityType": "acme.progress",
                "patch": patch,
            });
            let tag = if bit(planned, part) { None } else { owner };
            self.tag(&mut event, &tag);
            self.emit(event);
            self.state.activities.insert(id.to_owned(), content);
            return true;
        }
        let content = match self.style.below("activity", 3) {
            0 => json!({"done": 0}),
            1 => json!({}),
            _ => json!({"steps": [{"title": "a/b", "m~n": null}], "": 1}),
        };
        let mut event = json!({
            "type": "ACTIVITY_SNAPSHOT",
            "messageId": id,
            "activityType": "acme.progress",
            "content": content,
        });
        // One that shows the activity first owns it, whether it would replace or not.
        let first = recorded.is_none();
        let keep = change == Some(Change::Keep) || (first && bit(planned, 5));
        if keep {
            event["replace"] = json!(false);
        } else if self.style.one_in("replace", 3) {
            event["replace"] = json!(true);
        }
        let untagged = keep && !first && self.style.one_in("untagged", 3);
        let tag = if untagged {
            None
        } else if keep {
            owner
        } else {
            me.clone()
        };
        self.tag(&mut event, &tag);
        self.emit(event);
        if !keep || first {
            self.state.own(Kind::Activity, id, &tag);
        }
        if !keep || !known {
            self.state.activities.insert(id.to_owned(), content);
        }
        self.state
            .messages
            .entry((Kind::Activity, id.to_owned()))
            .or_insert_with(|| Message { role: "activity".to_owned(), ..Message::default() });
        true
    }

    /// Writes a part of the state: the snapshot, or a delta. False where there is no state to
    /// patch.
    pub(super) fn state_part(&mut self, me: &Owner, snapshot: bool) -> bool {
        let (mut event, shared) = if snapshot {
            let value = match self.style.below("snapshot", 8) {
                0..=2 => json!({"n": 0}),
                3 => json!({"list": [1, 2, {"a/b": 0}], "m~n": {"": null}}),
                4 => json!({}),
                5 => json!([1, [2], "three"]),
                6 => json!("text"),
                _ => Value::Null,
            };
            (json!({"type": "STATE_SNAPSHOT", "snapshot": value}), value)
        } else {
            let Some(mut shared) = self.state.shared.clone() else { return false };
            // None is a patch too.
            let operations = self.style.pick("operations", [1, 2, 3, 1, 0]);
            let delta = patch(&mut shared, operations, false, &mut self.style.choices());
            (json!({"type": "STATE_DELTA", "delta": delta}), shared)
        };
        self.complete_lane(me);
        self.tag(&mut event, me);
        self.emit(event);
        self.state.shared = Some(shared);
        self.state.close_lane(me);
        true
    }
}
