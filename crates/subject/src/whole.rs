//! The whole report of check, beside the model's.

use std::collections::{BTreeMap, BTreeSet};

use conform_check::registry::Judge;
use conform_check::{Checker, Options, Request};
use conform_event::EventType;
use conform_event::json::{self, Json};

/// Where a stream breaks what: the event, none for the end, and the requirement.
pub type Broken = BTreeSet<(Option<usize>, &'static str)>;

/// What is said of a whole stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whole {
    /// What only check finds, not the model.
    pub only_check: Broken,
    /// What only the model finds.
    pub only_model: Broken,
    /// What check counts: errors and warnings that follow from nothing else.
    pub counted: Vec<(Option<usize>, &'static str)>,
}

impl Whole {
    /// Judges the events of a stream by check and by the model.
    ///
    /// Of events that the ordering rules refuse only the first is compared by its requirement:
    /// of the later ones, and after a fault of shape, check may tell what else is wrong. Nothing is compared after
    /// the first RUN_STARTED that comes with or after a refusal: there check begins afresh.
    ///
    /// ```
    /// use conform_subject::Whole;
    /// let started = [r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#.to_owned()];
    /// let whole = Whole::of(&started, None);
    /// assert!(whole.only_check.is_empty() && whole.only_model.is_empty());
    /// assert_eq!(whole.counted, [(Some(0), "version/declared"), (None, "lifecycle/terminated")]);
    /// ```
    pub fn of(texts: &[String], request: Option<&str>) -> Self {
        let Checked { beyond: mut check, ordering: by_check, counted } = checked(texts, request);
        let (mut model, by_model) = modelled(texts, request);
        let first = by_model.keys().copied().min_by_key(|at| at.unwrap_or(usize::MAX));
        // Where a shape shows what was meant, check has gone on with that.
        let meant = model.iter().any(|(at, id)| id.starts_with("shape/") && Some(*at) <= first);
        let first_told = first.filter(|_| !meant);
        let starts = |at: &usize| texts.get(*at).is_some_and(|text| starts_a_run(text));
        let cut = first.flatten().and_then(|first| (first..texts.len()).find(starts));
        for (ordering, broken) in [(by_check, &mut check), (by_model, &mut model)] {
            for (at, id) in ordering {
                broken.insert((at, if Some(at) == first_told { id } else { "an ordering rule" }));
            }
        }
        if let Some(cut) = cut {
            for broken in [&mut check, &mut model] {
                broken.retain(|(at, id)| {
                    at.is_some_and(|at| at <= cut) && *id != "lifecycle/echoes-request"
                });
            }
        }
        Self {
            only_check: check.difference(&model).copied().collect(),
            only_model: model.difference(&check).copied().collect(),
            counted,
        }
    }

    /// Where check and the model differ first: the event, none for the end, the requirement,
    /// and whether it is check that finds it.
    pub fn difference(&self) -> Option<(Option<usize>, &'static str, bool)> {
        let check = self.only_check.iter().map(|(at, id)| (*at, *id, true));
        let model = self.only_model.iter().map(|(at, id)| (*at, *id, false));
        check.chain(model).min_by_key(|(at, id, _)| (at.unwrap_or(usize::MAX), *id))
    }
}

fn starts_a_run(text: &str) -> bool {
    let event = conform_event::decode(text.as_bytes());
    event.is_ok_and(|decoded| decoded.event.event_type() == Some(EventType::RunStarted))
}

/// Which event breaks an ordering rule, and which requirement that means.
type Ordering = BTreeMap<Option<usize>, &'static str>;

#[derive(Default)]
struct Checked {
    beyond: Broken,
    ordering: Ordering,
    counted: Vec<(Option<usize>, &'static str)>,
}

fn checked(texts: &[String], request: Option<&str>) -> Checked {
    let request = request.and_then(|text| Request::read(text.as_bytes()).ok());
    let options = Options { request, max_findings: usize::MAX, ..Options::default() };
    let mut checker = Checker::new(options);
    for text in texts {
        checker.push(text.as_bytes());
        checker.push(b"\n");
    }
    let outcome = checker.finish();
    let mut report = Checked::default();
    for finding in &outcome.findings {
        let at = finding.event.and_then(|at| usize::try_from(at).ok());
        let id = finding.requirement.id;
        if finding.is_error() || finding.is_warning() {
            report.counted.push((at, id));
        }
        match finding.requirement.judge {
            Judge::Rule(_) | Judge::Stream => {
                report.ordering.insert(at, id);
            }
            Judge::Reader => {}
            _ => {
                report.beyond.insert((at, id));
            }
        }
    }
    report
}

fn modelled(texts: &[String], request: Option<&str>) -> (Broken, Ordering) {
    let events: Vec<Json<'_>> =
        texts.iter().filter_map(|text| Some(json::read(text.as_bytes()).ok()?.0)).collect();
    let request = request.and_then(|text| Some(json::read(text.as_bytes()).ok()?.0));
    let request = request.filter(Json::is_object);
    let mut report = (Broken::new(), Ordering::new());
    for (at, id) in conform_model::report(&events, request.as_ref()) {
        let entry = conform_check::registry::find(id);
        match entry.map(|entry| entry.judge) {
            Some(Judge::Rule(_) | Judge::Stream) => {
                report.1.insert(at, id);
            }
            _ => {
                report.0.insert((at, id));
            }
        }
    }
    report
}
