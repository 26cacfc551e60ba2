//! The cases of a soak: what is generated under a seed, case by case.

use conform_generate::{Cell, Choose, Dice, Fault, Plan, Scope, soup};
use serde_json::Value;

/// A generated case.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its number under the seed.
    pub number: u64,
    /// How it came about.
    pub source: Source,
    /// In which scope it is judged.
    pub scope: Scope,
    /// The events.
    pub events: Vec<Value>,
    /// The run input that goes with it.
    pub request: Option<Value>,
    /// What the generator knows of it.
    pub label: Option<Label>,
}

/// How a case came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// A valid stream.
    Valid,
    /// A valid stream with one fault.
    Fault,
    /// A valid stream with events left out, repeated, moved or given to somebody else.
    Mutation,
    /// Events over small pools.
    Soup,
}

impl Source {
    /// The name in summaries.
    ///
    /// ```
    /// assert_eq!(conform_subject::Source::Soup.as_str(), "soup");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Fault => "fault",
            Self::Mutation => "mutation",
            Self::Soup => "soup",
        }
    }
}

/// What a generator knows of a case by construction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// Everything is accepted.
    Valid,
    /// This is rejected first.
    Broken {
        /// The place in the grid of faults; its rule is what is broken.
        cell: Cell,
        /// The requirement that is broken.
        requirement: &'static str,
        /// The event, or the end of the stream.
        at: Option<usize>,
    },
}

impl Case {
    /// Case `number` under `seed`: the same whatever else is generated.
    ///
    /// ```
    /// use conform_subject::Case;
    /// assert_eq!(Case::generate(1, 5).events, Case::generate(1, 5).events);
    /// ```
    pub fn generate(seed: u64, number: u64) -> Self {
        let mut dice = Dice::of_case(seed, number);
        let scope = if dice.one_in(3) { Scope::Run } else { Scope::Stream };
        let source = match dice.below(8) {
            0 => Source::Valid,
            1..=3 => Source::Fault,
            4 | 5 => Source::Mutation,
            _ => Source::Soup,
        };
        let case =
            |source, events, label| Self { number, source, scope, events, request: None, label };
        if source == Source::Soup {
            return Self {
                request: request(&mut dice),
                ..case(source, brew(&mut dice, scope), None)
            };
        }
        let plan = Plan::grow(&mut dice, scope);
        if source == Source::Fault
            && let Some(fault) = Fault::sample(&plan, &mut dice)
        {
            let Fault { cell, requirement, at, events, .. } = fault;
            return case(source, events, Some(Label::Broken { cell, requirement, at }));
        }
        let mut events = plan.weave().events;
        if source == Source::Mutation {
            mutate(&mut dice, &mut events);
            return case(source, events, None);
        }
        case(Source::Valid, events, Some(Label::Valid))
    }
}

fn request(dice: &mut Dice) -> Option<Value> {
    dice.one_in(3).then(|| soup::input(dice.recipe()))
}

fn brew(dice: &mut Dice, scope: Scope) -> Vec<Value> {
    let types = soup::flavours()[dice.below(soup::flavours().len())];
    let length = dice.below(40);
    // Few names make events meet: mostly one id and one tag.
    let narrow = dice.one_in(2);
    let mut recipe = || {
        let mut recipe = dice.recipe();
        if narrow {
            recipe[1] = [0, 0, 1, 8][usize::from(recipe[1] % 4)];
            recipe[2] = [0, 111, 111, 112][usize::from(recipe[2] % 4)];
            recipe[3] = if recipe[3].is_multiple_of(4) { 4 } else { recipe[3] };
        }
        recipe
    };
    let begins = scope == Scope::Stream && recipe()[0] % 10 != 0;
    let mut events = Vec::new();
    if begins {
        events.push(soup::event_of(&["RUN_STARTED"], recipe()));
    }
    events.extend((0..length).map(|_| soup::event_of(types, recipe())));
    events
}

/// Breaks a valid stream at up to three places, with no idea of what comes of it.
fn mutate(dice: &mut Dice, events: &mut Vec<Value>) {
    for _ in 0..=dice.below(3) {
        if events.is_empty() {
            return;
        }
        let (at, other) = (dice.below(events.len()), dice.below(events.len()));
        match dice.below(9) {
            // More likely than anything else: there is much to bend.
            6..=8 => {
                let other = events[other].clone();
                bend(dice, &mut events[at], &other);
            }
            0 => {
                events.remove(at);
            }
            1 => {
                let copy = events[at].clone();
                events.insert(other, copy);
            }
            2 => events.swap(at, other),
            3 => {
                let moved = events.remove(at);
                events.insert(other.min(events.len()), moved);
            }
            4 => {
                // Somebody else's tag, or none.
                let tag = events[other].get("subagentRunId").cloned();
                if let Some(members) = events[at].as_object_mut() {
                    members.shift_remove("subagentRunId");
                    members.extend(tag.map(|tag| ("subagentRunId".to_owned(), tag)));
                }
            }
            _ => {
                // Somebody else's id, or a null.
                for name in ["messageId", "toolCallId", "stepName"] {
                    let theirs = events[other].get(name).cloned();
                    let theirs = if dice.one_in(9) { Some(Value::Null) } else { theirs };
                    if let (Some(theirs), Some(mine)) = (theirs, events[at].get_mut(name)) {
                        *mine = theirs;
                    }
                }
            }
        }
    }
}

/// Changes one member of an event, at whatever depth: leaves it out, gives it another name or
/// another value.
fn bend(dice: &mut Dice, event: &mut Value, other: &Value) {
    let places = pointers(event);
    let Some(place) = places.get(dice.below(places.len())) else { return };
    let (above, last) = place.rsplit_once('/').unwrap_or_default();
    let last = last.replace("~1", "/").replace("~0", "~");
    let values = pointers(other);
    let theirs = values.get(dice.below(values.len())).and_then(|place| other.pointer(place));
    let theirs = theirs.cloned().unwrap_or_default();
    match event.pointer_mut(above) {
        Some(Value::Object(members)) => match dice.below(7) {
            0 => {
                members.shift_remove(&last);
            }
            1 => {
                members.insert(last, Value::Null);
            }
            2 => {
                members.insert(last, Value::from(7));
            }
            3 => {
                let value = members.shift_remove(&last).unwrap_or_default();
                members.insert(last.to_uppercase(), value);
            }
            4 => {
                let names = ["ag-ui", "encryptedValueType", "extra", "result", "state", "metadata"];
                members.insert(names[dice.below(names.len())].to_owned(), theirs);
            }
            _ => {
                members.insert(last, theirs);
            }
        },
        Some(Value::Array(items)) => {
            let place = last.parse().unwrap_or(0).min(items.len().saturating_sub(1));
            match dice.below(3) {
                0 if !items.is_empty() => {
                    items.remove(place);
                }
                1 => items.push(theirs),
                _ => items.extend(items.get(place).cloned()),
            }
        }
        _ => {}
    }
}

/// The JSON pointers of everything in a value but itself.
fn pointers(value: &Value) -> Vec<String> {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| (name.replace('~', "~0").replace('/', "~1"), value))
            .collect(),
        Value::Array(items) => {
            items.iter().enumerate().map(|(index, value)| (index.to_string(), value)).collect()
        }
        _ => Vec::new(),
    };
    let mut all = Vec::new();
    for (name, value) in inner {
        all.push(format!("/{name}"));
        all.extend(pointers(value).into_iter().map(|below| format!("/{name}{below}")));
    }
    all
}
