//! The version that a producer declares.

use super::{Example, Judge, Level, Needs, Requirement};

pub(super) const ENTRIES: &[Requirement] = &[
    Requirement {
        id: "version/declared",
        level: Level::Should,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic/versioning#version-negotiation",
        text: "RUN_STARTED declares protocolVersion; its absence marks a producer from before \
               1.0, which is judged by the same list.",
        why: "A consumer takes the producer for one from before the protocol had versions, and \
              may translate shapes that need no translation.",
        help: "Send the version that you speak on every RUN_STARTED.",
        judge: Judge::Beyond,
        broken: Some(lines![
            r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#,
        ]),
        mended: Some(lines![
            r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.1"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#,
        ]),
    },
    Requirement {
        id: "version/published",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic/versioning#version-negotiation",
        text: "The declared protocolVersion is MAJOR.MINOR and names a version that the \
               specification publishes, one newer than this tool knows being a warning only.",
        why: "A consumer cannot compare it with its own version: it warns on every run, and no \
              downgrade for this producer can be chosen.",
        help: "Declare the version of the specification, such as 1.1, not that of your SDK.",
        judge: Judge::Beyond,
        broken: Some(lines![
            r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.1.0"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#,
        ]),
        mended: Some(lines![
            r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.1"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#,
        ]),
    },
    Requirement {
        id: "version/own-not-echo",
        level: Level::Must,
        needs: Needs::Probe,
        since: "1.0",
        spec: "basic/versioning#version-negotiation",
        text: "A producer answers a request that declares a newer minor (1.999) with its own \
               version and serves the run.",
        why: "Newer consumers are locked out by a refusal, and deceived by an echo: they believe \
              that the producer speaks what it does not.",
        help: "Accept any minor of your major line, warn if you like, and declare the version \
               that your code speaks.",
        judge: Judge::None,
        broken: None,
        mended: None,
    },
];
