//! The names of CUSTOM events.

use conform_event::{EventType, quote};

use super::{Broken, Said, Seen};

pub(super) fn judge(seen: &Seen<'_>, said: &mut Said) {
    if seen.event_type != Some(EventType::Custom) {
        return;
    }
    let Some(name) = seen.text("name") else { return };
    let parted = name.char_indices().any(|(at, char)| {
        matches!(char, ':' | '.' | '/') && at > 0 && at + char.len_utf8() < name.len()
    });
    if !parted {
        let message =
            format!("CUSTOM name {} has no prefix of a vendor or an application", quote(name));
        said.push(Broken::new("shape/custom-name-prefixed", "/name", message));
    }
}
