//! Steps and subagents.

use conform_verify::{Breach, EntityKind, Rule};

use crate::support::{at, entity, run};

#[test]
fn a_step_that_started_twice_needs_two_ends() {
    let mut run = run();
    run.ok("STEP_STARTED s @a");
    run.assume("STEP_STARTED s @a");
    run.ok("STEP_FINISHED s @a");
    assert_eq!(entity(&run.breach("RUN_FINISHED")), (EntityKind::Step, "s"));
    run.ok("STEP_FINISHED s @a");
    run.breaks(Rule::NotOpen, "STEP_FINISHED s @a");
    run.ok("RUN_FINISHED");
}

#[test]
fn an_end_closes_the_step_of_another() {
    let mut run = run();
    run.ok("STEP_STARTED s @a
        STEP_STARTED t @b");
    run.assume("STEP_FINISHED s @b");
    run.breaks(Rule::NotOpen, "STEP_FINISHED s @a");
    run.ok("STEP_FINISHED t @b
        RUN_FINISHED");
}

#[test]
fn of_several_owners_the_first_ones_step_is_closed() {
    let mut run = run();
    run.ok("STEP_STARTED s @a
        STEP_STARTED s @b");
    run.assume("STEP_FINISHED s");
    run.ok("STEP_FINISHED s @b
        RUN_FINISHED");
}

#[test]
fn an_unknown_name_closes_what_its_owner_began_last() {
    let mut run = run();
    run.ok("STEP_STARTED s1 @a
        STEP_STARTED s2 @a
        STEP_STARTED s3 @b
        STEP_STARTED s4");
    run.assume("STEP_FINISHED nothing @a");
    run.ok("STEP_FINISHED s1 @a
        STEP_FINISHED s3 @b
        STEP_FINISHED s4
        RUN_FINISHED");
}

/// A step belongs to its tag; no tag is the parent agent's.
#[test]
fn an_unknown_name_without_a_tag_closes_the_parent_agents_step() {
    let mut run = run();
    run.ok("STEP_STARTED s1
        STEP_STARTED s2 @a");
    run.assume("STEP_FINISHED nothing");
    run.ok("STEP_FINISHED s2 @a
        RUN_FINISHED");
}

#[test]
fn an_unknown_name_of_who_has_none_closes_nothing() {
    let mut run = run();
    run.ok("STEP_STARTED s @a");
    run.assume("STEP_FINISHED nothing @b");
    run.ok("STEP_FINISHED s @a");
}

#[test]
fn an_unknown_parent_becomes_active() {
    let mut run = run();
    run.assume("SUBAGENT_STARTED child parentSubagentRunId=parent");
    run.ok("SUBAGENT_STARTED sibling parentSubagentRunId=parent");
    let Breach::OpenAtFinish { entity, since, more, .. } = run.breach("RUN_FINISHED") else {
        unreachable!("open at finish")
    };
    assert_eq!((&*entity.id, since, more), ("parent", at(0), 2));
    run.ok("SUBAGENT_FINISHED child
        SUBAGENT_FINISHED sibling
        SUBAGENT_FINISHED parent
        RUN_FINISHED");
}

#[test]
fn a_subagent_that_is_its_own_parent_becomes_active_as_one() {
    let mut run = run();
    run.assume("SUBAGENT_STARTED a parentSubagentRunId=a");
    run.ok("SUBAGENT_FINISHED a");
}

#[test]
fn a_subagent_that_started_twice_finishes_twice() {
    let mut run = run();
    run.ok("SUBAGENT_STARTED a");
    run.assume("SUBAGENT_STARTED a");
    run.ok("SUBAGENT_FINISHED a");
    assert_eq!(run.breach("RUN_FINISHED").related(), Some(at(0)));
    run.ok("SUBAGENT_ERROR a");
    run.breaks(Rule::NotOpen, "SUBAGENT_FINISHED a");
    run.ok("RUN_FINISHED");
}

#[test]
fn a_finished_subagent_is_active_again() {
    let mut run = run();
    run.ok("SUBAGENT_STARTED a
        SUBAGENT_FINISHED a");
    run.assume("SUBAGENT_STARTED a");
    assert_eq!(run.breach("RUN_FINISHED").related(), Some(at(2)));
    run.ok("SUBAGENT_FINISHED a");
    assert_eq!(run.breach("SUBAGENT_FINISHED a").related(), Some(at(4)));
}

#[test]
fn an_unknown_end_ends_the_subagent_that_began_last() {
    let mut run = run();
    run.ok("SUBAGENT_STARTED b
        SUBAGENT_STARTED a");
    run.assume("SUBAGENT_ERROR nobody");
    run.breaks(Rule::NotOpen, "SUBAGENT_FINISHED a");
    run.ok("SUBAGENT_FINISHED b
        RUN_FINISHED");
}

#[test]
fn a_second_end_ends_nothing() {
    let mut run = run();
    run.ok("SUBAGENT_STARTED a
        SUBAGENT_STARTED b
        SUBAGENT_FINISHED a");
    run.assume("SUBAGENT_FINISHED a");
    run.ok("SUBAGENT_FINISHED b");
}
