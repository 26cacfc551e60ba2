//! The ledger: where a subject is known to differ from us, why, and whose fault that is.

use conform_event::{Body, Bucket, Chunk, Event, Item};
use conform_verify::{Owner, Rule, Verifier};
use serde::Deserialize;
use serde_json::Value;

use crate::compare::Saying;

/// The known differences of one subject.
///
/// ```
/// let ledger = conform_subject::Ledger::published();
/// assert!(ledger.entries.iter().any(|entry| entry.name == "chunk-closes-continuation"));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ledger {
    /// They, in the order of the file; the first that matches counts.
    pub entries: Vec<Divergence>,
}

/// A known difference.
#[derive(Debug, Clone, PartialEq)]
pub struct Divergence {
    /// Its name, kebab-case.
    pub name: String,
    /// What our verifier says of the last event.
    pub we: Saying,
    /// What the subject says of it.
    pub peer: Saying,
    /// The smallest events that show it.
    pub witness: Vec<Value>,
    /// The event of the witness that shows it: the last.
    pub at: usize,
    /// Why they differ.
    pub why: String,
    /// Whose fault it is.
    pub fault: Fault,
    /// The sequences of event types that shrunken cases of this cause have.
    pub patterns: Vec<Pattern>,
    /// What else holds of them.
    pub when: Vec<Predicate>,
}

/// Whose fault a difference is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fault {
    /// The subject's.
    Subject,
    /// The contract's, which says nothing or too little.
    Contract,
    /// Ours.
    Ours,
}

/// A sequence of event types: a glob for each, with `*` for any letters, and `..` for any number
/// of events.
///
/// ```
/// use conform_subject::Pattern;
/// let pattern = Pattern::new("*_START .. *_CHUNK *_END");
/// assert!(pattern.matches(&["TEXT_MESSAGE_START", "TEXT_MESSAGE_CHUNK", "TEXT_MESSAGE_END"]));
/// assert!(!pattern.matches(&["TEXT_MESSAGE_START", "TEXT_MESSAGE_END"]));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern(Vec<String>);

impl Pattern {
    /// Reads a pattern; every text is one.
    pub fn new(text: &str) -> Self {
        Self(text.split_whitespace().map(str::to_owned).collect())
    }

    /// Whether it describes these event types, from the first to the last.
    pub fn matches(&self, types: &[&str]) -> bool {
        sequence(&self.0, types)
    }
}

fn sequence(tokens: &[String], types: &[&str]) -> bool {
    match tokens.split_first() {
        None => types.is_empty(),
        Some((token, tokens)) if token == ".." => {
            (0..=types.len()).any(|skipped| sequence(tokens, &types[skipped..]))
        }
        Some((token, tokens)) => types
            .split_first()
            .is_some_and(|(name, types)| glob(token, name) && sequence(tokens, types)),
    }
}

fn glob(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, after)) => name.strip_prefix(before).is_some_and(|rest| {
            let ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
            ends.into_iter().any(|at| glob(after, &rest[at..]))
        }),
    }
}

/// Events that end in a difference, with what we say of them.
#[derive(Debug)]
pub(crate) struct Witness<'w, 'e> {
    events: Vec<&'w Event<'e>>,
    refused: Vec<bool>,
}

impl<'w, 'e> Witness<'w, 'e> {
    pub(crate) fn of(events: Vec<&'w Event<'e>>) -> Self {
        let mut verifier = Verifier::new();
        let refused = events.iter().map(|event| verifier.observe(event).is_err()).collect();
        Self { events, refused }
    }

    fn types(&self) -> Vec<&str> {
        self.events.iter().map(|event| event.type_name.as_str()).collect()
    }

    /// The events before the last that we refuse, or else accept.
    fn before_last(&self, refused: bool) -> impl Iterator<Item = (usize, &Event<'e>)> {
        let last = self.events.len().saturating_sub(1);
        let events = self.events.iter().copied().enumerate().take(last);
        events.filter(move |(at, _)| self.refused.get(*at) == Some(&refused))
    }

