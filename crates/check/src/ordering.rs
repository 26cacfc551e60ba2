//! The ordering verifiers as a judge that goes on after a refusal.
//!
//! Two verifiers follow the stream. The *strict* one ignores what it refuses, as the contract
//! says. The *lenient* one goes on as if every refused event had done what it meant to. What
//! the strict one refuses is a finding; where the lenient one accepts the same event, it is
//! one that only exists because an earlier event was refused: a consequence of that one.

use std::collections::HashMap;

use conform_event::{Body, Event, RunInput};
use conform_verify::{
    Breach, Entity, EntityKind, Position, StreamVerifier, VerificationError, Verifier,
};

/// How far a stream is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Scope {
    /// A whole AG-UI 1.x stream: runs one after another, beginning, end and chunks.
    #[default]
    Stream,
    /// One run, by the eight rules alone.
    Run,
}

impl Scope {
    /// The name in reports and on the command line.
    ///
    /// ```
    /// assert_eq!(conform_check::Scope::Stream.as_str(), "stream");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stream => "stream",
            Self::Run => "run",
        }
    }
}

/// What the ordering rules say of an event.
#[derive(Debug)]
pub(crate) enum Ruling {
    /// Nothing.
    Accept,
    /// It is accepted, and may be wrong, of itself or as a consequence of an earlier finding.
    Doubt { error: VerificationError, consequence_of: Option<usize> },
    /// It is refused, as a consequence of an earlier finding or of itself.
    Refuse { error: VerificationError, consequence_of: Option<usize> },
}

/// The two verifiers. Until something is refused they are one.
#[derive(Debug)]
pub(crate) struct Ordering {
    lenient: World,
    strict: Option<World>,
    causes: Causes,
}

#[derive(Debug, Clone)]
enum World {
    Run(Box<Verifier>),
    Stream(Box<StreamVerifier>),
}

impl World {
    fn observe(
        &mut self,
        at: Position,
        event: &Event<'_>,
    ) -> Result<Option<VerificationError>, VerificationError> {
        match self {
            Self::Run(verifier) => verifier.observe_at(at, event).map(|()| None),
            Self::Stream(verifier) => verifier.observe_at(at, event),
        }
    }

    fn assume(&mut self, at: Position, event: &Event<'_>) {
        match self {
            Self::Run(verifier) => verifier.assume_at(at, event),
            Self::Stream(verifier) => verifier.assume_at(at, event),
        }
    }

    fn finish(&self) -> Result<(), VerificationError> {
        match self {
            Self::Run(_) => Ok(()),
            Self::Stream(verifier) => verifier.finish(),
        }
    }

    /// Whether RUN_STARTED would begin a run with nothing kept from before it.
    fn begins_afresh(&self) -> bool {
        match self {
            Self::Run(_) => false,
            Self::Stream(verifier) => !verifier.is_implied(),
        }
    }
}

impl Ordering {
    pub(crate) fn new(scope: Scope, request: Option<RunInput<'_>>) -> Self {
        let lenient = match scope {
            Scope::Run => World::Run(Box::default()),
            Scope::Stream => World::Stream(Box::new(StreamVerifier::new(request))),
        };
        Self { lenient, strict: None, causes: Causes::default() }
    }

    /// Judges an event; `next` is the index that a finding about it will have.
    pub(crate) fn observe(&mut self, at: Position, event: &Event<'_>, next: usize) -> Ruling {
        let afresh = self.lenient.begins_afresh();
        let Some(strict) = &mut self.strict else {
            return match self.lenient.observe(at, event) {
                Ok(None) => Ruling::Accept,
                Ok(Some(error)) => Ruling::Doubt { error, consequence_of: None },
                Err(error) => {
                    self.strict = Some(self.lenient.clone());
                    self.lenient.assume(at, event);
                    self.causes.add(&error, event, next);
                    Ruling::Refuse { error, consequence_of: None }
                }
            };
        };
        let refused = strict.observe(at, event);
        let lenient = self.lenient.observe(at, event);
        if lenient.is_err() {
            self.lenient.assume(at, event);
        }
        if afresh && matches!(event.body, Body::RunStarted { .. }) {
            // A new run: the two are one again.
            self.strict = None;
        }
        match (refused, lenient) {
            (Err(refused), Err(lenient)) => {
                // The lenient one knows what else is wrong, and has opened some things twice.
                let same = refused.rule() == lenient.rule()
                    && refused.requirement() == lenient.requirement()
                    && refused.breach().entity() == lenient.breach().entity();
                let error = if same { refused } else { lenient };
                self.causes.add(&error, event, next);
                Ruling::Refuse { error, consequence_of: None }
            }
            (Err(error), Ok(_)) => {
                let consequence_of = Some(self.causes.of(error.breach()));
                Ruling::Refuse { error, consequence_of }
            }
            (Ok(Some(error)), Ok(None)) => {
                let consequence_of = Some(self.causes.of(error.breach()));
                Ruling::Doubt { error, consequence_of }
            }
            (Ok(Some(error)), _) => Ruling::Doubt { error, consequence_of: None },
            (Ok(None), _) => Ruling::Accept,
        }
    }

    /// Judges the end of the stream.
    pub(crate) fn finish(&self) -> Ruling {
        let lenient = self.lenient.finish();
        match (self.strict.as_ref().map(World::finish), lenient) {
            (None, Ok(())) | (Some(Ok(())), _) => Ruling::Accept,
            (None | Some(Err(_)), Err(error)) => Ruling::Refuse { error, consequence_of: None },
            (Some(Err(error)), Ok(())) => {
                let consequence_of = Some(self.causes.of(error.breach()));
                Ruling::Refuse { error, consequence_of }
            }
        }
    }
}

/// Which finding has made the two verifiers differ, and in what.
#[derive(Debug, Default)]
struct Causes {
    last: usize,
    run: Option<usize>,
    entities: HashMap<Entity, usize>,
}

impl Causes {
    fn add(&mut self, error: &VerificationError, event: &Event<'_>, finding: usize) {
        self.last = finding;
        let breach = error.breach();
        if let Some(entity) = breach.entity() {
            self.entities.insert(entity.clone(), finding);
        }
        if let Breach::UnknownParent { child, .. } = breach {
            let entity = Entity { kind: EntityKind::Subagent, id: child.clone() };
            self.entities.insert(entity, finding);
        }
        let run_level =
            matches!(event.body, Body::RunStarted { .. } | Body::RunFinished | Body::RunError);
        if run_level || matches!(breach, Breach::NotFirst | Breach::RunEnded { .. }) {
            self.run = Some(finding);
        }
    }

    fn of(&self, breach: &Breach) -> usize {
        let entity = breach.entity().and_then(|entity| self.entities.get(entity)).copied();
        entity.or(self.run).unwrap_or(self.last)
    }
}
