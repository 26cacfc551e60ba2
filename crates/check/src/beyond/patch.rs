//! JSON patches, applied as RFC 6902 says: whole or not at all.

use conform_event::json::{self, Json};
use conform_event::{quote, shape};
use json_patch::{PatchErrorKind, PatchOperation, patch};
use serde_json::{Map, Number, Value};

/// A value that grows beyond so many bytes, roughly, is not followed any further: a patch of
/// a few bytes can double it.
const MAX_WEIGHT: usize = 256 * 1024 * 1024;

/// What became of a patch.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Patched {
    Done,
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

/// Applies a patch to a value, or leaves it as it is.
pub(super) fn apply(value: &mut Value, delta: &Json<'_>) -> Patched {
    if !shape::is_patch(delta) {
        return Patched::Unknown;
    }
    let Some(operations) = operations(delta) else { return Patched::Unknown };
    let copies = operations.iter().any(|operation| matches!(operation, PatchOperation::Copy(_)));
    let done = if copies {
        one_by_one(value, &operations)
    } else {
        patch(value, &operations).map_err(|error| Stopped::At(error.operation, error.kind))
    };
    let (index, kind) = match done {
        Ok(()) => return Patched::Done,
        Err(Stopped::TooLarge) => return Patched::Unknown,
        Err(Stopped::At(index, kind)) => (index, kind),
    };
    let why = match kind {
        PatchErrorKind::TestFailed => "what is there is another value",
        PatchErrorKind::CannotMoveInsideItself => "it moves a value into itself",
        _ => "there is no such place",
    };
    let operation = delta.items().get(index);
    let text = |member| operation.and_then(|o| o.text(member)).unwrap_or_default();
    let from = match text("op") {
        "move" | "copy" => format!(" from {}", quote(text("from"))),
        _ => String::new(),
    };
    let message = format!(
        "operation {index} ({}{from} at {}) does not apply: {why}",
        text("op"),
        quote(text("path"))
    );
    Patched::Failed { index, message }
}

/// Why a patch did not go through.
enum Stopped {
    TooLarge,
    At(usize, PatchErrorKind),
}

/// Applies operations among which are copies, as long as the value stays within bounds.
fn one_by_one(value: &mut Value, operations: &[PatchOperation]) -> Result<(), Stopped> {
    let before = value.clone();
    let mut size = weight(value);
    for (index, operation) in operations.iter().enumerate() {
        if let PatchOperation::Copy(copy) = operation {
            size = size.saturating_add(value.pointer(copy.from.as_str()).map_or(0, weight));
        }
        if size > MAX_WEIGHT {
            *value = before;
            return Err(Stopped::TooLarge);
        }
        if let Err(error) = patch(value, std::slice::from_ref(operation)) {
            *value = before;
            return Err(Stopped::At(index, error.kind));
        }
    }
    Ok(())
}

/// About how many bytes a value takes.
fn weight(value: &Value) -> usize {
    let inner: usize = match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(weight).sum(),
        Value::Object(members) => {
            members.iter().map(|(name, value)| name.len() + 32 + weight(value)).sum()
        }
        _ => 0,
    };
    inner.saturating_add(32)
}

fn operations(delta: &Json<'_>) -> Option<Vec<PatchOperation>> {
    serde_json::from_value(value(delta)?).ok()
}

/// The value of some JSON; none where part of it was passed over unread. Numbers that are
/// equal are made the same.
pub(super) fn value(json: &Json<'_>) -> Option<Value> {
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
    // Beyond what floats hold: as large as they are.
    float.or_else(|| Number::from_f64(f64::MAX)).unwrap_or_else(|| 0.into())
}
