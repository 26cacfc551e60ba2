//! The reader against serde_json, and every flaw and error where it stands.
//!
//! The two differ where decision 0001 says, and in two limits of serde_json's own:
//!
//! - serde_json's `Value` reads 127 levels of nesting, this reader [`MAX_DEPTH`] = 128; one
//!   level more is an error there and a flaw here.
//! - serde_json's `Value` refuses a number beyond an f64 (`1e999`); here it is its text.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeMap;

use conform_event::json::{Flaw, FlawKind, Json, MAX_DEPTH, ReadError, Value, read};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::value::RawValue;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

// ---------------------------------------------------------------- documents

/// A JSON value as it is meant; numbers are their text.
#[derive(Debug, Clone, PartialEq)]
enum Doc {
    Word(&'static str),
    Number(String),
    String(String),
    Array(Vec<Doc>),
    Object(Vec<(String, Doc)>),
}

/// What the reader read, without places. `None` where something was too deep.
fn doc(json: &Json<'_>) -> Option<Doc> {
    Some(match &json.value {
        Value::Null => Doc::Word("null"),
        Value::Bool(true) => Doc::Word("true"),
        Value::Bool(false) => Doc::Word("false"),
        Value::Number(text) => Doc::Number((*text).to_owned()),
        Value::String(text) => Doc::String(text.to_string()),
        Value::Array(items) => Doc::Array(items.iter().map(doc).collect::<Option<_>>()?),
        Value::Object(members) => Doc::Object(
            members
                .iter()
                .map(|m| Some((m.name.to_string(), doc(&m.json)?)))
                .collect::<Option<_>>()?,
        ),
        Value::TooDeep => return None,
    })
}

/// The same with the members of every object sorted, of a repeated name the last.
fn sorted(doc: Doc) -> Doc {
    match doc {
        Doc::Array(items) => Doc::Array(items.into_iter().map(sorted).collect()),
        Doc::Object(members) => {
            let map: BTreeMap<_, _> = members.into_iter().map(|(n, d)| (n, sorted(d))).collect();
            Doc::Object(map.into_iter().collect())
        }
        scalar => scalar,
    }
}

/// What serde_json reads, numbers as text and sorted as above: no limit of depth or range.
/// Only for what has no flaw: what a repeated name replaces is hardly looked at.
fn oracle(text: &str) -> Option<Doc> {
    let raw: &RawValue = serde_json::from_str(text).ok()?;
    let text = raw.get();
    Some(match text.as_bytes()[0] {
        b'{' => {
            let members: BTreeMap<String, &RawValue> = serde_json::from_str(text).ok()?;
            let read = |(name, raw): (String, &RawValue)| Some((name, oracle(raw.get())?));
            Doc::Object(members.into_iter().map(read).collect::<Option<_>>()?)
        }
        b'[' => {
            let items: Vec<&RawValue> = serde_json::from_str(text).ok()?;
            Doc::Array(items.iter().map(|raw| oracle(raw.get())).collect::<Option<_>>()?)
        }
        b'"' => Doc::String(serde_json::from_str(text).ok()?),
        b'n' => Doc::Word("null"),
        b't' => Doc::Word("true"),
        b'f' => Doc::Word("false"),
        _ => Doc::Number(text.to_owned()),
    })
}

/// The serde_json value of a document; none where a number is beyond an f64.
fn to_serde(doc: &Doc) -> Option<serde_json::Value> {
    Some(match doc {
        Doc::Word(text) => serde_json::from_str(text).ok()?,
        Doc::Number(text) => serde_json::from_str(text).ok()?,
        Doc::String(text) => serde_json::Value::String(text.clone()),
        Doc::Array(items) => items.iter().map(to_serde).collect::<Option<_>>()?,
        Doc::Object(members) => serde_json::Value::Object(
            members
                .iter()
                .map(|(name, doc)| Some((name.clone(), to_serde(doc)?)))
                .collect::<Option<_>>()?,
        ),
    })
}

/// The document of a serde_json value, members in its order, numbers as it writes them.
fn from_serde(value: &serde_json::Value) -> Doc {
    use serde_json::Value as V;
    match value {
        V::Null => Doc::Word("null"),
        V::Bool(true) => Doc::Word("true"),
        V::Bool(false) => Doc::Word("false"),
        V::Number(number) => Doc::Number(number.to_string()),
        V::String(text) => Doc::String(text.clone()),
        V::Array(items) => Doc::Array(items.iter().map(from_serde).collect()),
        V::Object(map) => {
            Doc::Object(map.iter().map(|(n, value)| (n.clone(), from_serde(value))).collect())
        }
    }
}

fn out_of_range(doc: &Doc) -> bool {
    match doc {
        Doc::Number(text) => text.parse::<f64>().unwrap().is_infinite(),
        Doc::Array(items) => items.iter().any(out_of_range),
        Doc::Object(members) => members.iter().any(|(_, doc)| out_of_range(doc)),
        Doc::Word(_) | Doc::String(_) => false,
    }
}

// ---------------------------------------------------------------- generating

fn numbers() -> impl Strategy<Value = String> {
    prop_oneof![
        "-?(0|[1-9][0-9]{0,24})(\\.[0-9]{1,12})?([eE][+-]?[0-9]{1,3})?",
        select(vec![
            "-0",
            "-0.0",
            "0e0",
            "1.0",
            "1.50",
            "9007199254740993",
            "18446744073709551616",
            "-9223372036854775809",
            "1e999999999999",
            "-1E+400",
            "1e-999999999999",
            "0.1e-5",
        ])
        .prop_map(str::to_owned),
    ]
}

fn chars() -> impl Strategy<Value = char> {
    prop_oneof![
        4 => proptest::char::range(' ', '~'),
        2 => select(vec!['"', '\\', '/', '\u{8}', '\u{c}', '\n', '\r', '\t', '\u{7f}']),
        1 => proptest::char::range('\0', '\u{1f}'),
        1 => select(vec![
            '\u{80}', '\u{7ff}', '\u{800}', '\u{2028}', '\u{d7ff}', '\u{e000}', '\u{feff}',
            '\u{fffd}', '\u{ffff}', '\u{1_0000}', '\u{10_ffff}', '🦀',
        ]),
        2 => any::<char>(),
    ]
}

fn strings() -> impl Strategy<Value = String> {
    prop_oneof![
        // Names that meet again, and pointers' special characters.
        select(vec!["", "a", "b", "type", "~", "/", "~1", "0", "01", "+1"]).prop_map(str::to_owned),
        prop::collection::vec(chars(), 0..10).prop_map(|chars| chars.into_iter().collect()),
    ]
}

fn docs() -> impl Strategy<Value = Doc> {
    let leaf = prop_oneof![
        select(vec!["null", "true", "false"]).prop_map(Doc::Word),
        numbers().prop_map(Doc::Number),
        strings().prop_map(Doc::String),
    ];
    leaf.prop_recursive(6, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Doc::Array),
            prop::collection::vec((strings(), inner), 0..6).prop_map(Doc::Object),
        ]
    })
}

