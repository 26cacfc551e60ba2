//! The pipeline: bytes, frames, events, findings.

use std::collections::BTreeMap;

use conform_event::json;
use conform_event::shape::Version;
use conform_event::{decode, quote};

use crate::finding::{Finding, Note, Severity};
use crate::frames::{Flaw, FlawKind, Format, Frame, FrameReader, Item, ResponseHead};
use crate::http;
use crate::names;
use crate::ordering::{Ordering, Ruling, Scope};
use crate::outcome::{FirstRejected, Options, Outcome, Unreadable};
use crate::registry::{self, Requirement};
use crate::trace::Traced;
use crate::worlds::Worlds;

mod event;

/// Judges one input, piece by piece.
///
/// ```
/// use conform_check::{Checker, Options};
/// let mut checker = Checker::new(Options::default());
/// checker.push(b"data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\",\"protocolVersion\":\"1.1\"}\n\n");
/// checker.push(b"data: {\"type\":\"STEP_FINISHED\",\"stepName\":\"plan\"}\n\n");
/// assert_eq!(checker.findings()[0].requirement.id, "step/finished-by-its-owner");
/// let outcome = checker.finish();
/// assert_eq!(outcome.findings[0].event, Some(1));
/// assert_eq!(outcome.findings[1].requirement.id, "lifecycle/terminated");
/// ```
#[derive(Debug)]
pub struct Checker {
    options: Options,
    reader: FrameReader,
    ordering: Ordering,
    worlds: Worlds,
    /// The head that the input begins with.
    head: Option<ResponseHead>,
    /// Event, line and byte of the last RUN_STARTED, and of the last that was accepted.
    started: [Option<(u64, u64, u64)>; 2],
    /// The version of the protocol that the current run declares.
    declared: Option<Version>,
    /// Flaws of the frame that comes next.
    flaws: Vec<Flaw>,
    /// Frames with wrong line ends after the first, which is a finding.
    more_line_ends: u64,
    /// The finding that the last frame is cut off.
    cut: Option<usize>,
    /// The first finding that a frame is no event.
    undecodable: Option<usize>,
    /// Whether any frame was an event.
    any_event: bool,
    /// How often each note was made again: a stream may repeat its oddity in every frame.
    more_notes: BTreeMap<String, u64>,
    outcome: Outcome,
}

impl Checker {
    /// A judge at the start of an input.
    pub fn new(options: Options) -> Self {
        let entries = registry::all().count();
        Self {
            reader: FrameReader::new(options.limits),
            ordering: Ordering::new(
                options.scope,
                options.request.as_ref().map(|request| request.input().clone()),
            ),
            worlds: Worlds::new(options.request.as_ref()),
            head: None,
            started: [None; 2],
            declared: None,
            flaws: Vec::new(),
            more_line_ends: 0,
            cut: None,
            undecodable: None,
            any_event: false,
            more_notes: BTreeMap::new(),
            outcome: Outcome {
                checked: vec![0; entries],
                found: vec![0; entries],
                broken: vec![0; entries],
                has_head: options.head.is_some(),
                has_input: options.request.is_some(),
                trace: options.trace.then(Vec::new),
                ..Outcome::default()
            },
            options,
        }
    }

    /// Takes the next bytes and judges every event that is complete.
    pub fn push(&mut self, bytes: &[u8]) {
        self.reader.push(bytes);
        self.drain();
    }

    /// Everything found so far.
    pub fn findings(&self) -> &[Finding] {
        &self.outcome.findings
    }

    /// Why the input is none that can be judged, as soon as that is known.
    pub fn unreadable(&self) -> Option<&Unreadable> {
        self.outcome.unreadable.as_ref()
    }

    /// Judges the end of the stream and gives everything found.
    pub fn finish(mut self) -> Outcome {
        self.reader.finish();
        self.drain();
        if self.outcome.unreadable.is_none() {
            self.judge_end();
            self.judge_whole();
        }
        self.outcome_so_far()
    }

    /// Gives everything found in a stream that the user did not wait for: its end is not
    /// judged.
    pub fn interrupt(mut self) -> Outcome {
        self.drain();
        self.note("interrupted: the end of the stream was not judged", None, true);
        self.outcome_so_far()
    }

    fn outcome_so_far(mut self) -> Outcome {
        self.outcome.format = self.reader.format();
        self.outcome.bytes = self.reader.bytes();
        if self.more_line_ends > 0 {
            let message = format!("{} more frames end their lines so", self.more_line_ends);
            self.note(&message, None, false);
        }
        for (message, more) in std::mem::take(&mut self.more_notes) {
            if more > 0 {
                self.note(&format!("{more} times more: {message}"), None, false);
            }
        }
        if self.outcome.dropped > 0 {
            let message = format!(
                "{} more findings are counted and not shown (--max-findings)",
                self.outcome.dropped
            );
            self.note(&message, None, false);
        }
        self.outcome
    }

