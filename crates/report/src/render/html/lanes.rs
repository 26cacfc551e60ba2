//! Where each event and each open item stands in the picture: lanes, bars and columns.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::document::TraceReport;
use crate::human::printable;

/// The class of a bar, by the kind of what it stands for.
fn class(kind: &str) -> &'static str {
    match kind {
        "text-message" => "text",
        "reasoning-span" | "reasoning-message" => "reasoning",
        "tool-call" => "tool",
        "step" => "step",
        "activity" => "activity",
        _ => "subagent",
    }
}

/// What a person calls a kind.
fn noun(kind: &str) -> String {
    kind.replace('-', " ")
}

/// A lane: one agent, and how many bars stand side by side in it at most.
#[derive(Debug, PartialEq, Eq)]
struct Lane<'a> {
    owner: Option<&'a str>,
    /// What is open in each column: the bar's index.
    columns: Vec<Option<usize>>,
}

/// An item from its opening to its close.
#[derive(Debug, PartialEq, Eq)]
struct Bar<'a> {
    lane: usize,
    column: usize,
    kind: &'a str,
    id: &'a str,
    from: usize,
    to: Option<usize>,
    /// Whether it was closed, and not only over because its run was.
    closed: bool,
}

/// The picture of one stream.
#[derive(Debug, Default)]
pub(super) struct Picture<'a> {
    lanes: Vec<Lane<'a>>,
    by_owner: HashMap<Option<&'a str>, usize>,
    bars: Vec<Bar<'a>>,
    open: HashMap<(&'a str, &'a str), usize>,
    /// Lane and column of each event.
    places: Vec<(usize, usize)>,
}

impl<'a> Picture<'a> {
    /// Draws what each event does.
    pub(super) fn of(trace: &'a [TraceReport<'a>]) -> Self {
        let mut picture = Self::default();
        picture.lane(None);
        for (at, event) in trace.iter().enumerate() {
            picture.event(at, event);
        }
        picture
    }

    fn lane(&mut self, owner: Option<&'a str>) -> usize {
        *self.by_owner.entry(owner).or_insert_with(|| {
            self.lanes.push(Lane { owner, columns: Vec::new() });
            self.lanes.len() - 1
        })
    }

    fn event(&mut self, at: usize, event: &'a TraceReport<'a>) {
        let about = event.entity.as_ref().map(|entity| (&*entity.kind, &*entity.id));
        // A subagent's own lifecycle is drawn in its lane.
        let owner = match about {
            Some(("subagent", id)) => Some(id),
            _ => event.owner.as_deref(),
        };
        let lane = self.lane(owner);
        let open = about.and_then(|about| self.open.get(&about).copied());
        let bar = match (&*event.act, about, open) {
            ("ends-run", ..) => {
                self.close_all(at);
                None
            }
            ("opens" | "chunk", Some((kind, id)), None) => Some(self.begin(at, lane, kind, id)),
            ("closes", _, Some(bar)) => {
                self.close(bar, at, true);
                Some(bar)
            }
            (_, _, open) => open,
        };
        let place = bar.and_then(|bar| self.bars.get(bar)).map(|bar| (bar.lane, bar.column));
        // What is attributed to another agent than the item's stands in its own lane.
        let place = place.filter(|(of_bar, _)| *of_bar == lane || event.owner.is_none());
        self.places.push(place.unwrap_or((lane, 0)));
    }

    fn begin(&mut self, at: usize, lane: usize, kind: &'a str, id: &'a str) -> usize {
        let bar = self.bars.len();
        let mut column = 0;
        if let Some(lane) = self.lanes.get_mut(lane) {
            column = lane.columns.iter().position(Option::is_none).unwrap_or(lane.columns.len());
            match lane.columns.get_mut(column) {
                Some(free) => *free = Some(bar),
                None => lane.columns.push(Some(bar)),
            }
        }
        self.bars.push(Bar { lane, column, kind, id, from: at, to: None, closed: false });
        self.open.insert((kind, id), bar);
        bar
    }

    fn close(&mut self, index: usize, at: usize, closed: bool) {
        let Some(bar) = self.bars.get_mut(index) else { return };
        (bar.to, bar.closed) = (Some(at), closed);
        self.open.remove(&(bar.kind, bar.id));
        let lane = self.lanes.get_mut(bar.lane);
        if let Some(column) = lane.and_then(|lane| lane.columns.get_mut(bar.column)) {
            *column = None;
        }
    }

    /// The run has ended: what is still open stays so, and nothing later belongs to it.
    fn close_all(&mut self, at: usize) {
        let mut open: Vec<usize> = self.open.values().copied().collect();
        open.sort_unstable();
        for bar in open {
            self.close(bar, at, false);
        }
    }

    /// The picture as the page's script reads it.
    pub(super) fn json(&self, trace: &'a [TraceReport<'a>]) -> Value {
        let mut types: Vec<&str> = Vec::new();
        let mut known: HashMap<&str, usize> = HashMap::new();
        let events: Vec<Value> = trace
            .iter()
            .zip(&self.places)
            .map(|(event, (lane, column))| {
                let event_type = event.event_type.as_deref().unwrap_or_default();
                let name = known.entry(event_type).or_insert_with(|| {
                    types.push(event_type);
                    types.len() - 1
                });
                let about = event.entity.as_ref();
                let about = about.map(|e| format!("{} {}", noun(&e.kind), shown(&e.id)));
                json!([name, lane, column, event.line, about])
            })
            .collect();
        let lanes: Vec<Value> = self
            .lanes
            .iter()
            .map(|lane| {
                let (label, title) = match lane.owner {
                    None => ("parent agent".to_owned(), "the parent agent".to_owned()),
                    Some(id) => (shown(id), format!("subagent {}", shown(id))),
                };
                json!({"label": label, "title": title, "columns": lane.columns.len().max(1)})
            })
            .collect();
        let bars: Vec<Value> = self
            .bars
            .iter()
            .map(|bar| {
                let name = format!("{} {}", noun(bar.kind), shown(bar.id));
                json!([bar.lane, bar.column, class(bar.kind), bar.from, bar.to, name, bar.closed])
            })
            .collect();
        let types: Vec<String> = types
            .iter()
            .map(|name| if name.is_empty() { "(no type)".to_owned() } else { shown(name) })
            .collect();
        json!({"types": types, "lanes": lanes, "bars": bars, "events": events})
    }
}

/// An id as a person can read it: on one line, and not endless.
pub(super) fn shown(id: &str) -> String {
    const LONGEST: usize = 80;
    let mut text = printable(id);
    if id.is_empty() {
        "\"\"".clone_into(&mut text);
    }
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.push('…');
    }
    text
}
