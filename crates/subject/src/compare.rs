//! What verifier, model and generator say of a case, side by side.

use conform_event::{Event, RunInput, decode, json};
use conform_generate::Scope;
use conform_model::{Verdict, judge_run, judge_stream};
use conform_verify::{StreamVerifier, VerificationError, Verifier};
use serde_json::Value;

use crate::case::{Case, Label};

/// What is said of one event, or of the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Saying {
    /// It is accepted.
    Accept,
    /// It is accepted with a doubt about this rule.
    Doubt(&'static str),
    /// It is rejected for this rule or requirement.
    Reject(&'static str),
}

impl std::fmt::Display for Saying {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Accept => f.write_str("accept"),
            Self::Doubt(name) => write!(f, "accept with a doubt ({name})"),
            Self::Reject(name) => write!(f, "reject ({name})"),
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
    // The generators know the first rejection.
    let first = model.iter().position(|saying| matches!(saying, Saying::Reject(_)));
    let (at, expected) = match label? {
        Label::Valid => (first?, Saying::Accept),
        Label::Broken { cell, at, .. } => {
            let at = at.unwrap_or(events.len());
            if first == Some(at) && model.get(at) == Some(&Saying::Reject(cell.rule)) {
                return None;
            }
            (at.min(first.unwrap_or(at)), Saying::Reject(cell.rule))
        }
    };
    let verifier = verifier.get(at).copied().unwrap_or(Saying::Accept);
    let model = model.get(at).copied().unwrap_or(Saying::Accept);
    Some(Difference { at: index(at), verifier, model, label: Some(expected) })
}
