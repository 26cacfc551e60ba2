//! What holds of everything that is found in any bytes.

use conform_check::registry::Judge;
use conform_check::{Checker, Finding, FirstRejected, Outcome};

use crate::Recording;

/// Judges a recording piece by piece, and sees that what is found holds together.
///
/// # Panics
///
/// Where it does not.
pub fn check_bytes(recording: &Recording<'_>) {
    let mut checker = Checker::new(recording.options.clone());
    let mut known = 0;
    for piece in recording.pieces() {
        let was_unreadable = checker.unreadable().is_some();
        checker.push(piece);
        assert!(checker.findings().len() >= known, "a finding was taken back");
        assert!(!was_unreadable || checker.findings().len() == known, "it was not read on");
        known = checker.findings().len();
    }
    let outcome = checker.finish();
    let lines = Lines::of(recording.bytes);
    for (index, finding) in outcome.findings.iter().enumerate() {
        holds(&outcome, index, finding);
        if let (Some(line), Some(byte)) = (finding.line, finding.byte) {
            assert_eq!(line, lines.at(byte), "the line of byte {byte}: {finding:?}");
        }
    }
    counts(&outcome, recording.options.max_findings);
    assert_eq!(outcome.bytes, recording.bytes.len() as u64);
    for note in &outcome.notes {
        if let (Some(line), Some(byte)) = (note.line, note.byte) {
            assert!(byte <= outcome.bytes, "beyond the input: {note:?}");
            assert_eq!(line, lines.at(byte), "the line of byte {byte}: {note:?}");
        }
    }
    if let Some(unreadable) = &outcome.unreadable {
        assert!(unreadable.byte <= Some(outcome.bytes), "beyond the input: {unreadable:?}");
    }
}

fn holds(outcome: &Outcome, index: usize, finding: &Finding) {
    if let Some(cause) = finding.consequence_of {
        assert!(cause < index, "#{index} follows from #{cause}");
    }
    assert!(finding.byte.is_some_and(|byte| byte <= outcome.bytes), "no place: {finding:?}");
    assert!(finding.event.is_none_or(|event| event < outcome.events), "no event: {finding:?}");
    assert!(!(finding.at_end && finding.event.is_some()), "two places: {finding:?}");
    if let (Some(related), Some(event)) = (finding.related, finding.event) {
        assert!(related.event < event, "not earlier: {finding:?}");
        assert!(Some(related.line) <= finding.line, "not earlier: {finding:?}");
    }
    assert_ne!(finding.requirement.judge, Judge::None, "nothing judges it: {finding:?}");
    assert!(!finding.message.is_empty() && !finding.message.ends_with('.'), "{finding:?}");
}

fn counts(outcome: &Outcome, max_findings: usize) {
    let (errors, warnings) = (outcome.errors, outcome.warnings);
    let kept = outcome.findings.len();
    assert!(kept <= max_findings && (outcome.dropped == 0 || kept == max_findings), "{kept}");
    let of = |is: &dyn Fn(&&Finding) -> bool| outcome.findings.iter().filter(is).count() as u64;
    let (shown_errors, shown_warnings) = (of(&|f| f.is_error()), of(&|f| f.is_warning()));
    assert!(shown_errors <= errors && shown_warnings <= warnings, "fewer than are shown");
    assert!(errors + warnings <= kept as u64 + outcome.dropped, "more than there are");
    assert!(outcome.runs <= outcome.events, "a run starts with an event");
    assert_eq!(errors > 0, outcome.first_rejected.is_some());
    for (found, broken) in outcome.found.iter().zip(&outcome.broken) {
        assert!(broken <= found, "broken more often than found");
    }
    if outcome.dropped == 0 {
        assert_eq!((errors, warnings), (shown_errors, shown_warnings));
        let primary = of(&|finding| finding.consequence_of.is_none());
        assert_eq!(outcome.found.iter().sum::<u64>(), primary);
        let place = |f: &Finding| f.event.map_or(FirstRejected::End, FirstRejected::Event);
        let first = outcome.findings.iter().filter(|f| f.is_error()).map(place).min();
        assert_eq!(outcome.first_rejected, first);
    }
}

/// Where the lines of an input start: after LF, CR LF and a bare CR.
struct Lines(Vec<u64>);

impl Lines {
    fn of(bytes: &[u8]) -> Self {
        let ends = bytes.iter().enumerate().filter(|(at, byte)| {
            **byte == b'\n' || **byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')
        });
        Self(ends.map(|(at, _)| at as u64 + 1).collect())
    }

    /// The line of a byte, from 1.
    fn at(&self, byte: u64) -> u64 {
        1 + self.0.partition_point(|start| *start <= byte) as u64
    }
}
