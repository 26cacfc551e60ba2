//! JSON: a document with its references, and a reference alone.

use std::fmt;
use std::io::{Cursor, Read};
use std::marker::PhantomData;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess,
    Visitor,
};
use serde_json::error::Category;
use serde_json::value::RawValue;

use super::{Failure, Given, Header, Member, Parts, Refused, failed, unreadable};
use crate::error::{ErrorCode, Field, SequenceError};
use crate::report::Report;
use crate::scalar::Scalar;
use crate::types::{MAX_REFERENCES, Reference};
use crate::validate::validate_event_sequence;

/// How much of a document is read into memory: more than a log at its limit takes, so that
/// reading piece by piece, which is slower, is for documents that hold other things.
const AT_ONCE: u64 = 16 << 20;

/// What a document says, as far as it was read.
#[derive(Default)]
struct Document {
    header: Header,
    references: Vec<Reference>,
    /// Whether there is a member `references`, and it is a list.
    listed: bool,
    refused: Option<Refused>,
}

pub(super) fn read(mut log: impl Read, given: &Given) -> Result<Report, Failure> {
    let mut text = Vec::new();
    log.by_ref().take(AT_ONCE).read_to_end(&mut text).map_err(|error| failed(&error))?;
    let mut document = Document::default();
    let mut read =
        parse::<&RawValue, _>(serde_json::Deserializer::from_slice(&text), &mut document);
    let more = text.len() as u64 == AT_ONCE;
    if more && document.refused.is_none() && read.as_ref().is_err_and(serde_json::Error::is_eof) {
        document = Document::default();
        let whole = Cursor::new(text).chain(log);
        read =
            parse::<Box<RawValue>, _>(serde_json::Deserializer::from_reader(whole), &mut document);
    }
    if let (Err(error), None) = (read, document.refused) {
        return Err(broken(&error));
    }
    judge(document, given)
}

fn judge(document: Document, given: &Given) -> Result<Report, Failure> {
    let options = document.header.with(given).options()?;
    if let Some(refused) = document.refused {
        return Err(refused.into());
    }
    if !document.listed {
        return Err(SequenceError::new(ErrorCode::InvalidSequence, Field::References).into());
    }
    Ok(validate_event_sequence(&options, document.references.into_iter().map(Ok))?)
}

fn parse<'de, V: Raw<'de>, R: serde_json::de::Read<'de>>(
    mut json: serde_json::Deserializer<R>,
    document: &mut Document,
) -> serde_json::Result<()> {
    (&mut json).deserialize_any(Top(document, PhantomData::<V>))?;
    json.end()
}

/// Where and how JSON is broken: the library's own text may quote the log.
fn broken(error: &serde_json::Error) -> Failure {
    let line = Some(error.line() as u64).filter(|line| *line > 0);
    match error.classify() {
        Category::Io => unreadable(format!("it cannot be read: {error}"), line),
        Category::Eof => unreadable("the JSON ends too early", line),
        Category::Syntax => {
            unreadable(format!("the JSON is broken at column {}", error.column()), line)
        }
        Category::Data => unreadable(NO_LOG, line),
    }
}

const NO_LOG: &str = "this is no run log: a JSON object with `references`, a list of references, \
                      or a reference a line";

/// The reference that a line is.
pub(super) fn reference(line: &[u8], number: u64) -> Result<Reference, Failure> {
    let mut json = serde_json::Deserializer::from_slice(line);
    let item = Item(PhantomData::<&RawValue>).deserialize(&mut json);
    let item = item.and_then(|item| json.end().map(|()| item));
    let item = item.map_err(|error| match broken(&error) {
        Failure::Unreadable { message, .. } => unreadable(message, Some(number)),
        refused @ Failure::Refused(_) => refused,
    })?;
    Ok(item?)
}

/// Whether a line is an object that looks like a reference and not like a whole log.
pub(super) fn is_reference(line: &[u8]) -> bool {
    #[derive(serde::Deserialize)]
    struct Look {
        references: Option<IgnoredAny>,
        event_id: Option<IgnoredAny>,
        sequence_number: Option<IgnoredAny>,
    }
    serde_json::from_slice(line).is_ok_and(|look: Look| {
        look.references.is_none() && (look.event_id.is_some() || look.sequence_number.is_some())
    })
}

