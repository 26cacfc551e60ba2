//! Making a counterexample small: first the plan, then the events.

use conform_event::shape::Version;
use serde_json::Value;

use crate::plan::{Item, Opening, Plan, Run};

impl Plan {
    /// The smallest plan found that `keep` still holds for, by leaving out runs, agents,
    /// items, openings and pieces, and by weaving them one after another.
    ///
    /// ```
    /// use conform_generate::{Dice, Plan, Scope};
    /// let plan = Plan::grow(&mut Dice::of(3), Scope::Stream);
    /// let small = plan.clone().shrink(|plan| plan.weave().ndjson().contains("RUN_STARTED"));
    /// assert!(small.size() <= plan.size());
    /// assert_eq!(small.runs.len(), 1);
    /// ```
    #[must_use]
    pub fn shrink(mut self, mut keep: impl FnMut(&Self) -> bool) -> Self {
        loop {
            let smaller = self.smaller().into_iter().find(|plan| keep(plan));
            match smaller {
                Some(plan) => self = plan,
                None => return self,
            }
        }
    }

    /// The plans that are one step smaller, the boldest steps first.
    pub(crate) fn smaller(&self) -> Vec<Self> {
        let mut plans = Vec::new();
        let mut edit = |change: &dyn Fn(&mut Self) -> bool| {
            let mut plan = self.clone();
            if change(&mut plan) && plan != *self {
                plans.push(plan);
            }
        };
        for run in 0..self.runs.len() {
            edit(&|plan| {
                plan.runs.remove(run);
                !plan.runs.is_empty()
            });
        }
        for (r, run) in self.runs.iter().enumerate() {
            for agent in (1..run.agents.len()).rev() {
                edit(&|plan| {
                    plan.without_agent(r, agent);
                    true
                });
            }
            for (a, agent) in run.agents.iter().enumerate() {
                for item in (0..agent.items.len()).rev() {
                    edit(&|plan| {
                        plan.runs[r].agents[a].items.remove(item);
                        true
                    });
                }
            }
            edit(&|plan| {
                plan.runs[r].echo = None;
                plan.runs[r].late_error = false;
                plan.runs[r].restates = false;
                plan.runs[r].tools.clear();
                true
            });
            edit(&|plan| {
                plan.runs[r].style = 0;
                plan.runs[r].version = Version::V1_1;
                true
            });
            edit(&|plan| smaller_echo(&mut plan.runs[r]));
            for (a, agent) in run.agents.iter().enumerate() {
                for item in 0..agent.items.len() {
                    edit(&|plan| smaller_item(&mut plan.runs[r].agents[a].items[item].item));
                    edit(&|plan| {
                        let planned = &mut plan.runs[r].agents[a].items[item];
                        planned.start /= 2;
                        planned.gap = 1;
                        planned.style = 0;
                        true
                    });
                }
                edit(&|plan| {
                    let agent = &mut plan.runs[r].agents[a];
                    agent.start /= 2;
                    agent.spawned_by = 0;
                    agent.failed = false;
                    agent.style = 0;
                    true
                });
            }
        }
        plans
    }

    fn without_agent(&mut self, run: usize, gone: usize) {
        let run = &mut self.runs[run];
        run.agents.remove(gone);
        let moved = |place: &mut usize| match (*place).cmp(&gone) {
            std::cmp::Ordering::Less => {}
            std::cmp::Ordering::Equal => *place = 0,
            std::cmp::Ordering::Greater => *place -= 1,
        };
        for agent in &mut run.agents {
            moved(&mut agent.spawned_by);
            for planned in &mut agent.items {
                match &mut planned.item {
                    Item::Call { result: Some((_, by)), .. } => moved(by),
                    Item::Snapshot { given_to: Some(to), .. } => moved(to),
                    _ => {}
                }
            }
        }
    }
}

/// One part less of what a run's echo says, or one interrupt less of several.
fn smaller_echo(run: &mut Run) -> bool {
    let listed = run.echo.as_mut().and_then(Vec::pop).is_some();
    listed || run.tools.pop().is_some() || {
        let several = run.interrupts.len() > 1;
        several && run.interrupts.pop().is_some()
    }
}

/// Makes an item smaller, if it can be.
fn smaller_item(item: &mut Item) -> bool {
    match item {
        Item::Text { openings, .. } | Item::Reasoning { openings, .. } => fewer(openings, 0),
        Item::Call { openings, result, .. } => result.take().is_some() || fewer(openings, 1),
        Item::Activity { changes, .. } => changes.pop().is_some(),
        Item::State { deltas, .. } if *deltas > 0 => {
            *deltas -= 1;
            true
        }
        Item::Snapshot { more, answer, .. } => more.pop().is_some() || answer.take().is_some(),
        _ => false,
    }
}

/// One opening less, or one piece less of the only one.
fn fewer(openings: &mut Vec<Opening>, fewest: u8) -> bool {
    if openings.len() > 1 {
        return openings.pop().is_some();
    }
    let piece = openings.first_mut().filter(|opening| opening.pieces > fewest);
    piece.map(|opening| opening.pieces -= 1).is_some()
}

/// The shortest list of events found that `keep` still holds for, by leaving out events, half
/// of them at once at first, then their members one by one.
///
/// ```
/// use conform_generate::shrink_events;
/// use serde_json::json;
/// let events = vec![json!({"type": "RAW"}), json!({"type": "CUSTOM", "name": "n"})];
/// let small = shrink_events(events, |events| events.iter().any(|e| e["type"] == "CUSTOM"));
/// assert_eq!(small, [json!({"type": "CUSTOM"})]);
/// ```
pub fn shrink_events(mut events: Vec<Value>, mut keep: impl FnMut(&[Value]) -> bool) -> Vec<Value> {
    let mut size = events.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < events.len() {
            let mut fewer = events.clone();
            fewer.drain(at..events.len().min(at + size));
            if keep(&fewer) {
                events = fewer;
            } else {
                at += size;
            }
        }
        size = if size == 1 { 0 } else { size.div_ceil(2) };
    }
    for at in 0..events.len() {
        let names: Vec<String> = match &events[at] {
            Value::Object(members) => members.keys().filter(|n| *n != "type").cloned().collect(),
            _ => Vec::new(),
        };
        for name in names {
            let mut less = events.clone();
            if let Some(members) = less[at].as_object_mut() {
                members.shift_remove(&name);
            }
            if keep(&less) {
                events = less;
            }
        }
    }
    events
}
