//! NDJSON: a reference a line.

use std::io::{BufRead, Read};

use super::{Failure, failed, json, judge, unreadable};
use crate::report::Report;
use crate::types::Options;

/// The longest line, in bytes: a reference is far shorter, whatever else is in it.
const LONGEST: u64 = 1 << 20;

pub(super) fn read(mut log: impl BufRead, options: &Options) -> Result<Report, Failure> {
    let (mut text, mut line) = (Vec::new(), 0);
    judge(options, || {
        loop {
            text.clear();
            line += 1;
            let read = log.by_ref().take(LONGEST).read_until(b'\n', &mut text);
            match read {
                Err(error) => return Some((Err(failed(&error)), line)),
                Ok(0) => return None,
                Ok(_) if text.len() as u64 == LONGEST && !text.ends_with(b"\n") => {
                    let message = format!("a line is longer than {LONGEST} bytes");
                    return Some((Err(unreadable(message, Some(line))), line));
                }
                Ok(_) if text.trim_ascii().is_empty() => {}
                Ok(_) => {
                    let reference = json::reference(&text, line);
                    return Some((reference, line));
                }
            }
        }
    })
}
