//! The rows of all that stands inside an event: run inputs, messages, parts, outcomes.

use super::Version;
use super::table::{Field, Kind, Shape, Union, may, must};
use Kind::{Any, Barred, Filled, List, Object, OneOf, Open, Tag, Text, TextOrList, Variant};

/// The largest number up to which every whole number survives in JSON readers.
const SAFE: i64 = 9_007_199_254_740_991;

/// A whole number that survives in JSON readers.
pub(super) const SAFE_INTEGER: Kind = Kind::Integer(-SAFE, SAFE);

const COUNT: Kind = Kind::Integer(0, SAFE);

/// Who a message that is streamed as text may be from.
pub(super) const TEXT_ROLES: Kind = OneOf(&["developer", "system", "assistant", "user"]);

/// The member that says which invocation something belongs to.
pub(super) const ATTRIBUTABLE: &[Field] = &[may("subagentRunId", Text)];

/// What an opaque artefact is called, since 1.1.
pub(super) const ENCRYPTED_VALUE_TYPE: Field = may("encryptedValueType", Text).since(Version::V1_1);

/// The input of a run.
pub(super) static RUN_AGENT_INPUT: Shape = Shape::of(
    "RunAgentInput",
    &[
        must("threadId", Text),
        must("runId", Text),
        may("protocolVersion", Text),
        may("parentRunId", Text),
        may("state", Any),
        must("messages", MESSAGES),
        may("tools", List(&Object(&TOOL))),
        may("context", List(&Object(&CONTEXT))),
        may("forwardedProps", Any),
        may("resume", List(&Object(&RESUME_ENTRY))),
    ],
);

static TOOL: Shape = Shape::of(
    "Tool",
    &[must("name", Text), must("description", Text), may("parameters", Any), may("metadata", Open)],
);

static CONTEXT: Shape = Shape::of("Context", &[must("description", Text), must("value", Text)]);

static RESUME_ENTRY: Shape = Shape::of(
    "ResumeEntry",
    &[
        must("interruptId", Text),
        must("status", OneOf(&["resolved", "cancelled"])),
        may("payload", Any),
        may("metadata", Open),
    ],
);

// ---------------------------------------------------------------- messages

/// A list of messages.
pub(super) const MESSAGES: Kind = List(&Variant(&MESSAGE));

static MESSAGE: Union = Union {
    name: "Message",
    tag: "role",
    shapes: &[
        ("developer", &DEVELOPER_MESSAGE),
        ("system", &SYSTEM_MESSAGE),
        ("assistant", &ASSISTANT_MESSAGE),
        ("user", &USER_MESSAGE),
        ("tool", &TOOL_MESSAGE),
        ("activity", &ACTIVITY_MESSAGE),
        ("reasoning", &REASONING_MESSAGE),
    ],
};

const ANY_MESSAGE: &[Field] =
    &[must("id", Text), must("role", Tag), may("subagentRunId", Text), may("metadata", Open)];

const SEALABLE: &[Field] = &[may("encryptedValue", Text), ENCRYPTED_VALUE_TYPE];

const fn message(name: &'static str, own: &'static [Field]) -> Shape {
    Shape { name, rows: [ANY_MESSAGE, SEALABLE, own] }
}

static DEVELOPER_MESSAGE: Shape =
    message("DeveloperMessage", &[may("name", Text), must("content", Text)]);

static SYSTEM_MESSAGE: Shape =
    message("SystemMessage", &[may("name", Text), must("content", Text)]);

static ASSISTANT_MESSAGE: Shape = message(
    "AssistantMessage",
    &[may("name", Text), may("content", Text), may("toolCalls", List(&Object(&TOOL_CALL)))],
);

static USER_MESSAGE: Shape = message("UserMessage", &[may("name", Text), must("content", CONTENT)]);

static TOOL_MESSAGE: Shape = message(
    "ToolMessage",
    &[must("content", CONTENT), must("toolCallId", Text), may("error", Text)],
);

static ACTIVITY_MESSAGE: Shape = Shape {
    name: "ActivityMessage",
    rows: [ANY_MESSAGE, &[], &[must("activityType", Text), must("content", Open)]],
};

static REASONING_MESSAGE: Shape = message("ReasoningMessage", &[must("content", Text)]);

static TOOL_CALL: Shape = Shape::of(
    "ToolCall",
    &[
        must("id", Text),
        must("type", OneOf(&["function"])),
        must("function", Object(&FUNCTION_CALL)),
        may("encryptedValue", Text),
        ENCRYPTED_VALUE_TYPE,
        may("metadata", Open),
    ],
);