    /// Whether an item was started and not ended before an event.
    fn open_before(&self, at: usize, item: Item, id: &str) -> bool {
        let events = self.events.iter().zip(&self.refused).take(at).rev();
        let mut ours =
            events.filter(|(_, refused)| !**refused).filter_map(|(event, _)| match &event.body {
                Body::Start { item: i, id: own, .. } => {
                    ((*i, &**own) == (item, id)).then_some(true)
                }
                Body::End { item: i, id: own } => ((*i, &**own) == (item, id)).then_some(false),
                _ => None,
            });
        ours.next().unwrap_or(false)
    }

    /// Whether the last event is about an item: names it, or would finish the run over it.
    fn ends_about(&self, item: Item, id: &str) -> bool {
        match self.events.last().map(|event| &event.body) {
            Some(
                Body::Start { item: i, id: own, .. }
                | Body::Content { item: i, id: own }
                | Body::End { item: i, id: own },
            ) => (*i, &**own) == (item, id),
            Some(Body::ToolResult { call, .. }) => (Item::ToolCall, &**call) == (item, id),
            Some(Body::RunFinished) => true,
            _ => false,
        }
    }

    fn chunk_on_open_id(&self) -> bool {
        self.chunked(false)
    }

    fn refused_chunk_on_open_id(&self) -> bool {
        self.chunked(true)
    }

    fn chunked(&self, refused: bool) -> bool {
        self.before_last(refused).any(|(at, event)| {
            let Body::Chunk(Chunk { item, id: Some(id), .. }) = &event.body else {
                return false;
            };
            let last = self.events.len() - 1;
            self.open_before(at, *item, id)
                && self.open_before(last, *item, id)
                && self.ends_about(*item, id)
        })
    }

    fn snapshot_reowns_open(&self) -> bool {
        self.reowned(|event| matches!(event.body, Body::MessagesSnapshot { .. }))
    }

    fn result_reowns_open(&self) -> bool {
        self.reowned(|event| matches!(event.body, Body::ToolResult { .. }))
    }

    /// Whether what gave the continued item to somebody last, while it was open, is this, and we
    /// hold the continuation to it.
    fn reowned(&self, by: impl Fn(&Event<'_>) -> bool) -> bool {
        let Some((last, refused)) = self.events.last().zip(self.refused.last()) else {
            return false;
        };
        let (Body::Content { item, id } | Body::End { item, id }) = &last.body else {
            return false;
        };
        let given = self
            .before_last(false)
            .filter(|(at, _)| self.open_before(*at, *item, id))
            .filter_map(|(_, event)| Some((event, given(event, *item, id)?)))
            .last();
        let tag = last.tag.as_deref();
        given.is_some_and(|(event, owner)| {
            by(event) && tag.is_some() && (owner.id() != tag) == *refused
        })
    }
}

/// Whom an event gives an item to, open or not.
fn given(event: &Event<'_>, item: Item, id: &str) -> Option<Owner> {
    match &event.body {
        Body::MessagesSnapshot { messages } => {
            let mut listing = messages.iter().rev().filter(|message| match item {
                Item::TextMessage => message.bucket == Bucket::TextMessage && message.id == id,
                Item::ReasoningMessage | Item::ReasoningSpan => {
                    message.bucket == Bucket::Reasoning && message.id == id
                }
                Item::ToolCall => message.tool_calls.iter().any(|call| call == id),
            });
            Some(owner(listing.next()?.tag.as_deref()))
        }
        Body::ToolResult { message: Some(message), .. } => {
            (item == Item::TextMessage && message == id).then(|| owner(event.tag.as_deref()))
        }
        _ => None,
    }
}

fn owner(tag: Option<&str>) -> Owner {
    tag.map_or_else(Owner::parent, Owner::subagent)
}

macro_rules! predicates {
    ($($variant:ident $name:literal $function:ident $about:literal;)*) => {
        /// What can be asked of a witness beside its event types.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Predicate { $(#[doc = $about] $variant,)* }

        impl Predicate {
            /// Every predicate.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Its name in a ledger.
            ///
            /// ```
            /// use conform_subject::Predicate;
            /// assert_eq!(Predicate::ChunkOnOpenId.as_str(), "chunk-on-open-id");
            /// ```
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            fn holds(self, witness: &Witness<'_, '_>) -> bool {
                match self { $(Self::$variant => witness.$function(),)* }
            }
        }
    };
}

predicates! {
    ChunkOnOpenId "chunk-on-open-id" chunk_on_open_id
        "An accepted chunk carries the id of an open item, which the last event finds open.";
    RefusedChunkOnOpenId "refused-chunk-on-open-id" refused_chunk_on_open_id
        "A refused chunk carries the id of an open item, which the last event finds open.";
    SnapshotReownsOpen "snapshot-reowns-open" snapshot_reowns_open
        "A snapshot gives an open item to somebody; we hold the last event, which continues it, to that.";
    ResultReownsOpen "result-reowns-open" result_reowns_open
        "A result gives an open message to somebody; we hold the last event, which continues it, to that.";
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    divergence: Vec<Written>,
}

/// An entry as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    we: String,
    peer: String,
    witness: Vec<String>,
    at: usize,
    why: String,
    fault: Fault,
    patterns: Vec<String>,
    #[serde(default)]
    when: Vec<String>,
}

