//! One event: its shape, its place in the order, and what it says.

use conform_event::json::Json;
use conform_event::shape::{self, Version};
use conform_event::{Body, Decoded, Event, EventType, TypeName};
use conform_verify::{Position, VerificationError};

use super::{Checker, bare};
use crate::beyond::Broken;
use crate::blame;
use crate::exercise;
use crate::finding::{Finding, Severity};
use crate::frames::Frame;
use crate::meant;
use crate::names;
use crate::ordering::{Ruling, Scope, Unread};
use crate::registry;
use crate::trace::Traced;
use crate::worlds::Judged;

/// What the shape of an event came to.
#[derive(Default)]
struct Shaped {
    /// The faults, and the index of the finding that tells each.
    faults: Vec<(shape::Fault, usize)>,
    /// The finding that says that it is unknown what the event is.
    untyped: Option<usize>,
}

impl Checker {
    pub(super) fn event(&mut self, frame: &Frame, decoded: &Decoded<'_>) {
        let Decoded { event, json, flaws } = decoded;
        self.outcome.count_checked("shape/clean-json");
        for flaw in flaws {
            self.json_flaw(frame, flaw);
        }
        if !json.is_object() {
            let message = format!("an event is a JSON object, this is {}", json.kind());
            self.found_in("sse/one-event-a-frame", frame, json.start, message);
            return;
        }
        let before = self.outcome.findings.len();
        self.any_event = true;
        if let Some(traced) = self.outcome.trace.as_mut().and_then(|trace| trace.last_mut()) {
            *traced = Traced::of(event, frame.line);
        }
        if matches!(event.body, Body::RunStarted { .. }) {
            self.run_started(json);
        }
        let features = &mut self.outcome.features;
        exercise::features(event, |feature| *features.entry(feature).or_default() += 1);
        let checked = &mut self.outcome.checked;
        exercise::ordering(event, self.options.scope, |place| {
            if let Some(count) = checked.get_mut(place) {
                *count += 1;
            }
        });
        if self.options.scope == Scope::Stream {
            let outcome = &mut self.outcome;
            if frame.index == 0 {
                outcome.count_checked("lifecycle/first-event");
            }
            let has_input = outcome.has_input;
            exercise::beyond(event, json, has_input, |id| outcome.count_checked(id));
        }
        let shaped = match self.options.scope {
            Scope::Stream => self.shape(frame, event, json),
            Scope::Run => Shaped::default(),
        };
        let at = Position { event: frame.index, line: frame.line };
        let faults = shaped.faults.iter().map(|(fault, _)| fault);
        let id = event.event_type().and_then(blame::id_member);
        let meant = meant::event(json, id, faults);
        let meant_event = meant.as_ref().map(Event::from_json);
        // What has the same effect needs no second opinion.
        let meant = meant_event.as_ref().zip(meant.as_ref()).filter(|(meant, _)| *meant != event);
        let unread = Self::unread(event, &shaped, meant.map(|(event, _)| event));
        let next = self.outcome.findings.len();
        let ruling = self.ordering.observe(at, event, unread, next);
        let accepted = !matches!(ruling, Ruling::Refuse { .. });
        if matches!(event.body, Body::RunStarted { .. }) {
            let place = frame.locate(json.get("runId").unwrap_or(json).start);
            let place = Some((frame.index, place.line, place.byte));
            self.started = [place, if accepted { place } else { self.started[1] }];
        }
        match ruling {
            Ruling::Accept => {}
            Ruling::Doubt { error, consequence_of } => {
                let finding = Finding {
                    severity: Severity::Warning,
                    consequence_of: shaped.untyped.or(consequence_of),
                    ..Self::ordering_finding(frame, event, json, &error)
                };
                self.add(finding);
            }
            Ruling::Refuse { error, consequence_of } => {
                let finding = Self::ordering_finding(frame, event, json, &error);
                let by_shape = finding.pointer.as_deref().and_then(|place| shaped.cause(place));
                let consequence_of = shaped.untyped.or(by_shape).or(consequence_of);
                self.add(Finding { consequence_of, ..finding });
            }
        }
        let judged = Judged { at, event, json, meant, accepted };
        let outcome = &mut self.outcome;
        let ruled = self.worlds.observe(&self.ordering, &judged, |id| outcome.count_checked(id));
        for (broken, counts) in ruled {
            let by_shape = shaped.cause(&broken.pointer);
            let consequence_of = by_shape.or((!counts).then(|| self.ordering.cause()));
            let place = frame.locate(json.at(&broken.pointer).unwrap_or(json).start);
            self.add(Finding {
                event: Some(frame.index),
                event_type: type_name(event),
                line: Some(place.line),
                byte: Some(place.byte),
                consequence_of,
                ..told(broken)
            });
        }
        self.most_specific_first(before);
    }

    /// Puts the findings about one event, those from `before` on, into their order of
    /// precedence: the most specific first, and what follows from others last.
    fn most_specific_first(&mut self, before: usize) {
        let findings = &mut self.outcome.findings;
        let Some(own) = findings.get(before..).filter(|own| own.len() > 1) else { return };
        let rank = |finding: &Finding| match finding.requirement.id {
            "shape/known-type" => 0,
            "shape/absent-not-null" => 1,
            "shape/known-fields" => 3,
            "shape/well-formed" => 4,
            _ => 2,
        };
        let mut order: Vec<usize> = (0..own.len()).collect();
        order.sort_by_key(|at| (own[*at].consequence_of.is_some(), rank(&own[*at])));
        if order.is_sorted() {
            return;
        }
        // Where each has gone.
        let renumber = |index: usize| match index.checked_sub(before) {
            Some(at) => order.iter().position(|old| *old == at).map_or(index, |new| before + new),
            None => index,
        };
        let mut sorted: Vec<Finding> = order.iter().map(|at| own[*at].clone()).collect();
        for finding in &mut sorted {
            finding.consequence_of = finding.consequence_of.map(renumber);
        }
        findings.truncate(before);
        findings.extend(sorted);
        self.ordering.renumber(renumber);
    }

