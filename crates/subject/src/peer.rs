//! The published `ag-ui` crate, in process: what its verifier says beside ours.
//!
//! It judges single runs, so that a case is compared in run scope whatever scope it was made
//! for. Events are read by the crate's own types.

mod complete;

use conform_event::{Event, decode};
use conform_generate::{Scope, shrink_events};
use conform_verify::{VerificationError, Verifier};
use serde::Deserialize as _;
use serde_json::Value;

use crate::compare::{Saying, modelled};
use crate::ledger::{Divergence, Ledger, Witness};

pub use complete::complete;

/// Name and version of the published crate.
pub const PEER: &str = "ag-ui 0.5.0-alpha.3";

/// The published crate's verifier, with the differences from ours that are known.
#[derive(Debug)]
pub struct Peer<'l> {
    ledger: &'l Ledger,
}

/// What came of giving a case to the peer.
#[derive(Debug, Clone, PartialEq)]
pub enum Compared<'l> {
    /// It cannot read one of the events.
    Unsupported,
    /// It says of every event what we say.
    Same,
    /// It differs as this entry of the ledger says.
    Known(&'l Divergence),
    /// It differs, and the ledger does not say so.
    Unlisted(PeerDifference),
}

/// Where the peer differs first from our verifier in run scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeerDifference {
    /// The event.
    pub at: usize,
    /// What our verifier says of it.
    pub we: Saying,
    /// What our model says of it.
    pub model: Saying,
    /// What the peer says of it.
    pub peer: Saying,
}

/// Events as both verifiers read them, one beside the other.
struct Read<'t> {
    ours: Vec<Event<'t>>,
    theirs: Vec<ag_ui::Event>,
}

/// What we and the peer say, where it is not the same.
type Pair = (Saying, Saying);

impl<'l> Peer<'l> {
    /// The peer with this ledger.
    pub fn new(ledger: &'l Ledger) -> Self {
        Self { ledger }
    }

    /// Compares the peer with our verifier, event by event, up to the first difference. Both
    /// get the events [completed](complete()).
    ///
    /// ```
    /// use conform_subject::{Compared, Ledger, Peer};
    /// use serde_json::json;
    /// let ledger = Ledger::published();
    /// let peer = Peer::new(&ledger);
    /// let start = json!({"type": "TEXT_MESSAGE_START", "messageId": "m"});
    /// let chunk = json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": "m"});
    /// let end = json!({"type": "TEXT_MESSAGE_END", "messageId": "m"});
    /// assert_eq!(peer.compare(&[start.clone(), end.clone()]), Compared::Same);
    /// assert!(matches!(peer.compare(&[start, chunk, end]), Compared::Known(_)));
    /// assert_eq!(peer.compare(&[json!({"type": "NEW"})]), Compared::Unsupported);
    /// ```
    pub fn compare(&self, events: &[Value]) -> Compared<'l> {
        reading(events, |read| {
            let Some((at, pair)) = read.first_difference() else {
                return Compared::Same;
            };
            let witness = read.witness(at, pair);
            match self.ledger.entry(pair, &witness) {
                Some(entry) => Compared::Known(entry),
                None => Compared::Unlisted(read.difference(at, pair)),
            }
        })
        .unwrap_or(Compared::Unsupported)
    }

    /// The same difference in as few events, with as few members, as are found.
    pub fn shrink(&self, events: &[Value], found: &PeerDifference) -> Vec<Value> {
        let prefix = events.iter().take(found.at + 1).cloned().collect();
        shrink_events(prefix, |events| {
            matches!(
                self.compare(events),
                Compared::Unlisted(PeerDifference { we, peer, .. })
                    if (we, peer) == (found.we, found.peer)
            )
        })
    }
}

/// Where the peer differs first from our verifier, listed or not; none where it does not, or
/// cannot read the events.
///
/// ```
/// use serde_json::json;
/// let start = json!({"type": "TEXT_MESSAGE_START", "messageId": "m"});
/// assert_eq!(conform_subject::peer_difference(&[start.clone(), start]), None);
/// ```
pub fn peer_difference(events: &[Value]) -> Option<PeerDifference> {
    reading(events, |read| {
        let (at, pair) = read.first_difference()?;
        Some(read.difference(at, pair))
    })?
}

/// Lets both read the events, completed; none where the peer cannot read one.
fn reading<T>(events: &[Value], then: impl FnOnce(&Read<'_>) -> T) -> Option<T> {
    let mut theirs = Vec::with_capacity(events.len());
    let mut texts = Vec::with_capacity(events.len());
    for event in events {
        let event = complete(event);
        theirs.push(ag_ui::Event::deserialize(&event).ok()?);
        texts.push(event.to_string());
    }
    let ours: Option<Vec<_>> =
        texts.iter().map(|text| Some(decode(text.as_bytes()).ok()?.event)).collect();
    Some(then(&Read { ours: ours?, theirs }))
}

impl<'t> Read<'t> {
    fn first_difference(&self) -> Option<(usize, Pair)> {
        differing(self.ours.iter().zip(&self.theirs))
    }

    fn difference(&self, at: usize, (we, peer): Pair) -> PeerDifference {
        let model = modelled(Scope::Run, &self.ours, None).get(at).copied().unwrap_or(we);
        PeerDifference { at, we, model, peer }
    }

    /// As few events as are found that end in this difference.
    fn witness(&self, at: usize, pair: Pair) -> Witness<'_, 't> {
        let pick = |numbers: &[Value]| -> Vec<usize> {
            let before = numbers.iter().filter_map(|number| usize::try_from(number.as_u64()?).ok());
            before.chain([at]).collect()
        };
        let mut numbers: Vec<Value> = (0..at).map(Value::from).collect();
        loop {
            let count = numbers.len();
            numbers = shrink_events(numbers, |numbers| {
                let picked = pick(numbers);
                let pairs = picked.iter().map(|at| (&self.ours[*at], &self.theirs[*at]));
                differing(pairs) == Some((picked.len() - 1, pair))
            });
            // What came late may have made room for what was tried early.
            if numbers.len() == count {
                return Witness::of(pick(&numbers).iter().map(|at| &self.ours[*at]).collect());
            }
        }
    }
}

/// The first event of which the two say different things. A refusal changes neither of them, as
/// far as they agree, and both go on.
fn differing<'a, 't: 'a>(
    events: impl Iterator<Item = (&'a Event<'t>, &'a ag_ui::Event)>,
) -> Option<(usize, Pair)> {
    let mut we = Verifier::new();
    let mut peer = ag_ui::server::EventVerifier::new();
    let sayings = events.map(|(ours, theirs)| {
        let we = match we.observe(ours) {
            Ok(()) => Saying::Accept,
            Err(error) => Saying::Reject(rule(&error)),
        };
        let peer = match peer.observe(theirs) {
            Ok(()) => Saying::Accept,
            Err(error) => Saying::Reject(error.rule.as_str()),
        };
        (we, peer)
    });
    sayings.enumerate().find(|(_, (we, peer))| we != peer)
}

fn rule(error: &VerificationError) -> &'static str {
    error.rule().map_or("nothing named", conform_verify::Rule::as_str)
}
