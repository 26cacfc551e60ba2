//! Any bytes through the checker, in pieces: it never panics, and what it finds holds together.

#![no_main]

use agui_conform_fuzz::{Recording, check_bytes};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|recording: Recording<'_>| check_bytes(&recording));
