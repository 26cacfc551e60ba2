//! RFC 6902 in the words of the document, on values of our own.

use conform_event::json::{self, Json};

use crate::shape::exact;

/// A JSON value. Numbers are equal by value, objects whatever the order of their members.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    /// A whole number within 64 bits.
    Whole(i64),
    /// Any other number.
    Float(f64),
    Text(String),
    Array(Vec<Value>),
    Object(Vec<(String, Value)>),
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(one), Self::Bool(two)) => one == two,
            (Self::Whole(one), Self::Whole(two)) => one == two,
            (Self::Float(one), Self::Float(two)) => one.total_cmp(two).is_eq(),
            (Self::Text(one), Self::Text(two)) => one == two,
            (Self::Array(one), Self::Array(two)) => one == two,
            (Self::Object(one), Self::Object(two)) => {
                let holds = |(name, value): &(String, Self)| {
                    two.iter().any(|(other, its)| other == name && its == value)
                };
                one.len() == two.len() && one.iter().all(holds)
            }
            _ => false,
        }
    }
}

impl Value {
    /// The value of some JSON; none where part of it could not be read.
    pub(crate) fn of(json: &Json<'_>) -> Option<Self> {
        Some(match &json.value {
            json::Value::Null => Self::Null,
            json::Value::Bool(flag) => Self::Bool(*flag),
            json::Value::Number(text) => {
                match exact(text).and_then(|number| i64::try_from(number).ok()) {
                    Some(whole) => Self::Whole(whole),
                    // Beyond what floats hold is as far from zero as they go.
                    None => Self::Float(text.parse::<f64>().ok()?.clamp(f64::MIN, f64::MAX)),
                }
            }
            json::Value::String(text) => Self::Text(text.to_string()),
            json::Value::Array(items) => {
                Self::Array(items.iter().map(Self::of).collect::<Option<_>>()?)
            }
            json::Value::Object(members) => {
                let mut all: Vec<(String, Self)> = Vec::new();
                for member in members {
                    all.retain(|(name, _)| *name != member.name);
                    all.push((member.name.to_string(), Self::of(&member.json)?));
                }
                Self::Object(all)
            }
            json::Value::TooDeep => return None,
        })
    }

    pub(crate) fn empty_object() -> Self {
        Self::Object(Vec::new())
    }

    pub(crate) fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }
}

/// What a patch comes to.
#[derive(Debug, PartialEq)]
pub(crate) enum Outcome {
    /// This.
    Makes(Value),
    /// It does not apply.
    Fails,
    /// It is no patch.
    IsNone,
}

/// "A JSON Patch document is a sequence of operations, applied one after another; where one
/// fails, the whole does."
pub(crate) fn apply(value: &Value, patch: &Json<'_>) -> Outcome {
    if !is_patch(patch) {
        return Outcome::IsNone;
    }
    let mut value = value.clone();
    for operation in patch.items() {
        match operate(value, operation) {
            Some(next) => value = next,
            None => return Outcome::Fails,
        }
    }
    Outcome::Makes(value)
}

/// The first operation that is none, if there is one; the whole, if it is no list of objects.
pub(crate) fn is_patch(patch: &Json<'_>) -> bool {
    matches!(patch.value, json::Value::Array(_)) && patch.items().iter().all(is_operation)
}

fn is_operation(operation: &Json<'_>) -> bool {
    let text = |member| operation.text(member);
    let pointer = |member| text(member).is_some_and(|text| tokens(text).is_some());
    let has_value = operation.get("value").is_some();
    pointer("path")
        && match text("op") {
            Some("add" | "replace" | "test") => has_value,
            Some("remove") => true,
            Some("move" | "copy") => pointer("from"),
            _ => false,
        }
}

/// The tokens of a pointer; none where the text is no pointer.
fn tokens(text: &str) -> Option<Vec<String>> {
    let mut parts = text.split('/');
    if parts.next() != Some("") {
        return None;
    }
    parts
        .map(|token| {
            let mut plain = String::new();
            let mut letters = token.chars();
            while let Some(letter) = letters.next() {
                plain.push(match letter {
                    '~' => match letters.next()? {
                        '0' => '~',
                        '1' => '/',
                        _ => return None,
                    },
                    other => other,
                });
            }
            Some(plain)
        })
        .collect()
}

