//! A log that is derived from a recorded stream, so that both contracts are judged at once.

use std::collections::VecDeque;
use std::path::Path;

use conform_check::frames::{Frame, FrameReader, Item};
use conform_check::{Checker, Options, Outcome, Policy};
use conform_event::EventType;
use conform_event::json::{self, Value};
use conform_report::{FailOn, Judged as Checked};
use conform_run_log::read::{Failure, Given, Refused, reference};
use conform_run_log::{Reference, Report, SequenceError, validate_event_sequence};

use super::Judged;
use crate::args;
use crate::input::{self, Input, Piece, shown};

/// Judges the stream, and the log that its events' numbers and ids make.
pub(super) fn judge(
    arguments: &args::RunLog,
    path: &Path,
    given: &Given,
) -> Result<Judged, String> {
    let name = path.display().to_string();
    let is_stdin = path.as_os_str() == "-";
    let source = Input {
        name: name.clone(),
        path: (!is_stdin).then(|| path.to_owned()),
        request: None,
        found: false,
    };
    let failed = |error: std::io::Error| format!("{}: {error}", shown(path));
    let pieces = input::read(&source).map_err(failed)?;
    let options = Options::default();
    let mut references = References {
        pieces,
        checker: Some(Checker::new(options.clone())),
        outcome: None,
        failure: None,
        reader: FrameReader::new(options.limits),
        ready: VecDeque::new(),
        run: None,
        first_run: None,
        number: pointer(arguments.sequence_pointer.as_deref())?,
        event: pointer(arguments.event_id_pointer.as_deref())?,
        taken: 0,
        line: 0,
    };
    let result = references.judge(given);
    // A log that is refused early leaves the rest of its stream, which is judged all the same.
    while references.more() {}
    if let Some(error) = references.failure.take() {
        return Err(failed(error));
    }
    let outcome = references.outcome.take().ok_or("interrupted")?;
    if let Some(unreadable) = &outcome.unreadable {
        return Err(format!("{}: {}", shown(path), unreadable.message));
    }
    let checked = Checked {
        scope: options.scope,
        spec: None,
        fail_on: FailOn::Error,
        policy: Policy::default(),
        inputs: vec![(name.clone(), outcome)],
    };
    Ok(Judged { name, result, stream: Some(checked) })
}

/// A JSON pointer; it is no path to a file.
fn pointer(text: Option<&str>) -> Result<String, String> {
    let text = text.unwrap_or_default();
    if text.starts_with('/') {
        return Ok(text.to_owned());
    }
    Err(format!("{} is no JSON pointer, it begins with `/`", conform_event::quote(text)))
}

/// The references of a stream, one an event, while it is read and judged.
struct References {
    pieces: std::sync::mpsc::Receiver<Piece>,
    checker: Option<Checker>,
    outcome: Option<Outcome>,
    failure: Option<std::io::Error>,
    reader: FrameReader,
    ready: VecDeque<(Result<Reference, SequenceError>, u64)>,
    /// The run in progress.
    run: Option<String>,
    first_run: Option<String>,
    number: String,
    event: String,
    taken: usize,
    line: u64,
}

impl References {
    fn judge(&mut self, given: &Given) -> Result<Report, Failure> {
        // Without a flag it is the log of the stream's first run.
        while self.first_run.is_none() && !given.has_run_id() && self.more() {}
        let options = match (&self.first_run, given.has_run_id()) {
            (Some(run), false) => given.clone().of_run(run).options()?,
            _ => given.options()?,
        };
        let report = validate_event_sequence(
            &options,
            std::iter::from_fn(|| {
                while self.ready.is_empty() && self.more() {}
                let (reference, line) = self.ready.pop_front()?;
                (self.taken, self.line) = (self.taken + 1, line);
                Some(reference)
            }),
        );
        report.map_err(|error| {
            let refused =
                Refused { error, reference: self.taken.checked_sub(1), line: Some(self.line) };
            Failure::Refused(refused)
        })
    }

    /// Reads a piece of the stream; false at its end.
    fn more(&mut self) -> bool {
        let Some(mut checker) = self.checker.take() else { return false };
        match self.pieces.recv().unwrap_or(Piece::End) {
            Piece::Bytes(bytes) => {
                checker.push(&bytes);
                self.checker = Some(checker);
                self.reader.push(&bytes);
            }
            Piece::End => {
                self.outcome = Some(checker.finish());
                self.reader.finish();
            }
            Piece::Failed(error) => self.failure = Some(error),
            Piece::Interrupted => {}
        }
        while let Some(item) = self.reader.next_item() {
            if let Item::Frame(frame) = item {
                let reference = self.reference(&frame);
                // No more than may be asked for, whatever the stream has.
                if self.ready.len() + self.taken <= conform_run_log::MAX_REFERENCES {
                    self.ready.push_back((reference, frame.line));
                }
            }
        }
        self.checker.is_some()
    }

    fn reference(&mut self, frame: &Frame) -> Result<Reference, SequenceError> {
        let Ok((json, _)) = json::read(&frame.data) else {
            return reference(None, None, None);
        };
        if json.text("type") == Some(EventType::RunStarted.as_str()) {
            self.run = json.text("runId").map(str::to_owned);
            self.first_run = self.first_run.take().or_else(|| self.run.clone());
        }
        let number = json.at(&self.number).and_then(|number| match number.value {
            Value::Number(text) => Some(text),
            _ => None,
        });
        let event = json.at(&self.event).and_then(|event| event.as_str());
        reference(self.run.as_deref(), event, number)
    }
}
