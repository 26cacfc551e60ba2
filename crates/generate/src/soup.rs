//! Soup: events over small pools, in any order.
//!
//! Eight bytes are the recipe of one event, so that a random generator, proptest (which
//! shrinks towards zero, the plainest event) and a fuzzer can all cook the same soup.

use conform_event::EventType as T;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// The recipe of one event.
pub type Recipe = [u8; 8];

/// Sequences of at most `longest` events, each as JSON text.
///
/// ```
/// use conform_generate::soup;
/// use proptest::prelude::*;
/// proptest!(|(events in soup::events(8))| {
///     for text in &events {
///         prop_assert!(conform_event::decode(text.as_bytes()).is_ok());
///     }
/// });
/// ```
pub fn events(longest: usize) -> impl Strategy<Value = Vec<String>> {
    (flavour(), prop::collection::vec(any::<Recipe>(), 0..=longest)).prop_map(|(types, recipes)| {
        recipes.into_iter().map(|r| event_of(types, r).to_string()).collect()
    })
}

/// The same, begun with RUN_STARTED nine times in ten, as the stream scope asks.
pub fn streams(longest: usize) -> impl Strategy<Value = Vec<String>> {
    let start = prop_oneof![9 => Just(true), 1 => Just(false)];
    (start, any::<Recipe>(), events(longest)).prop_map(|(start, recipe, mut events)| {
        if start {
            events.insert(0, cook(T::RunStarted.as_str(), recipe).to_string());
        }
        events
    })
}

/// A soup of few kinds of events makes those meet; one of all kinds, everything.
fn flavour() -> impl Strategy<Value = &'static [&'static str]> {
    prop_oneof![3 => Just(&TYPES[..]), 1 => Just(CHUNKY), 1 => Just(LANES), 1 => Just(CALM),
1 => Just(PIECES), 1 => Just(ENDS), 1 => Just(RUNS), 1 => Just(OWNERS)]
}

/// Chunks, and some of what closes them.
const CHUNKY: &[&str] = &[
    "TEXT_MESSAGE_CHUNK",
    "TEXT_MESSAGE_CHUNK",
    "TEXT_MESSAGE_CHUNK",
    "TEXT_MESSAGE_CHUNK",
    "TOOL_CALL_CHUNK",
    "REASONING_MESSAGE_CHUNK",
    "TEXT_MESSAGE_CHUNK",
    "SUBAGENT_STARTED",
    "SUBAGENT_FINISHED",
    "MESSAGES_SNAPSHOT",
    "TEXT_MESSAGE_START",
    "TOOL_CALL_RESULT",
    "STATE_DELTA",
    "RAW",
    "RUN_FINISHED",
    "RUN_STARTED",
    "REASONING_START",
    "REASONING_END",
];

/// Chunks of one kind, and subagents that come and go.
const LANES: &[&str] = &[
    "TEXT_MESSAGE_CHUNK",
    "TEXT_MESSAGE_CHUNK",
    "TEXT_MESSAGE_CHUNK",
    "TEXT_MESSAGE_CHUNK",
    "TEXT_MESSAGE_CHUNK",
    "SUBAGENT_STARTED",
    "SUBAGENT_FINISHED",
    "STATE_DELTA",
];

/// Nothing that ends a run, and only two kinds of items.
const CALM: &[&str] = &[
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_END",
    "TOOL_CALL_START",
    "TOOL_CALL_END",
    "TOOL_CALL_RESULT",
    "MESSAGES_SNAPSHOT",
    "REASONING_START",
    "REASONING_MESSAGE_START",
    "REASONING_MESSAGE_CONTENT",
    "SUBAGENT_STARTED",
    "SUBAGENT_FINISHED",
    "STEP_STARTED",
    "STEP_FINISHED",
    "TEXT_MESSAGE_CHUNK",
    "REASONING_ENCRYPTED_VALUE",
];

