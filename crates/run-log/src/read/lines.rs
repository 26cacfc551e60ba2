//! NDJSON: a reference a line.

use std::io::{BufRead, Read};

use super::{Failure, Refused, failed, json, unreadable};
use crate::log::Log;
use crate::report::Report;
use crate::types::Options;
use crate::validate::validate;

/// The longest line, in bytes: a reference is far shorter, whatever else is in it.
const LONGEST: u64 = 1 << 20;

pub(super) fn read(mut input: impl BufRead, options: &Options) -> Result<Report, Failure> {
    let mut log = Log::default();
    let (mut text, mut line) = (Vec::new(), 0);
    loop {
        text.clear();
        line += 1;
        let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut text);
        if read.map_err(|error| failed(&error))? == 0 {
            return Ok(validate(options, &log));
        }
        if text.len() as u64 == LONGEST && !text.ends_with(b"\n") {
            return Err(unreadable(format!("a line is longer than {LONGEST} bytes"), Some(line)));
        }
        if text.trim_ascii().is_empty() {
            continue;
        }
        let at = log.len();
        json::line(&text, line)?
            .map_or_else(Err, |parts| parts.push_to(&mut log))
            .map_err(|error| Refused { error, reference: Some(at), line: Some(line) })?;
    }
}
