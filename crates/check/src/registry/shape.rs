//! The shape of events: types, members, values.

use super::{Example, Judge, Level, Needs, Requirement};

pub(super) const ENTRIES: &[Requirement] = &[
    Requirement {
        id: "shape/known-type",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic/processing#what-a-producer-must-not-do",
        text: "Every event is of a type that the protocol describes; a retired THINKING_* type \
               is reported as retired.",
        why: "A consumer drops the event with a warning, so what it carried never reaches the \
              application, and a later version may give the name another meaning.",
        help: "Send signals of your own as CUSTOM and a provider's as RAW; replace THINKING_* by \
               REASONING_*.",
        judge: Judge::Shape,
        broken: Some(run![r#"{"type":"PROGRESS","name":"com.example.progress","value":0.5}"#]),
        mended: Some(run![r#"{"type":"CUSTOM","name":"com.example.progress","value":0.5}"#]),
    },
    Requirement {
        id: "shape/known-fields",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic/versioning#what-a-producer-owes",
        text: "An object that the schema closes carries only the members it describes.",
        why: "A consumer strips the member with a warning, so the application never sees it, and \
              a later version may give the name another meaning.",
        help: "Move what the protocol does not describe into metadata, under a key with your \
               prefix; do not serialise members of your own types along.",
        judge: Judge::Shape,
        broken: Some(run![
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Good morning.","com.example.model":"large"}"#,
        ]),
        mended: Some(run![
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Good morning.","metadata":{"com.example.model":"large"}}"#,
        ]),
    },
    Requirement {
        id: "shape/well-formed",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic/processing#the-rule",
        text: "Required members are present and every known member has a value the schema \
               accepts, down to nested messages, parts, outcomes and usage.",
        why: "A consumer must not guess what was meant: it fails the run at the malformed event, \
              and the user loses everything after it.",
        help: "Send the member under its exact name and with the type of the schema; validate \
               your events against the published schema in your own tests.",
        judge: Judge::Shape,
        broken: Some(run![
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":["Good morning."]}"#,
        ]),
        mended: Some(run![
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Good morning."}"#,
        ]),
    },
    Requirement {
        id: "shape/absent-not-null",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic#absent-means-absent",
        text: "An optional member without a value is left out, not null.",
        why: "The schema has one spelling for absence: a consumer that validates fails the run \
              at the null, and another takes it for a value.",
        help: "Make your serialiser skip members without a value; inside state, metadata and \
               other open objects null is data and stays.",
        judge: Judge::Shape,
        broken: Some(started![
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","result":null}"#,
        ]),
        mended: Some(started![r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#]),
    },
    Requirement {
        id: "shape/clean-json",
        level: Level::Should,
        needs: Needs::Bytes,
        since: "house",
        spec: "basic/transports/http-sse#response",
        text: "The JSON text has no duplicate members, lone surrogates, byte order mark or raw \
               control bytes (an escaped \\u0000 is legal).",
        why: "Parsers disagree on such text: one keeps the first value, one the last, one \
              refuses the event, so two users of one stream see different things.",
        help: "Write events with one JSON serialiser and do not paste text together; cut deltas \
               between characters, not between the halves of a surrogate pair.",
        judge: Judge::Reader,
        broken: Some(sse_run![
            r#"data: {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Good morning.","delta":"Good morning."}"#,
            "\n\n",
        ]),
        mended: Some(sse_run![
            r#"data: {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Good morning."}"#,
            "\n\n",
        ]),
    },
    Requirement {
        id: "shape/metadata-reserved-key",
        level: Level::Should,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic/metadata#keys",
        text: "metadata does not use the reserved key ag-ui.",
        why: "The key is kept for the protocol itself: what stands there today may be read as \
              something else by consumers of a later version.",
        help: "Use a key with a vendor's or an application's prefix.",
        judge: Judge::Shape,
        broken: Some(run![
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Good morning.","metadata":{"ag-ui":{"latencyMs":12}}}"#,
        ]),
        mended: Some(run![
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Good morning.","metadata":{"com.example":{"latencyMs":12}}}"#,
        ]),
    },
    Requirement {
        id: "shape/custom-name-prefixed",
        level: Level::Should,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/passthrough#custom",
        text: "A CUSTOM name carries a vendor or application prefix.",
        why: "Names without a prefix are kept for the protocol, and two parties that extend one \
              stream take each other's events for their own.",
        help: "Prefix the name with your domain, vendor or application, such as \
               com.example.cart-updated.",
        judge: Judge::Beyond,
        broken: Some(run![r#"{"type":"CUSTOM","name":"progress","value":0.5}"#]),
        mended: Some(run![r#"{"type":"CUSTOM","name":"com.example.progress","value":0.5}"#]),
    },
];
