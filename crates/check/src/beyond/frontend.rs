//! Calls of the tools that the application executes itself.

use std::collections::{HashMap, HashSet};

use conform_event::json::Json;
use conform_event::{Body, EventType, Item, quote};
use conform_verify::EntityKind;

use super::{Broken, Said, Seen, calls_made, tool_answers};

#[derive(Debug, Clone, Default)]
pub(super) struct Frontend {
    /// What the request advertises.
    request: HashSet<String>,
    /// The tools of the current run's input.
    tools: HashSet<String>,
    /// The calls opened on the stream, and whether they are of such a tool.
    opened: HashMap<String, bool>,
    /// The names of calls that lists hold.
    listed: HashMap<String, String>,
    /// The frontend calls that the run has opened and nothing has answered.
    open: HashSet<String>,
    /// The calls that a tool message of an input answers, or that were told.
    excused: HashSet<String>,
}

impl Frontend {
    pub(super) fn seed(&mut self, request: &Json<'_>) {
        self.request = tools(request);
        self.input(request);
    }

    /// Takes in what an input holds.
    fn input(&mut self, input: &Json<'_>) {
        self.calls_of(input);
        self.excused.extend(tool_answers(input).map(|(_, call)| call.to_owned()));
    }

    fn calls_of(&mut self, holder: &Json<'_>) {
        for call in calls_made(holder) {
            let text = |pointer| call.at(pointer).and_then(Json::as_str);
            if let Some((id, name)) = text("/id").zip(text("/function/name")) {
                self.listed.entry(id.to_owned()).or_insert_with(|| name.to_owned());
            }
        }
    }

    fn is_frontend(&self, call: &str) -> bool {
        match self.opened.get(call) {
            Some(frontend) => *frontend,
            None => self.listed.get(call).is_some_and(|name| self.tools.contains(name)),
        }
    }

    pub(super) fn observe(&mut self, seen: &Seen<'_>, said: &mut Said) {
        if seen.event_type == Some(EventType::RunStarted) {
            self.tools = seen.echo().map(tools).unwrap_or_default();
            if seen.asked {
                self.tools.extend(self.request.iter().cloned());
            }
            self.open.clear();
            if let Some(echo) = seen.echo() {
                self.input(echo);
            }
        }
        if let Some((Item::ToolCall, id)) = seen.opens() {
            let name = seen.text("toolCallName");
            let frontend = name.is_some_and(|name| self.tools.contains(name));
            self.opened.insert(id.to_owned(), frontend);
            if frontend {
                said.test("tool/frontend-call-unanswered");
                self.open.insert(id.to_owned());
            }
        }
        match &seen.event.body {
            Body::ToolResult { call, .. } => {
                if self.is_frontend(call) {
                    let message = format!(
                        "the application executes the tool of call {}, and the producer answers it",
                        quote(call)
                    );
                    let told = Broken::new("tool/frontend-call-unanswered", "/toolCallId", message);
                    said.push(told.about(EntityKind::ToolCall, call));
                }
                self.open.remove(call.as_ref());
            }
            Body::MessagesSnapshot { .. } => self.list(seen, said),
            Body::RunFinished => self.run_finished(seen, said),
            _ => {}
        }
    }

    fn list(&mut self, seen: &Seen<'_>, said: &mut Said) {
        self.calls_of(seen.json);
        for (index, call) in tool_answers(seen.json) {
            if self.is_frontend(call) && self.excused.insert(call.to_owned()) {
                let message = format!(
                    "the application executes the tool of call {}, and the snapshot holds an \
                     answer that it never sent",
                    quote(call)
                );
                let pointer = format!("/messages/{index}");
                let told = Broken::new("tool/frontend-call-unanswered", pointer, message);
                said.push(told.about(EntityKind::ToolCall, call));
            }
            self.open.remove(call);
        }
    }

    fn run_finished(&self, seen: &Seen<'_>, said: &mut Said) {
        if self.open.is_empty() {
            return;
        }
        said.test("tool/frontend-stop-is-success");
        if seen.outcome() != Some("interrupt") {
            return;
        }
        let interrupts = seen.json.at("/outcome/interrupts").map_or(&[][..], Json::items);
        let about_call = |interrupt: &Json<'_>| {
            let call = interrupt.text("toolCallId");
            call.is_some_and(|call| self.open.contains(call))
        };
        if !interrupts.is_empty() && interrupts.iter().all(about_call) {
            let message = "the run stops on calls that the application executes, and asks for \
                           nothing else: it ends with the success outcome, not as interrupted";
            said.push(Broken::new("tool/frontend-stop-is-success", "/outcome/type", message));
        }
    }
}

/// The names of the tools that an input advertises.
fn tools(input: &Json<'_>) -> HashSet<String> {
    let tools = input.list("tools");
    tools.iter().filter_map(|tool| tool.text("name")).map(str::to_owned).collect()
}
