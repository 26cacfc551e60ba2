//! Case files: load, replay.
//!
//! A case is a recorded or invented stream and what is to be said of it, in one JSON file of
//! the format [`CASE_SCHEMA`]. [`load`] and [`load_all`] read them, [`Case::check`] replays
//! one through [`conform_check::Checker`].

mod case;
mod fixture;
mod load;
mod replay;

pub use case::{At, CASE_SCHEMA, Case, Expect, Input, Verdict};
pub use fixture::{Fixed, Fixture, FixtureExpect};
pub use load::{LoadError, load, load_all};
pub use replay::{Mismatch, Replay};
