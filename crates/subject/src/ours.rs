//! Our own verifier and model as subjects.

use conform_event::{Event, RunInput};
use conform_model::{Position, Verdict, judge_run, judge_stream};
use conform_verify::{StreamVerifier, VerificationError, Verifier};

use crate::protocol::{At, Opinion, VerifierSubject};

/// What of ours answers, and in which scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ours {
    model: bool,
    stream: bool,
}

impl Ours {
    /// The production verifier, in scope `run` or `stream`; none for any other scope.
    pub fn verifier(scope: &str) -> Option<Self> {
        Self::of(scope, false)
    }

    /// The reference model, in scope `run` or `stream`; none for any other scope.
    pub fn model(scope: &str) -> Option<Self> {
        Self::of(scope, true)
    }

    fn of(scope: &str, model: bool) -> Option<Self> {
        match scope {
            "run" => Some(Self { model, stream: false }),
            "stream" => Some(Self { model, stream: true }),
            _ => None,
        }
    }
}

impl VerifierSubject for Ours {
    fn name(&self) -> &'static str {
        if self.model { "conform-model" } else { "conform-verify" }
    }

    fn scope(&self) -> &'static str {
        if self.stream { "stream" } else { "run" }
    }

    fn judge(&self, events: &[Event<'_>], request: Option<&RunInput<'_>>) -> Opinion {
        match (self.model, self.stream) {
            (false, false) => verify_run(events),
            (false, true) => verify_stream(events, request),
            (true, false) => modelled(&judge_run(events)),
            (true, true) => modelled(&judge_stream(events, request)),
        }
    }
}

fn verify_run(events: &[Event<'_>]) -> Opinion {
    let mut verifier = Verifier::new();
    for (index, event) in events.iter().enumerate() {
        if let Err(error) = verifier.observe(event) {
            return reject(At::Event(index), &error);
        }
    }
    Opinion::Accept
}

fn verify_stream(events: &[Event<'_>], request: Option<&RunInput<'_>>) -> Opinion {
    let mut verifier = StreamVerifier::new(request.cloned());
    for (index, event) in events.iter().enumerate() {
        if let Err(error) = verifier.observe(event) {
            return reject(At::Event(index), &error);
        }
    }
    match verifier.finish() {
        Ok(()) => Opinion::Accept,
        Err(error) => reject(At::End, &error),
    }
}

fn reject(at: At, error: &VerificationError) -> Opinion {
    Opinion::Reject {
        at,
        rule: error.rule().map(|rule| rule.as_str().to_owned()),
        requirement: error.requirement().map(str::to_owned),
        message: Some(error.message()),
    }
}

fn modelled(judgement: &conform_model::Judgement) -> Opinion {
    let (at, verdict) = match judgement.first_rejected() {
        None => return Opinion::Accept,
        Some(Position::Event(index)) => (At::Event(index), judgement.events.get(index)),
        Some(Position::End) => (At::End, Some(&judgement.end)),
    };
    let breach = verdict.and_then(Verdict::breach);
    Opinion::Reject {
        at,
        rule: breach.and_then(|breach| breach.rule).map(str::to_owned),
        requirement: breach.and_then(|breach| breach.requirement).map(str::to_owned),
        message: None,
    }
}
