//! What each event does, for those who draw it.

use conform_event::{Body, Event};
use conform_verify::EntityKind;

/// What one frame with data is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Traced {
    /// The type that the event names; none where it names none, or is no event.
    pub event_type: Option<String>,
    /// The 1-based line.
    pub line: u64,
    /// The subagent that it is attributed to.
    pub owner: Option<String>,
    /// What it is about: kind and id.
    pub entity: Option<(EntityKind, String)>,
    /// What it does.
    pub act: Act,
}

/// What an event does to what it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Act {
    /// It opens it.
    Opens,
    /// It closes it.
    Closes,
    /// It is a piece of a chunk stream: it opens what no piece before it has opened.
    Chunk,
    /// It ends the run.
    EndsRun,
    /// Anything else.
    #[default]
    Other,
}

impl Act {
    /// The name in reports.
    ///
    /// ```
    /// assert_eq!(conform_check::Act::EndsRun.as_str(), "ends-run");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Opens => "opens",
            Self::Closes => "closes",
            Self::Chunk => "chunk",
            Self::EndsRun => "ends-run",
            Self::Other => "other",
        }
    }
}

impl Traced {
    /// What an event does.
    pub(crate) fn of(event: &Event<'_>, line: u64) -> Self {
        let about = |kind: EntityKind, id: &str, act| (Some((kind, id.to_owned())), act);
        let (entity, act) = match &event.body {
            Body::Start { item, id, .. } => about((*item).into(), id, Act::Opens),
            Body::Content { item, id } => about((*item).into(), id, Act::Other),
            Body::End { item, id } => about((*item).into(), id, Act::Closes),
            Body::Chunk(chunk) => match &chunk.id {
                Some(id) => about(chunk.item.into(), id, Act::Chunk),
                None => (None, Act::Chunk),
            },
            Body::ToolResult { call, .. } => about(EntityKind::ToolCall, call, Act::Other),
            Body::StepStarted { name } => about(EntityKind::Step, name, Act::Opens),
            Body::StepFinished { name } => about(EntityKind::Step, name, Act::Closes),
            Body::ActivitySnapshot { id, .. } | Body::ActivityDelta { id } => {
                about(EntityKind::Activity, id, Act::Other)
            }
            Body::SubagentStarted { id, .. } => about(EntityKind::Subagent, id, Act::Opens),
            Body::SubagentEnded { id } => about(EntityKind::Subagent, id, Act::Closes),
            Body::RunFinished | Body::RunError => (None, Act::EndsRun),
            _ => (None, Act::Other),
        };
        let name = event.type_name.as_str();
        Self {
            event_type: Some(name.to_owned()).filter(|name| !name.is_empty()),
            line,
            owner: event.tag.as_deref().map(str::to_owned),
            entity,
            act,
        }
    }
}
