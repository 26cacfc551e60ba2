//! Seeds: what fuzzing starts from, made of the corpus.

mod hostile;

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Files that are written here begin so; what libFuzzer adds does not.
const PREFIX: &str = "seed-";

/// How many bytes at the end of a recording choose how it is judged (fuzz/src/recording.rs).
const KNOBS: usize = 8;

/// Writes the seeds of these targets below fuzz/corpus/, anew.
pub(super) fn write(root: &Path, targets: &[&str]) -> Result<(), String> {
    let mut files = Vec::new();
    walk(&root.join("corpus"), &mut files)?;
    files.sort();
    for target in targets {
        let folder = root.join("fuzz/corpus").join(target);
        let failed = |error| format!("cannot write {}: {error}", folder.display());
        fs::create_dir_all(&folder).map_err(failed)?;
        for entry in fs::read_dir(&folder).map_err(failed)?.flatten() {
            if entry.file_name().to_string_lossy().starts_with(PREFIX) {
                fs::remove_file(entry.path()).map_err(failed)?;
            }
        }
        let mut all = match *target {
            "agreement" => (0..RECIPES).map(recipe).collect(),
            "documents" => ledgers(root).into_iter().chain(hostile::documents()).collect(),
            "run_log" => Vec::new(),
            _ => hostile::recordings(),
        };
        for (index, file) in files.iter().enumerate() {
            let bytes =
                fs::read(file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
            all.extend(seeds(target, index, &bytes));
        }
        for (index, seed) in all.iter().enumerate() {
            fs::write(folder.join(format!("{PREFIX}{index:05}")), seed).map_err(failed)?;
        }
        eprintln!("xtask: {} seeds of {target}", all.len());
    }
    Ok(())
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let failed = |error| format!("cannot read {}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() { walk(&path, files)? } else { files.push(path) }
    }
    Ok(())
}

/// The entries of the adapters' ledgers, each a ledger.
fn ledgers(root: &Path) -> Vec<Vec<u8>> {
    const ENTRY: &str = "[[divergence]]";
    let adapters = fs::read_dir(root.join("adapters")).into_iter().flatten().flatten();
    let mut paths: Vec<_> = adapters.map(|entry| entry.path().join("divergences.toml")).collect();
    paths.sort();
    let texts = paths.iter().filter_map(|path| fs::read_to_string(path).ok());
    texts
        .flat_map(|text| {
            let entries = text.split(ENTRY).skip(1).map(|entry| format!("{ENTRY}{entry}"));
            entries.map(String::into_bytes).collect::<Vec<_>>()
        })
        .collect()
}

/// The seeds that a file of the corpus makes; its place in the list varies them.
fn seeds(target: &str, index: usize, file: &[u8]) -> Vec<Vec<u8>> {
    let case = serde_json::from_slice::<Value>(file).ok().filter(|case| case["input"].is_object());
    let Some(case) = case else {
        return match target {
            "run_log" => calls(file),
            "documents" => vec![file.to_vec()],
            "agreement" => Vec::new(),
            _ => vec![recording(file, false, index)],
        };
    };
    let in_run = case["scope"] == "run";
    let events = case["input"]["events"].as_array();
    let lines: Vec<String> = events.into_iter().flatten().map(Value::to_string).collect();
    match target {
        "run_log" => Vec::new(),
        "documents" => {
            let mut seeds = vec![file.to_vec()];
            seeds.extend(case.get("request").map(|request| request.to_string().into_bytes()));
            if index.is_multiple_of(8) {
                seeds.push(subject_lines(&case).into_bytes());
            }
            seeds
        }
        // A blank at the end asks for run scope (fuzz/src/sequence.rs).
        "agreement" if in_run => vec![(lines.join("\n") + " ").into_bytes()],
        "agreement" => vec![lines.join("\n").into_bytes()],
        _ => {
            let text = match (case["input"]["text"].as_str(), index % 3) {
                (Some(text), _) => text.to_owned(),
                (None, 0) => lines.join("\n") + "\n",
                (None, 1) => format!("data: {}\n\n", lines.join("\n\ndata: ")),
                (None, _) => format!("[{}]", lines.join(",\n")),
            };
            vec![recording(text.as_bytes(), in_run, index)]
        }
    }
}

/// The log of a case of `corpus/run-log`, as a document and as lines.
fn calls(file: &[u8]) -> Vec<Vec<u8>> {
    let Ok(case) = serde_json::from_slice::<Value>(file) else { return Vec::new() };
    let call = &case["call"];
    if !call.is_object() {
        return Vec::new();
    }
    let lines: Vec<String> =
        call["references"].as_array().into_iter().flatten().map(Value::to_string).collect();
    // Those at the limits are longer than what is fuzzed.
    let all = [call.to_string(), lines.join("\n")];
    all.into_iter().filter(|text| text.len() < 4096).map(String::into_bytes).collect()
}

fn recording(stream: &[u8], in_run: bool, index: usize) -> Vec<u8> {
    let mut knobs = [0; KNOBS];
    knobs[0] = u8::from(in_run);
    // How it is cut into pieces.
    knobs[KNOBS - 2..].copy_from_slice(&[index.to_le_bytes()[0], index.to_le_bytes()[1]]);
    [stream, &knobs].concat()
}

fn subject_lines(case: &Value) -> String {
    let hello = json!({"hello": {"protocol": "agui-conform.subject.v1", "role": "verifier"}});
    let case = json!({"id": case["name"], "events": case["input"]["events"]});
    format!("{hello}\n{case}\n")
}

/// How many recipes there are; their first bytes are these numbers.
const RECIPES: u8 = 96;

/// A recipe of events or of a plan: its first byte says which, the rest is noise.
fn recipe(how: u8) -> Vec<u8> {
    let mut state = 0x9e37_79b9_u32 ^ u32::from(how);
    let noise = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.to_le_bytes()[1]
    });
    std::iter::once(how).chain(noise.take(320)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASE: &[u8] = br#"{"name":"n","scope":"run","request":{"runId":"r"},
        "input":{"format":"events","events":[{"type":"RAW"},{"type":"CUSTOM"}]}}"#;

    fn texts(target: &str, index: usize) -> Vec<String> {
        seeds(target, index, CASE).into_iter().map(|s| String::from_utf8(s).unwrap()).collect()
    }

    #[test]
    fn a_case_becomes_a_recording_in_each_format() {
        let knobs = |cuts| format!("\u{1}\0\0\0\0\0{}\0", char::from(cuts));
        let texts = |index| texts("splits", index).remove(0);
        assert_eq!(
            texts(0),
            format!("{{\"type\":\"RAW\"}}\n{{\"type\":\"CUSTOM\"}}\n{}", knobs(0))
        );
        let sse = "data: {\"type\":\"RAW\"}\n\ndata: {\"type\":\"CUSTOM\"}\n\n";
        assert_eq!(texts(1), format!("{sse}{}", knobs(1)));
        assert_eq!(
            texts(2),
            format!("[{{\"type\":\"RAW\"}},\n{{\"type\":\"CUSTOM\"}}]{}", knobs(2))
        );
    }

    #[test]
    fn a_case_becomes_lines_and_documents() {
        assert_eq!(texts("agreement", 0), ["{\"type\":\"RAW\"}\n{\"type\":\"CUSTOM\"} "]);
        let documents = texts("documents", 0);
        assert_eq!(documents[1], r#"{"runId":"r"}"#);
        assert!(
            documents[2].ends_with(
                "{\"id\":\"n\",\"events\":[{\"type\":\"RAW\"},{\"type\":\"CUSTOM\"}]}\n"
            )
        );
        assert_eq!(texts("documents", 1).len(), 2);
    }

    #[test]
    fn what_is_no_case_is_a_recording_and_a_document() {
        assert_eq!(seeds("reports", 0, b"data: 1\n\n"), [b"data: 1\n\n\0\0\0\0\0\0\0\0"]);
        assert_eq!(seeds("documents", 0, b"{}"), [b"{}"]);
        assert!(seeds("agreement", 0, b"{}").is_empty());
    }

    #[test]
    fn every_entry_of_a_ledger_is_a_ledger() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let ledgers = ledgers(&root);
        assert!(ledgers.len() > 1);
        assert!(ledgers.iter().all(|ledger| ledger.starts_with(b"[[divergence]]\n")));
    }

    /// An input that starts with `{` is lines.
    #[test]
    fn recipes_are_no_lines() {
        assert!((0..RECIPES).all(|how| recipe(how)[0] != b'{'));
        assert_eq!(recipe(3).len(), 321);
        assert_ne!(recipe(3)[1..], recipe(4)[1..]);
    }
}
