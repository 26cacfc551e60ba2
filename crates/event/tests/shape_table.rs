//! Every row of the table: what is right passes, and each thing that can be wrong with a
//! member is one fault, of the right kind, at the right place.

#![allow(clippy::unwrap_used, reason = "a test")]

mod shape_support;

use conform_event::shape::{
    FaultKind, Field, Kind, Shape, Version, check, event_shape, input_shape,
};
use conform_event::{EventType, json};
use serde_json::{Value, json};
use shape_support::{Subject, escape, faults, misspelt, object};

/// How many ways there are to choose among the variants (up to three) and between text
/// and list.
const PICKS: usize = 6;

fn subjects() -> impl Iterator<Item = (Subject, &'static Shape, &'static str)> {
    let events = EventType::ALL.iter().map(|t| (Subject::Event, event_shape(*t), t.as_str()));
    events.chain([(Subject::Input, input_shape(), "")])
}

fn documents() -> impl Iterator<Item = (Subject, &'static Shape, Version, Value)> {
    let small_and_large =
        [false, true].into_iter().flat_map(|all| (0..PICKS).map(move |p| (all, p)));
    let versions = Version::ALL.iter().copied();
    let ways = versions.flat_map(move |v| small_and_large.clone().map(move |way| (v, way)));
    subjects().flat_map(move |(subject, shape, tag)| {
        ways.clone().map(move |(version, (all, pick))| {
            (subject, shape, version, object(shape, tag, version, all, pick))
        })
    })
}

/// The members of a document that have a row: the object each is in, and its row.
fn places(
    shape: &'static Shape,
    version: Version,
    value: &Value,
    at: &str,
) -> Vec<(String, Field)> {
    let mut found = Vec::new();
    for field in shape.fields(version) {
        if let Some(member) = value.get(field.name) {
            found.push((at.to_owned(), *field));
            let at = format!("{at}/{}", escape(field.name));
            found.extend(inner_places(&field.kind, version, member, &at));
        }
    }
    found
}

fn inner_places(kind: &Kind, version: Version, value: &Value, at: &str) -> Vec<(String, Field)> {
    match kind {
        Kind::Object(shape) => places(shape, version, value, at),
        Kind::Variant(union) => {
            let tag = value[union.tag].as_str().unwrap();
            let (_, shape) = union.shapes.iter().find(|(name, _)| *name == tag).unwrap();
            places(shape, version, value, at)
        }
        Kind::List(item) | Kind::Filled(item, _) | Kind::TextOrList(item) => {
            let items = value.as_array().into_iter().flatten().enumerate();
            items.flat_map(|(i, v)| inner_places(item, version, v, &format!("{at}/{i}"))).collect()
        }
        _ => Vec::new(),
    }
}

/// What kind of value the row asks for, in words.
fn expected(kind: &Kind) -> &'static str {
    match kind {
        Kind::Text | Kind::OneOf(_) | Kind::Tag => "a string",
        Kind::Integer(..) => "an integer",
        Kind::Flag => "a boolean",
        Kind::Open | Kind::Object(_) | Kind::Variant(_) => "an object",
        Kind::List(_) | Kind::Filled(..) | Kind::Patch => "an array",
        Kind::TextOrList(_) => "a string or an array",
        Kind::Any | Kind::Barred(_) => unreachable!(),
    }
}

/// Where a fault must stand.
#[derive(Debug, Clone, Copy)]
enum Stands {
    Object,
    Value,
    Name,
}

struct Broken {
    value: Value,
    member: String,
    stands: Stands,
    kind: FaultKind,
}

