//! `agui-conform generate`: print valid or deliberately broken sequences.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};

use conform_event::quote;
use conform_generate::{Cell, Dice, Fault, Kind, Plan, Scope};
use serde_json::{Value, json};

use crate::args::{self, GenerateFormat, ScopeArgument};
use crate::exit::Exit;
use crate::output;
use crate::soak::grid;

/// Prints sequences until there are as many as asked for.
///
/// # Errors
///
/// A sentence about what in the arguments cannot be used, or what cannot be written.
pub(crate) fn run(arguments: &args::Generate) -> Result<Exit, String> {
    let scope = match arguments.scope {
        ScopeArgument::Stream => Scope::Stream,
        ScopeArgument::Run => Scope::Run,
    };
    let mut output = BufWriter::new(io::stdout());
    let done = if arguments.list_faults {
        list(scope, &mut output)
    } else {
        sequences(arguments, scope, &mut output)?
    };
    output::written("the sequences", done.and_then(|()| output.flush())).map(|()| Exit::Conforms)
}

/// Plans that are looked through for a fault of the cell that is asked for.
const TRIES: u64 = 500;

/// Plans that between them have a place for every fault.
const ENOUGH: u64 = 400;

fn list(scope: Scope, output: &mut impl Write) -> io::Result<()> {
    let mut cells: BTreeMap<Cell, u64> = BTreeMap::new();
    for case in 0..ENOUGH {
        let mut dice = Dice::of_case(0, case);
        let plan = Plan::grow(&mut dice, scope);
        let mut faults = Fault::each_in_plan(&plan, &mut dice);
        // What may stand nearly anywhere is found in fewer plans.
        if scope == Scope::Stream && case.is_multiple_of(4) {
            faults.extend(Fault::each_amid_plan(&plan, &mut dice));
        }
        if scope == Scope::Stream && case == 0 {
            faults.extend(Fault::all_beyond(&plan.weave().events));
        }
        for fault in faults {
            *cells.entry(fault.cell).or_default() += 1;
        }
    }
    output.write_all(grid(&cells.into_iter().collect::<Vec<_>>()).as_bytes())
}

fn sequences(
    arguments: &args::Generate,
    scope: Scope,
    output: &mut impl Write,
) -> Result<io::Result<()>, String> {
    for count in 0..arguments.count {
        let (name, events, expect) = match &arguments.fault {
            None => {
                let mut dice = Dice::of_case(arguments.seed, count);
                let events = Plan::grow(&mut dice, scope).weave().events;
                (format!("valid-{}-{count}", arguments.seed), events, json!({"verdict": "accept"}))
            }
            Some(wanted) => {
                let fault = fault(wanted, scope, arguments.seed, count)?;
                let name = format!("{}-{}-{count}", wanted.replace('/', "-"), arguments.seed);
                let expect = expectation(&fault);
                (name, fault.events, expect)
            }
        };
        let text = written(arguments.format, scope, &name, &events, &expect);
        if let Err(error) = output.write_all(text.as_bytes()) {
            return Ok(Err(error));
        }
    }
    Ok(Ok(()))
}

/// The fault number `count` of those that are wanted: RULE, RULE/KIND, or a requirement.
fn fault(wanted: &str, scope: Scope, seed: u64, count: u64) -> Result<Fault, String> {
    let is_wanted = |cell: &Cell| {
        cell.rule == wanted
            || cell.kind.is_some_and(|kind| wanted == format!("{}/{}", cell.rule, kind.as_str()))
    };
    let named = |rule: &&str| {
        *rule == wanted || wanted.strip_prefix(*rule).is_some_and(|rest| rest.starts_with('/'))
    };
    let tries = if Fault::RULES.iter().any(named) { TRIES } else { 0 };
    for attempt in 0..tries {
        let mut dice = Dice::of_case(seed, count * TRIES + attempt);
        let plan = Plan::grow(&mut dice, scope);
        if let Some(fault) = Fault::in_plan(&plan, &mut dice, is_wanted) {
            return Ok(fault);
        }
    }
    let kinds = [
        Kind::Text,
        Kind::Reasoning,
        Kind::Span,
        Kind::Call,
        Kind::Step,
        Kind::Subagent,
        Kind::Activity,
    ];
    let kinds = kinds.map(Kind::as_str).join(", ");
    Err(format!(
        "no fault is named {}; name a rule, or RULE/KIND with a kind of {kinds} (--list-faults)",
        quote(wanted)
    ))
}

fn expectation(fault: &Fault) -> Value {
    let at = fault.at.map_or(json!("end"), |at| json!(at));
    let mut expect = json!({"verdict": "reject", "at": at, "requirement": fault.requirement});
    // The rule may be broken as a consequence only: of a type that nobody knows.
    if let Some(rule) = fault.rule().filter(|_| !fault.requirement.starts_with("shape/")) {
        expect["rule"] = json!(rule);
    }
    expect
}

fn written(
    format: GenerateFormat,
    scope: Scope,
    name: &str,
    events: &[Value],
    expect: &Value,
) -> String {
    let lines = |before: &str, after: &str| -> String {
        let mut text = String::new();
        for event in events {
            let _ = write!(text, "{before}{event}{after}");
        }
        text
    };
    match format {
        // A blank line stands between two sequences.
        GenerateFormat::Ndjson => lines("", "\n") + "\n",
        GenerateFormat::Sse => lines("data: ", "\n\n"),
        GenerateFormat::Case => {
            let case = json!({
                "schema": "agui-conform.case.v1",
                "name": name,
                "about": "Generated.",
                "source": null,
                "scope": if scope == Scope::Run { "run" } else { "stream" },
                "input": {"format": "events", "events": events},
                "expect": expect,
            });
            format!("{case}\n")
        }
    }
}