fn operate(value: Value, operation: &Json<'_>) -> Option<Value> {
    let text = |member| operation.text(member);
    let path = tokens(text("path")?)?;
    let given = || Value::of(operation.get("value")?);
    match text("op")? {
        "add" => add(value, &path, given()?),
        "remove" => remove(value, &path).map(|(value, _)| value),
        // "Functionally identical to a remove, followed by an add at the same location."
        "replace" => {
            at(&value, &path)?;
            set(value, &path, given()?)
        }
        "test" => (at(&value, &path)? == &given()?).then_some(value),
        "copy" => {
            let copied = at(&value, &tokens(text("from")?)?)?.clone();
            add(value, &path, copied)
        }
        "move" => {
            let from = tokens(text("from")?)?;
            // "The from location MUST NOT be a proper prefix of the path location."
            if path.len() > from.len() && path.starts_with(&from) {
                return None;
            }
            let (value, moved) = remove(value, &from)?;
            add(value, &path, moved)
        }
        _ => None,
    }
}

/// An index of an array: digits without leading zeros.
fn index(token: &str) -> Option<usize> {
    let plain = token == "0" || !token.starts_with('0');
    let digits = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit());
    token.parse().ok().filter(|_| plain && digits)
}

fn at<'v>(value: &'v Value, path: &[String]) -> Option<&'v Value> {
    let [token, rest @ ..] = path else { return Some(value) };
    let inner = match value {
        Value::Object(members) => members.iter().find(|(name, _)| name == token).map(|(_, v)| v)?,
        Value::Array(items) => items.get(index(token)?)?,
        _ => return None,
    };
    at(inner, rest)
}

/// The value with what is at a place changed by a function.
fn within(
    value: Value,
    path: &[String],
    change: &mut dyn FnMut(Value) -> Option<Value>,
) -> Option<Value> {
    let [token, rest @ ..] = path else { return change(value) };
    Some(match value {
        Value::Object(mut members) => {
            let place = members.iter().position(|(name, _)| name == token)?;
            let (name, inner) = members.remove(place);
            members.insert(place, (name, within(inner, rest, change)?));
            Value::Object(members)
        }
        Value::Array(mut items) => {
            let place = index(token).filter(|place| *place < items.len())?;
            let inner = items.remove(place);
            items.insert(place, within(inner, rest, change)?);
            Value::Array(items)
        }
        _ => return None,
    })
}

fn set(value: Value, path: &[String], new: Value) -> Option<Value> {
    let mut new = Some(new);
    within(value, path, &mut |_| new.take())
}

fn add(value: Value, path: &[String], new: Value) -> Option<Value> {
    let Some((last, above)) = path.split_last() else { return Some(new) };
    let mut new = Some(new);
    within(value, above, &mut |holder| {
        let new = new.take()?;
        Some(match holder {
            Value::Object(mut members) => {
                match members.iter_mut().find(|(name, _)| name == last) {
                    Some((_, old)) => *old = new,
                    None => members.push((last.clone(), new)),
                }
                Value::Object(members)
            }
            Value::Array(mut items) => {
                let place = if last == "-" { items.len() } else { index(last)? };
                if place > items.len() {
                    return None;
                }
                items.insert(place, new);
                Value::Array(items)
            }
            _ => return None,
        })
    })
}

fn remove(value: Value, path: &[String]) -> Option<(Value, Value)> {
    let removed = at(&value, path)?.clone();
    let Some((last, above)) = path.split_last() else { return Some((Value::Null, removed)) };
    let value = within(value, above, &mut |holder| {
        Some(match holder {
            Value::Object(mut members) => {
                members.retain(|(name, _)| name != last);
                Value::Object(members)
            }
            Value::Array(mut items) => {
                let place = index(last).filter(|place| *place < items.len())?;
                items.remove(place);
                Value::Array(items)
            }
            _ => return None,
        })
    })?;
    Some((value, removed))
}
