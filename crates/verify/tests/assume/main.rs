//! How a judge goes on after a refusal: what `assume_at` takes for granted.
#![cfg(feature = "verify")]

mod chunks;
mod items;
mod lifecycle;
#[path = "../support/mod.rs"]
mod support;
mod tree;
