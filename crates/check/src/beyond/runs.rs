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
    /// The threadIds that the stream has carried.
    threads: HashSet<String>,
    /// Where it carried the first.
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
        let text = |name| json.text(name).map(str::to_owned);
        Self { thread: text("threadId"), run: text("runId") }
    }
}

impl Runs {
    pub(super) fn seed(&mut self, request: &Json<'_>) {
        self.request = Some(Ids::of(request));
    }

    pub(super) fn observe(&mut self, seen: &Seen<'_>, said: &mut Said) {
        match seen.event_type {
            Some(EventType::RunStarted) => {
                let same_thread = self.same_thread(seen, said);
                self.echoes(seen, same_thread, said);
                self.not_reused(seen, said);
                self.version(seen, said);
                let run = seen.text("runId").map(str::to_owned);
                self.current = Some((run.clone(), seen.at));
                self.last = Some((run, seen.at));
            }
            Some(EventType::RunFinished) => {
                self.same_thread(seen, said);
                self.same_run(seen, said);
                cancelled(seen, said);
                self.current = None;
            }
            Some(EventType::RunError) => self.current = None,
            _ => {}
        }
    }

    pub(super) fn finish(&self, said: &mut Said) {
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
            said.push(Broken { at: Some(*at), ..told });
        }
    }

    /// Whether the threadId is one that the stream has carried, or its first.
    fn same_thread(&mut self, seen: &Seen<'_>, said: &mut Said) -> bool {
        let Some(thread) = seen.text("threadId") else { return true };
        if !self.threads.insert(thread.to_owned()) {
            return true;
        }
        let Some(first) = self.first_thread else {
            self.first_thread = Some(seen.at);
            return true;
        };
        let message =
            format!("threadId is {}, the stream carries another since {first}", quote(thread));
        said.push(Broken::new("lifecycle/same-thread-id", "/threadId", message).related(first));
        false
    }

    fn echoes(&mut self, seen: &Seen<'_>, same_thread: bool, said: &mut Said) {
        let mut tell = |pointer: &str, message: String| {
            said.push(Broken::new("lifecycle/echoes-request", pointer, message));
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
        for member in ["threadId", "runId"] {
            let own = seen.text(member);
            let echoed = echo.text(member);
            let told = member == "threadId" && !same_thread;
            if let (Some(own), Some(echoed)) = (own, echoed)
                && own != echoed
                && !told
            {
                let message =
                    format!("{member} is {}, its input's is {}", quote(own), quote(echoed));
                tell(&format!("/{member}"), message);
            }
        }
    }

    fn not_reused(&mut self, seen: &Seen<'_>, said: &mut Said) {
        let ids = Ids::of(seen.json);
        let (Some(_), Some(run)) = (&ids.thread, ids.run.clone()) else { return };
        match self.started.get(&ids) {
            Some(earlier) => {
                let message = format!(
                    "runId {} is the one of the run that started at {earlier}",
                    quote(&run)
                );
                let told = Broken::new("ids/run-not-reused", "/runId", message);
                said.push(told.related(*earlier));
            }
            None => {
                self.started.insert(ids, seen.at);
            }
        }
    }

    fn same_run(&self, seen: &Seen<'_>, said: &mut Said) {
        if let (Some(run), Some((Some(started), at))) = (seen.text("runId"), &self.current)
            && run != started
        {
            let message = format!(
                "runId is {}, the run that started at {at} has {}",
                quote(run),
                quote(started)
            );
            said.push(Broken::new("lifecycle/same-run-id", "/runId", message).related(*at));
        }
    }

    fn version(&mut self, seen: &Seen<'_>, said: &mut Said) {
        let pointer = "/protocolVersion";
        let member = seen.json.get("protocolVersion");
        let Some(member) = member.filter(|member| member.value != Value::Null) else {
            if !std::mem::replace(&mut self.undeclared, true) {
                let message = "RUN_STARTED declares no protocolVersion";
                said.push(Broken::new("version/declared", pointer, message));
            }
            return;
        };
        let Some(version) = member.as_str() else { return };
        if Version::of(version).is_some() || !self.unpublished.insert(version.to_owned()) {
            return;
        }
        let newest = parts(Version::NEWEST.as_str());
        let newer = newest.zip(parts(version)).is_some_and(|(newest, version)| version > newest);
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
        said.push(Broken { doubt: newer, ..told });
    }
}

fn cancelled(seen: &Seen<'_>, said: &mut Said) {
    let result = seen.json.get("result").filter(|result| result.value != Value::Null);
    if result.is_some() && seen.outcome() == Some("cancelled") {
        let message = "the run was cancelled and carries a result";
        said.push(Broken::new("lifecycle/cancelled-has-no-result", "/result", message));
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
