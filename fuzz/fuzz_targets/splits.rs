//! However a stream is cut into pieces or framed, the same is found.

#![no_main]

use agui_conform_fuzz::{Recording, splits};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|recording: Recording<'_>| splits(&recording));
