//! Entities and their owners.

use std::fmt;
use std::sync::Arc;

use conform_event::{Item, quote};

/// Where an event stands.
///
/// ```
/// use conform_verify::Position;
/// assert_eq!(Position::of_event(3).to_string(), "event 3");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Position {
    /// The 0-based index of the event.
    pub event: u64,
    /// The 1-based line of the input on which it begins, 0 where there are no lines.
    pub line: u64,
}

impl Position {
    /// An event that is known by its index only.
    pub const fn of_event(event: u64) -> Self {
        Self { event, line: 0 }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "event {}", self.event)
    }
}

/// Who opened an entity: the parent agent, or the subagent that the tag named.
///
/// ```
/// use conform_verify::Owner;
/// assert_eq!(Owner::parent().to_string(), "the parent agent");
/// assert_eq!(Owner::subagent("").to_string(), "subagent \"\"");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Owner(Option<Arc<str>>);

impl Owner {
    /// The parent agent.
    pub fn parent() -> Self {
        Self(None)
    }

    /// The subagent with this id; the empty string is an id like any other.
    pub fn subagent(id: impl Into<Arc<str>>) -> Self {
        Self(Some(id.into()))
    }

    /// The subagent's id, none for the parent agent.
    pub fn id(&self) -> Option<&str> {
        self.0.as_deref()
    }

    #[cfg(feature = "verify")]
    pub(crate) fn shared_id(&self) -> Option<Arc<str>> {
        self.0.clone()
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.id() {
            Some(id) => write!(f, "subagent {}", quote(id)),
            None => f.write_str("the parent agent"),
        }
    }
}

/// The kinds of entities that the rules keep apart; ids are unique within a kind only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum EntityKind {
    /// A text message, or the message that a tool result mints.
    TextMessage,
    /// A reasoning message.
    ReasoningMessage,
    /// A reasoning span.
    ReasoningSpan,
    /// A tool call.
    ToolCall,
    /// A step.
    Step,
    /// An invocation of a subagent.
    Subagent,
    /// An activity.
    Activity,
}

impl EntityKind {
    /// Every kind, in the order in which an `open-at-finish` message looks at them.
    pub const ALL: [Self; 7] = [
        Self::TextMessage,
        Self::ReasoningMessage,
        Self::ReasoningSpan,
        Self::ToolCall,
        Self::Step,
        Self::Subagent,
        Self::Activity,
    ];

    /// The kind's name in reports.
    ///
    /// ```
    /// assert_eq!(conform_verify::EntityKind::ToolCall.as_str(), "tool-call");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TextMessage => "text-message",
            Self::ReasoningMessage => "reasoning-message",
            Self::ReasoningSpan => "reasoning-span",
            Self::ToolCall => "tool-call",
            Self::Step => "step",
            Self::Subagent => "subagent",
            Self::Activity => "activity",
        }
    }

    pub(crate) const fn noun(self) -> &'static str {
        match self {
            Self::TextMessage => "text message",
            Self::ReasoningMessage => "reasoning message",
            Self::ReasoningSpan => "reasoning span",
            Self::ToolCall => "tool call",
            Self::Step => "step",
            Self::Subagent => "subagent",
            Self::Activity => "activity",
        }
    }
}

impl From<Item> for EntityKind {
    fn from(item: Item) -> Self {
        match item {
            Item::TextMessage => Self::TextMessage,
            Item::ReasoningSpan => Self::ReasoningSpan,
            Item::ReasoningMessage => Self::ReasoningMessage,
            Item::ToolCall => Self::ToolCall,
        }
    }
}

/// One entity of a stream.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entity {
    /// What it is.
    pub kind: EntityKind,
    /// Its id; a step's name.
    pub id: Arc<str>,
}

impl Entity {
    #[cfg(feature = "verify")]
    pub(crate) fn new(kind: impl Into<EntityKind>, id: &str) -> Self {
        Self { kind: kind.into(), id: id.into() }
    }
}

impl fmt::Display for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind.noun(), quote(&self.id))
    }
}
