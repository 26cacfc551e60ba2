//! A subject that is a program of its own: lines in, lines out, whatever it does.
//!
//! A [`Process`] is started, says hello, and is then asked case after case. Several cases are
//! under way at once, so that a slow pipe costs little. A subject that dies, hangs or answers
//! nonsense is a [`Trouble`] of the case that did it; the others are asked again of a fresh
//! process. Nothing of it outlives the harness: it runs in a process group of its own, which
//! is killed at the end.

mod running;

use std::collections::VecDeque;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::Value;

use crate::protocol::PROTOCOL;
use running::{Heard, Running};

/// How many cases are under way at once.
const WINDOW: usize = 64;
/// So many cases in a row that kill their process are a loop of crashes.
const LOOP: usize = 5;

/// How to start a subject.
#[derive(Debug, Clone)]
pub struct Program {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The role that it is asked to play.
    pub role: &'static str,
    /// How long it may think about one case.
    pub timeout: Duration,
    /// Set from outside to stop at once.
    pub stop: Arc<AtomicBool>,
}

/// What a subject says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Introduction {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// `run` or `stream`, where it judges events.
    pub scope: Option<String>,
}

/// What goes wrong with a subject, other than what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// It cannot be started.
    Unstartable(String),
    /// It is gone.
    Died(String),
    /// It says nothing for too long.
    Hung(Duration),
    /// What it says is none of the protocol.
    Nonsense(String),
    /// The harness was told to stop.
    Stopped,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unstartable(why) => write!(f, "it cannot be started: {why}"),
            Self::Died(how) => write!(f, "it died ({how})"),
            Self::Hung(time) => write!(f, "it said nothing for {} s", time.as_secs_f32()),
            Self::Nonsense(why) => write!(f, "it answers what is not of the protocol: {why}"),
            Self::Stopped => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for Trouble {}

/// A subject in a process of its own.
#[derive(Debug)]
pub struct Process {
    program: Program,
    introduction: Introduction,
    running: Option<Running>,
    crashes: usize,
    /// The end of what it wrote to standard error before it went.
    complaints: String,
}

/// A case on its way: its number, and the line that asks it.
type Sent = (u64, String);

impl Process {
    /// Starts a subject and lets it introduce itself.
    ///
    /// # Errors
    ///
    /// What went wrong; what it wrote to standard error is in the text.
    pub fn start(program: Program) -> Result<Self, Trouble> {
        let none = Introduction { name: String::new(), version: String::new(), scope: None };
        let mut process = Self {
            program,
            introduction: none,
            running: None,
            crashes: 0,
            complaints: String::new(),
        };
        process.introduction = process.begin()?;
        Ok(process)
    }

    /// What it says of itself.
    pub fn introduction(&self) -> &Introduction {
        &self.introduction
    }

    /// The end of what it wrote to standard error, as of its last death or now.
    pub fn complaints(&self) -> String {
        match &self.running {
            Some(running) => running.complaints(),
            None => self.complaints.clone(),
        }
    }

