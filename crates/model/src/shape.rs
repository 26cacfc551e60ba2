//! The shape of an event: the protocol's types in a notation of our own, and one function.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use conform_event::json::{Json, Value};
use conform_event::shape::near;

use crate::patch::is_patch;

/// The version that an event is judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Version {
    V1_0,
    V1_1,
}

/// A line a type: `!` is required, `?` may be left out, `+` takes over another line. After a
/// colon stands what the value is, text where nothing stands: `any`, `open` (an object of any
/// members), `flag`, `int`, `count`, `patch`, one of some words, a name of a line, `[...]` a
/// list of them, `[...]+` a list that is not empty, `text/...` text or that. A line with `by`
/// says which line another member's text stands for. `1.1` is there since that version, `-` is
/// barred and named by a requirement.
const NOTATION: &str = "
base type!:any timestamp?:int rawEvent?:any metadata?:open
work +base subagentRunId?
TEXT_MESSAGE_START +work messageId! role?:developer|system|assistant|user name?
TEXT_MESSAGE_CONTENT +work messageId! delta!
TEXT_MESSAGE_END +work messageId!
TEXT_MESSAGE_CHUNK +work messageId? role?:developer|system|assistant|user delta? name?
TOOL_CALL_START +work toolCallId! toolCallName! parentMessageId?
TOOL_CALL_ARGS +work toolCallId! delta!
TOOL_CALL_END +work toolCallId!
TOOL_CALL_CHUNK +work toolCallId? toolCallName? parentMessageId? delta?
TOOL_CALL_RESULT +work messageId! toolCallId! content!:text/[Part] role?:tool
STATE_SNAPSHOT +work snapshot!:any
STATE_DELTA +work delta!:patch
MESSAGES_SNAPSHOT +base messages!:[Message]
ACTIVITY_SNAPSHOT +work messageId! activityType! content!:open replace?:flag
ACTIVITY_DELTA +work messageId! activityType! patch!:patch
RAW +work event!:any source?
CUSTOM +work name! value!:any
RUN_STARTED +base threadId! runId! protocolVersion? parentRunId? input?:Input
RUN_FINISHED +base threadId! runId! result?:any outcome?:Outcome usage?:[Usage]
RUN_ERROR +base message! code? usage?:[Usage]
STEP_STARTED +work stepName!
STEP_FINISHED +work stepName!
REASONING_START +work messageId!
REASONING_MESSAGE_START +work messageId! role!:reasoning
REASONING_MESSAGE_CONTENT +work messageId! delta!
REASONING_MESSAGE_END +work messageId!
REASONING_MESSAGE_CHUNK +work messageId? delta?
REASONING_END +work messageId!
REASONING_ENCRYPTED_VALUE +work subtype!:tool-call|message entityId! encryptedValue! encryptedValueType?1.1
SUBAGENT_STARTED +base subagentRunId! name! description? parentSubagentRunId? parentToolCallId? parentMessageId?
SUBAGENT_FINISHED +base subagentRunId! result?:any outcome?:SubagentOutcome
SUBAGENT_ERROR +base subagentRunId! message! code?
Input threadId! runId! protocolVersion? parentRunId? state?:any messages!:[Message] tools?:[Tool] context?:[Context] forwardedProps?:any resume?:[Resume]
Tool name! description! parameters?:any metadata?:open
Context description! value!
Resume interruptId! status!:resolved|cancelled payload?:any metadata?:open
Message by role developer=Said system=Said assistant=Assistant user=User tool=Answer activity=Activity reasoning=Thought
listed id! role!:any subagentRunId? metadata?:open
sealable +listed encryptedValue? encryptedValueType?1.1
Said +sealable name? content!
Assistant +sealable name? content? toolCalls?:[Call]
User +sealable name? content!:text/[Part]
Answer +sealable content!:text/[Part] toolCallId! error?
Activity +listed activityType! content!:open
Thought +sealable content!
Call id! type!:function function!:Function encryptedValue? encryptedValueType?1.1 metadata?:open
Function name! arguments!
Part by type text=Text image=Media audio=Media video=Media document=Media
part type!:any id? metadata?:any
Text +part text!
Media +part source!:Source
Source by type data=Data url=Url file=File
Data type!:any value! mimeType!
Url type!:any value! mimeType?
File type!:any value! provider? mimeType?
Outcome by type success=Success interrupt=Asks cancelled=Cancelled
Success type!:any pendingToolCallIds?:[text]
Asks type!:any interrupts!:[Interrupt]+
Cancelled type!:any
SubagentOutcome by type success=Done suspended=Waits
Done type!:any interruptIds-
Waits type!:any interruptIds?:[text]
Interrupt subagentRunId? id! reason! message? toolCallId? responseSchema?:open expiresAt? metadata?:open
Usage provider? model? inputTokens?:count outputTokens?:count totalTokens?:count reasoningTokens?:count cachedInputTokens?:count cacheWriteInputTokens?:count
";

