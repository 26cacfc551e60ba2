//! Generators of AG-UI event sequences.
//!
//! [`Plan`] is a tree of agents with their items; woven, it is a valid stream by construction.
//! [`soup`] makes sequences of events over small pools of ids and owners, with no regard for
//! any rule: most break several, and two opinions about them can be compared.

mod choose;
mod fault;
mod grow;
mod names;
mod patch;
mod plan;
mod shrink;
pub mod soup;
mod state;
mod strategy;
mod style;
mod weave;

pub use choose::{Bytes, Choose, Dice};
pub use fault::{Cell, Fault, Who};
pub use plan::{
    Agent, AgentEnd, Change, Ending, Item, Listed, ListedCall, Opening, Outcome, Plan, Planned,
    Run, Scope,
};
pub use shrink::shrink_events;
pub use state::{Kind, Open, Owner, Phase, State};
pub use strategy::{PlanTree, Plans, plans};
pub use weave::Woven;
