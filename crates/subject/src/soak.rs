//! Comparing verifier, model and generators on many cases.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use conform_generate::{Cell, Scope, shrink_events};
use serde_json::Value;

use crate::case::{Case, Label, Source};
use crate::compare::{Difference, Saying, difference};
use crate::ledger::Ledger;
use crate::peer::{Compared, Peer, PeerDifference};

/// How much is compared.
#[derive(Debug, Clone)]
pub struct Soak {
    /// The seed that every case follows from.
    pub seed: u64,
    /// How many cases there are, those of other shards included.
    pub cases: u64,
    /// After how long no further case is begun.
    pub time: Option<Duration>,
    /// How many threads compare.
    pub jobs: usize,
    /// Which of how many shares of the cases this is, from 0.
    pub shard: (u64, u64),
}

/// What came of it.
#[derive(Debug, Clone, Default)]
pub struct Soaked {
    /// How many cases were compared.
    pub cases: u64,
    /// Whether the time ran out first.
    pub out_of_time: bool,
    /// How many cases there were of each source.
    pub sources: BTreeMap<Source, u64>,
    /// How many faults there were in each cell of the grid.
    pub grid: BTreeMap<Cell, u64>,
    /// What came of giving the cases to the published crate.
    pub peer: PeerTally,
    /// The first case in which opinions differ.
    pub found: Option<Found>,
    /// How long it took, on the clock.
    pub elapsed: Duration,
}

/// How the published crate fared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PeerTally {
    /// How many cases it was compared on.
    pub compared: u64,
    /// How many cases it cannot read.
    pub unsupported: u64,
    /// In how many cases it differs first as the ledger says, by the name of the entry.
    pub known: BTreeMap<String, u64>,
}

/// A case in which opinions differ.
#[derive(Debug, Clone)]
pub struct Found {
    /// The case as it was generated.
    pub case: Case,
    /// What is said of it.
    pub difference: Difference,
    /// What the published crate says, where that is what they differ from.
    pub peer: Option<Saying>,
    /// The same difference in as few events as were found.
    pub small: Case,
}

/// How many cases a thread takes at once.
const BATCH: u64 = 32;

impl Soak {
    /// Compares until all cases are done, the time is up or opinions differ. The result is the
    /// same whatever the number of jobs, unless the time runs out. `progress` hears how many
    /// cases are done.
    ///
    /// ```
    /// use conform_subject::Soak;
    /// let soak = Soak { seed: 7, cases: 64, time: None, jobs: 2, shard: (0, 1) };
    /// let soaked = soak.run(|_| {});
    /// assert_eq!(soaked.cases, 64);
    /// assert!(soaked.found.is_none());
    /// ```
    pub fn run(&self, progress: impl Fn(u64) + Sync) -> Soaked {
        self.run_with(&Ledger::published(), progress)
    }

    /// The same with another ledger of the published crate.
    pub fn run_with(&self, ledger: &Ledger, progress: impl Fn(u64) + Sync) -> Soaked {
        let peer = Peer::new(ledger);
        let started = Instant::now();
        let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
        let first_found = AtomicU64::new(u64::MAX);
        let out_of_time = AtomicBool::new(false);
        let total: Mutex<Soaked> = Mutex::default();
        let work = || {
            let mut mine = Soaked::default();
            loop {
                let begin = next.fetch_add(BATCH, Ordering::Relaxed);
                if begin >= self.cases || begin > first_found.load(Ordering::Relaxed) {
                    break;
                }
                if self.time.is_some_and(|time| started.elapsed() >= time) {
                    out_of_time.store(true, Ordering::Relaxed);
                    break;
                }
                for number in begin..self.cases.min(begin + BATCH) {
                    if number % self.shard.1 != self.shard.0 {
                        continue;
                    }
                    if let Some(found) = mine.compare(&peer, self.seed, number) {
                        first_found.fetch_min(number, Ordering::Relaxed);
                        mine.keep(&peer, found);
                    }
                }
                progress(done.fetch_add(BATCH, Ordering::Relaxed) + BATCH);
            }
            if let Ok(mut total) = total.lock() {
                total.add(mine);
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.jobs {
                scope.spawn(work);
            }
            work();
        });
        let mut total = total.into_inner().unwrap_or_default();
        total.out_of_time = out_of_time.into_inner();
        total.elapsed = started.elapsed();
        total
    }
}

