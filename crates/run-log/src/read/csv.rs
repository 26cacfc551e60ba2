//! CSV: a reference a row, the columns named by the first.

use std::io::{self, BufRead, Read};

use csv::{ByteRecord, ReaderBuilder};

use super::{Failure, Member, Parts, Refused, unreadable};
use crate::error::Field;
use crate::log::Log;
use crate::report::Report;
use crate::scalar::Scalar;
use crate::types::Options;
use crate::validate::validate;

/// The longest row, in bytes, as far as line ends tell where one ends.
const LONGEST: usize = 1 << 20;

pub(super) fn read(log: impl BufRead, options: &Options) -> Result<Report, Failure> {
    let mut reader =
        ReaderBuilder::new().flexible(true).from_reader(Bounded { inner: log, since: 0 });
    let headers = reader.byte_headers().map_err(|error| broken(&error))?.clone();
    let mut columns = Vec::new();
    for (member, name) in Member::ALL {
        match headers.iter().position(|header| header.trim_ascii() == name.as_bytes()) {
            Some(column) => columns.push((member, column)),
            None => return Err(unreadable(format!("the CSV has no column `{name}`"), Some(1))),
        }
    }
    let mut log = Log::default();
    let mut record = ByteRecord::new();
    while reader.read_byte_record(&mut record).map_err(|error| broken(&error))? {
        let mut parts = Parts::none();
        for &(member, column) in &columns {
            let text = record.get(column).and_then(|field| str::from_utf8(field).ok());
            let text = text.unwrap_or_default();
            match member {
                Member::Number => {
                    parts.number = Scalar::integer(text).number(Field::SequenceNumber);
                }
                id => parts.set_id(id, text.into()),
            }
        }
        let at = log.len();
        parts.push_to(&mut log).map_err(|error| {
            let line = record.position().map(csv::Position::line);
            Refused { error, reference: Some(at), line }
        })?;
    }
    Ok(validate(options, &log))
}

/// The place of an error, and what kind it is: its own text may quote the log.
fn broken(error: &csv::Error) -> Failure {
    let line = error.position().map(csv::Position::line);
    match error.kind() {
        csv::ErrorKind::Io(error) => unreadable(format!("it cannot be read: {error}"), line),
        _ => unreadable("the CSV is broken", line),
    }
}

/// Refuses lines without an end.
struct Bounded<R> {
    inner: R,
    since: usize,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        let new = buffer.get(..read).unwrap_or_default();
        self.since = match new.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => read - end - 1,
            None => self.since + read,
        };
        if self.since > LONGEST {
            return Err(io::Error::other(format!("a row is longer than {LONGEST} bytes")));
        }
        Ok(read)
    }
}
