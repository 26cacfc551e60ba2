//! Weaving a plan into a stream.
//!
//! The events of all items are sorted by their time; then each is written in a form that is
//! right where it stands: the tag that its owner allows, the chunk form that its lane allows.
//! What cannot be right there (a call reopened after its parent message has changed hands)
//! is left out with the rest of its item.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde_json::{Value, json};

use crate::plan::{AgentEnd, Ending, Listed, Outcome, Plan, Planned, Run};
use crate::state::{Kind, Owner, Phase, State};

mod chunk;
mod items;
mod step;

use step::Step;

/// A stream that a plan makes.
#[derive(Debug, Clone)]
pub struct Woven {
    /// The events, in order.
    pub events: Vec<Value>,
    /// What is known before the events of these indexes, and after the last; empty unless
    /// asked for.
    pub states: BTreeMap<usize, State>,
    /// The agents' depths below the parent agent, the deepest one.
    pub depth: usize,
}

impl Woven {
    /// The events as JSON Lines.
    ///
    /// ```
    /// use conform_generate::{Dice, Plan, Scope};
    /// let woven = Plan::grow(&mut Dice::of(3), Scope::Stream).weave();
    /// assert_eq!(woven.ndjson().lines().count(), woven.events.len());
    /// ```
    pub fn ndjson(&self) -> String {
        self.lines("", "\n")
    }

    /// The events as an SSE body.
    pub fn sse(&self) -> String {
        self.lines("data: ", "\n\n")
    }

    fn lines(&self, before: &str, after: &str) -> String {
        let mut text = String::new();
        for event in &self.events {
            text.push_str(before);
            text.push_str(&event.to_string());
            text.push_str(after);
        }
        text
    }
}

impl Plan {
    /// The stream that the plan makes.
    pub fn weave(&self) -> Woven {
        self.woven(|_| false)
    }

    /// The stream, and what is known before each of its events: what faults are made from.
    pub fn weave_with_states(&self) -> Woven {
        self.woven(|_| true)
    }

    /// The stream, and what is known before the events of these indexes.
    pub(crate) fn weave_at(&self, places: &BTreeSet<usize>) -> Woven {
        self.woven(|at| places.contains(&at))
    }

    fn woven(&self, keeps: impl Fn(usize) -> bool) -> Woven {
        let mut weaver = Weaver {
            out: Vec::new(),
            states: BTreeMap::new(),
            keeps: &keeps,
            state: State::default(),
            dead: HashSet::new(),
        };
        for (index, run) in self.runs.iter().enumerate() {
            weaver.run(index, run);
        }
        if keeps(weaver.out.len()) {
            weaver.states.insert(weaver.out.len(), weaver.state.clone());
        }
        let depth = self.runs.iter().map(deepest).max().unwrap_or_default();
        Woven { events: weaver.out, states: weaver.states, depth }
    }
}

fn deepest(run: &Run) -> usize {
    let mut depths: Vec<usize> = Vec::new();
    for (place, agent) in run.agents.iter().enumerate() {
        let above = depths.get(agent.spawned_by).copied().unwrap_or_default();
        depths.push(if place == 0 { 0 } else { above + 1 });
    }
    depths.into_iter().max().unwrap_or_default()
}

pub(crate) struct Weaver<'w> {
    out: Vec<Value>,
    states: BTreeMap<usize, State>,
    keeps: &'w dyn Fn(usize) -> bool,
    state: State,
    /// The items that go on no more, by agent and place.
    dead: HashSet<(usize, usize)>,
}

