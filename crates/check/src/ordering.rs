//! The ordering verifiers as a judge that goes on after a refusal.
//!
//! Two verifiers follow the stream. The *strict* one ignores what it refuses, as the contract
//! says. The *lenient* one goes on as if every refused event had done what it meant to. What
//! the strict one refuses is a finding; where the lenient one accepts the same event, it is
//! one that only exists because an earlier event was refused: a consequence of that one.

use std::collections::HashMap;

use conform_event::{Body, Chunk, Event, EventType, Item, RunInput};
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
    ///
    /// Where an event could not be read, `unread` says what was meant, if that could be told,
    /// and which finding says so: the lenient verifier sees what was meant.
    pub(crate) fn observe(
        &mut self,
        at: Position,
        event: &Event<'_>,
        unread: Option<Unread<'_>>,
        next: usize,
    ) -> Ruling {
        let afresh = self.lenient.begins_afresh();
        let meant = unread.as_ref().and_then(|unread| unread.meant);
        if matches!(event.body, Body::RunStarted { .. }) {
            self.causes.unread.clear();
            self.causes.ownerless.clear();
        }
        self.causes.inherits(event);
        if let Some(unread) = &unread {
            self.causes.unread(event, unread);
            if meant.is_some() && self.strict.is_none() {
                self.strict = Some(self.lenient.clone());
            }
        }
        let Some(strict) = &mut self.strict else {
            return match self.lenient.observe(at, event) {
                Ok(None) => Ruling::Accept,
                Ok(Some(error)) => Ruling::Doubt { error, consequence_of: None },
                Err(error) => {
                    self.strict = Some(self.lenient.clone());
                    self.lenient.assume(at, event);
                    let consequence_of = self.causes.add(&error, event, next);
                    Ruling::Refuse { error, consequence_of }
                }
            };
        };
        let taken = meant.unwrap_or(event);
        let refused = strict.observe(at, event);
        let lenient = self.lenient.observe(at, taken);
        if lenient.is_err() {
            self.lenient.assume(at, taken);
        }
        if afresh && meant.is_none() && matches!(event.body, Body::RunStarted { .. }) {
            // A new run, read as it was sent: the two are one again.
            self.strict = None;
        }
        match (refused, lenient) {
            (Err(refused), Err(lenient)) => {
                // The lenient one knows what else is wrong, and has opened some things twice.
                let same = refused.rule() == lenient.rule()
                    && refused.requirement() == lenient.requirement()
                    && refused.breach().entity() == lenient.breach().entity();
                let error = if same { refused } else { lenient };
                let consequence_of = self.causes.add(&error, event, next);
                Ruling::Refuse { error, consequence_of }
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

    /// The verifiers in stream scope: the strict one and the lenient one.
    pub(crate) fn verifiers(&self) -> Option<(&StreamVerifier, &StreamVerifier)> {
        let World::Stream(lenient) = &self.lenient else { return None };
        match &self.strict {
            Some(World::Stream(strict)) => Some((strict, lenient)),
            _ => Some((lenient, lenient)),
        }
    }

    /// Takes in that findings have other indices now.
    pub(crate) fn renumber(&mut self, renumber: impl Fn(usize) -> usize) {
        let Causes { last, run, entities, unread, ownerless } = &mut self.causes;
        let all = [last].into_iter().chain(run.iter_mut()).chain(entities.values_mut());
        let all = all.chain(unread.values_mut()).chain(ownerless.values_mut());
        all.for_each(|index| *index = renumber(*index));
    }

    /// The finding that something which only the strict verifier's world knows follows from.
    pub(crate) fn cause(&self) -> usize {
        self.causes.last
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

/// Why an event could not be read as it was meant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unread<'m> {
    /// The event that was meant, where that can be told.
    pub(crate) meant: Option<&'m Event<'m>>,
    /// The finding that says what is wrong.
    pub(crate) finding: usize,
}

/// Which finding has made the two verifiers differ, and in what.
#[derive(Debug, Default)]
struct Causes {
    last: usize,
    run: Option<usize>,
    entities: HashMap<Entity, usize>,
    /// Kinds of which a start or an end could not be read, so that nobody knows whose it was.
    unread: HashMap<EntityKind, usize>,
    /// Items that nothing opened, so that nobody knows whose they are.
    ownerless: HashMap<Entity, usize>,
}

impl Causes {
    /// Notes the finding of an error, and says what it follows from, if an event that could
    /// not be read may explain it.
    fn add(
        &mut self,
        error: &VerificationError,
        event: &Event<'_>,
        finding: usize,
    ) -> Option<usize> {
        let breach = error.breach();
        let unread = match breach {
            Breach::NotOpen { entity, closed_at: None, .. }
            | Breach::UnknownCall { entity, .. }
            | Breach::ResultBeforeEnd { entity, .. }
            | Breach::AlreadyOpen { entity, .. }
            | Breach::OpenAtFinish { entity, .. } => self.unread.get(&entity.kind).copied(),
            Breach::UnknownParent { .. } => self.unread.get(&EntityKind::Subagent).copied(),
            Breach::WrongOwner { entity, .. } => self.ownerless.get(entity).copied(),
            Breach::WrongParentOwner { parent_message, .. } => {
                let message = Entity { kind: EntityKind::TextMessage, id: parent_message.clone() };
                self.ownerless.get(&message).copied()
            }
            _ => None,
        };
        if let Breach::NotOpen { entity, closed_at: None, .. } = breach {
            self.ownerless.entry(entity.clone()).or_insert(unread.unwrap_or(finding));
        }
        let finding = unread.unwrap_or(finding);
        self.last = finding;
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
        unread
    }

    /// Notes a call whose owner is that of a message which nobody knows the owner of.
    fn inherits(&mut self, event: &Event<'_>) {
        if self.ownerless.is_empty() || event.tag.is_some() {
            return;
        }
        let (Body::Start { item: Item::ToolCall, id: call, parent_message: Some(parent) }
        | Body::Chunk(Chunk { id: Some(call), parent_message: Some(parent), .. })) = &event.body
        else {
            return;
        };
        let message = Entity { kind: EntityKind::TextMessage, id: (&**parent).into() };
        if let Some(cause) = self.ownerless.get(&message).copied() {
            let call = Entity { kind: EntityKind::ToolCall, id: (&**call).into() };
            self.ownerless.entry(call).or_insert(cause);
        }
    }

    /// Notes an event that could not be read.
    fn unread(&mut self, event: &Event<'_>, unread: &Unread<'_>) {
        self.last = unread.finding;
        let Some(meant) = unread.meant else {
            if let Some(kind) = event.event_type().filter(|_| event.body == Body::Hidden) {
                self.unread.extend(kind_of(kind).map(|kind| (kind, unread.finding)));
            }
            return;
        };
        match &meant.body {
            Body::RunStarted { .. } | Body::RunFinished | Body::RunError => {
                self.run = Some(unread.finding);
            }
            body => {
                if let Some(entity) = entity_of(body) {
                    self.entities.insert(entity, unread.finding);
                }
            }
        }
    }

    fn of(&self, breach: &Breach) -> usize {
        let entity = breach.entity().and_then(|entity| self.entities.get(entity)).copied();
        entity.or(self.run).unwrap_or(self.last)
    }
}

/// What an event of this type opens or closes.
fn kind_of(event_type: EventType) -> Option<EntityKind> {
    use EventType as T;
    Some(match event_type {
        T::TextMessageStart | T::TextMessageEnd => EntityKind::TextMessage,
        T::ToolCallStart | T::ToolCallEnd => EntityKind::ToolCall,
        T::ReasoningStart | T::ReasoningEnd => EntityKind::ReasoningSpan,
        T::ReasoningMessageStart | T::ReasoningMessageEnd => EntityKind::ReasoningMessage,
        T::StepStarted | T::StepFinished => EntityKind::Step,
        T::SubagentStarted | T::SubagentFinished | T::SubagentError => EntityKind::Subagent,
        _ => return None,
    })
}

/// What an event opens, continues or closes.
fn entity_of(body: &Body<'_>) -> Option<Entity> {
    let (kind, id) = match body {
        Body::Start { item, id, .. } | Body::Content { item, id } | Body::End { item, id } => {
            (EntityKind::from(*item), id)
        }
        Body::Chunk(chunk) => (EntityKind::from(chunk.item), chunk.id.as_ref()?),
        Body::ToolResult { call, .. } => (EntityKind::ToolCall, call),
        Body::StepStarted { name } | Body::StepFinished { name } => (EntityKind::Step, name),
        Body::SubagentStarted { id, .. } | Body::SubagentEnded { id } => (EntityKind::Subagent, id),
        Body::ActivitySnapshot { id, .. } | Body::ActivityDelta { id } => {
            (EntityKind::Activity, id)
        }
        _ => return None,
    };
    Some(Entity { kind, id: (&**id).into() })
}
