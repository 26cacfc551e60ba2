//! The verifiers with the feature `verify` off: nothing is kept, nothing is refused.

use conform_event::{Event, RunInput};

use crate::entity::Position;
use crate::error::VerificationError;

/// Accepts everything: the feature `verify` is off.
///
/// ```
/// assert_eq!(size_of::<conform_verify::Verifier>(), 0);
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Verifier;

/// Accepts everything: the feature `verify` is off.
///
/// ```
/// assert_eq!(size_of::<conform_verify::StreamVerifier>(), 0);
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct StreamVerifier;

const _: () = assert!(size_of::<Verifier>() == 0 && size_of::<StreamVerifier>() == 0);

impl Verifier {
    /// A verifier that has nothing to see.
    #[inline]
    pub fn new() -> Self {
        Self
    }

    /// Accepts the event.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "promised: a disabled verifier costs nothing")]
    pub fn observe(&mut self, _event: &Event<'_>) -> Result<(), VerificationError> {
        Ok(())
    }

    /// Accepts the event.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "promised: a disabled verifier costs nothing")]
    pub fn observe_at(
        &mut self,
        _at: Position,
        _event: &Event<'_>,
    ) -> Result<(), VerificationError> {
        Ok(())
    }

    /// Does nothing.
    #[inline]
    pub fn assume_at(&mut self, _at: Position, _event: &Event<'_>) {}
}

impl StreamVerifier {
    /// A verifier that has nothing to see.
    #[inline]
    pub fn new(_request: Option<RunInput<'_>>) -> Self {
        Self
    }

    /// Accepts the event.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "promised: a disabled verifier costs nothing")]
    pub fn observe(
        &mut self,
        _event: &Event<'_>,
    ) -> Result<Option<VerificationError>, VerificationError> {
        Ok(None)
    }

    /// Accepts the event.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "promised: a disabled verifier costs nothing")]
    pub fn observe_at(
        &mut self,
        _at: Position,
        _event: &Event<'_>,
    ) -> Result<Option<VerificationError>, VerificationError> {
        Ok(None)
    }

    /// Does nothing.
    #[inline]
    pub fn assume_at(&mut self, _at: Position, _event: &Event<'_>) {}

    /// Accepts the end.
    #[inline]
    pub fn finish(&self) -> Result<(), VerificationError> {
        Ok(())
    }

    /// No run is ever seen.
    #[inline]
    pub fn is_implied(&self) -> bool {
        false
    }

    /// No run is ever seen.
    #[inline]
    pub fn is_running(&self) -> bool {
        false
    }

    /// No chunk is ever seen.
    #[inline]
    pub fn item_of_chunk(&self, _event: &Event<'_>) -> Option<(std::sync::Arc<str>, Position)> {
        None
    }

    /// No chunk is ever seen.
    #[inline]
    pub fn is_assembling(&self, _item: conform_event::Item, _id: &str) -> bool {
        false
    }
}
