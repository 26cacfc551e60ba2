//! JSON patches, applied as RFC 6902 says: whole or not at all.

use conform_event::json::{self, Json};
use conform_event::{quote, shape};
use json_patch::jsonptr::Pointer;
use json_patch::{PatchErrorKind, PatchOperation, patch};
use serde_json::{Map, Number, Value};

/// So many bytes, roughly, may be copies in what one judge holds: a patch of a few bytes can
/// double a value, again and again.
pub(super) const MAX_COPIED: usize = 64 * 1024 * 1024;

/// A value may have so many levels. Moves deepen one by a level each, and whatever walks it,
/// if only to drop it, needs stack for all of them.
const MAX_LEVELS: usize = 1_000;

/// Copies of fewer bytes than this are not worth a recount.
const LEAST_RECOUNT: usize = 1024 * 1024;

/// What became of a patch.
#[derive(Debug)]
pub(super) enum Patched {
    Done(Document),
    /// It is no patch, or the value grows too large: what it makes is unknown.
    Unknown,
    /// It does not apply.
    Failed {
        /// Which operation.
        index: usize,
        /// What is wrong, as a sentence without a full stop.
        message: String,
    },
}

/// A value that patches change.
#[derive(Debug, Clone)]
pub(super) struct Document {
    value: Value,
    /// How many levels it has, at most.
    levels: usize,
    /// How many of its bytes copies have made, at most: what is removed again still counts
    /// until the next recount.
    copied: usize,
    /// The next recount comes when `copied` exceeds this.
    recount: usize,
}

impl Document {
    /// The value of some JSON; none where part of it was passed over unread.
    pub(super) fn of(json: &Json<'_>) -> Option<Self> {
        Some(Self::from(value(json)?))
    }

    pub(super) fn is_object(&self) -> bool {
        self.value.is_object()
    }

    /// How many of its bytes copies have made, at most.
    pub(super) fn copied(&self) -> usize {
        self.copied
    }

    /// Applies a patch whole. Where that cannot be done nothing is left, for what a consumer
    /// then holds is its own affair. Copies may make up `room` bytes of what comes of it.
    pub(super) fn apply(mut self, delta: &Json<'_>, room: usize) -> Patched {
        if !shape::is_patch(delta) {
            return Patched::Unknown;
        }
        let Some(operations) = operations(delta) else { return Patched::Unknown };
        for (index, operation) in operations.iter().enumerate() {
            if !self.has_levels_for(operation) || !self.has_room_for(operation, room) {
                return Patched::Unknown;
            }
            if self.changed_whole(operation) {
                continue;
            }
            if let Err(error) = patch(&mut self.value, std::slice::from_ref(operation)) {
                let message = failure(index, delta.items().get(index), &error.kind);
                return Patched::Failed { index, message };
            }
        }
        Patched::Done(self)
    }

    /// Does what the library refuses, and the RFC does not: the whole document can be removed,
    /// which leaves null, and moved to where it is, which leaves it.
    fn changed_whole(&mut self, operation: &PatchOperation) -> bool {
        match operation {
            PatchOperation::Remove(removed) if removed.path.is_root() => {
                self.value = Value::Null;
                true
            }
            PatchOperation::Move(moved) => moved.path.is_root() && moved.from.is_root(),
            _ => false,
        }
    }

    /// What an operation takes from elsewhere in the value.
    fn source(&self, operation: &PatchOperation) -> Option<&Value> {
        let from = match operation {
            PatchOperation::Move(moved) => &moved.from,
            PatchOperation::Copy(copy) => &copy.from,
            _ => return None,
        };
        self.value.pointer(from.as_str())
    }

