//! The names of what can be broken.

/// Anything after the end of the run.
pub(crate) const RUN_ENDED: &str = "run-ended";
/// A second RUN_STARTED.
pub(crate) const DUPLICATE_RUN_STARTED: &str = "duplicate-run-started";
/// Opening what is open, or a subagent that was there before.
pub(crate) const DUPLICATE_START: &str = "duplicate-start";
/// Continuing or closing what is not open.
pub(crate) const NOT_OPEN: &str = "not-open";
/// A result for a call, or a parent subagent, that was never introduced.
pub(crate) const UNKNOWN_ID: &str = "unknown-id";
/// A result before its call's end.
pub(crate) const OUT_OF_ORDER: &str = "out-of-order";
/// RUN_FINISHED while something is open.
pub(crate) const OPEN_AT_FINISH: &str = "open-at-finish";
/// A tag that is not the owner's.
pub(crate) const OWNER_MISMATCH: &str = "owner-mismatch";

/// A stream that begins with something else than a run.
pub(crate) const FIRST_EVENT: &str = "lifecycle/first-event";
/// A stream that ends within a run.
pub(crate) const TERMINATED: &str = "lifecycle/terminated";
/// An item's first chunk without its id, or a call's without its name.
pub(crate) const FIRST_CARRIES_ID: &str = "chunk/first-carries-id";
/// A continuation that repeats the opener's member with another value.
pub(crate) const REPEAT_AGREES: &str = "chunk/repeat-agrees";
/// One open item in two forms.
pub(crate) const FORMS_DO_NOT_MIX: &str = "chunk/forms-do-not-mix";
/// A continuation that may be any of several items'.
pub(crate) const UNAMBIGUOUS_LANE: &str = "chunk/unambiguous-lane";
/// A continuation of an item that ended with its owner or by a run-level event.
pub(crate) const ENDS_WITH_ITS_OWNER: &str = "chunk/ends-with-its-owner";
