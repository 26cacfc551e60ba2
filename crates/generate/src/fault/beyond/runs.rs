//! Faults of runs as a whole: ids, versions, usage, outcomes.

use serde_json::{Value, json};

use super::{Owned, Part, Sketch, failed, finished, started, type_of, with, without};
use crate::fault::Who;

/// A run, or several, of which the event at a place is broken.
pub(super) fn whole(
    requirement: &'static str,
    at: usize,
    broken: Vec<Value>,
    mended: Vec<Value>,
    out: &mut Vec<Sketch>,
) {
    let event_type = broken.get(at).map_or("other", type_of);
    out.push(Sketch { requirement, event_type, who: Who::Parent, broken, mended, at, part: None });
}

/// What of the last sketch may stand amid another run too; the event at a place shows it, or
/// the end of the run.
fn amid(at: Option<usize>, broken: Vec<Value>, mended: Vec<Value>, out: &mut [Sketch]) {
    if let Some(sketch) = out.last_mut() {
        sketch.part = Some(Part::of(broken, mended, at, finished()));
    }
}

pub(super) fn sketches(out: &mut Vec<Sketch>) {
    ids(out);
    versions(out);
    usage(out);
    outcomes(out);
    subagents(out);
}

fn ids(out: &mut Vec<Sketch>) {
    let run = || vec![started(), finished()];
    for other in ["own-ru", "own-run ", "OWN-RUN", ""] {
        let end = with(finished(), &json!({"runId": other}));
        whole("lifecycle/same-run-id", 1, vec![started(), end], run(), out);
    }
    let thread = "lifecycle/same-thread-id";
    let other = with(finished(), &json!({"threadId": "another-thread"}));
    whole(thread, 1, vec![started(), other], run(), out);
    let other = |event| with(event, &json!({"threadId": "another-thread"}));
    whole(thread, 0, vec![other(started()), other(finished())], run(), out);
    let second = |event| with(event, &json!({"runId": "own-run-2"}));
    let reused = [run(), run()].concat();
    let fresh = [run(), vec![second(started()), second(finished())]].concat();
    whole("ids/run-not-reused", 2, reused, fresh, out);
}

fn versions(out: &mut Vec<Sketch>) {
    let run = || vec![started(), finished()];
    let silent = vec![without(started(), "protocolVersion"), finished()];
    whole("version/declared", 0, silent, run(), out);
    for version in ["", "1", "1.", "1.00", "01.0", "1.0.0", "0.9", "v1.0", "draft", " 1.0", "1.-1"]
    {
        let declares = with(started(), &json!({"protocolVersion": version}));
        whole("version/published", 0, vec![declares, finished()], run(), out);
    }
    for version in ["1.2", "1.10", "2.0", "10.0"] {
        let declares = with(started(), &json!({"protocolVersion": version}));
        whole("version/published", 0, vec![declares, finished()], run(), out);
    }
}

fn usage(out: &mut Vec<Sketch>) {
    let model = |members: Value| with(json!({"provider": "acme", "model": "m"}), &members);
    let cases = [
        (
            "usage/parts-within-totals",
            json!([model(
                json!({"inputTokens": 9, "cachedInputTokens": 6, "cacheWriteInputTokens": 4})
            )]),
            json!([model(
                json!({"inputTokens": 10, "cachedInputTokens": 6, "cacheWriteInputTokens": 4})
            )]),
        ),
        (
            "usage/parts-within-totals",
            json!([{"inputTokens": 3}, model(json!({"inputTokens": 0, "cachedInputTokens": 1}))]),
            json!([{"inputTokens": 3}, model(json!({"inputTokens": 1, "cachedInputTokens": 1}))]),
        ),
        (
            "usage/parts-within-totals",
            json!([model(json!({"outputTokens": 4, "reasoningTokens": 5}))]),
            json!([model(json!({"outputTokens": 5, "reasoningTokens": 5}))]),
        ),
        (
            "usage/total-is-the-sum",
            json!([model(json!({"inputTokens": 4, "outputTokens": 5, "totalTokens": 10}))]),
            json!([model(json!({"inputTokens": 4, "outputTokens": 5, "totalTokens": 9}))]),
        ),
        (
            "usage/total-is-the-sum",
            json!([model(json!({"inputTokens": 4, "outputTokens": 5, "totalTokens": 8}))]),
            json!([model(json!({"inputTokens": 4, "totalTokens": 8}))]),
        ),
        (
            "usage/one-entry-per-model",
            json!([model(json!({})), model(json!({"inputTokens": 1}))]),
            json!([model(json!({})), {"provider": "acme", "model": "M"}]),
        ),
        (
            "usage/one-entry-per-model",
            json!([{"model": "m"}, {"provider": "", "model": "m"}, {"model": "m"}]),
            json!([{"model": "m"}, {"provider": "", "model": "m"}, {"provider": "m"}]),
        ),
        ("usage/one-entry-per-model", json!([{}, {}]), json!([{}])),
    ];
    for (requirement, broken, mended) in cases {
        for end in [finished(), failed()] {
            let ends = |usage: &Value| vec![started(), with(end.clone(), &json!({"usage": usage}))];
            whole(requirement, 1, ends(&broken), ends(&mended), out);
        }
    }
}

