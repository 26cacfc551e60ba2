//! `agui-conform corpus`: cases listed and replayed.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use conform_check::Options;
use conform_corpus::{CASE_SCHEMA, Case, Fixed, Fixture, Replay, load};
use conform_report::{Suite, Test, TestResult, printable, write_junit, write_tap};
use glob::Pattern;
use serde_json::{Value, json};

use crate::args::{self, Cases, CasesFormat};
use crate::exit::Exit;
use crate::input::{listed, shown};
use crate::output::{output, written};

/// What is in a file.
enum Document {
    Case(Box<Case>),
    Fixture(Fixture),
    Broken(String),
}

/// A file with a case.
struct Entry {
    /// The path below the directory that was named, without its extension.
    id: String,
    name: String,
    path: PathBuf,
    document: Document,
    /// Why it is left out.
    skipped: Option<String>,
}

/// Lists or replays.
///
/// # Errors
///
/// A sentence about what in the arguments cannot be used, or what cannot be read or written.
pub(crate) fn run(command: &args::Corpus) -> Result<Exit, String> {
    let (cases, replay) = match command {
        args::Corpus::List(cases) => (cases, false),
        args::Corpus::Run(cases) => (cases, true),
    };
    let entries = entries(cases)?;
    let results: Vec<TestResult> = entries
        .iter()
        .map(|entry| match (&entry.skipped, replay) {
            (Some(why), _) => TestResult::Skipped(why.clone()),
            (None, true) => judged(&entry.document),
            (None, false) => match &entry.document {
                Document::Broken(why) => TestResult::Unreadable(why.clone()),
                _ => TestResult::Passed,
            },
        })
        .collect();
    let (mut output, _) = output(cases.output.as_deref())?;
    let result = match cases.format {
        CasesFormat::Human => human(&entries, &results, replay, &mut output),
        CasesFormat::Json => json_of(&entries, &results, replay, &mut output),
        CasesFormat::Junit => write_junit(&[suite(&entries, &results)], &mut output),
        CasesFormat::Tap => write_tap(&[suite(&entries, &results)], &mut output),
    };
    written("the report", result.and_then(|()| output.flush()))?;
    let any = |is: fn(&TestResult) -> bool| results.iter().any(is);
    Ok(if any(|result| matches!(result, TestResult::Unreadable(_))) {
        Exit::Usage
    } else if any(|result| matches!(result, TestResult::Failed(..))) {
        Exit::Findings
    } else if any(|result| matches!(result, TestResult::Incomplete(_))) {
        Exit::Incomplete
    } else {
        Exit::Conforms
    })
}

/// What a replay comes to.
fn judged(document: &Document) -> TestResult {
    let failed = |why: String| TestResult::Failed(why.clone(), vec![why]);
    match document {
        Document::Broken(why) => TestResult::Unreadable(why.clone()),
        Document::Case(case) => match case.check(&Options::default()) {
            Ok(Replay::Agrees) => TestResult::Passed,
            Ok(Replay::NotJudged(requirement)) => {
                TestResult::Incomplete(format!("{} is not judged here", requirement.id))
            }
            Err(mismatch) => failed(mismatch.message),
        },
        Document::Fixture(fixture) => match fixture.check() {
            Fixed::Agrees => TestResult::Passed,
            Fixed::Accepted => failed("a client must fail, and nothing was found".to_owned()),
            Fixed::Tolerated(requirement) => TestResult::Skipped(format!(
                "a client must tolerate what a producer must not send: {requirement}"
            )),
            Fixed::Unknown => TestResult::Unreadable(
                "the outcome of a fixture is `completed` or `failed`".to_owned(),
            ),
        },
    }
}

fn entries(cases: &Cases) -> Result<Vec<Entry>, String> {
    let pattern = |text: &str| {
        Pattern::new(text).map_err(|error| format!("{}: {error}", conform_check::quote(text)))
    };
    let only: Vec<Pattern> =
        cases.only.iter().map(|text| pattern(text)).collect::<Result<_, _>>()?;
    let skip: Vec<(Pattern, &str)> = cases
        .skip
        .iter()
        .map(|text| match text.split_once('=').filter(|(_, why)| !why.trim().is_empty()) {
            Some((glob, why)) => Ok((pattern(glob)?, why)),
            None => Err(format!("--skip {text}: say why, as GLOB=REASON")),
        })
        .collect::<Result<_, String>>()?;
    let mut entries = Vec::new();
    for directory in &cases.directories {
        let mut files = Vec::new();
        let root = if directory.is_file() {
            files.push(directory.clone());
            directory.parent().unwrap_or(directory)
        } else {
            walk(directory, &mut files)?;
            directory
        };
        for path in files {
            let Some(document) = read(&path, directory.is_file()) else { continue };
            let id = path.strip_prefix(root).unwrap_or(&path).with_extension("");
            let id = id.to_string_lossy().into_owned();
            let name = match &document {
                Document::Case(case) => case.name.clone(),
                Document::Fixture(fixture) => fixture.name.clone(),
                Document::Broken(_) => id.clone(),
            };
            entries.push(Entry { id, name, path, document, skipped: None });
        }
    }
    let fits = |entry: &Entry, glob: &Pattern| glob.matches(&entry.id) || glob.matches(&entry.name);
    if !only.is_empty() {
        entries.retain(|entry| only.iter().any(|glob| fits(entry, glob)));
    }
    for entry in &mut entries {
        let why = skip.iter().find(|(glob, _)| fits(entry, glob));
        entry.skipped = why.map(|(_, why)| (*why).to_owned());
    }
    if entries.is_empty() {
        return Err("there is no such case".to_owned());
    }
    Ok(entries)
}

