//! Seeds that the corpus does not make: every escape of JSON, and what steers a terminal, a
//! log or a page wherever a report could repeat it.

use super::{KNOBS, recording};

/// The escapes of JSON, lone surrogates among them.
const ESCAPES: [&str; 14] = [
    r#"\""#,
    r"\\",
    r"\/",
    r"\b",
    r"\f",
    r"\n",
    r"\r",
    r"\t",
    r"\u0000",
    r"\u00e9",
    r"\ud83d\ude00",
    r"\ud800",
    r"\udc00",
    r"\ude00\ud83d",
];

/// What steers, as it may stand in a JSON string.
const STEERING: [&str; 14] = [
    "\u{202e}",
    "\u{2066}",
    "\u{200b}",
    "\u{2028}",
    "\u{7f}",
    "\u{9b}2J",
    r"\u202e",
    r"\u2066",
    r"\u200b",
    r"\u2028",
    r"\u009b2J",
    r"\u001b[31m",
    r"\n::error::",
    r"\r\n::error::<script>",
];

/// How many names an input may have (fuzz/src/recording.rs), and from where on they are long.
const NAMES: u8 = 16;
const LONG_NAMES: u8 = 0xf0;

/// A document for each escape, in a value and in a name, and one for each word that steers. One
/// each: what is wrong in one of them must not hide the others.
pub(super) fn documents() -> Vec<Vec<u8>> {
    let words = ESCAPES.iter().chain(&STEERING);
    words
        .flat_map(|word| {
            [format!(r#"{{"a":"-{word}-"}}"#), format!(r#"{{"-{word}-":["{word}"]}}"#)]
        })
        .map(String::into_bytes)
        .collect()
}

/// Recordings of events that break requirements by names that steer, and each name that an
/// input may have, short and long.
pub(super) fn recordings() -> Vec<Vec<u8>> {
    let mut all: Vec<_> =
        STEERING.iter().map(|word| recording(events(word).as_bytes(), false, 0)).collect();
    all.extend(["\u{202e}", "\u{1b}[31m"].map(|word| recording(head(word).as_bytes(), false, 0)));
    for name in (0..NAMES).chain(LONG_NAMES..=u8::MAX) {
        let mut named = recording(b"data: 1\n\n", false, 0);
        let knob = named.len() - KNOBS + 6;
        named[knob] = name;
        all.push(named);
    }
    all
}

/// A stream with this word in every kind of place.
fn events(word: &str) -> String {
    [
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"WORD","WORD":1}"#,
        r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"WORD","name":null}"#,
        r#"{"type":"TEXT_MESSAGE_END","messageId":"WORD"}"#,
        r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f","metadata":{"WORD":1,"WORD":2}}"#,
        r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"WORD","subagentRunId":"WORD"}"#,
        r#"{"type":"STEP_FINISHED","stepName":"WORD","WORD":{"WORD":1e999}}"#,
        r#"{"type":"STATE_DELTA","delta":[{"op":"WORD","path":"/WORD"}]}"#,
        r#"{"type":"STATE_DELTA","delta":[{"op":"remove","path":"/WORD"}]}"#,
        r#"{"type":"CUSTOM","name":"WORD","value":1}"#,
        r#"{"type":"WORD"}"#,
        r#"{"type":"RUN_FINISHED","threadId":"WORD","runId":"WORD","result":{"WORD":"\ud800"}}"#,
    ]
    .map(|line| line.replace("WORD", word) + "\n")
    .concat()
}

/// A response with this word in its head and in the names of its fields.
fn head(word: &str) -> String {
    format!(
        "HTTP/1.1 200 {word}\r\nContent-Type: {word}\r\n{word}: 1\r\n\r\n\
         da{word}ta: 1\n\nevent: {word}\ndata: {{\"type\":\"{word}\"}}\n\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    #[test]
    fn a_document_has_one_escape() {
        let documents: Vec<_> =
            documents().into_iter().map(|text| String::from_utf8(text).unwrap()).collect();
        assert!(documents.contains(&r#"{"a":"-\f-"}"#.to_owned()), "{documents:?}");
        assert!(documents.contains(&r#"{"-\ud83d\ude00-":["\ud83d\ude00"]}"#.to_owned()));
        assert_eq!(documents.iter().collect::<BTreeSet<_>>().len(), documents.len());
        // Lone surrogates apart, they are JSON: what is refused is not compared.
        let refused = documents
            .iter()
            .filter(|text| serde_json::from_str::<serde_json::Value>(text).is_err())
            .count();
        assert_eq!(refused, 3 * 2);
    }

    #[test]
    fn what_steers_stands_in_json() {
        for word in STEERING {
            for line in events(word).lines() {
                let read = serde_json::from_str::<serde_json::Value>(line);
                let lone = line.contains("ud800") || line.contains("1e999");
                assert!(read.is_ok() || lone, "{line}");
            }
            assert_eq!(events(word).lines().count(), 11);
        }
    }

    #[test]
    fn every_name_is_a_seed() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/src/recording.rs");
        let source = fs::read_to_string(source).unwrap();
        assert!(source.contains(&format!("const HOSTILE: [&str; {NAMES}]")));
        assert!(source.contains(&format!("const LONG_NAMES: u8 = {LONG_NAMES:#x};")));
        let names: BTreeSet<_> =
            recordings().iter().map(|seed| seed[seed.len() - KNOBS + 6]).collect();
        assert!((0..NAMES).chain(LONG_NAMES..=u8::MAX).all(|name| names.contains(&name)));
    }
}
