//! Sequences of events, and what a generator knows of them.

use std::fmt;

use arbitrary::{Arbitrary, Unstructured};
use conform_check::{Checker, Options, Outcome, Request};
use conform_event::RunInput;
use conform_generate::{Bytes, Choose, Fault, Plan, Scope, shrink_events, soup};
use conform_subject::{Case, Difference, Label, Source, difference};
use serde_json::{Value, json};

/// No more events than these: the model is quadratic on purpose.
const LONGEST: usize = 64;

/// A sequence of events. An input that starts with `{` is one in JSON Lines, so that a corpus
/// case makes a seed; of any other the first byte says what the rest is a recipe for.
pub struct Sequence(pub Case);

impl<'a> Arbitrary<'a> for Sequence {
    fn arbitrary(input: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let length = input.len();
        let bytes = input.bytes(length)?;
        match bytes.split_first() {
            None => Err(arbitrary::Error::NotEnoughData),
            Some((b'{', _)) => Ok(Self::lines(bytes)),
            Some((&how, recipe)) => Ok(Self::cooked(how, recipe)),
        }
    }
}

impl Sequence {
    /// Lines that hold no object are left out; a blank at the very end asks for run scope.
    fn lines(bytes: &[u8]) -> Self {
        let scope = if bytes.ends_with(b" ") { Scope::Run } else { Scope::Stream };
        let lines = bytes.split(|byte| *byte == b'\n');
        let events = lines.filter_map(|line| serde_json::from_slice(line).ok());
        let events = events.filter(Value::is_object).take(LONGEST);
        Self::of(Source::Mutation, scope, events.collect(), None)
    }

    fn cooked(how: u8, recipe: &[u8]) -> Self {
        let scope = if how & 1 == 0 { Scope::Stream } else { Scope::Run };
        match how >> 1 & 3 {
            0 | 1 => Self::soup(scope, how, recipe),
            2 => Self::valid(&Plan::grow(&mut Bytes::of(recipe), scope)),
            _ => Self::fault(scope, recipe),
        }
    }

    fn valid(plan: &Plan) -> Self {
        Self::of(Source::Valid, plan.scope, plan.weave().events, Some(Label::Valid))
    }

    /// The first four bytes choose the fault: it stays where it is while the plan changes.
    fn fault(scope: Scope, recipe: &[u8]) -> Self {
        let (first, rest) = recipe.split_at(recipe.len().min(4));
        let mut choose = Bytes::of(rest);
        // A small plan: every fault that there is a place for is made.
        let runs = if scope == Scope::Stream { 1 + choose.below(4) / 3 } else { 1 };
        let (agents, items) = (1 + choose.below(3), 1 + choose.below(3));
        let plan = Plan::sized(&mut choose, scope, runs, agents, items);
        match Fault::in_plan(&plan, &mut Bytes::of(first), |_| true) {
            Some(Fault { cell, requirement, at, events, .. }) => Self::of(
                Source::Fault,
                scope,
                events,
                Some(Label::Broken { cell, requirement, at }),
            ),
            None => Self::valid(&plan),
        }
    }

    fn soup(scope: Scope, how: u8, bytes: &[u8]) -> Self {
        let (recipes, _) = bytes.as_chunks::<8>();
        let flavours = soup::flavours();
        let types = flavours[usize::from(how >> 3) % flavours.len()];
        let mut recipes = recipes.iter().copied().take(LONGEST);
        let request = if how & 0x80 == 0 { None } else { recipes.next().map(soup::input) };
        let start = if how & 0x40 == 0 { recipes.next() } else { None };
        let start = start.map(|recipe| soup::event_of(&["RUN_STARTED"], recipe));
        let events = start.into_iter().chain(recipes.map(|recipe| soup::event_of(types, recipe)));
        let mut soup = Self::of(Source::Soup, scope, events.collect(), None);
        soup.0.request = request;
        soup
    }

    fn of(source: Source, scope: Scope, events: Vec<Value>, label: Option<Label>) -> Self {
        Self(Case { number: 0, source, scope, events, request: None, label })
    }

    pub(crate) fn scope(&self) -> conform_check::Scope {
        match self.0.scope {
            Scope::Run => conform_check::Scope::Run,
            Scope::Stream => conform_check::Scope::Stream,
        }
    }

    /// The run input as the verifiers read it.
    pub(crate) fn request(&self) -> Option<RunInput<'static>> {
        self.sent().map(|request| request.input().clone())
    }

    /// The run input that was sent.
    fn sent(&self) -> Option<Request> {
        let text = self.0.request.as_ref()?.to_string();
        Some(Request::read(text.as_bytes()).expect("the generator writes run inputs"))
    }

    /// What the checker finds in it.
    pub(crate) fn outcome(&self) -> Outcome {
        let mut checker = Checker::new(Options {
            scope: self.scope(),
            request: self.sent(),
            max_findings: usize::MAX,
            ..Options::default()
        });
        for event in &self.0.events {
            checker.push(format!("data: {event}\n\n").as_bytes());
        }
        checker.finish()
    }

    /// The same difference in fewer events, where it does not hang on what a generator knows.
    pub(crate) fn small(&self, found: &Difference) -> Self {
        let mut case = self.0.clone();
        if found.label.is_none() {
            case.label = None;
            let same =
                |other: Difference| (other.verifier, other.model) == (found.verifier, found.model);
            let events = std::mem::take(&mut case.events);
            case.events = shrink_events(events, |events| {
                difference(&Case { events: events.to_vec(), ..case.clone() }).is_some_and(same)
            });
        }
        Self(case)
    }
}

/// A case file, to be given a name: what is expected is what the checker says now.
impl fmt::Debug for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcome = self.outcome();
        let errors = outcome.findings.iter().filter(|finding| finding.is_error());
        let expect = match errors.min_by_key(|finding| finding.event.unwrap_or(u64::MAX)) {
            None => json!({"verdict": "accept"}),
            Some(first) => json!({
                "verdict": "reject",
                "at": first.event.map_or_else(|| json!("end"), |event| json!(event)),
                "requirement": first.requirement.id,
            }),
        };
        let mut case = json!({
            "schema": conform_corpus::CASE_SCHEMA,
            "name": "the-name-of-the-file",
            "about": "What happens in it, in one line.",
            "source": null,
            "scope": self.scope().as_str(),
            "input": {"format": "events", "events": self.0.events},
            "expect": expect,
        });
        if let Some(request) = &self.0.request {
            case["request"] = request.clone();
        }
        writeln!(f, "\n{case:#}")
    }
}