    fn drain(&mut self) {
        while let Some(item) = self.reader.next_item() {
            if self.outcome.unreadable.is_some() {
                continue;
            }
            match item {
                // One of a frame that is still to come; a late one is told at once.
                Item::Flaw(flaw) if flaw.frame >= Some(self.outcome.events) => {
                    self.flaws.push(flaw);
                }
                Item::Flaw(flaw) => self.flaw(&flaw),
                Item::Frame(frame) => self.frame(&frame),
                Item::Headers(head) if self.options.head.is_none() => {
                    self.outcome.has_head = true;
                    self.head = Some(head);
                }
                Item::Format(_) | Item::Headers(_) => {}
            }
        }
    }

    fn frame(&mut self, frame: &Frame) {
        if let Some(message) = self.other_document(frame) {
            self.outcome.unreadable =
                Some(Unreadable { message, byte: Some(frame.byte), other_document: true });
            return;
        }
        if frame.index == 0 {
            self.judge_head();
        }
        self.outcome.events += 1;
        if let Some(trace) = &mut self.outcome.trace {
            trace.push(Traced { line: frame.line, ..Traced::default() });
        }
        self.outcome.count_checked("sse/one-event-a-frame");
        if self.reader.format() == Some(Format::Sse) {
            self.outcome.count_checked("sse/line-feeds");
            self.outcome.count_checked("sse/framed");
        }
        let flaws = std::mem::take(&mut self.flaws);
        for flaw in &flaws {
            self.flaw(flaw);
        }
        // That a frame has no payload is told already.
        if frame.too_long || flaws.iter().any(|flaw| flaw.kind == FlawKind::EmptyData) {
            return;
        }
        match decode(&frame.data) {
            Ok(decoded) => self.event(frame, &decoded),
            Err(error) => {
                let (mut offset, mut message) = (error.offset, error.to_string());
                if frame.data.trim_ascii() == b"[DONE]" {
                    offset = frame.data.len() - frame.data.trim_ascii_start().len();
                    "`[DONE]` is no event; a stream ends with its connection"
                        .clone_into(&mut message);
                }
                let next = self.outcome.findings.len();
                let place = frame.locate(offset);
                self.add(Finding {
                    event: Some(frame.index),
                    line: Some(place.line),
                    byte: Some(place.byte),
                    consequence_of: self.cut.filter(|_| frame.truncated),
                    ..bare(names::named("sse/one-event-a-frame"), message)
                });
                if frame.truncated && self.cut.is_none() {
                    self.cut = Some(next);
                }
                self.undecodable.get_or_insert(next);
            }
        }
    }

    /// Judges the head of a response that turns out to carry events.
    fn judge_head(&mut self) {
        let (head, captured) = match (&self.options.head, self.head.take()) {
            (Some(head), _) => (head.clone(), false),
            (None, Some(head)) => (head, true),
            (None, None) => return,
        };
        self.outcome.count_checked("http/ok-event-stream");
        if let Some(message) = http::wrong(&head) {
            self.add(Finding {
                line: captured.then_some(head.line),
                byte: captured.then_some(head.byte),
                ..bare(names::named("http/ok-event-stream"), message)
            });
        }
    }

    /// What a JSON document is, if it is surely no stream.
    fn other_document(&self, frame: &Frame) -> Option<String> {
        if self.reader.format() != Some(Format::Document) || frame.index > 0 {
            return None;
        }
        let (json, _) = json::read(&frame.data).ok()?;
        let is = |what: &str| Some(format!("this is {what}, not a recorded stream"));
        match json.text("schema") {
            Some(schema) if schema.starts_with("agui-conform.") => {
                return is(&format!("a document of kind {}", quote(schema)));
            }
            _ => {}
        }
        if json.get("type").is_some() {
            return None;
        }
        if json.get("log").is_some_and(|log| log.get("entries").is_some()) {
            return is("a HAR file");
        }
        if json.get("threadId").is_some() && json.get("messages").is_some() {
            return is("a run input");
        }
        is("a JSON document without a `type`")
    }

    fn judge_end(&mut self) {
        if self.options.scope == Scope::Stream {
            self.outcome.count_checked("lifecycle/terminated");
        }
        let Ruling::Refuse { error, consequence_of } = self.ordering.finish() else { return };
        // A stream that was cut, or is none, is reported as that.
        let cause = if self.any_event { self.cut } else { self.undecodable };
        let kept = self.outcome.findings.len();
        let consequence_of = consequence_of.or(cause.filter(|cause| *cause < kept));
        let requirement = registry::of_breach(None, error.breach());
        let mut message = error.breach().to_string();
        if self.outcome.events == 0 {
            "the stream has no events".clone_into(&mut message);
        }
        self.add(Finding {
            at_end: true,
            related: error.breach().related(),
            byte: Some(self.reader.bytes()),
            consequence_of,
            ..bare(requirement, message)
        });
    }

    fn json_flaw(&mut self, frame: &Frame, flaw: &json::Flaw) {
        use json::FlawKind as K;
        let id = match flaw.kind {
            // The reader of frames has reported these already.
            K::InvalidUtf8 => return,
            K::ByteOrderMark if frame.byte == 0 => return,
            K::TrailingData => "sse/one-event-a-frame",
            K::TooDeep => {
                let place = frame.locate(flaw.offset);
                let message = format!("{}; they are not judged", flaw.kind.describe());
                self.note(&message, Some((place.line, place.byte)), true);
                return;
            }
            _ => "shape/clean-json",
        };
        self.found_in(id, frame, flaw.offset, flaw.kind.describe().to_owned());
    }

