//! Growing a plan at random.

use crate::choose::Choose;
use crate::names::{Names, Space};
use crate::plan::{
    Agent, AgentEnd, Change, Ending, Item, Listed, Opening, Outcome, Plan, Planned, Run, Scope,
};

/// The deepest tree of agents below the parent agent.
const DEEPEST: usize = 5;

impl Plan {
    /// A plan of usual size: up to three runs, up to six agents, up to five items each.
    ///
    /// ```
    /// use conform_generate::{Dice, Plan, Scope};
    /// let plan = Plan::grow(&mut Dice::of(1), Scope::Stream);
    /// assert_eq!(plan, Plan::grow(&mut Dice::of(1), Scope::Stream));
    /// ```
    pub fn grow(choose: &mut dyn Choose, scope: Scope) -> Self {
        let runs = if scope == Scope::Stream && choose.one_in(4) { 1 + choose.below(3) } else { 1 };
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
        let mut grower = Grower { names: Names::new(scope), scope, choose };
        let runs = (0..runs).map(|_| grower.run(agents, items)).collect();
        Self { scope, runs }
    }
}

struct Grower<'c> {
    names: Names,
    scope: Scope,
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

    fn time(&mut self, below: usize) -> u32 {
        u32::try_from(self.below(below)).unwrap_or_default()
    }

    fn run(&mut self, agents: usize, items: usize) -> Run {
        // A step's name and a subagent's id may come again in another run.
        self.names.forget(Space::Subagent);
        let echo = self.one_in(3).then(|| self.listed(3));
        let mut answerable: Vec<String> =
            echo.iter().flatten().flat_map(|listed| listed.calls.clone()).collect();
        let mut tree = vec![Agent {
            id: None,
            spawned_by: 0,
            announced: false,
            failed: false,
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
            tree.push(Agent { id, spawned_by, announced, failed, start, end, items: Vec::new() });
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
        let late_error = self.scope == Scope::Stream && self.one_in(12);
        Run { echo, agents: tree, ending, late_error }
    }

    fn planned(&mut self, agents: usize, answerable: &mut Vec<String>) -> Planned {
        let item = self.item(agents, answerable);
        let style = (self.below(1 << 16) as u64) << 16 | self.below(1 << 16) as u64;
        Planned { start: self.time(16), gap: 1 + self.time(4), style, item }
    }

    fn item(&mut self, agents: usize, answerable: &mut Vec<String>) -> Item {
        match self.below(24) {
            0..=5 => Item::Text {
                id: self.name(Space::Text),
                role: [None, Some("assistant"), Some("developer"), Some("user")][self.below(4)],
                openings: self.openings(),
            },
            6..=8 => Item::Reasoning {
                id: self.name(Space::Reasoning),
                span: !self.one_in(3),
                openings: self.openings(),
            },
            9..=13 => {
                let id = self.name(Space::Call);
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
                Item::Call { id, parent, openings, result }
            }
            14 | 15 => Item::Step { name: self.name(Space::Step) },
            16 | 17 => Item::Activity {
                id: self.name(Space::Activity),
                changes: (0..self.below(4))
                    .map(|_| {
                        [Change::Delta, Change::Keep, Change::Replace, Change::Delta]
                            [self.choose.below(4)]
                    })
                    .collect(),
            },
            18 => Item::State(u8::try_from(self.below(3)).unwrap_or_default()),
            19 => {
                let more = self.listed(2);
                answerable.extend(more.iter().flat_map(|listed| listed.calls.clone()));
                let given_to = self.one_in(2).then(|| self.choose.below(agents));
                Item::Snapshot { more, given_to }
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
        (0..count)
            .map(|_| {
                let role =
                    ["assistant", "user", "assistant", "reasoning", "activity"][self.below(5)];
                let space = match role {
                    "reasoning" => Space::Reasoning,
                    "activity" => Space::Activity,
                    _ => Space::Text,
                };
                let calls = if role == "assistant" { self.below(3) } else { 0 };
                Listed {
                    id: self.name(space),
                    role,
                    tag: self.one_in(3).then(|| format!("earlier-{}", self.choose.below(2))),
                    calls: (0..calls).map(|_| self.name(Space::Call)).collect(),
                }
            })
            .collect()
    }
}
