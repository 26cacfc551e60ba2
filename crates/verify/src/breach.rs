//! What a refused event did wrong, as facts.

use std::fmt;
use std::sync::Arc;

use conform_event::quote;

use crate::entity::{Entity, EntityKind, Owner, Position};
use crate::rule::Rule;

/// What exactly is wrong. Positions are those given to `observe_at`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Breach {
    /// The run is over.
    RunEnded {
        /// Whether RUN_ERROR ended it.
        by_error: bool,
        /// Where it ended.
        at: Position,
    },
    /// The run has started already.
    RunAlreadyStarted {
        /// Where it started.
        at: Position,
    },
    /// The entity is open already.
    AlreadyOpen {
        /// The entity.
        entity: Entity,
        /// Who owns it; none for a subagent.
        owner: Option<Owner>,
        /// Where it was opened.
        since: Position,
    },
    /// The subagent's id has been used for an invocation that is over.
    AlreadyFinished {
        /// The subagent.
        entity: Entity,
        /// Where it finished.
        at: Position,
    },
    /// The entity is not open.
    NotOpen {
        /// The entity.
        entity: Entity,
        /// Where it was closed, if it had been open.
        closed_at: Option<Position>,
        /// Of a step: under whom a step of that name is open instead, and since when.
        elsewhere: Option<(Owner, Position)>,
    },
    /// A result answers a call that nothing introduced.
    UnknownCall {
        /// The call.
        entity: Entity,
        /// Whether a run before this stream may have introduced it: then the result is
        /// accepted, and this is a warning.
        may_be_earlier: bool,
    },
    /// The invocation that is named as the parent was never announced.
    UnknownParent {
        /// The parent.
        entity: Entity,
        /// The invocation that names it.
        child: Arc<str>,
    },
    /// A result comes before its call's end.
    ResultBeforeEnd {
        /// The call.
        entity: Entity,
        /// Where the call was opened.
        since: Position,
    },
    /// Something is open when the run finishes.
    OpenAtFinish {
        /// The one opened first of the first kind that has any.
        entity: Entity,
        /// Who owns it; none for a subagent.
        owner: Option<Owner>,
        /// Where it was opened.
        since: Position,
        /// How many more are open.
        more: usize,
    },
    /// The tag is not the owner.
    WrongOwner {
        /// The entity.
        entity: Entity,
        /// Who owns it.
        owner: Owner,
        /// Whom the event is tagged with, or whom the parent message belongs to.
        claimed: Owner,
        /// Where the owner was recorded.
        at: Position,
    },
    /// A tool call is tagged with one subagent, its parent message is another's.
    WrongParentOwner {
        /// The call.
        entity: Entity,
        /// The message that the call names as its parent.
        parent_message: Arc<str>,
        /// Who owns the message.
        owner: Owner,
        /// Whom the call is tagged with.
        claimed: Owner,
        /// Where the message's owner was recorded.
        at: Position,
    },
    /// The stream does not begin with RUN_STARTED or RUN_ERROR.
    NotFirst,
    /// The stream ended before any event.
    NoEvents,
    /// The stream ended with its run open.
    Truncated {
        /// Where the run started.
        since: Position,
    },
    /// The first chunk of an item lacks what opens it.
    ChunkLacks {
        /// What is streamed.
        kind: EntityKind,
        /// The member that is missing.
        member: &'static str,
    },
    /// The item that the chunk would continue was closed with its owner or by a run-level
    /// event.
    ChunkOutlives {
        /// The item that was closed.
        entity: Entity,
        /// Where it was closed.
        at: Position,
    },
    /// Several lanes have an item that the chunk could continue.
    ChunkAmbiguous {
        /// What is streamed.
        kind: EntityKind,
        /// How many lanes have one.
        lanes: usize,
    },
    /// A chunk repeats a member of the opener with another value.
    ChunkDisagrees {
        /// The item.
        entity: Entity,
        /// The member.
        member: &'static str,
        /// Where the item was opened.
        since: Position,
    },
    /// The explicit and the chunked form are mixed in one item.
    FormsMixed {
        /// The item.
        entity: Entity,
        /// Whether chunks opened it.
        opened_by_chunk: bool,
        /// Where it was opened.
        since: Position,
    },
}

