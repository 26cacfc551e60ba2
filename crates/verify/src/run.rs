//! The verifier of run scope.

use conform_event::{Body, Chunk, Event};

use crate::breach::Breach;
use crate::entity::Position;
use crate::error::VerificationError;
use crate::run_state::{Beyond, Opening, RunState};

/// Checks the events of one run, one after another, against the eight rules.
///
/// An event costs one or two look-ups, and only what opens something allocates. A refused
/// event changes nothing: the verifier goes on as if it had not been sent. Without the
/// feature `verify` this type is empty and accepts everything.
///
/// ```
/// use conform_event::decode;
/// use conform_verify::{Rule, Verifier};
/// let mut verifier = Verifier::new();
/// let mut send = |text: &str| verifier.observe(&decode(text.as_bytes()).unwrap().event);
/// send(r#"{"type":"TEXT_MESSAGE_START","messageId":"m1"}"#).unwrap();
/// let error = send(r#"{"type":"RUN_FINISHED"}"#).unwrap_err();
/// assert_eq!(error.rule(), Some(Rule::OpenAtFinish));
/// send(r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#).unwrap();
/// send(r#"{"type":"RUN_FINISHED"}"#).unwrap();
/// ```
#[derive(Debug, Clone, Default)]
pub struct Verifier {
    state: RunState,
    started: Option<Position>,
    ended: Option<Ended>,
    accepted: u64,
}

#[derive(Debug, Clone, Copy)]
struct Ended {
    by_error: bool,
    at: Position,
}

impl Verifier {
    /// A verifier that has seen nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Checks an event and takes it in. Its position in messages is the number of events
    /// accepted before it.
    ///
    /// # Errors
    ///
    /// The rule that the event breaks; the verifier is then as it was.
    pub fn observe(&mut self, event: &Event<'_>) -> Result<(), VerificationError> {
        self.observe_at(Position::of_event(self.accepted), event)
    }

    /// Checks an event that stands at position `at`, counted by the caller.
    ///
    /// # Errors
    ///
    /// As [`observe`](Self::observe).
    pub fn observe_at(&mut self, at: Position, event: &Event<'_>) -> Result<(), VerificationError> {
        match self.judge(at, event) {
            Ok(()) => {
                self.accepted += 1;
                Ok(())
            }
            Err(breach) => Err(self.state.refuse(event, breach)),
        }
    }

    fn judge(&mut self, at: Position, event: &Event<'_>) -> Result<(), Breach> {
        if let Some(Ended { by_error, at }) = self.ended {
            return Err(Breach::RunEnded { by_error, at });
        }
        match &event.body {
            Body::RunStarted { input, .. } => {
                if let Some(at) = self.started {
                    return Err(Breach::RunAlreadyStarted { at });
                }
                self.started = Some(at);
                if let Some(input) = input {
                    self.state.echo(at, input);
                }
            }
            Body::RunFinished => {
                if let Some(breach) = self.state.open_at_finish() {
                    return Err(breach);
                }
                self.ended = Some(Ended { by_error: false, at });
            }
            Body::RunError => self.ended = Some(Ended { by_error: true, at }),
            Body::Chunk(chunk) => {
                if let Some(opening) = opening(chunk, event) {
                    self.state.claim_by_chunk(at, &opening)?;
                }
            }
            _ => {
                self.state.observe(at, event, Beyond::NOTHING)?;
            }
        }
        Ok(())
    }

    /// Takes in an event that was refused, as if it had done what it meant to: a start
    /// opens, an end closes, RUN_FINISHED ends the run, whatever comes after the end shows
    /// that the run goes on. This is how a judge keeps on judging.
    pub fn assume_at(&mut self, at: Position, event: &Event<'_>) {
        match &event.body {
            Body::RunFinished | Body::RunError => {
                let by_error = event.body == Body::RunError;
                self.ended = Some(Ended { by_error, at });
            }
            Body::RunStarted { input, .. } => {
                self.state = RunState::default();
                self.ended = None;
                self.started = Some(at);
                if let Some(input) = input {
                    self.state.echo(at, input);
                }
            }
            Body::Chunk(chunk) => {
                self.ended = None;
                if let Some(opening) = opening(chunk, event) {
                    self.state.assume_claim(at, &opening);
                }
            }
            _ => {
                self.ended = None;
                self.state.assume(at, event);
            }
        }
    }
}

/// What a self-contained chunk opens; nothing where it carries no id.
fn opening<'e>(chunk: &'e Chunk<'_>, event: &'e Event<'_>) -> Option<Opening<'e>> {
    Some(Opening {
        item: chunk.item,
        id: chunk.id.as_deref()?,
        tag: event.tag.as_deref(),
        parent_message: chunk.parent_message.as_deref(),
    })
}
