//! A JSON value as the contract sees it: a string, an integer, a boolean, null or neither.

use std::borrow::Cow;

use crate::error::{ErrorCode, Field, SequenceError};
use crate::types::{Identifier, SequenceNumber};

/// What some JSON text is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Scalar<'a> {
    Text(Cow<'a, str>),
    /// An integer; one beyond 64 bits, either way, is the largest.
    Integer(i64),
    Flag(bool),
    Null,
    Other,
}

impl<'a> Scalar<'a> {
    /// What valid JSON is.
    pub(crate) fn of(json: &'a str) -> Self {
        match json.as_bytes() {
            b"null" => Self::Null,
            b"true" => Self::Flag(true),
            b"false" => Self::Flag(false),
            [b'"', inner @ .., b'"'] if !inner.contains(&b'\\') => {
                Self::Text(Cow::Borrowed(&json[1..json.len() - 1]))
            }
            [b'"', ..] => serde_json::from_str(json)
                .map_or(Self::Other, |text: String| Self::Text(Cow::Owned(text))),
            [b'-' | b'0'..=b'9', ..] => Self::integer(json),
            _ => Self::Other,
        }
    }

    /// What the text of a number is.
    pub(crate) fn integer(text: &str) -> Self {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Self::Other;
        }
        Self::Integer(text.parse().unwrap_or(i64::MAX))
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn identifier(&self, field: Field) -> Result<Identifier, SequenceError> {
        Identifier::new(self.text().unwrap_or_default(), field)
    }

    pub(crate) fn number(&self, field: Field) -> Result<SequenceNumber, SequenceError> {
        match self {
            Self::Integer(number) => SequenceNumber::new(*number, field),
            _ => Err(SequenceError::new(ErrorCode::InvalidSequenceNumber, field)),
        }
    }

    /// A number, or null for none.
    pub(crate) fn number_or_none(
        &self,
        field: Field,
    ) -> Result<Option<SequenceNumber>, SequenceError> {
        match self {
            Self::Null => Ok(None),
            number => number.number(field).map(Some),
        }
    }

    pub(crate) fn flag(&self, field: Field) -> Result<bool, SequenceError> {
        match self {
            Self::Flag(flag) => Ok(*flag),
            _ => Err(SequenceError::new(ErrorCode::InvalidFlag, field)),
        }
    }

    pub(crate) fn into_owned(self) -> Scalar<'static> {
        match self {
            Self::Text(text) => Scalar::Text(Cow::Owned(text.into_owned())),
            Self::Integer(number) => Scalar::Integer(number),
            Self::Flag(flag) => Scalar::Flag(flag),
            Self::Null => Scalar::Null,
            Self::Other => Scalar::Other,
        }
    }
}