/// Documents where no object has a name twice.
fn clean_docs() -> impl Strategy<Value = Doc> {
    fn clean(doc: Doc) -> Doc {
        match doc {
            Doc::Array(items) => Doc::Array(items.into_iter().map(clean).collect()),
            Doc::Object(members) => {
                let mut kept: Vec<(String, Doc)> = Vec::new();
                for (name, doc) in members {
                    if !kept.iter().any(|(other, _)| *other == name) {
                        kept.push((name, clean(doc)));
                    }
                }
                Doc::Object(kept)
            }
            scalar => scalar,
        }
    }
    docs().prop_map(clean)
}

/// A writer that takes any way JSON leaves open, as `dice` falls.
struct Writer<'d> {
    out: String,
    dice: std::iter::Cycle<std::slice::Iter<'d, u8>>,
}

impl Writer<'_> {
    fn roll(&mut self, sides: u8) -> u8 {
        self.dice.next().unwrap() % sides
    }

    fn space(&mut self) {
        for _ in 0..self.roll(6).saturating_sub(3) {
            let space = [" ", "\t", "\n", "\r", "\r\n"][usize::from(self.roll(5))];
            self.out.push_str(space);
        }
    }

    fn unit(&mut self, unit: u16) {
        let text = if self.roll(2) == 0 { format!("{unit:04x}") } else { format!("{unit:04X}") };
        self.out.push_str("\\u");
        self.out.push_str(&text);
    }

    fn string(&mut self, text: &str) {
        self.out.push('"');
        for c in text.chars() {
            let short = match c {
                '"' => Some("\\\""),
                '\\' => Some("\\\\"),
                '/' => Some("\\/"),
                '\u{8}' => Some("\\b"),
                '\u{c}' => Some("\\f"),
                '\n' => Some("\\n"),
                '\r' => Some("\\r"),
                '\t' => Some("\\t"),
                _ => None,
            };
            let must = c < ' ' || c == '"' || c == '\\';
            match (short, self.roll(4)) {
                (Some(short), 0 | 1) => self.out.push_str(short),
                (_, 2) => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| self.unit(*unit)),
                _ if must => self.unit(u16::try_from(u32::from(c)).unwrap()),
                _ => self.out.push(c),
            }
        }
        self.out.push('"');
    }

    fn value(&mut self, doc: &Doc) {
        self.space();
        match doc {
            Doc::Word(text) => self.out.push_str(text),
            Doc::Number(text) => self.out.push_str(text),
            Doc::String(text) => self.string(text),
            Doc::Array(items) => {
                self.out.push('[');
                self.space();
                for (n, item) in items.iter().enumerate() {
                    if n > 0 {
                        self.out.push(',');
                    }
                    self.value(item);
                }
                self.out.push(']');
            }
            Doc::Object(members) => {
                self.out.push('{');
                self.space();
                for (n, (name, doc)) in members.iter().enumerate() {
                    if n > 0 {
                        self.out.push(',');
                    }
                    self.space();
                    self.string(name);
                    self.space();
                    self.out.push(':');
                    self.value(doc);
                }
                self.out.push('}');
            }
        }
        self.space();
    }
}

fn write(doc: &Doc, dice: &[u8]) -> String {
    let mut writer = Writer { out: String::new(), dice: dice.iter().cycle() };
    writer.value(doc);
    writer.out
}

