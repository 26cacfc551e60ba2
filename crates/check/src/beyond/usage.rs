//! Token usage.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use conform_event::EventType;
use conform_event::json::{Json, Value};

use super::{Broken, Said, Seen};

/// Judges the `usage` of an event that ends a run.
pub(super) fn judge(seen: &Seen<'_>, said: &mut Said) {
    if !matches!(seen.event_type, Some(EventType::RunFinished | EventType::RunError)) {
        return;
    }
    let entries = seen.json.list("usage");
    let mut models = HashMap::new();
    for (index, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.is_object()) {
        let pointer = format!("/usage/{index}");
        parts(entry, &pointer, said);
        total(entry, &pointer, said);
        let name = |member| match entry.get(member).map(|json| &json.value) {
            None => Some(None),
            Some(Value::String(text)) => Some(Some(text.as_ref())),
            Some(_) => None,
        };
        let Some(model) = name("provider").zip(name("model")) else { continue };
        if let Some(first) = models.get(&model) {
            let message = format!("it is of the provider and model of usage entry {first}");
            said.push(Broken::new("usage/one-entry-per-model", pointer, message));
        } else {
            models.insert(model, index);
        }
    }
}

fn parts(entry: &Json<'_>, pointer: &str, said: &mut Said) {
    let id = "usage/parts-within-totals";
    let (cached, written) =
        (count(entry, "cachedInputTokens"), count(entry, "cacheWriteInputTokens"));
    let parts = cached.unwrap_or(0).saturating_add(written.unwrap_or(0));
    if count(entry, "inputTokens").is_some_and(|input| parts > input) {
        let message = "cachedInputTokens and cacheWriteInputTokens are more than inputTokens";
        said.push(Broken::new(id, format!("{pointer}/inputTokens"), message));
    }
    let pair = count(entry, "reasoningTokens").zip(count(entry, "outputTokens"));
    if pair.is_some_and(|(reasoning, output)| reasoning > output) {
        let message = "reasoningTokens are more than outputTokens";
        said.push(Broken::new(id, format!("{pointer}/reasoningTokens"), message));
    }
}

fn total(entry: &Json<'_>, pointer: &str, said: &mut Said) {
    let sum = count(entry, "inputTokens").zip(count(entry, "outputTokens"));
    let sum = sum.map(|(input, output)| input.saturating_add(output));
    if sum.zip(count(entry, "totalTokens")).is_some_and(|(sum, total)| sum != total) {
        let message = "totalTokens is not inputTokens plus outputTokens";
        said.push(Broken::new("usage/total-is-the-sum", format!("{pointer}/totalTokens"), message));
    }
}

/// The counts that are well formed; any other is a matter of shape.
const COUNTS: RangeInclusive<i64> = 0..=9_007_199_254_740_991;

/// A count of tokens that is well formed.
fn count(entry: &Json<'_>, member: &str) -> Option<i64> {
    let Value::Number(text) = entry.get(member)?.value else { return None };
    conform_event::shape::whole(text).filter(|count| COUNTS.contains(count))
}
