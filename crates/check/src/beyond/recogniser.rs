//! A recogniser of one JSON document that comes in pieces.

/// Nesting beyond this is not judged.
const MAX_DEPTH: u32 = 128;

/// What the text is so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Text {
    /// Nothing, or white space.
    Empty,
    /// The beginning of a document.
    Unfinished,
    /// One document.
    Document,
    /// The beginning of none.
    Broken,
    /// Nested too deeply to be judged, or in part unreadable.
    Unknown,
}

/// Reads text piece by piece; keeps no text.
#[derive(Debug, Clone)]
pub(super) struct Recogniser {
    state: State,
    /// Whether each level is an object, the innermost in the lowest bit.
    objects: u128,
    depth: u32,
    started: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// A value must come.
    Value,
    /// A value, or the end of an array that is empty so far.
    FirstItem,
    /// A name, or the end of an object that is empty so far.
    FirstName,
    Name,
    Colon,
    /// A comma, or the end of what is around.
    After,
    /// The document is whole.
    End,
    /// In a string, of a name or of a value.
    String {
        name: bool,
    },
    Escape {
        name: bool,
    },
    /// So many hexadecimal digits must come.
    Hex {
        name: bool,
        left: u8,
    },
    /// In `true`, `false` or `null`: what must come.
    Word(&'static [u8]),
    Number(Number),
    Broken,
    Unknown,
}

/// How far a number has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    Minus,
    Zero,
    Whole,
    Point,
    Fraction,
    Exponent,
    Sign,
    Power,
}

impl Number {
    fn is_whole(self) -> bool {
        matches!(self, Self::Zero | Self::Whole | Self::Fraction | Self::Power)
    }

    fn next(self, byte: u8) -> Option<Self> {
        Some(match (self, byte) {
            (Self::Minus, b'0') => Self::Zero,
            (Self::Minus | Self::Whole, b'0'..=b'9') => Self::Whole,
            (Self::Zero | Self::Whole, b'.') => Self::Point,
            (Self::Point | Self::Fraction, b'0'..=b'9') => Self::Fraction,
            (Self::Zero | Self::Whole | Self::Fraction, b'e' | b'E') => Self::Exponent,
            (Self::Exponent, b'+' | b'-') => Self::Sign,
            (Self::Exponent | Self::Sign | Self::Power, b'0'..=b'9') => Self::Power,
            _ => return None,
        })
    }
}

impl Default for Recogniser {
    fn default() -> Self {
        Self { state: State::Value, objects: 0, depth: 0, started: false }
    }
}

impl Recogniser {
    /// Reads on.
    pub(super) fn push(&mut self, text: &str) {
        for byte in text.bytes() {
            self.byte(byte);
        }
    }

    /// Notes that a piece could not be read.
    pub(super) fn lose(&mut self) {
        self.state = State::Unknown;
    }

    /// What it was so far.
    pub(super) fn text(&self) -> Text {
        match self.state {
            State::End => Text::Document,
            State::Number(number) if self.depth == 0 && number.is_whole() => Text::Document,
            State::Broken => Text::Broken,
            State::Unknown => Text::Unknown,
            _ if self.started => Text::Unfinished,
            _ => Text::Empty,
        }
    }

    fn byte(&mut self, byte: u8) {
        let blank = matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        self.started |= !blank;
        if let State::Number(number) = self.state {
            match number.next(byte) {
                Some(next) => {
                    self.state = State::Number(next);
                    return;
                }
                None if number.is_whole() => self.whole(),
                None => self.state = State::Broken,
            }
        }
        let outside = !matches!(
            self.state,
            State::String { .. } | State::Escape { .. } | State::Hex { .. } | State::Word(_)
        );
        if blank && outside {
            return;
        }
        self.state = match (self.state, byte) {
            (State::FirstItem, b']') | (State::FirstName, b'}') => return self.close(),
            (State::Value | State::FirstItem, _) => return self.value(byte),
            (State::FirstName | State::Name, b'"') => State::String { name: true },
            (State::After, b',') if self.in_object() => State::Name,
            (State::Colon, b':') | (State::After, b',') => State::Value,
            (State::After, b'}') if self.in_object() => return self.close(),
            (State::After, b']') if !self.in_object() => return self.close(),
            (State::String { name: true }, b'"') => State::Colon,
            (State::String { name: false }, b'"') => return self.whole(),
            (State::String { name }, b'\\') => State::Escape { name },
            (State::String { name }, 0x20..) => State::String { name },
            (State::Escape { name }, b'u') => State::Hex { name, left: 4 },
            (State::Escape { name }, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                State::String { name }
            }
            (State::Hex { name, left }, _) if byte.is_ascii_hexdigit() => match left {
                0 | 1 => State::String { name },
                _ => State::Hex { name, left: left - 1 },
            },
            (State::Word([first]), _) if *first == byte => return self.whole(),
            (State::Word([first, rest @ ..]), _) if *first == byte => State::Word(rest),
            (State::Unknown, _) => State::Unknown,
            _ => State::Broken,
        };
    }

    fn value(&mut self, byte: u8) {
        self.state = match byte {
            b'{' => return self.open(true),
            b'[' => return self.open(false),
            b'"' => State::String { name: false },
            b't' => State::Word(b"rue"),
            b'f' => State::Word(b"alse"),
            b'n' => State::Word(b"ull"),
            b'-' => State::Number(Number::Minus),
            b'0' => State::Number(Number::Zero),
            b'1'..=b'9' => State::Number(Number::Whole),
            _ => State::Broken,
        };
    }

