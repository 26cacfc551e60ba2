//! What the generator knows, what the model says, and what the validator says.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use std::collections::BTreeMap;

use conform_run_log::call::{Call, Item, References};
use conform_run_log::generate::{Fault, Label, Labelled, log};
use conform_run_log::read::{Failure, Format, Given, read};
use conform_run_log::{ErrorCode, ReasonCode, Report, model, strategy};
use proptest::prelude::*;

type Said = Result<String, (&'static str, &'static str)>;

fn said(text: &str, format: Format, given: &Given) -> Said {
    match read(text.as_bytes(), format, given) {
        Ok(report) => Ok(report.to_json()),
        Err(Failure::Refused(refused)) => {
            Err((refused.error.code.as_str(), refused.error.field.as_str()))
        }
        Err(other) => panic!("{other}: {text}"),
    }
}

fn validated(call: &Call) -> Said {
    said(&call.to_json(), Format::Json, &Given::default())
}

/// The same log as lines, where its options are such that a user could give them.
fn as_lines(call: &Call) -> Option<Said> {
    use conform_run_log::call::Value;
    let References::Items(items) = &call.references else { return None };
    let text = |value: &Option<Value>| match value {
        Some(Value::Text(text)) => Some(text.clone()),
        _ => None,
    };
    let digits = |value: &Option<Value>| match value {
        None => Some(None),
        Some(Value::Integer(digits)) => Some(Some(digits.clone())),
        _ => None,
    };
    let flag = match call.allow_empty {
        None => None,
        Some(Value::Flag(flag)) => Some(flag),
        _ => return None,
    };
    let run = text(&call.run_id)?;
    let (start, terminal) = (digits(&call.expected_start)?, digits(&call.terminal)?);
    let given = Given::new(Some(&run), start.as_deref(), terminal.as_deref(), flag);
    let lines: Vec<String> = items.iter().map(Item::to_json).collect();
    Some(said(&lines.join("\n"), Format::Ndjson, &given))
}

fn agree(labelled: &Labelled) {
    let Labelled { name, call, label } = labelled;
    let (model, own) = (model::judge(call), validated(call));
    let json = call.to_json();
    let shown = &json[..json.len().min(2_000)];
    assert_eq!(own, model, "{name}: {shown}");
    if let Some(lines) = as_lines(call) {
        assert_eq!(lines, model, "as lines, {name}: {shown}");
    }
    match label {
        Label::Unknown => {}
        Label::Error(code, field) => assert_eq!(own, Err((*code, *field)), "{name}: {shown}"),
        Label::Findings(expected) => {
            let report = Report::from_json(&own.unwrap()).unwrap().unwrap();
            let found: Vec<_> = report
                .findings()
                .iter()
                .map(|finding| {
                    (
                        finding.sequence_number.map(|number| i64::from(number.get())),
                        finding.reason_code.as_str(),
                        finding.event_id.as_ref().map(|id| id.as_str().to_owned()),
                    )
                })
                .collect();
            assert_eq!(&found, expected, "{name}: {shown}");
        }
    }
}

/// 20,000 logs that can be judged, every reason code among them.
#[test]
fn logs() {
    let mut reasons: BTreeMap<&str, u32> = BTreeMap::new();
    for case in 0..20_000 {
        let labelled = log(8, case, false);
        agree(&labelled);
        let Ok(json) = validated(&labelled.call) else { continue };
        for reason in Report::from_json(&json).unwrap().unwrap().reason_codes() {
            *reasons.entry(reason.as_str()).or_default() += 1;
        }
    }
    println!("{reasons:#?}");
    for reason in ReasonCode::ALL.map(ReasonCode::as_str) {
        let enough = if reason == "findings_truncated" { 5 } else { 100 };
        assert!(reasons.get(reason) > Some(&enough), "{reason}: {reasons:?}");
    }
}

/// 5,000 broken inputs, every structural error of a call among them.
#[test]
fn broken_inputs() {
    let mut errors: BTreeMap<String, u32> = BTreeMap::new();
    for case in 0..5_000 {
        let labelled = log(9, case, true);
        agree(&labelled);
        if let Err((code, field)) = validated(&labelled.call) {
            *errors.entry(format!("{field}: {code}")).or_default() += 1;
        }
    }
    println!("{errors:#?}");
    for fault in Fault::errors() {
        assert!(errors.get(&fault.name()) > Some(&50), "{fault:?}: {errors:?}");
    }
    let codes = ErrorCode::ALL.map(ErrorCode::as_str);
    let of_calls = codes.iter().filter(|code| errors.keys().any(|name| name.ends_with(**code)));
    // The last two are of reports.
    assert_eq!(of_calls.count(), codes.len() - 2, "{errors:?}");
}

/// Every way of every fault, at every place of a small plan.
#[test]
fn every_way_of_every_fault() {
    let plan = conform_run_log::generate::Plan {
        run: "run-1".into(),
        start: 2,
        events: 5,
        terminal: true,
    };
    for fault in Fault::findings().chain(Fault::errors()) {
        for choice in 0..250 {
            agree(&fault.breaks(&plan, choice));
        }
    }
}

#[test]
fn at_the_limits() {
    let plan =
        conform_run_log::generate::Plan { run: "r".into(), start: 0, events: 1, terminal: false };
    for fault in Fault::at_limits() {
        let labelled = fault.breaks(&plan, 0);
        // The model is quadratic: of the larger one only its error is asked.
        agree(&labelled);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn faulty_logs(labelled in strategy::faulty(30)) {
        agree(&labelled);
    }

    #[test]
    fn plans(plan in strategy::plans(50)) {
        let report = Report::from_json(&validated(&plan.call()).unwrap()).unwrap().unwrap();
        prop_assert!(report.is_valid(), "{:?}", report);
        prop_assert_eq!(report.event_count(), plan.events as usize);
    }
}