impl Breach {
    /// The rule that is broken; none for what only the stream scope refuses.
    pub fn rule(&self) -> Option<Rule> {
        Some(match self {
            Self::RunEnded { .. } => Rule::RunEnded,
            Self::RunAlreadyStarted { .. } => Rule::DuplicateRunStarted,
            Self::AlreadyOpen { .. } | Self::AlreadyFinished { .. } => Rule::DuplicateStart,
            Self::NotOpen { .. } => Rule::NotOpen,
            Self::UnknownCall { .. } | Self::UnknownParent { .. } => Rule::UnknownId,
            Self::ResultBeforeEnd { .. } => Rule::OutOfOrder,
            Self::OpenAtFinish { .. } => Rule::OpenAtFinish,
            Self::WrongOwner { .. } | Self::WrongParentOwner { .. } => Rule::OwnerMismatch,
            _ => return None,
        })
    }

    /// The requirement's id, for what only the stream scope refuses.
    pub fn requirement(&self) -> Option<&'static str> {
        Some(match self {
            Self::NotFirst | Self::NoEvents => "lifecycle/first-event",
            Self::Truncated { .. } => "lifecycle/terminated",
            Self::ChunkLacks { .. } => "chunk/first-carries-id",
            Self::ChunkOutlives { .. } => "chunk/ends-with-its-owner",
            Self::ChunkAmbiguous { .. } => "chunk/unambiguous-lane",
            Self::ChunkDisagrees { .. } => "chunk/repeat-agrees",
            Self::FormsMixed { .. } => "chunk/forms-do-not-mix",
            _ => return None,
        })
    }

    /// The entity that it is about.
    pub fn entity(&self) -> Option<&Entity> {
        match self {
            Self::AlreadyOpen { entity, .. }
            | Self::AlreadyFinished { entity, .. }
            | Self::NotOpen { entity, .. }
            | Self::UnknownCall { entity, .. }
            | Self::UnknownParent { entity, .. }
            | Self::ResultBeforeEnd { entity, .. }
            | Self::OpenAtFinish { entity, .. }
            | Self::WrongOwner { entity, .. }
            | Self::WrongParentOwner { entity, .. }
            | Self::ChunkOutlives { entity, .. }
            | Self::ChunkDisagrees { entity, .. }
            | Self::FormsMixed { entity, .. } => Some(entity),
            _ => None,
        }
    }

    /// The owner in force, where the breach is about one.
    pub fn owner(&self) -> Option<&Owner> {
        match self {
            Self::AlreadyOpen { owner, .. } | Self::OpenAtFinish { owner, .. } => owner.as_ref(),
            Self::WrongOwner { owner, .. }
            | Self::WrongParentOwner { owner, .. }
            | Self::NotOpen { elsewhere: Some((owner, _)), .. } => Some(owner),
            _ => None,
        }
    }

    /// The position of the earlier event that explains it.
    pub fn related(&self) -> Option<Position> {
        match self {
            Self::RunEnded { at, .. }
            | Self::RunAlreadyStarted { at }
            | Self::AlreadyFinished { at, .. }
            | Self::WrongOwner { at, .. }
            | Self::WrongParentOwner { at, .. }
            | Self::ChunkOutlives { at, .. } => Some(*at),
            Self::AlreadyOpen { since, .. }
            | Self::ResultBeforeEnd { since, .. }
            | Self::OpenAtFinish { since, .. }
            | Self::Truncated { since }
            | Self::ChunkDisagrees { since, .. }
            | Self::FormsMixed { since, .. } => Some(*since),
            Self::NotOpen { closed_at, elsewhere, .. } => {
                elsewhere.as_ref().map(|(_, since)| *since).or(*closed_at)
            }
            _ => None,
        }
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RunEnded { by_error: true, at } => {
                write!(f, "the run ended with RUN_ERROR at {at}")
            }
            Self::RunEnded { by_error: false, at } => {
                write!(f, "the run ended with RUN_FINISHED at {at}")
            }
            Self::RunAlreadyStarted { at } => {
                write!(f, "a run is active since {at}")
            }
            Self::AlreadyOpen { entity, owner, since } => {
                write!(f, "{entity} is already open{} since {since}", Under(owner))
            }
            Self::AlreadyFinished { entity, at } => {
                write!(f, "{entity} finished at {at}, and an id names one invocation of a run")
            }
            Self::NotOpen { entity, elsewhere: Some((owner, since)), .. } => {
                write!(
                    f,
                    "{entity} is not open under this owner; it is open under {owner} since {since}"
                )
            }
            Self::NotOpen { entity, closed_at: Some(at), .. } => {
                write!(f, "{entity} is not open, it was closed at {at}")
            }
            Self::NotOpen { entity, .. } => {
                write!(f, "{entity} is not open, nothing opened it in this run")
            }
            Self::UnknownCall { entity, may_be_earlier: false } => {
                write!(f, "{entity} was never introduced")
            }
            Self::UnknownCall { entity, may_be_earlier: true } => {
                write!(
                    f,
                    "{entity} was not introduced by this stream; the run input that was sent would settle whether an earlier run did"
                )
            }
            Self::UnknownParent { entity, child } => {
                write!(f, "the parent of subagent {}, {entity}, was never started", quote(child))
            }
            Self::ResultBeforeEnd { entity, since } => {
                write!(f, "{entity} is still open since {since}")
            }
            Self::OpenAtFinish { entity, owner, since, more } => {
                write!(f, "{entity} is still open{} since {since}", Under(owner))?;
                if *more > 0 {
                    write!(f, ", and {more} more")?;
                }
                Ok(())
            }
            Self::WrongOwner { entity, owner, claimed, at } => {
                write!(f, "{entity} belongs to {owner} since {at}, not to {claimed}")
            }
            Self::WrongParentOwner { entity, parent_message, owner, claimed, at } => {
                let parent = quote(parent_message);
                write!(
                    f,
                    "{entity} is tagged with {claimed}, its parent message {parent} belongs to {owner} since {at}"
                )
            }
            Self::NotFirst => f.write_str("a stream begins with RUN_STARTED or RUN_ERROR"),
            Self::NoEvents => f.write_str("the stream has no event that begins a run"),
            Self::Truncated { since } => {
                write!(f, "the run that started at {since} is still open")
            }
            Self::ChunkLacks { kind, member } => {
                write!(f, "the first chunk of a {} carries no {member}", kind.noun())
            }
            Self::ChunkOutlives { entity, at } => {
                write!(f, "{entity} was closed at {at}, with its owner or its run")
            }
            Self::ChunkAmbiguous { kind, lanes } => {
                write!(
                    f,
                    "{lanes} subagents have a {} open that the chunk could continue",
                    kind.noun()
                )
            }
            Self::ChunkDisagrees { entity, member, since } => {
                write!(f, "{member} is not what the first chunk of {entity} said at {since}")
            }
            Self::FormsMixed { entity, opened_by_chunk: true, since } => {
                write!(
                    f,
                    "{entity} was opened by a chunk at {since} and is continued in chunks only"
                )
            }
            Self::FormsMixed { entity, opened_by_chunk: false, since } => {
                write!(
                    f,
                    "{entity} was opened by a start at {since} and is not continued in chunks"
                )
            }
        }
    }
}

struct Under<'a>(&'a Option<Owner>);

impl fmt::Display for Under<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(owner) => write!(f, " under {owner}"),
            None => Ok(()),
        }
    }
}
