//! What is wrong with the shape of an event, and where.

use std::fmt;

use crate::quote::quote;

/// One thing wrong with the shape of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// RFC 6901 pointer to the member concerned; a missing member has the pointer that it
    /// would have.
    pub pointer: String,
    /// Byte offset of the value, of the object that lacks a member, or of the name of an
    /// unknown member.
    pub offset: usize,
    /// What is wrong.
    pub kind: FaultKind,
    /// The requirement that is named for this very case, where there is one. It then says
    /// more than [`Fault::requirement`], which is broken too.
    pub named: Option<&'static str>,
}

/// What can be wrong with the shape of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// The event is of a type that the protocol does not describe.
    UnknownType {
        /// The type as it was sent.
        name: String,
        /// A type of nearly that name.
        near: Option<&'static str>,
    },
    /// The event is of a type that the protocol had before 1.0.
    RetiredType {
        /// The type.
        name: &'static str,
    },
    /// The event names no type.
    MissingType {
        /// What kind of JSON value its `type` is, where it has one.
        found: Option<&'static str>,
        /// A member of nearly that name.
        near: Option<String>,
    },
    /// A required member is missing.
    Missing {
        /// Its name.
        member: &'static str,
        /// A member that is there under nearly that name. It is not reported as unknown.
        near: Option<String>,
    },
    /// A value of the wrong JSON type.
    WrongType {
        /// What kind of JSON value it is.
        found: &'static str,
        /// What kind it must be.
        expected: &'static str,
    },
    /// A value of the right JSON type that is not among those allowed.
    NotAllowed {
        /// What is allowed, in words.
        expected: String,
    },
    /// An array with too few items.
    TooFew {
        /// How many it must have.
        least: usize,
    },
    /// An optional member that is null.
    Null,
    /// A member that the protocol does not describe, in an object that it closes.
    UnknownMember {
        /// Its name as it was sent.
        name: String,
        /// A member of nearly that name which the object could have and has not.
        near: Option<&'static str>,
    },
    /// A value that the reader passed over where its inside matters.
    TooDeep,
    /// An operation of a JSON patch that is none.
    Operation {
        /// Its place in the patch.
        index: usize,
        /// What is wrong with it, in words.
        wrong: &'static str,
    },
    /// An `encryptedValueType` of nothing.
    TypeOfNothing,
    /// `metadata` with the key that is kept for the protocol.
    ReservedKey,
}

impl Fault {
    /// The requirement that the fault breaks.
    ///
    /// ```
    /// use conform_event::json::read;
    /// use conform_event::shape::{Version, check};
    /// let (json, _) = read(br#"{"type":"RAW","event":1,"source":null,"id":"e1"}"#).unwrap();
    /// let faults = check(&json, Version::V1_1);
    /// let ids: Vec<_> = faults.iter().map(|fault| fault.requirement()).collect();
    /// assert_eq!(ids, ["shape/absent-not-null", "shape/known-fields"]);
    /// ```
    pub fn requirement(&self) -> &'static str {
        match self.kind {
            FaultKind::UnknownType { .. }
            | FaultKind::RetiredType { .. }
            | FaultKind::MissingType { .. } => "shape/known-type",
            FaultKind::Null => "shape/absent-not-null",
            FaultKind::UnknownMember { .. } => "shape/known-fields",
            FaultKind::Operation { .. } => "state/patch-well-formed",
            FaultKind::TypeOfNothing => "reasoning/encrypted-type-needs-value",
            FaultKind::ReservedKey => "shape/metadata-reserved-key",
            FaultKind::Missing { .. }
            | FaultKind::WrongType { .. }
            | FaultKind::NotAllowed { .. }
            | FaultKind::TooFew { .. }
            | FaultKind::TooDeep => "shape/well-formed",
        }
    }

    /// The value concerned, in words: its name, or its place in an array.
    fn subject(&self) -> String {
        let mut tokens = self.pointer.rsplit('/');
        let (last, above) = (tokens.next(), tokens.next());
        match (last, above) {
            (Some(index), Some(list)) if index.bytes().all(|b| b.is_ascii_digit()) => {
                format!("item {index} of {}", quote(list))
            }
            (Some(name), Some(_)) => quote(name),
            _ => "the value".to_owned(),
        }
    }
}

/// One sentence, in lower case and without a full stop. It quotes names, never values.
///
/// ```
/// use conform_event::json::read;
/// use conform_event::shape::{Version, check};
/// let (json, _) = read(br#"{"type":"STEP_STARTED","step_name":"plan"}"#).unwrap();
/// assert_eq!(
///     check(&json, Version::V1_1)[0].to_string(),
///     r#"required member "stepName" is missing; there is "step_name""#,
/// );
/// ```
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            FaultKind::UnknownType { name, near } => {
                write!(f, "the protocol has no event type {}", quote(name))?;
                suggest(f, *near)
            }
            FaultKind::RetiredType { name } => {
                write!(f, "event type {} was retired before 1.0", quote(name))
            }
            FaultKind::MissingType { found: Some(found), .. } => {
                write!(f, "the event's type must be a string, not {found}")
            }
            FaultKind::MissingType { found: None, near } => {
                f.write_str("the event has no type")?;
                there_is(f, near.as_deref())
            }
            FaultKind::Missing { member, near } => {
                write!(f, "required member {} is missing", quote(member))?;
                there_is(f, near.as_deref())
            }
            FaultKind::WrongType { found, expected } => {
                write!(f, "{} must be {expected}, not {found}", self.subject())
            }
            FaultKind::NotAllowed { expected } => {
                write!(f, "{} must be {expected}", self.subject())
            }
            FaultKind::TooFew { least } => {
                let items = if *least == 1 { "item" } else { "items" };
                write!(f, "{} must have at least {least} {items}", self.subject())
            }
            FaultKind::Null => {
                write!(f, "optional member {} is null; it must be left out", self.subject())
            }
            FaultKind::UnknownMember { name, near } => {
                write!(f, "the protocol has no member {} here", quote(name))?;
                suggest(f, *near)
            }
            FaultKind::TooDeep => write!(f, "{} is nested too deeply to be read", self.subject()),
            FaultKind::Operation { index, wrong } => {
                write!(f, "operation {index} of the patch {wrong}")
            }
            FaultKind::TypeOfNothing => {
                f.write_str("there is an \"encryptedValueType\" and no \"encryptedValue\"")
            }
            FaultKind::ReservedKey => {
                f.write_str("\"metadata\" has the key \"ag-ui\", which is kept for the protocol")
            }
        }
    }
}

fn suggest(f: &mut fmt::Formatter<'_>, near: Option<&str>) -> fmt::Result {
    match near {
        Some(near) => write!(f, "; did you mean {}?", quote(near)),
        None => Ok(()),
    }
}

fn there_is(f: &mut fmt::Formatter<'_>, near: Option<&str>) -> fmt::Result {
    match near {
        Some(near) => write!(f, "; there is {}", quote(near)),
        None => Ok(()),
    }
}
