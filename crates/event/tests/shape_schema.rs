//! The table against the published JSON Schema: row by row, and verdict by verdict on
//! 50,000 events of each version. Known differences are in [`DIVERGENCES`].
//!
//! The schema of 1.0 is the one that the `ag-ui` crate ships. The schema of 1.1 is that
//! with `encryptedValueType` added where 1.1 has it; nothing else was changed.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test")]

mod shape_support;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use conform_event::shape::{Field, Kind, Shape, Union, Version, event_shape, input_shape};
use conform_event::{EventType, RETIRED};
use serde_json::{Value, json};
use shape_support::{Rng, Subject, any, faults};

const EVENTS: usize = 50_000;
const INPUTS: usize = 5_000;

/// A known difference between the schema and our judge.
struct Divergence {
    name: &'static str,
    /// The smallest event that shows it.
    witness: &'static str,
    /// Whether we accept it; the schema says the opposite.
    we_accept: bool,
    why: &'static str,
    fault: &'static str,
    /// Whether an event of the comparison shows it.
    excuses: fn(&Value) -> bool,
}

const DIVERGENCES: &[Divergence] = &[
    Divergence {
        name: "patch-operations",
        witness: r#"{"type":"STATE_DELTA","delta":[{"op":"mul","path":"/a"}]}"#,
        we_accept: true,
        why: "what an operation says is judged by the requirement state/patch-well-formed",
        fault: "nobody's: judged elsewhere",
        excuses: |event| !shape_support::operations_are_valid(event),
    },
    Divergence {
        name: "numbers-beyond-a-double",
        witness: r#"{"type":"RAW","event":1,"timestamp":9007199254740991.4}"#,
        we_accept: false,
        why: "the validator reads numbers as doubles, which round the fraction away; we read \
              the text",
        fault: "the validator's, and of no consequence",
        excuses: |_| false,
    },
];

// ---------------------------------------------------------------- the schema

/// The platform that this was built for: what others need may not have been fetched.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().expect("rustc runs");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host").to_owned()
}

fn schema(version: Version) -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline", "--filter-platform", &host()])
        .arg("--manifest-path")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .output()
        .expect("cargo metadata runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages.iter().find(|p| p["name"] == "ag-ui").expect("ag-ui is a dependency");
    let mut path = PathBuf::from(package["manifest_path"].as_str().unwrap());
    path.pop();
    path.push("src/protocol/schema-1.0.json");
    let text = std::fs::read_to_string(&path).expect("the crate ships the schema");
    let mut schema: Value = serde_json::from_str(&text).unwrap();
    if version == Version::V1_1 {
        for name in [
            "ReasoningEncryptedValueEvent",
            "BaseMessage",
            "ToolMessage",
            "ReasoningMessage",
            "ToolCall",
        ] {
            schema["$defs"][name]["properties"]["encryptedValueType"] = json!({"type": "string"});
        }
    }
    schema
}

// ---------------------------------------------------------------- row by row

/// A definition's properties with what they are composed of, and which are required.
fn definition(schema: &Value, name: &str) -> (BTreeMap<String, Value>, Vec<String>) {
    let own = &schema["$defs"][name];
    assert!(own.is_object(), "{name}");
    let (mut properties, mut required) = (BTreeMap::new(), Vec::new());
    for part in own["allOf"].as_array().into_iter().flatten() {
        let (more, needed) = definition(schema, reference(part).unwrap());
        properties.extend(more);
        required.extend(needed);
    }
    for (member, value) in own["properties"].as_object().unwrap() {
        properties.insert(member.clone(), value.clone());
    }
    let own = own["required"].as_array().into_iter().flatten();
    required.extend(own.map(|name| name.as_str().unwrap().to_owned()));
    (properties, required)
}

/// The name of the definition that a schema refers to.
fn reference(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str().map(|path| path.strip_prefix("#/$defs/").unwrap())
}

