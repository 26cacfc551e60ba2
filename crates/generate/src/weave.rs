//! Weaving a plan into a stream.
//!
//! The events of all items are sorted by their time; then each is written in a form that is
//! right where it stands: the tag that its owner allows, the chunk form that its lane allows.
//! What cannot be right there (a call reopened after its parent message has changed hands)
//! is left out with the rest of its item.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::{Value, json};

use crate::plan::{Agent, AgentEnd, Ending, Outcome, Plan, Planned, Run, Scope};
use crate::state::{Kind, Owner, State};
use crate::style::Style;

mod arguments;
mod chunk;
mod items;
mod lists;
mod run;
mod shared;
mod step;
mod words;

use step::Step;
use words::{any_value, metadata};

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
            scope: self.scope,
            style: Style::PLAIN,
            state: State::default(),
            dead: HashMap::new(),
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
    scope: Scope,
    /// How what is being written is written.
    style: Style,
    state: State,
    /// The items that go on no more, by agent and place, and at which part that was.
    dead: HashMap<(usize, usize), usize>,
}

impl Weaver<'_> {
    /// The style of a part of what has this number in the plan; in run scope all is plain.
    fn styled(&self, number: u64, part: usize) -> Style {
        if self.scope == Scope::Stream { Style::of(number, part) } else { Style::PLAIN }
    }

    /// Writes an event, with what any event may have; what it changes is changed after.
    fn emit(&mut self, mut event: Value) {
        if self.style.one_in("timestamp", 6) {
            event["timestamp"] = json!(1_767_225_600_000_u64 + 10 * self.out.len() as u64);
        }
        if self.style.one_in("rawEvent", 12) {
            event["rawEvent"] = any_value(self.style, "raw");
        }
        if self.style.one_in("event metadata", 12) {
            event["metadata"] = metadata(self.style);
        }
        if (self.keeps)(self.out.len()) {
            self.states.insert(self.out.len(), self.state.clone());
        }
        self.out.push(event);
    }

    fn run(&mut self, index: usize, run: &Run) {
        let run_id = format!("run-{}", index + 1);
        self.begin(index, run, &run_id);
        self.dead.clear();
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

    fn step(&mut self, run: &Run, step: Step) {
        match step {
            Step::Begin(agent) => self.begin_agent(run, agent),
            Step::End(agent) => self.end_agent(run, agent),
            Step::Item { agent, item, part } => {
                let planned = &run.agents[agent].items[item];
                let dead = self.dead.get(&(agent, item)).copied();
                // A span that was begun ends, whatever became of its message.
                if dead.is_some_and(|at| at == 0 || !step::ends_span(&planned.item, part)) {
                    return;
                }
                self.style = self.styled(planned.style, part);
                if !self.item(run, agent, planned, part) {
                    self.dead.insert((agent, item), part);
                }
            }
        }
    }

    fn begin_agent(&mut self, run: &Run, place: usize) {
        let agent = &run.agents[place];
        let Some(id) = &agent.id else { return };
        self.style = self.styled(agent.style, 0);
        let mut started =
            json!({"type": "SUBAGENT_STARTED", "subagentRunId": id, "name": "helper"});
        if self.style.one_in("description", 3) {
            started["description"] = json!("helps with the search");
        }
        let call = self.state.run_calls.last().filter(|_| self.style.one_in("call", 3));
        if let Some(call) = call {
            started["parentToolCallId"] = json!(call);
        }
        let mut messages = self.state.messages.keys().filter(|(kind, _)| *kind == Kind::Text);
        if let Some((_, message)) = messages.next_back().filter(|_| self.style.one_in("message", 3))
        {
            started["parentMessageId"] = json!(message);
        }
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
        self.style = self.styled(agent.style, 1);
        self.complete_lane(&Some(id.clone()));
        self.emit(self.subagent_end(run, agent, id));
        self.state.end_lane(&Some(id.clone()), true);
        self.state.ended.insert(id.clone());
        self.state.closes(Kind::Subagent, id, &None);
    }

    fn subagent_end(&self, run: &Run, agent: &Agent, id: &str) -> Value {
        let style = self.style;
        if agent.failed {
            let message = "gave up";
            let mut ended =
                json!({"type": "SUBAGENT_ERROR", "subagentRunId": id, "message": message});
            if style.one_in("code", 3) {
                ended["code"] = json!("E42");
            }
            return ended;
        }
        let mut ended = json!({"type": "SUBAGENT_FINISHED", "subagentRunId": id});
        if style.one_in("result", 3) {
            ended["result"] = any_value(style, "result");
        }
        // It is suspended for what the run will ask, if it comes to that.
        let asks = run.ending == Ending::Finished(Some(Outcome::Interrupt));
        if asks && style.one_in("suspended", 2) {
            ended["outcome"] = json!({"type": "suspended"});
            let mut asked = run::interrupts(run);
            asked.truncate(style.below("asked", asked.len() + 1));
            if !style.one_in("unsaid", 3) {
                ended["outcome"]["interruptIds"] = json!(asked);
            }
        } else if style.one_in("success", 3) {
            ended["outcome"] = json!({"type": "success"});
        }
        ended
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

/// One of the bits that say how an item is written.
fn bit(planned: &Planned, at: usize) -> bool {
    planned.style >> (at % 32) & 1 == 1
}
