//! Events made from the table: the smallest, the largest, any, and broken ones.

#![allow(dead_code, unreachable_pub, reason = "each test uses its part")]
#![allow(clippy::unwrap_used, clippy::match_same_arms, reason = "a test")]

use conform_event::shape::{Field, Kind, Shape, Version, event_shape, input_shape};
use conform_event::{EventType, json, shape};
use serde_json::{Map, Value, json};

/// What we find wrong with the shape of an event, as far as schemas judge it: what the
/// operations of a patch say, reserved keys and types of encrypted values that are not there
/// are requirements beyond the schema.
pub fn faults(text: &str, kind: Subject, version: Version) -> Vec<shape::Fault> {
    let (json, _) = json::read(text.as_bytes()).unwrap();
    let mut faults = match kind {
        Subject::Event => shape::check(&json, version),
        Subject::Input => shape::check_input(&json, version),
    };
    faults.retain(|fault| {
        let beyond = [
            "state/patch-well-formed",
            "shape/metadata-reserved-key",
            "reasoning/encrypted-type-needs-value",
        ];
        !beyond.contains(&fault.requirement())
    });
    faults
}

/// What is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    Event,
    Input,
}

// ---------------------------------------------------------------- small and large

/// An object with all members, or with those that it must have.
pub fn object(shape: &Shape, tag: &str, version: Version, all: bool, pick: usize) -> Value {
    let fields = shape.fields(version).filter(|field| all || field.required);
    let member =
        |field: &Field| (field.name.to_owned(), plain(&field.kind, tag, version, all, pick));
    Value::Object(fields.map(member).collect())
}

/// A plain value; `pick` chooses among variants.
fn plain(kind: &Kind, tag: &str, version: Version, all: bool, pick: usize) -> Value {
    let items = |item: &Kind| match item {
        Kind::Variant(union) => {
            let of = |(tag, shape): &(&str, &Shape)| object(shape, tag, version, all, pick);
            Value::Array(union.shapes.iter().map(of).collect())
        }
        item => json!([plain(item, "", version, all, pick)]),
    };
    match kind {
        Kind::Any => json!({"any": [null]}),
        Kind::Text => json!("text"),
        Kind::OneOf(allowed) => json!(allowed[pick % allowed.len()]),
        Kind::Integer(least, most) => json!([least, most][pick % 2]),
        Kind::Flag => json!(pick.is_multiple_of(2)),
        Kind::Open => json!({"open": null}),
        Kind::Object(shape) => object(shape, "", version, all, pick),
        Kind::Variant(union) => {
            let (tag, shape) = union.shapes[pick % union.shapes.len()];
            object(shape, tag, version, all, pick)
        }
        Kind::List(item) | Kind::Filled(item, _) => items(item),
        Kind::TextOrList(item) if pick.is_multiple_of(2) => items(item),
        Kind::TextOrList(_) => json!("text"),
        Kind::Patch => json!([{"op": "add", "path": "/a", "value": null}]),
        Kind::Tag => json!(tag),
        Kind::Barred(_) => unreachable!("no field"),
    }
}

// ---------------------------------------------------------------- any

/// A small generator of numbers, the same on every machine.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).unwrap()
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }
}

const TEXTS: &[&str] =
    &["", "m1", "c1", "1.0", "a/b~c", "é漢🦀", "\u{2028}", "\u{0}", "null", "2026-01-01T00:00:00Z"];

/// An event or an input as the table describes it, broken in up to two places.
pub fn any(kind: Subject, version: Version, rng: &mut Rng) -> Value {
    let mut value = match kind {
        Subject::Event => {
            let event_type = *rng.pick(EventType::ALL);
            any_object(event_shape(event_type), event_type.as_str(), version, rng)
        }
        Subject::Input => any_object(input_shape(), "", version, rng),
    };
    for _ in 0..*rng.pick(&[0, 0, 1, 1, 1, 2]) {
        break_one(&mut value, rng);
    }
    value
}