/// A case in which opinions differ, and who differs from whom.
enum Differing {
    /// Verifier, model and generator.
    Ours(Case, Difference),
    /// The verifier and the published crate.
    Peers(Case, PeerDifference),
}

impl Soaked {
    fn compare(&mut self, peer: &Peer<'_>, seed: u64, number: u64) -> Option<Differing> {
        let case = Case::generate(seed, number);
        self.cases += 1;
        *self.sources.entry(case.source).or_default() += 1;
        if let Some(Label::Broken { cell, .. }) = case.label {
            *self.grid.entry(cell).or_default() += 1;
        }
        if let Some(difference) = difference(&case) {
            return Some(Differing::Ours(case, difference));
        }
        match peer.compare(&case.events) {
            Compared::Unsupported => self.peer.unsupported += 1,
            Compared::Same => self.peer.compared += 1,
            Compared::Known(entry) => {
                self.peer.compared += 1;
                *self.peer.known.entry(entry.name.clone()).or_default() += 1;
            }
            Compared::Unlisted(difference) => {
                self.peer.compared += 1;
                return Some(Differing::Peers(case, difference));
            }
        }
        None
    }

    fn keep(&mut self, peer: &Peer<'_>, differing: Differing) {
        let number = match &differing {
            Differing::Ours(case, _) | Differing::Peers(case, _) => case.number,
        };
        if self.found.as_ref().is_some_and(|found| found.case.number <= number) {
            return;
        }
        self.found = Some(match differing {
            Differing::Ours(case, difference) => {
                let small = shrink(&case, &difference);
                Found { case, difference, peer: None, small }
            }
            Differing::Peers(case, found) => {
                // What it was compared on: a run, and its events alone.
                let case = Case { scope: Scope::Run, request: None, label: None, ..case };
                let small = Case { events: peer.shrink(&case.events, &found), ..case.clone() };
                let PeerDifference { at, we, model, peer } = found;
                let difference = Difference { at: Some(at), verifier: we, model, label: None };
                Found { case, difference, peer: Some(peer), small }
            }
        });
    }

    fn add(&mut self, other: Self) {
        self.cases += other.cases;
        for (source, count) in other.sources {
            *self.sources.entry(source).or_default() += count;
        }
        for (cell, count) in other.grid {
            *self.grid.entry(cell).or_default() += count;
        }
        self.peer.compared += other.peer.compared;
        self.peer.unsupported += other.peer.unsupported;
        for (name, count) in other.peer.known {
            *self.peer.known.entry(name).or_default() += count;
        }
        if let Some(found) = other.found
            && self.found.as_ref().is_none_or(|mine| found.case.number < mine.case.number)
        {
            self.found = Some(found);
        }
    }
}

/// The same difference in fewer events. A label is about the stream as it was generated, so
/// that only a difference between verifier and model can be made smaller.
fn shrink(case: &Case, found: &Difference) -> Case {
    let mut small = case.clone();
    if found.label.is_some() {
        return small;
    }
    small.label = None;
    let same = |events: &[Value], request: &Option<Value>| {
        let candidate = Case { events: events.to_vec(), request: request.clone(), ..small.clone() };
        difference(&candidate)
            .is_some_and(|d| (d.verifier, d.model) == (found.verifier, found.model))
    };
    let request = if same(&small.events, &None) { None } else { small.request.clone() };
    let events = shrink_events(small.events.clone(), |events| same(events, &request));
    small.events = events;
    small.request = request;
    small
}
