//! Case files: load, replay.
