//! Reading case files.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use conform_check::quote;

use crate::case::Case;

/// Why a case cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadError {
    /// The file or directory.
    pub path: PathBuf,
    /// Line and column, from 1, where it is about a place in the file.
    pub place: Option<(usize, usize)>,
    /// What is wrong, as a sentence without a full stop.
    pub message: String,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some((line, column)) = self.place {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for LoadError {}

fn error(path: &Path, message: impl fmt::Display) -> LoadError {
    LoadError { path: path.to_owned(), place: None, message: message.to_string() }
}

/// Reads one case.
///
/// # Errors
///
/// Where the file cannot be read, is no case, or is not named as the case is.
///
/// ```
/// let error = conform_corpus::load("no/such/case.json".as_ref()).unwrap_err();
/// assert!(error.to_string().starts_with("no/such/case.json: "));
/// ```
pub fn load(path: &Path) -> Result<Case, LoadError> {
    let bytes = fs::read(path).map_err(|failure| error(path, failure))?;
    let case: Case = serde_json::from_slice(&bytes).map_err(|failure| {
        // It repeats the place at its end.
        let message = failure.to_string();
        let place = format!(" at line {} column {}", failure.line(), failure.column());
        LoadError {
            path: path.to_owned(),
            place: Some((failure.line(), failure.column())),
            message: message.strip_suffix(&place).unwrap_or(&message).to_owned(),
        }
    })?;
    let stem = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
    if case.name != stem {
        let message = format!("the case is named {}, its file {}", quote(&case.name), quote(stem));
        return Err(error(path, message));
    }
    Ok(case)
}

/// Reads every `.json` file in a directory and in those below it as a case, in the order of
/// their paths.
///
/// # Errors
///
/// About the first file that is no case, a name that two cases have, or a directory without
/// cases.
///
/// ```
/// let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/ordering");
/// let cases = conform_corpus::load_all(directory.as_ref()).unwrap();
/// assert!(cases.iter().any(|(_, case)| case.name == "nested-finishes-step"));
/// ```
pub fn load_all(directory: &Path) -> Result<Vec<(PathBuf, Case)>, LoadError> {
    let mut paths = Vec::new();
    walk(directory, &mut paths)?;
    paths.sort();
    if paths.is_empty() {
        return Err(error(directory, "there is no case in it"));
    }
    let mut names: BTreeMap<String, PathBuf> = BTreeMap::new();
    let mut cases = Vec::new();
    for path in paths {
        let case = load(&path)?;
        if let Some(other) = names.insert(case.name.clone(), path.clone()) {
            let message = format!("{} is named so too", other.display());
            return Err(error(&path, message));
        }
        cases.push((path, case));
    }
    Ok(cases)
}

fn walk(directory: &Path, paths: &mut Vec<PathBuf>) -> Result<(), LoadError> {
    for entry in fs::read_dir(directory).map_err(|failure| error(directory, failure))? {
        let entry = entry.map_err(|failure| error(directory, failure))?;
        let path = entry.path();
        // A link to a directory, which could lead back here, is none by this measure.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            walk(&path, paths)?;
        } else if path.extension() == Some(OsStr::new("json")) {
            paths.push(path);
        }
    }
    Ok(())
}
