//! JSON values and where they stand.

use std::borrow::Cow;

/// A JSON value and where it stands in the input.
///
/// ```
/// let (json, flaws) = conform_event::json::read(br#"{"id":"m1","n":[1,2]}"#).unwrap();
/// assert!(flaws.is_empty());
/// assert_eq!(json.get("id").and_then(|v| v.as_str()), Some("m1"));
/// assert_eq!(json.at("/n/1").map(|v| v.start), Some(18));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Json<'a> {
    /// The value itself.
    pub value: Value<'a>,
    /// Byte offset of its first character.
    pub start: usize,
    /// Byte offset just past its last character.
    pub end: usize,
}

/// What a JSON value is.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as it was written: no precision is lost.
    Number(&'a str),
    /// A string, unescaped. What is no Unicode in it is U+FFFD.
    String(Cow<'a, str>),
    /// An array.
    Array(Vec<Json<'a>>),
    /// The members of an object in the order written, repeated names included.
    Object(Vec<Member<'a>>),
    /// A value nested deeper than [`MAX_DEPTH`](super::MAX_DEPTH), passed over unread.
    TooDeep,
}

/// One member of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Member<'a> {
    /// The member's name, unescaped.
    pub name: Cow<'a, str>,
    /// Byte offset of the name's opening quote.
    pub name_start: usize,
    /// The member's value.
    pub json: Json<'a>,
}

impl<'a> Json<'a> {
    /// The member `name` of an object; of a repeated name the last, as most readers take it.
    pub fn get(&self, name: &str) -> Option<&Json<'a>> {
        self.members().iter().rev().find(|m| m.name == name).map(|m| &m.json)
    }

    /// The members of an object, none for any other value.
    pub fn members(&self) -> &[Member<'a>] {
        match &self.value {
            Value::Object(members) => members,
            _ => &[],
        }
    }

    /// The items of an array, none for any other value.
    pub fn items(&self) -> &[Json<'a>] {
        match &self.value {
            Value::Array(items) => items,
            _ => &[],
        }
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The text of the member `name`, where it is a string.
    ///
    /// ```
    /// let (json, _) = conform_event::json::read(br#"{"id":"m1","n":1}"#).unwrap();
    /// assert_eq!((json.text("id"), json.text("n")), (Some("m1"), None));
    /// ```
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_str()
    }

    /// The items of the member `name`, none where it is no array.
    ///
    /// ```
    /// let (json, _) = conform_event::json::read(br#"{"n":[1,2],"id":"m1"}"#).unwrap();
    /// assert_eq!((json.list("n").len(), json.list("id").len()), (2, 0));
    /// ```
    pub fn list(&self, name: &str) -> &[Json<'a>] {
        self.get(name).map_or(&[], Json::items)
    }

    /// Whether this is an object.
    pub fn is_object(&self) -> bool {
        matches!(self.value, Value::Object(_))
    }

    /// The value at an RFC 6901 pointer; the empty pointer is the value itself.
    pub fn at(&self, pointer: &str) -> Option<&Json<'a>> {
        if !pointer.is_empty() && !pointer.starts_with('/') {
            return None;
        }
        let mut here = self;
        for token in pointer.split('/').skip(1) {
            let name = token.replace("~1", "/").replace("~0", "~");
            here = match &here.value {
                Value::Object(_) => here.get(&name)?,
                Value::Array(items) => items.get(index(&name)?)?,
                _ => return None,
            };
        }
        Some(here)
    }

    /// What kind of value this is, in the words of a message: `a string`, `null`.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
            Value::TooDeep => "a value nested too deeply",
        }
    }
}

/// The array index that a token of a pointer is: digits without a leading zero.
fn index(token: &str) -> Option<usize> {
    let bare = token == "0" || !token.starts_with(['0', '+']);
    token.parse().ok().filter(|_| bare)
}
