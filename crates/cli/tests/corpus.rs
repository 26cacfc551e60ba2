//! Every case of `corpus/ordering` through everything that judges: the verifier, the model,
//! the checker, and the command.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use conform_check::registry::Judge;
use conform_check::{EntityKind, Options, Rule, Scope};
use conform_corpus::{At, Case, Input, Replay, Verdict, load_all};
use conform_event::{Event, decode};
use conform_model::{judge_run, judge_stream};
use conform_subject::{At as Place, Opinion, Ours, VerifierSubject};
use conform_verify::{StreamVerifier, Verifier};
use serde_json::Value;

static CASES: LazyLock<Vec<(PathBuf, Case)>> =
    LazyLock::new(|| load_all(&support::repository("corpus/ordering")).unwrap());

fn group(path: &Path) -> &str {
    path.parent().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap()
}

fn is_twin(case: &Case) -> bool {
    case.name.strip_suffix(".twin").is_some()
}

fn twin_of(case: &Case) -> Option<&'static Case> {
    let name = format!("{}.twin", case.name);
    CASES.iter().map(|(_, case)| case).find(|other| other.name == name)
}

fn is_judged(case: &Case) -> bool {
    match case.expect.verdict {
        Verdict::Accept => true,
        Verdict::Reject { requirement, .. } => requirement.judge != Judge::None,
    }
}

/// Whether verifier and model have an opinion: about shape and the like they have none.
fn is_about_order(case: &Case) -> bool {
    match case.expect.verdict {
        Verdict::Accept => true,
        Verdict::Reject { requirement, .. } => {
            matches!(requirement.judge, Judge::Rule(_) | Judge::Stream)
        }
    }
}

fn lines(case: &Case) -> Vec<Vec<u8>> {
    assert!(matches!(case.input, Input::Events(_)), "{}: read it in another way", case.name);
    case.bytes()
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .filter(|l| !l.is_empty())
        .collect()
}

fn events(lines: &[Vec<u8>]) -> Vec<Event<'_>> {
    lines.iter().map(|line| decode(line).unwrap().event).collect()
}

/// What a case, or a judge, says: where, which rule, which requirement.
type Said = Option<(At, Option<String>, Option<String>)>;

fn expected(case: &Case) -> Said {
    match case.expect.verdict {
        Verdict::Accept => None,
        Verdict::Reject { at, requirement, rule } => {
            Some((at, rule.map(|rule| rule.to_string()), Some(requirement.id.to_owned())))
        }
    }
}

fn said(opinion: Opinion) -> Said {
    match opinion {
        Opinion::Accept => None,
        Opinion::Reject { at, rule, requirement, .. } => Some((
            match at {
                Place::Event(index) => At::Event(index as u64),
                Place::End => At::End,
            },
            rule,
            requirement,
        )),
        Opinion::Unsupported { reason } => panic!("unsupported: {reason}"),
    }
}