    fn has_levels_for(&mut self, operation: &PatchOperation) -> bool {
        let placed = match operation {
            PatchOperation::Add(add) => levels(&add.value),
            PatchOperation::Replace(replace) => levels(&replace.value),
            PatchOperation::Move(moved) => self.levels.saturating_sub(tokens(&moved.from)),
            PatchOperation::Copy(copy) => self.levels.saturating_sub(tokens(&copy.from)),
            PatchOperation::Remove(_) | PatchOperation::Test(_) => return true,
        };
        let above = tokens(operation.path());
        let mut most = self.levels.max(above.saturating_add(placed));
        if most > MAX_LEVELS {
            let placed = self.source(operation).map_or(placed, levels);
            most = levels(&self.value).max(above.saturating_add(placed));
        }
        self.levels = most;
        most <= MAX_LEVELS
    }

    fn has_room_for(&mut self, operation: &PatchOperation, room: usize) -> bool {
        if !matches!(operation, PatchOperation::Copy(_)) {
            return true;
        }
        let added = self.source(operation).map_or(0, weight);
        self.copied = self.copied.saturating_add(added);
        if self.copied > self.recount.min(room) {
            let all = weight(&self.value).saturating_add(added);
            self.copied = self.copied.min(all);
            self.recount = all.saturating_mul(2).max(LEAST_RECOUNT);
        }
        self.copied <= room
    }
}

impl From<Value> for Document {
    fn from(value: Value) -> Self {
        Self { levels: levels(&value), value, copied: 0, recount: LEAST_RECOUNT }
    }
}

/// Says which operation does not apply, and why.
fn failure(index: usize, operation: Option<&Json<'_>>, kind: &PatchErrorKind) -> String {
    let why = match kind {
        PatchErrorKind::TestFailed => "what is there is another value",
        PatchErrorKind::CannotMoveInsideItself => "it moves a value into itself",
        _ => "there is no such place",
    };
    let text = |member| operation.and_then(|o| o.text(member)).unwrap_or_default();
    let from = match text("op") {
        "move" | "copy" => format!(" from {}", quote(text("from"))),
        _ => String::new(),
    };
    let (op, path) = (text("op"), quote(text("path")));
    format!("operation {index} ({op}{from} at {path}) does not apply: {why}")
}

/// How many levels a pointer goes down.
fn tokens(pointer: &Pointer) -> usize {
    pointer.as_str().bytes().filter(|byte| *byte == b'/').count()
}

/// How many arrays and objects are nested in each other.
fn levels(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(levels).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(levels).max().unwrap_or(0),
        _ => 0,
    }
}

/// About how many bytes a value takes.
fn weight(value: &Value) -> usize {
    let inner: usize = match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(weight).sum(),
        Value::Object(members) => {
            let name = |name: &String| name.len() + size_of::<String>() + 2 * size_of::<usize>();
            members.iter().map(|(key, value)| name(key) + weight(value)).sum()
        }
        _ => 0,
    };
    inner.saturating_add(size_of::<Value>())
}

fn operations(delta: &Json<'_>) -> Option<Vec<PatchOperation>> {
    serde_json::from_value(value(delta)?).ok()
}

/// The value of some JSON; none where part of it was passed over unread. Numbers that are
/// equal are made the same.
fn value(json: &Json<'_>) -> Option<Value> {
    Some(match &json.value {
        json::Value::Null => Value::Null,
        json::Value::Bool(flag) => Value::Bool(*flag),
        json::Value::Number(text) => Value::Number(number(text)),
        json::Value::String(text) => Value::String(text.to_string()),
        json::Value::Array(items) => Value::Array(items.iter().map(value).collect::<Option<_>>()?),
        json::Value::Object(members) => {
            let mut map = Map::new();
            for member in members {
                map.insert(member.name.to_string(), value(&member.json)?);
            }
            Value::Object(map)
        }
        json::Value::TooDeep => return None,
    })
}

fn number(text: &str) -> Number {
    if let Some(whole) = shape::whole(text) {
        return whole.into();
    }
    let float = text.parse().ok().and_then(Number::from_f64);
    // Beyond what floats hold: as far from zero as they go.
    let most = if text.starts_with('-') { f64::MIN } else { f64::MAX };
    float.or_else(|| Number::from_f64(most)).unwrap_or_else(|| 0.into())
}
