//! Known differences of a subject in the role `run-log`.

use serde::Deserialize;

/// The ledger of one subject.
///
/// ```
/// let ledger = conform_subject::RunLogLedger::parse(r#"
/// subject = "openmed"
/// version = "3.1.0"
/// role = "run-log"
/// [[divergence]]
/// name = "an-object-is-iterated"
/// expected = "references: invalid_sequence"
/// said = "references: invalid_reference_type"
/// reason = "It iterates the keys of an object."
/// fault = "subject"
/// witness = '{"run_id":"r","references":{"other":1}}'
/// "#).unwrap();
/// assert_eq!(ledger.divergences.len(), 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunLogLedger {
    /// The subject's name.
    pub subject: String,
    /// Its version.
    pub version: String,
    /// `run-log`
    pub role: String,
    /// The differences.
    #[serde(default, rename = "divergence")]
    pub divergences: Vec<RunLogDivergence>,
}

/// A known difference.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunLogDivergence {
    /// What it is called.
    pub name: String,
    /// What the model says: see [`said_of`](crate::said_of).
    pub expected: String,
    /// What the subject says.
    pub said: String,
    /// Why.
    pub reason: String,
    /// Whose fault it is.
    pub fault: String,
    /// A call that shows it, as JSON.
    pub witness: String,
}

impl RunLogLedger {
    /// A ledger without entries.
    pub fn empty() -> Self {
        Self {
            subject: String::new(),
            version: String::new(),
            role: "run-log".to_owned(),
            divergences: Vec::new(),
        }
    }

    /// Reads a ledger.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and where.
    pub fn parse(text: &str) -> Result<Self, String> {
        let ledger: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        if ledger.role != "run-log" {
            return Err("it is of another role than run-log".to_owned());
        }
        Ok(ledger)
    }

    pub(super) fn known(&self, expected: &str, said: &str) -> Option<&RunLogDivergence> {
        self.divergences.iter().find(|known| known.expected == expected && known.said == said)
    }
}
