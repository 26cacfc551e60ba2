//! Ids and versions of runs.

use conform_check::Severity;

use super::{
    FINISHED, STARTED, assert_found, assert_found_with, finished, finished_with, judge, message,
    started,
};

const SAME_RUN: &str = "lifecycle/same-run-id";
const SAME_THREAD: &str = "lifecycle/same-thread-id";
const ECHOES: &str = "lifecycle/echoes-request";
const REUSED: &str = "ids/run-not-reused";
const DECLARED: &str = "version/declared";
const PUBLISHED: &str = "version/published";

const REQUEST: &str = r#"{"threadId":"t1","runId":"r1","messages":[]}"#;

/// Runs with these ids, one after another.
fn runs(ids: &[(&str, &str)]) -> Vec<String> {
    ids.iter().flat_map(|(thread, run)| [started(thread, run), finished(thread, run)]).collect()
}

#[test]
fn a_run_finishes_under_its_own_id() {
    assert_found(&[STARTED, &finished("t1", "r2")], &[(SAME_RUN, 1, "/runId")]);
    let two = [started("t1", "r1"), finished("t1", "r1"), started("t1", "r2")];
    let two = |last: &str| [two.as_slice(), &[finished("t1", last)]].concat();
    // Not that of the run before.
    assert_found(&two("r1"), &[(SAME_RUN, 3, "/runId")]);
    assert_found(&two("r2"), &[]);
    let said = message(&[STARTED, &finished("t1", "r2")], None);
    assert_eq!(said, r#"runId is "r2", the run that started at event 0 has "r1""#);
}

#[test]
fn a_missing_id_is_no_other_id() {
    let nameless = r#"{"type":"RUN_FINISHED","threadId":"t1"}"#;
    assert_found(&[STARTED, nameless], &[("shape/well-formed", 1, "/runId")]);
    let unthreaded = r#"{"type":"RUN_FINISHED","runId":"r1"}"#;
    assert_found(&[STARTED, unthreaded], &[("shape/well-formed", 1, "/threadId")]);
}

#[test]
fn a_run_refused_explains_the_id_of_the_end() {
    // The second start is refused; that the end is its end is no fault of its own.
    let lines = [started("t1", "r1"), started("t1", "r2"), finished("t1", "r2")];
    assert_found(&lines, &[("lifecycle/one-run-at-a-time", 1, "")]);
}

#[test]
fn a_stream_has_one_thread() {
    assert_found(&[STARTED, &finished("t2", "r1")], &[(SAME_THREAD, 1, "/threadId")]);
    // One finding a further thread; going back to one that was carried is none.
    let lines = runs(&[("t1", "r1"), ("t2", "r2"), ("t1", "r3"), ("t3", "r4")]);
    assert_found(&lines, &[(SAME_THREAD, 2, "/threadId"), (SAME_THREAD, 6, "/threadId")]);
    let outcome = judge(&lines, None);
    for finding in &outcome.findings {
        assert_eq!(finding.related.map(|at| at.event), Some(0));
    }
    let failed = r#"{"type":"RUN_ERROR","message":"Out of paper."}"#;
    assert_found(&[STARTED, failed], &[]);
}

#[test]
fn the_last_run_is_the_one_that_was_asked_for() {
    let found = |ids: &[(&str, &str)], expected: &[(&'static str, u64, &str)]| {
        assert_found_with(&runs(ids), Some(REQUEST), expected);
    };
    found(&[("t1", "r1")], &[]);
    // Runs that are replayed before it have ids of their own.
    found(&[("t1", "r0"), ("t1", "r1")], &[]);
    found(&[("t1", "r2")], &[(ECHOES, 0, "/runId")]);
    found(&[("t1", "r1"), ("t1", "r2")], &[(ECHOES, 2, "/runId")]);
    // Of a thread that is not the request's it is told once, and the run's id besides.
    found(&[("t2", "r0"), ("t2", "r1")], &[(ECHOES, 0, "/threadId")]);
    found(&[("t2", "r2")], &[(ECHOES, 0, "/threadId"), (ECHOES, 0, "/runId")]);
    // A second thread on the stream says more than that it is not the request's.
    found(&[("t1", "r0"), ("t2", "r1")], &[(SAME_THREAD, 2, "/threadId")]);
    found(
        &[("t2", "r0"), ("t3", "r1")],
        &[(ECHOES, 0, "/threadId"), (SAME_THREAD, 2, "/threadId")],
    );
}

#[test]
fn what_a_request_lacks_is_not_asked_for() {
    for request in [r#"{"messages":[]}"#, r#"{"threadId":1,"runId":null,"messages":[]}"#] {
        assert_found_with(&runs(&[("t2", "r2")]), Some(request), &[]);
    }
}

#[test]
fn the_echo_says_what_was_asked_where_no_request_is_given() {
    let started = |thread: &str, run: &str| {
        STARTED.replace(
            r#""protocolVersion""#,
            &format!(
                r#""input":{{"threadId":"{thread}","runId":"{run}","messages":[]}},"protocolVersion""#
            ),
        )
    };
    let found = |thread: &str, run: &str, expected: &[(&'static str, u64, &str)]| {
        assert_found(&[started(thread, run).as_str(), FINISHED], expected);
    };
    found("t1", "r1", &[]);
    found("t1", "r2", &[(ECHOES, 0, "/runId")]);
    found("t2", "r1", &[(ECHOES, 0, "/threadId")]);
    found("t2", "r2", &[(ECHOES, 0, "/threadId"), (ECHOES, 0, "/runId")]);
    // With a request the echo is not compared: it is the request that counts.
    assert_found_with(&[started("t2", "r2").as_str(), FINISHED], Some(REQUEST), &[]);
}

#[test]
fn a_run_id_is_used_once_in_a_thread() {
    assert_found(&runs(&[("t1", "r1"), ("t1", "r2"), ("t1", "r1")]), &[(REUSED, 4, "/runId")]);
    assert_found(
        &runs(&[("t1", "r1"), ("t1", "r1"), ("t1", "r1")]),
        &[(REUSED, 2, "/runId"), (REUSED, 4, "/runId")],
    );
    assert_found(&runs(&[("t1", "r1"), ("t2", "r1")]), &[(SAME_THREAD, 2, "/threadId")]);
    // In which thread a run is that names none is not known.
    let nowhere = r#"{"type":"RUN_STARTED","runId":"r1","protocolVersion":"1.1"}"#;
    let twice = [nowhere, &finished("t1", "r1"), nowhere, &finished("t1", "r1")];
    assert_found(
        &twice,
        &[("shape/well-formed", 0, "/threadId"), ("shape/well-formed", 2, "/threadId")],
    );
    let said = message(&runs(&[("t1", "r1"), ("t1", "r1")]), None);
    assert_eq!(said, r#"runId "r1" is the one of the run that started at event 0"#);
}

#[test]
fn a_cancelled_run_returns_nothing() {
    let id = "lifecycle/cancelled-has-no-result";
    let found = |members: &str, expected: &[(&'static str, u64, &str)]| {
        assert_found(&[STARTED, &finished_with(members)], expected);
    };
    let broken = [(id, 1, "/result")];
    for result in ["{}", "0", "false", r#""""#, "[]"] {
        found(&format!(r#""outcome":{{"type":"cancelled"}},"result":{result}"#), &broken);
    }
    found(r#""outcome":{"type":"cancelled"}"#, &[]);
    found(r#""outcome":{"type":"success"},"result":{"pages":3}"#, &[]);
    found(r#""result":{"pages":3}"#, &[]);
    // Whose value is absence: that is shape's affair.
    let null = [("shape/absent-not-null", 1, "/result")];
    found(r#""outcome":{"type":"cancelled"},"result":null"#, &null);
    let outcome =
        judge(&[STARTED, &finished_with(r#""outcome":{"type":"cancelled"},"result":1"#)], None);
    assert_eq!(outcome.findings[0].severity, Severity::Warning);
}

fn declaring(version: &str) -> String {
    STARTED.replace(r#""1.1""#, version)
}

#[test]
fn a_version_is_declared() {
    let silent = r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1"}"#;
    assert_found(&[silent, FINISHED], &[(DECLARED, 0, "/protocolVersion")]);
    // Once, at the first run that does not.
    let silently = |run: &str| silent.replace("r1", run);
    let lines = [
        STARTED.to_owned(),
        FINISHED.to_owned(),
        silently("r2"),
        finished("t1", "r2"),
        silently("r3"),
        finished("t1", "r3"),
    ];
    assert_found(&lines, &[(DECLARED, 2, "/protocolVersion")]);
    // A null is told as a null, from which it follows.
    let null = [declaring("null").as_str(), FINISHED].map(str::to_owned);
    assert_found(&null, &[("shape/absent-not-null", 0, "/protocolVersion")]);
    let outcome = judge(&null, None);
    let declared = outcome.findings.iter().find(|f| f.requirement.id == DECLARED).unwrap();
    assert_eq!(declared.consequence_of, Some(0));
}

#[test]
fn only_published_versions_are_declared() {
    let severity = |version: &str| {
        let lines = [declaring(&format!(r#""{version}""#)), FINISHED.to_owned()];
        let outcome = judge(&lines, None);
        let found = outcome.findings.iter().map(|finding| {
            assert_eq!(finding.requirement.id, PUBLISHED, "{version}");
            assert_eq!(finding.pointer.as_deref(), Some("/protocolVersion"));
            finding.severity
        });
        found.collect::<Vec<_>>()
    };
    for version in ["1.0", "1.1"] {
        assert_eq!(severity(version), [], "{version}");
    }
    for version in ["1.2", "1.10", "1.999", "2.0", "10.0", "99999999999999999999.0"] {
        assert_eq!(severity(version), [Severity::Warning], "{version}");
    }
    for version in [
        "", "1", "1.", ".1", "1.1.0", "1.1.", "v1.1", "1.01", "01.1", "1.2-beta", "0.9", "0.53",
        "1,1", "1.1 ", "+1.2", "1.-2", "1.²", "latest",
    ] {
        assert_eq!(severity(version), [Severity::Error], "{version:?}");
    }
}

#[test]
fn a_version_is_told_once() {
    let run = |run: &str, version: &str| {
        let started = declaring(&format!(r#""{version}""#)).replace("r1", run);
        [started, finished("t1", run)]
    };
    let lines = [run("r1", "0.9"), run("r2", "0.9"), run("r3", "0.8"), run("r4", "1.1")].concat();
    let at = "/protocolVersion";
    assert_found(&lines, &[(PUBLISHED, 0, at), (PUBLISHED, 4, at)]);
}

#[test]
fn a_version_of_another_kind_is_a_matter_of_shape() {
    let lines = [declaring("1.1").as_str(), FINISHED].map(str::to_owned);
    assert_found(&lines, &[("shape/well-formed", 0, "/protocolVersion")]);
}
