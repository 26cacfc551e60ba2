//! Activities: what creates them, which patches apply, and who keeps them.

use super::{FINISHED, STARTED, assert_found, assert_found_with, counted, judge, message};

const FIRST: &str = "activity/snapshot-first";
const APPLIES: &str = "activity/delta-applies";
const OBJECT: &str = "activity/stays-an-object";
const KEEP: &str = "activity/keep-agrees";

/// ACTIVITY_SNAPSHOT with further members.
fn snapshot(id: &str, content: &str, more: &str) -> String {
    format!(
        r#"{{"type":"ACTIVITY_SNAPSHOT","messageId":"{id}","activityType":"w","content":{content}{more}}}"#
    )
}

fn delta(id: &str, operations: &str) -> String {
    format!(
        r#"{{"type":"ACTIVITY_DELTA","messageId":"{id}","activityType":"w","patch":[{operations}]}}"#
    )
}

/// A delta that applies to no content here.
fn bad(id: &str) -> String {
    delta(id, r#"{"op":"remove","path":"/nowhere"}"#)
}

#[test]
fn a_snapshot_comes_first() {
    let orphan = delta("a1", r#"{"op":"add","path":"/n","value":1}"#);
    let lines = [STARTED, &orphan, &orphan, FINISHED];
    assert_found(&lines, &[(FIRST, 1, "/messageId")]);
    let lines = [STARTED, &orphan, FINISHED];
    assert_eq!(message(&lines, None), r#"no snapshot on the stream has created activity "a1""#);
    assert_found(&[STARTED, &snapshot("a1", "{}", ""), &orphan, FINISHED], &[]);
    let list = r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"a1","role":"activity","activityType":"w","content":{}}]}"#;
    assert_found(&[STARTED, list, &orphan, FINISHED], &[]);
    let request = r#"{"threadId":"t1","runId":"r1","messages":[{"id":"a1","role":"activity","activityType":"w","content":{}}],"tools":[],"context":[]}"#;
    assert_found_with(&[STARTED, &orphan, FINISHED], Some(request), &[]);
}

#[test]
fn a_patch_applies_to_the_content_and_leaves_an_object() {
    let (made, bad) = (snapshot("a1", r#"{"n":1}"#, ""), bad("a1"));
    let found = [(APPLIES, 2, "/patch/0")];
    assert_found(&[STARTED, &made, &bad, &bad, FINISHED], &found);
    let list = delta("a1", r#"{"op":"replace","path":"","value":[1]}"#);
    let lines = [STARTED, &made, &list, &bad, FINISHED];
    assert_found(&lines, &[(OBJECT, 2, "/patch")]);
    assert_eq!(message(&lines, None), r#"the patch leaves activity "a1" no object"#);
    let removed = delta("a1", r#"{"op":"remove","path":""}"#);
    assert_found(&[STARTED, &made, &removed, FINISHED], &[(OBJECT, 2, "/patch")]);
    // On the way it may be anything.
    let back = delta(
        "a1",
        r#"{"op":"replace","path":"","value":[1]},{"op":"replace","path":"","value":{}}"#,
    );
    assert_found(&[STARTED, &made, &back, FINISHED], &[]);
}

#[test]
fn a_snapshot_that_replaces_nothing_leaves_the_content() {
    let keeps = snapshot("a1", r#"{"m":1}"#, r#","replace":false"#);
    let needs = |name: &str| delta("a1", &format!(r#"{{"op":"remove","path":"/{name}"}}"#));
    let made = snapshot("a1", r#"{"n":1}"#, "");
    assert_found(&[STARTED, &made, &keeps, &needs("n"), FINISHED], &[]);
    let lines = [STARTED, &made, &keeps, &needs("m"), FINISHED];
    assert_found(&lines, &[(APPLIES, 3, "/patch/0")]);
    // Where there was none it creates one.
    assert_found(&[STARTED, &keeps, &needs("m"), FINISHED], &[]);
}

#[test]
fn a_snapshot_that_keeps_agrees_with_the_owner() {
    let tagged =
        |tag: &str, more: &str| snapshot("a1", "{}", &format!(r#"{more},"subagentRunId":"{tag}""#));
    let keep = r#","replace":false"#;
    assert_found(&[STARTED, &tagged("s1", ""), &tagged("s1", keep), FINISHED], &[]);
    assert_found(&[STARTED, &tagged("s1", ""), &tagged("s2", ""), FINISHED], &[]);
    let untagged = snapshot("a1", "{}", keep);
    assert_found(&[STARTED, &tagged("s1", ""), &untagged, FINISHED], &[]);
    let lines = [STARTED, &tagged("s1", ""), &tagged("s2", keep), FINISHED];
    assert_found(&lines, &[(KEEP, 2, "/subagentRunId")]);
    assert_eq!(judge(&lines, None).findings[0].related.map(|at| at.event), Some(1));
}

#[test]
fn copies_cannot_grow_all_activities_together_without_bounds() {
    let double = r#"{"op":"copy","from":"/a","path":"/a/-"}"#;
    let doubled = vec![double; 18].join(",");
    let grown = |id: &str| [snapshot(id, r#"{"a":[0]}"#, ""), delta(id, &doubled)];
    // Each takes more than half of what all may take.
    let mut lines = vec![STARTED.to_owned()];
    lines.extend(grown("a1"));
    lines.extend(grown("a2"));
    lines.extend([bad("a1"), bad("a2")]);
    // What was lost has made room.
    lines.extend(grown("a3"));
    lines.push(bad("a3"));
    lines.extend([snapshot("a2", "{}", ""), bad("a2"), FINISHED.to_owned()]);
    let at = |event| (APPLIES, Some(event), "/patch/0".to_owned());
    assert_eq!(counted(&judge(&lines, None)), [at(5), at(9), at(11)]);
    // So has what was replaced, and lists replace as snapshots do.
    let list = r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"a2","role":"activity","activityType":"w","content":{}}]}"#;
    let mut lines = vec![STARTED.to_owned()];
    lines.extend(grown("a1"));
    lines.push(snapshot("a1", "{}", ""));
    lines.extend(grown("a2"));
    lines.push(list.to_owned());
    lines.extend(grown("a3"));
    lines.extend([bad("a3"), FINISHED.to_owned()]);
    assert_eq!(counted(&judge(&lines, None)), [at(9)]);
}
