//! The shape of events: types, members and values, judged against a table of our own.
//!
//! [`check`] tells every fault of one event with its place. The table ([`event_shape`],
//! [`input_shape`]) has a row a member, and is compared with the published JSON Schema and
//! with published zod schemas (decision 0003).
//!
//! One cause is one fault: a required member under a wrong name is missing and not also
//! unknown; where the member that names a shape is missing or wrong, nothing else of its
//! object is judged. Beyond the schema it judges what a single event shows: the operations of
//! a JSON patch, the reserved key of metadata, and types of encrypted values without a value.

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

    /// The newest.
    pub const NEWEST: Self = Self::V1_1;

    /// The version of this name.
    ///
    /// ```
    /// use conform_event::shape::Version;
    /// assert_eq!(Version::of("1.0"), Some(Version::V1_0));
    /// assert_eq!(Version::of("1.00"), None);
    /// ```
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|version| version.as_str() == name)
    }

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

/// Whether a value is an RFC 6902 patch: an array of operations that each have what they need.
///
/// ```
/// use conform_event::{json::read, shape::is_patch};
/// let patch = |text: &'static str| is_patch(&read(text.as_bytes()).unwrap().0);
/// assert!(patch(r#"[{"op":"remove","path":"/a"}]"#));
/// assert!(!patch(r#"[{"op":"remove","path":"a"}]"#));
/// ```
pub fn is_patch(json: &Json<'_>) -> bool {
    judge::is_patch(json)
}

/// How far a name is from a known one, where it is nearly that name: 0 where only case and
/// separators differ, else the letters to change.
///
/// ```
/// use conform_event::shape::near;
/// assert_eq!(near("message_id", "messageId"), Some(0));
/// assert_eq!(near("runld", "runId"), Some(1));
/// assert_eq!(near("name", "messageId"), None);
/// ```
pub fn near(name: &str, known: &str) -> Option<usize> {
    near::distance(name, known)
}

/// The whole number that the text of a JSON number is, however it is written; none where it
/// is none, or beyond 64 bits.
///
/// ```
/// use conform_event::shape::whole;
/// assert_eq!(whole("1e3"), Some(1000));
/// assert_eq!(whole("1.5"), None);
/// ```
pub fn whole(text: &str) -> Option<i64> {
    match number::read(text) {
        number::Number::Whole(whole) => Some(whole),
        number::Number::Beyond | number::Number::Broken => None,
    }
}