#[test]
fn verifier_and_model_say_what_the_cases_say() {
    let mut wrong = Vec::new();
    for (_, case) in CASES.iter() {
        let lines = lines(case);
        let events = events(&lines);
        let request = case.run_input();
        let scope = case.scope.as_str();
        for subject in [Ours::verifier(scope).unwrap(), Ours::model(scope).unwrap()] {
            let found = said(subject.judge(&events, request.as_ref()));
            let expected = expected(case);
            let agrees = match (&expected, &found) {
                // Somebody else's business; but nothing is refused before.
                (Some((at, ..)), _) if !is_about_order(case) => {
                    found.as_ref().is_none_or(|(found, ..)| found >= at)
                }
                // Which requirement a rule means, the registry says.
                (Some((at, Some(rule), _)), Some((found, Some(by), None))) => {
                    (at, rule) == (found, by)
                }
                _ => expected == found,
            };
            if !agrees {
                wrong.push(format!(
                    "{}: {}: {found:?}, not {expected:?}",
                    case.name,
                    subject.name()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_checker_says_what_the_cases_say() {
    let options = Options::default();
    let mut wrong = Vec::new();
    let mut not_judged: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, case) in CASES.iter() {
        match case.check(&options) {
            Ok(Replay::Agrees) => {}
            Ok(Replay::NotJudged(requirement)) => {
                *not_judged.entry(requirement.id).or_default() += 1;
                continue;
            }
            Err(mismatch) => {
                wrong.push(mismatch.to_string());
                continue;
            }
        }
        let outcome = case.outcome(&options);
        let errors = outcome.findings.iter().filter(|f| f.is_error());
        // What has a wrong type beside what the case is about is an error of its own.
        let beside = |n: usize, id: &str| n > 0 && id == "shape/well-formed";
        let errors: Vec<_> = errors
            .enumerate()
            .filter(|(n, f)| !beside(*n, f.requirement.id))
            .map(|(_, finding)| finding)
            .collect();
        match case.expect.verdict {
            Verdict::Accept => assert!(errors.is_empty(), "{}: {errors:?}", case.name),
            Verdict::Reject { rule, .. } => {
                assert_eq!(errors.len(), 1, "{}: one fault, one error: {errors:?}", case.name);
                assert_eq!(errors[0].rule, rule, "{}", case.name);
            }
        }
        // A finding follows from an earlier one that counts.
        for (index, finding) in outcome.findings.iter().enumerate() {
            let Some(cause) = finding.consequence_of else { continue };
            assert!(cause < index, "{}", case.name);
            assert!(outcome.findings[cause].is_error(), "{}", case.name);
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), CASES.len(), wrong.join("\n"));
    println!("{} cases; not judged yet: {not_judged:?}", CASES.len());
    assert!(not_judged.is_empty(), "{not_judged:?}");
}

#[test]
fn the_command_says_what_the_cases_say() {
    let mut groups = BTreeSet::new();
    let directory = tempfile::tempdir().unwrap();
    for (index, (path, case)) in CASES.iter().enumerate() {
        if !is_judged(case) || !(groups.insert(group(path)) || index % 7 == 0) {
            continue;
        }
        let stream = directory.path().join(format!("{}.ndjson", case.name));
        fs::write(&stream, case.bytes()).unwrap();
        let mut command = support::command(&["check", "--format", "json", "--scope"]);
        command.arg(case.scope.as_str()).arg(&stream);
        if let Some(request) = &case.request {
            let path = directory.path().join("request.json");
            fs::write(&path, serde_json::to_vec(request).unwrap()).unwrap();
            command.arg("--request").arg(path);
        }
        let done = support::finish(command, "");
        let report = done.json();
        let input = &report["inputs"][0];
        let errors: Vec<&Value> = input["findings"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|f| f["level"] == "error" && f["consequence_of"].is_null())
            .enumerate()
            .filter(|(n, f)| !(*n > 0 && f["requirement"] == "shape/well-formed"))
            .map(|(_, finding)| finding)
            .collect();
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let found = match (done.code, errors.as_slice()) {
            (0, []) => None,
            (1, [error]) => {
                let at = match error["event"].as_u64() {
                    Some(event) => At::Event(event),
                    None => At::End,
                };
                Some((at, text(&error["rule"]), text(&error["requirement"])))
            }
            _ => panic!("{}: {done:?}", case.name),
        };
        assert_eq!(found, expected(case), "{}", case.name);
        let first = match &found {
            None => Value::Null,
            Some((At::Event(event), ..)) => (*event).into(),
            Some((At::End, ..)) => "end".into(),
        };
        assert_eq!(input["first_rejected"], first, "{}", case.name);
        let verdict = if found.is_some() { "fail" } else { "pass" };
        assert_eq!((&report["verdict"], &input["verdict"]), (&verdict.into(), &verdict.into()));
        assert_eq!(report["scope"], case.scope.as_str());
        assert_eq!(done.err, "", "{}", case.name);
    }
    assert!(groups.len() >= 17, "{groups:?}");
}

/// The rules, and the kinds of entities that each of them is about.
fn kinds(rule: Rule) -> &'static [EntityKind] {
    use EntityKind as K;
    const OPENED: &[EntityKind] =
        &[K::TextMessage, K::ReasoningMessage, K::ReasoningSpan, K::ToolCall, K::Step, K::Subagent];
    match rule {
        Rule::RunEnded | Rule::DuplicateRunStarted => &[],
        Rule::DuplicateStart | Rule::NotOpen | Rule::OpenAtFinish => OPENED,
        Rule::UnknownId => &[K::ToolCall, K::Subagent],
        Rule::OutOfOrder => &[K::ToolCall],
        Rule::OwnerMismatch => {
            &[K::TextMessage, K::ReasoningMessage, K::ReasoningSpan, K::ToolCall, K::Activity]
        }
        other => panic!("{other} is new: which kinds is it about?"),
    }
}

#[test]
fn every_rule_and_kind_has_a_broken_case_and_a_twin() {
    let mut covered: BTreeMap<Rule, BTreeSet<Option<EntityKind>>> = BTreeMap::new();
    let mut sealed = BTreeSet::new();
    for (_, case) in CASES.iter().filter(|(_, case)| is_judged(case)) {
        let Verdict::Reject { rule: Some(rule), .. } = case.expect.verdict else { continue };
        let twin = twin_of(case).unwrap_or_else(|| panic!("{} has no twin", case.name));
        assert_eq!(twin.expect.verdict, Verdict::Accept, "{}", twin.name);
        let outcome = case.outcome(&Options::default());
        let error = outcome.findings.iter().find(|finding| finding.is_error()).unwrap();
        let kind = error.entity.as_ref().map(|(kind, _)| *kind);
        covered.entry(rule).or_default().insert(kind);
        if error.event_type.as_deref() == Some("REASONING_ENCRYPTED_VALUE") {
            sealed.extend(kind);
        }
    }
    for rule in Rule::ALL {
        let found = covered.get(rule).unwrap_or_else(|| panic!("no case breaks {rule}"));
        for kind in kinds(*rule) {
            assert!(found.contains(&Some(*kind)), "no case breaks {rule} for a {}", kind.as_str());
        }
    }
    for kind in [EntityKind::TextMessage, EntityKind::ReasoningMessage, EntityKind::ToolCall] {
        assert!(sealed.contains(&kind), "no sealed value names the {} of another", kind.as_str());
    }
}

#[test]
fn twins_come_in_pairs() {
    for (path, case) in CASES.iter() {
        let rejected = matches!(case.expect.verdict, Verdict::Reject { .. });
        assert_eq!(rejected, !is_twin(case), "{}", case.name);
        if is_twin(case) {
            let other =
                path.with_file_name(format!("{}.json", case.name.trim_end_matches(".twin")));
            assert!(CASES.iter().any(|(path, _)| *path == other), "{} is alone", case.name);
        } else {
            assert!(twin_of(case).is_some(), "{} has no twin", case.name);
        }
    }
}

/// Whether each event, and the end, is refused by the verifier and by the model.
fn refused(case: &Case, lines: &[Vec<u8>]) -> [Vec<bool>; 2] {
    let events = events(lines);
    let request = case.run_input();
    let judgement = match case.scope {
        Scope::Run => judge_run(&events),
        Scope::Stream => judge_stream(&events, request.as_ref()),
    };
    let modelled = judgement.events.iter().chain([&judgement.end]);
    let mut run = Verifier::new();
    let mut stream = StreamVerifier::new(request.clone());
    let mut verified: Vec<bool> = events
        .iter()
        .map(|event| match case.scope {
            Scope::Run => run.observe(event).is_err(),
            Scope::Stream => stream.observe(event).is_err(),
        })
        .collect();
    verified.push(case.scope == Scope::Stream && stream.finish().is_err());
    [verified, modelled.map(conform_model::Verdict::is_rejection).collect()]
}

#[test]
fn a_rejected_event_changes_nothing() {
    let (mut pairs, mut same, mut all) = (0, 0, 0);
    for (path, case) in CASES.iter().filter(|(_, case)| is_about_order(case)) {
        let Verdict::Reject { at: At::Event(at), .. } = case.expect.verdict else { continue };
        let at = usize::try_from(at).unwrap();
        let with = lines(case);
        let mut without = with.clone();
        without.remove(at);
        let rest = refused(case, &without);
        for (index, mut verdicts) in refused(case, &with).into_iter().enumerate() {
            assert!(verdicts.remove(at), "{}", case.name);
            assert_eq!(verdicts, rest[index], "{}: judge {index}", case.name);
        }
        all += 1;
        if group(path) != "rejected-changes-nothing" {
            continue;
        }
        // In this group what follows would be wrong if the event had had an effect, and all
        // of it is right.
        pairs += 1;
        assert!(rest.iter().flatten().all(|refused| !refused), "{}: {rest:?}", case.name);
        let twin = twin_of(case).unwrap();
        assert_eq!((twin.scope, &twin.request), (case.scope, &case.request), "{}", case.name);
        same += usize::from(lines(twin) == without);
    }
    println!("{all} cases; {pairs} in the group, {same} of them with the rest as their twin");
    assert!(all >= 300 && pairs >= 29 && same >= 24, "{all} {pairs} {same}");
}
