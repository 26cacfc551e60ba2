//! The queue of what is ready, and the checks that every finished frame goes through.

use std::collections::VecDeque;

use super::Item;
use super::flaw::{Flaw, FlawKind};
use super::frame::{Draft, Place};

/// Items that wait to be taken.
#[derive(Debug, Default)]
pub(super) struct Out {
    queue: VecDeque<Item>,
    frames: u64,
}

impl Out {
    pub(super) fn next(&mut self) -> Option<Item> {
        self.queue.pop_front()
    }

    pub(super) fn item(&mut self, item: Item) {
        self.queue.push_back(item);
    }

    pub(super) fn flaw(&mut self, kind: FlawKind, at: Place) {
        self.item(Item::Flaw(Flaw::new(kind, at)));
    }

    /// Hands out a frame, its flaws before it and in the order of the input; returns the
    /// frame's index.
    pub(super) fn frame(&mut self, draft: Draft) -> u64 {
        let index = self.frames;
        self.frames += 1;
        let (frame, mut flaws) = draft.into_frame(index);
        if frame.too_long {
            let at = Place { line: frame.line, byte: frame.byte };
            flaws.push(Flaw::new(FlawKind::FrameTooLong, at));
        }
        if let Err(error) = std::str::from_utf8(&frame.data) {
            // A cut in the middle of a character is a cut, and no wrong byte.
            let cut = frame.truncated && error.error_len().is_none();
            if !cut {
                let at = frame.locate(error.valid_up_to());
                flaws.push(Flaw::new(FlawKind::InvalidUtf8, at));
            }
        }
        // `contains` of bytes is a memchr and fast; the place is wanted only when there is one.
        if frame.data.contains(&0) {
            let offset = frame.data.iter().position(|&byte| byte == 0).unwrap_or(0);
            flaws.push(Flaw::new(FlawKind::NulByte, frame.locate(offset)));
        }
        flaws.sort_by_key(|flaw| flaw.byte);
        for mut flaw in flaws {
            flaw.frame = Some(index);
            self.item(Item::Flaw(flaw));
        }
        self.item(Item::Frame(frame));
        index
    }
}