/// The text of a JSON value, borrowed or not.
trait Raw<'de>: Deserialize<'de> {
    fn scalar(&self) -> Scalar<'_>;
}

impl<'de> Raw<'de> for &'de RawValue {
    fn scalar(&self) -> Scalar<'_> {
        Scalar::of(self.get())
    }
}

impl Raw<'_> for Box<RawValue> {
    fn scalar(&self) -> Scalar<'_> {
        Scalar::of(self.get())
    }
}

/// The document: an object, or the references alone.
struct Top<'d, V>(&'d mut Document, PhantomData<V>);

impl<'de, V: Raw<'de>> Visitor<'de> for Top<'_, V> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a run log")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let document = self.0;
        while let Some(name) = members.next_key_seed(Name)? {
            let header = &mut document.header;
            let place = match name {
                Known::Member(Member::RunId) => &mut header.run_id,
                Known::ExpectedStart => &mut header.expected_start,
                Known::Terminal => &mut header.terminal,
                Known::AllowEmpty => &mut header.allow_empty,
                Known::References => {
                    // Of members that come twice the last counts.
                    document.references.clear();
                    (document.listed, document.refused) = (false, None);
                    members.next_value_seed(References(document, PhantomData::<V>))?;
                    continue;
                }
                Known::Member(_) | Known::Other => {
                    members.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            *place = Some(members.next_value::<V>()?.scalar().into_owned());
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<(), A::Error> {
        References(self.0, PhantomData::<V>).visit_seq(items)
    }
}

/// The references. The first that is refused ends the reading.
struct References<'d, V>(&'d mut Document, PhantomData<V>);

impl<'de, V: Raw<'de>> DeserializeSeed<'de> for References<'_, V> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

/// What is no list or object is no list of references: it is read, and that is all.
macro_rules! others {
    ($value:expr; $($visit:ident: $of:ty),*) => {
        $(fn $visit<E>(self, _: $of) -> Result<Self::Value, E> { Ok($value) })*
        fn visit_unit<E>(self) -> Result<Self::Value, E> { Ok($value) }
    };
}

impl<'de, V: Raw<'de>> Visitor<'de> for References<'_, V> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of references")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let document = self.0;
        document.listed = true;
        while let Some(item) = items.next_element_seed(Item(PhantomData::<V>))? {
            let at = document.references.len();
            let many = SequenceError::new(ErrorCode::TooManyEvents, Field::References);
            let item = item.and_then(|item| if at < MAX_REFERENCES { Ok(item) } else { Err(many) });
            match item {
                Ok(reference) => document.references.push(reference),
                Err(error) => {
                    document.refused = Some(Refused { error, reference: Some(at), line: None });
                    return Err(A::Error::custom("refused"));
                }
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }

    others!((); visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64, visit_str: &str);
}

/// One item of the references.
struct Item<V>(PhantomData<V>);

impl<'de, V: Raw<'de>> DeserializeSeed<'de> for Item<V> {
    type Value = Result<Reference, SequenceError>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_any(self)
    }
}

const NO_REFERENCE: SequenceError =
    SequenceError { code: ErrorCode::InvalidReferenceType, field: Field::References };

impl<'de, V: Raw<'de>> Visitor<'de> for Item<V> {
    type Value = Result<Reference, SequenceError>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a reference")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut parts = Parts::default();
        while let Some(name) = members.next_key_seed(Name)? {
            match name {
                Known::Member(member) => {
                    parts.set(member, &members.next_value::<V>()?.scalar());
                }
                _ => {
                    members.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(parts.reference())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Err(NO_REFERENCE))
    }

    others!(Err(NO_REFERENCE); visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64,
        visit_str: &str);
}

/// The names of members.
enum Known {
    Member(Member),
    References,
    ExpectedStart,
    Terminal,
    AllowEmpty,
    Other,
}

/// Reads a member's name.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Known;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Known, D::Error> {
        json.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name {
    type Value = Known;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member's name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Known, E> {
        Ok(match name {
            "references" => Known::References,
            "expected_start" => Known::ExpectedStart,
            "terminal_sequence_number" => Known::Terminal,
            "allow_empty" => Known::AllowEmpty,
            name => Member::of(name).map_or(Known::Other, Known::Member),
        })
    }
}
