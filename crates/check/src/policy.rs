//! What the user allows and denies.

use conform_event::quote;

use crate::finding::Severity;
use crate::registry::{self, Requirement};

/// Which requirements are allowed to be broken, and which are errors in any case.
///
/// A requirement that is named itself counts before its group; of a requirement that is
/// both allowed and denied in the same way, the denial counts.
///
/// ```
/// use conform_check::{Policy, Severity, registry};
/// let policy = Policy::new(&["chunk/*"], &["chunk/repeat-agrees"]).unwrap();
/// let severity = |id| policy.severity(registry::find(id).unwrap());
/// assert_eq!(severity("chunk/unambiguous-lane"), Severity::Allowed);
/// assert_eq!(severity("chunk/repeat-agrees"), Severity::Error);
/// assert_eq!(severity("tool/one-result"), Severity::Warning);
/// assert!(Policy::new(&["chunk/unknown"], &[]).is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Policy {
    allow: Vec<String>,
    deny: Vec<String>,
}

impl Policy {
    /// A policy from requirement ids and groups (`group/*`).
    ///
    /// # Errors
    ///
    /// A sentence about a name that no requirement has.
    pub fn new<S: AsRef<str>>(allow: &[S], deny: &[S]) -> Result<Self, String> {
        let names = |list: &[S]| -> Result<Vec<String>, String> {
            list.iter().map(|name| known(name.as_ref())).collect()
        };
        Ok(Self { allow: names(allow)?, deny: names(deny)? })
    }

    /// What a finding about this requirement counts as.
    pub fn severity(&self, requirement: &Requirement) -> Severity {
        let group = format!("{}/*", requirement.group());
        for name in [requirement.id, &group] {
            if self.deny.iter().any(|denied| denied == name) {
                return Severity::Error;
            }
            if self.allow.iter().any(|allowed| allowed == name) {
                return Severity::Allowed;
            }
        }
        requirement.level.into()
    }

    /// Whether the user allowed the requirement.
    pub fn allows(&self, requirement: &Requirement) -> bool {
        self.severity(requirement) == Severity::Allowed
    }
}

fn known(name: &str) -> Result<String, String> {
    let found = match name.strip_suffix("/*") {
        Some(group) => registry::all().any(|entry| entry.group() == group),
        None => registry::find(name).is_some(),
    };
    if found {
        return Ok(name.to_owned());
    }
    let near = crate::names::nearest(name);
    Err(format!("no requirement is named {}; the nearest is {near}", quote(name)))
}