/// The keywords of a schema, those it refers to among them, without prose.
fn keywords(schema: &Value, property: &Value) -> BTreeMap<String, Value> {
    let mut all = match reference(property) {
        Some(name) => keywords(schema, &schema["$defs"][name]),
        None => BTreeMap::new(),
    };
    for (keyword, value) in property.as_object().unwrap() {
        if !["description", "default", "$ref", "$anchor", "contentEncoding"]
            .contains(&keyword.as_str())
        {
            all.insert(keyword.clone(), value.clone());
        }
    }
    all
}

/// What the schema must say where the table says this, except for shapes, which are
/// compared by name.
fn as_keywords(field: Option<&Field>, kind: &Kind) -> Value {
    match kind {
        Kind::Any if field.is_some_and(|f| f.required) => json!({}),
        Kind::Any => json!({"not": {"type": "null"}}),
        Kind::Text => json!({"type": "string"}),
        Kind::OneOf([one]) => json!({"const": one}),
        Kind::OneOf(allowed) => json!({"type": "string", "enum": allowed}),
        Kind::Integer(least, most) => json!({"type": "integer", "minimum": least, "maximum": most}),
        Kind::Flag => json!({"type": "boolean"}),
        Kind::Open => json!({"type": "object", "additionalProperties": true}),
        Kind::Object(shape) => json!({"$ref": format!("#/$defs/{}", shape.name)}),
        Kind::Variant(union) => json!({"$ref": format!("#/$defs/{}", union.name)}),
        Kind::List(item) => json!({"type": "array", "items": as_keywords(None, item)}),
        Kind::Filled(item, _) => {
            json!({"type": "array", "minItems": 1, "items": as_keywords(None, item)})
        }
        Kind::TextOrList(item) => {
            json!({"oneOf": [{"type": "string"}, {"type": "array", "items": as_keywords(None, item)}]})
        }
        Kind::Patch => json!({"$ref": "#/$defs/JsonPatch"}),
        Kind::Tag | Kind::Barred(_) => unreachable!(),
    }
}

fn same(schema: &Value, field: &Field, property: &Value) {
    let ours = as_keywords(Some(field), &field.kind);
    if ours.get("$ref").is_some() {
        assert_eq!(ours["$ref"], property["$ref"], "{}", field.name);
        return;
    }
    let mut theirs = Value::Object(keywords(schema, property).into_iter().collect());
    // Items of an array may carry prose.
    if let Some(items) = theirs.get_mut("items").and_then(Value::as_object_mut) {
        items.shift_remove("description");
    }
    assert_eq!(ours, theirs, "{}", field.name);
}

fn compare(
    schema: &Value,
    version: Version,
    shape: &'static Shape,
    tag: Option<(&str, &str)>,
    seen: &mut Vec<&'static str>,
) {
    if seen.contains(&shape.name) {
        return;
    }
    seen.push(shape.name);
    let closed = &schema["$defs"][shape.name]["unevaluatedProperties"];
    assert_eq!(closed, &json!(false), "{}", shape.name);
    let (properties, required) = definition(schema, shape.name);
    let mut ours: Vec<_> = shape.fields(version).map(|f| f.name).collect();
    ours.sort_unstable();
    assert_eq!(ours, properties.keys().map(String::as_str).collect::<Vec<_>>(), "{}", shape.name);
    for field in shape.fields(version) {
        let name = field.name;
        let needed = required.iter().any(|required| required == name);
        assert_eq!(field.required, needed, "{}/{name}", shape.name);
        if matches!(field.kind, Kind::Tag) {
            let (member, value) = tag.expect("a shape that something chose");
            assert_eq!((name, &properties[name]["const"]), (member, &json!(value)));
        } else {
            same(schema, field, &properties[name]);
        }
        descend(schema, version, &field.kind, seen);
    }
}

fn descend(schema: &Value, version: Version, kind: &Kind, seen: &mut Vec<&'static str>) {
    match kind {
        Kind::Object(shape) => compare(schema, version, shape, None, seen),
        Kind::Variant(union) => {
            let Union { name, tag, shapes } = union;
            let theirs = schema["$defs"][name]["oneOf"].as_array().unwrap();
            let theirs: Vec<_> = theirs.iter().map(|one| reference(one).unwrap()).collect();
            assert_eq!(shapes.iter().map(|(_, s)| s.name).collect::<Vec<_>>(), theirs);
            for (value, shape) in *shapes {
                compare(schema, version, shape, Some((tag, value)), seen);
            }
        }
        Kind::List(item) | Kind::Filled(item, _) | Kind::TextOrList(item) => {
            descend(schema, version, item, seen);
        }
        _ => {}
    }
}

