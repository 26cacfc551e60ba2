//! From bytes to frames to events to findings; the requirement registry.
//!
//! [`Checker`] takes the bytes of one recorded stream as they come and says what they break.
//! What can be broken is listed in the [`registry`].

mod beyond;
mod blame;
mod checker;
mod exercise;
mod finding;
pub mod frames;
mod http;
mod meant;
mod names;
mod ordering;
mod outcome;
mod policy;
pub mod registry;
mod request;
mod trace;
mod worlds;

pub use checker::Checker;
pub use exercise::FEATURES;
pub use finding::{Finding, Note, Severity};
pub use names::nearest;
pub use ordering::Scope;
pub use outcome::{FirstRejected, Options, Outcome, Unreadable};
pub use policy::Policy;
pub use request::Request;
pub use trace::{Act, Traced};

pub use conform_event::quote;
pub use conform_event::shape::Version;
pub use conform_verify::{EntityKind, Owner, Position, Rule};
