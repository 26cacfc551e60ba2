//! Requirements by their place in the registry.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::registry::{self, Requirement};

static ALL: LazyLock<Vec<&'static Requirement>> = LazyLock::new(|| registry::all().collect());

static PLACES: LazyLock<HashMap<&'static str, usize>> =
    LazyLock::new(|| ALL.iter().enumerate().map(|(place, entry)| (entry.id, place)).collect());

/// The requirement with this id. The ids in this crate are checked by a test, so that the
/// fallback never shows.
pub(crate) fn named(id: &'static str) -> &'static Requirement {
    at(place(id))
}

/// The place of a requirement in the registry.
pub(crate) fn place(id: &'static str) -> usize {
    PLACES.get(id).copied().unwrap_or_default()
}

/// The requirement at a place in the registry.
pub(crate) fn at(place: usize) -> &'static Requirement {
    ALL[place.min(ALL.len() - 1)]
}

/// The id that is most like `name`, of all requirements.
///
/// ```
/// assert_eq!(conform_check::nearest("text/open-before-contents"), "text/open-before-content");
/// ```
pub fn nearest(name: &str) -> &'static str {
    let nearest = ALL.iter().min_by_key(|entry| strsim::levenshtein(entry.id, name));
    nearest.map_or("", |entry| entry.id)
}