fn any_object(shape: &Shape, tag: &str, version: Version, rng: &mut Rng) -> Value {
    let density = rng.below(4) + 1;
    let mut members = Map::new();
    for field in shape.fields(version) {
        if field.required || rng.below(5) < density {
            let value = any_value(field, &field.kind, tag, version, rng);
            members.insert(field.name.to_owned(), value);
        }
    }
    if rng.one_in(4) {
        members = members.into_iter().rev().collect();
    }
    Value::Object(members)
}

fn any_value(field: &Field, kind: &Kind, tag: &str, version: Version, rng: &mut Rng) -> Value {
    let items = |item: &Kind, least: usize, rng: &mut Rng| {
        let count = least + rng.below(3);
        Value::Array((0..count).map(|_| any_value(field, item, "", version, rng)).collect())
    };
    match kind {
        Kind::Any => match any_json(2, rng) {
            Value::Null if !field.nullable() => json!(0),
            value => value,
        },
        Kind::Text => json!(rng.pick(TEXTS)),
        Kind::OneOf(allowed) => json!(rng.pick(allowed)),
        Kind::Integer(least, most) => match rng.below(5) {
            0 => json!(least),
            1 => json!(most),
            2 => json!(1000.0),
            3 => json!(-0.0),
            _ => json!(rng.next() >> 12),
        },
        Kind::Flag => json!(rng.one_in(2)),
        Kind::Open => any_members(2, rng),
        Kind::Object(shape) => any_object(shape, "", version, rng),
        Kind::Variant(union) => {
            let (tag, shape) = *rng.pick(union.shapes);
            any_object(shape, tag, version, rng)
        }
        Kind::List(item) => items(item, 0, rng),
        Kind::Filled(item, _) => items(item, 1, rng),
        Kind::TextOrList(item) if rng.one_in(2) => items(item, 0, rng),
        Kind::TextOrList(_) => json!(rng.pick(TEXTS)),
        Kind::Patch => Value::Array((0..rng.below(3)).map(|_| any_operation(rng)).collect()),
        Kind::Tag => json!(tag),
        Kind::Barred(_) => unreachable!("no field"),
    }
}

fn any_operation(rng: &mut Rng) -> Value {
    let path = *rng.pick(&["", "/", "/a", "/a/0", "/a~1b", "/~0"]);
    let mut operation = match rng.below(6) {
        0 => json!({"op": "remove", "path": path}),
        1 => json!({"op": "move", "from": "/x", "path": path}),
        2 => json!({"op": "copy", "path": path, "from": "/x"}),
        n => {
            json!({"op": (["add", "replace", "test"][n - 3]), "path": path, "value": any_json(1, rng)})
        }
    };
    if rng.one_in(3) {
        operation["left over"] = any_json(1, rng);
    }
    operation
}

pub fn any_json(depth: usize, rng: &mut Rng) -> Value {
    match rng.below(if depth == 0 { 6 } else { 8 }) {
        0 => Value::Null,
        1 => json!(rng.one_in(2)),
        2 => json!(rng.below(10)),
        3 => json!(-1.5),
        4 | 5 => json!(rng.pick(TEXTS)),
        6 => Value::Array((0..rng.below(3)).map(|_| any_json(depth - 1, rng)).collect()),
        _ => any_members(depth, rng),
    }
}

fn any_members(depth: usize, rng: &mut Rng) -> Value {
    let names = ["type", "role", "id", "com.example", "ag-ui", ""];
    let member = |rng: &mut Rng| ((*rng.pick(&names)).to_owned(), any_json(depth - 1, rng));
    Value::Object((0..rng.below(3)).map(|_| member(rng)).collect())
}

// ---------------------------------------------------------------- broken

const NAMES: &[&str] = &[
    "extra",
    "message_id",
    "encryptedValue",
    "encryptedValueType",
    "interruptIds",
    "interrupts",
    "subagentRunId",
    "content",
    "name",
    "result",
    "role",
    "metadata",
    "error",
    "mimeType",
    "id",
];

