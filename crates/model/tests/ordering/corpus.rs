//! Every case of `corpus/ordering`, written by somebody else, judged by the model.

use std::fs;
use std::path::{Path, PathBuf};

use conform_event::json::{self, Json};
use conform_event::{Body, Event, RunInput, TypeName};
use conform_model::{Position, judge_run, judge_stream};

/// The requirements without a rule that the model judges.
const OF_THE_MODEL: [&str; 7] = [
    "lifecycle/first-event",
    "lifecycle/terminated",
    "chunk/first-carries-id",
    "chunk/repeat-agrees",
    "chunk/forms-do-not-mix",
    "chunk/unambiguous-lane",
    "chunk/ends-with-its-owner",
];

/// The requirements without a rule that cases of this corpus break and others judge.
const OF_OTHERS: [&str; 6] = [
    "shape/absent-not-null",
    "shape/known-type",
    "shape/well-formed",
    "activity/keep-agrees",
    "activity/snapshot-first",
    "subagent/announced-before-use",
];

#[test]
fn the_model_agrees_with_every_case() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/ordering");
    let files = files_below(&root);
    assert!(!files.is_empty(), "no cases below {}", root.display());
    let faults: Vec<String> = files.iter().filter_map(|file| fault(file)).collect();
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), files.len(), faults.join("\n"));
    let skipped = files.iter().filter(|file| {
        let bytes = fs::read(file).unwrap();
        let (case, _) = json::read(&bytes).unwrap();
        Expected::of(&case).is_of_others()
    });
    assert!(skipped.count() * 10 <= files.len(), "more than a tenth is not the model's");
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let (folders, files): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| path.is_dir());
    let is_case = |path: &PathBuf| path.extension().is_some_and(|ext| ext == "json");
    let below = folders.iter().flat_map(|folder| files_below(folder));
    files.into_iter().filter(is_case).chain(below).collect()
}

/// What a case wants, in its own words.
#[derive(Debug, PartialEq)]
struct Expected {
    at: Option<Position>,
    rule: Option<String>,
    requirement: Option<String>,
}

impl Expected {
    fn of(case: &Json<'_>) -> Self {
        let member = |name: &str| case.at(&format!("/expect/{name}"));
        let text = |name: &str| member(name).and_then(Json::as_str).map(str::to_owned);
        let at = member("at").map(|at| match (&at.value, at.as_str()) {
            (_, Some("end")) => Position::End,
            (json::Value::Number(digits), _) => Position::Event(digits.parse().unwrap()),
            other => panic!("no position: {other:?}"),
        });
        assert_eq!(text("verdict").as_deref() == Some("reject"), at.is_some());
        Self { at, rule: text("rule"), requirement: text("requirement") }
    }

    fn is_of_others(&self) -> bool {
        self.requirement.as_deref().is_some_and(|id| OF_OTHERS.contains(&id))
    }
}

/// How the model's opinion of a case differs from the case's.
fn fault(file: &Path) -> Option<String> {
    let bytes = fs::read(file).unwrap();
    let (case, _) = json::read(&bytes).expect("a case is JSON");
    let expected = Expected::of(&case);
    let events = events(&case);
    let request = case.get("request").and_then(RunInput::from_json);
    let judgement = match case.get("scope").and_then(Json::as_str) {
        Some("run") => judge_run(&events),
        Some("stream") => judge_stream(&events, request.as_ref()),
        other => panic!("{}: scope {other:?}", file.display()),
    };
    let at = judgement.first_rejected();
    let verdict = at.map(|at| match at {
        Position::Event(index) => judgement.events[index],
        Position::End => judgement.end,
    });
    let breach = verdict.and_then(|verdict| verdict.breach());
    let found = Expected {
        at,
        rule: breach.and_then(|breach| breach.rule).map(str::to_owned),
        requirement: breach.and_then(|breach| breach.requirement).map(str::to_owned),
    };
    let agrees = match &expected {
        // Somebody else's business: but then the model refuses nothing before it.
        others if others.is_of_others() => order(others.at) <= order(found.at),
        // What has a rule: the requirement follows from it elsewhere.
        Expected { rule: Some(_), .. } => found.at == expected.at && found.rule == expected.rule,
        Expected { requirement: Some(id), .. } => {
            assert!(OF_THE_MODEL.contains(&id.as_str()), "{}: whose is {id}?", file.display());
            found == expected
        }
        _ => found == expected,
    };
    (!agrees).then(|| format!("{}\n  case  {expected:?}\n  model {found:?}", file.display()))
}

/// Positions in their order, none the last.
fn order(at: Option<Position>) -> (u8, usize) {
    match at {
        Some(Position::Event(index)) => (0, index),
        Some(Position::End) => (1, 0),
        None => (2, 0),
    }
}

fn events<'a>(case: &'a Json<'a>) -> Vec<Event<'a>> {
    let text = case.at("/input/text").and_then(Json::as_str);
    match case.at("/input/format").and_then(Json::as_str) {
        Some("events") => {
            case.at("/input/events").unwrap().items().iter().map(Event::from_json).collect()
        }
        Some("ndjson") => {
            text.unwrap().lines().filter(|line| !line.trim().is_empty()).map(decoded).collect()
        }
        Some("sse") => {
            let data = |line: &'a str| line.strip_prefix("data:");
            text.unwrap().lines().filter_map(data).map(decoded).collect()
        }
        other => panic!("format {other:?}"),
    }
}

/// An event of a line; one that is no JSON takes an index, and no more.
fn decoded(line: &str) -> Event<'_> {
    match conform_event::decode(line.as_bytes()) {
        Ok(decoded) => decoded.event,
        Err(_) => Event { type_name: TypeName::Missing, tag: None, body: Body::Untracked },
    }
}
