//! What verifier, model and generator say of a case, side by side.

use conform_check::registry::Judge;
use conform_event::{Event, RunInput, decode, json};
use conform_generate::Scope;
use conform_model::{Verdict, judge_run, judge_stream};
use conform_verify::{StreamVerifier, VerificationError, Verifier};
use serde_json::Value;

use crate::case::{Case, Label};
use crate::whole::Whole;

/// What is said of one event, or of the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Saying {
    /// It is accepted.
    Accept,
    /// It is accepted with a doubt about this rule.
    Doubt(&'static str),
    /// It is rejected for this rule or requirement.
    Reject(&'static str),
    /// It breaks this requirement beyond ordering, or counts as breaking it.
    Breaks(&'static str),
}

impl std::fmt::Display for Saying {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Accept => f.write_str("accept"),
            Self::Doubt(name) => write!(f, "accept with a doubt ({name})"),
            Self::Reject(name) => write!(f, "reject ({name})"),
            Self::Breaks(name) => write!(f, "find {name}"),
        }
    }
}

/// Where opinions differ, and what each is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The event; none is the end of the stream.
    pub at: Option<usize>,
    /// What the production verifier says.
    pub verifier: Saying,
    /// What the model says.
    pub model: Saying,
    /// What the generator knows, where that is what they differ from.
    pub label: Option<Saying>,
}

