//! Plans: what a stream is to be, before it is woven.
//!
//! A plan is a list of runs, each a tree of agents with their items. Every item and agent has
//! a place in time, so that weaving is sorting, and leaving something out moves nothing else.
//! What is optional in an event follows from the `style` of what it belongs to; a style of
//! zero has nothing optional.

use conform_event::shape::Version;

/// For which scope a plan is valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// One run, by the eight rules.
    Run,
    /// A whole stream, by all that AG-UI 1.1 asks of its events.
    Stream,
}

/// A whole stream.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Plan {
    /// For which scope it is valid.
    pub scope: Scope,
    /// Its runs, one after another; one in run scope.
    pub runs: Vec<Run>,
}

/// One run.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Run {
    /// The protocol version that RUN_STARTED declares.
    pub version: Version,
    /// Which optional members of the run's first and last events are written.
    pub style: u64,
    /// The messages of the input that RUN_STARTED echoes, if it does.
    pub echo: Option<Vec<Listed>>,
    /// Whether the echo has the messages of earlier runs too, and answers to their frontend
    /// calls.
    pub restates: bool,
    /// The frontend tools that the echo advertises.
    pub tools: Vec<&'static str>,
    /// The ids of the interrupts, where the run ends with that outcome.
    pub interrupts: Vec<String>,
    /// The agents: the first is the parent agent, the others name who spawned them.
    pub agents: Vec<Agent>,
    /// How it ends.
    pub ending: Ending,
    /// Whether a RUN_ERROR reports a late failure after RUN_FINISHED (stream scope).
    pub late_error: bool,
}

/// A message of an input or a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Listed {
    /// Its id.
    pub id: String,
    /// Its role.
    pub role: &'static str,
    /// The subagent that it is tagged with.
    pub tag: Option<String>,
    /// The tool calls of an assistant message.
    pub calls: Vec<ListedCall>,
    /// The call that a tool message answers.
    pub answers: Option<String>,
    /// Which of its optional members are written.
    pub style: u64,
}

/// A tool call of a listed message.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ListedCall {
    /// Its id.
    pub id: String,
    /// The tool's name.
    pub tool: &'static str,
}

/// How a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// RUN_FINISHED without an outcome, or with this one.
    Finished(Option<Outcome>),
    /// RUN_ERROR after this many of the run's events, whatever is open.
    Failed(usize),
}

/// The outcomes of RUN_FINISHED.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// `success`
    Success,
    /// `interrupt`
    Interrupt,
    /// `cancelled`
    Cancelled,
}

/// An agent of a run.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Agent {
    /// Its `subagentRunId`; none is the parent agent.
    pub id: Option<String>,
    /// The agent that spawned it, by its place among the run's agents.
    pub spawned_by: usize,
    /// Whether SUBAGENT_STARTED and its end are sent, or its events only carry the tag.
    pub announced: bool,
    /// Whether it ends with SUBAGENT_ERROR.
    pub failed: bool,
    /// Which of the optional members of its first and last events are written.
    pub style: u64,
    /// When it begins, after the agent that spawned it.
    pub start: u32,
    /// When it ends, after its last item, or early: while its items go on.
    pub end: AgentEnd,
    /// What it sends.
    pub items: Vec<Planned>,
}

/// When an announced subagent ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AgentEnd {
    /// So long after its last item.
    After(u32),
    /// So long after its start, though its items may go on.
    Early(u32),
}

/// An item and its place in time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Planned {
    /// When it begins, after its agent.
    pub start: u32,
    /// The time between its events.
    pub gap: u32,
    /// Which of its optional members and tags are written, bit by bit.
    pub style: u64,
    /// The item.
    pub item: Item,
}

/// What an agent sends.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Item {
    /// A text message.
    Text {
        /// Its id.
        id: String,
        /// Its role; absent is the assistant's.
        role: Option<&'static str>,
        /// The name of who it is from.
        name: Option<&'static str>,
        /// How it is streamed, each time it is opened.
        openings: Vec<Opening>,
    },
    /// A reasoning message.
    Reasoning {
        /// Its id.
        id: String,
        /// Whether a span of the same id is around it.
        span: bool,
        /// How it is streamed, each time it is opened.
        openings: Vec<Opening>,
    },
    /// A tool call.
    Call {
        /// Its id.
        id: String,
        /// The tool's name.
        tool: &'static str,
        /// The message that it names as its parent.
        parent: Option<String>,
        /// How it is streamed, each time it is opened.
        openings: Vec<Opening>,
        /// The message that answers it, and whose tag the answer carries, by the agent's
        /// place.
        result: Option<(String, usize)>,
        /// Whether it is answered each time that it was opened, and not only the last time.
        each: bool,
    },
    /// The answer to a call that the echo or a snapshot introduced.
    Answer {
        /// The call.
        call: String,
        /// The message that the answer becomes.
        message: String,
    },
    /// A step.
    Step {
        /// Its name.
        name: String,
    },
    /// An activity: a snapshot, then changes.
    Activity {
        /// Its message id.
        id: String,
        /// What comes after the snapshot.
        changes: Vec<Change>,
    },
    /// The state.
    State {
        /// Whether a snapshot comes first; without one, the state must be known.
        snapshot: bool,
        /// How many deltas come.
        deltas: u8,
    },
    /// MESSAGES_SNAPSHOT of all messages so far and these, the first of the known given to
    /// this agent if any is named.
    Snapshot {
        /// Further messages.
        more: Vec<Listed>,
        /// The agent, by its place, that a known message is given to.
        given_to: Option<usize>,
        /// The message that answers a call that is waiting, if one is.
        answer: Option<String>,
    },
    /// An encrypted value for a message or call of the agent.
    Encrypted,
    /// RAW.
    Raw,
    /// CUSTOM.
    Custom,
}

/// One time that an item is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Opening {
    /// In chunks, or by start and end.
    pub chunked: bool,
    /// How many pieces it has: contents, or chunks.
    pub pieces: u8,
}

/// A change of an activity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// A snapshot that replaces it.
    Replace,
    /// A snapshot with `replace: false`.
    Keep,
    /// A delta.
    Delta,
}

impl Plan {
    /// How many agents, items and openings it has: what shrinking makes smaller.
    ///
    /// ```
    /// use conform_generate::{Dice, Plan, Scope};
    /// assert!(Plan::grow(&mut Dice::of(1), Scope::Stream).size() > 0);
    /// ```
    pub fn size(&self) -> usize {
        let agents = self.runs.iter().flat_map(|run| &run.agents);
        let items = agents.clone().flat_map(|agent| &agent.items);
        let inner = items.clone().map(|planned| match &planned.item {
            Item::Text { openings, .. }
            | Item::Reasoning { openings, .. }
            | Item::Call { openings, .. } => {
                openings.iter().map(|o| 1 + usize::from(o.pieces)).sum()
            }
            Item::Activity { changes, .. } => changes.len(),
            Item::Snapshot { more, .. } => more.len(),
            Item::State { deltas, .. } => usize::from(*deltas),
            _ => 0,
        });
        self.runs.len() + agents.count() + items.count() + inner.sum::<usize>()
    }
}
