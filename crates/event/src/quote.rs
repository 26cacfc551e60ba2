//! How what was sent is quoted in messages.

use std::fmt::Write as _;

/// Longer strings are cut in messages; machine formats carry them whole.
pub const MAX_QUOTED: usize = 64;

/// Quotes a string for a message: JSON escapes, and escapes for whatever a terminal or a
/// log could take for something else (control, format and bidirectional characters,
/// separators, combining marks). At most [`MAX_QUOTED`] characters are shown.
///
/// ```
/// use conform_event::quote;
/// assert_eq!(quote("m\n1"), r#""m\n1""#);
/// assert_eq!(quote("a\u{202e}b"), r#""a\u202eb""#);
/// assert_eq!(quote(&"x".repeat(100)).len(), 64 + 2 + "… (100 characters)".len());
/// ```
pub fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars().take(MAX_QUOTED) {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\'' => quoted.push('\''),
            // The standard library's notion of what is not safe to print covers the
            // categories Cc, Cf, Co, Cn, Zl, Zp, Zs and the combining marks.
            c if c.escape_debug().len() > 1 => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    // Writing to a String cannot fail.
                    let _ = write!(quoted, "\\u{unit:04x}");
                }
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    let length = text.chars().count();
    if length > MAX_QUOTED {
        let _ = write!(quoted, "… ({length} characters)");
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::quote;

    #[test]
    fn nothing_that_steers_a_terminal_passes() {
        for c in [
            '\u{1b}',
            '\u{0}',
            '\u{7f}',
            '\u{9b}',
            '\u{ad}',
            '\u{200b}',
            '\u{200e}',
            '\u{2028}',
            '\u{2066}',
            '\u{feff}',
            '\u{e0001}',
            '\u{301}',
            '\u{a0}',
        ] {
            let quoted = quote(&format!("a{c}b"));
            assert!(quoted.is_ascii(), "{c:?} came out as {quoted}");
        }
        assert_eq!(quote("\u{e0001}"), r#""\udb40\udc01""#);
    }

    #[test]
    fn what_is_readable_stays() {
        assert_eq!(quote("it's é 漢 🦀 \"q\" \\"), r#""it's é 漢 🦀 \"q\" \\""#);
        assert_eq!(quote(""), "\"\"");
    }

    #[test]
    fn the_cut_counts_characters_not_bytes() {
        assert_eq!(quote(&"é".repeat(64)), format!("\"{}\"", "é".repeat(64)));
        assert_eq!(quote(&"é".repeat(65)), format!("\"{}\"… (65 characters)", "é".repeat(64)));
    }
}