    fn run_started(&mut self, json: &Json<'_>) {
        self.outcome.runs += 1;
        self.outcome.has_input |= json.get("input").is_some_and(Json::is_object);
        let version = json.text("protocolVersion");
        self.declared = version.and_then(Version::of);
        if self.outcome.declared_version.is_none() {
            self.outcome.declared_version = version.map(str::to_owned);
        }
    }

    /// Judges the shape. What a fault of shape breaks in general follows from the requirement
    /// that is named for it.
    fn shape(&mut self, frame: &Frame, event: &Event<'_>, json: &Json<'_>) -> Shaped {
        let version = self.options.spec.or(self.declared).unwrap_or(Version::NEWEST);
        let mut shaped = Shaped::default();
        for fault in shape::check(json, version) {
            let place = frame.locate(fault.offset);
            let finding = |id: &'static str| Finding {
                event: Some(frame.index),
                event_type: type_name(event),
                line: Some(place.line),
                byte: Some(place.byte),
                pointer: Some(fault.pointer.clone()),
                ..bare(names::named(id), fault.to_string())
            };
            let first = self.outcome.findings.len();
            let general = finding(fault.requirement());
            match fault.named.filter(|named| *named != fault.requirement()) {
                Some(named) => {
                    self.add(finding(named));
                    self.add(Finding { consequence_of: Some(first), ..general });
                }
                None => self.add(general),
            }
            if fault.requirement() == "shape/known-type" {
                shaped.untyped = Some(first);
            }
            shaped.faults.push((fault, first));
        }
        shaped
    }

    /// Why the ordering rules could not read the event as it was meant, if they could not.
    fn unread<'m>(
        event: &Event<'_>,
        shaped: &Shaped,
        meant: Option<&'m Event<'m>>,
    ) -> Option<Unread<'m>> {
        let id = event.event_type().and_then(blame::id_member);
        let by_id = || {
            let id = id.filter(|_| event.body == Body::Hidden)?;
            shaped.cause(&format!("/{id}"))
        };
        let any = || shaped.faults.first().map(|(_, finding)| *finding).filter(|_| meant.is_some());
        let finding = shaped.untyped.or_else(by_id).or_else(any)?;
        Some(Unread { meant, finding })
    }

    /// Judges what only the whole stream tells.
    pub(super) fn judge_whole(&mut self) {
        for (broken, counts) in self.worlds.finish() {
            let at = broken.at;
            let known = self.started.iter().flatten();
            let place = known.copied().find(|(event, ..)| at.is_some_and(|at| at.event == *event));
            let consequence_of = (!counts).then(|| self.ordering.cause());
            self.add(Finding {
                event: at.map(|at| at.event),
                at_end: at.is_none(),
                event_type: at.map(|_| EventType::RunStarted.as_str().to_owned()),
                line: place.map(|(_, line, _)| line),
                byte: Some(place.map_or_else(|| self.reader.bytes(), |(.., byte)| byte)),
                consequence_of,
                ..told(broken)
            });
        }
    }

    fn ordering_finding(
        frame: &Frame,
        event: &Event<'_>,
        json: &Json<'_>,
        error: &VerificationError,
    ) -> Finding {
        let breach = error.breach();
        let event_type = event.event_type();
        let requirement = registry::of_breach(Some(event), breach);
        let pointer = blame::pointer(event_type, breach);
        let place = pointer.as_deref().and_then(|pointer| json.at(pointer));
        let place = frame.locate(place.unwrap_or(json).start);
        Finding {
            rule: error.rule(),
            event: Some(frame.index),
            event_type: type_name(event),
            line: Some(place.line),
            byte: Some(place.byte),
            pointer,
            related: breach.related(),
            entity: breach.entity().map(|entity| (entity.kind, entity.id.to_string())),
            owner: breach.owner().cloned(),
            ..bare(requirement, breach.to_string())
        }
    }
}

impl Shaped {
    /// The finding about the member at a pointer, or about what it is in.
    fn cause(&self, pointer: &str) -> Option<usize> {
        let covers = |fault: &shape::Fault| {
            let rest = pointer.strip_prefix(fault.pointer.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let found = self.faults.iter().find(|(fault, _)| covers(fault));
        self.untyped.or(found.map(|(_, finding)| *finding))
    }
}

/// The finding of what a judge says is broken, wherever it is.
fn told(broken: Broken) -> Finding {
    let finding = bare(names::named(broken.id), broken.message);
    Finding {
        rule: finding.requirement.rule(),
        severity: if broken.doubt { Severity::Warning } else { finding.severity },
        pointer: Some(broken.pointer).filter(|pointer| !pointer.is_empty()),
        related: broken.related,
        entity: broken.entity,
        owner: broken.owner,
        ..finding
    }
}

fn type_name(event: &Event<'_>) -> Option<String> {
    match &event.type_name {
        TypeName::Missing => None,
        name => Some(name.as_str().to_owned()),
    }
}
