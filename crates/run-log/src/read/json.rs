//! JSON: a document with its references, and a reference alone.

use std::borrow::Cow;
use std::fmt;
use std::io::{BufRead, Cursor, Read};
use std::marker::PhantomData;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess,
    Visitor,
};
use serde_json::error::Category;
use serde_json::value::RawValue;

use super::{Failure, Given, Header, Member, Parts, Refused, failed, unreadable};
use crate::error::{ErrorCode, Field, SequenceError};
use crate::log::Log;
use crate::report::Report;
use crate::scalar::Scalar;
use crate::validate::validate;

/// How much of a document is read into memory: more than a log at its limit takes, so that
/// reading piece by piece, which is slower, is for documents that hold other things.
const AT_ONCE: u64 = 16 << 20;

/// What a document says, as far as it was read.
#[derive(Default)]
struct Document {
    header: Header,
    references: Log,
    /// Whether there is a member `references`, and it is a list.
    listed: bool,
    refused: Option<Refused>,
}

pub(super) fn read(mut log: impl BufRead, given: &Given) -> Result<Report, Failure> {
    let ready = log.fill_buf().map_err(|error| failed(&error))?.len();
    let mut text = Vec::with_capacity(ready + 1);
    log.by_ref().take(AT_ONCE).read_to_end(&mut text).map_err(|error| failed(&error))?;
    let mut document = Document::default();
    // Text that is known to be UTF-8 is read faster than bytes.
    let mut read = match str::from_utf8(&text) {
        Ok(text) => parse::<&RawValue, _>(serde_json::Deserializer::from_str(text), &mut document),
        Err(_) => parse::<&RawValue, _>(serde_json::Deserializer::from_slice(&text), &mut document),
    };
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
    Ok(validate(&options, &document.references))
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

/// The reference that a line is, or that it is none.
pub(super) fn line(line: &[u8], number: u64) -> Result<Result<Parts<'_>, SequenceError>, Failure> {
    let mut json = serde_json::Deserializer::from_slice(line);
    let item = Item(PhantomData::<&RawValue>).deserialize(&mut json);
    let item = item.and_then(|item| json.end().map(|()| item));
    item.map_err(|error| match broken(&error) {
        Failure::Unreadable { message, .. } => unreadable(message, Some(number)),
        refused @ Failure::Refused(_) => refused,
    })
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
                    document.references = Log::default();
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
            let item = item.and_then(|parts| parts.push_to(&mut document.references));
            if let Err(error) = item {
                document.refused = Some(Refused { error, reference: Some(at), line: None });
                return Err(A::Error::custom("refused"));
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<(), A::Error> {
        pass_over_members(members)
    }

    others!((); visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64, visit_str: &str);
}

/// One item of the references.
struct Item<V>(PhantomData<V>);

impl<'de, V: Raw<'de>> DeserializeSeed<'de> for Item<V> {
    type Value = Result<Parts<'de>, SequenceError>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_any(self)
    }
}

const NO_REFERENCE: SequenceError =
    SequenceError { code: ErrorCode::InvalidReferenceType, field: Field::References };

impl<'de, V: Raw<'de>> Visitor<'de> for Item<V> {
    type Value = Result<Parts<'de>, SequenceError>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a reference")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut parts = Parts::none();
        while let Some(name) = members.next_key_seed(Name)? {
            match name {
                Known::Member(Member::Number) => {
                    let number = members.next_value::<V>()?;
                    parts.number = number.scalar().number(Field::SequenceNumber);
                }
                Known::Member(id) => parts.set_id(id, members.next_value_seed(Id)?),
                _ => {
                    members.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Ok(parts))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Self::Value, A::Error> {
        pass_over(items)?;
        Ok(Err(NO_REFERENCE))
    }

    others!(Err(NO_REFERENCE); visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64,
        visit_str: &str);
}

/// An id of a reference: a text; what is none is empty.
struct Id;

impl<'de> DeserializeSeed<'de> for Id {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Id {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an id")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Self::Value, A::Error> {
        pass_over_members(members)?;
        Ok(Cow::Borrowed(""))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Self::Value, A::Error> {
        pass_over(items)?;
        Ok(Cow::Borrowed(""))
    }

    others!(Cow::Borrowed(""); visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64);
}

fn pass_over<'de, A: SeqAccess<'de>>(mut items: A) -> Result<(), A::Error> {
    while items.next_element::<IgnoredAny>()?.is_some() {}
    Ok(())
}

fn pass_over_members<'de, A: MapAccess<'de>>(mut members: A) -> Result<(), A::Error> {
    while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
    Ok(())
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
