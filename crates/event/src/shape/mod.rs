//! The shape of events: types, members and values, judged against a table of our own.
//!
//! [`check`] tells every fault of one event with its place. The table ([`event_shape`],
//! [`input_shape`]) has a row a member, and is compared with the published JSON Schema and
//! with published zod schemas (decision 0003).
//!
//! One cause is one fault: a required member under a wrong name is missing and not also
//! unknown; where the member that names a shape is missing or wrong, nothing else of its
//! object is judged. Two things are left to requirements of their own: what the operations
//! of a JSON patch say, and what members mean together.

mod events;
mod fault;
mod judge;
mod near;
mod nested;
mod number;
mod table;

use std::fmt;

use crate::json::Json;
use judge::Judge;

pub use events::{event_shape, input_shape};
pub use fault::{Fault, FaultKind};
pub use table::{Field, Kind, Shape, Union};

/// No more faults of one value than these are told.
pub const MAX_FAULTS: usize = 1000;

/// A version of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Version {
    /// 1.0
    V1_0,
    /// 1.1, which adds `encryptedValueType`.
    V1_1,
}

impl Version {
    /// Every version, the oldest first.
    pub const ALL: &'static [Self] = &[Self::V1_0, Self::V1_1];

    /// The version as an event declares it.
    ///
    /// ```
    /// assert_eq!(conform_event::shape::Version::V1_0.as_str(), "1.0");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V1_0 => "1.0",
            Self::V1_1 => "1.1",
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Judges the shape of one event. The faults come in the order of their offsets, at most
/// [`MAX_FAULTS`].
///
/// ```
/// use conform_event::json::read;
/// use conform_event::shape::{Version, check};
/// let text = br#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":5}"#;
/// let (json, _) = read(text).unwrap();
/// let faults = check(&json, Version::V1_1);
/// assert_eq!(faults.len(), 1);
/// assert_eq!((faults[0].pointer.as_str(), faults[0].offset), ("/delta", 56));
/// assert_eq!(faults[0].to_string(), r#""delta" must be a string, not a number"#);
/// ```
pub fn check(json: &Json<'_>, version: Version) -> Vec<Fault> {
    let mut judge = Judge::new(version);
    judge.event(json);
    judge.into_faults()
}

/// Judges the shape of a run's input, as [`check`] does that of an event.
///
/// ```
/// use conform_event::json::read;
/// use conform_event::shape::{Version, check_input};
/// let (json, _) = read(br#"{"threadId":"t1","runId":"r1","messages":[]}"#).unwrap();
/// assert!(check_input(&json, Version::V1_0).is_empty());
/// let (json, _) = read(br#"{"threadId":"t1","runId":"r1"}"#).unwrap();
/// assert_eq!(check_input(&json, Version::V1_0)[0].pointer, "/messages");
/// ```
pub fn check_input(json: &Json<'_>, version: Version) -> Vec<Fault> {
    let mut judge = Judge::new(version);
    judge.shape(json, input_shape());
    judge.into_faults()
}
