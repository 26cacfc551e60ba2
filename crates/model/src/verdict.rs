//! What the model answers with.

/// The verdict on an event, or on the end of a stream.
///
/// ```
/// use conform_model::{Breach, Verdict};
/// let unsettled = Breach { rule: Some("unknown-id"), requirement: None };
/// assert!(!Verdict::Warn(unsettled).is_rejection());
/// assert!(Verdict::Reject(unsettled).is_rejection());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It conforms.
    Accept,
    /// It is accepted, and takes effect, though what would settle it is not at hand.
    Warn(Breach),
    /// It is refused, and changes nothing.
    Reject(Breach),
}

/// What was broken: one of the eight rules, or what only the stream scope refuses.
///
/// ```
/// use conform_model::Breach;
/// let breach = Breach { rule: None, requirement: Some("chunk/first-carries-id") };
/// assert_ne!(breach, Breach { rule: Some("not-open"), requirement: None });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Breach {
    /// The name of the rule, in kebab-case.
    pub rule: Option<&'static str>,
    /// The requirement's id, where no rule is behind it.
    pub requirement: Option<&'static str>,
}

/// The verdicts on a run or a stream.
///
/// ```
/// use conform_model::{judge_run, Verdict};
/// let judgement = judge_run(&[]);
/// assert!(judgement.events.is_empty());
/// assert_eq!(judgement.end, Verdict::Accept);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// One verdict an event that was offered.
    pub events: Vec<Verdict>,
    /// Whether the events may end here; always accepted in run scope.
    pub end: Verdict,
}

/// A place in the judged events.
///
/// ```
/// use conform_model::{judge_stream, Position};
/// assert_eq!(judge_stream(&[], None).first_rejected(), Some(Position::End));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Position {
    /// The event at this index, counted from 0.
    Event(usize),
    /// After the last event.
    End,
}

impl Verdict {
    /// Whether the event was refused.
    ///
    /// ```
    /// assert!(!conform_model::Verdict::Accept.is_rejection());
    /// ```
    pub fn is_rejection(&self) -> bool {
        matches!(self, Self::Reject(_))
    }

    /// What was broken, if anything was.
    ///
    /// ```
    /// assert_eq!(conform_model::Verdict::Accept.breach(), None);
    /// ```
    pub fn breach(&self) -> Option<Breach> {
        match self {
            Self::Accept => None,
            Self::Warn(breach) | Self::Reject(breach) => Some(*breach),
        }
    }
}

impl Breach {
    /// A broken rule.
    pub(crate) fn of_rule(rule: &'static str) -> Self {
        Self { rule: Some(rule), requirement: None }
    }

    /// A broken requirement that has no rule.
    pub(crate) fn of_requirement(requirement: &'static str) -> Self {
        Self { rule: None, requirement: Some(requirement) }
    }
}

impl Judgement {
    /// The first place that was refused.
    ///
    /// ```
    /// assert_eq!(conform_model::judge_run(&[]).first_rejected(), None);
    /// ```
    pub fn first_rejected(&self) -> Option<Position> {
        let event = self.events.iter().position(Verdict::is_rejection).map(Position::Event);
        event.or(self.end.is_rejection().then_some(Position::End))
    }
}
