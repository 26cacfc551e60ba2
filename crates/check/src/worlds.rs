//! The two worlds of the judges beyond ordering (decision 6).

use conform_event::Event;
use conform_event::json::Json;
use conform_verify::Position;

use crate::beyond::{Broken, World};
use crate::ordering::Ordering;
use crate::request::Request;

/// The strict world, of the events that are accepted, and the lenient one, of all. Until
/// something is refused they are one.
#[derive(Debug)]
pub(crate) struct Worlds {
    lenient: World,
    strict: Option<World>,
}

/// An event that was just judged by the ordering rules.
pub(crate) struct Judged<'e> {
    pub(crate) at: Position,
    pub(crate) event: &'e Event<'e>,
    pub(crate) json: &'e Json<'e>,
    /// What it was meant to be, where it was misspelt.
    pub(crate) meant: Option<(&'e Event<'e>, &'e Json<'e>)>,
    pub(crate) accepted: bool,
}

/// What is broken, and whether it counts: what only the strict world knows is a consequence
/// of what was refused.
pub(crate) type Ruled = (Broken, bool);

impl Worlds {
    pub(crate) fn new(request: Option<&Request>) -> Self {
        Self { lenient: World::new(request), strict: None }
    }

    /// Judges an event that both verifiers have seen; none in run scope.
    /// Also tells what the event puts to the test.
    pub(crate) fn observe(
        &mut self,
        ordering: &Ordering,
        judged: &Judged<'_>,
        mut tested: impl FnMut(&'static str),
    ) -> Vec<Ruled> {
        let Some((strict, lenient)) = ordering.verifiers() else { return Vec::new() };
        let Judged { at, event, json, meant, accepted } = *judged;
        if self.strict.is_none() && (!accepted || meant.is_some()) {
            self.strict = Some(self.lenient.clone());
        }
        let (event_taken, json_taken) = meant.unwrap_or((event, json));
        let by_lenient = self.lenient.observe(at, event_taken, json_taken, lenient);
        by_lenient.tested.into_iter().for_each(&mut tested);
        let by_lenient = by_lenient.broken;
        match &mut self.strict {
            None => by_lenient.into_iter().map(|broken| (broken, true)).collect(),
            Some(world) if accepted => {
                let by_strict = world.observe(at, event, json, strict).broken;
                ruled(by_strict, &by_lenient)
            }
            Some(_) => Vec::new(),
        }
    }

    /// Judges what only the end of the stream tells.
    pub(crate) fn finish(&self) -> Vec<Ruled> {
        let by_lenient = self.lenient.finish();
        match &self.strict {
            None => by_lenient.into_iter().map(|broken| (broken, true)).collect(),
            Some(world) => ruled(world.finish(), &by_lenient),
        }
    }
}

fn ruled(by_strict: Vec<Broken>, by_lenient: &[Broken]) -> Vec<Ruled> {
    let known = |broken: &Broken| {
        by_lenient.iter().any(|other| other.id == broken.id && other.pointer == broken.pointer)
    };
    let counted = by_strict.iter().map(known).collect::<Vec<_>>();
    by_strict.into_iter().zip(counted).collect()
}
