//! What an event with a misspelt or mistyped member was meant to be.

use std::borrow::Cow;

use conform_event::json::{Json, Member, Value};
use conform_event::shape::{Fault, FaultKind};

/// The event that was meant, where the faults of its shape tell: members of nearly the right
/// name get that name, a type of nearly a known name gets that, and an id that is a number
/// becomes a string. None where nothing of this can be done.
pub(crate) fn event<'j, 'f>(
    json: &Json<'j>,
    id: Option<&'static str>,
    faults: impl Iterator<Item = &'f Fault>,
) -> Option<Json<'j>> {
    let mut faults = faults.peekable();
    faults.peek()?;
    let mut meant = json.clone();
    let mut mended = false;
    for fault in faults {
        let Some(name) = fault.pointer.strip_prefix('/').filter(|name| !name.contains('/')) else {
            continue;
        };
        mended |= match &fault.kind {
            FaultKind::UnknownType { near: Some(near), .. } => {
                set(&mut meant, "type", Cow::Borrowed(*near))
            }
            FaultKind::MissingType { near: Some(near), .. } => rename(&mut meant, near, "type"),
            FaultKind::Missing { member, near: Some(near) } => rename(&mut meant, near, member),
            FaultKind::UnknownMember { name, near: Some(near) } => rename(&mut meant, name, near),
            FaultKind::WrongType { expected: "a string", .. } if id == Some(name) => {
                match meant.get(name) {
                    Some(Json { value: Value::Number(text), .. }) => {
                        let text = Cow::Borrowed(*text);
                        set(&mut meant, name, text)
                    }
                    _ => false,
                }
            }
            _ => false,
        };
    }
    mended.then_some(meant)
}

fn set<'j>(json: &mut Json<'j>, name: &str, text: Cow<'j, str>) -> bool {
    member(json, name).map(|member| member.json.value = Value::String(text)).is_some()
}

fn rename(json: &mut Json<'_>, from: &str, to: &'static str) -> bool {
    member(json, from).map(|member| member.name = Cow::Borrowed(to)).is_some()
}

/// The member of this name that counts: of several the last.
fn member<'m, 'j>(json: &'m mut Json<'j>, name: &str) -> Option<&'m mut Member<'j>> {
    let Value::Object(members) = &mut json.value else { return None };
    members.iter_mut().rev().find(|member| member.name == name)
}
