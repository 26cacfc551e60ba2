//! A log in memory: what is kept of its references, in as little as can be.

use crate::error::{ErrorCode, Field, SequenceError};
use crate::types::{MAX_REFERENCES, SequenceNumber, is_identifier};

/// The references of a log, up to [`MAX_REFERENCES`].
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// The event ids, one after another.
    ids: String,
    /// The runs that references name, each once as long as it does not change.
    runs: Vec<String>,
    held: Vec<Held>,
}

/// What is kept of a reference.
#[derive(Debug, Clone, Copy)]
struct Held {
    id: u32,
    length: u8,
    run: u32,
    number: SequenceNumber,
}

/// A reference of a log.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry<'l> {
    pub(crate) run_id: &'l str,
    pub(crate) event_id: &'l str,
    pub(crate) number: SequenceNumber,
}

impl Log {
    pub(crate) fn len(&self) -> usize {
        self.held.len()
    }

    /// Takes a reference in: a run's id, an event's id, and a number, each checked in this
    /// order, before it is asked whether there are too many.
    pub(crate) fn push(
        &mut self,
        run_id: &str,
        event_id: &str,
        number: Result<SequenceNumber, SequenceError>,
    ) -> Result<(), SequenceError> {
        let last = self.runs.last();
        let same = last.is_some_and(|last| last == run_id);
        if !same && !is_identifier(run_id.as_bytes()) {
            return Err(SequenceError::new(ErrorCode::InvalidIdentifier, Field::RunId));
        }
        if !is_identifier(event_id.as_bytes()) {
            return Err(SequenceError::new(ErrorCode::InvalidIdentifier, Field::EventId));
        }
        let number = number?;
        if self.held.len() == MAX_REFERENCES {
            return Err(SequenceError::new(ErrorCode::TooManyEvents, Field::References));
        }
        if !same {
            self.runs.push(run_id.to_owned());
        }
        // 100,000 ids of 128 bytes: far below 2^32.
        let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        self.held.push(Held {
            id: small(self.ids.len()),
            length: u8::try_from(event_id.len()).unwrap_or(u8::MAX),
            run: small(self.runs.len()) - 1,
            number,
        });
        self.ids.push_str(event_id);
        Ok(())
    }

    pub(crate) fn entries(&self) -> impl ExactSizeIterator<Item = Entry<'_>> + DoubleEndedIterator {
        self.held.iter().map(|held| self.entry(held))
    }

    pub(crate) fn get(&self, at: usize) -> Option<Entry<'_>> {
        self.held.get(at).map(|held| self.entry(held))
    }

    fn entry(&self, held: &Held) -> Entry<'_> {
        let start = held.id as usize;
        Entry {
            run_id: self.runs.get(held.run as usize).map_or("", String::as_str),
            event_id: self.ids.get(start..start + usize::from(held.length)).unwrap_or_default(),
            number: held.number,
        }
    }
}