    fn in_object(&self) -> bool {
        self.objects & 1 == 1
    }

    fn open(&mut self, object: bool) {
        if self.depth == MAX_DEPTH {
            self.state = State::Unknown;
            return;
        }
        self.depth += 1;
        self.objects = self.objects << 1 | u128::from(object);
        self.state = if object { State::FirstName } else { State::FirstItem };
    }

    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.objects >>= 1;
        self.whole();
    }

    /// A value has come to its end.
    fn whole(&mut self) {
        self.state = if self.depth == 0 { State::End } else { State::After };
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Just, Strategy, prop_oneof};

    use super::*;

    fn text(pieces: &[&str]) -> Text {
        let mut recogniser = Recogniser::default();
        for piece in pieces {
            recogniser.push(piece);
        }
        recogniser.text()
    }

    #[test]
    fn what_is_a_document() {
        for whole in
            ["{}", " [] ", "0", "-1.5e+3", "\"\\u00e9\\n\"", "[{\"a\":[1,true]},null]", "1 "]
        {
            assert_eq!(text(&[whole]), Text::Document, "{whole}");
        }
        for broken in [
            "{}{}",
            "01",
            "+1",
            "[1,]",
            "{a:1}",
            "\"\u{1}\"",
            "nul1",
            "{\"a\" 1}",
            "]",
            "{\"a\":1,}",
            "1e5+3",
        ] {
            assert_eq!(text(&[broken]), Text::Broken, "{broken}");
        }
        for cut in ["{", "[1", "\"a", "tru", "-", "1.", "1e", "{\"a\":", "\"\\u12"] {
            assert_eq!(text(&[cut]), Text::Unfinished, "{cut}");
        }
        assert_eq!(text(&[" ", ""]), Text::Empty);
        assert_eq!(text(&[&"[".repeat(129)]), Text::Unknown);
        assert_eq!(
            text(&["[".repeat(128), "]".repeat(128)].each_ref().map(String::as_str)),
            Text::Document
        );
    }

    proptest::proptest! {
        #[test]
        fn agrees_with_a_reader_wherever_it_is_split(
            tokens in proptest::collection::vec(0_usize..24, 0..12),
            cut in 0_usize..40,
        ) {
            const TOKENS: [&str; 24] = [
                "{", "}", "[", "]", ",", ":", "\"a\"", "\"", "\\", "1", "0", "-", ".", "e", "true",
                "fals", "null", " ", "\n", "{\"k\":[", "]}", "\"\\ud83d\"", "é", "\t",
            ];
            let whole: String = tokens.iter().map(|token| TOKENS[*token]).collect();
            let mut cut = cut.min(whole.len());
            while !whole.is_char_boundary(cut) {
                cut -= 1;
            }
            let (before, after) = whole.split_at(cut);
            let read = is_document(&whole);
            proptest::prop_assert_eq!(text(&[before, after]) == Text::Document, read, "{}", whole);
        }

        #[test]
        fn agrees_on_documents_with_one_character_changed(
            document in document(),
            at in proptest::num::usize::ANY,
            by in proptest::option::of(proptest::sample::select("{}[],:\"\\0-.eu \u{1}é".chars().collect::<Vec<_>>())),
            insert in proptest::bool::ANY,
        ) {
            proptest::prop_assert_eq!(text(&[&document]), Text::Document, "{}", document);
            let mut characters: Vec<char> = document.chars().collect();
            let at = at % characters.len();
            let end = if insert { at } else { at + 1 };
            characters.splice(at..end, by);
            let changed: String = characters.into_iter().collect();
            let whole = text(&[&changed]);
            proptest::prop_assert_eq!(whole == Text::Document, is_document(&changed), "{}", changed);
            for (cut, _) in changed.char_indices() {
                let (before, after) = changed.split_at(cut);
                proptest::prop_assert_eq!(text(&[before, after]), whole, "{} {}", before, after);
            }
        }
    }

    fn is_document(text: &str) -> bool {
        conform_event::json::read(text.as_bytes()).is_ok_and(|(_, flaws)| {
            use conform_event::json::FlawKind as K;
            !flaws.iter().any(|flaw| matches!(flaw.kind, K::TrailingData | K::RawControl))
        })
    }

    /// The text of a document.
    fn document() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            Just("null".to_owned()),
            Just("true".to_owned()),
            "-?(0|[1-9][0-9]{0,3})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,2})?",
            "\"([ -!#-\\[\\]-~é]|\\\\[\"\\\\/bfnrt]|\\\\u[0-9a-fA-F]{4}){0,4}\"",
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            let list = proptest::collection::vec(inner.clone(), 0..4);
            let members = proptest::collection::vec(inner, 0..4);
            prop_oneof![
                list.prop_map(|items| format!("[{}]", items.join(" , "))),
                members.prop_map(|values| {
                    let member = |(at, value): (usize, String)| format!("\"{at}\": {value}");
                    let members: Vec<String> = values.into_iter().enumerate().map(member).collect();
                    format!("{{{}}}", members.join(","))
                }),
            ]
        })
    }
}
