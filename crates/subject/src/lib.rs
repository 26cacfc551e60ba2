//! Implementations under test, and the protocol that they speak.
//!
//! [`serve`] puts a verifier behind the subject protocol, [`Ours`] are our own.

mod ours;
mod protocol;

pub use ours::Ours;
pub use protocol::{At, Opinion, PROTOCOL, VerifierSubject, serve};