const WORDS: &[&str] = &[
    "tool",
    "user",
    "assistant",
    "reasoning",
    "activity",
    "success",
    "interrupt",
    "cancelled",
    "suspended",
    "resolved",
    "function",
    "url",
    "data",
    "file",
    "text",
    "image",
    "tool-call",
    "message",
    "RAW",
    "CUSTOM",
    "STATE_DELTA",
    "RUN_FINISHED",
    "THINKING_START",
    "nobody",
];

/// Changes one place; it may still be right afterwards.
fn break_one(value: &mut Value, rng: &mut Rng) {
    let mut places = Vec::new();
    collect(value, &mut String::new(), &mut places);
    let here = value.pointer_mut(rng.pick::<String>(&places)).unwrap();
    match (rng.below(9), here) {
        (0, here) => *here = Value::Null,
        (1, here) => *here = any_json(2, rng),
        (2, here) => *here = json!(rng.pick(WORDS)),
        (3, Value::Object(members)) if !members.is_empty() => {
            let name = members.keys().nth(rng.below(members.len())).unwrap().clone();
            members.remove(&name);
        }
        (4, Value::Object(members)) if !members.is_empty() => {
            let name = members.keys().nth(rng.below(members.len())).unwrap().clone();
            let member = members.remove(&name).unwrap();
            members.insert(misspelt(&name), member);
        }
        (_, Value::Object(members)) => {
            members.insert((*rng.pick(NAMES)).to_owned(), any_json(1, rng));
        }
        (3, Value::Array(items)) => items.clear(),
        (_, Value::Array(items)) => items.push(any_json(1, rng)),
        (_, here @ Value::Number(_)) => {
            let numbers = [json!(-1), json!(1.5), json!(9_007_199_254_740_992_i64), json!(1e300)];
            *here = rng.pick(&numbers).clone();
        }
        (_, here @ Value::String(_)) => *here = json!(rng.pick(WORDS)),
        (_, here) => *here = any_json(1, rng),
    }
}

fn collect(value: &Value, pointer: &mut String, places: &mut Vec<String>) {
    places.push(pointer.clone());
    let length = pointer.len();
    let mut inside = |token: &str, value: &Value| {
        pointer.push('/');
        pointer.push_str(token);
        collect(value, pointer, places);
        pointer.truncate(length);
    };
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, item)| inside(&i.to_string(), item));
        }
        Value::Object(members) => {
            members.iter().for_each(|(name, v)| inside(&escape(name), v));
        }
        _ => {}
    }
}

/// A member's name in a JSON pointer.
pub fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The name with underscores; in capitals where it has but one word.
pub fn misspelt(name: &str) -> String {
    if name.bytes().any(|b| b.is_ascii_uppercase()) {
        name.chars()
            .flat_map(
                |c| if c.is_uppercase() { vec!['_', c.to_ascii_lowercase()] } else { vec![c] },
            )
            .collect()
    } else {
        name.to_uppercase()
    }
}

// ---------------------------------------------------------------- comparing

/// What the comparisons start from; `AGUI_CONFORM_SEED` sets another.
pub fn seed() -> u64 {
    match std::env::var("AGUI_CONFORM_SEED") {
        Ok(seed) => seed.parse().unwrap(),
        Err(_) => 20_260_101,
    }
}

/// Whether the operations of an event's patch, where it has one, are what RFC 6902 says.
pub fn operations_are_valid(event: &Value) -> bool {
    let patch = match event["type"].as_str() {
        Some("STATE_DELTA") => &event["delta"],
        Some("ACTIVITY_DELTA") => &event["patch"],
        _ => return true,
    };
    let pointer = |value: &Value| {
        value.as_str().is_some_and(|text| {
            let escapes = text.replace("~0", "").replace("~1", "");
            (text.is_empty() || text.starts_with('/')) && !escapes.contains('~')
        })
    };
    patch.as_array().into_iter().flatten().all(|operation| {
        let more = match operation["op"].as_str() {
            Some("add" | "replace" | "test") => operation.get("value").is_some(),
            Some("move" | "copy") => pointer(&operation["from"]),
            Some("remove") => true,
            _ => false,
        };
        more && pointer(&operation["path"])
    })
}
