//! What a judge of other things may ask about chunk streams.

use std::sync::Arc;

use conform_event::{Body, Event, Item};

use super::StreamVerifier;
use crate::entity::Position;
use crate::run_state::Form;

impl StreamVerifier {
    /// The id of the item that a chunk belongs to, and where that item's chunk stream was
    /// opened. To be asked after the chunk was observed and accepted.
    ///
    /// ```
    /// # #[cfg(feature = "verify")] {
    /// use conform_event::decode;
    /// use conform_verify::{Position, StreamVerifier};
    /// let mut verifier = StreamVerifier::new(None);
    /// let lines = [
    ///     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
    ///     r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"One"}"#,
    ///     r#"{"type":"TEXT_MESSAGE_CHUNK","delta":" moment."}"#,
    /// ];
    /// let events = lines.map(|line| decode(line.as_bytes()).unwrap().event);
    /// for (at, event) in (0..).zip(&events) {
    ///     verifier.observe_at(Position::of_event(at), event).unwrap();
    /// }
    /// let (id, since) = verifier.item_of_chunk(&events[2]).unwrap();
    /// assert_eq!((&*id, since.event), ("m1", 1));
    /// # }
    /// ```
    pub fn item_of_chunk(&self, event: &Event<'_>) -> Option<(Arc<str>, Position)> {
        let Body::Chunk(chunk) = &event.body else { return None };
        let of_lane = |tag: Option<&str>| {
            let stream = self.lanes.get(tag).filter(|stream| stream.item == chunk.item)?;
            Some((stream.id.clone()?, stream.since))
        };
        match (event.tag.as_deref(), chunk.id.as_deref()) {
            (None, Some(id)) => match self.run.open_item(chunk.item, id).map(|open| &open.form) {
                Some(Form::Chunks(lane)) => of_lane(lane.id()),
                _ => of_lane(None),
            },
            (Some(tag), _) => of_lane(Some(tag)),
            (None, None) => match self.lanes.of_untagged(chunk.item) {
                crate::lanes::Lane::Of(lane) => of_lane(lane.id()),
                _ => None,
            },
        }
    }

    /// Whether chunks hold an item open.
    ///
    /// ```
    /// # #[cfg(feature = "verify")] {
    /// use conform_event::Item;
    /// assert!(!conform_verify::StreamVerifier::new(None).is_assembling(Item::ToolCall, "c1"));
    /// # }
    /// ```
    pub fn is_assembling(&self, item: Item, id: &str) -> bool {
        let open = self.run.open_item(item, id);
        open.is_some_and(|open| matches!(open.form, Form::Chunks(_)))
    }
}
