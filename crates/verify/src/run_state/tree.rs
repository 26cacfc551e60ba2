//! Steps and subagents.

use std::sync::Arc;

use super::records::{Form, Open, Subagent, slot};
use super::{Id, RunState};
use crate::breach::Breach;
use crate::entity::{Entity, EntityKind, Owner, Position};

impl RunState {
    pub(super) fn step_started(
        &mut self,
        at: Position,
        name: &str,
        tag: Option<&str>,
    ) -> Result<(), Breach> {
        if let Some((owner, since)) = self.open_step_of(name, tag) {
            return Err(Breach::AlreadyOpen {
                entity: Entity::new(EntityKind::Step, name),
                owner: Some(owner.clone()),
                since: *since,
            });
        }
        self.open_step(at, name, tag);
        Ok(())
    }

    pub(super) fn open_step(&mut self, at: Position, name: &str, tag: Option<&str>) {
        let owner = self.owner(tag);
        let order = self.opened;
        self.opened += 1;
        let name: Id = match self.steps.get_key_value(name) {
            Some((known, _)) => Arc::clone(known),
            None => name.into(),
        };
        self.open[slot(EntityKind::Step)].insert(order, Arc::clone(&name));
        let steps = self.steps.entry(name).or_default();
        steps.of(&owner).open.push(order);
        steps.open.insert(order, (owner, at));
    }

    fn open_step_of(&self, name: &str, tag: Option<&str>) -> Option<&(Owner, Position)> {
        let steps = self.steps.get(name)?;
        steps.open.get(steps.get(tag)?.open.last()?)
    }

    pub(super) fn step_finished(
        &mut self,
        at: Position,
        name: &str,
        tag: Option<&str>,
    ) -> Result<(), Breach> {
        let steps = self.steps.get(name);
        let step = steps.and_then(|steps| steps.get(tag));
        if let Some(order) = step.and_then(|step| step.open.last().copied()) {
            self.close_step(at, name, order);
            return Ok(());
        }
        let elsewhere = steps.and_then(|steps| steps.open.first_key_value());
        Err(Breach::NotOpen {
            entity: Entity::new(EntityKind::Step, name),
            closed_at: step.and_then(|step| step.closed_at),
            elsewhere: elsewhere.map(|(_, (owner, since))| (owner.clone(), *since)),
        })
    }

    pub(super) fn close_step(&mut self, at: Position, name: &str, order: u64) {
        if let Some(steps) = self.steps.get_mut(name)
            && let Some((owner, _)) = steps.open.remove(&order)
        {
            let step = steps.of(&owner);
            step.open.retain(|open| *open != order);
            step.closed_at = Some(at);
        }
        self.open[slot(EntityKind::Step)].remove(&order);
    }

    pub(super) fn subagent_started(
        &mut self,
        at: Position,
        id: &str,
        parent: Option<&str>,
    ) -> Result<(), Breach> {
        let entity = || Entity::new(EntityKind::Subagent, id);
        match self.subagents.get(id) {
            Some(Subagent { active: Some(open), .. }) => {
                return Err(Breach::AlreadyOpen {
                    entity: entity(),
                    owner: None,
                    since: open.since,
                });
            }
            Some(Subagent { finished_at: Some(at), .. }) => {
                return Err(Breach::AlreadyFinished { entity: entity(), at: *at });
            }
            _ => {}
        }
        if let Some(parent) = parent.filter(|parent| !self.subagents.contains_key(*parent)) {
            let entity = Entity::new(EntityKind::Subagent, parent);
            return Err(Breach::UnknownParent { entity, child: id.into() });
        }
        self.activate(at, id);
        Ok(())
    }

    pub(super) fn activate(&mut self, at: Position, id: &str) {
        let order = self.opened;
        self.opened += 1;
        let open = Open { since: at, form: Form::Explicit, order, again: 0, mixed: false };
        let key: Id = id.into();
        self.open[slot(EntityKind::Subagent)].insert(order, Arc::clone(&key));
        self.subagents.entry(key).or_default().active = Some(open);
    }

    pub(super) fn subagent_ended(&mut self, at: Position, id: &str) -> Result<(), Breach> {
        let subagent = self.subagents.get_mut(id);
        let closed_at = subagent.as_ref().and_then(|subagent| subagent.finished_at);
        match subagent {
            Some(subagent) if subagent.active.is_some() => {
                if let Some(open) = &mut subagent.active {
                    if open.again > 0 {
                        open.again -= 1;
                        return Ok(());
                    }
                    self.open[slot(EntityKind::Subagent)].remove(&open.order);
                }
                subagent.active = None;
                subagent.finished_at = Some(at);
                Ok(())
            }
            _ => Err(Breach::NotOpen {
                entity: Entity::new(EntityKind::Subagent, id),
                closed_at,
                elsewhere: None,
            }),
        }
    }
}
