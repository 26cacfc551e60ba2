//! Writing how runs begin and end.

use serde_json::{Value, json};

use super::Weaver;
use super::words::any_value;
use crate::plan::{Ending, Listed, Outcome, Run};
use crate::state::{Owner, Phase};
use crate::style::Style;

/// The thread of every stream.
const THREAD: &str = "thread-1";

impl Weaver<'_> {
    /// Writes RUN_STARTED, and begins the run.
    pub(super) fn begin(&mut self, index: usize, run: &Run, run_id: &str) {
        self.style = self.styled(run.style, 0);
        let mut started = json!({
            "type": "RUN_STARTED",
            "threadId": THREAD,
            "runId": run_id,
            "protocolVersion": run.version.as_str(),
        });
        if self.style.one_in("parentRunId", 4) {
            started["parentRunId"] = json!(format!("run-{index}"));
        }
        let resumed = std::mem::take(&mut self.state.interrupts);
        // An input is judged by the version that its own run declares.
        self.state.version = Some(run.version);
        let input = run.echo.as_ref().map(|listed| self.echo(run, listed, &started, &resumed));
        if let Some(input) = &input {
            started["input"] = input.clone();
        }
        self.emit(started);
        self.state.begin();
        self.state.version = Some(run.version);
        self.state.runs.push(run_id.to_owned());
        for agent in &run.agents {
            let spawner = run.agents.get(agent.spawned_by).and_then(|agent| agent.id.clone());
            self.state.spawners.extend(agent.id.clone().map(|id| (id, spawner)));
        }
        if let Some(input) = &input {
            self.state.input_known = input["resume"].as_array().is_none_or(Vec::is_empty);
            self.state.tools.extend(run.tools.iter().map(|tool| (*tool).to_owned()));
            // An input without state establishes the empty one; what has come before stands.
            let empty = || input.get("state").cloned().unwrap_or_else(|| json!({}));
            self.state.shared.get_or_insert_with(empty);
            self.learn(input["messages"].as_array().map_or(&[], Vec::as_slice), true);
        }
    }

    /// The input of a run, as RUN_STARTED echoes it.
    fn echo(&self, run: &Run, listed: &[Listed], started: &Value, resumed: &[String]) -> Value {
        let style = self.style;
        let mut messages: Vec<Value> = Vec::new();
        if run.restates {
            messages = self.earlier_messages(run);
        }
        for listed in listed {
            let message = self.message(listed);
            if !messages.iter().any(|other| other["id"] == message["id"]) {
                messages.push(message);
            }
        }
        let mut input = json!({
            "threadId": started["threadId"],
            "runId": started["runId"],
            "protocolVersion": started["protocolVersion"],
            "messages": messages,
        });
        if let Some(parent) = started.get("parentRunId") {
            input["parentRunId"] = parent.clone();
        }
        if style.one_in("state", 2) {
            input["state"] = match (&self.state.shared, style.below("shared", 4)) {
                (Some(Value::Null), _) | (None, 0) => json!({}),
                // Whatever it says, the state of the stream stands.
                (Some(_), 0) => json!({"stale": true}),
                (Some(shared), _) => shared.clone(),
                (None, 1) => json!([1, "two"]),
                (None, _) => json!({"n": 1, "list": [1, 2], "deep": {"a/b": {"m~n": null}}}),
            };
        }
        if !run.tools.is_empty() || style.one_in("tools", 4) {
            let tools = run.tools.iter().enumerate();
            input["tools"] = tools.map(|(at, tool)| self.tool(tool, style.part(at))).collect();
        }
        if style.one_in("context", 3) {
            input["context"] = json!([{"description": "the user's time zone", "value": "UTC"}]);
        }
        if style.one_in("forwardedProps", 3) {
            input["forwardedProps"] = any_value(style, "props");
        }
        if style.one_in("resume", 2) {
            input["resume"] = resumed
                .iter()
                .enumerate()
                .map(|(at, id)| self.resume(id, style.part(at)))
                .collect();
        }
        input
    }

    fn tool(&self, name: &str, style: Style) -> Value {
        let mut tool = json!({"name": name, "description": "asks the user"});
        if style.one_in("parameters", 2) {
            tool["parameters"] = json!({"type": "object", "properties": {}});
        }
        self.metadata(&mut tool, style);
        tool
    }

    fn resume(&self, id: &str, style: Style) -> Value {
        let status = style.pick("status", ["resolved", "cancelled"]);
        let mut entry = json!({"interruptId": id, "status": status});
        if style.one_in("payload", 2) {
            entry["payload"] = any_value(style, "payload");
        }
        self.metadata(&mut entry, style);
        entry
    }

    /// Ends a run as planned.
    pub(super) fn end(&mut self, run: &Run, run_id: &str) {
        let outcome = match run.ending {
            Ending::Failed(_) => {
                self.style = self.styled(run.style, 1);
                return self.fail("the model is gone");
            }
            Ending::Finished(outcome) => outcome,
        };
        self.style = self.styled(run.style, 1);
        self.complete_all_lanes();
        let style = self.style;
        let mut finished = json!({"type": "RUN_FINISHED", "threadId": THREAD, "runId": run_id});
        let pending = self.state.unanswered.clone();
        match outcome {
            Some(Outcome::Interrupt) => {
                let interrupts = interrupts(run);
                finished["outcome"] = json!({
                    "type": "interrupt",
                    "interrupts": self.described_interrupts(&interrupts),
                });
                self.state.interrupts = interrupts;
            }
            Some(Outcome::Cancelled) => finished["outcome"] = json!({"type": "cancelled"}),
            None if pending.is_empty() => {}
            Some(Outcome::Success) | None => {
                finished["outcome"] = json!({"type": "success"});
                if !pending.is_empty() || style.one_in("nothing pending", 3) {
                    finished["outcome"]["pendingToolCallIds"] = json!(pending);
                }
            }
        }
        if outcome != Some(Outcome::Cancelled) && style.one_in("result", 3) {
            finished["result"] = any_value(style, "result");
        }
        if style.one_in("usage", 3) {
            finished["usage"] = usage(style);
        }
        self.emit(finished);
        self.state.close_all_lanes();
        self.state.phase = Phase::Finished;
        if run.late_error {
            self.style = self.styled(run.style, 2);
            self.fail("the transcript could not be kept");
        }
    }

    fn fail(&mut self, message: &str) {
        let mut failed = json!({"type": "RUN_ERROR", "message": message});
        if self.style.one_in("code", 3) {
            failed["code"] = json!("unavailable");
        }
        if self.style.one_in("usage", 3) {
            failed["usage"] = usage(self.style);
        }
        self.emit(failed);
        self.state.close_all_lanes();
        self.state.phase = Phase::Failed;
    }

    fn described_interrupts(&self, ids: &[String]) -> Vec<Value> {
        let waiting = &self.state.unanswered;
        let described = ids.iter().enumerate().map(|(at, id)| {
            let style = self.style.part(at);
            let reason = style.pick("reason", ["approval", "acme:question", ""]);
            let mut interrupt = json!({"id": id, "reason": reason});
            if style.one_in("message", 3) {
                interrupt["message"] = json!("May I?");
            }
            // The first one asks about no frontend call: a run that only waits for those is
            // no interrupted one.
            let asked = waiting.get(style.below("call", waiting.len()));
            let asked = asked.filter(|call| at > 0 || !self.state.is_frontend(call));
            if let Some(call) = asked.filter(|_| style.one_in("toolCallId", 2)) {
                interrupt["toolCallId"] = json!(call);
            }
            if style.one_in("responseSchema", 4) {
                interrupt["responseSchema"] = json!({"type": "boolean"});
            }
            if style.one_in("expiresAt", 4) {
                interrupt["expiresAt"] = json!("2030-01-01T00:00:00Z");
            }
            let owner: Owner = self.state.announced.first().cloned();
            if let Some(owner) = owner.filter(|_| style.one_in("owner", 3)) {
                interrupt["subagentRunId"] = json!(owner);
            }
            self.metadata(&mut interrupt, style);
            interrupt
        });
        described.collect()
    }
}

