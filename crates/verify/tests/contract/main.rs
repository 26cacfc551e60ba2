//! The sentences of the ordering contract, one by one: not only whether an event is
//! refused, but the facts that come with it, which the corpus cannot express.
#![cfg(feature = "verify")]

mod chunks;
mod items;
mod records;
mod streams;
#[path = "../support/mod.rs"]
mod support;