fn outcomes(out: &mut Vec<Sketch>) {
    let ends = |members: Value| vec![started(), with(finished(), &members)];
    let cancelled = json!({"type": "cancelled"});
    for result in [json!({"a": 1}), json!(0), json!(false), json!(""), json!([])] {
        let requirement = "lifecycle/cancelled-has-no-result";
        let broken = ends(json!({"outcome": cancelled, "result": result}));
        whole(requirement, 1, broken, ends(json!({"outcome": cancelled})), out);
    }
    let asks = |ids: &[&str]| {
        let list: Vec<Value> =
            ids.iter().map(|id| json!({"id": id, "reason": "approval"})).collect();
        json!({"outcome": {"type": "interrupt", "interrupts": list}})
    };
    whole("interrupt/at-least-one", 1, ends(asks(&[])), ends(asks(&["i1"])), out);
    let listless = json!({"outcome": {"type": "interrupt"}});
    whole("interrupt/at-least-one", 1, ends(listless), ends(asks(&["i1"])), out);
    for (broken, mended) in
        [(vec!["i1", "i1"], vec!["i1", "I1"]), (vec!["", "i1", ""], vec!["", "i1", " "])]
    {
        whole("interrupt/unique-ids", 1, ends(asks(&broken)), ends(asks(&mended)), out);
    }
    pending(out);
}

/// Lists of pending calls that say too little, too much or in the wrong order.
fn pending(out: &mut Vec<Sketch>) {
    let call = |id: &str| {
        vec![
            json!({"type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": "f"}),
            json!({"type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": "{}"}),
            json!({"type": "TOOL_CALL_END", "toolCallId": id}),
        ]
    };
    let answer = |id: &str| json!({"type": "TOOL_CALL_RESULT", "messageId": "own-answer", "toolCallId": id, "content": ""});
    let calls = [call("own-c1"), call("own-c2"), vec![answer("own-c2")], call("own-c3")].concat();
    let ends = |list: &Value| {
        let outcome = json!({"outcome": {"type": "success", "pendingToolCallIds": list}});
        [vec![started()], calls.clone(), vec![with(finished(), &outcome)]].concat()
    };
    let mended = || ends(&json!(["own-c1", "own-c3"]));
    let at = calls.len() + 1;
    for list in [
        json!([]),
        json!(["own-c1"]),
        json!(["own-c3"]),
        json!(["own-c3", "own-c1"]),
        json!(["own-c1", "own-c2", "own-c3"]),
        json!(["own-c1", "own-c3", "own-c3"]),
        json!(["own-c1", "own-c3", ""]),
    ] {
        whole("tool/pending-list-exact", at, ends(&list), mended(), out);
    }
    for members in [json!({}), json!({"outcome": {"type": "success"}})] {
        let silent = [vec![started()], calls.clone(), vec![with(finished(), &members)]].concat();
        whole("tool/pending-list-sent", at, silent, mended(), out);
    }
}

fn subagents(out: &mut Vec<Sketch>) {
    let announce = |id: &str| json!({"type": "SUBAGENT_STARTED", "subagentRunId": id, "name": "a"});
    let ends = |outcome: Value| json!({"type": "SUBAGENT_FINISHED", "subagentRunId": "own-agent", "outcome": outcome});
    let asks = json!({"outcome": {"type": "interrupt",
        "interrupts": [{"id": "own-i1", "reason": "approval"}]}});
    let run =
        |outcome: Value, end: Value| vec![started(), announce("own-agent"), ends(outcome), end];
    let waits = |ids: Value| json!({"type": "suspended", "interruptIds": ids});
    let asked = || run(waits(json!(["own-i1"])), with(finished(), &asks));
    let exist = "interrupt/suspended-ids-exist";
    let other = waits(json!(["own-i1", "own-i2"]));
    whole(exist, 3, run(other, with(finished(), &asks)), asked(), out);
    whole(exist, 3, run(waits(json!(["own-i1"])), finished()), asked(), out);
    let waiting = |ids: Value| vec![announce("own-agent"), ends(waits(ids))];
    amid(None, waiting(json!(["own-i1"])), waiting(json!([])), out);
    whole(
        "subagent/success-has-no-interrupts",
        2,
        run(json!({"type": "success", "interruptIds": ["own-i1"]}), with(finished(), &asks)),
        run(json!({"type": "success"}), with(finished(), &asks)),
        out,
    );
    let succeeds = |outcome: Value| vec![announce("own-agent"), ends(outcome)];
    let asking = json!({"type": "success", "interruptIds": ["own-i1"]});
    amid(Some(1), succeeds(asking), succeeds(json!({"type": "success"})), out);
    let early = |owner: Owned| owner.says(json!({"type": "RAW", "event": 1}));
    let end = json!({"type": "SUBAGENT_FINISHED", "subagentRunId": "own-agent"});
    let late =
        vec![started(), early(Owned::Subagent), announce("own-agent"), end.clone(), finished()];
    let timely = vec![started(), announce("own-agent"), early(Owned::Subagent), end, finished()];
    let (late_part, timely_part) = (late[1..4].to_vec(), timely[1..4].to_vec());
    whole("subagent/announced-before-use", 2, late, timely, out);
    amid(Some(1), late_part, timely_part, out);
    let end = json!({"type": "SUBAGENT_ERROR", "subagentRunId": "", "message": "m"});
    let step =
        |name: &str, kind: &str| Owned::EmptyId.says(json!({"type": kind, "stepName": name}));
    let late = vec![
        started(),
        step("s", "STEP_STARTED"),
        step("s", "STEP_FINISHED"),
        announce(""),
        end.clone(),
        finished(),
    ];
    let timely = vec![
        started(),
        announce(""),
        step("s", "STEP_STARTED"),
        step("s", "STEP_FINISHED"),
        end,
        finished(),
    ];
    whole("subagent/announced-before-use", 3, late, timely, out);
}