/// Almost only chunks, and what meets them by its id.
const PIECES: &[&str] = &[
    "REASONING_MESSAGE_CHUNK",
    "REASONING_MESSAGE_CHUNK",
    "REASONING_MESSAGE_CHUNK",
    "TEXT_MESSAGE_CHUNK",
    "TEXT_MESSAGE_CHUNK",
    "TEXT_MESSAGE_CHUNK",
    "TOOL_CALL_CHUNK",
    "TOOL_CALL_CHUNK",
    "TOOL_CALL_CHUNK",
    "REASONING_START",
    "TOOL_CALL_RESULT",
    "TOOL_CALL_RESULT",
    "SUBAGENT_STARTED",
    "SUBAGENT_FINISHED",
    "CUSTOM",
];

/// Chunks, and what ends them in their lane or does not.
const ENDS: &[&str] = &[
    "REASONING_MESSAGE_CHUNK",
    "REASONING_MESSAGE_CHUNK",
    "TOOL_CALL_CHUNK",
    "TOOL_CALL_CHUNK",
    "TOOL_CALL_CHUNK",
    "TOOL_CALL_CHUNK",
    "TEXT_MESSAGE_CHUNK",
    "TOOL_CALL_START",
    "TOOL_CALL_END",
    "REASONING_END",
    "STEP_STARTED",
    "STEP_FINISHED",
    "CUSTOM",
    "MESSAGES_SNAPSHOT",
    "SOMETHING_ELSE",
];

/// Many runs, and what one leaves to the next.
const RUNS: &[&str] = &[
    "RUN_STARTED",
    "RUN_STARTED",
    "RUN_STARTED",
    "RUN_FINISHED",
    "RUN_FINISHED",
    "RUN_ERROR",
    "TOOL_CALL_START",
    "TOOL_CALL_CHUNK",
    "TOOL_CALL_RESULT",
    "TOOL_CALL_RESULT",
    "STEP_STARTED",
    "SUBAGENT_STARTED",
    "SUBAGENT_FINISHED",
    "TEXT_MESSAGE_CHUNK",
    "ACTIVITY_DELTA",
];

/// Who owns what: the same few things, given to this one and that.
const OWNERS: &[&str] = &[
    "ACTIVITY_SNAPSHOT",
    "ACTIVITY_SNAPSHOT",
    "ACTIVITY_DELTA",
    "ACTIVITY_DELTA",
    "ACTIVITY_DELTA",
    "MESSAGES_SNAPSHOT",
    "TOOL_CALL_START",
    "TOOL_CALL_END",
    "TOOL_CALL_RESULT",
    "TOOL_CALL_RESULT",
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_END",
    "REASONING_ENCRYPTED_VALUE",
    "REASONING_ENCRYPTED_VALUE",
];

/// A run's input over the same pools, as JSON text.
pub fn request() -> impl Strategy<Value = Option<String>> {
    let input = any::<Recipe>().prop_map(|recipe| input(recipe).to_string());
    prop::option::of(input)
}

/// What occurs, as often as it is listed. The plainest comes first.
const TYPES: [&str; 64] = [
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_END",
    "TOOL_CALL_START",
    "TOOL_CALL_ARGS",
    "TOOL_CALL_END",
    "TOOL_CALL_RESULT",
    "REASONING_START",
    "REASONING_MESSAGE_START",
    "REASONING_MESSAGE_CONTENT",
    "REASONING_MESSAGE_END",
    "REASONING_END",
    "STEP_STARTED",
    "STEP_FINISHED",
    "SUBAGENT_STARTED",
    "SUBAGENT_FINISHED",
    "SUBAGENT_ERROR",
    "TEXT_MESSAGE_CHUNK",
    "TOOL_CALL_CHUNK",
    "REASONING_MESSAGE_CHUNK",
    "REASONING_ENCRYPTED_VALUE",
    "ACTIVITY_SNAPSHOT",
    "ACTIVITY_DELTA",
    "MESSAGES_SNAPSHOT",
    "RUN_STARTED",
    "RUN_FINISHED",
    "RUN_ERROR",
    "STATE_SNAPSHOT",
    "STATE_DELTA",
    "CUSTOM",
    "RAW",
    "THINKING_START",
    "SOMETHING_ELSE",
    // Again, what makes the rules meet.
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_END",
    "TOOL_CALL_START",
    "TOOL_CALL_ARGS",
    "TOOL_CALL_END",
    "TOOL_CALL_RESULT",
    "REASONING_START",
    "REASONING_END",
    "REASONING_MESSAGE_START",
    "REASONING_MESSAGE_END",
    "STEP_STARTED",
    "STEP_FINISHED",
    "SUBAGENT_STARTED",
    "SUBAGENT_FINISHED",
    "TEXT_MESSAGE_CHUNK",
    "TOOL_CALL_CHUNK",
    "REASONING_MESSAGE_CHUNK",
    "TEXT_MESSAGE_CHUNK",
    "TOOL_CALL_CHUNK",
    "REASONING_MESSAGE_CHUNK",
    "REASONING_ENCRYPTED_VALUE",
    "MESSAGES_SNAPSHOT",
    "ACTIVITY_DELTA",
    "RUN_FINISHED",
    "RUN_STARTED",
    "TEXT_MESSAGE_END",
    "TOOL_CALL_END",
    "TEXT_MESSAGE_START",
    "TOOL_CALL_START",
    "TOOL_CALL_RESULT",
];