fn dice() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 1..64)
}

#[derive(Debug, Clone)]
enum Mutation {
    Flip(u8),
    Set(u8),
    Delete,
    Insert(Vec<u8>),
    Repeat(usize),
}

fn json_bytes() -> impl Strategy<Value = u8> {
    select(br#"{}[]:,""\\/u0123456789dDbBcCeE+-. truefalsn"#.to_vec())
}

fn fragments() -> impl Strategy<Value = Vec<u8>> {
    let fragments: Vec<&[u8]> = vec![
        b"\\ud83d",
        b"\\udc00",
        b"\\u0000",
        b"\\u00",
        b"\xff",
        b"\xed\xa0\x80",
        b"\xef\xbb\xbf",
        b"\xc3",
        b"\0",
        b"\x0b",
        b"0",
        b",",
        b"\"a\":1,",
        b"nul",
        b" ",
        b"]",
        b"}",
    ];
    select(fragments).prop_map(<[u8]>::to_vec)
}

fn mutations() -> impl Strategy<Value = Vec<(prop::sample::Index, Mutation)>> {
    let mutation = prop_oneof![
        (0_u8..8).prop_map(|bit| Mutation::Flip(1 << bit)),
        json_bytes().prop_map(Mutation::Set),
        any::<u8>().prop_map(Mutation::Set),
        Just(Mutation::Delete),
        json_bytes().prop_map(|b| Mutation::Insert(vec![b])),
        fragments().prop_map(Mutation::Insert),
        (1_usize..20).prop_map(Mutation::Repeat),
    ];
    prop::collection::vec((any::<prop::sample::Index>(), mutation), 1..4)
}

fn mutate(text: &str, mutations: &[(prop::sample::Index, Mutation)]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for (index, mutation) in mutations {
        if bytes.is_empty() {
            break;
        }
        let at = index.index(bytes.len());
        match mutation {
            Mutation::Flip(mask) => bytes[at] ^= mask,
            Mutation::Set(byte) => bytes[at] = *byte,
            Mutation::Delete => drop(bytes.remove(at)),
            Mutation::Insert(more) => drop(bytes.splice(at..at, more.iter().copied())),
            Mutation::Repeat(length) => {
                let piece = bytes[at..bytes.len().min(at + length)].to_vec();
                drop(bytes.splice(at..at, piece));
            }
        }
    }
    bytes
}

// ---------------------------------------------------------------- what must hold

/// Every value of the tree with its pointer, the last of a repeated name only.
fn nodes<'j, 'a>(json: &'j Json<'a>, pointer: &str, out: &mut Vec<(String, &'j Json<'a>)>) {
    out.push((pointer.to_owned(), json));
    for (n, item) in json.items().iter().enumerate() {
        nodes(item, &format!("{pointer}/{n}"), out);
    }
    for (n, member) in json.members().iter().enumerate() {
        if json.members()[n + 1..].iter().all(|later| later.name != member.name) {
            let token = member.name.replace('~', "~0").replace('/', "~1");
            nodes(&member.json, &format!("{pointer}/{token}"), out);
        }
    }
}

/// Every span read alone is the value again, and is tight.
fn spans_hold(input: &[u8], json: &Json<'_>) -> Result<(), TestCaseError> {
    let alone = &input[json.start..json.end];
    let (again, flaws) = read(alone).unwrap();
    prop_assert_eq!(doc(&again), doc(json));
    prop_assert_eq!((again.start, again.end), (0, alone.len()), "the span is not tight");
    prop_assert!(flaws.iter().all(|f| f.kind != FlawKind::TrailingData));
    for item in json.items() {
        prop_assert!(json.start < item.start && item.end < json.end);
        spans_hold(input, item)?;
    }
    for member in json.members() {
        prop_assert!(json.start < member.name_start && member.name_start < member.json.start);
        let (name, _) = read(&input[member.name_start..member.json.start]).unwrap();
        prop_assert_eq!(name.as_str(), Some(&*member.name));
        prop_assert_eq!(name.start, 0);
        spans_hold(input, &member.json)?;
    }
    Ok(())
}

fn only_duplicates(flaws: &[Flaw]) -> bool {
    flaws.iter().all(|flaw| flaw.kind == FlawKind::DuplicateMember)
}

/// All that is promised of any input and serde_json's answer to it.
fn agrees(input: &[u8]) -> Result<(), TestCaseError> {
    let ours = read(input);
    let theirs = serde_json::from_slice::<serde_json::Value>(input);
    let (json, flaws) = match &ours {
        Ok(read) => read,
        Err(ReadError { offset, at_end, .. }) => {
            prop_assert!(theirs.is_err(), "serde_json reads what we do not: {:?}", ours);
            prop_assert!(*offset <= input.len());
            prop_assert_eq!(*at_end, *offset == input.len());
            // What stands before the error is a beginning of JSON: it is not the error.
            let prefix = read(&input[..*offset]);
            if let Err(error) = prefix {
                prop_assert_eq!((error.offset, error.at_end), (*offset, true));
            }
            return Ok(());
        }
    };
    prop_assert!(flaws.iter().all(|flaw| flaw.offset < input.len()));
    prop_assert!(flaws.is_sorted_by_key(|flaw| flaw.offset));
    let Some(doc) = doc(json) else {
        prop_assert!(theirs.is_err());
        prop_assert!(flaws.iter().any(|flaw| flaw.kind == FlawKind::TooDeep));
        return Ok(());
    };
    spans_hold(input, json)?;
    if let Ok(theirs) = &theirs {
        prop_assert!(only_duplicates(flaws), "serde_json sees no flaw: {:?}", flaws);
        let ours = to_serde(&doc).unwrap();
        prop_assert_eq!(&ours, theirs);
        let mut all = Vec::new();
        nodes(json, "", &mut all);
        for (pointer, node) in all {
            prop_assert_eq!(json.at(&pointer), Some(node));
            let there = theirs.pointer(&pointer).cloned();
            prop_assert_eq!(to_serde(&self::doc(node).unwrap()), there);
        }
    }
    if only_duplicates(flaws) {
        prop_assert!(theirs.is_ok() || out_of_range(&doc), "{:?}", theirs);
        let text = std::str::from_utf8(input);
        prop_assert!(text.is_ok(), "no flaw in what is no UTF-8");
        prop_assert_eq!(oracle(text.unwrap()), Some(sorted(doc)));
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn what_serde_json_writes_is_read(doc in clean_docs(), pretty: bool) {
        let Some(value) = to_serde(&doc) else { return Ok(()) };
        let text = if pretty {
            serde_json::to_string_pretty(&value).unwrap()
        } else {
            serde_json::to_string(&value).unwrap()
        };
        let (json, flaws) = read(text.as_bytes()).unwrap();
        prop_assert!(flaws.is_empty(), "{:?}", flaws);
        prop_assert_eq!(self::doc(&json), Some(from_serde(&value)));
        agrees(text.as_bytes())?;
    }

    #[test]
    fn every_way_to_write_a_document_is_read(doc in docs(), dice in dice()) {
        let text = write(&doc, &dice);
        let (json, flaws) = read(text.as_bytes()).unwrap();
        prop_assert!(only_duplicates(&flaws), "{:?}", flaws);
        prop_assert_eq!(self::doc(&json), Some(doc));
        agrees(text.as_bytes())?;
    }

    #[test]
    fn each_repeated_name_is_one_flaw_at_its_quote(doc in docs(), dice in dice()) {
        fn repeated(json: &Json<'_>, out: &mut Vec<usize>) {
            for (n, member) in json.members().iter().enumerate() {
                if json.members()[..n].iter().any(|earlier| earlier.name == member.name) {
                    out.push(member.name_start);
                }
                repeated(&member.json, out);
            }
            json.items().iter().for_each(|item| repeated(item, out));
        }
        let text = write(&doc, &dice);
        let (json, flaws) = read(text.as_bytes()).unwrap();
        let mut expected = Vec::new();
        repeated(&json, &mut expected);
        prop_assert_eq!(flaws.iter().map(|f| f.offset).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_truncated_document_ends_where_it_ends(doc in docs(), dice in dice()) {
        // A shorter number is a number, so the document is an array of one.
        let text = write(&Doc::Array(vec![doc]), &dice);
        let text = text.trim().as_bytes();
        for length in 0..text.len() {
            let error = read(&text[..length]).unwrap_err();
            prop_assert_eq!((error.offset, error.at_end), (length, true));
        }
    }

    #[test]
    fn pointers_find_what_serde_json_finds(
        doc in docs(),
        dice in dice(),
        pointers in prop::collection::vec("(/?(0|1|2|01|\\+1|-|a|b|~|~0|~1|~01|type|)){0,3}", 20),
    ) {
        let text = write(&doc, &dice);
        let Ok(value) = serde_json::from_str::<serde_json::Value>(&text) else { return Ok(()) };
        let (json, _) = read(text.as_bytes()).unwrap();
        for pointer in pointers {
            let ours = json.at(&pointer).map(|json| to_serde(&self::doc(json).unwrap()).unwrap());
            prop_assert_eq!(ours.as_ref(), value.pointer(&pointer), "{:?}", pointer);
        }
    }
}

proptest! {
    #![proptest_config(config(20_000))]

    #[test]
    fn mutated_documents_are_judged_alike(
        doc in docs(),
        dice in dice(),
        mutations in mutations(),
    ) {
        agrees(&mutate(&write(&doc, &dice), &mutations))?;
    }

    #[test]
    fn any_bytes_are_judged_alike(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        agrees(&bytes)?;
        // Inside a string nearly all of them are read.
        agrees(&[b"\"", &*bytes, b"\""].concat())?;
    }

    #[test]
    fn json_soup_is_judged_alike(bytes in prop::collection::vec(json_bytes(), 0..12)) {
        agrees(&bytes)?;
        agrees(&[b"[", &*bytes, b"]"].concat())?;
        agrees(&[b"\"", &*bytes, b"\""].concat())?;
    }
}

// ---------------------------------------------------------------- each flaw

fn flaws(input: impl AsRef<[u8]>) -> Vec<(FlawKind, usize)> {
    let (_, flaws) = read(input.as_ref()).unwrap();
    flaws.iter().map(|flaw| (flaw.kind, flaw.offset)).collect()
}

fn string(input: impl AsRef<[u8]>) -> String {
    read(input.as_ref()).unwrap().0.as_str().unwrap().to_owned()
}

#[test]
fn a_byte_order_mark_is_passed_over_at_the_start_only() {
    assert_eq!(flaws("\u{feff}{}"), [(FlawKind::ByteOrderMark, 0)]);
    let (json, _) = read("\u{feff} [1]".as_bytes()).unwrap();
    assert_eq!((json.start, json.end, json.at("/0").unwrap().start), (4, 7, 5));
    assert_eq!(flaws("[]\u{feff}"), [(FlawKind::TrailingData, 2)]);
    assert_eq!(flaws("\"\u{feff}\""), []);
    let error = read("\u{feff}\u{feff}1".as_bytes()).unwrap_err();
    assert_eq!((error.offset, error.at_end), (3, false));
    let error = read("\u{feff}".as_bytes()).unwrap_err();
    assert_eq!((error.offset, error.at_end), (3, true));
    assert_eq!(read(b"\xef\xbb1").unwrap_err().offset, 0);
    assert_eq!(read(b" \xef\xbb\xbf1").unwrap_err().offset, 1);
}

#[test]
fn a_duplicate_member_is_flawed_where_it_comes_again_and_the_last_counts() {
    let text = r#" {"a":1, "b":{"a":2,"b":3}, "a":4,"\u0061":5 }"#;
    assert_eq!(flaws(text), [(FlawKind::DuplicateMember, 28), (FlawKind::DuplicateMember, 34)]);
    let (json, _) = read(text.as_bytes()).unwrap();
    assert_eq!(json.members().len(), 4);
    assert_eq!(json.get("a").unwrap().value, Value::Number("5"));
    assert_eq!(json.at("/a").unwrap().value, Value::Number("5"));
    assert_eq!(flaws(r#"{"a":1,"A":1,"a ":1}"#), []);
    // An unreadable name is U+FFFD, and so may be another.
    assert_eq!(
        flaws(r#"{"\ud800":1,"\udc00":1}"#),
        [
            (FlawKind::LoneSurrogate, 2),
            (FlawKind::DuplicateMember, 12),
            (FlawKind::LoneSurrogate, 13)
        ]
    );
}

#[test]
fn large_objects_find_their_duplicates_too() {
    for count in 0..60 {
        for again in 0..count {
            let members: Vec<_> = (0..count).map(|n| format!("\"m{n}\":{n},")).collect();
            let members = members.concat();
            let text = format!("{{{members}\"m{again}\":null}}");
            let offset = 1 + members.len();
            assert_eq!(flaws(&text), [(FlawKind::DuplicateMember, offset)], "{again} of {count}");
            let (json, _) = read(text.as_bytes()).unwrap();
            assert_eq!(json.members().len(), count + 1);
            assert_eq!(json.get(&format!("m{again}")).unwrap().value, Value::Null);
        }
    }
    // One name many times: all but the first are flawed.
    let text = format!("{{{}\"a\":1}}", "\"a\":1,".repeat(99));
    let expected: Vec<_> = (1..100).map(|n| (FlawKind::DuplicateMember, 1 + 6 * n)).collect();
    assert_eq!(flaws(&text), expected);
    // Many names, none twice, and the count of a neighbour does not matter.
    let many: Vec<_> = (0..1_000).map(|n| format!("\"{n}\":{{\"{n}\":0}}")).collect();
    assert_eq!(flaws(format!("{{{}}}", many.join(","))), []);
}

#[test]
fn lone_surrogates_are_flawed_at_their_backslash() {
    let lone = |text: &str, offsets: &[usize], read: &str| {
        let expected: Vec<_> = offsets.iter().map(|at| (FlawKind::LoneSurrogate, *at)).collect();
        assert_eq!(flaws(text), expected, "{text}");
        assert_eq!(string(text), read, "{text}");
    };
    lone(r#""\ud800""#, &[1], "\u{fffd}");
    lone(r#""a\udfffb""#, &[2], "a\u{fffd}b");
    lone(r#""\udbff\n""#, &[1], "\u{fffd}\n");
    lone(r#""\ud83d\u0041""#, &[1], "\u{fffd}A");
    lone(r#""\udc00\ud800""#, &[1, 7], "\u{fffd}\u{fffd}");
    lone(r#""\ud83d\ud83e\udd80""#, &[1], "\u{fffd}🦀");
    lone(r#""\ud83d\ud83e""#, &[1, 7], "\u{fffd}\u{fffd}");
    lone(r#""\udc00\udc00""#, &[1, 7], "\u{fffd}\u{fffd}");
    lone(r#""\ud83dx\ude00""#, &[1, 8], "\u{fffd}x\u{fffd}");
    lone(r#""\ud800\udc00\uDBFF\uDFFF""#, &[], "\u{10000}\u{10ffff}");
    lone(r#""\ud7ff\ue000""#, &[], "\u{d7ff}\u{e000}");
    lone(r#""\udbff\udc00\udc00""#, &[13], "\u{10fc00}\u{fffd}");
}

#[test]
fn raw_control_characters_are_flawed_each_and_kept() {
    for control in 0..0x20_u8 {
        let text = [b"[\"a", &[control][..], b"b\"]"].concat();
        assert_eq!(flaws(&text), [(FlawKind::RawControl, 3)], "{control}");
        let (json, _) = read(&text).unwrap();
        let expected = format!("a{}b", char::from(control));
        assert_eq!(json.at("/0").unwrap().as_str(), Some(&*expected));
    }
    assert_eq!(flaws("\"\0\n\""), [(FlawKind::RawControl, 1), (FlawKind::RawControl, 2)]);
    assert_eq!(flaws("{\"a\tb\":1}"), [(FlawKind::RawControl, 3)]);
    assert_eq!(flaws("\" \u{7f}\u{80}\""), []);
}

#[test]
fn invalid_utf8_is_flawed_at_its_first_byte() {
    let invalid = |bytes: &[u8], offsets: &[usize], read: &str| {
        let expected: Vec<_> = offsets.iter().map(|at| (FlawKind::InvalidUtf8, *at)).collect();
        assert_eq!(flaws(bytes), expected, "{bytes:?}");
        assert_eq!(string(bytes), read, "{bytes:?}");
    };
    invalid(b"\"\xff\"", &[1], "\u{fffd}");
    invalid(b"\"a\xc3\"", &[2], "a\u{fffd}");
    invalid(b"\"\xc3\xa9\x80\"", &[3], "é\u{fffd}");
    invalid(b"\"ab\xf0\x9f\xa6\"", &[3], "ab\u{fffd}");
    invalid(b"\"\xc0\xaf\"", &[1], "\u{fffd}\u{fffd}");
    invalid(b"\"\xed\xa0\x80\"", &[1], "\u{fffd}\u{fffd}\u{fffd}");
    // One flaw for a piece without escapes, and one for the next piece.
    invalid(b"\"a\xffb\xffc\\nd\xff\"", &[2, 9], "a\u{fffd}b\u{fffd}c\nd\u{fffd}");
    // An escape does not complete a sequence.
    invalid(b"\"\\n\xc3\\u00a9\"", &[3], "\n\u{fffd}©");
    assert_eq!(flaws(b"{\"\xff\":1}"), [(FlawKind::InvalidUtf8, 2)]);
    // Outside a string it is no JSON.
    assert_eq!(read(b"[\xff]").unwrap_err().offset, 1);
}

#[test]
fn what_follows_the_value_is_one_flaw() {
    assert_eq!(flaws("{} {}"), [(FlawKind::TrailingData, 3)]);
    assert_eq!(flaws("{}\n"), []);
    assert_eq!(flaws("01"), [(FlawKind::TrailingData, 1)]);
    assert_eq!(flaws("-0x"), [(FlawKind::TrailingData, 2)]);
    assert_eq!(flaws("truet"), [(FlawKind::TrailingData, 4)]);
    assert_eq!(flaws(b"[]\0\xff"), [(FlawKind::TrailingData, 2)]);
    assert_eq!(flaws("\"\"\u{a0}"), [(FlawKind::TrailingData, 2)]);
    assert_eq!(flaws("1\u{c}"), [(FlawKind::TrailingData, 1)]);
    assert_eq!(flaws("1{\"a\":1,\"a\":1}"), [(FlawKind::TrailingData, 1)]);
    let (json, _) = read(b"12 x").unwrap();
    assert_eq!((json.value, json.start, json.end), (Value::Number("12"), 0, 2));
}

#[test]
fn flaws_come_in_the_order_of_their_offsets() {
    let text = b"\xef\xbb\xbf{\"a\":\"\\ud800\x01\xff\",\"a\":2} x";
    assert_eq!(
        flaws(text),
        [
            (FlawKind::ByteOrderMark, 0),
            (FlawKind::LoneSurrogate, 9),
            (FlawKind::RawControl, 15),
            (FlawKind::InvalidUtf8, 16),
            (FlawKind::DuplicateMember, 19),
            (FlawKind::TrailingData, 26),
        ]
    );
    // A name's own flaw stands behind that of the member.
    assert_eq!(
        flaws("{\"\0\":1,\"\0\":1}"),
        [(FlawKind::RawControl, 2), (FlawKind::DuplicateMember, 7), (FlawKind::RawControl, 8)]
    );
}

#[test]
fn every_flaw_has_words_of_its_own() {
    let kinds = [
        FlawKind::ByteOrderMark,
        FlawKind::DuplicateMember,
        FlawKind::LoneSurrogate,
        FlawKind::RawControl,
        FlawKind::InvalidUtf8,
        FlawKind::TooDeep,
        FlawKind::TrailingData,
    ];
    let words: std::collections::BTreeSet<_> = kinds.iter().map(|kind| kind.describe()).collect();
    assert_eq!(words.len(), kinds.len());
    assert!(FlawKind::TooDeep.describe().contains(&MAX_DEPTH.to_string()));
}

// ---------------------------------------------------------------- depth

fn nested(open: &str, close: &str, levels: usize) -> String {
    format!("{}{}", open.repeat(levels), close.repeat(levels))
}

#[test]
fn the_limit_is_one_level_above_that_of_serde_json() {
    let serde = |text: &str| serde_json::from_str::<serde_json::Value>(text).is_ok();
    // A scalar in the innermost container is no level of its own.
    for (open, inner, close) in [("[", "", "]"), ("[", "1", "]"), ("{\"a\":", "[]", "}")] {
        let levels = |levels: usize| {
            let containers = if inner == "[]" { levels - 1 } else { levels };
            format!("{}{inner}{}", open.repeat(containers), close.repeat(containers))
        };
        assert!(serde(&levels(127)));
        assert_eq!(flaws(levels(127)), []);
        assert!(!serde(&levels(128)));
        assert_eq!(flaws(levels(128)), []);
        assert!(!serde(&levels(129)));
        assert_eq!(flaws(levels(129)), [(FlawKind::TooDeep, open.len() * MAX_DEPTH)]);
    }
    assert_eq!(MAX_DEPTH, 128);
}

#[test]
fn what_is_too_deep_is_passed_over_and_the_rest_is_read() {
    let deep = nested("[", "]", MAX_DEPTH);
    let text = format!("{{\"a\":{deep},\"b\":\"\\n\",\"c\":{deep}}}");
    let (json, flaws) = read(text.as_bytes()).unwrap();
    let (a, c) = (5, 5 + deep.len() + 14);
    let offsets: Vec<_> = flaws.iter().map(|f| (f.kind, f.offset)).collect();
    assert_eq!(offsets, [(FlawKind::TooDeep, a + 127), (FlawKind::TooDeep, c + 127)]);
    assert_eq!(json.get("b").unwrap().as_str(), Some("\n"));
    assert_eq!((json.get("c").unwrap().start, json.end), (c, text.len()));
    let innermost = json.at(&format!("/a{}", "/0".repeat(127))).unwrap();
    assert_eq!(innermost.value, Value::TooDeep);
    assert_eq!((innermost.start, innermost.end), (a + 127, a + 129));
    assert_eq!(innermost.kind(), "a value nested too deeply");
    assert!(innermost.items().is_empty() && innermost.members().is_empty());
    assert_eq!(innermost.at("/0"), None);
}

#[test]
fn in_what_is_too_deep_strings_and_brackets_must_match() {
    let within = |text: &str| format!("{}{text}{}", "[".repeat(128), "]".repeat(128));
    let too_deep = |text: &str| {
        let text = within(text);
        assert_eq!(flaws(&text), [(FlawKind::TooDeep, 128)], "{text}");
        let (json, _) = read(text.as_bytes()).unwrap();
        assert_eq!(json.end, text.len());
    };
    too_deep("[]");
    too_deep("{}");
    too_deep("[{\"]}\":\"\\\"]\"}]");
    too_deep("{\"a\":1,\"a\":\"\\ud800\",\"\u{1}\":[[{}]]}");
    let refused = |text: &str, at: usize, expected: &str| {
        let error = read(within(text).as_bytes()).unwrap_err();
        assert_eq!((error.offset, error.expected), (128 + at, expected), "{text}");
        assert!(!error.at_end);
    };
    refused("[}", 1, "the matching bracket");
    refused("{]", 1, "the matching bracket");
    refused("[{]}", 2, "the matching bracket");
    refused("[\"\\x\"]", 3, "an escape character");
    let error = read("[".repeat(129).as_bytes()).unwrap_err();
    assert_eq!((error.offset, error.expected, error.at_end), (129, "a closing bracket", true));
    // Two values that are too deep are two flaws; scalars at that depth are read.
    assert_eq!(flaws(within("[],{},\"a\"")), [(FlawKind::TooDeep, 128), (FlawKind::TooDeep, 131)]);
    assert_eq!(flaws(within("\"\\ud800\"")), [(FlawKind::LoneSurrogate, 129)]);
}

#[test]
fn a_hundred_thousand_levels_need_no_stack() {
    const LEVELS: usize = 100_000;
    let read_all = || {
        for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"\":[", "]}]"), (" [ ", "\n]")] {
            let text = nested(open, close, LEVELS);
            let (json, flaws) = read(text.as_bytes()).unwrap();
            assert_eq!(json.end, text.len());
            assert_eq!(flaws.len(), 1);
            assert_eq!(flaws[0].kind, FlawKind::TooDeep);
            // Truncated in the openings, in the middle, and one byte before the end.
            for length in [LEVELS, open.len() * LEVELS, text.len() - 1] {
                let error = read(&text.as_bytes()[..length]).unwrap_err();
                assert_eq!((error.offset, error.at_end), (length, true));
            }
        }
    };
    let small = std::thread::Builder::new().stack_size(1 << 20);
    small.spawn(read_all).unwrap().join().unwrap();
}

// ---------------------------------------------------------------- what is no JSON

#[test]
fn an_error_says_where_and_what_was_expected() {
    let error = |text: &str, offset: usize, expected: &str| {
        let error = read(text.as_bytes()).unwrap_err();
        assert_eq!((error.offset, error.expected), (offset, expected), "{text}");
        assert_eq!(error.at_end, offset == text.len(), "{text}");
    };
    error("", 0, "a value");
    error(" \n", 2, "a value");
    error("x", 0, "a value");
    error("data: {}", 0, "a value");
    error("nil", 1, "null");
    error("nul", 3, "null");
    error("True", 0, "a value");
    error("tru e", 3, "true");
    error("fals", 4, "false");
    error("[", 1, "a value");
    error("[,", 1, "a value");
    error("[1,]", 3, "a value");
    error("[1 2]", 3, "`,` or `]`");
    error("[1}", 2, "`,` or `]`");
    error("[1", 2, "`,` or `]`");
    error("[01]", 2, "`,` or `]`");
    error("[NaN]", 1, "a value");
    error("{", 1, "a member name in double quotes");
    error("{a:1}", 1, "a member name in double quotes");
    error("{'a':1}", 1, "a member name in double quotes");
    error("{\"a\":1,}", 7, "a member name in double quotes");
    error("{\"a\"}", 4, "`:`");
    error("{\"a\" 1}", 5, "`:`");
    error("{\"a\":}", 5, "a value");
    error("{\"a\":1]", 6, "`,` or `}`");
    error("{\"a\":1 \"b\":2}", 7, "`,` or `}`");
    error("-", 1, "a digit");
    error("-a", 1, "a digit");
    error("+1", 0, "a value");
    error(".5", 0, "a value");
    error("1.", 2, "a digit");
    error("1.e5", 2, "a digit");
    error("1e", 2, "a digit");
    error("1E+", 3, "a digit");
    error("1e+-1", 3, "a digit");
    error("\"a", 2, "the closing quote of a string");
    error("\"\\", 2, "an escape character");
    error("\"\\x\"", 2, "an escape character");
    error("\"\\'\"", 2, "an escape character");
    error("\"\\U0041\"", 2, "an escape character");
    error("\"\\u00g0\"", 5, "four hexadecimal digits");
    error("\"\\u004", 6, "four hexadecimal digits");
    error("\"\\u+041\"", 3, "four hexadecimal digits");
    error("\"\\ud83d\\u12\"", 11, "four hexadecimal digits");
    error("// c\n1", 0, "a value");
}

#[test]
fn an_error_tells_an_early_end_from_a_wrong_character() {
    assert_eq!(
        read(b"{\"a\":").unwrap_err().to_string(),
        "the JSON text ends where a value was expected"
    );
    assert_eq!(read(b"[1;").unwrap_err().to_string(), "no JSON: expected `,` or `]`");
}

#[test]
fn a_document_with_everything_truncated_at_every_byte() {
    let text = concat!(
        " {\"s\":\"a\\n\\u00e9\\ud83e\\udd80é🦀\", \"n\":[-1.5e+3,0,12], ",
        "\"w\":[true,false,null],\"o\":{\"\":{}} , \"e\":[ ]}"
    );
    assert_eq!(flaws(text), []);
    for length in 0..text.len() {
        let error = read(&text.as_bytes()[..length]).unwrap_err();
        assert_eq!((error.offset, error.at_end), (length, true), "{}", error.expected);
    }
}

// ---------------------------------------------------------------- the tree

#[test]
fn numbers_keep_their_text() {
    for text in ["0", "-0", "1.0", "1.50", "1E5", "1e+05", "9007199254740993", "1e-999999"] {
        let (json, flaws) = read(text.as_bytes()).unwrap();
        assert_eq!((json.value, flaws), (Value::Number(text), vec![]));
    }
}

#[test]
fn the_accessors_answer_for_their_kind_only() {
    let text = r#"[null,true,-1,"s",[0],{"a":0}]"#;
    let (json, _) = read(text.as_bytes()).unwrap();
    let kinds: Vec<_> = json.items().iter().map(Json::kind).collect();
    let expected = ["null", "a boolean", "a number", "a string", "an array", "an object"];
    assert_eq!(kinds, expected);
    for (n, item) in json.items().iter().enumerate() {
        assert_eq!(item.as_str().is_some(), n == 3);
        assert_eq!(item.items().len(), usize::from(n == 4));
        assert_eq!(item.members().len(), usize::from(n == 5));
        assert_eq!(item.is_object(), n == 5);
        assert_eq!(item.get("a").is_some(), n == 5);
        assert_eq!(json.at(&format!("/{n}")), Some(item));
    }
}

#[test]
fn pointers_are_those_of_rfc_6901() {
    let text = r#"{"":0,"a/b":1,"~":2,"~1":3,"l":[[],{"x":4}],"0":5,"+1":6}"#;
    let (json, _) = read(text.as_bytes()).unwrap();
    let number = |pointer: &str| match json.at(pointer)?.value {
        Value::Number(text) => Some(text),
        _ => None,
    };
    assert_eq!(json.at(""), Some(&json));
    assert_eq!(number("/"), Some("0"));
    assert_eq!(number("/a~1b"), Some("1"));
    assert_eq!(number("/~0"), Some("2"));
    assert_eq!(number("/~01"), Some("3"));
    assert_eq!(number("/l/1/x"), Some("4"));
    assert_eq!(number("/0"), Some("5"));
    assert_eq!(number("/+1"), Some("6"));
    // No pointer, no such member, no index.
    for pointer in ["a", "l/1", "/x", "/a/b", "/l/2", "/l/-", "/l/+1", "/l/01", "/l/", "/l/1/x/0"] {
        assert_eq!(json.at(pointer), None, "{pointer}");
    }
}
