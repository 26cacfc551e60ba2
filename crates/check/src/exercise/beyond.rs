//! What an event puts to the test beyond the ordering rules.

use conform_event::json::Json;
use conform_event::{Event, EventType};

use crate::beyond::outcome;

/// Tells the ids of the requirements that an event puts to the test in stream scope.
/// `has_input` says whether the run's input is known.
pub(crate) fn beyond(
    event: &Event<'_>,
    json: &Json<'_>,
    has_input: bool,
    mut test: impl FnMut(&'static str),
) {
    use EventType as T;
    let each =
        ["shape/known-type", "shape/known-fields", "shape/well-formed", "shape/absent-not-null"];
    each.into_iter().for_each(&mut test);
    if json.get("metadata").is_some_and(Json::is_object) {
        test("shape/metadata-reserved-key");
    }
    let Some(event_type) = event.event_type() else { return };
    let has = |member: &str| json.get(member).is_some();
    let mut all = |ids: &[&'static str]| ids.iter().for_each(|id| test(id));
    match event_type {
        T::RunStarted => {
            all(&["version/declared", "lifecycle/same-thread-id", "ids/run-not-reused"]);
            if has("protocolVersion") {
                all(&["version/published"]);
            }
            if has_input {
                all(&["lifecycle/echoes-request"]);
            }
        }
        T::RunFinished => {
            all(&["lifecycle/same-run-id", "lifecycle/same-thread-id"]);
            run_finished(json, &mut all);
        }
        T::TextMessageStart
        | T::TextMessageChunk
        | T::ReasoningMessageStart
        | T::ReasoningMessageChunk
        | T::ActivitySnapshot => all(&["ids/message-unique"]),
        T::MessagesSnapshot => {
            all(&["ids/message-unique"]);
            if has_input {
                all(&["lifecycle/restates-by-snapshot"]);
            }
            if names_seal(json.list("messages")) {
                all(&["reasoning/encrypted-type-needs-value"]);
            }
        }
        T::ToolCallResult => {
            all(&["ids/message-unique", "tool/one-result"]);
        }
        T::ReasoningEncryptedValue => {
            all(&["reasoning/encrypted-entity-known"]);
            if has("encryptedValueType") {
                all(&["reasoning/encrypted-type-needs-value"]);
            }
        }
        T::StateDelta => all(&["state/patch-well-formed"]),
        T::ActivityDelta => all(&["activity/snapshot-first", "state/patch-well-formed"]),
        T::SubagentStarted => all(&["subagent/announced-before-use"]),
        T::SubagentFinished => match outcome(json) {
            Some("suspended") => {
                all(&["subagent/success-has-no-interrupts", "interrupt/suspended-ids-exist"]);
            }
            Some(_) => all(&["subagent/success-has-no-interrupts"]),
            None => {}
        },
        T::RunError => usage(json, &mut all),
        T::Custom => all(&["shape/custom-name-prefixed"]),
        _ => {}
    }
}

fn run_finished(json: &Json<'_>, all: &mut impl FnMut(&[&'static str])) {
    usage(json, all);
    match outcome(json) {
        Some("interrupt") => {
            all(&["interrupt/at-least-one", "interrupt/unique-ids"]);
        }
        Some("cancelled") => all(&["lifecycle/cancelled-has-no-result"]),
        Some("success") | None => {
            all(&["tool/pending-list-sent"]);
            let list = json.get("outcome").and_then(|outcome| outcome.get("pendingToolCallIds"));
            if list.is_some() {
                all(&["tool/pending-list-exact"]);
            }
        }
        _ => {}
    }
}

/// Whether a message of a list, or a call in one, has a type of an encrypted value.
fn names_seal(messages: &[Json<'_>]) -> bool {
    let has = |json: &Json<'_>| json.get("encryptedValueType").is_some();
    messages.iter().any(|message| has(message) || message.list("toolCalls").iter().any(has))
}

fn usage(json: &Json<'_>, all: &mut impl FnMut(&[&'static str])) {
    if !json.list("usage").is_empty() {
        all(&["usage/parts-within-totals", "usage/total-is-the-sum", "usage/one-entry-per-model"]);
    }
}
