//! `--format html`, read by somebody else's parser and used in a browser.
//!
//! The browser is Debian's chromium. Where it is missing, and cannot be installed, the tests
//! that need it say so and pass.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod support;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use html5ever::ParseOpts;
use html5ever::tendril::TendrilSink;
use serde_json::Value;
use support::{FINISHED, STARTED, command, files, finish, repository};

/// The browser's program, installed where that can be done.
static CHROMIUM: LazyLock<Option<&str>> = LazyLock::new(|| {
    let there = || {
        ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|program| {
            let version = Command::new(program).arg("--version").output();
            version.is_ok_and(|output| output.status.success())
        })
    };
    if let Some(program) = there() {
        return Some(program);
    }
    if std::env::var_os("CI").is_some() {
        // Another test may be installing it: wait for that.
        let wait = "DPkg::Lock::Timeout=300";
        let install = ["-o", wait, "install", "-y", "--no-install-recommends", "chromium"];
        for arguments in [&["update"][..], &install] {
            let mut apt = Command::new("apt-get");
            let _ = apt.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").output();
        }
    }
    let program = there();
    if program.is_none() {
        eprintln!("SKIPPED: no chromium to open the report in: apt-get install chromium");
    }
    program
});

/// What a script, run in the report after it has been shown, leaves in `result`.
fn in_browser(html: &str, fragment: &str, script: &str) -> Option<Value> {
    let program = (*CHROMIUM)?;
    let ask = format!(
        "<script>window.addEventListener('load', () => setTimeout(() => {{ let result; try {{ {script} }} \
         catch (error) {{ result = String(error); }} const node = document.createElement('pre'); \
         node.id = 'result'; node.textContent = JSON.stringify(result); document.body.append(node); \
         }}, 200));</script></body>"
    );
    let page = html.replace("</body>", &ask);
    let directory = files(&[("report.html", page)]);
    let path = directory.path().join("report.html");
    let output = Command::new(program)
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1200,900"])
        .args(["--virtual-time-budget=5000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", directory.path().join("profile").display()))
        .arg(format!("file://{}{fragment}", path.display()))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let dom = String::from_utf8(output.stdout).unwrap();
    let (_, rest) = dom
        .split_once("<pre id=\"result\">")
        .unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let (result, _) = rest.split_once("</pre>").unwrap();
    let plain = result
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&amp;", "&");
    Some(serde_json::from_str(&plain).unwrap_or_else(|error| panic!("{error}: {plain}")))
}

fn report(directory: &Path, inputs: &[&str]) -> String {
    let mut command = command(&[&["check", "--format", "html"], inputs].concat());
    command.current_dir(directory);
    finish(command, "").out
}

