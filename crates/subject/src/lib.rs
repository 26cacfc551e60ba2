//! Implementations under test, and the protocol that they speak.
//!
//! [`Soak`] compares the production verifier, the reference model and the generators on
//! generated cases, and the published [`Peer`] with them. [`serve`] puts a verifier behind the subject protocol, [`Ours`] are our own.

mod case;
mod compare;
mod ledger;
mod ours;
mod peer;
pub mod process;
mod protocol;
mod run_log;
mod soak;
mod whole;

pub use case::{Case, Label, Source};
pub use compare::{Difference, Saying, difference, modelled, verified};
pub use ledger::{Divergence, Fault, Ledger, Pattern, Predicate};
pub use ours::Ours;
pub use peer::{Compared, PEER, Peer, PeerDifference, complete, peer_difference};
pub use protocol::{At, Opinion, PROTOCOL, VerifierSubject, serve};
pub use run_log::{
    RunLogDifference, RunLogDivergence, RunLogLedger, RunLogSubject, RunLogTally, RunLogTest,
    said_of, serve_run_log,
};
pub use soak::{Found, PeerTally, Soak, Soaked};
pub use whole::{Broken, Whole};
