//! Short spellings for the examples.

/// An input in JSON Lines: these events, one a line.
macro_rules! lines {
    ($($line:literal),+ $(,)?) => {
        Example::of(concat!($($line, "\n"),+))
    };
}

/// One run in JSON Lines: RUN_STARTED, then these events, the run's last included.
macro_rules! started {
    ($($line:literal),+ $(,)?) => {
        lines![
            r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.1"}"#,
            $($line),+
        ]
    };
}

/// One run in JSON Lines: RUN_STARTED, these events, and RUN_FINISHED without an outcome.
macro_rules! run {
    ($($line:literal),+ $(,)?) => {
        started![$($line,)+ r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#]
    };
}

/// One run as server-sent events: RUN_STARTED, then these lines as they are, line ends and
/// all, then RUN_FINISHED.
macro_rules! sse_run {
    ($($text:literal),+ $(,)?) => {
        Example::of(concat!(
            "data: ",
            r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.1"}"#,
            "\n\n",
            $($text,)+
            "data: ",
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#,
            "\n\n",
        ))
    };
}
