//! JSON patches that apply, and applying them.

use serde_json::{Value, json};

use crate::choose::Choose;

/// Beyond this many bytes a document only gets smaller.
const LARGE: usize = 1500;

/// What may be the name of a new member, with all that pointers have to escape.
const NAMES: [&str; 9] = ["n", "m", "a/b", "m~n", "", "ключ", "0", "-", "~1"];

/// A patch of so many operations that applies to `document`, and is applied. With
/// `stays_object` the document is an object and stays one.
pub(crate) fn patch(
    document: &mut Value,
    operations: usize,
    stays_object: bool,
    choose: &mut dyn Choose,
) -> Value {
    let mut patch = Vec::new();
    for _ in 0..operations {
        let operation = operation(document, stays_object, choose);
        let applied = apply(document, &operation);
        debug_assert!(applied.is_some(), "{operation} does not apply to {document}");
        patch.push(operation);
    }
    Value::Array(patch)
}

fn operation(document: &Value, stays_object: bool, choose: &mut dyn Choose) -> Value {
    let mut places = Vec::new();
    locations(document, "", &mut places);
    let large = document.to_string().len() > LARGE;
    if large {
        return json!({"op": "replace", "path": "", "value": {"n": 0}});
    }
    // Without a member or an item, or without being either, only some operations are possible.
    let inner: Vec<&String> = places.iter().map(|(path, _)| path).skip(1).collect();
    let chosen = inner.get(choose.below(inner.len())).map(|path| (*path).clone());
    let operation = match (choose.below(12), chosen) {
        (0..=3, _) if document.is_object() || document.is_array() => {
            let path = new_place(document, choose);
            json!({"op": "add", "path": path, "value": value(choose)})
        }
        (4 | 5, Some(path)) => json!({"op": "replace", "path": path, "value": value(choose)}),
        (6, Some(path)) => json!({"op": "remove", "path": path}),
        (7, Some(path)) => json!({"op": "test", "path": path, "value": found(document, &path)}),
        (8, _) => json!({"op": "test", "path": "", "value": document}),
        (9, Some(from)) => {
            json!({"op": "copy", "from": from, "path": new_place(document, choose)})
        }
        (10, Some(from)) => {
            let mut without = document.clone();
            remove(&mut without, &from);
            let mut path = new_place(&without, choose);
            if path.starts_with(&format!("{from}/")) {
                path.clone_from(&from);
            }
            json!({"op": "move", "from": from, "path": path})
        }
        (11, _) => {
            let op = if choose.one_in(2) { "add" } else { "replace" };
            let whole = if stays_object { json!({"n": value(choose)}) } else { value(choose) };
            json!({"op": op, "path": "", "value": whole})
        }
        _ => json!({"op": "add", "path": "", "value": {"n": 0}}),
    };
    with_more(operation, choose)
}

/// Members that an operation may have besides: unknown ones, and those of other operations.
fn with_more(mut operation: Value, choose: &mut dyn Choose) -> Value {
    if choose.one_in(24) {
        operation["comment"] = json!("as asked");
    }
    operation
}

fn found(document: &Value, path: &str) -> Value {
    let value = document.pointer(path).cloned().unwrap_or_default();
    // Numbers are compared by value, however they are written.
    match value.as_i64() {
        Some(1) => json!(1.0),
        _ => value,
    }
}

fn value(choose: &mut dyn Choose) -> Value {
    match choose.below(9) {
        0 => json!(0),
        1 => json!(1),
        2 => json!(-2.5),
        3 => json!("text"),
        4 => json!(null),
        5 => json!(true),
        6 => json!({"a": [1, 2], "b": {"c": null}}),
        7 => json!([]),
        _ => json!({}),
    }
}

/// The pointer of every value, the document's first, and whether the value can hold others.
fn locations(value: &Value, path: &str, found: &mut Vec<(String, bool)>) {
    found.push((path.to_owned(), value.is_object() || value.is_array()));
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                locations(member, &format!("{path}/{}", escaped(name)), found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                locations(item, &format!("{path}/{index}"), found);
            }
        }
        _ => {}
    }
}

/// Where something can be added: a member of any object, new or not, or a place in an array.
fn new_place(document: &Value, choose: &mut dyn Choose) -> String {
    let mut places = Vec::new();
    locations(document, "", &mut places);
    places.retain(|(_, holds)| *holds);
    let Some((path, _)) = places.get(choose.below(places.len())) else { return String::new() };
    match document.pointer(path) {
        Some(Value::Array(items)) => match choose.below(items.len() + 2) {
            0 => format!("{path}/-"),
            index => format!("{path}/{}", index - 1),
        },
        _ => format!("{path}/{}", escaped(NAMES[choose.below(NAMES.len())])),
    }
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Applies an operation; none where it does not apply.
fn apply(document: &mut Value, operation: &Value) -> Option<()> {
    let path = operation["path"].as_str()?;
    let from = operation["from"].as_str();
    let value = operation.get("value");
    match operation["op"].as_str()? {
        "add" => add(document, path, value?.clone()),
        "remove" => remove(document, path).map(|_| ()),
        "replace" => {
            *document.pointer_mut(path)? = value?.clone();
            Some(())
        }
        "copy" => {
            let copied = document.pointer(from?)?.clone();
            add(document, path, copied)
        }
        "move" => {
            let moved = remove(document, from?)?;
            add(document, path, moved)
        }
        "test" => document.pointer(path).map(|_| ()),
        _ => None,
    }
}

/// The pointer of what holds the value that a pointer names, and the value's own name in it.
fn split(path: &str) -> Option<(&str, String)> {
    let (above, name) = path.rsplit_once('/')?;
    Some((above, name.replace("~1", "/").replace("~0", "~")))
}

fn add(document: &mut Value, path: &str, value: Value) -> Option<()> {
    if path.is_empty() {
        *document = value;
        return Some(());
    }
    let (above, name) = split(path)?;
    match document.pointer_mut(above)? {
        Value::Object(members) => {
            members.insert(name, value);
        }
        Value::Array(items) => {
            let index = if name == "-" { items.len() } else { name.parse().ok()? };
            if index > items.len() {
                return None;
            }
            items.insert(index, value);
        }
        _ => return None,
    }
    Some(())
}

fn remove(document: &mut Value, path: &str) -> Option<Value> {
    let (above, name) = split(path)?;
    match document.pointer_mut(above)? {
        Value::Object(members) => members.shift_remove(&name),
        Value::Array(items) => {
            let index = name.parse().ok().filter(|index| *index < items.len())?;
            Some(items.remove(index))
        }
        _ => None,
    }
}
