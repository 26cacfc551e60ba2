//! Implementations under test, and the protocol that they speak.
//!
//! [`Soak`] compares the production verifier, the reference model and the generators on
//! generated cases. [`serve`] puts a verifier behind the subject protocol, [`Ours`] are our own.

mod case;
mod compare;
mod ours;
mod protocol;
mod soak;

pub use case::{Case, Label, Source};
pub use compare::{Difference, Saying, difference, modelled, verified};
pub use ours::Ours;
pub use protocol::{At, Opinion, PROTOCOL, VerifierSubject, serve};
pub use soak::{Found, Soak, Soaked};
