//! Faults of shape in a value, at every depth of it.

use conform_event::shape::{Field, Kind, Shape, Version};
use serde_json::{Value, json};

/// A requirement, and the value with that broken in one place.
pub(super) type Bent = (&'static str, Value);

/// Every fault of shape that the value of an object has a place for.
pub(super) fn bends(value: &Value, shape: &Shape) -> Vec<Bent> {
    let mut bender = Bender { whole: value, found: Vec::new() };
    bender.object(value, shape, "");
    bender.found
}

/// Values that a member must not have.
pub(super) fn wrong(kind: &Kind) -> Vec<Value> {
    match kind {
        Kind::Text | Kind::TextOrList(_) | Kind::Flag => vec![json!({"a": 1})],
        Kind::OneOf(_) => vec![json!("nobody"), json!(1)],
        Kind::Integer(..) => vec![json!(1.5), json!("1")],
        Kind::Open | Kind::Object(_) | Kind::Variant(_) => vec![json!([])],
        Kind::List(_) | Kind::Filled(..) => vec![json!({})],
        Kind::Any | Kind::Patch | Kind::Tag | Kind::Barred(_) => Vec::new(),
    }
}

/// The name of a member as another language would have it.
pub(super) fn snake(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

struct Bender<'v> {
    whole: &'v Value,
    found: Vec<Bent>,
}

impl Bender<'_> {
    /// The whole with a change at this place.
    fn add(&mut self, requirement: &'static str, at: &str, change: impl FnOnce(&mut Value)) {
        let mut bent = self.whole.clone();
        if let Some(place) = bent.pointer_mut(at) {
            change(place);
            self.found.push((requirement, bent));
        }
    }

    fn value(&mut self, value: &Value, kind: &Kind, at: &str) {
        match (kind, value) {
            (Kind::Object(shape), Value::Object(_)) => self.object(value, shape, at),
            (Kind::Variant(union), Value::Object(_)) => {
                for tag in [json!("nobody"), json!(7)] {
                    self.add("shape/well-formed", at, |place| place[union.tag] = tag);
                }
                self.add("shape/well-formed", at, |place| remove(place, union.tag));
                let chosen = union.shapes.iter().find(|(name, _)| value[union.tag] == *name);
                if let Some((_, shape)) = chosen {
                    self.object(value, shape, at);
                }
            }
            (
                Kind::List(item) | Kind::Filled(item, _) | Kind::TextOrList(item),
                Value::Array(items),
            ) => {
                for (index, value) in items.iter().enumerate() {
                    let at = format!("{at}/{index}");
                    self.add("shape/well-formed", &at, |place| *place = json!(7));
                    self.value(value, item, &at);
                }
            }
            _ => {}
        }
    }

    fn object(&mut self, value: &Value, shape: &Shape, at: &str) {
        self.add("shape/known-fields", at, |place| place["ownExtra"] = json!({"type": 1}));
        for field in shape.fields(Version::V1_1) {
            self.field(value, field, at);
            if let Some(held) = value.get(field.name) {
                self.value(held, &field.kind, &format!("{at}/{}", field.name));
            }
        }
    }

    fn field(&mut self, value: &Value, field: &Field, at: &str) {
        let name = field.name;
        // A type of nothing is another fault.
        if name == "encryptedValueType" && value.get("encryptedValue").is_none() {
            return;
        }
        // Another requirement says that these must be there, or what their value must be.
        let named = matches!(field.kind, Kind::Filled(..) | Kind::Tag) || name == "encryptedValue";
        let other = snake(name);
        if !field.required {
            self.add("shape/absent-not-null", at, |place| place[name] = Value::Null);
            let declares = name == "protocolVersion" && at.is_empty();
            if let Some(held) = value.get(name).filter(|_| other != name && !named && !declares) {
                self.add("shape/known-fields", at, |place| {
                    place[other.as_str()] = held.clone();
                    remove(place, name);
                });
            }
        } else if !named {
            self.add("shape/well-formed", at, |place| remove(place, name));
            if let Some(held) = value.get(name).filter(|_| other != name) {
                self.add("shape/well-formed", at, |place| {
                    place[other.as_str()] = held.clone();
                    remove(place, name);
                });
            }
        }
        for wrong in wrong(&field.kind) {
            self.add("shape/well-formed", at, |place| place[name] = wrong);
        }
        // What a client put into its input is its own.
        if name == "metadata" && !at.starts_with("/input") {
            let reserved = json!({"ag-ui": {}, "acme": 1});
            self.add("shape/metadata-reserved-key", at, |place| place[name] = reserved);
        }
    }
}

fn remove(place: &mut Value, name: &str) {
    if let Some(members) = place.as_object_mut() {
        members.shift_remove(name);
    }
}