/// A member of a type.
#[derive(Debug, Clone, Copy)]
struct Member {
    name: &'static str,
    /// `!`, `?` or `-`.
    mark: char,
    since: Version,
    what: &'static str,
}

#[derive(Debug)]
enum Line {
    Members(Vec<Member>),
    By(&'static str, Vec<(&'static str, &'static str)>),
}

static LINES: LazyLock<BTreeMap<&'static str, Line>> = LazyLock::new(|| {
    let mut lines: BTreeMap<&'static str, Line> = BTreeMap::new();
    for text in NOTATION.lines() {
        let mut words = text.split_whitespace();
        let Some(name) = words.next() else { continue };
        let words: Vec<&'static str> = words.collect();
        let line = if let ["by", tag, rest @ ..] = words.as_slice() {
            Line::By(tag, rest.iter().filter_map(|word| word.split_once('=')).collect())
        } else {
            let mut members = Vec::new();
            for word in &words {
                match word.strip_prefix('+').map(|other| lines.get(other)) {
                    Some(Some(Line::Members(others))) => members.extend(others.iter().copied()),
                    Some(_) => {}
                    None => members.extend(member(word)),
                }
            }
            Line::Members(members)
        };
        lines.insert(name, line);
    }
    lines
});

fn member(word: &'static str) -> Option<Member> {
    let place = word.find(['!', '?', '-'])?;
    let (name, rest) = word.split_at(place);
    let mark = rest.chars().next()?;
    let rest = &rest[1..];
    let since = if rest.starts_with("1.1") { Version::V1_1 } else { Version::V1_0 };
    let what = rest.split_once(':').map_or("text", |(_, what)| what);
    Some(Member { name, mark, since, what })
}

const WELL_FORMED: &str = "shape/well-formed";
const KNOWN_FIELDS: &str = "shape/known-fields";
const SEAL: &str = "encryptedValue";
const SEAL_TYPE: &str = "encryptedValueType";
const SEAL_RULE: &str = "reasoning/encrypted-type-needs-value";

type Broken = BTreeSet<&'static str>;

/// The requirements that the shape of an event breaks.
pub(crate) fn shape_breaches(event: &Json<'_>, version: Version) -> Broken {
    let mut broken = Broken::new();
    let line = event.text("type").and_then(|name| {
        let of_event = name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
        LINES.get(name).filter(|_| of_event)
    });
    match line {
        Some(Line::Members(members)) => object(event, members, version, true, &mut broken),
        _ => {
            broken.insert("shape/known-type");
        }
    }
    broken
}

