//! The production verifier of the AG-UI ordering contract.
//!
//! [`Verifier`] checks one run against the eight rules of [`Rule`]; [`StreamVerifier`]
//! checks a whole stream: run after run, its beginning and end, and the chunked form. Both
//! take one event at a time, cost one or two look-ups an event, and are left unchanged by an
//! event that they refuse. What is wrong comes back as a [`VerificationError`]: a sentence,
//! and the facts as a [`Breach`].
//!
//! With the feature `verify` off both are zero-sized and accept everything.

mod breach;
#[cfg(not(feature = "verify"))]
mod disabled;
mod entity;
mod error;
#[cfg(feature = "verify")]
mod lanes;
mod rule;
#[cfg(feature = "verify")]
mod run;
#[cfg(feature = "verify")]
mod run_state;
#[cfg(feature = "verify")]
mod stream;

pub use breach::Breach;
#[cfg(not(feature = "verify"))]
pub use disabled::{StreamVerifier, Verifier};
pub use entity::{Entity, EntityKind, Owner, Position};
pub use error::VerificationError;
pub use rule::Rule;
#[cfg(feature = "verify")]
pub use run::Verifier;
#[cfg(feature = "verify")]
pub use stream::StreamVerifier;
