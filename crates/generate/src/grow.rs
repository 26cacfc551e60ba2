//! Growing a plan at random.

use conform_event::shape::Version;

use crate::choose::Choose;
use crate::names::{Names, Space};
use crate::plan::{
    Agent, AgentEnd, Change, Ending, Item, Listed, ListedCall, Opening, Outcome, Plan, Planned,
    Run, Scope,
};

/// The deepest tree of agents below the parent agent.
const DEEPEST: usize = 5;

/// The tools that the agent runs itself, whatever the run's input advertises.
const OWN_TOOLS: [&str; 3] = ["lookup", "search", "write_file"];

/// The tools that an input may advertise: their calls are answered by the next input, if they
/// are advertised.
const FRONTEND_TOOLS: [&str; 2] = ["confirm", "pick_colour"];

impl Plan {
    /// A plan of usual size: up to three runs, up to six agents, up to five items each.
    ///
    /// ```
    /// use conform_generate::{Dice, Plan, Scope};
    /// let plan = Plan::grow(&mut Dice::of(1), Scope::Stream);
    /// assert_eq!(plan, Plan::grow(&mut Dice::of(1), Scope::Stream));
    /// ```
    pub fn grow(choose: &mut dyn Choose, scope: Scope) -> Self {
        let runs = if scope == Scope::Stream && choose.one_in(3) { 2 + choose.below(2) } else { 1 };
        let agents = 1 + choose.below(6);
        let items = 1 + choose.below(5);
        Self::sized(choose, scope, runs, agents, items)
    }

    /// A plan of so many runs, of so many agents each, of at most so many items each.
    pub fn sized(
        choose: &mut dyn Choose,
        scope: Scope,
        runs: usize,
        agents: usize,
        items: usize,
    ) -> Self {
        let mut grower = Grower {
            names: Names::new(scope),
            scope,
            known: Vec::new(),
            calls: Vec::new(),
            choose,
        };
        let runs = (0..runs).map(|_| grower.run(agents, items)).collect();
        Self { scope, runs }
    }
}

struct Grower<'c> {
    names: Names,
    scope: Scope,
    /// The ids of messages so far, which other items may take up again.
    known: Vec<(Space, String)>,
    /// The calls so far, likewise.
    calls: Vec<(String, &'static str)>,
    choose: &'c mut dyn Choose,
}

