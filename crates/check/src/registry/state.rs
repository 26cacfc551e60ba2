//! State and its patches.

use super::{Example, Judge, Level, Needs, Requirement};

pub(super) const ENTRIES: &[Requirement] = &[
    Requirement {
        id: "state/delta-applies",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic/run-input#state",
        text: "STATE_DELTA applies, whole, to the state so far, as far as an input or a snapshot \
               has established it and no delta has failed since.",
        why: "The consumer keeps its old state, and from then on agent and user look at two \
              different documents; the next request sends the wrong one back.",
        help: "Compute deltas against what you sent last, beginning with the request's state or \
               {}; where you are not sure, send a STATE_SNAPSHOT.",
        judge: Judge::Beyond,
        broken: Some(run![
            r#"{"type":"STATE_SNAPSHOT","snapshot":{"count":1}}"#,
            r#"{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/total","value":2}]}"#,
        ]),
        mended: Some(run![
            r#"{"type":"STATE_SNAPSHOT","snapshot":{"count":1}}"#,
            r#"{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/count","value":2}]}"#,
        ]),
    },
    Requirement {
        id: "state/patch-well-formed",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic/patterns/snapshots#when-a-patch-does-not-apply",
        text: "A delta is an RFC 6902 patch: an array of operations with the members each needs, \
               valid pointers, and only the six defined operations.",
        why: "A malformed operation fails the run, and one of an unknown name is dropped, so \
              that the consumer's value silently differs from the producer's.",
        help: "Build patches with a JSON Patch library: add, remove, replace, move, copy or \
               test, and pointers that are empty or begin with a slash.",
        judge: Judge::Shape,
        broken: Some(run![
            r#"{"type":"STATE_SNAPSHOT","snapshot":{"count":1}}"#,
            r#"{"type":"STATE_DELTA","delta":[{"op":"replace","path":"count","value":2}]}"#,
        ]),
        mended: Some(run![
            r#"{"type":"STATE_SNAPSHOT","snapshot":{"count":1}}"#,
            r#"{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/count","value":2}]}"#,
        ]),
    },
];