#[test]
fn every_row_is_what_the_schema_says() {
    for version in Version::ALL {
        let schema = schema(*version);
        let mut seen = Vec::new();
        for event_type in EventType::ALL {
            let tag = Some(("type", event_type.as_str()));
            compare(&schema, *version, event_shape(*event_type), tag, &mut seen);
        }
        compare(&schema, *version, input_shape(), None, &mut seen);
        let events = schema["$defs"]["Event"]["oneOf"].as_array().unwrap();
        let events: Vec<_> = events.iter().map(|one| reference(one).unwrap()).collect();
        assert_eq!(EventType::ALL.iter().map(|t| event_shape(*t).name).collect::<Vec<_>>(), events);
        let types = &schema["$defs"]["EventType"]["enum"];
        assert!(RETIRED.iter().all(|name| !types.as_array().unwrap().contains(&json!(name))));
        // What the schema defines and no event or input reaches.
        let unreached = schema["$defs"].as_object().unwrap().keys().filter(|name| {
            let object = schema["$defs"][*name]["unevaluatedProperties"] == false;
            object && !seen.contains(&name.as_str())
        });
        assert!(
            unreached.clone().all(|name| name.ends_with("Capabilities") || name == "SubagentInfo")
        );
        assert_eq!(unreached.count(), 14);
    }
}

// ---------------------------------------------------------------- verdict by verdict

fn validator(schema: &Value, subject: Subject) -> jsonschema::Validator {
    let mut schema = schema.clone();
    if subject == Subject::Input {
        schema["$ref"] = json!("#/$defs/RunAgentInput");
    }
    jsonschema::validator_for(&schema).unwrap()
}

fn agree(version: Version) {
    let schema = schema(version);
    let seed = shape_support::seed();
    let mut rng = Rng(seed);
    for (subject, count) in [(Subject::Event, EVENTS), (Subject::Input, INPUTS)] {
        let validator = validator(&schema, subject);
        let (mut accepted, mut excused) = (0, 0);
        for _ in 0..count {
            let value = any(subject, version, &mut rng);
            let text = value.to_string();
            let found = faults(&text, subject, version);
            let accepts = validator.is_valid(&value);
            accepted += usize::from(accepts);
            if found.is_empty() == accepts {
                continue;
            }
            let excuse =
                DIVERGENCES.iter().find(|d| d.we_accept == found.is_empty() && (d.excuses)(&value));
            assert!(
                excuse.is_some(),
                "seed {seed}: the schema of {version} {} what we find {found:?} in: {text}",
                if accepts { "accepts" } else { "rejects" },
            );
            excused += 1;
        }
        eprintln!("{subject:?} {version}: {accepted} of {count} accepted, {excused} excused");
        assert!(accepted > count / 4 && accepted < count * 3 / 4, "{accepted} of {count}");
    }
}

#[test]
fn the_schema_of_1_0_and_the_table_agree() {
    agree(Version::V1_0);
}

#[test]
fn the_schema_of_1_1_and_the_table_agree() {
    agree(Version::V1_1);
}

#[test]
fn the_known_differences_show() {
    let validator = validator(&schema(Version::V1_0), Subject::Event);
    for Divergence { name, witness, we_accept, why, fault, .. } in DIVERGENCES {
        let value: Value = serde_json::from_str(witness).unwrap();
        assert_eq!(validator.is_valid(&value), !we_accept, "{name}: the schema");
        let found = faults(witness, Subject::Event, Version::V1_0);
        assert_eq!(found.is_empty(), *we_accept, "{name}: {found:?}");
        assert!(!why.is_empty() && !fault.is_empty(), "{name}");
    }
}