/// All that can be wrong with one member of a document.
fn breakages(document: &Value, at: &str, field: &Field, subject: Subject) -> Vec<Broken> {
    let name = field.name;
    let root_tag = matches!(field.kind, Kind::Tag) && at.is_empty() && subject == Subject::Event;
    let mut all = Vec::new();
    let mut push = |member: &str, stands, kind, change: &dyn Fn(&mut serde_json::Map<_, _>)| {
        let mut value = document.clone();
        change(value.pointer_mut(at).unwrap().as_object_mut().unwrap());
        all.push(Broken { value, member: member.to_owned(), stands, kind });
    };
    let set = |value: Value| {
        move |members: &mut serde_json::Map<_, _>| {
            members.insert(name.to_owned(), value.clone());
        }
    };
    let missing = |near: Option<String>| {
        if root_tag {
            FaultKind::MissingType { found: None, near }
        } else {
            FaultKind::Missing { member: name, near }
        }
    };
    let wrong = |found| {
        if root_tag {
            FaultKind::MissingType { found: Some(found), near: None }
        } else {
            FaultKind::WrongType { found, expected: expected(&field.kind) }
        }
    };
    // Left out.
    if field.required {
        push(name, Stands::Object, missing(None), &|members| drop(members.remove(name)));
    }
    // Under a name that is nearly right.
    let other = misspelt(name);
    let rename = |members: &mut serde_json::Map<_, _>| {
        let value = members.remove(name).unwrap();
        members.insert(misspelt(name), value);
    };
    if field.required {
        push(name, Stands::Object, missing(Some(other)), &rename);
    } else {
        let kind = FaultKind::UnknownMember { name: other.clone(), near: Some(name) };
        push(&other, Stands::Name, kind, &rename);
    }
    // Null.
    if !field.required {
        push(name, Stands::Value, FaultKind::Null, &set(Value::Null));
    } else if !field.nullable() {
        push(name, Stands::Value, wrong("null"), &set(Value::Null));
    }
    // Of another type.
    let retyped = match field.kind {
        Kind::Any | Kind::Barred(_) => None,
        Kind::Text | Kind::OneOf(_) | Kind::Tag | Kind::TextOrList(_) => {
            Some((json!(7), "a number"))
        }
        Kind::Integer(..) | Kind::Flag => Some((json!("7"), "a string")),
        Kind::Open | Kind::Object(_) | Kind::Variant(_) => Some((json!([]), "an array")),
        Kind::List(_) | Kind::Filled(..) | Kind::Patch => Some((json!({}), "an object")),
    };
    if let Some((value, found)) = retyped {
        push(name, Stands::Value, wrong(found), &set(value));
    }
    // Of the right type, with a wrong value.
    match field.kind {
        Kind::OneOf(allowed) => {
            let expected = allowed.iter().map(|a| format!("\"{a}\"")).collect::<Vec<_>>();
            let expected = match expected.split_last() {
                Some((last, [])) => last.clone(),
                Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
                None => String::new(),
            };
            let kind = FaultKind::NotAllowed { expected };
            push(name, Stands::Value, kind, &set(json!("nobody")));
        }
        Kind::Integer(least, most) => {
            let expected = format!("an integer from {least} to {most}");
            for value in [json!(least - 1), json!(most + 1), json!(1e300)] {
                let kind = FaultKind::NotAllowed { expected: expected.clone() };
                push(name, Stands::Value, kind, &set(value));
            }
            let found = "a number with a fraction";
            let kind = FaultKind::WrongType { found, expected: "an integer" };
            push(name, Stands::Value, kind, &set(json!(0.5)));
        }
        Kind::Filled(..) => {
            push(name, Stands::Value, FaultKind::TooFew { least: 1 }, &set(json!([])));
        }
        Kind::Tag if root_tag => {
            let kind = FaultKind::UnknownType { name: "nobody".to_owned(), near: None };
            push(name, Stands::Value, kind, &set(json!("nobody")));
            let kind = FaultKind::RetiredType { name: "THINKING_END" };
            push(name, Stands::Value, kind, &set(json!("THINKING_END")));
        }
        _ => {}
    }
    // Beside a member that nobody knows.
    let kind = FaultKind::UnknownMember { name: "x/~y".to_owned(), near: None };
    push("x/~y", Stands::Name, kind, &|members| {
        members.insert("x/~y".to_owned(), Value::Null);
    });
    all
}

