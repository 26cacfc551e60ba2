//! What streams may have and need not: none of it is never made.

use std::collections::BTreeMap;

use conform_generate::{Dice, Plan, Scope};
use serde_json::Value;

use super::judge::Judge;

/// What the judge notes of streams that have it.
const NOTED: [&str; 36] = [
    "pending frontend call",
    "several pending calls",
    "interrupt about a frontend call and more",
    "usage of several models",
    "text of an earlier run",
    "call of an earlier run",
    "reasoning of an earlier run",
    "activity of an earlier run",
    "activity kept",
    "call opened again after its answer",
    "call opened again without a word",
    "number opened again",
    "message of the input goes on",
    "answer to a frontend call",
    "answer in a snapshot",
    "carried answer restated",
    "encrypted value for an earlier run",
    "encrypted value for an unseen parent",
    "state echoed first",
    "state echoed later",
    "no state echoed",
    "patch of nothing",
    "add",
    "remove",
    "replace",
    "move",
    "copy",
    "test",
    "whole document",
    "escaped slash",
    "escaped tilde",
    "end of an array",
    "number by value",
    "more members",
    "state that is no object",
    "late failure with usage",
];

/// Members that some event has at some place; `*` stands for any item of a list.
const MEMBERS: &str = "
    RUN_STARTED /timestamp /rawEvent /metadata /parentRunId /input/state /input/tools/*/parameters
    RUN_STARTED /input/tools/*/metadata /input/context/*/value /input/forwardedProps /input/tools
    RUN_STARTED /input/resume/*/payload /input/resume/*/metadata /input/resume /input/parentRunId
    RUN_STARTED /input/messages/*/encryptedValue /input/messages/*/encryptedValueType
    RUN_STARTED /input/messages/*/metadata /input/messages/*/name /input/messages/*/error
    RUN_STARTED /input/messages/*/content/*/source /input/messages/*/content/*/text
    RUN_STARTED /input/messages/*/content/*/id /input/messages/*/content/*/metadata
    RUN_STARTED /input/messages/*/toolCalls/*/encryptedValue /input/messages/*/toolCalls/*/metadata
    RUN_STARTED /input/messages/*/toolCalls/*/encryptedValueType /input/messages/*/toolCallId
    RUN_FINISHED /timestamp /rawEvent /metadata /result /usage/*/provider /usage/*/model
    RUN_FINISHED /usage/*/inputTokens /usage/*/outputTokens /usage/*/totalTokens /usage
    RUN_FINISHED /usage/*/reasoningTokens /usage/*/cachedInputTokens /usage/*/cacheWriteInputTokens
    RUN_FINISHED /outcome/pendingToolCallIds /outcome/pendingToolCallIds/* /outcome/interrupts/*
    RUN_FINISHED /outcome/interrupts/*/message /outcome/interrupts/*/toolCallId
    RUN_FINISHED /outcome/interrupts/*/responseSchema /outcome/interrupts/*/expiresAt
    RUN_FINISHED /outcome/interrupts/*/metadata /outcome/interrupts/*/subagentRunId
    RUN_ERROR /timestamp /metadata /code /usage/*
    TEXT_MESSAGE_START /timestamp /rawEvent /metadata /role /name
    TEXT_MESSAGE_CHUNK /timestamp /rawEvent /metadata /role /name /delta
    TEXT_MESSAGE_CONTENT /timestamp /rawEvent /metadata
    REASONING_START /timestamp /rawEvent /metadata
    REASONING_MESSAGE_CHUNK /timestamp /rawEvent /metadata /delta
    TOOL_CALL_START /timestamp /rawEvent /metadata /parentMessageId
    TOOL_CALL_CHUNK /timestamp /rawEvent /metadata /parentMessageId /delta
    TOOL_CALL_RESULT /timestamp /rawEvent /metadata /role /content/*/source /content/*/text
    REASONING_ENCRYPTED_VALUE /timestamp /rawEvent /metadata /encryptedValueType
    SUBAGENT_STARTED /timestamp /rawEvent /metadata /description /parentSubagentRunId
    SUBAGENT_STARTED /parentToolCallId /parentMessageId
    SUBAGENT_FINISHED /timestamp /rawEvent /metadata /result /outcome /outcome/interruptIds/*
    SUBAGENT_FINISHED /outcome/interruptIds
    SUBAGENT_ERROR /timestamp /rawEvent /metadata /code
    STATE_SNAPSHOT /timestamp /rawEvent /metadata
    STATE_DELTA /timestamp /rawEvent /metadata
    ACTIVITY_SNAPSHOT /timestamp /rawEvent /metadata /replace
    ACTIVITY_DELTA /timestamp /rawEvent /metadata
    MESSAGES_SNAPSHOT /timestamp /rawEvent /metadata /messages/*/name /messages/*/toolCallId
    MESSAGES_SNAPSHOT /messages/*/toolCalls/* /messages/*/encryptedValue /messages/*/metadata
    MESSAGES_SNAPSHOT /messages/*/encryptedValueType /messages/*/content/*/source
    CUSTOM /timestamp /rawEvent /metadata
    RAW /timestamp /rawEvent /metadata /source
    STEP_STARTED /timestamp /rawEvent /metadata