    /// Asks every case, and hands each answer, or the trouble with it, to `hear`, in order,
    /// until that breaks off. Whether all were asked, and no loop of crashes or stop was in the
    /// way, is what comes back.
    ///
    /// # Errors
    ///
    /// A loop of crashes, a process that cannot be started again, or a stop.
    pub fn ask(
        &mut self,
        cases: impl IntoIterator<Item = Sent>,
        mut hear: impl FnMut(u64, Result<Value, Trouble>) -> ControlFlow<()>,
    ) -> Result<(), Trouble> {
        let mut cases = cases.into_iter().fuse();
        let mut sent: VecDeque<Sent> = VecDeque::new();
        // Cases that were under way when the process went: they are asked one by one, for any
        // of them may have done it.
        let mut again: VecDeque<Sent> = VecDeque::new();
        loop {
            let window = if again.is_empty() { WINDOW } else { 1 };
            while sent.len() < window {
                let next = match again.pop_front() {
                    Some(case) => Some(case),
                    None if window == 1 => None,
                    None => cases.next(),
                };
                let Some(case) = next else { break };
                self.running()?.send(&case.1);
                sent.push_back(case);
            }
            let Some((number, _)) = sent.front() else {
                if again.is_empty() {
                    return Ok(());
                }
                continue;
            };
            let number = *number;
            let answer = self.hear(number);
            match answer {
                Ok(answer) => {
                    self.crashes = 0;
                    sent.pop_front();
                    if hear(number, Ok(answer)).is_break() {
                        // What is still under way belongs to nobody.
                        if !sent.is_empty() {
                            self.end();
                        }
                        return Ok(());
                    }
                }
                Err(Trouble::Stopped) => return Err(Trouble::Stopped),
                Err(trouble) => {
                    self.end();
                    if sent.len() > 1 {
                        again = std::mem::take(&mut sent).into_iter().chain(again).collect();
                        continue;
                    }
                    sent.clear();
                    self.crashes += 1;
                    let broken = hear(number, Err(trouble.clone())).is_break();
                    if self.crashes == LOOP {
                        return Err(trouble);
                    }
                    if broken {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Asks one case.
    ///
    /// # Errors
    ///
    /// The trouble with it.
    pub fn ask_one(&mut self, number: u64, line: String) -> Result<Value, Trouble> {
        let mut said = Err(Trouble::Stopped);
        let asked = self.ask([(number, line)], |_, answer| {
            said = answer;
            ControlFlow::Continue(())
        });
        match asked {
            Err(trouble) if said.is_ok() => Err(trouble),
            _ => said,
        }
    }

    /// The answer to the case of this number.
    fn hear(&mut self, number: u64) -> Result<Value, Trouble> {
        let answer = self.line()?;
        match answer.get("id") {
            Some(id) if id.as_u64() == Some(number) => Ok(answer),
            Some(_) => Err(Trouble::Nonsense("the id is not the one of the case".to_owned())),
            None => Err(Trouble::Nonsense("an answer without an id".to_owned())),
        }
    }

    fn line(&mut self) -> Result<Value, Trouble> {
        let (timeout, stop) = (self.program.timeout, Arc::clone(&self.program.stop));
        let line = match self.running()?.hear(timeout, &stop) {
            Heard::Line(line) => line,
            Heard::Nothing => return Err(Trouble::Hung(timeout)),
            Heard::Stop => return Err(Trouble::Stopped),
            Heard::Gone => return Err(Trouble::Died(self.running()?.how_it_ended())),
            Heard::TooLong => {
                return Err(Trouble::Nonsense("a line of more than 64 MiB".to_owned()));
            }
        };
        match serde_json::from_slice::<Value>(&line) {
            Ok(value) if value.is_object() => Ok(value),
            Ok(_) => Err(Trouble::Nonsense("a line that is no JSON object".to_owned())),
            Err(_) => Err(Trouble::Nonsense("a line that is no JSON".to_owned())),
        }
    }

    fn running(&mut self) -> Result<&mut Running, Trouble> {
        if self.running.is_none() {
            self.begin()?;
        }
        // It was begun just now.
        self.running.as_mut().ok_or(Trouble::Stopped)
    }

    /// Starts it and shakes hands.
    fn begin(&mut self) -> Result<Introduction, Trouble> {
        if self.program.stop.load(Ordering::Relaxed) {
            return Err(Trouble::Stopped);
        }
        let running = Running::start(&self.program.command).map_err(Trouble::Unstartable)?;
        self.running = Some(running);
        let hello = serde_json::json!({
            "hello": {"protocol": PROTOCOL, "role": self.program.role}
        });
        self.running()?.send(&hello.to_string());
        let greeted = self.line().and_then(|answer| self.introduced(&answer));
        if greeted.is_err() {
            self.end();
        }
        greeted
    }

    fn introduced(&self, answer: &Value) -> Result<Introduction, Trouble> {
        let text = |name: &str| answer.get(name).and_then(Value::as_str).map(str::to_owned);
        let missing =
            |name: &str| Trouble::Nonsense(format!("its answer to hello has no text `{name}`"));
        let role = text("role").ok_or_else(|| missing("role"))?;
        if role != self.program.role {
            return Err(Trouble::Nonsense(format!(
                "asked for the role {}, it answers as {}",
                self.program.role,
                conform_event::quote(&role)
            )));
        }
        Ok(Introduction {
            name: text("subject").ok_or_else(|| missing("subject"))?,
            version: text("version").ok_or_else(|| missing("version"))?,
            scope: text("scope"),
        })
    }

    fn end(&mut self) {
        if let Some(mut running) = self.running.take() {
            running.kill();
            self.complaints = running.complaints();
        }
    }
}
