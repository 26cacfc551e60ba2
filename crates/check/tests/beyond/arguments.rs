//! Whether the arguments of a call are one JSON document.

use super::{
    STARTED, assert_found, call_args, call_end, call_start, finished_with, line, lines, message,
    started,
};

const JSON: &str = "tool/arguments-are-json";

/// A run with one call, whose arguments come in these pieces.
fn run(pieces: &[&str]) -> Vec<String> {
    let args: Vec<String> = pieces.iter().map(|piece| call_args("c1", piece)).collect();
    let start = [STARTED.to_owned(), call_start("c1", "get_weather")];
    lines(&[&start, &args, &[call_end("c1"), pending()]])
}

fn pending() -> String {
    finished_with(r#""outcome":{"type":"success","pendingToolCallIds":["c1"]}"#)
}

#[test]
fn arguments_are_one_document() {
    for pieces in [&["{}"][..], &[" [1, ", "2.", "5e3] "], &["nu", "ll"], &["\"\\u", "00e9\""]] {
        assert_found(&run(pieces), &[]);
    }
    for pieces in [&["{"][..], &["{}", "{}"], &["{'a':1}"], &["01"], &["[1,]"], &["tru", "th"]] {
        let end = u64::try_from(pieces.len()).unwrap() + 2;
        assert_found(&run(pieces), &[(JSON, end, "/toolCallId")]);
    }
}

#[test]
fn no_arguments_are_no_document() {
    assert_found(&run(&[]), &[(JSON, 2, "/toolCallId")]);
    assert_found(&run(&[" "]), &[(JSON, 3, "/toolCallId")]);
}

#[test]
fn messages_keep_arguments_to_themselves() {
    for pieces in [&["{\"secret\":"][..], &["secret"]] {
        let said = message(&run(pieces), None);
        assert!(said.contains(r#""c1""#) && !said.contains("secret"), "{said}");
    }
}

#[test]
fn deep_nesting_is_not_judged() {
    let (open, close) = ("[".repeat(128), "]".repeat(128));
    assert_found(&run(&[&open, &close]), &[]);
    assert_found(&run(&[&open]), &[(JSON, 3, "/toolCallId")]);
    assert_found(&run(&[&open, "["]), &[]);
}

#[test]
fn a_call_opened_again_goes_on() {
    let start = call_start("c1", "get_weather");
    let again = |first: &str, second: &str| {
        let call = |piece| [start.clone(), call_args("c1", piece), call_end("c1")];
        lines(&[&line(STARTED), &call(first), &call(second), &[pending()]])
    };
    // At each end, all that came so far.
    assert_found(&again("{", "}"), &[(JSON, 3, "/toolCallId")]);
    assert_found(&again("{}", "{}"), &[(JSON, 6, "/toolCallId")]);
    assert_found(&again("{}", " "), &[]);
}

#[test]
fn each_run_has_arguments_of_its_own() {
    let call = [call_start("c1", "get_weather"), call_args("c1", "{}"), call_end("c1")];
    let second = [started("t1", "r2")];
    let end = [pending().replace("r1", "r2")];
    let run = lines(&[&line(STARTED), &call, &[pending()], &second, &call, &end]);
    assert_found(&run, &[]);
}

fn chunk(piece: &str) -> String {
    call_args("c1", piece)
        .replace("CALL_ARGS", "CALL_CHUNK")
        .replace(r#""toolCallId":"c1""#, r#""toolCallId":"c1","toolCallName":"get_weather""#)
}

#[test]
fn chunks_end_with_what_ends_them() {
    let run = |chunks: &[String], end: String| lines(&[&line(STARTED), chunks, &[end]]);
    assert_found(&run(&[chunk("{"), chunk("}")], pending()), &[]);
    assert_found(&run(&[chunk("{"), chunk("{")], pending()), &[(JSON, 3, "")]);
    let text = r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Hello."}"#.to_owned();
    assert_found(&run(&[chunk("{"), text], pending()), &[(JSON, 2, "")]);
}

#[test]
fn what_a_failure_cuts_off_is_not_judged() {
    let error = r#"{"type":"RUN_ERROR","message":"The model is down."}"#;
    assert_found(&lines(&[&line(STARTED), &[chunk("{")], &line(error)]), &[]);
    let open = [call_start("c1", "get_weather"), call_args("c1", "{")];
    assert_found(&lines(&[&line(STARTED), &open, &line(error)]), &[]);
}

#[test]
fn a_piece_that_cannot_be_read_leaves_the_call_unjudged() {
    let with = |piece: &str, pointer: &'static str| {
        let start = [STARTED.to_owned(), call_start("c1", "get_weather")];
        let rest = [piece.to_owned(), call_end("c1"), pending()];
        assert_found(&lines(&[&start, &rest]), &[("shape/well-formed", 2, pointer)]);
    };
    with(r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":5}"#, "/delta");
    with(r#"{"type":"TOOL_CALL_ARGS","delta":"{"}"#, "/toolCallId");
}
