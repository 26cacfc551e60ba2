//! What the fuzz targets do with the bytes that libFuzzer makes up.
//!
//! A target reads its input as a [`Recording`], a [`Sequence`] or plain bytes, and calls one
//! function of this crate, which panics where something does not hold. `cargo fuzz fmt TARGET
//! FILE` prints an input in a form to go on with: the command that judges the recording, the
//! case file of the sequence.

mod agreement;
mod check_bytes;
mod documents;
mod recording;
mod reports;
mod run_log;
mod sequence;
mod splits;

pub use agreement::agreement;
pub use check_bytes::check_bytes;
pub use documents::documents;
pub use recording::Recording;
pub use reports::reports;
pub use run_log::run_log;
pub use sequence::Sequence;
pub use splits::splits;
