//! The run input that was sent.

use conform_event::RunInput;
use conform_event::json::{self, Json};

/// The run input that a stream answers: as the rules read it, and all of it.
///
/// ```
/// use conform_check::Request;
/// let request = Request::read(br#"{"threadId":"t1","runId":"r1","messages":[]}"#).unwrap();
/// assert_eq!(request.input().run_id.as_deref(), Some("r1"));
/// assert!(Request::read(b"[]").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    text: Vec<u8>,
    input: RunInput<'static>,
}

impl Request {
    /// Reads a run input from its JSON text.
    ///
    /// # Errors
    ///
    /// A sentence about why the text is no run input.
    pub fn read(text: &[u8]) -> Result<Self, String> {
        let (json, _) =
            json::read(text).map_err(|error| format!("{error} (byte {})", error.offset))?;
        let input = RunInput::from_json(&json)
            .ok_or_else(|| format!("a run input is a JSON object, this is {}", json.kind()))?
            .into_owned();
        Ok(Self { text: text.to_owned(), input })
    }

    /// What the ordering rules read of it.
    pub fn input(&self) -> &RunInput<'static> {
        &self.input
    }

    /// All of it.
    pub(crate) fn json(&self) -> Option<Json<'_>> {
        // It was read before, so that this never fails.
        json::read(&self.text).ok().map(|(json, _)| json)
    }
}
