//! The walk over a value with the table in hand.

use super::fault::{Fault, FaultKind};
use super::near::{distance, nearest};
use super::number::{self, Number};
use super::table::{Field, Kind, Shape, Union};
use super::{MAX_FAULTS, Version, event_shape};
use crate::json::{Json, Member, Value};
use crate::types::{EventType, RETIRED, TypeName};

/// The way from the root to a value, written out only where there is a fault.
#[derive(Clone, Copy)]
struct Path<'p> {
    up: Option<&'p Path<'p>>,
    step: Step<'p>,
}

#[derive(Clone, Copy)]
enum Step<'p> {
    Root,
    Name(&'p str),
    Item(usize),
}

impl Path<'_> {
    const ROOT: Path<'static> = Path { up: None, step: Step::Root };

    fn name<'p>(&'p self, name: &'p str) -> Path<'p> {
        Path { up: Some(self), step: Step::Name(name) }
    }

    fn item(&self, index: usize) -> Path<'_> {
        Path { up: Some(self), step: Step::Item(index) }
    }

    /// Whether the first member on the way has this name.
    fn is_below(&self, name: &str) -> bool {
        match (self.up, self.step) {
            (Some(Path { step: Step::Root, .. }), Step::Name(first)) => first == name,
            (Some(up), _) => up.is_below(name),
            (None, _) => false,
        }
    }

    fn write(&self, pointer: &mut String) {
        if let Some(up) = self.up {
            up.write(pointer);
            pointer.push('/');
        }
        match self.step {
            Step::Root => {}
            Step::Name(name) => pointer.push_str(&name.replace('~', "~0").replace('/', "~1")),
            Step::Item(index) => pointer.push_str(&index.to_string()),
        }
    }
}

/// What is sealed, and what its kind is called.
const SEAL: &str = "encryptedValue";
const SEAL_TYPE: &str = "encryptedValueType";

/// What has been found so far.
pub(super) struct Judge {
    version: Version,
    /// Whether it is an event that is judged, and not what a client sent.
    of_event: bool,
    faults: Vec<Fault>,
}

impl Judge {
    pub(super) fn new(version: Version) -> Self {
        Self { version, of_event: false, faults: Vec::new() }
    }

    /// The faults in document order.
    pub(super) fn into_faults(mut self) -> Vec<Fault> {
        self.faults.sort_by_key(|fault| fault.offset);
        self.faults
    }

    fn full(&self) -> bool {
        self.faults.len() >= MAX_FAULTS
    }

    fn fault(&mut self, path: &Path<'_>, offset: usize, kind: FaultKind) {
        self.named_fault(path, offset, kind, None);
    }

    fn named_fault(
        &mut self,
        path: &Path<'_>,
        offset: usize,
        kind: FaultKind,
        named: Option<&'static str>,
    ) {
        if !self.full() {
            let mut pointer = String::new();
            path.write(&mut pointer);
            self.faults.push(Fault { pointer, offset, kind, named });
        }
    }

    fn wrong(&mut self, json: &Json<'_>, path: &Path<'_>, expected: &'static str) {
        // What was passed over is an object or an array, and not known to be the other.
        let kind = match &json.value {
            Value::TooDeep if matches!(expected, "an object" | "an array") => FaultKind::TooDeep,
            Value::TooDeep if expected == "a string or an array" => FaultKind::TooDeep,
            _ => FaultKind::WrongType { found: json.kind(), expected },
        };
        self.fault(path, json.start, kind);
    }

    /// Judges an event.
    pub(super) fn event(&mut self, json: &Json<'_>) {
        self.of_event = true;
        let root = Path::ROOT;
        if !json.is_object() {
            return self.wrong(json, &root, "an object");
        }
        let Some(tag) = json.get("type") else {
            let kind = FaultKind::MissingType { found: None, near: near_member(json, "type") };
            return self.fault(&root.name("type"), json.start, kind);
        };
        let kind = match tag.as_str().map(TypeName::of) {
            Some(TypeName::Known(event_type)) => {
                return self.object(json, event_shape(event_type), &root);
            }
            Some(TypeName::Retired(name)) => FaultKind::RetiredType { name },
            Some(TypeName::Unknown(name)) => {
                let known = EventType::ALL.iter().map(|t| t.as_str());
                let near = nearest(&name, known.chain(RETIRED.iter().copied()));
                let near = near.map(|(_, near)| near).filter(|near| !RETIRED.contains(near));
                FaultKind::UnknownType { name: name.into_owned(), near }
            }
            Some(TypeName::Missing) | None => {
                FaultKind::MissingType { found: Some(tag.kind()), near: None }
            }
        };
        self.fault(&root.name("type"), tag.start, kind);
    }

