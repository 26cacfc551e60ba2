//! Run logs are judged as the model judges them, and what is refused is never shown.

#![no_main]

use agui_conform_fuzz::run_log;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| run_log(bytes));
