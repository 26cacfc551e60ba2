//! How tokens are counted.

use super::{Example, Judge, Level, Needs, Requirement};

pub(super) const ENTRIES: &[Requirement] = &[
    Requirement {
        id: "usage/parts-within-totals",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/lifecycle#token-usage",
        text: "cachedInputTokens plus cacheWriteInputTokens is at most inputTokens, and \
               reasoningTokens at most outputTokens, where both sides are present.",
        why: "A cost is computed by taking the parts out of the totals: with parts that were \
              counted beside them it comes out too low, or negative.",
        help: "Where the provider reports cached or reasoning tokens beside a smaller total, add \
               them into inputTokens or outputTokens first.",
        judge: Judge::Beyond,
        broken: Some(started![
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","usage":[{"provider":"anthropic","model":"large","inputTokens":20,"cachedInputTokens":80,"outputTokens":12}]}"#,
        ]),
        mended: Some(started![
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","usage":[{"provider":"anthropic","model":"large","inputTokens":100,"cachedInputTokens":80,"outputTokens":12}]}"#,
        ]),
    },
    Requirement {
        id: "usage/total-is-the-sum",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/lifecycle#token-usage",
        text: "totalTokens is inputTokens plus outputTokens, where all three are present.",
        why: "A consumer that only wants a total adds up totalTokens over entries and runs, and \
              a total that counts differently makes budgets and bills wrong.",
        help: "Compute totalTokens from the two counts that you send, or leave it out; do not \
               copy a provider's total that counts otherwise.",
        judge: Judge::Beyond,
        broken: Some(started![
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","usage":[{"provider":"google","model":"fast","inputTokens":100,"outputTokens":20,"totalTokens":150}]}"#,
        ]),
        mended: Some(started![
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","usage":[{"provider":"google","model":"fast","inputTokens":100,"outputTokens":20,"totalTokens":120}]}"#,
        ]),
    },
    Requirement {
        id: "usage/one-entry-per-model",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/lifecycle#token-usage",
        text: "usage has at most one entry per provider and model.",
        why: "A consumer that keys the entries by provider and model keeps one of the two and \
              reports too few tokens.",
        help: "Add up the counts of all calls that the run made to one model, and send them as \
               one entry.",
        judge: Judge::Beyond,
        broken: Some(started![
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","usage":[{"provider":"openai","model":"small","inputTokens":100,"outputTokens":20},{"provider":"openai","model":"small","inputTokens":50,"outputTokens":10}]}"#,
        ]),
        mended: Some(started![
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","usage":[{"provider":"openai","model":"small","inputTokens":150,"outputTokens":30}]}"#,
        ]),
    },
];