/// How many events a witness may have.
const LONGEST: usize = 8;

impl Ledger {
    /// The ledger of the published crate, `adapters/ag-ui-crate/divergences.toml`.
    ///
    /// # Panics
    ///
    /// Never: it is part of the program, and a test reads it.
    #[expect(clippy::expect_used, reason = "a test reads it")]
    pub fn published() -> Self {
        Self::parse(include_str!("../../../adapters/ag-ui-crate/divergences.toml"))
            .expect("the ledger can be read")
    }

    /// Reads a ledger.
    ///
    /// # Errors
    ///
    /// A sentence about what is wrong with it.
    ///
    /// ```
    /// let error = conform_subject::Ledger::parse("[[divergence]]\nname = 'x'").unwrap_err();
    /// assert!(error.contains("missing field"), "{error}");
    /// ```
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut entries: Vec<Divergence> = Vec::new();
        for written in file.divergence {
            let name = written.name.clone();
            if entries.iter().any(|entry| entry.name == name) {
                return Err(format!("{name}: the name is there twice"));
            }
            entries.push(written.entry().map_err(|what| format!("{name}: {what}"))?);
        }
        Ok(Self { entries })
    }

    /// The entry that a difference falls under.
    pub(crate) fn entry(
        &self,
        (we, peer): (Saying, Saying),
        witness: &Witness<'_, '_>,
    ) -> Option<&Divergence> {
        self.entries
            .iter()
            .find(|entry| (entry.we, entry.peer) == (we, peer) && entry.describes(witness))
    }
}

impl Divergence {
    fn describes(&self, witness: &Witness<'_, '_>) -> bool {
        let types = witness.types();
        self.when.iter().all(|predicate| predicate.holds(witness))
            && self.patterns.iter().any(|pattern| pattern.matches(&types))
    }
}

impl Written {
    fn entry(self) -> Result<Divergence, String> {
        let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if self.name.is_empty() || !self.name.chars().all(kebab) {
            return Err("a name is kebab-case".to_owned());
        }
        if self.witness.len() > LONGEST || self.at + 1 != self.witness.len() {
            return Err(format!("a witness has at most {LONGEST} events and ends in `at`"));
        }
        if self.why.trim().is_empty() || self.patterns.is_empty() {
            return Err("why and patterns are needed".to_owned());
        }
        let event = |text: &String| {
            serde_json::from_str(text).map_err(|error| format!("witness: {error}: {text}"))
        };
        let predicate = |name: &String| {
            let found = Predicate::ALL.iter().find(|predicate| predicate.as_str() == name);
            found.copied().ok_or_else(|| format!("there is no predicate {name}"))
        };
        Ok(Divergence {
            we: saying(&self.we)?,
            peer: saying(&self.peer)?,
            witness: self.witness.iter().map(event).collect::<Result<_, _>>()?,
            at: self.at,
            why: self.why,
            fault: self.fault,
            patterns: self.patterns.iter().map(|pattern| Pattern::new(pattern)).collect(),
            when: self.when.iter().map(predicate).collect::<Result<_, _>>()?,
            name: self.name,
        })
    }
}

fn saying(text: &str) -> Result<Saying, String> {
    match (text, Rule::from_name(text)) {
        ("accept", _) => Ok(Saying::Accept),
        (_, Some(rule)) => Ok(Saying::Reject(rule.as_str())),
        _ => Err(format!("{text} is neither `accept` nor a rule")),
    }
}
