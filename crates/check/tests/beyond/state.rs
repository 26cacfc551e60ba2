//! The state: which deltas apply to it, and from where it is known.

use super::{FINISHED, STARTED, assert_found, assert_found_with, finished, message, started};

const APPLIES: &str = "state/delta-applies";

fn snapshot(state: &str) -> String {
    format!(r#"{{"type":"STATE_SNAPSHOT","snapshot":{state}}}"#)
}

fn delta(operations: &str) -> String {
    format!(r#"{{"type":"STATE_DELTA","delta":[{operations}]}}"#)
}

/// A delta that applies to no state here.
fn bad() -> String {
    delta(r#"{"op":"remove","path":"/nowhere"}"#)
}

/// Asserts whether the state is known after a snapshot and some deltas that all go through.
#[track_caller]
fn assert_known(state: &str, deltas: &[String], known: bool) {
    let mut lines = vec![STARTED.to_owned(), snapshot(state)];
    lines.extend(deltas.iter().cloned());
    let at = u64::try_from(lines.len()).unwrap();
    // No test writes these lines out where it fails: they are long.
    lines.extend([bad(), FINISHED.to_owned()]);
    let found = super::counted(&super::judge(&lines, None));
    let expected = [(APPLIES, Some(at), "/delta/0".to_owned())];
    assert_eq!(found, expected[..usize::from(known)]);
}

#[test]
fn a_delta_applies_to_the_state_so_far() {
    let first = delta(r#"{"op":"add","path":"/n","value":1},{"op":"test","path":"/n","value":1}"#);
    let second = delta(r#"{"op":"replace","path":"/n","value":2}"#);
    assert_found(&[STARTED, &snapshot("{}"), &first, &second, FINISHED], &[]);
    let lines = [STARTED, &snapshot("{}"), &second, FINISHED];
    assert_found(&lines, &[(APPLIES, 2, "/delta/0")]);
    let late = delta(
        r#"{"op":"add","path":"/n","value":1},{"op":"move","from":"/secret~1x","path":"/n"}"#,
    );
    let lines = [STARTED, &snapshot("{}"), &late, FINISHED];
    assert_found(&lines, &[(APPLIES, 2, "/delta/1")]);
    assert_eq!(
        message(&lines, None),
        r#"operation 1 (move from "/secret~1x" at "/n") does not apply: there is no such place"#
    );
}

/// RFC 6902 does not forbid it: what is left is null, and nothing is in it.
#[test]
fn the_whole_can_be_removed_and_moved_to_itself() {
    let removed = delta(r#"{"op":"remove","path":""},{"op":"test","path":"","value":null}"#);
    assert_found(&[STARTED, &snapshot(r#"{"n":1}"#), &removed, FINISHED], &[]);
    let then = delta(r#"{"op":"add","path":"/n","value":1}"#);
    let lines = [STARTED, &snapshot(r#"{"n":1}"#), &removed, &then, FINISHED];
    assert_found(&lines, &[(APPLIES, 3, "/delta/0")]);
    let moved = delta(r#"{"op":"move","from":"","path":""},{"op":"test","path":"/n","value":1}"#);
    assert_found(&[STARTED, &snapshot(r#"{"n":1}"#), &moved, FINISHED], &[]);
}

#[test]
fn a_test_compares_values_and_never_tells_them() {
    let test = |held: &str, tested: &str| {
        let operation = format!(r#"{{"op":"test","path":"/n","value":{tested}}}"#);
        [
            STARTED.to_owned(),
            snapshot(&format!(r#"{{"n":{held}}}"#)),
            delta(&operation),
            FINISHED.to_owned(),
        ]
    };
    for (held, tested) in [
        ("1", "1.0"),
        ("1e0", "1"),
        ("[0.1]", "[1e-1]"),
        ("100000000000000000000", "1e20"),
        (r#"{"a":1,"b":2}"#, r#"{"b":2.0,"a":1}"#),
        ("0", "-0"),
        // As doubles.
        ("18446744073709551616", "18446744073709551617"),
    ] {
        assert_found(&test(held, tested), &[]);
    }
    for (held, tested) in [
        ("9007199254740993", "9007199254740992"),
        ("9007199254740993", "9007199254740992.0"),
        ("-1e400", "1e400"),
        (r#""1""#, "1"),
        ("[1,2]", "[2,1]"),
        ("null", "false"),
    ] {
        assert_found(&test(held, tested), &[(APPLIES, 2, "/delta/0")]);
    }
    assert_eq!(
        message(&test(r#""hush""#, r#""psst""#), None),
        r#"operation 0 (test at "/n") does not apply: what is there is another value"#
    );
}

#[test]
fn a_failed_delta_makes_the_state_unknown_until_a_snapshot() {
    let bad = bad();
    assert_found(
        &[STARTED, &snapshot("{}"), &bad, &bad, &snapshot("{}"), &bad, FINISHED],
        &[(APPLIES, 2, "/delta/0"), (APPLIES, 5, "/delta/0")],
    );
    // A malformed one says nothing more than that.
    let malformed = delta(r#"{"op":"remove","path":"n"}"#);
    assert_found(
        &[STARTED, &snapshot("{}"), &malformed, &bad, FINISHED],
        &[("state/patch-well-formed", 2, "/delta/0/path")],
    );
}

#[test]
fn inputs_establish_the_state() {
    let bad = bad();
    assert_found(&[STARTED, &bad, FINISHED], &[]);
    let request = |run: &str, state: &str| {
        let rest = r#""messages":[],"tools":[],"context":[]"#;
        format!(r#"{{"threadId":"t1","runId":"{run}",{rest}{state}}}"#)
    };
    let lines = [STARTED, &bad, FINISHED];
    for state in ["", r#","state":{"n":1}"#] {
        assert_found_with(&lines, Some(&request("r1", state)), &[(APPLIES, 1, "/delta/0")]);
    }
    // A later run goes on with what the first left.
    let (second, end) = (started("t1", "r2"), finished("t1", "r2"));
    let adds = delta(r#"{"op":"add","path":"/m","value":1}"#);
    let needs = delta(r#"{"op":"test","path":"/m","value":1},{"op":"remove","path":"/n"}"#);
    let lines = [STARTED, &adds, FINISHED, &second, &needs, &needs, &end];
    let found = [(APPLIES, 5, "/delta/1")];
    assert_found_with(&lines, Some(&request("r2", r#","state":{"n":1}"#)), &found);
}

#[test]
fn copies_cannot_grow_the_state_without_bounds() {
    let double = r#"{"op":"copy","from":"/a","path":"/a/-"}"#;
    let doubled = |times| delta(&vec![double; times].join(","));
    assert_known(r#"{"a":[0]}"#, &[doubled(10)], true);
    assert_known(r#"{"a":[0]}"#, &[doubled(200)], false);
    // Nor does it help to spread them over deltas.
    assert_known(r#"{"a":[0]}"#, &vec![doubled(1); 200], false);
}

#[test]
fn copies_that_are_removed_again_do_not_count() {
    let state = format!(r#"{{"a":"{}"}}"#, "x".repeat(1 << 20));
    let there_and_away = r#"{"op":"copy","from":"/a","path":"/b"},{"op":"remove","path":"/b"}"#;
    assert_known(&state, &vec![delta(there_and_away); 150], true);
}

#[test]
fn moves_cannot_nest_the_state_without_bounds() {
    let deeper = [
        r#"{"op":"move","from":"/a","path":"/b/x"}"#,
        r#"{"op":"add","path":"/a","value":{}}"#,
        r#"{"op":"move","from":"/b","path":"/a/x"}"#,
        r#"{"op":"add","path":"/b","value":{}}"#,
    ];
    let deeper = delta(&deeper.join(","));
    assert_known(r#"{"a":{},"b":{}}"#, &vec![deeper.clone(); 400], true);
    // So many levels would need more stack than there is.
    assert_known(r#"{"a":{},"b":{}}"#, &vec![deeper; 40_000], false);
    // What goes up again is as deep as it was.
    let down_and_up =
        delta(r#"{"op":"move","from":"/a","path":"/b/x"},{"op":"move","from":"/b/x","path":"/a"}"#);
    assert_known(r#"{"a":{},"b":{}}"#, &vec![down_and_up; 3_000], true);
}
