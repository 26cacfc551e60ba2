//! Contract run-log: can an append-only run log be replayed?
//!
//! Judged from opaque references alone: which run, which event, which number. Nothing is
//! stored, repaired or ordered, and no payload is ever seen.
//!
//! [`validate_event_sequence`] is the production validator. [`read`] reads logs as JSON,
//! NDJSON or CSV and has them judged while they are read. [`model`] says the same in the
//! words of the contract, and [`generate`] makes logs of which it is known what is to be
//! said.

pub mod call;
mod error;
pub mod generate;
mod log;
pub mod model;

pub mod read;
mod report;
mod scalar;
pub mod strategy;

mod types;
mod validate;

pub use error::{ErrorCode, Field, SequenceError};
pub use report::{Finding, ReasonCode, Report, SCHEMA_VERSION};
pub use types::{
    Identifier, MAX_FINDINGS, MAX_IDENTIFIER, MAX_REFERENCES, Options, Reference, SequenceNumber,
};
pub use validate::validate_event_sequence;
