//! The production validator.

use std::hash::BuildHasher;

use hashbrown::hash_table::Entry as Place;
use hashbrown::{DefaultHashBuilder, HashTable};

use crate::error::{Field, SequenceError};
use crate::log::{Entry, Log};
use crate::report::{Finding, ReasonCode, Report};
use crate::types::{Identifier, MAX_FINDINGS, Options, Reference, SequenceNumber};

/// A finding that borrows its event id, until it is known which are shown.
type Found<'a> = (Option<SequenceNumber>, ReasonCode, Option<&'a str>);

/// Judges a log, reference by reference in the order supplied.
///
/// Time is O(n log n) at most, memory that of [`MAX_REFERENCES`](crate::MAX_REFERENCES): an endless log is refused
/// there, and nothing after it is consumed.
///
/// # Errors
///
/// The first error that `references` gives, or `too_many_events`. The error of an item comes
/// before that there are too many.
///
/// ```
/// use conform_run_log::{Field, Identifier, Options, Reference, SequenceNumber};
/// use conform_run_log::validate_event_sequence;
/// let id = |text: &str| Identifier::new(text, Field::RunId).unwrap();
/// let number = |n| SequenceNumber::new(n, Field::SequenceNumber).unwrap();
/// let options = Options::new(id("r"), number(0), None, false).unwrap();
/// let log = [0, 2].map(|n| {
///     Ok(Reference {
///         run_id: id("r"),
///         event_id: id(&format!("e{n}")),
///         sequence_number: number(n),
///     })
/// });
/// let report = validate_event_sequence(&options, log).unwrap();
/// assert_eq!(report.reason_codes().map(|code| code.as_str()).collect::<Vec<_>>(), [
///     "sequence_gap",
/// ]);
/// ```
pub fn validate_event_sequence(
    options: &Options,
    references: impl IntoIterator<Item = Result<Reference, SequenceError>>,
) -> Result<Report, SequenceError> {
    let mut log = Log::default();
    for reference in references {
        let Reference { run_id, event_id, sequence_number } = reference?;
        log.push(run_id.as_str(), event_id.as_str(), Ok(sequence_number))?;
    }
    Ok(validate(options, &log))
}

/// Judges a log that has been read.
pub(crate) fn validate(options: &Options, log: &Log) -> Report {
    let number = |entry: Option<Entry<'_>>| entry.map(|entry| entry.number);
    Report::new(
        options.run_id().clone(),
        log.len(),
        number(log.entries().next()),
        number(log.entries().next_back()),
        options.terminal(),
        findings(options, log),
    )
}

fn findings(options: &Options, log: &Log) -> Vec<Finding> {
    let mut found: Vec<Found<'_>> = Vec::new();
    if log.len() == 0 {
        if !options.allow_empty() {
            found.push((None, ReasonCode::EmptySequence, None));
        }
        return ordered(found);
    }
    // Where each number stands, the same ones in the order of the log.
    let mut numbers: Vec<(SequenceNumber, u32)> =
        log.entries().zip(0..).map(|(entry, at)| (entry.number, at)).collect();
    numbers.sort_unstable();
    of_each(options, log, &mut found);
    let mut before: Option<SequenceNumber> = None;
    for &(number, at) in &numbers {
        match before {
            Some(before) if before == number => {
                let id = log.get(at as usize).map(|entry| entry.event_id);
                found.push((Some(number), ReasonCode::DuplicateSequenceNumber, id));
            }
            Some(before) if before.next() < number => {
                found.push((Some(before.next()), ReasonCode::SequenceGap, None));
            }
            None if number != options.expected_start() => {
                found.push((Some(number), ReasonCode::StartSequenceMismatch, None));
            }
            _ => {}
        }
        before = Some(number);
    }
    if let Some(terminal) = options.terminal()
        && numbers.binary_search_by_key(&terminal, |(number, _)| *number).is_err()
    {
        found.push((Some(terminal), ReasonCode::TerminalEventMissing, None));
    }
    ordered(found)
}

/// What each reference shows of itself and of those before it.
fn of_each<'a>(options: &Options, log: &'a Log, found: &mut Vec<Found<'a>>) {
    // Where each id stands first: a table of places is a quarter of one of texts.
    let mut ids: HashTable<u32> = HashTable::with_capacity(log.len());
    let hasher = DefaultHashBuilder::default();
    let id = |at: &u32| log.get(*at as usize).map_or("", |entry| entry.event_id);
    let mut before: Option<SequenceNumber> = None;
    for (at, Entry { run_id, event_id, number }) in (0_u32..).zip(log.entries()) {
        let mut say = |reason| found.push((Some(number), reason, Some(event_id)));
        if run_id != options.run_id().as_str() {
            say(ReasonCode::CrossRunReference);
        }
        let hash = hasher.hash_one(event_id);
        match ids.entry(hash, |first| id(first) == event_id, |first| hasher.hash_one(id(first))) {
            Place::Vacant(place) => {
                place.insert(at);
            }
            Place::Occupied(_) => say(ReasonCode::DuplicateEventId),
        }
        if before.is_some_and(|before| number <= before) {
            say(ReasonCode::OutOfOrder);
        }
        if options.terminal().is_some_and(|terminal| number > terminal) {
            say(ReasonCode::PostTerminalEvent);
        }
        before = Some(number);
    }
}

/// By number (none first), reason and event id (none first); no more than there may be.
fn ordered(mut found: Vec<Found<'_>>) -> Vec<Finding> {
    let truncated = found.len() > MAX_FINDINGS;
    if truncated {
        found.select_nth_unstable(MAX_FINDINGS - 1);
        found.truncate(MAX_FINDINGS - 1);
    }
    found.sort_unstable();
    if truncated {
        found.push((None, ReasonCode::FindingsTruncated, None));
    }
    let own = |(sequence_number, reason_code, event_id): Found<'_>| Finding {
        reason_code,
        sequence_number,
        // It has been checked when the log was read.
        event_id: event_id.and_then(|id| Identifier::new(id, Field::EventId).ok()),
    };
    found.into_iter().map(own).collect()
}