    /// Judges a value that must be of a shape.
    pub(super) fn shape(&mut self, json: &Json<'_>, shape: &'static Shape) {
        self.value(json, &Kind::Object(shape), &Path::ROOT);
    }

    fn object(&mut self, json: &Json<'_>, shape: &'static Shape, path: &Path<'_>) {
        let before = self.faults.len();
        self.members(json, shape, path);
        if shape.field(SEAL_TYPE, self.version).is_some() {
            self.seal(json, path, before);
        }
    }

    /// Judges that what is typed as encrypted is there; `before` counts the faults of others.
    fn seal(&mut self, json: &Json<'_>, path: &Path<'_>, before: usize) {
        let member = json.members().iter().rev().find(|member| member.name == SEAL_TYPE);
        let Some(member) = member.filter(|_| json.get(SEAL).is_none()) else { return };
        for fault in self.faults.iter_mut().skip(before) {
            match &fault.kind {
                FaultKind::Missing { member: SEAL, near: None } => {
                    fault.named = Some("reasoning/encrypted-type-needs-value");
                    return;
                }
                FaultKind::Missing { member: SEAL, .. }
                | FaultKind::UnknownMember { near: Some(SEAL), .. } => return,
                _ => {}
            }
        }
        self.fault(&path.name(SEAL_TYPE), member.name_start, FaultKind::TypeOfNothing);
    }

    fn members(&mut self, json: &Json<'_>, shape: &'static Shape, path: &Path<'_>) {
        let mut seen = 0_u64;
        let mut unknown: Vec<&Member<'_>> = Vec::new();
        // Backwards: of a repeated name the last one counts.
        for member in json.members().iter().rev() {
            if let Some((place, field)) = shape.field(&member.name, self.version) {
                let bit = 1 << place;
                if seen & bit == 0 {
                    seen |= bit;
                    self.member(member, field, &path.name(field.name));
                }
            } else if unknown.len() < MAX_FAULTS {
                unknown.push(member);
            }
        }
        let fields = shape.rows.into_iter().flatten().enumerate();
        let version = self.version;
        let absent = fields.filter(|(place, field)| {
            seen & (1 << place) == 0
                && field.since <= version
                && !matches!(field.kind, Kind::Barred(_))
        });
        if unknown.is_empty() {
            for (_, field) in absent.filter(|(_, field)| field.required) {
                let kind = FaultKind::Missing { member: field.name, near: None };
                self.named_fault(&path.name(field.name), json.start, kind, requirement_of(field));
            }
        } else {
            let absent: Vec<&'static Field> = absent.map(|(_, field)| field).collect();
            unknown.reverse();
            self.unknown(json, &unknown, &absent, path);
        }
    }

