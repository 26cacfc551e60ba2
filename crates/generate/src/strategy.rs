//! Plans for property tests and fuzzers.

use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::choose::{Bytes, Dice};
use crate::plan::{Plan, Scope};

/// Plans that are valid in `scope`, which shrink as plans: agent by agent, item by item.
///
/// ```
/// use conform_generate::{Scope, plans};
/// use proptest::prelude::*;
/// proptest!(ProptestConfig::with_cases(16), |(plan in plans(Scope::Stream))| {
///     let woven = plan.weave();
///     prop_assert_eq!(&woven.events[0]["type"], "RUN_STARTED");
/// });
/// ```
pub fn plans(scope: Scope) -> Plans {
    Plans { scope }
}

/// See [`plans`].
#[derive(Debug, Clone, Copy)]
pub struct Plans {
    scope: Scope,
}

impl Strategy for Plans {
    type Tree = PlanTree;
    type Value = Plan;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let seed = rand_seed(runner);
        let current = Plan::grow(&mut Dice::of(seed), self.scope);
        Ok(PlanTree { current, before: None, candidates: None })
    }
}

fn rand_seed(runner: &mut TestRunner) -> u64 {
    use rand_chacha::rand_core::Rng;
    runner.rng().next_u64()
}

/// A plan and the way to smaller ones.
#[derive(Debug, Clone)]
pub struct PlanTree {
    current: Plan,
    /// The plan that the current one was made from.
    before: Option<Plan>,
    /// The smaller plans of `before` that were not tried yet, the next one last.
    candidates: Option<Vec<Plan>>,
}

impl ValueTree for PlanTree {
    type Value = Plan;

    fn current(&self) -> Plan {
        self.current.clone()
    }

    /// The property failed for the current plan: from here on, smaller ones of it.
    fn simplify(&mut self) -> bool {
        let mut smaller = self.current.smaller();
        smaller.reverse();
        let Some(next) = smaller.pop() else { return false };
        self.before = Some(std::mem::replace(&mut self.current, next));
        self.candidates = Some(smaller);
        true
    }

    /// The property held for the current plan: the next smaller one of the plan before.
    fn complicate(&mut self) -> bool {
        let next = self.candidates.as_mut().and_then(Vec::pop);
        match (next, self.before.take()) {
            (Some(next), before) => {
                self.current = next;
                self.before = before;
                true
            }
            (None, Some(before)) => {
                // Nothing smaller of the plan before fails: that one it is.
                self.current = before;
                self.candidates = None;
                false
            }
            (None, None) => false,
        }
    }
}

/// Plans of stream scope from a fuzzer's bytes: a small change of the bytes is a small change
/// of the plan.
///
/// ```
/// use arbitrary::{Arbitrary, Unstructured};
/// use conform_generate::Plan;
/// let plan = Plan::arbitrary(&mut Unstructured::new(b"any bytes at all")).unwrap();
/// assert!(!plan.weave().events.is_empty());
/// ```
impl<'a> arbitrary::Arbitrary<'a> for Plan {
    fn arbitrary(bytes: &mut arbitrary::Unstructured<'a>) -> arbitrary::Result<Self> {
        let bytes = bytes.bytes(bytes.len())?;
        Ok(Self::grow(&mut Bytes::of(bytes), Scope::Stream))
    }
}