impl Grower<'_> {
    fn below(&mut self, n: usize) -> usize {
        self.choose.below(n)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.choose.one_in(n)
    }

    fn name(&mut self, space: Space) -> String {
        self.names.draw(self.choose, space)
    }

    fn stream(&self) -> bool {
        self.scope == Scope::Stream
    }

    /// An id of a message: a new one, or now and then one that an item before has.
    fn message_id(&mut self, space: Space) -> String {
        if !self.stream() {
            return self.name(space);
        }
        let known: Vec<&String> =
            self.known.iter().filter(|(of, _)| *of == space).map(|(_, id)| id).collect();
        let often = if space == Space::Activity { 2 } else { 6 };
        if !known.is_empty() && self.choose.one_in(often) {
            return known[self.choose.below(known.len())].clone();
        }
        self.new_message_id(space)
    }

    fn new_message_id(&mut self, space: Space) -> String {
        let id = self.name(space);
        self.known.push((space, id.clone()));
        id
    }

    /// A call, and the tool that it is of.
    fn call(&mut self) -> (String, &'static str) {
        if !self.stream() {
            return (self.name(Space::Call), OWN_TOOLS[0]);
        }
        if !self.calls.is_empty() && self.one_in(6) {
            return self.calls[self.choose.below(self.calls.len())].clone();
        }
        let frontend = self.one_in(2);
        let tool = if frontend { FRONTEND_TOOLS[self.below(2)] } else { OWN_TOOLS[self.below(3)] };
        self.new_call(tool)
    }

    fn new_call(&mut self, tool: &'static str) -> (String, &'static str) {
        let id = self.name(Space::Call);
        self.calls.push((id.clone(), tool));
        (id, tool)
    }

    fn style(&mut self) -> u64 {
        if self.stream() {
            (self.below(1 << 16) as u64) << 16 | self.below(1 << 16) as u64
        } else {
            0
        }
    }

    fn time(&mut self, below: usize) -> u32 {
        u32::try_from(self.below(below)).unwrap_or_default()
    }

    fn run(&mut self, agents: usize, items: usize) -> Run {
        // A step's name and a subagent's id may come again in another run.
        self.names.forget(Space::Subagent);
        let echo = self.one_in(if self.stream() { 2 } else { 3 }).then(|| self.listed(3));
        let mut answerable = answerable_of(echo.iter().flatten());
        let restates = self.stream() && !self.one_in(3);
        let tools = if self.stream() && echo.is_some() && !self.one_in(3) {
            FRONTEND_TOOLS[..=self.below(2)].to_vec()
        } else {
            Vec::new()
        };
        let version = if self.stream() && self.one_in(4) { Version::V1_0 } else { Version::V1_1 };
        let mut tree = vec![Agent {
            id: None,
            spawned_by: 0,
            announced: false,
            failed: false,
            style: 0,
            start: 0,
            end: AgentEnd::After(0),
            items: Vec::new(),
        }];
        let mut depths = vec![0];
        for _ in 1..agents {
            let mut spawned_by = self.below(tree.len());
            if depths[spawned_by] >= DEEPEST {
                spawned_by = 0;
            }
            depths.push(depths[spawned_by] + 1);
            let id = Some(self.name(Space::Subagent));
            let announced = !self.one_in(3);
            let end = if self.one_in(4) {
                AgentEnd::Early(self.time(12))
            } else {
                AgentEnd::After(self.time(4))
            };
            let (failed, start) = (self.one_in(4), self.time(8));
            let style = self.style();
            let items = Vec::new();
            tree.push(Agent { id, spawned_by, announced, failed, style, start, end, items });
        }
        for (place, agent) in tree.iter_mut().enumerate() {
            let fewest = usize::from(place == 0);
            let count = self.below(items + 1).max(fewest);
            agent.items = (0..count).map(|_| self.planned(agents, &mut answerable)).collect();
        }
        let ending = match self.below(8) {
            0 => Ending::Failed(self.below(24)),
            1 => Ending::Finished(Some(Outcome::Interrupt)),
            2 => Ending::Finished(Some(Outcome::Cancelled)),
            3 | 4 => Ending::Finished(Some(Outcome::Success)),
            _ => Ending::Finished(None),
        };
        let interrupts = match ending {
            Ending::Finished(Some(Outcome::Interrupt)) if self.stream() => {
                (0..=self.below(3)).map(|_| self.name(Space::Interrupt)).collect()
            }
            _ => Vec::new(),
        };
        let late_error = self.stream() && self.one_in(12);
        let style = self.style();
        Run { version, style, echo, restates, tools, interrupts, agents: tree, ending, late_error }
    }

    fn planned(&mut self, agents: usize, answerable: &mut Vec<String>) -> Planned {
        let item = self.item(agents, answerable);
        let style = (self.below(1 << 16) as u64) << 16 | self.below(1 << 16) as u64;
        Planned { start: self.time(16), gap: 1 + self.time(4), style, item }
    }

    fn item(&mut self, agents: usize, answerable: &mut Vec<String>) -> Item {
        match self.below(24) {
            0..=5 => Item::Text {
                id: self.message_id(Space::Text),
                role: [None, Some("assistant"), Some("developer"), Some("user")][self.below(4)],
                name: [None, None, Some("Ada"), Some("")]
                    [if self.stream() { self.below(4) } else { 0 }],
                openings: self.openings(),
            },
            6..=8 => Item::Reasoning {
                id: self.message_id(Space::Reasoning),
                span: !self.one_in(3),
                openings: self.openings(),
            },
            9..=13 => {
                let (id, tool) = self.call();
                let parent = match self.below(6) {
                    // One that is never seen.
                    0 => Some("never-streamed".to_owned()),
                    // Whatever text of the agent is there when it is woven.
                    1 | 2 => Some(String::new()),
                    _ => None,
                };
                let openings = self.openings();
                let result = (!self.one_in(3))
                    .then(|| (self.name(Space::Result), self.choose.below(agents)));
                let each = self.stream() && self.one_in(2);
                Item::Call { id, tool, parent, openings, result, each }
            }
            14 | 15 => Item::Step { name: self.name(Space::Step) },
            16 | 17 => Item::Activity {
                id: self.message_id(Space::Activity),
                changes: (0..self.below(4))
                    .map(|_| {
                        [Change::Delta, Change::Keep, Change::Replace, Change::Delta]
                            [self.choose.below(4)]
                    })
                    .collect(),
            },
            18 => Item::State {
                snapshot: !self.stream() || self.one_in(2),
                deltas: u8::try_from(self.below(3)).unwrap_or_default() + u8::from(self.stream()),
            },
            19 => {
                let more = self.listed(2);
                answerable.extend(answerable_of(&more));
                let given_to = self.one_in(2).then(|| self.choose.below(agents));
                let answer = (self.stream() && self.one_in(2)).then(|| self.name(Space::Result));
                Item::Snapshot { more, given_to, answer }
            }
            20 if !answerable.is_empty() => {
                let call = answerable.swap_remove(self.choose.below(answerable.len()));
                Item::Answer { call, message: self.name(Space::Result) }
            }
            20 | 21 => Item::Encrypted,
            22 => Item::Raw,
            _ => Item::Custom,
        }
    }

    fn openings(&mut self) -> Vec<Opening> {
        let times = if self.one_in(5) { 2 } else { 1 };
        let chunked = self.one_in(2);
        (0..times)
            .map(|time| Opening {
                chunked: chunked != (time == 1 && self.choose.one_in(3)),
                pieces: u8::try_from(self.choose.below(4)).unwrap_or_default(),
            })
            .collect()
    }

    fn listed(&mut self, most: usize) -> Vec<Listed> {
        let count = self.below(most + 1);
        let mut list: Vec<Listed> = Vec::new();
        for _ in 0..count {
            let role = ["assistant", "user", "assistant", "reasoning", "activity"][self.below(5)];
            let role = match role {
                "user" if self.stream() => ["user", "developer", "system"][self.below(3)],
                role => role,
            };
            let id = match role {
                "reasoning" => self.new_message_id(Space::Reasoning),
                "activity" => self.new_message_id(Space::Activity),
                _ => self.new_message_id(Space::Text),
            };
            let calls = if role == "assistant" { self.below(3) } else { 0 };
            let tag = self.one_in(3).then(|| format!("earlier-{}", self.choose.below(2)));
            let calls: Vec<ListedCall> = (0..calls)
                .map(|_| {
                    let tool = if self.stream() { OWN_TOOLS[self.below(3)] } else { OWN_TOOLS[0] };
                    let (id, tool) = self.new_call(tool);
                    ListedCall { id, tool }
                })
                .collect();
            let answered = calls.first().map(|call| call.id.clone());
            let style = self.style();
            list.push(Listed { id, role, tag, calls, answers: None, style });
            if answered.is_some() && self.stream() && self.one_in(3) {
                let (id, style) = (self.name(Space::Result), self.style());
                let (role, tag, calls) = ("tool", None, Vec::new());
                list.push(Listed { id, role, tag, calls, answers: answered, style });
            }
        }
        list
    }
}

/// The calls of listed messages that no message of the list answers.
fn answerable_of<'l>(list: impl IntoIterator<Item = &'l Listed> + Clone) -> Vec<String> {
    let calls = list.clone().into_iter().flat_map(|listed| &listed.calls);
    let answered: Vec<&String> =
        list.into_iter().filter_map(|listed| listed.answers.as_ref()).collect();
    calls.map(|call| &call.id).filter(|id| !answered.contains(id)).cloned().collect()
}