const IDS: [&str; 4] = ["a", "b", "", "c"];
const ROLES: [&str; 7] =
    ["assistant", "user", "reasoning", "activity", "tool", "developer", "system"];

/// The event that a recipe makes, as JSON text.
///
/// ```
/// let text = conform_generate::soup::event([0; 8]);
/// assert_eq!(text, r#"{"type":"TEXT_MESSAGE_START","messageId":"a"}"#);
/// ```
pub fn event(recipe: Recipe) -> String {
    event_of(&TYPES, recipe).to_string()
}

/// The event that a recipe makes of these types; the first byte chooses the type.
///
/// ```
/// let event = conform_generate::soup::event_of(&["RAW"], [0; 8]);
/// assert_eq!(event["type"], "RAW");
/// ```
pub fn event_of(types: &[&str], recipe: Recipe) -> Value {
    cook(
        types.get(usize::from(recipe[0]) % types.len().max(1)).copied().unwrap_or_default(),
        recipe,
    )
}

/// The lists of types that soups are made of: all of them, and those that meet in one matter.
pub fn flavours() -> [&'static [&'static str]; 8] {
    [&TYPES, CHUNKY, LANES, CALM, PIECES, ENDS, RUNS, OWNERS]
}

/// The event of this type that the rest of a recipe makes.
fn cook(name: &str, recipe: Recipe) -> Value {
    let [_, id, tag, second, odd, rest @ ..] = recipe;
    let mut event = Map::new();
    event.insert("type".to_owned(), name.into());
    let mut put = |name: &str, value: Value| {
        event.insert(name.to_owned(), value);
    };
    let own = id_or_odd(id, odd);
    let own_id = |put: &mut dyn FnMut(&str, Value), name: &str| {
        if let Some(own) = own.clone() {
            put(name, own);
        }
    };
    match T::from_name(name) {
        Some(T::RunStarted) => {
            match id % 16 {
                8 | 15 => {}
                7 => put("runId", json!("r2")),
                _ => put("runId", json!("r1")),
            }
            if second % 2 == 1 {
                put("input", input([id, second, tag, odd, rest[0], rest[1], rest[2], tag]));
            }
        }
        Some(T::ToolCallStart) => {
            own_id(&mut put, "toolCallId");
            optional(&mut put, "parentMessageId", second);
        }
        Some(T::ToolCallArgs | T::ToolCallEnd) => own_id(&mut put, "toolCallId"),
        Some(T::ToolCallResult) => {
            own_id(&mut put, "toolCallId");
            optional(&mut put, "messageId", second);
        }
        Some(T::StepStarted | T::StepFinished) => own_id(&mut put, "stepName"),
        Some(T::ReasoningEncryptedValue) => {
            own_id(&mut put, "entityId");
            put("subtype", json!(["message", "tool-call", "other"][usize::from(second % 7 / 3)]));
        }
        Some(T::ActivitySnapshot) => {
            own_id(&mut put, "messageId");
            match second % 4 {
                1 => put("replace", json!(false)),
                2 => put("replace", json!(true)),
                3 => put("replace", json!("false")),
                _ => {}
            }
        }
        Some(T::SubagentStarted) => {
            own_id(&mut put, "subagentRunId");
            optional(&mut put, "parentSubagentRunId", second);
        }
        Some(T::SubagentFinished | T::SubagentError) => own_id(&mut put, "subagentRunId"),
        Some(T::MessagesSnapshot) => put("messages", messages(&[second, odd, rest[0], rest[1]])),
        Some(kind @ (T::TextMessageChunk | T::ReasoningMessageChunk | T::ToolCallChunk)) => {
            // Every third chunk leaves its id out.
            let name = if kind == T::ToolCallChunk { "toolCallId" } else { "messageId" };
            if id % 3 != 2 {
                own_id(&mut put, name);
            }
            if second % 8 != 7 {
                put("toolCallName", json!(if second % 8 == 6 { "other" } else { "tool" }));
            }
            if rest[0] % 8 > 5 {
                put("role", json!(if rest[0] % 8 == 6 { "assistant" } else { "user" }));
            }
            if rest[1] % 8 > 4 {
                put("name", json!(if rest[1] % 8 == 7 { "o" } else { "n" }));
            }
            if rest[2] % 2 == 1 {
                optional(&mut put, "parentMessageId", rest[2] / 2);
            }
        }
        Some(_) => own_id(&mut put, "messageId"),
        None => {}
    }
    // A subagent's own events carry no tag beside their id.
    if !name.starts_with("SUBAGENT_")
        && let Some(tag) = tag_of(tag)
    {
        put("subagentRunId", tag);
    }
    Value::Object(event)
}

