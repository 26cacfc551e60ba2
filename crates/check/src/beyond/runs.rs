//! Runs: whose they are, which ids they carry, which version they declare.

use std::collections::{HashMap, HashSet};

use conform_event::json::{Json, Value};
use conform_event::shape::Version;
use conform_event::{EventType, quote};
use conform_verify::Position;

use super::{Broken, Said, Seen};

#[derive(Debug, Clone, Default)]
pub(super) struct Runs {
    /// The ids of the request.
    request: Option<Ids>,
    /// The run in progress: its runId, and where it started.
    current: Option<(Option<String>, Position)>,
    /// The last run that started.
    last: Option<(Option<String>, Position)>,
    /// The threadIds that the stream has carried, and where first.
    threads: HashMap<String, Position>,
    /// The first of them, by its place.
    first_thread: Option<Position>,
    /// The threadIds that were told not to be the request's.
    strange_threads: HashSet<String>,
    /// The runs that have started.
    started: HashMap<Ids, Position>,
    /// Whether it was told that no version is declared.
    undeclared: bool,
    /// The versions that were told to be none.
    unpublished: HashSet<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
struct Ids {
    thread: Option<String>,
    run: Option<String>,
}

impl Ids {
    fn of(json: &Json<'_>) -> Self {
        let text = |name| json.get(name).and_then(Json::as_str).map(str::to_owned);
        Self { thread: text("threadId"), run: text("runId") }
    }
}

impl Runs {
    pub(super) fn new(request: Option<&Json<'_>>) -> Self {
        Self { request: request.map(Ids::of), ..Self::default() }
    }

    pub(super) fn observe(&mut self, seen: &Seen<'_>, broken: &mut Said) {
        match seen.event_type {
            Some(EventType::RunStarted) => {
                let same_thread = self.same_thread(seen, broken);
                self.echoes(seen, same_thread, broken);
                self.not_reused(seen, broken);
                self.version(seen, broken);
                let run = seen.text("runId").map(str::to_owned);
                self.current = Some((run.clone(), seen.at));
                self.last = Some((run, seen.at));
            }
            Some(EventType::RunFinished) => {
                self.same_thread(seen, broken);
                self.same_run(seen, broken);
                cancelled(seen, broken);
                self.current = None;
            }
            Some(EventType::RunError) => self.current = None,
            _ => {}
        }
    }

    pub(super) fn finish(&self, broken: &mut Said) {
        let asked = self.request.as_ref().and_then(|request| request.run.as_ref());
        if let (Some(asked), Some((Some(run), at))) = (asked, &self.last)
            && asked != run
        {
            let message = format!(
                "the last run has runId {}, the request asks for run {}",
                quote(run),
                quote(asked)
            );
            let told = Broken::new("lifecycle/echoes-request", "/runId", message);
            broken.push(Broken { at: Some(*at), ..told });
        }
    }

    /// Whether the threadId is one that the stream has carried, or its first.
    fn same_thread(&mut self, seen: &Seen<'_>, broken: &mut Said) -> bool {
        let Some(thread) = seen.text("threadId") else { return true };
        if self.threads.contains_key(thread) {
            return true;
        }
        let first = self.first_thread;
        self.threads.insert(thread.to_owned(), seen.at);
        self.first_thread = first.or(Some(seen.at));
        let Some(first) = first else { return true };
        let message =
            format!("threadId is {}, the stream carries another since {first}", quote(thread));
        broken.push(Broken::new("lifecycle/same-thread-id", "/threadId", message).related(first));
        false
    }

