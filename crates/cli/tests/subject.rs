//! `agui-conform subject`: the protocol as a harness speaks it, and the corpus through it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod support;

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use conform_check::Scope;
use conform_check::registry::Judge;
use conform_corpus::{At, Input, Verdict, load_all};
use serde_json::{Value, json};
use support::{Done, command, run};

const HELLO: &str = r#"{"hello":{"protocol":"agui-conform.subject.v1","role":"verifier"}}"#;

fn subject(arguments: &[&str], input: impl AsRef<[u8]>) -> Done {
    let all: Vec<&str> = ["subject", "verifier"].iter().chain(arguments).copied().collect();
    run(&all, input)
}

fn lines(done: &Done) -> Vec<Value> {
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    done.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_hello_says_who_answers() {
    for (arguments, name, scope) in [
        (&[][..], "conform-verify", "stream"),
        (&["--scope", "stream"], "conform-verify", "stream"),
        (&["--scope", "run"], "conform-verify", "run"),
        (&["--model"], "conform-model", "stream"),
        (&["--model", "--scope", "run"], "conform-model", "run"),
    ] {
        let answers = lines(&subject(arguments, HELLO));
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            answers,
            [json!({"subject": name, "version": version, "role": "verifier", "scope": scope,
                "features": []})]
        );
    }
}

#[test]
fn a_hello_for_somebody_else_is_refused() {
    for hello in [
        json!({"protocol": "agui-conform.subject.v2", "role": "verifier"}),
        json!({"protocol": "agui-conform.subject.v1", "role": "emitter"}),
        json!({}),
        json!(null),
    ] {
        let answers = lines(&subject(&[], json!({"hello": hello}).to_string()));
        let [answer] = &answers[..] else { panic!("{answers:?}") };
        assert_eq!(answer["verdict"], "unsupported");
        let reason = answer["reason"].as_str().unwrap();
        assert!(reason.starts_with("this subject speaks agui-conform.subject.v1"), "{reason}");
    }
}

