//! What is asked beyond ordering, judged anew from the events alone.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::patches::Patched;
use super::text;

/// A streamed item: a kind (`text`, `reasoning`, `call`) and an id.
pub(crate) type Key = (&'static str, String);

/// What is known of a stream, and what is wrong with it.
#[derive(Default)]
pub(crate) struct Judge {
    pub(crate) wrong: Vec<String>,
    /// What the stream has that is rare.
    pub(crate) seen: BTreeSet<&'static str>,
    thread: Option<String>,
    runs: Vec<String>,
    pub(crate) run: Run,
    /// The identities of each message id.
    identities: BTreeMap<String, BTreeSet<String>>,
    /// How each item was first opened, in which run, and whether its tool was advertised then.
    opened: BTreeMap<Key, (Vec<Option<String>>, usize, bool)>,
    /// The calls that a result has answered since they were last opened.
    results: BTreeSet<String>,
    /// The messages and calls that an encrypted value may name.
    known: BTreeSet<Key>,
    /// The calls that inputs carried an answer to.
    carried: BTreeSet<String>,
    /// The tool of each listed call.
    listed: BTreeMap<String, String>,
    pub(crate) patched: Patched,
    /// What each lane holds open in chunks.
    pub(crate) lanes: BTreeMap<Option<String>, Key>,
}

/// What is known of a run.
#[derive(Default)]
pub(crate) struct Run {
    id: String,
    tools: BTreeSet<String>,
    calls: Vec<String>,
    answered: BTreeSet<String>,
    arguments: BTreeMap<String, String>,
    /// The texts that the input carried, and what was streamed since an opening.
    seeds: BTreeMap<Key, String>,
    since: BTreeMap<Key, String>,
    tags: BTreeSet<String>,
    announced: BTreeSet<String>,
    suspended: BTreeSet<String>,
    finished: bool,
    /// The messages and calls that were opened or listed in it.
    known: BTreeSet<Key>,
    /// The recorded owners of activities.
    pub(crate) owners: BTreeMap<String, Option<String>>,
}

impl Judge {
    /// Judges a whole stream.
    pub(crate) fn of(events: &[Value]) -> Self {
        let mut judge = Self::default();
        for event in events {
            judge.event(event);
        }
        judge
    }

    pub(crate) fn fail(&mut self, requirement: &str, id: &str) {
        self.wrong.push(format!("{requirement} {id:?}"));
    }

    fn check(&mut self, holds: bool, requirement: &str, id: &str) {
        if !holds {
            self.fail(requirement, id);
        }
    }

    fn event(&mut self, event: &Value) {
        let name = event["type"].as_str().unwrap_or_default();
        self.lanes_before(name, event);
        self.types_have_values(event);
        if let Some(tag) = text(event, "subagentRunId").filter(|_| !name.starts_with("SUBAGENT_")) {
            self.run.tags.insert(tag);
        }
        match name {
            "RUN_STARTED" => self.started(event),
            "RUN_FINISHED" => self.finished(event),
            "RUN_ERROR" => {
                if self.run.finished && event.get("usage").is_some() {
                    self.seen.insert("late failure with usage");
                }
                self.usage(event);
            }
            "TEXT_MESSAGE_START" => self.opens("text", event),
            "REASONING_MESSAGE_START" => self.opens("reasoning", event),
            "TOOL_CALL_START" => self.opens("call", event),
            "TEXT_MESSAGE_CONTENT" => self.goes_on("text", event),
            "REASONING_MESSAGE_CONTENT" => self.goes_on("reasoning", event),
            "TOOL_CALL_ARGS" => self.goes_on("call", event),
            "TOOL_CALL_END" => self.closes_call(&text(event, "toolCallId").unwrap_or_default()),
            "TEXT_MESSAGE_CHUNK" => self.chunk("text", event),
            "REASONING_MESSAGE_CHUNK" => self.chunk("reasoning", event),
            "TOOL_CALL_CHUNK" => self.chunk("call", event),
            "TOOL_CALL_RESULT" => self.result(event),
            "MESSAGES_SNAPSHOT" => self.list(&event["messages"], false),
            "REASONING_ENCRYPTED_VALUE" => self.encrypted(event),
            "SUBAGENT_STARTED" => {
                let id = text(event, "subagentRunId").unwrap_or_default();
                let used = self.run.tags.contains(&id) && !self.run.announced.contains(&id);
                self.check(!used, "subagent/announced-before-use", &id);
                self.run.announced.insert(id);
            }
            "SUBAGENT_FINISHED" => {
                let ids = event["outcome"]["interruptIds"].as_array();
                let ids = ids.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
                self.run.suspended.extend(ids);
            }
            "CUSTOM" => {
                let name = event["name"].as_str().unwrap_or_default();
                let mut at = name.match_indices([':', '.', '/']);
                let prefixed = at.any(|(at, _)| at > 0 && at + 1 < name.len());
                self.check(prefixed, "shape/custom-name-prefixed", name);
            }
            _ => {}
        }
        self.patches(name, event);
        if name == "ACTIVITY_SNAPSHOT" {
            self.identity(&text(event, "messageId").unwrap_or_default(), "activity");
        }
    }

    fn started(&mut self, event: &Value) {
        let id = text(event, "runId").unwrap_or_default();
        let thread = text(event, "threadId");
        self.check(event.get("protocolVersion").is_some(), "version/declared", &id);
        self.check(!self.runs.contains(&id), "ids/run-not-reused", &id);
        let first = self.thread.get_or_insert_with(|| thread.clone().unwrap_or_default()).clone();
        self.check(thread == Some(first), "lifecycle/same-thread-id", &id);
        self.runs.push(id.clone());
        self.run = Run { id: id.clone(), ..Run::default() };
        let Some(input) = event.get("input") else { return };
        for member in ["threadId", "runId"] {
            self.check(input[member] == event[member], "lifecycle/echoes-request", &id);
        }
        self.check(event["parentRunId"] == input["parentRunId"], "parent run", &id);
        let tools = input["tools"].as_array().into_iter().flatten();
        self.run.tools = tools.filter_map(|tool| text(tool, "name")).collect();
        self.patched.input(input, &mut self.seen);
        self.list(&input["messages"], true);
    }

    fn finished(&mut self, event: &Value) {
        let id = self.run.id.clone();
        self.run.finished = true;
        self.check(text(event, "runId") == Some(id.clone()), "lifecycle/same-run-id", &id);
        self.check(text(event, "threadId") == self.thread, "lifecycle/same-thread-id", &id);
        self.usage(event);
        let outcome = &event["outcome"];
        let kind = outcome["type"].as_str().unwrap_or("none");
        let pending: Vec<&String> =
            self.run.calls.iter().filter(|call| !self.run.answered.contains(*call)).collect();
        if pending.iter().any(|call| self.is_frontend(call)) {
            self.seen.insert("pending frontend call");
        }
        match outcome.get("pendingToolCallIds") {
            Some(list) => {
                let exact = *list == serde_json::json!(pending);
                if pending.len() > 1 {
                    self.seen.insert("several pending calls");
                }
                self.check(exact, "tool/pending-list-exact", &id);
            }
            None if kind == "success" || kind == "none" => {
                self.check(pending.is_empty(), "tool/pending-list-sent", &id);
            }
            None => {}
        }
        let cancelled = kind == "cancelled" && event.get("result").is_some();
        self.check(!cancelled, "lifecycle/cancelled-has-no-result", &id);
        let interrupts: Vec<&Value> =
            outcome["interrupts"].as_array().into_iter().flatten().collect();
        let ids: BTreeSet<String> = interrupts.iter().filter_map(|i| text(i, "id")).collect();
        self.check(ids.len() == interrupts.len(), "interrupt/unique-ids", &id);
        let asked: Vec<Option<String>> = interrupts.iter().map(|i| text(i, "toolCallId")).collect();
        let waits = |call: &Option<String>| {
            call.as_ref().is_some_and(|call| {
                self.is_frontend(call)
                    && self.run.calls.contains(call)
                    && !self.run.answered.contains(call)
            })
        };
        let frontend: Vec<bool> = asked.iter().map(waits).collect();
        if frontend.contains(&true) {
            self.seen.insert("interrupt about a frontend call and more");
        }
        let only_waits = !frontend.is_empty() && !frontend.contains(&false);
        self.check(!only_waits, "tool/frontend-stop-is-success", &id);
        let suspended = self.run.suspended.is_subset(&ids);
        self.check(suspended, "interrupt/suspended-ids-exist", &id);
    }

    fn usage(&mut self, event: &Value) {
        let mut models = BTreeSet::new();
        for entry in event["usage"].as_array().into_iter().flatten() {
            let part = |name: &str| entry.get(name).and_then(Value::as_u64);
            let sum = |names: [&str; 2]| names.into_iter().filter_map(part).sum::<u64>();
            let (input, output) = (part("inputTokens"), part("outputTokens"));
            let cached = sum(["cachedInputTokens", "cacheWriteInputTokens"]);
            let within = input.is_none_or(|input| cached <= input)
                && output.is_none_or(|all| sum(["reasoningTokens", "none"]) <= all);
            self.check(within, "usage/parts-within-totals", "");
            if let (Some(input), Some(output), Some(total)) = (input, output, part("totalTokens")) {
                self.check(input + output == total, "usage/total-is-the-sum", "");
            }
            let model = (text(entry, "provider"), text(entry, "model"));
            self.check(models.insert(model), "usage/one-entry-per-model", "");
        }
        if models.len() > 1 {
            self.seen.insert("usage of several models");
        }
    }

    /// Gives a message an identity.
    fn identity(&mut self, id: &str, identity: &str) {
        let identities = self.identities.entry(id.to_owned()).or_default();
        let another = !identities.is_empty() && !identities.contains(identity);
        identities.insert(identity.to_owned());
        self.check(!another, "ids/message-unique", id);
    }

    fn knows(&mut self, key: Key) {
        self.run.known.insert(key.clone());
        self.known.insert(key);
    }

    fn is_frontend(&self, call: &str) -> bool {
        match self.opened.get(&("call", call.to_owned())) {
            Some((_, _, frontend)) => *frontend,
            None => self.listed.get(call).is_some_and(|tool| self.run.tools.contains(tool)),
        }
    }

    pub(crate) fn opens(&mut self, kind: &'static str, event: &Value) {
        let id = text(event, if kind == "call" { "toolCallId" } else { "messageId" });
        let id = id.unwrap_or_default();
        let key = (kind, id.clone());
        self.knows(key.clone());
        self.run.since.insert(key.clone(), String::new());
        let said = match kind {
            "text" => vec![
                Some(text(event, "role").unwrap_or_else(|| "assistant".to_owned())),
                text(event, "name"),
            ],
            "call" => vec![text(event, "toolCallName"), text(event, "parentMessageId")],
            _ => Vec::new(),
        };
        let advertised = text(event, "toolCallName").is_some_and(|t| self.run.tools.contains(&t));
        let now = self.runs.len();
        let (first, run, _) =
            self.opened.entry(key.clone()).or_insert_with(|| (said.clone(), now, advertised));
        let (agrees, elsewhere) = (*first == said, *run != now);
        if elsewhere {
            self.seen.insert(match kind {
                "text" => "text of an earlier run",
                "call" => "call of an earlier run",
                _ => "reasoning of an earlier run",
            });
        }
        if kind == "call" {
            self.check(agrees, "tool/reopen-agrees", &id);
            self.known.extend(text(event, "parentMessageId").map(|parent| ("text", parent)));
            self.results.remove(&id);
            if self.run.answered.remove(&id) {
                self.seen.insert("call opened again after its answer");
            }
            if !self.run.calls.contains(&id) {
                self.run.calls.push(id.clone());
            } else if self.run.arguments.get(&id).is_some_and(|sent| sent.parse::<u64>().is_ok()) {
                self.seen.insert("number opened again");
            }
        } else {
            self.check(agrees, "text/reopen-agrees", &id);
            self.identity(&id, kind);
        }
        if self.run.seeds.contains_key(&key) {
            self.seen.insert("message of the input goes on");
        }
    }

    fn goes_on(&mut self, kind: &'static str, event: &Value) {
        let id = text(event, if kind == "call" { "toolCallId" } else { "messageId" });
        self.delta(&(kind, id.unwrap_or_default()), event);
    }

    pub(crate) fn delta(&mut self, key: &Key, event: &Value) {
        let delta = text(event, "delta").unwrap_or_default();
        let since = self.run.since.entry(key.clone()).or_default();
        since.push_str(&delta);
        let seed = self.run.seeds.get(key);
        let restates = seed.is_some_and(|seed| !seed.is_empty() && since.starts_with(seed));
        self.check(!restates, "lifecycle/restates-by-snapshot", &key.1);
        if key.0 == "call" {
            self.run.arguments.entry(key.1.clone()).or_default().push_str(&delta);
        }
    }

    pub(crate) fn closes_call(&mut self, id: &str) {
        let sent = self.run.arguments.get(id).cloned().unwrap_or_default();
        let document = serde_json::from_str::<&serde_json::value::RawValue>(&sent).is_ok();
        if self.run.since.get(&("call", id.to_owned())).is_some_and(String::is_empty) {
            self.seen.insert("call opened again without a word");
        }
        self.check(document, "tool/arguments-are-json", id);
    }

    fn result(&mut self, event: &Value) {
        let call = text(event, "toolCallId").unwrap_or_default();
        let message = text(event, "messageId").unwrap_or_default();
        self.identity(&message, &format!("result of {call}"));
        self.knows(("text", message));
        let first = self.results.insert(call.clone());
        self.check(first, "tool/one-result", &call);
        self.check(!self.is_frontend(&call), "tool/frontend-call-unanswered", &call);
        self.run.answered.insert(call);
    }

    fn encrypted(&mut self, event: &Value) {
        let id = text(event, "entityId").unwrap_or_default();
        let kinds: &[&str] =
            if event["subtype"] == "message" { &["text", "reasoning"] } else { &["call"] };
        let is_in =
            |known: &BTreeSet<Key>| kinds.iter().any(|kind| known.contains(&(*kind, id.clone())));
        let known = is_in(&self.known);
        if !is_in(&self.run.known) {
            let unseen = !self.identities.contains_key(&id) && event["subtype"] == "message";
            self.seen.insert(if unseen {
                "encrypted value for an unseen parent"
            } else {
                "encrypted value for an earlier run"
            });
        }
        self.check(known, "reasoning/encrypted-entity-known", &id);
    }

    /// Takes in the messages of an input or a snapshot.
    fn list(&mut self, list: &Value, input: bool) {
        let mut ids = BTreeSet::new();
        for message in list.as_array().into_iter().flatten() {
            let id = text(message, "id").unwrap_or_default();
            self.check(ids.insert(id.clone()), "ids/message-unique", &id);
            let role = text(message, "role").unwrap_or_default();
            let answers = text(message, "toolCallId");
            let (kind, identity) = match role.as_str() {
                "reasoning" => ("reasoning", role.clone()),
                "activity" => ("activity", role.clone()),
                "tool" => ("text", format!("result of {}", answers.clone().unwrap_or_default())),
                _ => ("text", "text".to_owned()),
            };
            self.identity(&id, &identity);
            let tag = text(message, "subagentRunId");
            if kind == "activity" {
                self.patched.listed(&id, &message["content"], input);
                if input {
                    self.run.owners.entry(id).or_insert(tag);
                } else {
                    self.run.owners.insert(id, tag);
                }
                continue;
            }
            if input && let Some(content) = text(message, "content") {
                self.run.seeds.insert((kind, id.clone()), content);
            }
            self.knows((kind, id));
            for call in message["toolCalls"].as_array().into_iter().flatten() {
                let id = text(call, "id").unwrap_or_default();
                self.knows(("call", id.clone()));
                let function = &call["function"];
                self.listed.insert(id.clone(), text(function, "name").unwrap_or_default());
                if input {
                    let arguments = text(function, "arguments").unwrap_or_default();
                    self.run.seeds.insert(("call", id), arguments);
                }
            }
            let Some(call) = answers else { continue };
            if input {
                if self.is_frontend(&call) {
                    self.seen.insert("answer to a frontend call");
                }
                self.carried.insert(call);
                continue;
            }
            if self.is_frontend(&call) {
                self.check(self.carried.contains(&call), "tool/frontend-call-unanswered", &call);
                self.seen.insert("carried answer restated");
            }
            if self.run.calls.contains(&call) && self.run.answered.insert(call) {
                self.seen.insert("answer in a snapshot");
            }
        }
    }

    fn types_have_values(&mut self, value: &Value) {
        match value {
            Value::Object(members) => {
                let has = |name| members.contains_key(name);
                let holds = !has("encryptedValueType") || has("encryptedValue");
                self.check(holds, "reasoning/encrypted-type-needs-value", "");
                let reserved = members.get("metadata").is_some_and(|m| m.get("ag-ui").is_some());
                self.check(!reserved, "shape/metadata-reserved-key", "");
                for member in members.values() {
                    self.types_have_values(member);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.types_have_values(item)),
            _ => {}
        }
    }
}
