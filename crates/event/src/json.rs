//! A JSON reader that reads on.
//!
//! A judge must say *where* a document is wrong and still judge the rest of it. This
//! reader borrows from the input, keeps the byte span of every value, and passes over what
//! a strict parser stops at (duplicate members, lone surrogates, raw control characters,
//! invalid UTF-8, nesting beyond the limit, text after the value), noting each as a
//! [`Flaw`] with its byte offset. What is no JSON at all is a [`ReadError`].

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

mod value;

pub use value::{Json, Member, Value};

/// Nesting beyond this many levels is passed over and noted as [`FlawKind::TooDeep`].
pub const MAX_DEPTH: usize = 128;

/// Something in a readable document that clean JSON does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flaw {
    /// What it is.
    pub kind: FlawKind,
    /// Byte offset of its first byte.
    pub offset: usize,
}

/// The kinds of [`Flaw`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FlawKind {
    /// A byte order mark before the value.
    ByteOrderMark,
    /// A member name that the object already has.
    DuplicateMember,
    /// An escaped surrogate without its other half; read as U+FFFD.
    LoneSurrogate,
    /// A control character (below U+0020) inside a string, not escaped.
    RawControl,
    /// Bytes that are no UTF-8 inside a string; read as U+FFFD.
    InvalidUtf8,
    /// Nesting beyond [`MAX_DEPTH`]; the value there is not read.
    TooDeep,
    /// Something follows the value.
    TrailingData,
}

impl FlawKind {
    /// The flaw in a few words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::ByteOrderMark => "a byte order mark stands before the JSON text",
            Self::DuplicateMember => "a member name occurs twice in one object",
            Self::LoneSurrogate => "an escaped surrogate has no other half",
            Self::RawControl => "a control character stands unescaped in a string",
            Self::InvalidUtf8 => "a string holds bytes that are no UTF-8",
            Self::TooDeep => "values are nested more than 128 levels deep",
            Self::TrailingData => "something follows the JSON value",
        }
    }
}

/// Why a text could not be read as JSON, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// Byte offset at which reading stopped.
    pub offset: usize,
    /// What was expected there.
    pub expected: &'static str,
    /// Whether the text ended where it should have gone on.
    pub at_end: bool,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.at_end {
            write!(f, "the JSON text ends where {} was expected", self.expected)
        } else {
            write!(f, "no JSON: expected {}", self.expected)
        }
    }
}

impl std::error::Error for ReadError {}

/// Reads one JSON value and the flaws passed over, in the order of their offsets.
///
/// # Errors
///
/// [`ReadError`] where the bytes are no JSON, with the offset at which reading stopped.
///
/// ```
/// use conform_event::json::{read, FlawKind};
/// let (json, flaws) = read(br#"{"a":1,"a":"\ud800"}"#).unwrap();
/// assert_eq!(json.get("a").and_then(|v| v.as_str()), Some("\u{fffd}"));
/// let kinds: Vec<_> = flaws.iter().map(|f| (f.kind, f.offset)).collect();
/// assert_eq!(kinds, [(FlawKind::DuplicateMember, 7), (FlawKind::LoneSurrogate, 12)]);
/// assert_eq!(read(b"{\"a\":").unwrap_err().offset, 5);
/// ```
pub fn read(input: &[u8]) -> Result<(Json<'_>, Vec<Flaw>), ReadError> {
    let mut reader = Reader { input, at: 0, flaws: Vec::new() };
    if input.starts_with(b"\xef\xbb\xbf") {
        reader.flaw(FlawKind::ByteOrderMark, 0);
        reader.at = 3;
    }
    let json = reader.value(0)?;
    reader.space();
    if reader.at < input.len() {
        reader.flaw(FlawKind::TrailingData, reader.at);
    }
    reader.flaws.sort_by_key(|flaw| flaw.offset);
    Ok((json, reader.flaws))
}

struct Reader<'a> {
    input: &'a [u8],
    at: usize,
    flaws: Vec<Flaw>,
}

/// More flaws of one document are not told apart: memory must not grow with bytes.
const MAX_FLAWS: usize = 1000;

/// Objects with more members than this look their names up in a set.
const FEW_MEMBERS: usize = 24;

impl<'a> Reader<'a> {
    fn flaw(&mut self, kind: FlawKind, offset: usize) {
        if self.flaws.len() < MAX_FLAWS {
            self.flaws.push(Flaw { kind, offset });
        }
    }

    fn peek(&self) -> Option<u8> {
        self.input.get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn error<T>(&self, expected: &'static str) -> Result<T, ReadError> {
        let at_end = self.at >= self.input.len();
        Err(ReadError { offset: self.at, expected, at_end })
    }

    fn value(&mut self, depth: usize) -> Result<Json<'a>, ReadError> {
        self.space();
        let start = self.at;
        let value = match self.peek() {
            Some(b'{' | b'[') if depth >= MAX_DEPTH => self.pass_over()?,
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => Value::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => Value::Number(self.number()?),
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            _ => return self.error("a value"),
        };
        Ok(Json { value, start, end: self.at })
    }

