//! Runs, their ids, their versions, their usage.

use conform_event::Body;
use conform_event::json::{Json, Value};

use super::{Story, outcome};

pub(super) fn breaches(story: &Story<'_>, at: usize) -> Vec<&'static str> {
    let starts = matches!(story.body(at), Body::RunStarted { .. });
    let finishes = *story.body(at) == Body::RunFinished;
    let fails = *story.body(at) == Body::RunError;
    let mut broken = Vec::new();
    let mut rule = |applies: bool, id, breaks: &dyn Fn() -> bool| {
        if applies && breaks() {
            broken.push(id);
        }
    };
    rule(finishes, "lifecycle/same-run-id", &|| other_run(story, at));
    rule(starts || finishes, "lifecycle/same-thread-id", &|| other_thread(story, at));
    rule(starts, "lifecycle/echoes-request", &|| other_request(story, at));
    rule(finishes, "lifecycle/cancelled-has-no-result", &|| {
        let result = story.json(at).get("result");
        outcome(story.json(at)) == Some("cancelled")
            && result.is_some_and(|result| result.value != Value::Null)
    });
    rule(starts, "ids/run-not-reused", &|| {
        let ids = |at| story.text(at, "threadId").zip(story.text(at, "runId"));
        ids(at).is_some() && started(story, at).any(|earlier| ids(earlier) == ids(at))
    });
    rule(starts, "version/declared", &|| {
        let declares = |at: usize| declaration(story, at).is_some();
        !declares(at) && started(story, at).all(declares)
    });
    rule(starts, "version/published", &|| {
        let version = story.text(at, "protocolVersion");
        let before = started(story, at).any(|at| story.text(at, "protocolVersion") == version);
        version.is_some_and(|version| version != "1.0" && version != "1.1" && !before)
    });
    let usage = story.json(at).list("usage");
    let of_usage = finishes || fails;
    rule(of_usage, "usage/parts-within-totals", &|| usage.iter().any(parts_beyond_totals));
    rule(of_usage, "usage/total-is-the-sum", &|| usage.iter().any(total_is_no_sum));
    rule(of_usage, "usage/one-entry-per-model", &|| {
        let models: Vec<_> = usage.iter().filter_map(model).collect();
        (0..models.len()).any(|at| models[..at].contains(&models[at]))
    });
    broken
}

/// The starts of runs before an event.
fn started<'s>(story: &'s Story<'_>, at: usize) -> impl Iterator<Item = usize> + 's {
    (0..at).filter(|at| matches!(story.body(*at), Body::RunStarted { .. }))
}

fn declaration<'s>(story: &'s Story<'_>, at: usize) -> Option<&'s Json<'s>> {
    story.json(at).get("protocolVersion").filter(|version| version.value != Value::Null)
}

/// "RUN_FINISHED against the RUN_STARTED of the run in progress."
fn other_run(story: &Story<'_>, at: usize) -> bool {
    let boundary = (0..at).rev().find(|at| {
        matches!(story.body(*at), Body::RunStarted { .. } | Body::RunFinished | Body::RunError)
    });
    let began = boundary.filter(|at| matches!(story.body(*at), Body::RunStarted { .. }));
    match (began.and_then(|began| story.text(began, "runId")), story.text(at, "runId")) {
        (Some(began), Some(own)) => began != own,
        _ => false,
    }
}

/// "A RUN_STARTED or RUN_FINISHED whose threadId no earlier one carried, while an earlier one
/// carried another."
fn other_thread(story: &Story<'_>, at: usize) -> bool {
    let Some(own) = story.text(at, "threadId") else { return false };
    let bounds =
        |at: &usize| matches!(story.body(*at), Body::RunStarted { .. } | Body::RunFinished);
    let earlier: Vec<&str> =
        (0..at).filter(bounds).filter_map(|at| story.text(at, "threadId")).collect();
    !earlier.is_empty() && !earlier.contains(&own)
}

fn other_request(story: &Story<'_>, at: usize) -> bool {
    let own = |member| story.text(at, member);
    let Some(request) = story.request else {
        // "Without one, a RUN_STARTED whose own `input` has another runId or threadId."
        let Some(echo) = story.echo(at) else { return false };
        let differs = |member| match (own(member), echo.text(member)) {
            (Some(own), Some(echo)) => own != echo,
            _ => false,
        };
        return differs("runId") || differs("threadId") && !other_thread(story, at);
    };
    // "A RUN_STARTED whose threadId is not the request's (once a threadId)."
    let strange = |thread: Option<&str>| match (thread, request.text("threadId")) {
        (Some(thread), Some(asked)) => thread != asked,
        _ => false,
    };
    let first =
        started(story, at).all(|earlier| story.text(earlier, "threadId") != own("threadId"));
    let thread = strange(own("threadId")) && first && !other_thread(story, at);
    // "Told at the end, the last RUN_STARTED whose runId is not the request's."
    let last = !(at + 1..story.events.len())
        .any(|later| matches!(story.body(later), Body::RunStarted { .. }));
    let run = match (own("runId"), request.text("runId")) {
        (Some(own), Some(asked)) => last && own != asked,
        _ => false,
    };
    thread || run
}

/// A count of tokens: a whole number that is not negative.
fn count(entry: &Json<'_>, member: &str) -> Option<i128> {
    let Value::Number(text) = entry.get(member)?.value else { return None };
    if let Ok(whole) = text.parse::<i128>() {
        return Some(whole).filter(|whole| (0..1 << 53).contains(whole));
    }
    let float: f64 = text.parse().ok()?;
    let whole = float.fract() == 0.0 && (0.0..9_007_199_254_740_992.0).contains(&float);
    #[expect(clippy::cast_possible_truncation, reason = "whole, and within 53 bits")]
    whole.then_some(float as i128)
}

fn parts_beyond_totals(entry: &Json<'_>) -> bool {
    let part = |member| count(entry, member).unwrap_or(0);
    let input = part("cachedInputTokens") + part("cacheWriteInputTokens");
    let output = count(entry, "reasoningTokens");
    count(entry, "inputTokens").is_some_and(|total| input > total)
        || count(entry, "outputTokens").zip(output).is_some_and(|(total, part)| part > total)
}

fn total_is_no_sum(entry: &Json<'_>) -> bool {
    let all = ["inputTokens", "outputTokens", "totalTokens"].map(|member| count(entry, member));
    matches!(all, [Some(input), Some(output), Some(total)] if input + output != total)
}

/// The provider and the model of an entry; "an absent provider or model is a value of its own".
fn model<'j>(entry: &'j Json<'_>) -> Option<[Option<&'j str>; 2]> {
    let readable = |member: &str| entry.get(member).is_none_or(|json| json.as_str().is_some());
    let both = entry.is_object() && readable("provider") && readable("model");
    both.then(|| [entry.text("provider"), entry.text("model")])
}
