//! The model against the contract, sentence by sentence, and against the corpus.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on fails"
)]

mod chunks;
mod corpus;
mod decisions;
mod notation;
mod run_scope;
mod stream_scope;
