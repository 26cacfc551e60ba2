//! No quoted text steers a terminal or misleads a reader, whatever was sent.

#![allow(clippy::unwrap_used, reason = "a test")]

use conform_event::{MAX_QUOTED, quote};
use proptest::prelude::*;

/// The format characters (Cf) of Unicode 16, among them all bidirectional controls.
const FORMAT: &[(u32, u32)] = &[
    (0xad, 0xad),
    (0x600, 0x605),
    (0x61c, 0x61c),
    (0x6dd, 0x6dd),
    (0x70f, 0x70f),
    (0x890, 0x891),
    (0x8e2, 0x8e2),
    (0x180e, 0x180e),
    (0x200b, 0x200f),
    (0x202a, 0x202e),
    (0x2060, 0x2064),
    (0x2066, 0x206f),
    (0xfeff, 0xfeff),
    (0xfff9, 0xfffb),
    (0x1_10bd, 0x1_10bd),
    (0x1_10cd, 0x1_10cd),
    (0x1_3430, 0x1_343f),
    (0x1_bca0, 0x1_bca3),
    (0x1_d173, 0x1_d17a),
    (0xe_0001, 0xe_0001),
    (0xe_0020, 0xe_007f),
];

/// Controls, format characters, line separators, variation selectors and private use.
fn steers(c: char) -> bool {
    let code = u32::from(c);
    c.is_control()
        || FORMAT.iter().any(|(from, to)| (*from..=*to).contains(&code))
        || matches!(code, 0x2028 | 0x2029 | 0xfe00..=0xfe0f | 0xe_0100..=0xe_01ef)
        || matches!(code, 0xe000..=0xf8ff | 0xf_0000..=0x10_ffff)
        || (c.is_whitespace() && c != ' ')
}

/// What the quotes hold, and the note behind them.
fn parts(quoted: &str) -> (&str, &str) {
    let end = quoted.rfind('"').unwrap() + 1;
    quoted.split_at(end)
}

#[test]
fn every_character_is_shown_or_escaped() {
    for c in '\0'..=char::MAX {
        let quoted = quote(&format!("a{c}z"));
        if steers(c) {
            assert!(quoted.is_ascii(), "{:x} came out as {quoted}", u32::from(c));
        }
        assert!(!quoted.chars().any(steers), "{:x}", u32::from(c));
        if c.is_ascii_graphic() || c == ' ' {
            assert!(quoted.len() <= 5 + usize::from(c == '"' || c == '\\'));
        }
    }
    // A combining mark does not hide at the beginning or after its own kind either.
    for text in ["\u{301}", "a\u{301}\u{302}", "\u{20dd}", "\u{e0100}", "\u{3099}"] {
        assert!(quote(text).is_ascii(), "{}", quote(text));
    }
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[\\p{Cf}\\p{Cc}\\p{M}\\p{Z}\\p{Co}a\"\\\\']{0,150}",
        "[ -~]{0,150}",
        "\\PC{0,150}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 5_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn nothing_that_steers_comes_through(text in texts()) {
        let quoted = quote(&text);
        prop_assert!(!quoted.chars().any(steers), "{:?}", quoted);
    }

    #[test]
    fn what_is_quoted_is_json_of_the_beginning(text in texts()) {
        let quoted = quote(&text);
        let length = text.chars().count();
        let shown: String = text.chars().take(MAX_QUOTED).collect();
        let (json, note) = parts(&quoted);
        prop_assert_eq!(serde_json::from_str::<String>(json).unwrap(), shown);
        if length > MAX_QUOTED {
            prop_assert_eq!(note, format!("… ({length} characters)"));
        } else {
            prop_assert_eq!(note, "");
        }
        // Twelve characters are the most that one takes.
        prop_assert!(json.chars().count() <= 2 + 12 * MAX_QUOTED);
    }

    #[test]
    fn printable_ascii_is_quoted_as_serde_json_does(text in "[ -~]{0,64}") {
        let quoted = quote(&text);
        prop_assert_eq!(&quoted, &serde_json::to_string(&text).unwrap());
        prop_assert_eq!(serde_json::from_str::<String>(&quoted).unwrap(), text);
    }
}
