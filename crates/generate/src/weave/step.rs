//! The steps of a plan: what may become an event.

use crate::plan::{Item, Opening};

/// One step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// An announced subagent begins.
    Begin(usize),
    /// An announced subagent ends.
    End(usize),
    /// A part of an item.
    Item {
        /// The agent's place.
        agent: usize,
        /// The item's place.
        item: usize,
        /// Which part.
        part: usize,
    },
}

/// A part of a streamed item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    SpanStart,
    Start,
    /// The piece's place among the opening's, and how many there are.
    Content(usize, usize),
    End,
    Chunk(usize, usize),
    SpanEnd,
    Result,
}

/// How many parts an item has.
pub(crate) fn parts(item: &Item) -> usize {
    match item {
        Item::Text { .. } | Item::Reasoning { .. } | Item::Call { .. } => streamed(item).len(),
        Item::Step { .. } => 2,
        Item::Activity { changes, .. } => 1 + changes.len(),
        Item::State { snapshot, deltas } => usize::from(*snapshot) + usize::from(*deltas),
        Item::Answer { .. }
        | Item::Snapshot { .. }
        | Item::Encrypted
        | Item::Raw
        | Item::Custom => 1,
    }
}

/// The parts of an item that is streamed.
pub(crate) fn streamed(item: &Item) -> Vec<Part> {
    let mut parts = Vec::new();
    let (openings, fewest) = match item {
        Item::Text { openings, .. } | Item::Reasoning { openings, .. } => (openings, 0),
        // The arguments are a JSON document, which takes a piece at least.
        Item::Call { openings, .. } => (openings, 1),
        _ => return parts,
    };
    if matches!(item, Item::Reasoning { span: true, .. }) {
        parts.push(Part::SpanStart);
    }
    for (time, opening) in openings.iter().enumerate() {
        // What is opened again has had its text.
        parts.extend(opened(*opening, if time == 0 { fewest } else { 0 }));
        let last = time + 1 == openings.len();
        if matches!(item, Item::Call { result: Some(_), each, .. } if last || *each) {
            parts.push(Part::Result);
        }
    }
    if matches!(item, Item::Reasoning { span: true, .. }) {
        parts.push(Part::SpanEnd);
    }
    parts
}

/// Whether this part of an item is the end of a span around it.
pub(crate) fn ends_span(item: &Item, part: usize) -> bool {
    streamed(item).get(part) == Some(&Part::SpanEnd)
}

fn opened(opening: Opening, fewest: usize) -> Vec<Part> {
    let pieces = usize::from(opening.pieces).max(fewest);
    if opening.chunked {
        // What opens and what goes on are both chunks.
        let pieces = pieces.max(1);
        return (0..pieces).map(|piece| Part::Chunk(piece, pieces)).collect();
    }
    let contents = (0..pieces).map(|piece| Part::Content(piece, pieces));
    [Part::Start].into_iter().chain(contents).chain([Part::End]).collect()
}
