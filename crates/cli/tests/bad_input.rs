//! Input that no producer should send: what is said of it, at which byte, with which exit
//! code. Files, pipes and usage are in `bad_files.rs` and `live.rs`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod support;

use support::{FINISHED, Found, Report, STARTED, judge, run, run_of, sse};

const FRAME: &str = "sse/one-event-a-frame";
const CLEAN: &str = "shape/clean-json";
const FRAMED: &str = "sse/framed";
const FEEDS: &str = "sse/line-feeds";

/// A CUSTOM event with this text as its value.
fn custom(value: &str) -> String {
    format!(r#"{{"type":"CUSTOM","name":"com.example.n","value":{value}}}"#)
}

/// The offset of `needle`, which is there once.
fn offset(text: impl AsRef<[u8]>, needle: impl AsRef<[u8]>) -> Option<u64> {
    let (text, needle) = (text.as_ref(), needle.as_ref());
    let is = |window: &&[u8]| *window == needle;
    assert_eq!(text.windows(needle.len()).filter(is).count(), 1, "it is there once");
    let place = text.windows(needle.len()).position(|window| window == needle);
    place.map(|place| place as u64)
}

fn plain(input: impl AsRef<[u8]>) -> Report {
    let report = judge(input, &[]);
    assert_eq!(report.err, "");
    report
}

/// Asserts that these findings, and no notes, come with this exit code.
#[track_caller]
fn assert_found(input: impl AsRef<[u8]>, code: i32, expected: &[Found<'_>]) -> Report {
    let report = plain(input);
    assert_eq!(report.found(), expected);
    assert_eq!(report.code, code);
    assert_eq!(report.notes(), []);
    report
}

#[test]
fn nothing() {
    for (input, bytes) in [("", 0), (" \n\t\r\n ", 6), ("\u{feff}", 3)] {
        let report = plain(input);
        assert_eq!(report.code, 1);
        let found = report.found();
        let end = ("lifecycle/first-event", None, None, Some(bytes));
        assert_eq!(found.last(), Some(&end), "{input:?}");
        assert_eq!(report.findings().last().unwrap()["message"], "the stream has no events");
        assert_eq!(report.input()["first_rejected"], "end");
        assert_eq!(report.input()["events"], 0);
    }
    assert_found("[]", 1, &[("lifecycle/first-event", None, None, Some(2))]);
    let human = run(&["check", "-"], "");
    assert_eq!(human.code, 1);
    assert!(human.out.contains("\n-: fail (empty, 0 events, 0 runs): 1 error, 0 warnings\n"));
}

#[test]
fn binary_is_not_read() {
    let ramp: Vec<u8> = (0..=255).cycle().take(5000).collect();
    for input in [&ramp[..], b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", &[0xff; 4096], b"\x1f\x8b\x08\x00"] {
        let report = plain(input);
        assert_eq!((report.code, report.found()), (2, vec![]));
        let [(message, byte, true)] = report.notes()[..] else { panic!("{report:?}") };
        assert!(message.starts_with("this is binary data"), "{message}");
        assert_eq!(byte, Some(0));
        assert_eq!(report.json["verdict"], "incomplete");
        assert_eq!(report.json["summary"]["unsupported"], 1);
    }
}

#[test]
fn text_that_is_no_stream() {
    let page = "<html><body>502 Bad Gateway</body></html>\n";
    let report = plain(page);
    assert_eq!(report.code, 1);
    assert_eq!(report.found()[0], (FRAME, Some(0), Some(1), Some(0)));
    for (input, kind) in [("42\n", "a number"), ("\"a\"", "a string"), ("null\n", "null")] {
        let report = plain(input);
        assert_eq!(report.found()[0], (FRAME, Some(0), Some(1), Some(0)), "{input}");
        let message = &report.findings()[0]["message"];
        assert_eq!(message, &format!("an event is a JSON object, this is {kind}"));
    }
}

#[test]
fn what_is_not_utf8() {
    // Not written as text: a broken byte, and half a character at the end of a string.
    for broken in [&b"a\xffb"[..], b"a\xf0\x9f\x98"] {
        let value = [b"\"", broken, b"\""].concat();
        let mut lines = run_of(&[custom("\"MARK\"")]).into_bytes();
        let at = usize::try_from(offset(&lines, "\"MARK\"").unwrap()).unwrap();
        lines.splice(at..at + 6, value);
        let place = Some(at as u64 + 2);
        let report = assert_found(&lines, 1, &[(FRAME, Some(1), Some(2), place)]);
        // Reading goes on.
        assert_eq!(report.input()["events"], 3);
    }
}

#[test]
fn a_byte_order_mark() {
    for stream in [run_of(&[custom("1")]), sse(&[&custom("1")])] {
        assert_found(format!("\u{feff}{stream}"), 0, &[(CLEAN, None, Some(1), Some(0))]);
    }
    let inside = run_of(&[format!("\u{feff}{}", custom("1"))]);
    let byte = offset(&inside, "\u{feff}");
    assert_found(&inside, 0, &[(CLEAN, Some(1), Some(2), byte)]);
}

#[test]
fn line_ends() {
    let stream = sse(&[&custom("1")]);
    let end = Some(STARTED.len() as u64 + 6);
    for ending in ["\r\n", "\r"] {
        let report = plain(stream.replace('\n', ending));
        assert_eq!(report.found(), [(FEEDS, Some(0), Some(1), end)]);
        assert_eq!(report.code, 1);
        assert_eq!(report.notes(), [("2 more frames end their lines so", None, false)]);
        assert_eq!(report.input()["events"], 3);
    }
    // JSON Lines may end so, as far as anybody says.
    let report = plain(run_of(&[custom("1")]).replace('\n', "\r\n"));
    assert_eq!((report.code, report.found()), (0, vec![]));
    assert_eq!(report.notes()[0], ("A line ends in CR LF", Some(STARTED.len() as u64), false));
    assert!(report.notes().iter().all(|(_, _, incomplete)| !incomplete));
}

#[test]
fn many_odd_frames_make_one_note() {
    let odd = vec!["{\"type\":\"CUSTOM\",\ndata: \"name\":\"com.example.n\",\"value\":1}"; 500];
    let report = plain(sse(&odd));
    assert_eq!((report.code, report.found()), (0, vec![]));
    let [(message, Some(_), false), (more, None, false)] = report.notes()[..] else {
        panic!("{report:?}")
    };
    assert_eq!(message, "The frame has more than one `data:` line");
    assert_eq!(more, "499 times more: The frame has more than one `data:` line");
}

#[test]
fn json_nested_deeply() {
    let deep = |levels: usize| custom(&format!("{}{}", "[".repeat(levels), "]".repeat(levels)));
    assert_found(run_of(&[deep(120)]), 0, &[]);
    for levels in [200, 100_000] {
        let input = run_of(&[deep(levels)]);
        let report = plain(&input);
        assert_eq!((report.code, report.found()), (4, vec![]));
        // The 129th bracket, that of the event counted.
        let byte = offset(&input, "\"value\":").map(|at| at + 8 + 127);
        let message = "values are nested more than 128 levels deep; they are not judged";
        assert_eq!(report.notes(), [(message, byte, true)]);
        assert_eq!(report.json["summary"]["not_judged"], 1);
    }
    // What follows is judged, and an error counts for more than what was not judged.
    let report = plain(run_of(&[&deep(100_000), r#"{"type":"STEP_FINISHED","stepName":"s"}"#]));
    assert_eq!(report.code, 1);
    assert_eq!(report.found().len(), 1);
    assert_eq!(report.found()[0].1, Some(2));
    let report = plain(run_of(&[custom(&"[".repeat(100_000))]));
    assert_eq!((report.code, report.found()[0].0), (1, FRAME));
    let report = plain(run_of(&[custom(&r#"{"a":"#.repeat(100_000))]));
    assert_eq!((report.code, report.found()[0].0), (1, FRAME));
}

#[test]
fn an_end_cut_off() {
    let lines = run_of(&[custom("1")]);
    // The newline alone is no loss.
    assert_found(lines.trim_end(), 0, &[]);
    let cut = &lines[..lines.len() - 10];
    let end = Some(cut.len() as u64);
    // That the run is open follows from the cut.
    assert_found(cut, 1, &[(FRAME, Some(2), Some(3), end)]);

    let frames = sse(&[&custom("1")]);
    let last = offset(&frames, FINISHED);
    // Without its blank line a client never sees the last frame.
    for missing in [1, 2] {
        let cut = &frames[..frames.len() - missing];
        assert_found(cut, 1, &[(FRAMED, Some(2), Some(5), last)]);
    }
    let report = plain(&frames[..frames.len() - 10]);
    assert_eq!(report.code, 1);
    assert_eq!(report.found(), [(FRAMED, Some(2), Some(5), last)]);
}

#[test]
fn json_that_is_not_clean() {
    for (line, mark) in [
        (r#"{"type":"CUSTOM","name":"com.example.n","na\u006de":"m","value":1}"#, "\"na\\u006d"),
        (&custom(r#""\ud800""#), "\\ud800"),
        (&custom(r#""\udc00\ud800""#), "\\udc00"),
        (&custom("\"a\u{1}b\""), "\u{1}"),
        (&custom("\"a\u{0}b\""), "\u{0}"),
        (&custom("\"a\tb\""), "\t"),
        (&custom(r#"{"a":{"b":1,"b":2}}"#), "\"b\":2"),
    ] {
        for input in [run_of(&[line]), sse(&[line])] {
            let report = plain(&input);
            assert_eq!(report.code, 0, "{line}");
            let found = report.found();
            assert_eq!((found[0].0, found[0].1), (CLEAN, Some(1)), "{line}");
            assert_eq!(found[0].3, offset(&input, mark), "{line}");
            let denied = judge(&input, &["--deny", CLEAN]);
            assert_eq!(denied.code, 1);
        }
    }
}

#[test]
fn the_first_of_two_members_counts_for_nobody_else() {
    // Which of the two `stepName` is taken must not make two findings of one.
    let lines = [
        r#"{"type":"STEP_STARTED","stepName":"a","stepName":"b"}"#,
        r#"{"type":"STEP_FINISHED","stepName":"b"}"#,
    ];
    let input = run_of(&lines);
    let second = offset(&input, r#""stepName":"b"}"#.to_owned() + "\n{\"type\":\"STEP_F");
    assert_found(&input, 0, &[(CLEAN, Some(1), Some(2), second)]);
}

#[test]
fn frames_that_carry_no_event() {
    let two = format!("{}{}", custom("1"), custom("2"));
    let input = sse(&[&two]);
    let second = offset(&input, custom("2"));
    assert_found(&input, 1, &[(FRAME, Some(1), Some(3), second)]);

    let done = sse(&[]) + "data: [DONE]\n\n";
    let report = assert_found(&done, 1, &[(FRAME, Some(2), Some(5), offset(&done, "[DONE]"))]);
    let message = &report.findings()[0]["message"];
    assert_eq!(message, "`[DONE]` is no event; a stream ends with its connection");

    let empty = sse(&[""]);
    assert_found(&empty, 1, &[(FRAME, Some(1), Some(3), Some(STARTED.len() as u64 + 14))]);

    let text = sse(&["ping"]);
    assert_found(&text, 1, &[(FRAME, Some(1), Some(3), offset(&text, "ping"))]);
}

#[test]
fn several_data_lines() {
    let input = sse(&["{\"type\":\"STEP_FINISHED\",\ndata: \"stepName\":\"never\"}"]);
    let report = plain(&input);
    assert_eq!(report.code, 1);
    // The place is the one in the file.
    let byte = offset(&input, "\"never\"");
    assert_eq!(report.found(), [("step/finished-by-its-owner", Some(1), Some(4), byte)]);
    let second = offset(&input, "\"stepName\"");
    assert_eq!(report.notes(), [("The frame has more than one `data:` line", second, false)]);
}

#[test]
fn payload_outside_data() {
    let frames = sse(&[&custom("1")]);
    for (before, at) in [("", 0), ("Data: ", 6)] {
        let input = frames.replacen(
            &format!("data: {}", custom("1")),
            &format!("{before}{}", custom("1")),
            1,
        );
        let byte = offset(&input, custom("1"));
        assert_found(&input, 1, &[(FRAMED, Some(1), Some(3), byte)]);
        assert_eq!(byte, Some(STARTED.len() as u64 + 8 + at));
    }
}

#[test]
fn other_fields_of_server_sent_events() {
    let input = format!(
        ": hello\nretry: 10\n\nevent: m\nid: 7\ndata: {STARTED}\n\n: ping\n\ndata:{FINISHED}\n\n"
    );
    let report = assert_found(input, 0, &[]);
    assert_eq!(report.input()["format"], "sse");
    assert_eq!(report.input()["events"], 2);
}

#[test]
fn a_capture_with_its_head() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
    let input = format!("{head}{}", sse(&[r#"{"type":"STEP_FINISHED","stepName":"s"}"#]));
    let byte = offset(&input, "\"s\"");
    let report = assert_found(&input, 1, &[("step/finished-by-its-owner", Some(1), Some(6), byte)]);
    assert_eq!(report.input()["format"], "sse");
    let good = std::fs::read(support::repository("corpus/captures/good.curl.txt")).unwrap();
    assert_found(good, 0, &[]);
    // A head alone is an answer without events.
    let report = plain("HTTP/1.1 204 No Content\r\n\r\n");
    assert_eq!((report.code, report.found()[0].0), (1, "lifecycle/first-event"));
}

#[test]
fn a_json_array() {
    let step = r#"{"type":"STEP_FINISHED","stepName":"s"}"#;
    let values: Vec<serde_json::Value> =
        [STARTED, step, FINISHED].map(|text| serde_json::from_str(text).unwrap()).to_vec();
    let pretty = serde_json::to_string_pretty(&values).unwrap();
    let byte = offset(&pretty, "\"s\"");
    let report =
        assert_found(&pretty, 1, &[("step/finished-by-its-owner", Some(1), Some(10), byte)]);
    assert_eq!(report.input()["format"], "json-array");
    assert_eq!(report.input()["events"], 3);

    let good = format!("[{STARTED},{FINISHED}]");
    assert_found(&good, 0, &[]);
    assert_found(format!("[1,{}", &good[1..]), 1, &[(FRAME, Some(0), Some(1), Some(1))]);
    for (input, byte) in [
        (format!("{good} x"), good.len() as u64 + 1),
        (good[..good.len() - 1].to_owned(), good.len() as u64 - 1),
        (format!("{},]", &good[..good.len() - 1]), good.len() as u64),
    ] {
        let report = plain(&input);
        assert_eq!((report.code, report.found()), (4, vec![]), "{input}");
        let [(_, at, true)] = report.notes()[..] else { panic!("{report:?}") };
        assert_eq!(at, Some(byte), "{input}");
    }
}

#[test]
fn three_hundred_open_entities() {
    let opened: Vec<String> = (0..300)
        .map(|n| format!(r#"{{"type":"TOOL_CALL_START","toolCallId":"c{n}","toolCallName":"f"}}"#))
        .collect();
    let report = plain(run_of(&opened));
    assert_eq!(report.code, 1);
    let [(id, event, ..)] = report.found()[..] else { panic!("{:?}", report.found()) };
    assert_eq!((id, event), ("lifecycle/closed-before-finish", Some(301)));
    let finding = &report.findings()[0];
    assert_eq!(finding["entity"]["id"], "c0");
    assert_eq!(finding["related_event"], 1);
    let message = finding["message"].as_str().unwrap();
    assert!(message.contains("tool call \"c0\"") && message.ends_with("and 299 more"), "{message}");
    // The end of the stream only follows.
    assert_eq!(report.findings()[1]["consequence_of"], 0);
    assert_eq!(report.json["summary"]["errors"], 1);
}

const NASTY: [&str; 8] = [
    "it's \\\"quoted\\\"",
    "two\\nlines\\r\\n",
    "\u{1f680}\u{200d}\u{1f469}",
    "\\u001b[31mred\\u001b]0;title\\u0007",
    "\u{1b}[2J",
    "\\u0000\u{7f}\u{9b}1m",
    "\u{202e}left\u{2066}\u{feff}",
    "a\\u2028b",
];

#[test]
fn nothing_that_is_received_steers_the_terminal() {
    for id in NASTY {
        let lines = [
            format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"{id}","delta":"{id}"}}"#),
            format!(
                r#"{{"type":"TOOL_CALL_START","toolCallId":"{id}","toolCallName":"{id}","subagentRunId":"{id}"}}"#
            ),
            format!(
                r#"{{"type":"TOOL_CALL_ARGS","toolCallId":"{id}","delta":"","subagentRunId":"other"}}"#
            ),
            format!(
                r#"{{"type":"SUBAGENT_STARTED","subagentRunId":"x","parentSubagentRunId":"{id}"}}"#
            ),
            format!(r#"{{"type":"STEP_STARTED","stepName":"{id}"}}"#),
            format!(r#"{{"type":"STEP_FINISHED","stepName":"s","{id}":{{"{id}":1}}}}"#),
            format!(r#"{{"type":"CUSTOM","name":"a.b","value":0,"metadata":{{"{id}":1e999}}}}"#),
            FINISHED.to_owned(),
            format!(r#"{{"type":"{id}","name":"com.example.n"}}"#),
            id.to_owned(),
            format!(r#"{{"type":"{id}"#),
        ];
        for input in [
            run_of(&lines),
            sse(&lines.each_ref().map(String::as_str)),
            format!("{{\"schema\":\"agui-conform.{id}\"}}"),
        ] {
            for color in ["never", "always"] {
                let done = run(&["check", "-", "--color", color], &input);
                // Our own colours are the only control characters, and only when asked for.
                let own = [
                    "\u{1b}[0m",
                    "\u{1b}[1m",
                    "\u{1b}[2m",
                    "\u{1b}[1;31m",
                    "\u{1b}[1;32m",
                    "\u{1b}[1;33m",
                ];
                let text = own
                    .iter()
                    .fold(done.out.clone() + &done.err, |text, code| text.replace(code, ""));
                if color == "never" {
                    assert!(!done.out.contains('\u{1b}'), "{}", done.out);
                }
                for c in text.chars().filter(|c| *c != '\n') {
                    assert!(!c.is_control(), "{c:?} of {id:?} in {text}");
                    assert!(
                        !"\u{202e}\u{2066}\u{2028}\u{feff}\u{200d}".contains(c),
                        "{c:?} in {text}"
                    );
                }
                assert!([1, 2].contains(&done.code), "{done:?}");
            }
        }
    }
}