fn walk(directory: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    for path in listed(directory)? {
        // A link to a directory could lead back here.
        if path.is_dir() && !path.is_symlink() {
            walk(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    Ok(())
}

/// What a file holds; none where it is a document of another kind, which only a file that was
/// named may not be.
fn read(path: &Path, named: bool) -> Option<Document> {
    let broken = |why: String| Some(Document::Broken(why));
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) => return broken(error.to_string()),
    };
    let value: Value = match serde_json::from_slice(&text) {
        Ok(value) => value,
        Err(error) => return broken(error.to_string()),
    };
    if value.get("schema").and_then(Value::as_str) == Some(CASE_SCHEMA) {
        return Some(match load(path) {
            Ok(case) => Document::Case(Box::new(case)),
            Err(error) => {
                let place = error.place.map(|(line, column)| format!("{line}:{column}: "));
                Document::Broken(place.unwrap_or_default() + &error.message)
            }
        });
    }
    if value.get("stream").is_some() && value.get("expect").is_some() {
        return Some(match serde_json::from_value(value) {
            Ok(fixture) => Document::Fixture(fixture),
            Err(error) => Document::Broken(error.to_string()),
        });
    }
    if named { broken("this is neither a case nor a fixture".to_owned()) } else { None }
}

fn suite(entries: &[Entry], results: &[TestResult]) -> Suite {
    let tests = entries.iter().zip(results).map(|(entry, result)| {
        let (group, _) = entry.id.rsplit_once('/').unwrap_or(("cases", ""));
        Test { group: printable(group), name: printable(&entry.id), result: result.clone() }
    });
    Suite { name: "corpus".to_owned(), tests: tests.collect() }
}

/// The result in a word, and why.
fn told(result: &TestResult) -> (&'static str, &str) {
    match result {
        TestResult::Passed => ("pass", ""),
        TestResult::Skipped(why) => ("skipped", why),
        TestResult::Incomplete(why) => ("not judged", why),
        TestResult::Failed(why, _) => ("fail", why),
        TestResult::Warned(why, _) => ("warned", why),
        TestResult::Unreadable(why) => ("unreadable", why),
    }
}

fn human(
    entries: &[Entry],
    results: &[TestResult],
    replay: bool,
    output: &mut impl Write,
) -> io::Result<()> {
    let mut counts = std::collections::BTreeMap::new();
    for (entry, result) in entries.iter().zip(results) {
        let (word, why) = told(result);
        *counts.entry(word).or_insert(0) += 1;
        let id = printable(&entry.id);
        if replay && !matches!(result, TestResult::Passed) {
            writeln!(output, "{word} {id}: {}\n  {}", printable(why), shown(&entry.path))?;
        } else if !replay {
            let about = match &entry.document {
                Document::Case(case) => &case.about,
                Document::Fixture(fixture) => &fixture.description,
                Document::Broken(why) => why,
            };
            writeln!(output, "{id}: {}", printable(about))?;
        }
    }
    let count = |word| counts.get(word).copied().unwrap_or(0);
    if replay {
        writeln!(
            output,
            "cases: {} run, {} passed, {} failed, {} skipped, {} not judged, {} unreadable",
            results.len() - count("skipped"),
            count("pass"),
            count("fail"),
            count("skipped"),
            count("not judged"),
            count("unreadable")
        )
    } else {
        writeln!(output, "{} cases", results.len())
    }
}

fn json_of(
    entries: &[Entry],
    results: &[TestResult],
    replay: bool,
    output: &mut impl Write,
) -> io::Result<()> {
    let cases: Vec<Value> = entries
        .iter()
        .zip(results)
        .map(|(entry, result)| {
            let mut case = json!({
                "id": entry.id,
                "name": entry.name,
                "path": entry.path.to_string_lossy(),
            });
            if replay {
                let (word, why) = told(result);
                case["result"] = word.into();
                case["why"] = Some(why).filter(|why| !why.is_empty()).into();
            }
            case
        })
        .collect();
    serde_json::to_writer_pretty(&mut *output, &json!({"cases": cases}))?;
    output.write_all(b"\n")
}
