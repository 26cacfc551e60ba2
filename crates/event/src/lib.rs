//! AG-UI wire types: events, run inputs, messages, and a decoder that reads on.
//!
//! [`decode`] gives an event in two faces: the [`Event`] that the ordering rules read, and
//! the [`json::Json`] tree of all that was sent, with byte offsets. A fault in one place
//! hides nothing in another.

mod decode;
mod event;
pub mod json;
mod quote;
pub mod shape;
mod types;

pub use decode::{Decoded, decode};
pub use event::{Body, Bucket, Chunk, Event, Holder, Item, Message, RunInput, Text};
pub use quote::{MAX_QUOTED, quote};
pub use types::{EventType, RETIRED, TypeName};
