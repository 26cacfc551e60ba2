//! Text messages.

use conform_verify::Rule;

use super::{Example, Judge, Level, Needs, Requirement};

pub(super) const ENTRIES: &[Requirement] = &[
    Requirement {
        id: "text/not-already-open",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic/patterns/streaming#open-content-close",
        text: "TEXT_MESSAGE_START does not name an open message.",
        why: "A consumer cannot tell a second message from more of the first: it must refuse \
              the run, and a lenient one mixes two texts or drops one.",
        help: "Start a message once and send the rest as TEXT_MESSAGE_CONTENT; give a new \
               message a new id, or close the old one first.",
        judge: Judge::Rule(Rule::DuplicateStart),
        broken: Some(run![
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Good "}"#,
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"morning."}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#,
        ]),
        mended: Some(run![
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Good "}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"morning."}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#,
        ]),
    },
    Requirement {
        id: "text/open-before-content",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic/patterns/streaming#open-content-close",
        text: "TEXT_MESSAGE_CONTENT and TEXT_MESSAGE_END name an open message.",
        why: "The fragment belongs to no message, and a consumer must not make one up: it \
              refuses the run, and the user loses the rest of the answer.",
        help: "Send TEXT_MESSAGE_START with the same messageId first, and nothing for it after \
               TEXT_MESSAGE_END.",
        judge: Judge::Rule(Rule::NotOpen),
        broken: Some(run![
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Good "}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"morning."}"#,
        ]),
        mended: Some(run![
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Good "}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"morning."}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#,
        ]),
    },
    Requirement {
        id: "text/reopen-agrees",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/text-messages#text_message_end",
        text: "A TEXT_MESSAGE_START that reopens a message repeats its role and name.",
        why: "The first role and name stand, so the new text is shown as spoken by somebody \
              else than the producer says now.",
        help: "Repeat role and name of the first start when you reopen a message; where the \
               speaker changes, start a message with a new id.",
        judge: Judge::Beyond,
        broken: Some(run![
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"One moment. "}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#,
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m1","role":"developer"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Done."}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#,
        ]),
        mended: Some(run![
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"One moment. "}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#,
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Done."}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#,
        ]),
    },
];
