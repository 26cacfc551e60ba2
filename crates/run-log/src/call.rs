//! A call as somebody writes it down, right or wrong: what generators make and the model
//! judges.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::value::RawValue;

/// The members of an object: of those that come twice the last.
type Members<'a> = BTreeMap<std::borrow::Cow<'a, str>, &'a RawValue>;

/// A value of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A string.
    Text(String),
    /// An integer, by its digits.
    Integer(String),
    /// A number with a point or an exponent, as it is written.
    Float(String),
    /// A boolean.
    Flag(bool),
    /// Null.
    Null,
    /// An empty list.
    List,
    /// An object that has nothing to do with it.
    Object,
}

impl Value {
    /// An integer.
    pub fn number(number: i64) -> Self {
        Self::Integer(number.to_string())
    }

    /// A string.
    pub fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    /// What some JSON is.
    fn of(json: &RawValue) -> Self {
        let text = json.get();
        match text.as_bytes().first() {
            Some(b'"') => serde_json::from_str(text).map_or(Self::Object, Self::Text),
            Some(b't' | b'f') => Self::Flag(text == "true"),
            Some(b'n') => Self::Null,
            Some(b'[') => Self::List,
            Some(b'{') => Self::Object,
            _ if text.contains(['.', 'e', 'E']) => Self::Float(text.to_owned()),
            _ => Self::Integer(text.to_owned()),
        }
    }

    fn write(&self, json: &mut String) {
        match self {
            Self::Text(text) => json.push_str(&serde_json::Value::from(text.as_str()).to_string()),
            Self::Integer(text) | Self::Float(text) => json.push_str(text),
            Self::Flag(flag) => json.push_str(if *flag { "true" } else { "false" }),
            Self::Null => json.push_str("null"),
            Self::List => json.push_str("[]"),
            Self::Object => json.push_str(r#"{"other":1}"#),
        }
    }
}

/// An item of the references.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// An object with these members, where they are there.
    Reference {
        /// `run_id`
        run_id: Option<Value>,
        /// `event_id`
        event_id: Option<Value>,
        /// `sequence_number`
        sequence_number: Option<Value>,
    },
    /// No object.
    Other(Value),
}

impl Item {
    /// A reference that has all three.
    pub fn reference(run_id: &str, event_id: &str, sequence_number: i64) -> Self {
        Self::Reference {
            run_id: Some(Value::text(run_id)),
            event_id: Some(Value::text(event_id)),
            sequence_number: Some(Value::number(sequence_number)),
        }
    }

    /// The JSON of the item, on one line.
    pub fn to_json(&self) -> String {
        let mut json = String::new();
        self.write(&mut json);
        json
    }

    fn of(json: &RawValue) -> Self {
        if !json.get().starts_with('{') {
            return Self::Other(Value::of(json));
        }
        let mut members: Members<'_> = serde_json::from_str(json.get()).unwrap_or_default();
        let mut take = |name| members.remove(name).map(Value::of);
        Self::Reference {
            run_id: take("run_id"),
            event_id: take("event_id"),
            sequence_number: take("sequence_number"),
        }
    }

    fn write(&self, json: &mut String) {
        match self {
            Self::Other(value) => value.write(json),
            Self::Reference { run_id, event_id, sequence_number } => {
                let members = [
                    ("run_id", run_id),
                    ("event_id", event_id),
                    ("sequence_number", sequence_number),
                ];
                object(json, members.into_iter().map(|(name, value)| (name, value.as_ref())));
            }
        }
    }
}

/// The references of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum References {
    /// None are given.
    Missing,
    /// No list.
    Other(Value),
    /// A list.
    Items(Vec<Item>),
}

/// A call of the validator.
///
/// ```
/// use conform_run_log::call::{Call, Item, References};
/// let call = Call::new("r1", vec![Item::reference("r1", "e1", 0)]);
/// assert_eq!(
///     call.to_json(),
///     concat!(
///         r#"{"run_id":"r1","references":"#,
///         r#"[{"run_id":"r1","event_id":"e1","sequence_number":0}]}"#
///     )
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// `run_id`
    pub run_id: Option<Value>,
    /// `expected_start`
    pub expected_start: Option<Value>,
    /// `terminal_sequence_number`
    pub terminal: Option<Value>,
    /// `allow_empty`
    pub allow_empty: Option<Value>,
    /// `references`
    pub references: References,
}

impl Call {
    /// A call without options.
    pub fn new(run_id: &str, items: Vec<Item>) -> Self {
        Self {
            run_id: Some(Value::text(run_id)),
            expected_start: None,
            terminal: None,
            allow_empty: None,
            references: References::Items(items),
        }
    }

    /// Reads a call from its JSON.
    ///
    /// # Errors
    ///
    /// It is no JSON object.
    ///
    /// ```
    /// use conform_run_log::call::Call;
    /// let json = r#"{"run_id":"r1","allow_empty":1.0,"references":[7]}"#;
    /// assert_eq!(Call::from_json(json).unwrap().to_json(), json);
    /// ```
    pub fn from_json(json: &str) -> Result<Self, serde_json::Error> {
        let mut members: Members<'_> = serde_json::from_str(json)?;
        let mut take = |name| members.remove(name);
        let references = match take("references") {
            None => References::Missing,
            Some(json) => serde_json::from_str::<Vec<&RawValue>>(json.get()).map_or_else(
                |_| References::Other(Value::of(json)),
                |items| References::Items(items.into_iter().map(Item::of).collect()),
            ),
        };
        let mut take = |name| take(name).map(Value::of);
        Ok(Self {
            run_id: take("run_id"),
            expected_start: take("expected_start"),
            terminal: take("terminal_sequence_number"),
            allow_empty: take("allow_empty"),
            references,
        })
    }

    /// The JSON of the call, on one line.
    pub fn to_json(&self) -> String {
        let mut json = String::new();
        let members = [
            ("run_id", &self.run_id),
            ("expected_start", &self.expected_start),
            ("terminal_sequence_number", &self.terminal),
            ("allow_empty", &self.allow_empty),
        ];
        object(&mut json, members.into_iter().map(|(name, value)| (name, value.as_ref())));
        if self.references == References::Missing {
            return json;
        }
        json.pop();
        if json.len() > 1 {
            json.push(',');
        }
        json.push_str(r#""references":"#);
        match &self.references {
            References::Missing => {}
            References::Other(value) => value.write(&mut json),
            References::Items(items) => {
                json.push('[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        json.push(',');
                    }
                    item.write(&mut json);
                }
                json.push(']');
            }
        }
        json.push('}');
        json
    }
}

fn object<'a>(json: &mut String, members: impl Iterator<Item = (&'a str, Option<&'a Value>)>) {
    json.push('{');
    let mut first = true;
    for (name, value) in members {
        let Some(value) = value else { continue };
        let _ = write!(json, "{}\"{name}\":", if first { "" } else { "," });
        value.write(json);
        first = false;
    }
    json.push('}');
}
