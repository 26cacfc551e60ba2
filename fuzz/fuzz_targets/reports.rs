//! Reports on any bytes: JSON is JSON, lines are lines, and nothing steers a terminal.

#![no_main]

use agui_conform_fuzz::{Recording, reports};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|recording: Recording<'_>| reports(&recording));