    fn word(&mut self, word: &'static str, value: Value<'a>) -> Result<Value<'a>, ReadError> {
        for byte in word.bytes() {
            if self.peek() != Some(byte) {
                return self.error(word);
            }
            self.at += 1;
        }
        Ok(value)
    }

    fn array(&mut self, depth: usize) -> Result<Value<'a>, ReadError> {
        self.at += 1;
        let mut items = Vec::new();
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Value::Array(items));
                }
                _ => return self.error("`,` or `]`"),
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value<'a>, ReadError> {
        self.at += 1;
        let mut members: Vec<Member<'a>> = Vec::new();
        let mut names: HashSet<Cow<'a, str>> = HashSet::new();
        self.space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Object(members));
        }
        loop {
            self.space();
            let name_start = self.at;
            if self.peek() != Some(b'"') {
                return self.error("a member name in double quotes");
            }
            let name = self.string()?;
            if members.len() == FEW_MEMBERS {
                names.extend(members.iter().map(|m| m.name.clone()));
            }
            let repeated = if members.len() < FEW_MEMBERS {
                members.iter().any(|m| m.name == name)
            } else {
                !names.insert(name.clone())
            };
            if repeated {
                self.flaw(FlawKind::DuplicateMember, name_start);
            }
            self.space();
            if self.peek() != Some(b':') {
                return self.error("`:`");
            }
            self.at += 1;
            let json = self.value(depth + 1)?;
            members.push(Member { name, name_start, json });
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Value::Object(members));
                }
                _ => return self.error("`,` or `}`"),
            }
        }
    }

    fn number(&mut self) -> Result<&'a str, ReadError> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return self.error("a digit"),
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.some_digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.some_digits()?;
        }
        match std::str::from_utf8(&self.input[start..self.at]) {
            Ok(text) => Ok(text),
            Err(_) => self.error("a digit"),
        }
    }

    fn digits(&mut self) {
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
    }

    fn some_digits(&mut self) -> Result<(), ReadError> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            return self.error("a digit");
        }
        self.digits();
        Ok(())
    }

    /// Reads a string, `at` standing on its opening quote.
    fn string(&mut self) -> Result<Cow<'a, str>, ReadError> {
        self.at += 1;
        let mut text = Cow::Borrowed("");
        loop {
            let start = self.at;
            while self.peek().is_some_and(|b| b != b'"' && b != b'\\' && b >= 0x20) {
                self.at += 1;
            }
            self.append(&mut text, start);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => {
                    let c = self.escape()?;
                    text.to_mut().push(c);
                }
                Some(control) => {
                    self.flaw(FlawKind::RawControl, self.at);
                    self.at += 1;
                    text.to_mut().push(char::from(control));
                }
                None => return self.error("the closing quote of a string"),
            }
        }
    }

    /// Appends the plain bytes since `start`, what is no UTF-8 among them as U+FFFD.
    fn append(&mut self, text: &mut Cow<'a, str>, start: usize) {
        let bytes = &self.input[start..self.at];
        let piece = String::from_utf8_lossy(bytes);
        if let Err(error) = std::str::from_utf8(bytes) {
            self.flaw(FlawKind::InvalidUtf8, start + error.valid_up_to());
        }
        if text.is_empty() {
            *text = piece;
        } else if !piece.is_empty() {
            text.to_mut().push_str(&piece);
        }
    }

    fn escape(&mut self) -> Result<char, ReadError> {
        let start = self.at;
        self.at += 1;
        let c = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                let unit = self.hex4()?;
                return self.code_unit(unit, start);
            }
            _ => return self.error("an escape character"),
        };
        self.at += 1;
        Ok(c)
    }

    fn code_unit(&mut self, unit: u32, start: usize) -> Result<char, ReadError> {
        if (0xd800..0xdc00).contains(&unit) && self.input[self.at..].starts_with(b"\\u") {
            let back = self.at;
            self.at += 2;
            let low = self.hex4()?;
            if (0xdc00..0xe000).contains(&low) {
                let code = 0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = back;
        }
        Ok(char::from_u32(unit).unwrap_or_else(|| {
            self.flaw(FlawKind::LoneSurrogate, start);
            char::REPLACEMENT_CHARACTER
        }))
    }

    fn hex4(&mut self) -> Result<u32, ReadError> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|b| char::from(b).to_digit(16));
            let Some(digit) = digit else {
                return self.error("four hexadecimal digits");
            };
            unit = unit * 16 + digit;
            self.at += 1;
        }
        Ok(unit)
    }

    /// Passes over a container without recursion; its brackets and strings must match.
    fn pass_over(&mut self) -> Result<Value<'a>, ReadError> {
        self.flaw(FlawKind::TooDeep, self.at);
        let mut open = Vec::new();
        loop {
            match self.peek() {
                Some(b'{') => open.push(b'}'),
                Some(b'[') => open.push(b']'),
                Some(close @ (b'}' | b']')) => {
                    if open.pop() != Some(close) {
                        return self.error("the matching bracket");
                    }
                    if open.is_empty() {
                        self.at += 1;
                        return Ok(Value::TooDeep);
                    }
                }
                Some(b'"') => {
                    let flaws = self.flaws.len();
                    self.string()?;
                    self.flaws.truncate(flaws);
                    continue;
                }
                Some(_) => {}
                None => return self.error("a closing bracket"),
            }
            self.at += 1;
        }
    }
}
