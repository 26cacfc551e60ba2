//! `agui-conform explain`: what a rule or a requirement asks for.

use std::fmt::Write as _;

use conform_check::Rule;
use conform_check::registry::{self, Example, Requirement};
use conform_event::quote;
use serde_json::{Value, json};

use crate::args::{self, ExplainFormat};
use crate::exit::Exit;
use crate::output::print;

/// Explains one rule or requirement, or lists all of them.
///
/// # Errors
///
/// A sentence about a name that nothing has.
pub(crate) fn run(arguments: &args::Explain) -> Result<Exit, String> {
    let json = arguments.format == ExplainFormat::Json;
    let text = match &arguments.name {
        None if json => pretty(&json!({
            "rules": Rule::ALL.iter().copied().map(rule_json).collect::<Vec<_>>(),
            "requirements": registry::all().map(requirement_json).collect::<Vec<_>>(),
        })),
        None => list(),
        Some(name) => match (Rule::from_name(name), registry::find(name)) {
            (Some(rule), _) if json => pretty(&rule_json(rule)),
            (Some(rule), _) => rule_text(rule),
            (None, Some(requirement)) if json => pretty(&requirement_json(requirement)),
            (None, Some(requirement)) => requirement_text(requirement),
            (None, None) => {
                let near = conform_check::nearest(name);
                return Err(format!(
                    "no rule or requirement is named {}; the nearest requirement is {near}",
                    quote(name)
                ));
            }
        },
    };
    print("the text", text.as_bytes()).map(|()| Exit::Conforms)
}

fn list() -> String {
    let mut text = String::from("Rules (the order of events):\n");
    for rule in Rule::ALL {
        let _ = writeln!(text, "  {:<40} {}", rule.as_str(), rule.describe());
    }
    text.push_str("\nRequirements:\n");
    for entry in registry::all() {
        let _ = writeln!(text, "  {:<40} {}", entry.id, entry.text);
    }
    text
}

fn rule_text(rule: Rule) -> String {
    let mut text = format!("{rule}\n\n{}\n\nRequirements behind it:\n", rule.describe());
    let mut requirements = registry::of_rule(rule);
    for entry in registry::of_rule(rule) {
        let _ = writeln!(text, "  {:<40} {}", entry.id, entry.text);
    }
    if let Some(first) = requirements.next() {
        let _ = write!(text, "\nWhy\n{}\n\nWhat to do\n{}\n", first.why, first.help);
        examples(&mut text, first);
    }
    text.push_str("\nSpecification\n");
    let mut links: Vec<_> = registry::of_rule(rule).map(Requirement::spec_url).collect();
    links.dedup();
    for link in links {
        let _ = writeln!(text, "{link}");
    }
    text
}

fn requirement_text(entry: &Requirement) -> String {
    let mut text = format!("{}\n\n{}\n\n", entry.id, entry.text);
    let _ = writeln!(
        text,
        "level {}, needs {}, since {}{}",
        entry.level,
        entry.needs,
        entry.since,
        entry.rule().map(|rule| format!(", rule {rule}")).unwrap_or_default(),
    );
    let _ = write!(text, "\nWhy\n{}\n\nWhat to do\n{}\n", entry.why, entry.help);
    examples(&mut text, entry);
    let _ = write!(text, "\nSpecification\n{}\n", entry.spec_url());
    text
}

fn examples(text: &mut String, entry: &Requirement) {
    for (title, example) in [("Broken", &entry.broken), ("Mended", &entry.mended)] {
        if let Some(example) = example {
            let _ = writeln!(text, "\n{title}\n{example}");
        }
    }
}

fn rule_json(rule: Rule) -> Value {
    json!({
        "rule": rule.as_str(),
        "text": rule.describe(),
        "requirements": registry::of_rule(rule).map(|entry| entry.id).collect::<Vec<_>>(),
    })
}

fn requirement_json(entry: &Requirement) -> Value {
    json!({
        "id": entry.id,
        "level": entry.level.as_str(),
        "needs": entry.needs.as_str(),
        "since": entry.since,
        "rule": entry.rule().map(Rule::as_str),
        "text": entry.text,
        "why": entry.why,
        "help": entry.help,
        "spec": entry.spec_url(),
        "broken": entry.broken.as_ref().map(example_json),
        "mended": entry.mended.as_ref().map(example_json),
    })
}

fn example_json(example: &Example) -> Value {
    json!({"input": example.input, "request": example.request, "headers": example.headers})
}

fn pretty(value: &Value) -> String {
    // A Value has only string keys, so that writing it cannot fail.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}