    fn echoes(&mut self, seen: &Seen<'_>, same_thread: bool, broken: &mut Said) {
        let mut tell = |pointer: &'static str, message: String| {
            broken.push(Broken::new("lifecycle/echoes-request", pointer, message));
        };
        if let Some(request) = &self.request {
            let pair = seen.text("threadId").zip(request.thread.as_deref());
            if let Some((thread, asked)) = pair.filter(|(thread, asked)| thread != asked)
                && self.strange_threads.insert(thread.to_owned())
                && same_thread
            {
                tell(
                    "/threadId",
                    format!("threadId is {}, the request's is {}", quote(thread), quote(asked)),
                );
            }
            return;
        }
        let Some(echo) = seen.echo() else { return };
        for (member, pointer) in [("threadId", "/threadId"), ("runId", "/runId")] {
            let own = seen.text(member);
            let echoed = echo.get(member).and_then(Json::as_str);
            let told = member == "threadId" && !same_thread;
            if let (Some(own), Some(echoed)) = (own, echoed)
                && own != echoed
                && !told
            {
                tell(
                    pointer,
                    format!("{member} is {}, its input's is {}", quote(own), quote(echoed)),
                );
            }
        }
    }

    fn not_reused(&mut self, seen: &Seen<'_>, broken: &mut Said) {
        let ids = Ids::of(seen.json);
        let Some(run) = ids.run.clone() else { return };
        match self.started.get(&ids) {
            Some(earlier) => {
                let message = format!(
                    "runId {} is the one of the run that started at {earlier}",
                    quote(&run)
                );
                let told = Broken::new("ids/run-not-reused", "/runId", message);
                broken.push(told.related(*earlier));
            }
            None => {
                self.started.insert(ids, seen.at);
            }
        }
    }

    fn same_run(&self, seen: &Seen<'_>, broken: &mut Said) {
        if let (Some(run), Some((Some(started), at))) = (seen.text("runId"), &self.current)
            && run != started
        {
            let message = format!(
                "runId is {}, the run that started at {at} has {}",
                quote(run),
                quote(started)
            );
            broken.push(Broken::new("lifecycle/same-run-id", "/runId", message).related(*at));
        }
    }

    fn version(&mut self, seen: &Seen<'_>, broken: &mut Said) {
        let pointer = "/protocolVersion";
        let Some(member) = seen.json.get("protocolVersion") else {
            return self.no_version(pointer, broken);
        };
        if member.value == Value::Null {
            return self.no_version(pointer, broken);
        }
        let Some(version) = member.as_str() else { return };
        let known = Version::ALL.iter().any(|known| known.as_str() == version);
        if known || !self.unpublished.insert(version.to_owned()) {
            return;
        }
        let newer = Version::ALL
            .last()
            .and_then(|newest| parts(newest.as_str()))
            .zip(parts(version))
            .is_some_and(|(newest, version)| version > newest);
        let version = quote(version);
        let message = if newer {
            format!(
                "protocol version {version} is newer than this tool knows; it is judged by the \
                 newest that it knows"
            )
        } else {
            format!("protocol version {version} is none that was published")
        };
        let told = Broken::new("version/published", pointer, message);
        broken.push(Broken { doubt: newer, ..told });
    }

    fn no_version(&mut self, pointer: &str, broken: &mut Said) {
        if !std::mem::replace(&mut self.undeclared, true) {
            let message = "RUN_STARTED declares no protocolVersion";
            broken.push(Broken::new("version/declared", pointer, message));
        }
    }
}

fn cancelled(seen: &Seen<'_>, broken: &mut Said) {
    let result = seen.json.get("result").filter(|result| result.value != Value::Null);
    if result.is_some() && seen.outcome() == Some("cancelled") {
        let message = "the run was cancelled and carries a result";
        broken.push(Broken::new("lifecycle/cancelled-has-no-result", "/result", message));
    }
}

/// The two numbers of a version, as texts that compare as numbers do: by length, then by
/// digits.
fn parts(version: &str) -> Option<[(usize, &str); 2]> {
    let (major, minor) = version.split_once('.')?;
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        digits && (text == "0" || !text.starts_with('0'))
    };
    let both = number(major) && number(minor);
    both.then_some([(major.len(), major), (minor.len(), minor)])
}
