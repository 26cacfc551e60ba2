//! HTTP, server-sent events, and what a producer makes of its input.

use super::{Example, Judge, Level, Needs, Requirement};

pub(super) const ENTRIES: &[Requirement] = &[
    Requirement {
        id: "http/ok-event-stream",
        level: Level::Must,
        needs: Needs::Http,
        since: "1.0",
        spec: "basic/transports/http-sse#response",
        text: "A run that starts answers 200 with Content-Type text/event-stream (parameters \
               allowed).",
        why: "Clients choose their parser by the content type: they read the stream as one \
              document, wait for its end, or refuse it.",
        help: "Answer with status 200 and Content-Type: text/event-stream as soon as the run \
               starts.",
        judge: Judge::Head,
        broken: Some(
            sse_run![r#"data: {"type":"STATE_SNAPSHOT","snapshot":{"step":1}}"#, "\n\n"]
                .under("HTTP/1.1 200 OK\nContent-Type: application/json\n"),
        ),
        mended: Some(
            sse_run![r#"data: {"type":"STATE_SNAPSHOT","snapshot":{"step":1}}"#, "\n\n"]
                .under("HTTP/1.1 200 OK\nContent-Type: text/event-stream\n"),
        ),
    },
    Requirement {
        id: "sse/one-event-a-frame",
        level: Level::Must,
        needs: Needs::Bytes,
        since: "1.0",
        spec: "basic/transports/http-sse#response",
        text: "The data of each frame is exactly one JSON object, in UTF-8.",
        why: "A client parses the data of a frame in one go: two objects, half of one or broken \
              bytes fail the parser, and with it the run.",
        help: "Write data:, one complete JSON object and a blank line for every event.",
        judge: Judge::Reader,
        broken: Some(sse_run![
            r#"data: {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Good "}"#,
            "\n",
            r#"data: {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"morning."}"#,
            "\n\n",
        ]),
        mended: Some(sse_run![
            r#"data: {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Good "}"#,
            "\n\n",
            r#"data: {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"morning."}"#,
            "\n\n",
        ]),
    },
    Requirement {
        id: "sse/line-feeds",
        level: Level::Must,
        needs: Needs::Bytes,
        since: "1.0",
        spec: "basic/transports/http-sse#response",
        text: "Lines end in LF: no CR, no CRLF.",
        why: "Clients that split the stream at two line feeds, as most do, never find the end of \
              a frame, and the user sees nothing until the connection closes.",
        help: "Write \\n\\n after each frame, and set the separator of your SSE library, some of \
               which write \\r\\n by default.",
        judge: Judge::Reader,
        broken: Some(sse_run![
            r#"data: {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Good morning."}"#,
            "\r\n\r\n",
        ]),
        mended: Some(sse_run![
            r#"data: {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Good morning."}"#,
            "\n\n",
        ]),
    },
    Requirement {
        id: "sse/framed",
        level: Level::Must,
        needs: Needs::Bytes,
        since: "1.0",
        spec: "basic/transports/http-sse#response",
        text: "Every payload sits in a data: field, and the last frame is terminated by a blank \
               line.",
        why: "Clients ignore lines without data: and drop a last frame that has no blank line \
              after it, so the event is lost, often RUN_FINISHED.",
        help: "Prefix every payload with data: and end every frame with a blank line, the last \
               one too.",
        judge: Judge::Reader,
        broken: Some(Example::of(concat!(
            r#"data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.1"}"#,
            "\n\n",
            r#"data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#,
            "\n",
        ))),
        mended: Some(Example::of(concat!(
            r#"data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.1"}"#,
            "\n\n",
            r#"data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#,
            "\n\n",
        ))),
    },
    Requirement {
        id: "http/closed-after-terminal",
        level: Level::Must,
        needs: Needs::Live,
        since: "1.0",
        spec: "basic/transports/http-sse#response",
        text: "The body ends after the last run's terminal event, within a grace period.",
        why: "A client that waits for the end of the body takes the run as still going: the \
              input stays locked and the connection is held.",
        help: "Close the response as soon as the last RUN_FINISHED or RUN_ERROR is written.",
        judge: Judge::None,
        broken: None,
        mended: None,
    },
    Requirement {
        id: "http/streams-as-it-goes",
        level: Level::Should,
        needs: Needs::Live,
        since: "house",
        spec: "basic/transports/http-sse#response",
        text: "Events arrive as they are made, which is judged only where the producer \
               demonstrably pauses for a second or more.",
        why: "The user looks at an empty page and then gets everything at once, which is what \
              streaming is there to avoid.",
        help: "Flush after every frame, and turn off buffering and compression in what stands \
               between.",
        judge: Judge::None,
        broken: None,
        mended: None,
    },
    Requirement {
        id: "http/malformed-input-refused",
        level: Level::Must,
        needs: Needs::Probe,
        since: "1.0",
        spec: "basic/transports/http-sse#errors",
        text: "Input that is not JSON, or a known field holding a value the schema rejects, is \
               refused with an HTTP error and no event stream.",
        why: "A run on input that was not understood answers a question nobody asked, and an \
              error inside a stream looks like a run that began.",
        help: "Validate the body before RUN_STARTED and answer with a 4xx status where it does \
               not pass.",
        judge: Judge::None,
        broken: None,
        mended: None,
    },
    Requirement {
        id: "input/unknown-members-tolerated",
        level: Level::Must,
        needs: Needs::Probe,
        since: "1.0",
        spec: "basic/run-input#error-handling",
        text: "Input with members the protocol does not describe still runs.",
        why: "Every addition to the protocol would lock newer applications out of this producer.",
        help: "Ignore members that you do not know, with a warning; do not forbid extra members \
               in your input model.",
        judge: Judge::None,
        broken: None,
        mended: None,
    },
    Requirement {
        id: "input/missing-means-empty",
        level: Level::Must,
        needs: Needs::Probe,
        since: "1.0",
        spec: "basic/run-input#tools",
        text: "Missing tools, context, state or forwardedProps run as empty ones do.",
        why: "Applications leave out what is empty, and a producer that insists on the members \
              refuses them.",
        help: "Make the four members optional and default them to an empty list or an empty \
               object.",
        judge: Judge::None,
        broken: None,
        mended: None,
    },
    Requirement {
        id: "input/unusable-part-skipped",
        level: Level::Must,
        needs: Needs::Probe,
        since: "1.0",
        spec: "basic/run-input#messages",
        text: "A content part that the agent cannot use, a file handle it cannot resolve \
               included, does not fail the run.",
        why: "One image in the history makes every later run of the thread fail, and the user \
              cannot take it back.",
        help: "Drop the parts that your model cannot take, say so in a log or an event, and go \
               on with the rest.",
        judge: Judge::None,
        broken: None,
        mended: None,
    },
    Requirement {
        id: "input/unknown-resume-ignored",
        level: Level::Should,
        needs: Needs::Probe,
        since: "1.0",
        spec: "basic/patterns/interrupt-resume#resuming",
        text: "A resume entry naming an interrupt the producer never raised does not fail the \
               run.",
        why: "An answer that nobody asked for is harmless, while a failed run locks the user out \
              of the thread.",
        help: "Go on without the entry and warn about it.",
        judge: Judge::None,
        broken: None,
        mended: None,
    },
];
