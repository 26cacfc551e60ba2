//! One process, its pipes, and the end of it.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// The longest answer, in bytes.
const LONGEST: u64 = 64 << 20;
/// How much of standard error is kept: its end.
const COMPLAINTS: usize = 8 << 10;
/// How often it is asked whether to stop.
const TICK: Duration = Duration::from_millis(50);

/// What is heard of a process.
pub(super) enum Heard {
    /// A line, without its end.
    Line(Vec<u8>),
    /// Nothing in the time given.
    Nothing,
    /// It is gone, or has closed its output.
    Gone,
    /// A line without an end.
    TooLong,
    /// The harness is to stop.
    Stop,
}

#[derive(Debug)]
pub(super) struct Running {
    child: Child,
    /// Lines for the process; dropped to close its input.
    input: Option<Sender<String>>,
    lines: Receiver<Option<Vec<u8>>>,
    errors: Arc<Mutex<Vec<u8>>>,
    /// Whether what it wrote to standard error is all read.
    silent: Receiver<()>,
}

impl Running {
    pub(super) fn start(command: &[String]) -> Result<Self, String> {
        let (program, arguments) = command.split_first().ok_or("there is no program")?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // A group of its own: whatever it starts is ended with it.
            .process_group(0)
            .spawn()
            .map_err(|error| error.to_string())?;
        let (input, to_write) = mpsc::channel::<String>();
        let (heard, lines) = mpsc::channel();
        let (done, silent) = mpsc::channel();
        let errors = Arc::new(Mutex::new(Vec::new()));
        // A process that does not read must not keep the harness from listening.
        if let Some(mut stdin) = child.stdin.take() {
            thread::spawn(move || {
                while let Ok(line) = to_write.recv() {
                    let sent =
                        stdin.write_all(line.as_bytes()).and_then(|()| stdin.write_all(b"\n"));
                    // Whoever does not read is found out by the answer that is missing.
                    if sent.and_then(|()| stdin.flush()).is_err() {
                        break;
                    }
                }
            });
        }
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || listen(stdout, &heard));
        }
        if let Some(stderr) = child.stderr.take() {
            let errors = Arc::clone(&errors);
            thread::spawn(move || {
                keep_end(stderr, &errors);
                drop(done);
            });
        }
        Ok(Self { child, input: Some(input), lines, errors, silent })
    }

    pub(super) fn send(&mut self, line: &str) {
        if let Some(input) = &self.input {
            // A process that is gone is found out by the answer that is missing.
            let _ = input.send(line.to_owned());
        }
    }

    pub(super) fn hear(&mut self, timeout: Duration, stop: &AtomicBool) -> Heard {
        let until = Instant::now() + timeout;
        loop {
            if stop.load(Ordering::Relaxed) {
                return Heard::Stop;
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(TICK)) {
                Ok(Some(line)) => return Heard::Line(line),
                Ok(None) => return Heard::TooLong,
                Err(RecvTimeoutError::Disconnected) => return Heard::Gone,
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Heard::Nothing,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// How a process that has closed its output ended, or that it did not.
    pub(super) fn how_it_ended(&mut self) -> String {
        let until = Instant::now() + Duration::from_millis(500);
        while Instant::now() < until {
            match self.child.try_wait() {
                Ok(Some(status)) => return status.to_string(),
                Ok(None) => thread::sleep(Duration::from_millis(5)),
                Err(error) => return error.to_string(),
            }
        }
        "it closed its output and lives on".to_owned()
    }

    pub(super) fn complaints(&self) -> String {
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&errors).into_owned()
    }

    /// Ends the process and everything that it started.
    pub(super) fn kill(&mut self) {
        self.input = None;
        if let Ok(id) = i32::try_from(self.child.id()) {
            // The group may be gone already.
            let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
        }
        let _ = self.child.wait();
        // Let what it said last be read.
        let _ = self.silent.recv_timeout(Duration::from_millis(500));
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

fn listen(stdout: impl Read, heard: &Sender<Option<Vec<u8>>>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        match stdout.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let ends = line.last() == Some(&b'\n');
        if !ends && line.len() as u64 == LONGEST {
            let _ = heard.send(None);
            return;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        // Nobody listens any more.
        if heard.send(Some(line)).is_err() {
            return;
        }
    }
}

fn keep_end(mut stderr: impl Read, errors: &Mutex<Vec<u8>>) {
    let mut piece = [0; 4096];
    loop {
        let read = match stderr.read(&mut piece) {
            Ok(0) => return,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        let mut errors = errors.lock().unwrap_or_else(PoisonError::into_inner);
        errors.extend_from_slice(piece.get(..read).unwrap_or_default());
        let more = errors.len().saturating_sub(COMPLAINTS);
        errors.drain(..more);
    }
}
