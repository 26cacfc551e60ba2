//! What is open.

use crate::facts::{Entity, Fact};

/// Whether an entity is open after `facts`: it was opened, and not closed since.
pub(crate) fn is_open(facts: &[Fact<'_>], entity: Entity<'_>) -> bool {
    facts
        .iter()
        .rev()
        .find_map(|fact| match fact {
            Fact::Opens(opened) if *opened == entity => Some(true),
            Fact::Closes(closed) if *closed == entity => Some(false),
            _ => None,
        })
        .unwrap_or(false)
}

/// (3) Whether any "message, reasoning span or message, tool call, step or subagent" is
/// open after `facts`.
pub(crate) fn anything_is_open(facts: &[Fact<'_>]) -> bool {
    facts.iter().any(|fact| matches!(fact, Fact::Opens(entity) if is_open(facts, *entity)))
}

/// (14) Whether a subagent was ever started, active or finished.
pub(crate) fn was_started(facts: &[Fact<'_>], subagent: &str) -> bool {
    let started = Entity::Subagent(subagent);
    facts.iter().any(|fact| matches!(fact, Fact::Opens(entity) if *entity == started))
}