/// An id of the pool; one in 25 is missing or of the wrong type.
fn id_or_odd(id: u8, odd: u8) -> Option<Value> {
    match odd {
        0..=245 => Some(json!(IDS[usize::from(id) % IDS.len()])),
        246..=248 => None,
        249..=251 => Some(Value::Null),
        _ => Some(json!(7)),
    }
}

fn optional(put: &mut dyn FnMut(&str, Value), name: &str, byte: u8) {
    match byte % 8 {
        0..=3 => {}
        7 if byte > 240 => put(name, Value::Null),
        other => put(name, json!(IDS[usize::from(other) % IDS.len()])),
    }
}

fn tag_of(byte: u8) -> Option<Value> {
    match byte {
        0..=110 => None,
        // Nearly somebody's.
        239..=242 => Some(json!("A")),
        243..=246 => Some(json!("a ")),
        247..=250 => Some(json!("ab")),
        251..=252 => Some(Value::Null),
        253..=255 => Some(json!(["a"])),
        _ => Some(json!(IDS[usize::from(byte) % 3])),
    }
}

/// Up to four messages, one a byte.
fn messages(bytes: &[u8]) -> Value {
    let listed = bytes.iter().filter(|byte| **byte % 4 != 0).map(|byte| {
        let role = ROLES[usize::from(byte / 4) % ROLES.len()];
        let mut message = json!({"id": IDS[usize::from(byte / 8) % IDS.len()], "role": role});
        if byte % 4 == 2 {
            message["subagentRunId"] = json!(IDS[usize::from(byte / 16) % 3]);
        }
        if byte % 4 == 3 || role == "assistant" {
            message["toolCalls"] = json!([{"id": IDS[usize::from(byte / 32) % IDS.len()]}]);
        }
        if *byte > 250 {
            message["id"] = json!(1);
        }
        message
    });
    listed.collect()
}

/// A run's input over the same pools.
///
/// ```
/// assert_eq!(conform_generate::soup::input([0; 8])["runId"], "r1");
/// ```
pub fn input(recipe: Recipe) -> Value {
    let mut input = json!({
        "runId": if recipe[0] % 4 == 3 { "r2" } else { "r1" },
        "messages": messages(&recipe[2..6]),
    });
    if recipe[0] % 8 == 6
        && let Some(members) = input.as_object_mut()
    {
        members.shift_remove("runId");
    }
    if recipe[1] % 8 == 7 {
        input["resume"] = json!([{"interruptId": "i1"}]);
    }
    input
}