    fn flaw(&mut self, flaw: &Flaw) {
        let message = flaw.kind.describe().trim_end_matches('.').to_owned();
        let sse = self.reader.format() == Some(Format::Sse);
        let id = match flaw.kind {
            FlawKind::CarriageReturn | FlawKind::CrLf if sse => "sse/line-feeds",
            FlawKind::PayloadOutsideData | FlawKind::UnterminatedFrame if sse => "sse/framed",
            FlawKind::InvalidUtf8 | FlawKind::EmptyData => "sse/one-event-a-frame",
            FlawKind::ByteOrderMark => "shape/clean-json",
            // Decoding meets it, and the end of the stream tells of no data.
            FlawKind::NulByte | FlawKind::NoData => return,
            FlawKind::Binary => {
                let message =
                    "this is binary data, not a recorded stream (SSE, NDJSON or a JSON array)";
                self.outcome.unreadable = Some(Unreadable {
                    message: message.to_owned(),
                    byte: Some(flaw.byte),
                    other_document: false,
                });
                return;
            }
            kind => {
                let incomplete = matches!(
                    kind,
                    FlawKind::FrameTooLong
                        | FlawKind::GarbageBetween
                        | FlawKind::TrailingData
                        | FlawKind::HeadTooLong
                        | FlawKind::UnterminatedHead
                        | FlawKind::UnterminatedFrame
                );
                let message = match kind {
                    FlawKind::FrameTooLong => format!(
                        "a frame is longer than {} bytes and was passed over (--max-frame-bytes)",
                        self.options.limits.frame_bytes
                    ),
                    _ => message,
                };
                self.note(&message, Some((flaw.line, flaw.byte)), incomplete);
                return;
            }
        };
        let requirement = names::named(id);
        let found = self.outcome.found.get(names::place(id)).copied().unwrap_or_default();
        if id == "sse/line-feeds" && found > 0 {
            self.more_line_ends += 1;
            return;
        }
        if flaw.kind == FlawKind::UnterminatedFrame {
            self.cut = Some(self.outcome.findings.len());
        }
        self.add(Finding {
            event: flaw.frame,
            line: Some(flaw.line),
            byte: Some(flaw.byte),
            ..bare(requirement, message)
        });
    }

    /// Adds a finding about a place in a frame.
    fn found_in(&mut self, id: &'static str, frame: &Frame, offset: usize, message: String) {
        let place = frame.locate(offset);
        self.add(Finding {
            event: Some(frame.index),
            line: Some(place.line),
            byte: Some(place.byte),
            ..bare(names::named(id), message)
        });
    }

    fn add(&mut self, mut finding: Finding) {
        let by_level = Severity::from(finding.requirement.level);
        let by_policy = self.options.policy.severity(finding.requirement);
        // A doubt stays a warning unless the user says otherwise.
        if by_policy != by_level {
            finding.severity = by_policy;
        }
        let outcome = &mut self.outcome;
        if finding.consequence_of.is_none() {
            let place = names::place(finding.requirement.id);
            let doubt = finding.severity == Severity::Warning && by_level == Severity::Error;
            for (counts, count) in
                [(&mut outcome.found, 1), (&mut outcome.broken, u64::from(!doubt))]
            {
                if let Some(total) = counts.get_mut(place) {
                    *total += count;
                }
            }
        }
        outcome.errors += u64::from(finding.is_error());
        outcome.warnings += u64::from(finding.is_warning());
        if finding.is_error() {
            let place = match finding.event {
                Some(event) => FirstRejected::Event(event),
                None => FirstRejected::End,
            };
            outcome.first_rejected = Some(outcome.first_rejected.map_or(place, |at| at.min(place)));
        }
        if outcome.findings.len() < self.options.max_findings {
            outcome.findings.push(finding);
        } else {
            outcome.dropped += 1;
        }
    }

    /// Adds a note; of those that say the same the first is kept and the others are counted.
    fn note(&mut self, message: &str, place: Option<(u64, u64)>, incomplete: bool) {
        if let Some(more) = self.more_notes.get_mut(message) {
            *more += 1;
            return;
        }
        self.more_notes.insert(message.to_owned(), 0);
        let note = Note {
            message: message.to_owned(),
            line: place.map(|(line, _)| line),
            byte: place.map(|(_, byte)| byte),
            incomplete,
        };
        self.outcome.notes.push(note);
    }
}

fn bare(requirement: &'static Requirement, message: String) -> Finding {
    Finding {
        requirement,
        rule: None,
        severity: requirement.level.into(),
        event: None,
        at_end: false,
        event_type: None,
        line: None,
        byte: None,
        pointer: None,
        related: None,
        entity: None,
        owner: None,
        message,
        consequence_of: None,
    }
}
