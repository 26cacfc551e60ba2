//! Generators of AG-UI event sequences.
//!
//! [`soup`] makes sequences of events over small pools of ids and owners, with no regard for
//! any rule: most break several, and two opinions about them can be compared.

pub mod soup;