/// The interrupts that a run ends with.
pub(super) fn interrupts(run: &Run) -> Vec<String> {
    if run.interrupts.is_empty() { vec!["i1".to_owned()] } else { run.interrupts.clone() }
}

/// Token usage, an entry a provider and model.
fn usage(style: Style) -> Value {
    const MODELS: [(Option<&str>, Option<&str>); 6] = [
        (Some("acme"), Some("large")),
        (Some("acme"), Some("small")),
        (Some("other"), Some("large")),
        (Some("acme"), None),
        (None, Some("large")),
        (None, None),
    ];
    let first = style.below("model", MODELS.len());
    let count = style.below("models", 4);
    let entries = MODELS.iter().cycle().skip(first).take(count).enumerate();
    entries.map(|(at, model)| usage_of(*model, style.part(at))).collect()
}

fn usage_of((provider, model): (Option<&str>, Option<&str>), style: Style) -> Value {
    let mut entry = json!({});
    if let Some(provider) = provider {
        entry["provider"] = json!(provider);
    }
    if let Some(model) = model {
        entry["model"] = json!(model);
    }
    let (cached, written) = (style.below("cached", 50), style.below("written", 50));
    let input = cached + written + style.pick("more input", [0, 1, 1000]);
    let reasoning = style.below("reasoning", 50);
    let output = reasoning + style.pick("more output", [0, 1, 1000]);
    for (name, value) in [
        ("inputTokens", input),
        ("outputTokens", output),
        ("totalTokens", input + output),
        ("reasoningTokens", reasoning),
        ("cachedInputTokens", cached),
        ("cacheWriteInputTokens", written),
    ] {
        if !style.one_in(name, 3) {
            entry[name] = json!(value);
        }
    }
    entry
}