/// Judges the members of an object. `own` is false below what the client sent.
fn object(json: &Json<'_>, members: &[Member], version: Version, own: bool, broken: &mut Broken) {
    let known: Vec<&Member> = members.iter().filter(|member| member.since <= version).collect();
    let find = |name: &str| known.iter().find(|member| member.name == name);
    for member in &known {
        let Some(value) = json.get(member.name) else { continue };
        match (member.mark, &value.value) {
            ('-', _) => broken.extend([KNOWN_FIELDS, "subagent/success-has-no-interrupts"]),
            ('?', Value::Null) => {
                broken.insert("shape/absent-not-null");
            }
            _ => {
                let below = own && member.name != "input";
                judge(value, member.what, version, below, broken);
            }
        }
        if member.name == "metadata" && own && value.get("ag-ui").is_some() {
            broken.insert("shape/metadata-reserved-key");
        }
    }
    let absent: Vec<&&Member> = known
        .iter()
        .filter(|member| member.mark != '-' && json.get(member.name).is_none())
        .collect();
    // What each unknown member was meant to be: the absent one that it is nearest to.
    let unknown = json.members().iter().filter(|member| find(&member.name).is_none());
    let meant: Vec<Option<(usize, &'static str)>> = unknown
        .map(|unknown| {
            let near = absent.iter().filter_map(|m| Some((near(&unknown.name, m.name)?, m.name)));
            near.min_by_key(|(distance, _)| *distance)
        })
        .collect();
    let misspelt = |name: &str| meant.iter().flatten().any(|(_, other)| *other == name);
    let missing: Vec<&&&Member> = absent.iter().filter(|member| member.mark == '!').collect();
    for member in &missing {
        broken.insert(WELL_FORMED);
        if member.what.ends_with('+') && !misspelt(member.name) {
            broken.insert("interrupt/at-least-one");
        }
    }
    // Of those meant to be one missing member, one is it.
    let excused = missing.iter().filter(|member| misspelt(member.name)).count();
    if meant.len() > excused {
        broken.insert(KNOWN_FIELDS);
    }
    let unsealed = find(SEAL_TYPE).is_some() && json.get(SEAL).is_none();
    if unsealed && json.get(SEAL_TYPE).is_some() && !misspelt(SEAL) {
        broken.insert(SEAL_RULE);
    }
}

/// Judges a value by a word of the notation.
fn judge(json: &Json<'_>, what: &str, version: Version, own: bool, broken: &mut Broken) {
    let list = what.strip_prefix('[').map(|rest| rest.trim_end_matches(['+', ']']));
    let fine = match (what, &json.value) {
        ("any", _)
        | ("text", Value::String(_))
        | ("flag", Value::Bool(_))
        | ("open", Value::Object(_)) => true,
        ("int", Value::Number(text)) => whole(text).is_some(),
        ("count", Value::Number(text)) => whole(text).is_some_and(|number| number >= 0),
        ("text" | "flag" | "open" | "int" | "count", _) => false,
        ("patch", Value::Array(items)) if items.iter().all(Json::is_object) => {
            if !is_patch(json) {
                broken.insert("state/patch-well-formed");
            }
            true
        }
        ("patch", _) => {
            broken.insert("state/patch-well-formed");
            false
        }
        (_, Value::String(_)) if what.starts_with("text/") => true,
        (_, Value::Array(_)) if what.starts_with("text/") => {
            judge(json, what.trim_start_matches("text/"), version, own, broken);
            true
        }
        (_, Value::Array(items)) if list.is_some() => {
            for item in items {
                judge(item, list.unwrap_or_default(), version, own, broken);
            }
            if what.ends_with('+') && items.is_empty() {
                broken.insert("interrupt/at-least-one");
            }
            !(what.ends_with('+') && items.is_empty())
        }
        _ => match (LINES.get(what), &json.value) {
            (Some(Line::Members(members)), Value::Object(_)) => {
                object(json, members, version, own, broken);
                true
            }
            (Some(Line::By(tag, names)), Value::Object(_)) => {
                let tag = json.text(tag);
                let line = names.iter().find(|(name, _)| Some(*name) == tag);
                match line.and_then(|(_, line)| LINES.get(line)) {
                    Some(Line::Members(members)) => {
                        object(json, members, version, own, broken);
                        true
                    }
                    _ => false,
                }
            }
            (None, Value::String(text)) => what.split('|').any(|word| word == text),
            _ => false,
        },
    };
    if !fine {
        broken.insert(WELL_FORMED);
    }
}

/// The whole number that a text is, within 53 bits.
fn whole(text: &str) -> Option<i64> {
    i64::try_from(exact(text)?).ok().filter(|number| number.abs() < 1 << 53)
}

/// The whole number that a number is, however it is written.
pub(crate) fn exact(text: &str) -> Option<i128> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (front, back) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{front}{back}");
    let zeros = digits.len() - digits.trim_end_matches('0').len();
    let significant = digits.trim_end_matches('0');
    if significant.trim_start_matches('-').trim_start_matches('0').is_empty() {
        return Some(0);
    }
    let exponent: i64 = exponent.parse().ok()?;
    let scale = exponent - i64::try_from(back.len()).ok()? + i64::try_from(zeros).ok()?;
    let power = u32::try_from(scale).ok()?;
    significant.parse::<i128>().ok()?.checked_mul(10_i128.checked_pow(power)?)
}
