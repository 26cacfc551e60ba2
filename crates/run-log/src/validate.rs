//! The production validator.

use std::cmp::Ordering;

use hashbrown::HashSet;

use crate::error::{ErrorCode, Field, SequenceError};
use crate::report::{Finding, ReasonCode, Report};
use crate::types::{Identifier, MAX_FINDINGS, MAX_REFERENCES, Options, Reference, SequenceNumber};

/// What is kept of a reference.
struct Held {
    event_id: Identifier,
    number: SequenceNumber,
    foreign: bool,
}

/// A finding that borrows its event id, until it is known which are shown.
type Found<'a> = (Option<SequenceNumber>, ReasonCode, Option<&'a Identifier>);

/// Judges a log, reference by reference in the order supplied.
///
/// Time is O(n log n) at most, memory that of [`MAX_REFERENCES`]: an endless log is refused
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
    let mut held: Vec<Held> = Vec::new();
    for reference in references {
        let Reference { run_id, event_id, sequence_number } = reference?;
        if held.len() == MAX_REFERENCES {
            return Err(SequenceError::new(ErrorCode::TooManyEvents, Field::References));
        }
        let foreign = run_id != *options.run_id();
        held.push(Held { event_id, number: sequence_number, foreign });
    }
    Ok(Report::new(
        options.run_id().clone(),
        held.len(),
        held.first().map(|held| held.number),
        held.last().map(|held| held.number),
        options.terminal(),
        findings(options, &held),
    ))
}

fn findings(options: &Options, held: &[Held]) -> Vec<Finding> {
    let mut found: Vec<Found<'_>> = Vec::new();
    if held.is_empty() {
        if !options.allow_empty() {
            found.push((None, ReasonCode::EmptySequence, None));
        }
        return ordered(found);
    }
    // Where each number stands, the same ones in the order of the log.
    let mut numbers: Vec<(SequenceNumber, usize)> =
        held.iter().enumerate().map(|(at, held)| (held.number, at)).collect();
    numbers.sort_unstable();
    of_each(options, held, &mut found);
    let mut before: Option<SequenceNumber> = None;
    for &(number, at) in &numbers {
        match before {
            Some(before) if before == number => {
                let id = held.get(at).map(|held| &held.event_id);
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
fn of_each<'a>(options: &Options, held: &'a [Held], found: &mut Vec<Found<'a>>) {
    let mut ids: HashSet<&str> = HashSet::with_capacity(held.len());
    let mut before: Option<SequenceNumber> = None;
    for Held { event_id, number, foreign } in held {
        let mut say = |reason| found.push((Some(*number), reason, Some(event_id)));
        if *foreign {
            say(ReasonCode::CrossRunReference);
        }
        if !ids.insert(event_id.as_str()) {
            say(ReasonCode::DuplicateEventId);
        }
        if before.is_some_and(|before| *number <= before) {
            say(ReasonCode::OutOfOrder);
        }
        if options.terminal().is_some_and(|terminal| *number > terminal) {
            say(ReasonCode::PostTerminalEvent);
        }
        before = Some(*number);
    }
}

/// By number (none first), reason and event id (none first); no more than there may be.
fn ordered(mut found: Vec<Found<'_>>) -> Vec<Finding> {
    let truncated = found.len() > MAX_FINDINGS;
    if truncated {
        found.select_nth_unstable_by(MAX_FINDINGS - 1, compare);
        found.truncate(MAX_FINDINGS - 1);
    }
    found.sort_unstable_by(compare);
    if truncated {
        found.push((None, ReasonCode::FindingsTruncated, None));
    }
    let own = |(sequence_number, reason_code, event_id): Found<'_>| Finding {
        reason_code,
        sequence_number,
        event_id: event_id.cloned(),
    };
    found.into_iter().map(own).collect()
}

fn compare(one: &Found<'_>, two: &Found<'_>) -> Ordering {
    one.cmp(two)
}