#[test]
fn every_line_is_answered_in_order() {
    let deep = format!(
        r#"{{"id":7,"events":[{{"type":"CUSTOM","value":{}1{}}}]}}"#,
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let cases: &[(&[u8], &str, &str)] = &[
        (b"garbage", "null", "unsupported"),
        (b"{\"id\":1,\"events\":[", "null", "unsupported"),
        (b"\xff\xfe", "null", "unsupported"),
        (b"[]", "null", "unsupported"),
        (b"42", "null", "unsupported"),
        (b"{\"id\":1}", "1", "unsupported"),
        (b"{\"id\":2,\"events\":{}}", "2", "unsupported"),
        (b"{\"id\":3,\"events\":null}", "3", "unsupported"),
        (b"{\"id\":4,\"events\":[]}\r", "4", "accept"),
        (b"{\"id\":5,\"events\":[1,null,[],{},{\"type\":7}]}", "5", "accept"),
        (b"{\"id\":6,\"events\":[{\"type\":\"CUSTOM\",\"value\":\"\xff\"}]}", "6", "accept"),
        (deep.as_bytes(), "7", "accept"),
        (b"{\"events\":[],\"more\":1}", "null", "accept"),
        (b"{\"events\":[{\"type\":\"STEP_FINISHED\",\"stepName\":\"s\"}],\"id\":8}", "8", "reject"),
    ];
    for arguments in [&["--scope", "run"][..], &["--scope", "run", "--model"]] {
        // Blank lines are no cases.
        let input = cases.iter().map(|(line, ..)| *line).collect::<Vec<_>>().join(&b"\n \n\n"[..]);
        let done = subject(arguments, input);
        let answers = lines(&done);
        assert_eq!(answers.len(), cases.len());
        for (answer, (line, id, verdict)) in answers.iter().zip(cases) {
            let line = String::from_utf8_lossy(&line[..line.len().min(80)]);
            assert_eq!(answer["id"].to_string(), *id, "{line}");
            assert_eq!(answer["verdict"], *verdict, "{line}");
        }
    }
}

#[test]
fn ids_are_echoed_whatever_they_are() {
    for id in [
        r#""c1""#,
        r#""""#,
        r#""a\u0000\"\\\ud83d\ude80 é""#,
        "null",
        "true",
        "0",
        "-0.0",
        "1e400",
        "12345678901234567890123",
        "[1, [2,  {}]]",
        r#"{"b":1,"a":[null]}"#,
    ] {
        for case in [
            format!(r#"{{"id":{id},"events":[]}}"#),
            format!(r#"{{"events": [], "id" : {id} }}"#),
            format!(r#"{{"id":{id},"events":[{{"type":"RUN_FINISHED"}},{{"type":"RAW"}}]}}"#),
            format!(r#"{{"id":{id}}}"#),
        ] {
            let done = subject(&["--scope", "run"], &case);
            assert_eq!(done.code, 0);
            // As it was written, to the byte.
            assert!(done.out.starts_with(&format!(r#"{{"id":{id},"verdict":""#)), "{}", done.out);
        }
    }
}

#[test]
fn the_request_of_a_case_counts() {
    let case = |request: &str| {
        format!(
            r#"{{"id":1,{request}"events":[{{"type":"RUN_STARTED","threadId":"t","runId":"r"}},{{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c1","content":""}},{{"type":"RUN_FINISHED","threadId":"t","runId":"r"}}]}}"#
        ) + "\n"
    };
    let with = |calls: &str| {
        format!(
            r#""request":{{"threadId":"t","runId":"r","messages":[{{"id":"m0","role":"assistant","toolCalls":[{calls}]}}]}},"#
        )
    };
    let input = [
        case(&with(r#"{"id":"c1"}"#)),
        case(&with("")),
        case(r#""request":[],"#),
        case(r#""request":null,"#),
    ]
    .concat();
    for model in [&[][..], &["--model"]] {
        let answers = lines(&subject(model, &input));
        assert_eq!(answers[0], json!({"id": 1, "verdict": "accept"}), "{answers:?}");
        let what = (&answers[1]["verdict"], &answers[1]["at"], &answers[1]["rule"]);
        assert_eq!(what, (&"reject".into(), &1.into(), &"unknown-id".into()), "{answers:?}");
        // A request that is none is as good as none.
        let none = lines(&subject(model, case("")));
        assert_eq!([&answers[2], &answers[3]], [&none[0], &none[0]]);
    }
}

#[test]
fn an_answer_comes_before_the_next_question() {
    let mut child = command(&["subject", "verifier"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for question in [HELLO, r#"{"id":1,"events":[]}"#, "garbage", r#"{"id":2,"events":[]}"#] {
        writeln!(stdin, "{question}").unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        assert!(answer.ends_with("}\n"), "{answer}");
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_harness_that_leaves_is_nobodys_fault() {
    let mut child = command(&["subject", "verifier"]).stdin(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let _ = stdin.write_all(format!("{HELLO}\n").repeat(1000).as_bytes());
    drop(stdin);
    let done = child.wait_with_output().unwrap();
    assert_eq!((done.status.code(), done.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn the_corpus_through_the_protocol() {
    let cases = load_all(&support::repository("corpus/ordering")).unwrap();
    for (scope, name) in [(Scope::Run, "run"), (Scope::Stream, "stream")] {
        let cases: Vec<_> = cases
            .iter()
            .map(|(_, case)| case)
            .filter(|case| case.scope == scope)
            .filter(|case| match case.expect.verdict {
                Verdict::Accept => true,
                // About shape and the like they have no opinion.
                Verdict::Reject { requirement, .. } => {
                    matches!(requirement.judge, Judge::Rule(_) | Judge::Stream)
                }
            })
            .collect();
        let questions = cases.iter().map(|case| {
            let Input::Events(events) = &case.input else { panic!("{}", case.name) };
            let mut question = json!({"id": case.name, "events": events});
            if let Some(request) = &case.request {
                question["request"] = request.clone().into();
            }
            question.to_string() + "\n"
        });
        let input = format!("{HELLO}\n") + &questions.collect::<String>();
        for arguments in [&["--scope", name][..], &["--scope", name, "--model"]] {
            let answers = lines(&subject(arguments, &input));
            assert_eq!(answers.len(), cases.len() + 1);
            for (answer, case) in answers[1..].iter().zip(&cases) {
                let (verdict, at, rule) = match case.expect.verdict {
                    Verdict::Accept => ("accept", Value::Null, Value::Null),
                    Verdict::Reject { at, rule, .. } => {
                        let at = match at {
                            At::Event(index) => index.into(),
                            At::End => "end".into(),
                        };
                        ("reject", at, rule.map_or(Value::Null, |rule| rule.as_str().into()))
                    }
                };
                assert_eq!(answer["id"], *case.name);
                let said = (&answer["verdict"], &answer["at"], &answer["rule"]);
                assert_eq!(said, (&verdict.into(), &at, &rule), "{} {arguments:?}", case.name);
            }
        }
    }
}
