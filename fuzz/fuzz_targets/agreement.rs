//! Soups, plans, faults and lines of events: verifier, model, generator and checker agree.

#![no_main]

use agui_conform_fuzz::{Sequence, agreement};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|sequence: Sequence| agreement(&sequence));