/// Agents one in another, woven together, with a step that starts twice.
fn nested() -> String {
    let mut lines = vec![STARTED.to_owned()];
    let mut event = |text: &str| lines.push(text.to_owned());
    for (id, parent) in [("a", None), ("b", Some("a")), ("c", Some("b"))] {
        let parent = parent.map(|p| format!(r#","parentSubagentRunId":"{p}""#)).unwrap_or_default();
        event(&format!(
            r#"{{"type":"SUBAGENT_STARTED","subagentRunId":"{id}","name":"n"{parent}}}"#
        ));
    }
    for id in ["a", "b", "c"] {
        event(&format!(
            r#"{{"type":"TEXT_MESSAGE_START","messageId":"m-{id}","role":"assistant","subagentRunId":"{id}"}}"#
        ));
    }
    event(r#"{"type":"STEP_STARTED","stepName":"plan","subagentRunId":"b"}"#);
    event(r#"{"type":"STEP_STARTED","stepName":"plan","subagentRunId":"b"}"#);
    for id in ["c", "a", "b"] {
        event(&format!(
            r#"{{"type":"TEXT_MESSAGE_END","messageId":"m-{id}","subagentRunId":"{id}"}}"#
        ));
    }
    event(r#"{"type":"STEP_FINISHED","stepName":"plan","subagentRunId":"b"}"#);
    for id in ["c", "b", "a"] {
        event(&format!(r#"{{"type":"SUBAGENT_FINISHED","subagentRunId":"{id}"}}"#));
    }
    lines.push(FINISHED.to_owned());
    lines.join("\n") + "\n"
}

const HOSTILE: &str = r#"{"type":"TEXT_MESSAGE_END","messageId":"</script><script>alert(1)</script>\"'&<!--\u202e\n"}"#;

#[test]
fn a_parser_finds_nothing_wrong() {
    let hostile = support::run_of(&[HOSTILE]);
    let directory = files(&[
        ("nested.ndjson", nested()),
        ("<b>\"'&.ndjson", hostile),
        ("empty.sse", String::new()),
        ("picture.sse", "\u{0}\u{1}\u{2}PNG".to_owned()),
    ]);
    let names = ["nested.ndjson", "<b>\"'&.ndjson", "empty.sse", "picture.sse"];
    let html = report(directory.path(), &names);
    let dom = html5ever::parse_document(markup5ever_rcdom::RcDom::default(), ParseOpts::default())
        .one(html.as_str());
    let errors = dom.errors.borrow();
    assert!(errors.is_empty(), "{errors:?}");
    assert!(!html.contains("<script>alert") && !html.contains('\u{202e}'), "{html}");
    // Nothing is fetched from anywhere.
    for word in ["src=", "@import", "url(", "<link", "fetch("] {
        assert!(!html.contains(word), "{word}");
    }
    assert_eq!(html, report(directory.path(), &names));
}

#[test]
fn stored_and_drawn_later() {
    let directory = files(&[("nested.ndjson", nested())]);
    let at = directory.path();
    let run = |arguments: &[&str]| {
        let mut command = command(arguments);
        command.current_dir(at);
        finish(command, "").out
    };
    fs::write(at.join("j.jsonl"), run(&["check", "nested.ndjson", "--format", "jsonl", "--trace"]))
        .unwrap();
    assert_eq!(run(&["report", "j.jsonl", "--format", "html"]), report(at, &["nested.ndjson"]));
    fs::write(at.join("j.jsonl"), run(&["check", "nested.ndjson", "--format", "jsonl"])).unwrap();
    let without = run(&["report", "j.jsonl", "--format", "html"]);
    assert!(without.contains("they were not kept (--trace)"), "{without}");
}

/// No payload is in it: neither texts, arguments, results nor states.
#[test]
fn payloads_are_left_out() {
    let secret = [
        r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"s3cret"}"#,
        r#"{"type":"STATE_SNAPSHOT","snapshot":{"s3cret":"s3cret"}}"#,
        r#"{"type":"CUSTOM","name":"a.b","value":"s3cret","rawEvent":"s3cret"}"#,
    ];
    let directory = files(&[("s.ndjson", support::run_of(&secret))]);
    let html = report(directory.path(), &["s.ndjson"]);
    assert!(html.contains("closed-before-finish") && !html.contains("s3cret"), "{html}");
}

/// Lanes, bars and marks are there, links go there and back, and keys move.
#[test]
fn clicked_through() {
    let directory = files(&[("nested.ndjson", nested())]);
    let html = report(directory.path(), &["nested.ndjson"]);
    let script = r"
        const all = (selector) => [...document.querySelectorAll(selector)];
        
        const view = document.querySelector('.view');
        const key = (key) => view.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        result = {
            lanes: all('.heads span').map((head) => head.textContent),
            bars: all('.bar').length,
            closed: all('.bar.closes').length,
            broken: all('.row.broken').map((row) => row.dataset.event),
            related: all('.row.related').map((row) => row.dataset.event),
            detail: document.querySelector('.detail').textContent,
            backlink: document.querySelector('.row a').getAttribute('href'),
            target: !!document.querySelector(document.querySelector('.row a').getAttribute('href')),
            forward: document.querySelector('.finding a').getAttribute('href'),
            hidden: document.querySelector('.lanes').hidden,
        };
        key('Home'); key('ArrowDown'); key('ArrowDown');
        result.moved = document.querySelector('.detail').textContent;
        key('n');
        result.next = document.querySelector('.detail').textContent;
        key('Enter');
        result.hash = location.hash;
        document.querySelector('.around a').click();
    ";
    let Some(result) = in_browser(&html, "", script) else { return };
    assert_eq!(result["lanes"], serde_json::json!(["event", "parent agent", "a", "b", "c"]));
    // Three agents, three messages, one step.
    assert_eq!((&result["bars"], &result["closed"]), (&7.into(), &7.into()), "{result}");
    assert_eq!(result["broken"], serde_json::json!(["8"]));
    assert_eq!(result["related"], serde_json::json!(["7"]));
    assert!(
        result["detail"]
            .as_str()
            .unwrap()
            .starts_with("event 8 · STEP_STARTED · line 9 · subagent b")
    );
    assert_eq!(result["backlink"], "#i0-f0");
    assert_eq!(result["target"], true);
    assert_eq!(result["forward"], "#i0-e8");
    assert_eq!(result["hidden"], false);
    assert!(
        result["moved"].as_str().unwrap().starts_with("event 2 · SUBAGENT_STARTED"),
        "{result}"
    );
    assert!(result["next"].as_str().unwrap().starts_with("event 8 · "), "{result}");
    assert_eq!(result["hash"], "#i0-f0");
    // A link into the lanes, from outside.
    let script = "result = document.querySelector('.detail').textContent;";
    let shown = in_browser(&html, "#i0-e5", script).unwrap();
    assert!(shown.as_str().unwrap().starts_with("event 5 · TEXT_MESSAGE_START"), "{shown}");
}

/// 50,000 events: what is not in view is not in the document.
#[test]
fn large_streams_are_usable() {
    let mut text = format!("{STARTED}\n");
    for n in 0..25_000 {
        let _ = writeln!(text, r#"{{"type":"STEP_STARTED","stepName":"s{n}"}}"#);
        let _ = writeln!(text, r#"{{"type":"STEP_FINISHED","stepName":"s{n}"}}"#);
    }
    let _ = writeln!(text, r#"{{"type":"STEP_FINISHED","stepName":"never"}}"#);
    let directory = files(&[("large.ndjson", text + FINISHED + "\n")]);
    let html = report(directory.path(), &["large.ndjson"]);
    let script = "const rows = () => document.querySelectorAll('.row').length;
        const view = document.querySelector('.view');
        result = { rows: rows(), bars: document.querySelectorAll('.bar').length,
            detail: document.querySelector('.detail').textContent, top: view.scrollTop > 900000 };";
    let Some(result) = in_browser(&html, "", script) else { return };
    assert!(result["rows"].as_u64().unwrap() < 200, "{result}");
    assert!(result["bars"].as_u64().unwrap() < 200, "{result}");
    assert!(
        result["detail"].as_str().unwrap().starts_with("event 50001 · STEP_FINISHED"),
        "{result}"
    );
    assert_eq!(result["top"], true, "{result}");
}

/// The example that the documentation shows.
#[test]
fn captures() {
    let html = report(&repository("corpus/captures"), &["broken.sse", "good.sse"]);
    assert!(html.contains("<article class=\"finding error\" id=\"i0-f0\">"), "{html}");
}
