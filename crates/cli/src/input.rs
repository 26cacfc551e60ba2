//! Reading inputs: what files there are, and their bytes as they come.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use conform_report::printable;

/// An input to be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Input {
    /// Its name in reports.
    pub(crate) name: String,
    /// Where it is; none is standard input.
    pub(crate) path: Option<PathBuf>,
    /// The run input that lies beside it.
    pub(crate) request: Option<PathBuf>,
    /// Whether it was found in a directory, where documents of other kinds are passed over.
    pub(crate) found: bool,
}

const STREAMS: [&str; 4] = ["sse", "ndjson", "jsonl", "json"];

/// The inputs that the arguments name, directories looked through in the order of names.
///
/// # Errors
///
/// A sentence about a directory that cannot be read or has nothing to judge.
pub(crate) fn inputs(files: &[PathBuf]) -> Result<Vec<Input>, String> {
    let mut inputs = Vec::new();
    for file in files {
        if file.as_os_str() == "-" {
            inputs.push(Input { name: "-".to_owned(), path: None, request: None, found: false });
        } else if file.is_dir() {
            let before = inputs.len();
            walk(file, &mut inputs)?;
            if inputs.len() == before {
                let shown = shown(file);
                return Err(format!("{shown}: no .sse, .ndjson, .jsonl or .json file in it"));
            }
        } else {
            inputs.push(Input {
                name: file.display().to_string(),
                path: Some(file.clone()),
                request: None,
                found: false,
            });
        }
    }
    Ok(inputs)
}

fn walk(directory: &Path, inputs: &mut Vec<Input>) -> Result<(), String> {
    let paths = listed(directory)?;
    for path in &paths {
        // A link to a directory could lead back here.
        let is_link = path.is_symlink();
        if path.is_dir() && !is_link {
            walk(path, inputs)?;
            continue;
        }
        let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        if path.is_dir() || !STREAMS.contains(&extension) {
            continue;
        }
        if is_request_of_another(path, &paths) {
            continue;
        }
        let request = path.with_extension("input.json");
        inputs.push(Input {
            name: path.display().to_string(),
            path: Some(path.clone()),
            request: paths.contains(&request).then_some(request),
            found: true,
        });
    }
    Ok(())
}

/// What lies in a directory, in the order of names.
///
/// # Errors
///
/// A sentence about a directory that cannot be read.
pub(crate) fn listed(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let list = || {
        let entries = fs::read_dir(directory)?.map(|entry| Ok(entry?.path()));
        let mut paths = entries.collect::<io::Result<Vec<_>>>()?;
        paths.sort();
        Ok(paths)
    };
    list().map_err(|error: io::Error| format!("{}: {error}", shown(directory)))
}

/// A path in a message: who unpacked an archive did not choose the names in it.
pub(crate) fn shown(path: &Path) -> String {
    printable(&path.display().to_string())
}

/// Whether `NAME.input.json` lies beside the stream `NAME.*`.
fn is_request_of_another(path: &Path, paths: &[PathBuf]) -> bool {
    let name = path.to_string_lossy();
    let Some(stem) = name.strip_suffix(".input.json") else { return false };
    STREAMS.iter().any(|extension| paths.contains(&PathBuf::from(format!("{stem}.{extension}"))))
}

/// What comes from the reader of an input.
pub(crate) enum Piece {
    Bytes(Vec<u8>),
    Failed(io::Error),
    End,
    /// The user pressed Ctrl-C.
    Interrupted,
}

/// Reads an input on a thread of its own, so that an interruption is heard while it waits.
///
/// # Errors
///
/// What opening it failed with.
pub(crate) fn read(input: &Input) -> io::Result<Receiver<Piece>> {
    let source: Box<dyn Read + Send> = match &input.path {
        None => Box::new(io::stdin()),
        Some(path) => {
            let file = File::open(path)?;
            if file.metadata()?.is_dir() {
                return Err(io::Error::from(io::ErrorKind::IsADirectory));
            }
            Box::new(file)
        }
    };
    let (sender, receiver) = mpsc::sync_channel(4);
    listen_for_interruption(&sender);
    thread::spawn(move || forward(source, &sender));
    Ok(receiver)
}

fn forward(mut source: Box<dyn Read + Send>, sender: &SyncSender<Piece>) {
    let mut buffer = vec![0; 128 << 10];
    loop {
        let piece = match source.read(&mut buffer) {
            Ok(0) => Piece::End,
            Ok(length) => Piece::Bytes(buffer[..length].to_vec()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => Piece::Failed(error),
        };
        let last = !matches!(piece, Piece::Bytes(_));
        if sender.send(piece).is_err() || last {
            return;
        }
    }
}

/// The reader that is listened to now hears of Ctrl-C.
fn listen_for_interruption(sender: &SyncSender<Piece>) {
    use std::sync::Mutex;
    static CURRENT: OnceLock<Mutex<SyncSender<Piece>>> = OnceLock::new();
    let first = CURRENT.get().is_none();
    let current = CURRENT.get_or_init(|| Mutex::new(sender.clone()));
    if let Ok(mut current) = current.lock() {
        current.clone_from(sender);
    }
    if first {
        // Without a handler Ctrl-C still ends the process, only without a report.
        let _ = ctrlc::set_handler(|| {
            let sender = CURRENT.get().and_then(|current| Some(current.lock().ok()?.clone()));
            if let Some(sender) = sender {
                let _ = sender.send(Piece::Interrupted);
            }
        });
    }
}