/// The opinions of the production verifier: of each event, and last of the end.
pub fn verified(scope: Scope, events: &[Event<'_>], request: Option<&RunInput<'_>>) -> Vec<Saying> {
    match scope {
        Scope::Run => {
            let mut verifier = Verifier::new();
            let sayings = events.iter().map(|event| match verifier.observe(event) {
                Ok(()) => Saying::Accept,
                Err(error) => Saying::Reject(name(&error)),
            });
            sayings.chain([Saying::Accept]).collect()
        }
        Scope::Stream => {
            let mut verifier = StreamVerifier::new(request.cloned());
            let mut sayings: Vec<Saying> = Vec::with_capacity(events.len() + 1);
            for event in events {
                sayings.push(match verifier.observe(event) {
                    Ok(None) => Saying::Accept,
                    Ok(Some(doubt)) => Saying::Doubt(name(&doubt)),
                    Err(error) => Saying::Reject(name(&error)),
                });
            }
            sayings.push(match verifier.finish() {
                Ok(()) => Saying::Accept,
                Err(error) => Saying::Reject(name(&error)),
            });
            sayings
        }
    }
}

/// The opinions of the reference model, likewise.
pub fn modelled(scope: Scope, events: &[Event<'_>], request: Option<&RunInput<'_>>) -> Vec<Saying> {
    let judgement = match scope {
        Scope::Run => judge_run(events),
        Scope::Stream => judge_stream(events, request),
    };
    let saying = |verdict: &Verdict| {
        let name = |breach: &conform_model::Breach| {
            breach.rule.or(breach.requirement).unwrap_or("nothing named")
        };
        match verdict {
            Verdict::Accept => Saying::Accept,
            Verdict::Warn(breach) => Saying::Doubt(name(breach)),
            Verdict::Reject(breach) => Saying::Reject(name(breach)),
        }
    };
    judgement.events.iter().chain([&judgement.end]).map(saying).collect()
}

fn name(error: &VerificationError) -> &'static str {
    let rule = error.rule().map(conform_verify::Rule::as_str);
    rule.or(error.requirement()).unwrap_or("nothing named")
}

/// Where the opinions of a case differ first, if they do.
///
/// ```
/// use conform_subject::{Case, difference};
/// assert_eq!(difference(&Case::generate(1, 1)), None);
/// ```
pub fn difference(case: &Case) -> Option<Difference> {
    let texts: Vec<String> = case.events.iter().map(Value::to_string).collect();
    let request = case.request.as_ref().map(Value::to_string);
    differing(case.scope, &texts, request.as_deref(), case.label)
}

fn differing(
    scope: Scope,
    texts: &[String],
    request: Option<&str>,
    label: Option<Label>,
) -> Option<Difference> {
    let request_text = request;
    // What a generator wrote is JSON; what is not would be an event that is not there.
    let events: Vec<Event<'_>> =
        texts.iter().filter_map(|text| Some(decode(text.as_bytes()).ok()?.event)).collect();
    let request = request.and_then(|text| {
        let (json, _) = json::read(text.as_bytes()).ok()?;
        RunInput::from_json(&json).map(RunInput::into_owned)
    });
    let verifier = verified(scope, &events, request.as_ref());
    let model = modelled(scope, &events, request.as_ref());
    let index = |at: usize| (at < events.len()).then_some(at);
    let pairs = verifier.iter().zip(&model).enumerate();
    if let Some((at, (verifier, model))) = pairs.clone().find(|(_, (v, m))| v != m) {
        return Some(Difference { at: index(at), verifier: *verifier, model: *model, label: None });
    }
    let whole = (scope == Scope::Stream).then(|| Whole::of(texts, request_text));
    if let Some((at, id, by_check)) = whole.as_ref().and_then(Whole::difference) {
        let broken = (Saying::Breaks(id), Saying::Accept);
        let (verifier, model) = if by_check { broken } else { (broken.1, broken.0) };
        return Some(Difference { at, verifier, model, label: None });
    }
    labelled(&verifier, &model, whole.as_ref(), label?)
}

/// Where the generators know something else.
fn labelled(
    verifier: &[Saying],
    model: &[Saying],
    whole: Option<&Whole>,
    label: Label,
) -> Option<Difference> {
    let end = model.len().saturating_sub(1);
    let index = |at: usize| (at < end).then_some(at);
    // The first rejection is what is broken, unless that is beyond the ordering rules.
    let first = model.iter().position(|saying| matches!(saying, Saying::Reject(_)));
    let expected = match label {
        Label::Broken { cell, at, .. } if is_of_ordering(cell.rule) => {
            Some((at.unwrap_or(end), Saying::Reject(cell.rule)))
        }
        _ => None,
    };
    let says = |at: usize| model.get(at).copied().unwrap_or(Saying::Accept);
    // What a misshapen event makes the rules refuse follows from its shape: the whole tells.
    let shown = match label {
        Label::Broken { cell, at, .. } if !is_of_ordering(cell.rule) => at.unwrap_or(end),
        _ => usize::MAX,
    };
    let found = first.filter(|at| *at < shown).map(|at| (at, says(at)));
    if found != expected {
        let at = [found, expected].into_iter().flatten().map(|(at, _)| at).min().unwrap_or(end);
        let label = expected.filter(|(place, _)| *place == at).map_or(Saying::Accept, |(_, s)| s);
        let verifier = verifier.get(at).copied().unwrap_or(Saying::Accept);
        return Some(Difference { at: index(at), verifier, model: says(at), label: Some(label) });
    }
    // One fault, one finding that counts; in a valid stream none.
    let counted = &whole?.counted;
    let expected = match label {
        Label::Valid => None,
        Label::Broken { requirement, at, .. } => Some((at, requirement)),
    };
    if counted.iter().copied().eq(expected) {
        return None;
    }
    let other = counted.iter().copied().find(|found| Some(*found) != expected);
    let (at, check, label) = match (other, expected) {
        (Some((at, id)), _) => (at, Saying::Breaks(id), Saying::Accept),
        (None, Some((at, id))) => (at, Saying::Accept, Saying::Breaks(id)),
        // The same twice.
        (None, None) => (None, Saying::Accept, Saying::Accept),
    };
    Some(Difference { at, verifier: check, model: Saying::Accept, label: Some(label) })
}

/// Whether a name is an ordering rule's, or of a requirement that only stream scope refuses.
fn is_of_ordering(name: &str) -> bool {
    !name.contains('/')
        || conform_check::registry::find(name).is_some_and(|entry| entry.judge == Judge::Stream)
}
