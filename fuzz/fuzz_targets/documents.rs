//! JSON, case files, requests, heads, ledgers and subject lines: they are read, or refused cleanly.

#![no_main]

use agui_conform_fuzz::documents;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| documents(bytes));