static FUNCTION_CALL: Shape =
    Shape::of("FunctionCall", &[must("name", Text), must("arguments", Text)]);

// ---------------------------------------------------------------- content parts

/// Text, or parts.
pub(super) const CONTENT: Kind = TextOrList(&Variant(&CONTENT_PART));

static CONTENT_PART: Union = Union {
    name: "ContentPart",
    tag: "type",
    shapes: &[
        ("text", &TEXT_PART),
        ("image", &IMAGE_PART),
        ("audio", &AUDIO_PART),
        ("video", &VIDEO_PART),
        ("document", &DOCUMENT_PART),
    ],
};

const ANY_PART: &[Field] = &[must("type", Tag), may("id", Text), may("metadata", Any)];

const SOURCE: &[Field] = &[must("source", Variant(&PART_SOURCE))];

const fn media(name: &'static str) -> Shape {
    Shape { name, rows: [ANY_PART, &[], SOURCE] }
}

static TEXT_PART: Shape = Shape { name: "TextPart", rows: [ANY_PART, &[], &[must("text", Text)]] };
static IMAGE_PART: Shape = media("ImagePart");
static AUDIO_PART: Shape = media("AudioPart");
static VIDEO_PART: Shape = media("VideoPart");
static DOCUMENT_PART: Shape = media("DocumentPart");

static PART_SOURCE: Union = Union {
    name: "PartSource",
    tag: "type",
    shapes: &[("data", &DATA_SOURCE), ("url", &URL_SOURCE), ("file", &FILE_SOURCE)],
};

static DATA_SOURCE: Shape =
    Shape::of("DataSource", &[must("type", Tag), must("value", Text), must("mimeType", Text)]);

static URL_SOURCE: Shape =
    Shape::of("UrlSource", &[must("type", Tag), must("value", Text), may("mimeType", Text)]);

static FILE_SOURCE: Shape = Shape::of(
    "FileSource",
    &[must("type", Tag), must("value", Text), may("provider", Text), may("mimeType", Text)],
);

// ---------------------------------------------------------------- how runs end

/// Why a run ended.
pub(super) static RUN_OUTCOME: Union = Union {
    name: "RunFinishedOutcome",
    tag: "type",
    shapes: &[
        ("success", &RUN_SUCCESS),
        ("interrupt", &RUN_INTERRUPT),
        ("cancelled", &RUN_CANCELLED),
    ],
};

static RUN_SUCCESS: Shape = Shape::of(
    "RunFinishedSuccessOutcome",
    &[must("type", Tag), may("pendingToolCallIds", List(&Text))],
);

static RUN_INTERRUPT: Shape = Shape::of(
    "RunFinishedInterruptOutcome",
    &[must("type", Tag), must("interrupts", Filled(&Object(&INTERRUPT), "interrupt/at-least-one"))],
);

static RUN_CANCELLED: Shape = Shape::of("RunFinishedCancelledOutcome", &[must("type", Tag)]);

/// Why an invocation's segment of a run ended.
pub(super) static SUBAGENT_OUTCOME: Union = Union {
    name: "SubagentFinishedOutcome",
    tag: "type",
    shapes: &[("success", &SUBAGENT_SUCCESS), ("suspended", &SUBAGENT_SUSPENDED)],
};

static SUBAGENT_SUCCESS: Shape = Shape::of(
    "SubagentFinishedSuccessOutcome",
    &[must("type", Tag), may("interruptIds", Barred("subagent/success-has-no-interrupts"))],
);

static SUBAGENT_SUSPENDED: Shape = Shape::of(
    "SubagentFinishedSuspendedOutcome",
    &[must("type", Tag), may("interruptIds", List(&Text))],
);

static INTERRUPT: Shape = Shape {
    name: "Interrupt",
    rows: [
        ATTRIBUTABLE,
        &[],
        &[
            must("id", Text),
            must("reason", Text),
            may("message", Text),
            may("toolCallId", Text),
            may("responseSchema", Open),
            may("expiresAt", Text),
            may("metadata", Open),
        ],
    ],
};

/// The usage of a run, one entry a provider and model.
pub(super) const USAGE: Kind = List(&Object(&TOKEN_USAGE));

static TOKEN_USAGE: Shape = Shape::of(
    "TokenUsage",
    &[
        may("provider", Text),
        may("model", Text),
        may("inputTokens", COUNT),
        may("outputTokens", COUNT),
        may("totalTokens", COUNT),
        may("reasoningTokens", COUNT),
        may("cachedInputTokens", COUNT),
        may("cacheWriteInputTokens", COUNT),
    ],
);