    /// Tells members that are missing, members that are unknown, and which is which.
    fn unknown(
        &mut self,
        json: &Json<'_>,
        unknown: &[&Member<'_>],
        absent: &[&'static Field],
        path: &Path<'_>,
    ) {
        let meant: Vec<Option<(usize, &'static str)>> =
            unknown.iter().map(|m| nearest(&m.name, absent.iter().map(|f| f.name))).collect();
        let mut taken = vec![false; unknown.len()];
        let mut missing = Vec::new();
        for field in absent.iter().filter(|field| field.required) {
            let candidates = meant.iter().enumerate().filter_map(|(place, meant)| {
                meant.filter(|(_, name)| *name == field.name).map(|(distance, _)| (distance, place))
            });
            let nearest = candidates.min().map(|(_, place)| place);
            if let Some(place) = nearest {
                taken[place] = true;
            }
            missing.push(field.name);
            let near = nearest.map(|place| unknown[place].name.to_string());
            let named = requirement_of(field).filter(|_| near.is_none());
            let kind = FaultKind::Missing { member: field.name, near };
            self.named_fault(&path.name(field.name), json.start, kind, named);
        }
        for (place, member) in unknown.iter().enumerate().filter(|(place, _)| !taken[*place]) {
            let near = meant[place].map(|(_, name)| name).filter(|name| !missing.contains(name));
            let kind = FaultKind::UnknownMember { name: member.name.to_string(), near };
            self.fault(&path.name(&member.name), member.name_start, kind);
        }
    }

    fn member(&mut self, member: &Member<'_>, field: &'static Field, path: &Path<'_>) {
        let json = &member.json;
        match (&json.value, field.kind) {
            (_, Kind::Barred(requirement)) => {
                let name = member.name.to_string();
                let kind = FaultKind::UnknownMember { name, near: None };
                self.named_fault(path, member.name_start, kind, Some(requirement));
            }
            (Value::Null, _) if !field.required => self.fault(path, json.start, FaultKind::Null),
            _ => {
                self.value(json, &field.kind, path);
                let reserved = field.name == "metadata" && json.get("ag-ui").is_some();
                if reserved && self.of_event && !path.is_below("input") {
                    self.fault(path, json.start, FaultKind::ReservedKey);
                }
            }
        }
    }

    fn value(&mut self, json: &Json<'_>, kind: &Kind, path: &Path<'_>) {
        match (kind, &json.value) {
            // A tag was judged where it chose the shape; a barred member never gets here.
            (Kind::Any | Kind::Tag | Kind::Barred(_), _)
            | (Kind::Text | Kind::TextOrList(_), Value::String(_))
            | (Kind::Flag, Value::Bool(_))
            | (Kind::Open, Value::Object(_)) => {}
            (Kind::OneOf(allowed), Value::String(text)) => {
                if !allowed.contains(&text.as_ref()) {
                    let kind = FaultKind::NotAllowed { expected: one_of(allowed.iter().copied()) };
                    self.fault(path, json.start, kind);
                }
            }
            (Kind::Integer(least, most), Value::Number(text)) => {
                self.integer(json, text, (*least, *most), path);
            }
            (Kind::Object(shape), Value::Object(_)) => self.object(json, shape, path),
            (Kind::Variant(union), Value::Object(_)) => self.variant(json, union, path),
            (Kind::List(item) | Kind::TextOrList(item), Value::Array(items)) => {
                self.items(items, item, path);
            }
            (Kind::Filled(item, requirement), Value::Array(items)) => {
                if items.is_empty() {
                    let kind = FaultKind::TooFew { least: 1 };
                    self.named_fault(path, json.start, kind, Some(*requirement));
                }
                self.items(items, item, path);
            }
            (Kind::Patch, _) => self.patch(json, path),
            (Kind::Text | Kind::OneOf(_), _) => self.wrong(json, path, "a string"),
            (Kind::Integer(..), _) => self.wrong(json, path, "an integer"),
            (Kind::Flag, _) => self.wrong(json, path, "a boolean"),
            (Kind::Open | Kind::Object(_) | Kind::Variant(_), _) => {
                self.wrong(json, path, "an object");
            }
            (Kind::List(_) | Kind::Filled(..), _) => self.wrong(json, path, "an array"),
            (Kind::TextOrList(_), _) => self.wrong(json, path, "a string or an array"),
        }
    }

    fn items(&mut self, items: &[Json<'_>], kind: &Kind, path: &Path<'_>) {
        for (index, item) in items.iter().enumerate() {
            if self.full() {
                return;
            }
            self.value(item, kind, &path.item(index));
        }
    }

    fn integer(&mut self, json: &Json<'_>, text: &str, (least, most): (i64, i64), path: &Path<'_>) {
        let kind = match number::read(text) {
            Number::Whole(value) if (least..=most).contains(&value) => return,
            Number::Whole(_) | Number::Beyond => {
                FaultKind::NotAllowed { expected: format!("an integer from {least} to {most}") }
            }
            Number::Broken => {
                FaultKind::WrongType { found: "a number with a fraction", expected: "an integer" }
            }
        };
        self.fault(path, json.start, kind);
    }

    fn variant(&mut self, json: &Json<'_>, union: &'static Union, path: &Path<'_>) {
        let here = path.name(union.tag);
        let Some(tag) = json.get(union.tag) else {
            let near = near_member(json, union.tag);
            let kind = FaultKind::Missing { member: union.tag, near };
            return self.fault(&here, json.start, kind);
        };
        let Some(text) = tag.as_str() else {
            return self.wrong(tag, &here, "a string");
        };
        if let Some((_, shape)) = union.shapes.iter().find(|(name, _)| *name == text) {
            self.object(json, shape, path);
        } else {
            let expected = one_of(union.shapes.iter().map(|(name, _)| *name));
            self.fault(&here, tag.start, FaultKind::NotAllowed { expected });
        }
    }

    fn patch(&mut self, json: &Json<'_>, path: &Path<'_>) {
        let before = self.faults.len();
        self.value(json, &Kind::List(&Kind::Open), path);
        if self.faults.len() > before {
            // The first says that it is no patch.
            self.faults.truncate(before + 1);
            for fault in &mut self.faults[before..] {
                fault.named = Some("state/patch-well-formed");
            }
            return;
        }
        for (index, operation) in json.items().iter().enumerate() {
            if let Some((member, wrong)) = operation_fault(operation) {
                let here = path.item(index);
                let here = here.name(member);
                let offset = operation.get(member).unwrap_or(operation).start;
                self.fault(&here, offset, FaultKind::Operation { index, wrong });
                return;
            }
        }
    }
}

/// The requirement that is named for the absence of a member.
fn requirement_of(field: &Field) -> Option<&'static str> {
    match field.kind {
        Kind::Filled(_, requirement) => Some(requirement),
        _ => None,
    }
}

/// Whether a value is an RFC 6902 patch: an array of operations that each have what they need.
pub(super) fn is_patch(json: &Json<'_>) -> bool {
    let fine = |item: &Json<'_>| item.is_object() && operation_fault(item).is_none();
    matches!(&json.value, Value::Array(items) if items.iter().all(fine))
}

/// What is wrong with an operation of a patch, and which member shows it.
fn operation_fault(operation: &Json<'_>) -> Option<(&'static str, &'static str)> {
    let text = |member| operation.get(member).map(Json::as_str);
    let (needs_value, needs_from) = match text("op") {
        None => return Some(("op", "has no op")),
        Some(Some("add" | "replace" | "test")) => (true, false),
        Some(Some("move" | "copy")) => (false, true),
        Some(Some("remove")) => (false, false),
        Some(_) => return Some(("op", "is none of the six that RFC 6902 defines")),
    };
    match text("path") {
        None => return Some(("path", "has no path")),
        Some(Some(path)) if is_pointer(path) => {}
        Some(_) => return Some(("path", "has a path that is no JSON pointer")),
    }
    match text("from").filter(|_| needs_from) {
        None if needs_from => return Some(("from", "has no from")),
        Some(from) if !from.is_some_and(is_pointer) => {
            return Some(("from", "has a from that is no JSON pointer"));
        }
        _ => {}
    }
    let lacks_value = needs_value && operation.get("value").is_none();
    lacks_value.then_some(("value", "has no value"))
}

/// RFC 6901: empty, or tokens after slashes, in which a tilde is written `~0` and a slash `~1`.
fn is_pointer(text: &str) -> bool {
    let escaped = text.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
    escaped && (text.is_empty() || text.starts_with('/'))
}

/// A member of nearly this name.
fn near_member(json: &Json<'_>, name: &str) -> Option<String> {
    let members = json.members().iter().take(MAX_FAULTS);
    let near = members.filter_map(|m| Some((distance(&m.name, name)?, m)));
    near.min_by_key(|(distance, _)| *distance).map(|(_, member)| member.name.to_string())
}

/// `"a"`, `"a" or "b"`, `"a", "b" or "c"`.
fn one_of<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    let mut text = String::new();
    let last = names.len().saturating_sub(1);
    for (place, name) in names.enumerate() {
        text.push_str(match place {
            0 => "",
            place if place == last => " or ",
            _ => ", ",
        });
        text.push('"');
        text.push_str(name);
        text.push('"');
    }
    text
}
