//! Tool calls and their results.

use conform_verify::Rule;

use super::{Example, Judge, Level, Needs, Requirement};

/// A request that advertises one tool of the application.
const OFFERING: &str = concat!(
    r#"{"threadId":"t1","runId":"r1","protocolVersion":"1.1","#,
    r#""messages":[{"id":"u1","role":"user","content":"Make it blue."}],"#,
    r#""tools":[{"name":"set_colour","description":"Sets the page's colour."}]}"#,
);

pub(super) const ENTRIES: &[Requirement] = &[
    Requirement {
        id: "tool/not-already-open",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic/patterns/streaming#open-content-close",
        text: "TOOL_CALL_START does not name an open call.",
        why: "Arguments of two calls run together under one id: a consumer must refuse the run, \
              and a lenient one executes a call nobody made.",
        help: "Start each call once and give parallel calls ids of their own; where the provider \
               sends none, make them up.",
        judge: Judge::Rule(Rule::DuplicateStart),
        broken: Some(run![
            r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"get_weather"}"#,
            r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"get_weather"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\"city\":\"Oslo\"}"}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m1","toolCallId":"c1","content":"Rain."}"#,
        ]),
        mended: Some(run![
            r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"get_weather"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\"city\":\"Oslo\"}"}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m1","toolCallId":"c1","content":"Rain."}"#,
        ]),
    },
    Requirement {
        id: "tool/open-before-args",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic/patterns/streaming#open-content-close",
        text: "TOOL_CALL_ARGS and TOOL_CALL_END name an open call.",
        why: "Whoever executes the call acts at its end: arguments without a start belong to no \
              tool, and those after the end come too late.",
        help: "Send TOOL_CALL_START with the same toolCallId first, TOOL_CALL_END once, and \
               nothing more for the call after it.",
        judge: Judge::Rule(Rule::NotOpen),
        broken: Some(run![
            r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"get_weather"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\"city\":\"Oslo\"}"}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m1","toolCallId":"c1","content":"Rain."}"#,
        ]),
        mended: Some(run![
            r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"get_weather"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\"city\":\"Oslo\"}"}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m1","toolCallId":"c1","content":"Rain."}"#,
        ]),
    },
    Requirement {
        id: "tool/reopen-agrees",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/tool-calls#tool_call_end",
        text: "A TOOL_CALL_START that reopens a call repeats its toolCallName and \
               parentMessageId.",
        why: "The protocol does not say which of the two values a consumer ends up with, so the \
              wrong tool may be run, or the call shown under another message.",
        help: "Repeat toolCallName and parentMessageId of the first start when you reopen a \
               call; a call of another tool has an id of its own.",
        judge: Judge::Beyond,
        broken: Some(started![
            r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"get_weather"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{}"}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
            r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"get_tides"}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success","pendingToolCallIds":["c1"]}}"#,
        ]),
        mended: Some(started![
            r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"get_weather"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{}"}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
            r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"get_weather"}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success","pendingToolCallIds":["c1"]}}"#,
        ]),
    },
    Requirement {
        id: "tool/result-of-known-call",
        level: Level::Must,
        needs: Needs::Stream,
        since: "house",
        spec: "events/tool-calls#tool_call_result",
        text: "TOOL_CALL_RESULT names a call that the run, a snapshot or the run's input \
               introduced, which is a warning only where that input is unknown or carries \
               resume entries.",
        why: "The result hangs in the air: no card shows it, and the next request carries a tool \
              message without a call, which most models reject.",
        help: "Announce the call with TOOL_CALL_START, or restate it in a MESSAGES_SNAPSHOT, \
               before its result, and repeat its toolCallId exactly.",
        judge: Judge::Rule(Rule::UnknownId),
        broken: Some(lines![
            r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.1","input":{"threadId":"t1","runId":"r1","messages":[{"id":"m1","role":"assistant","toolCalls":[{"id":"c1","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}]}}"#,
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m2","toolCallId":"get_weather","content":"Rain."}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#,
        ]),
        mended: Some(lines![
            r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.1","input":{"threadId":"t1","runId":"r1","messages":[{"id":"m1","role":"assistant","toolCalls":[{"id":"c1","type":"function","function":{"name":"get_weather","arguments":"{}"}}]}]}}"#,
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m2","toolCallId":"c1","content":"Rain."}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#,
        ]),
    },
    Requirement {
        id: "tool/result-after-end",
        level: Level::Must,
        needs: Needs::Stream,
        since: "house",
        spec: "events/tool-calls#tool_call_result",
        text: "TOOL_CALL_RESULT comes after the call's TOOL_CALL_END.",
        why: "The arguments of an open call are a mere beginning: a result for them shows an \
              answer to a question that has not been asked in full.",
        help: "Send TOOL_CALL_END as soon as the arguments are complete, then execute the tool, \
               then send its result.",
        judge: Judge::Rule(Rule::OutOfOrder),
        broken: Some(run![
            r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"get_weather"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\"city\":\"Oslo\"}"}"#,
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m1","toolCallId":"c1","content":"Rain."}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
        ]),
        mended: Some(run![
            r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"get_weather"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\"city\":\"Oslo\"}"}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m1","toolCallId":"c1","content":"Rain."}"#,
        ]),
    },
    Requirement {
        id: "tool/one-result",
        level: Level::Should,
        needs: Needs::Stream,
        since: "house",
        spec: "events/tool-calls#tool_call_result",
        text: "A call is answered once each time it is opened.",
        why: "Each result becomes a tool message: the next request answers one call twice, which \
              many models reject, and the user sees two results.",
        help: "Send one TOOL_CALL_RESULT for a call; progress on the way to it is an activity.",
        judge: Judge::Beyond,
        broken: Some(run![
            r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"get_weather"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\"city\":\"Oslo\"}"}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m1","toolCallId":"c1","content":"Rain."}"#,
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m2","toolCallId":"c1","content":"Rain."}"#,
        ]),
        mended: Some(run![
            r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"get_weather"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\"city\":\"Oslo\"}"}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m1","toolCallId":"c1","content":"Rain."}"#,
        ]),
    },
    Requirement {
        id: "tool/arguments-are-json",
        level: Level::Should,
        needs: Needs::Stream,
        since: "house",
        spec: "events/tool-calls#tool_call_args",
        text: "A closed call's argument text is a JSON document.",
        why: "Whoever executes the tool parses the text: one that does not parse cannot be \
              executed, and the user's request ends there.",
        help: "Send the arguments as the model wrote them, complete and once, and {} where there \
               are none; look out for deltas that are lost or sent twice.",
        judge: Judge::Beyond,
        broken: Some(run![
            r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"get_weather"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\"city\":\"Oslo\""}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m1","toolCallId":"c1","content":"Rain."}"#,
        ]),
        mended: Some(run![
            r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"get_weather"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\"city\":\"Oslo\"}"}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m1","toolCallId":"c1","content":"Rain."}"#,
        ]),
    },
    Requirement {
        id: "tool/frontend-call-unanswered",
        level: Level::Must,
        needs: Needs::Request,
        since: "1.0",
        spec: "events/tool-calls#frontend-tools",
        text: "A call of a tool that the request advertised gets no TOOL_CALL_RESULT from the \
               producer, nor a tool message of its making in a MESSAGES_SNAPSHOT.",
        why: "The tool is the application's: an answer that the producer made up says that \
              something was done which was not, and the real one has no place left.",
        help: "Send the call, leave it unanswered and finish the run; the result comes with the \
               next request's messages.",
        judge: Judge::Beyond,
        broken: Some(
            run![
                r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"set_colour"}"#,
                r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\"colour\":\"blue\"}"}"#,
                r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
                r#"{"type":"TOOL_CALL_RESULT","messageId":"m1","toolCallId":"c1","content":"Done."}"#,
            ]
            .answering(OFFERING),
        ),
        mended: Some(
            started![
                r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"set_colour"}"#,
                r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\"colour\":\"blue\"}"}"#,
                r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
                r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success","pendingToolCallIds":["c1"]}}"#,
            ]
            .answering(OFFERING),
        ),
    },
    Requirement {
        id: "tool/frontend-stop-is-success",
        level: Level::Must,
        needs: Needs::Request,
        since: "1.0",
        spec: "events/tool-calls#frontend-tools",
        text: "A run that stops on a frontend call ends with the success outcome or none, not as \
               interrupted, unless it also asks.",
        why: "An interrupt must be answered with a resume entry before the thread goes on, while \
              the application answers the call with a tool message: the thread is stuck.",
        help: "Finish such a run with the success outcome and name the calls in \
               pendingToolCallIds; keep the interrupt outcome for questions of your own.",
        judge: Judge::Beyond,
        broken: Some(
            started![
                r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"set_colour"}"#,
                r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\"colour\":\"blue\"}"}"#,
                r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
                r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"interrupt","interrupts":[{"id":"i1","reason":"tool_call","toolCallId":"c1"}]}}"#,
            ]
            .answering(OFFERING),
        ),
        mended: Some(
            started![
                r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"set_colour"}"#,
                r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\"colour\":\"blue\"}"}"#,
                r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
                r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success","pendingToolCallIds":["c1"]}}"#,
            ]
            .answering(OFFERING),
        ),
    },
    Requirement {
        id: "tool/pending-list-exact",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/tool-calls#frontend-tools",
        text: "pendingToolCallIds, when present, holds exactly the calls that the run started \
               and did not answer, in the order made.",
        why: "The application works off the list: a call too many is executed twice, and one \
              that is missing is never answered and blocks the thread.",
        help: "Derive the list from the calls that you started and the results that you sent, at \
               the moment of RUN_FINISHED.",
        judge: Judge::Beyond,
        broken: Some(started![
            r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"get_weather"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\"city\":\"Oslo\"}"}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m1","toolCallId":"c1","content":"Rain."}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success","pendingToolCallIds":["c1"]}}"#,
        ]),
        mended: Some(started![
            r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"get_weather"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\"city\":\"Oslo\"}"}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m1","toolCallId":"c1","content":"Rain."}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success","pendingToolCallIds":[]}}"#,
        ]),
    },
    Requirement {
        id: "tool/pending-list-sent",
        level: Level::Should,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/tool-calls#frontend-tools",
        text: "A run that ends in success, or with no outcome, and leaves calls unanswered says \
               so in pendingToolCallIds.",
        why: "Without the list every application has to work out from the stream whether there \
              is something left for it to do, and one that does not leaves the call hanging.",
        help: "Send the success outcome with pendingToolCallIds, the unanswered calls in the \
               order made, whenever a run leaves any.",
        judge: Judge::Beyond,
        broken: Some(started![
            r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"set_colour"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\"colour\":\"blue\"}"}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success"}}"#,
        ]),
        mended: Some(started![
            r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"set_colour"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\"colour\":\"blue\"}"}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success","pendingToolCallIds":["c1"]}}"#,
        ]),
    },
];