#[test]
fn what_is_right_has_no_fault() {
    let mut count = 0;
    for (subject, shape, version, document) in documents() {
        let found = faults(&document.to_string(), subject, version);
        assert!(found.is_empty(), "{} {version}: {document}\n{found:?}", shape.name);
        count += 1;
    }
    assert_eq!(count, 32 * 2 * 2 * PICKS);
}

#[test]
fn each_thing_wrong_is_one_fault_in_its_place() {
    let mut count = 0;
    for (subject, shape, version, document) in documents() {
        for (at, field) in places(shape, version, &document, "") {
            for broken in breakages(&document, &at, &field, subject) {
                let text = broken.value.to_string();
                let found = faults(&text, subject, version);
                let [fault] = found.as_slice() else {
                    panic!("{at}/{}: {text}\n{:?}\n{found:?}", field.name, broken.kind);
                };
                assert_eq!(fault.kind, broken.kind, "{at}/{}: {text}", field.name);
                let pointer = format!("{at}/{}", escape(&broken.member));
                assert_eq!(fault.pointer, pointer, "{text}");
                let (json, _) = json::read(text.as_bytes()).unwrap();
                let object = json.at(&at).unwrap();
                let member = object.members().iter().find(|m| m.name == broken.member);
                let offset = match broken.stands {
                    Stands::Object => object.start,
                    Stands::Value => member.unwrap().json.start,
                    Stands::Name => member.unwrap().name_start,
                };
                assert_eq!(fault.offset, offset, "{text}");
                let sentence = fault.to_string();
                let value_shows = sentence.contains("nobody");
                assert_eq!(value_shows, matches!(fault.kind, FaultKind::UnknownType { .. }));
                assert!(!sentence.ends_with('.') && !sentence.contains('\n'), "{sentence}");
                count += 1;
            }
        }
    }
    assert!(count > 10_000, "{count}");
}

#[test]
fn the_rows_of_a_shape_fit_in_a_word() {
    let mut all = Vec::new();
    for (_, shape, _) in subjects() {
        gather(shape, &mut all);
    }
    let rows = all.iter().map(|s| s.rows.iter().map(|rows| rows.len()).sum::<usize>());
    assert!(rows.max().unwrap() <= 16);
    assert_eq!(all.len(), 59, "{:?}", all.iter().map(|s| s.name).collect::<Vec<_>>());
    for shape in all {
        let mut names: Vec<_> = shape.rows.iter().copied().flatten().map(|f| f.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{}", shape.name);
    }
}

fn gather(shape: &'static Shape, all: &mut Vec<&'static Shape>) {
    if all.iter().any(|known| std::ptr::eq(*known, shape)) {
        return;
    }
    all.push(shape);
    let mut kinds: Vec<Kind> = shape.rows.into_iter().flatten().map(|f| f.kind).collect();
    while let Some(kind) = kinds.pop() {
        match kind {
            Kind::Object(shape) => gather(shape, all),
            Kind::Variant(union) => union.shapes.iter().for_each(|(_, shape)| gather(shape, all)),
            Kind::List(item) | Kind::Filled(item, _) | Kind::TextOrList(item) => kinds.push(*item),
            _ => {}
        }
    }
}

#[test]
fn encrypted_value_type_came_with_1_1() {
    let text = r#"{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"m1","encryptedValue":"x","encryptedValueType":"signature"}"#;
    let (json, _) = json::read(text.as_bytes()).unwrap();
    assert!(check(&json, Version::V1_1).is_empty());
    let old = check(&json, Version::V1_0);
    assert_eq!(old.len(), 1);
    assert_eq!(old[0].pointer, "/encryptedValueType");
    assert_eq!(old[0].requirement(), "shape/known-fields");
}