impl Weaver<'_> {
    /// Writes an event; what it changes is changed after.
    fn emit(&mut self, event: Value) {
        if (self.keeps)(self.out.len()) {
            self.states.insert(self.out.len(), self.state.clone());
        }
        self.out.push(event);
    }

    fn run(&mut self, index: usize, run: &Run) {
        let run_id = format!("run-{}", index + 1);
        let mut started = json!({
            "type": "RUN_STARTED",
            "threadId": "thread-1",
            "runId": run_id,
            "protocolVersion": "1.1",
        });
        if let Some(listed) = &run.echo {
            let messages: Vec<Value> = listed.iter().map(message).collect();
            started["input"] = json!({
                "threadId": "thread-1",
                "runId": run_id,
                "protocolVersion": "1.1",
                "messages": messages,
            });
        }
        self.emit(started);
        self.state.begin();
        for agent in &run.agents {
            let spawner = run.agents.get(agent.spawned_by).and_then(|agent| agent.id.clone());
            self.state.spawners.extend(agent.id.clone().map(|id| (id, spawner)));
        }
        self.dead.clear();
        if let Some(listed) = &run.echo {
            self.state.input_known = true;
            // An input without state establishes the empty one.
            self.state.shared_is_known = true;
            for listed in listed {
                self.state.own_first(kind_of(listed.role), &listed.id, &listed.tag);
                for call in &listed.calls {
                    self.state.own_first(Kind::Call, call, &listed.tag);
                }
            }
        }
        let steps = timetable(run);
        let most = match run.ending {
            Ending::Failed(after) => after,
            Ending::Finished(_) => usize::MAX,
        };
        let begun = self.out.len();
        for step in steps {
            if self.out.len() - begun >= most {
                break;
            }
            self.step(run, step);
        }
        self.end(run, &run_id);
    }

    fn end(&mut self, run: &Run, run_id: &str) {
        let outcome = match run.ending {
            Ending::Failed(_) => return self.fail("the model is gone"),
            Ending::Finished(outcome) => outcome,
        };
        let mut finished = json!({"type": "RUN_FINISHED", "threadId": "thread-1", "runId": run_id});
        let pending = self.state.unanswered.clone();
        match outcome {
            Some(Outcome::Interrupt) => {
                let interrupt = json!({"id": "i1", "reason": "approval"});
                finished["outcome"] = json!({"type": "interrupt", "interrupts": [interrupt]});
            }
            Some(Outcome::Cancelled) => finished["outcome"] = json!({"type": "cancelled"}),
            None if pending.is_empty() => {}
            Some(Outcome::Success) | None => {
                finished["outcome"] = json!({"type": "success"});
                if !pending.is_empty() {
                    finished["outcome"]["pendingToolCallIds"] = json!(pending);
                }
            }
        }
        self.emit(finished);
        self.state.close_all_lanes();
        self.state.phase = Phase::Finished;
        if run.late_error {
            self.fail("the transcript could not be kept");
        }
    }

    fn fail(&mut self, message: &str) {
        self.emit(json!({"type": "RUN_ERROR", "message": message}));
        self.state.close_all_lanes();
        self.state.phase = Phase::Failed;
    }

    fn step(&mut self, run: &Run, step: Step) {
        match step {
            Step::Begin(agent) => self.begin_agent(run, agent),
            Step::End(agent) => self.end_agent(run, agent),
            Step::Item { agent, item, part } => {
                if self.dead.contains(&(agent, item)) {
                    return;
                }
                let planned = &run.agents[agent].items[item];
                if !self.item(run, agent, planned, part) {
                    self.dead.insert((agent, item));
                }
            }
        }
    }

    fn begin_agent(&mut self, run: &Run, place: usize) {
        let agent = &run.agents[place];
        let Some(id) = &agent.id else { return };
        let mut started =
            json!({"type": "SUBAGENT_STARTED", "subagentRunId": id, "name": "helper"});
        let spawner = run.agents[agent.spawned_by].id.as_ref();
        if let Some(spawner) = spawner.filter(|id| self.state.announced.contains(*id)) {
            started["parentSubagentRunId"] = json!(spawner);
        }
        self.emit(started);
        self.state.announced.insert(id.clone());
        self.state.tags.insert(id.clone());
        self.state.opens(Kind::Subagent, id, &None, None);
    }

    fn end_agent(&mut self, run: &Run, place: usize) {
        let agent = &run.agents[place];
        let Some(id) = &agent.id else { return };
        self.emit(if agent.failed {
            json!({"type": "SUBAGENT_ERROR", "subagentRunId": id, "message": "gave up"})
        } else {
            json!({"type": "SUBAGENT_FINISHED", "subagentRunId": id})
        });
        self.state.end_lane(&Some(id.clone()), true);
        self.state.ended.insert(id.clone());
        self.state.closes(Kind::Subagent, id, &None);
    }

    /// The tag of an agent; none where it is announced and has not begun.
    fn usable(&self, run: &Run, place: usize) -> Option<Owner> {
        let agent = run.agents.get(place)?;
        match &agent.id {
            Some(id) if agent.announced && !self.state.announced.contains(id) => None,
            id => Some(id.clone()),
        }
    }

    /// Adds a tag to an event, and remembers that it is in use.
    fn tag(&mut self, event: &mut Value, tag: &Owner) {
        if let Some(tag) = tag {
            event["subagentRunId"] = json!(tag);
            self.state.tags.insert(tag.clone());
        }
    }
}

/// The steps of a run in the order of their times.
fn timetable(run: &Run) -> Vec<Step> {
    let mut timed: Vec<(u32, Step)> = Vec::new();
    let mut begins: Vec<u32> = Vec::new();
    for (place, agent) in run.agents.iter().enumerate() {
        let begin = match place {
            0 => 0,
            _ => begins.get(agent.spawned_by).copied().unwrap_or_default() + 1 + agent.start,
        };
        begins.push(begin);
        let announced = agent.announced && agent.id.is_some();
        if announced {
            timed.push((begin, Step::Begin(place)));
        }
        let mut last = begin;
        for (item, planned) in agent.items.iter().enumerate() {
            for part in 0..step::parts(&planned.item) {
                let offset = u32::try_from(part).unwrap_or(u32::MAX).saturating_mul(planned.gap);
                let at = begin + 1 + planned.start.saturating_add(offset);
                last = last.max(at);
                timed.push((at, Step::Item { agent: place, item, part }));
            }
        }
        if announced {
            let end = match agent.end {
                AgentEnd::After(time) => last + 1 + time,
                AgentEnd::Early(time) => begin + 1 + time,
            };
            timed.push((end, Step::End(place)));
        }
    }
    // Stable: what is planned for the same time keeps the order of the plan.
    timed.sort_by_key(|(at, _)| *at);
    timed.into_iter().map(|(_, step)| step).collect()
}

fn kind_of(role: &str) -> Kind {
    match role {
        "reasoning" => Kind::Reasoning,
        "activity" => Kind::Activity,
        _ => Kind::Text,
    }
}

/// A listed message as it stands in an input or a snapshot.
fn message(listed: &Listed) -> Value {
    let mut message = json!({"id": listed.id, "role": listed.role});
    if listed.role == "activity" {
        message["activityType"] = json!("acme.progress");
        message["content"] = json!({});
    } else {
        message["content"] = json!("said before");
    }
    if let Some(tag) = &listed.tag {
        message["subagentRunId"] = json!(tag);
    }
    if !listed.calls.is_empty() {
        let call = |id: &String| {
            let function = json!({"name": "lookup", "arguments": "{}"});
            json!({"id": id, "type": "function", "function": function})
        };
        message["toolCalls"] = listed.calls.iter().map(call).collect();
    }
    message
}

/// One of the bits that say how an item is written.
fn bit(planned: &Planned, at: usize) -> bool {
    planned.style >> (at % 32) & 1 == 1
}