";

/// Values that some event has in some member.
const VALUES: [(&str, &str, &str); 23] = [
    ("RUN_STARTED", "/protocolVersion", "\"1.0\""),
    ("RUN_STARTED", "/protocolVersion", "\"1.1\""),
    ("RUN_STARTED", "/input/resume", "[]"),
    ("RUN_STARTED", "/input/messages/*/role", "\"tool\""),
    ("RUN_STARTED", "/input/messages/*/role", "\"system\""),
    ("RUN_STARTED", "/input/messages/*/role", "\"developer\""),
    ("RUN_FINISHED", "/outcome/type", "\"success\""),
    ("RUN_FINISHED", "/outcome/type", "\"interrupt\""),
    ("RUN_FINISHED", "/outcome/type", "\"cancelled\""),
    ("RUN_FINISHED", "/outcome/pendingToolCallIds", "[]"),
    ("RUN_FINISHED", "/usage", "[]"),
    ("SUBAGENT_FINISHED", "/outcome/type", "\"suspended\""),
    ("SUBAGENT_FINISHED", "/outcome/type", "\"success\""),
    ("SUBAGENT_FINISHED", "/outcome/interruptIds", "[]"),
    ("STATE_SNAPSHOT", "/snapshot", "null"),
    ("ACTIVITY_SNAPSHOT", "/replace", "true"),
    ("ACTIVITY_SNAPSHOT", "/replace", "false"),
    ("MESSAGES_SNAPSHOT", "/messages", "[]"),
    ("TOOL_CALL_RESULT", "/content", "[]"),
    ("TOOL_CALL_ARGS", "/delta", "\"\""),
    ("CUSTOM", "/name", "\"acme:progress\""),
    ("CUSTOM", "/value", "null"),
    ("RAW", "/event", "null"),
];

/// The values at a place.
fn at<'v>(value: &'v Value, place: &str) -> Vec<&'v Value> {
    let mut values = vec![value];
    for name in place.split('/').skip(1) {
        values = values
            .into_iter()
            .flat_map(|value| match (name, value) {
                ("*", Value::Array(items)) => items.iter().collect(),
                ("*", _) => Vec::new(),
                (name, value) => value.get(name).into_iter().collect(),
            })
            .collect();
    }
    values
}

#[test]
fn something_of_everything() {
    let mut noted: BTreeMap<&str, u32> = NOTED.into_iter().map(|what| (what, 0)).collect();
    let mut members: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    for line in MEMBERS.lines().filter(|line| !line.trim().is_empty()) {
        let mut words = line.split_whitespace();
        let name = words.next().unwrap_or_default();
        members.extend(words.map(|place| ((name, place), 0)));
    }
    let mut values: BTreeMap<_, u32> = VALUES.into_iter().map(|what| (what, 0)).collect();
    for case in 0..4_000 {
        let events = Plan::grow(&mut Dice::of_case(24, case), Scope::Stream).weave().events;
        for what in Judge::of(&events).seen {
            *noted.entry(what).or_default() += 1;
        }
        for event in &events {
            for ((name, place), count) in &mut members {
                if event["type"] == *name {
                    *count += u32::from(!at(event, place).is_empty());
                }
            }
            for ((name, place, text), count) in &mut values {
                if event["type"] == *name {
                    let wanted: Value = serde_json::from_str(text).unwrap();
                    let is = at(event, place).contains(&&wanted);
                    *count += u32::from(is);
                }
            }
        }
    }
    println!("{noted:#?}\n{members:#?}\n{values:#?}");
    let rare = |count: &u32| *count < 5;
    let holes: Vec<_> = noted.iter().filter(|(_, count)| rare(count)).collect();
    assert!(holes.is_empty(), "{holes:?}");
    assert_eq!(noted.len(), NOTED.len(), "a feature is noted that is not listed");
    let holes: Vec<_> = members.iter().filter(|(_, count)| rare(count)).collect();
    assert!(holes.is_empty(), "{holes:?}");
    let holes: Vec<_> = values.iter().filter(|(_, count)| rare(count)).collect();
    assert!(holes.is_empty(), "{holes:?}");
}
