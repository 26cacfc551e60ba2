//! The state and the activities, as patched.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::judge::Judge;
use super::text;

/// What patches apply to.
#[derive(Default)]
pub(crate) struct Patched {
    state: Option<Value>,
    activities: BTreeMap<String, Value>,
}

impl Patched {
    /// The input of a run: the first one establishes the state.
    pub(crate) fn input(&mut self, input: &Value, seen: &mut BTreeSet<&'static str>) {
        let state = input.get("state").cloned();
        if self.state.is_some() {
            seen.insert("state echoed later");
        } else {
            seen.insert(if state.is_some() { "state echoed first" } else { "no state echoed" });
            self.state = Some(state.unwrap_or_else(|| json!({})));
        }
    }

    /// An activity in a list.
    pub(crate) fn listed(&mut self, id: &str, content: &Value, input: bool) {
        if !(input && self.activities.contains_key(id)) {
            self.activities.insert(id.to_owned(), content.clone());
        }
    }
}

impl Judge {
    pub(crate) fn patches(&mut self, name: &str, event: &Value) {
        let id = text(event, "messageId").unwrap_or_default();
        let tag = text(event, "subagentRunId");
        match name {
            "STATE_SNAPSHOT" => self.patched.state = Some(event["snapshot"].clone()),
            "STATE_DELTA" => {
                self.look_at(&event["delta"]);
                if self.patched.state.as_ref().is_some_and(|state| !state.is_object()) {
                    self.seen.insert("state that is no object");
                }
                match self.patched.state.take() {
                    None => self.fail("state is unknown", ""),
                    Some(state) => match applied(&state, &event["delta"]) {
                        Err(why) => self.fail("state/delta-applies", &why),
                        Ok(state) => self.patched.state = Some(state),
                    },
                }
            }
            "ACTIVITY_SNAPSHOT" => {
                let keep = event["replace"] == false;
                let owner = self.run.owners.get(&id).cloned();
                if keep && tag.is_some() && owner.as_ref().is_some_and(|o| *o != tag) {
                    self.fail("activity/keep-agrees", &id);
                }
                if !keep || owner.is_none() {
                    self.run.owners.insert(id.clone(), tag);
                }
                let known = self.patched.activities.contains_key(&id);
                if keep && known {
                    self.seen.insert("activity kept");
                } else {
                    self.patched.activities.insert(id, event["content"].clone());
                }
            }
            "ACTIVITY_DELTA" => {
                self.look_at(&event["patch"]);
                if !self.run.owners.contains_key(&id) {
                    self.seen.insert("activity of an earlier run");
                }
                let Some(content) = self.patched.activities.get(&id) else {
                    return self.fail("activity/snapshot-first", &id);
                };
                match applied(content, &event["patch"]) {
                    Err(why) => self.fail("activity/delta-applies", &why),
                    Ok(content) => {
                        if !content.is_object() {
                            self.fail("activity/stays-an-object", &id);
                        }
                        self.patched.activities.insert(id, content);
                    }
                }
            }
            _ => {}
        }
    }

    /// Notes what is rare in a patch.
    fn look_at(&mut self, patch: &Value) {
        let operations = patch.as_array().map_or(&[][..], Vec::as_slice);
        if operations.is_empty() {
            self.seen.insert("patch of nothing");
        }
        for operation in operations {
            let op = operation["op"].as_str().unwrap_or_default();
            let known = ["add", "remove", "replace", "move", "copy", "test"];
            if let Some(op) = known.into_iter().find(|known| *known == op) {
                self.seen.insert(op);
            }
            let path = operation["path"].as_str().unwrap_or_default();
            for (what, is) in [
                ("whole document", path.is_empty()),
                ("escaped slash", path.contains("~1")),
                ("escaped tilde", path.contains("~0")),
                ("end of an array", path.ends_with("/-")),
                ("number by value", operation["value"].is_f64() && op == "test"),
                ("more members", operation.get("comment").is_some()),
            ] {
                if is {
                    self.seen.insert(what);
                }
            }
        }
    }
}

/// What a patch makes of a document.
fn applied(document: &Value, patch: &Value) -> Result<Value, String> {
    let mut document = by_value(document);
    let patch: json_patch::Patch =
        serde_json::from_value(by_value(patch)).map_err(|error| error.to_string())?;
    json_patch::patch(&mut document, &patch).map_err(|error| error.to_string())?;
    Ok(document)
}

/// The same with whole numbers written as such.
#[allow(clippy::cast_possible_truncation, reason = "they are small")]
fn by_value(value: &Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(float) if float.fract() == 0.0 => json!(float as i64),
            _ => value.clone(),
        },
        Value::Array(items) => items.iter().map(by_value).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, member)| (name.clone(), by_value(member))).collect()
        }
        _ => value.clone(),
    }
}
