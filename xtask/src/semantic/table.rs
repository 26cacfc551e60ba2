//! What became of the mutants, for a person.

use std::fmt::{self, Write as _};
use std::time::Duration;

/// A mutant and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) fate: Fate,
}

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fate {
    /// So many cases showed that it differs from the model.
    Caught(u64),
    /// No case showed it.
    Survived,
    /// It is no mutant, and why.
    Bad(String),
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Caught(1) => f.write_str("caught by the first case"),
            Self::Caught(cases) => write!(f, "caught by {cases} cases"),
            Self::Survived => f.write_str("SURVIVED"),
            Self::Bad(message) => write!(f, "BAD: {message}"),
        }
    }
}

/// The table: a line a mutant, then what they have in common.
pub(crate) fn text(rows: &[Row], took: Duration) -> String {
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0).max("mutant".len());
    let mut text = format!("{:<width$} {:>8}\n", "mutant", "cases");
    for Row { name, fate } in rows {
        let cases = match fate {
            Fate::Caught(cases) => cases.to_string(),
            Fate::Survived => "SURVIVED".to_owned(),
            Fate::Bad(_) => "BAD".to_owned(),
        };
        let _ = writeln!(text, "{name:<width$} {cases:>8}");
    }
    for Row { name, fate } in rows {
        match fate {
            Fate::Caught(_) => {}
            Fate::Survived => {
                let _ = writeln!(text, "SURVIVED: {name}");
            }
            Fate::Bad(message) => {
                let _ = writeln!(text, "BAD: {name}: {message}");
            }
        }
    }
    let count = |wanted: fn(&Fate) -> bool| rows.iter().filter(|row| wanted(&row.fate)).count();
    let _ = writeln!(
        text,
        "{} mutants: {} caught, {} survived, {} bad, in {:.1} s",
        rows.len(),
        count(|fate| matches!(fate, Fate::Caught(_))),
        count(|fate| matches!(fate, Fate::Survived)),
        count(|fate| matches!(fate, Fate::Bad(_))),
        took.as_secs_f64(),
    );
    let mut cases: Vec<u64> = rows
        .iter()
        .filter_map(|row| match row.fate {
            Fate::Caught(cases) => Some(cases),
            _ => None,
        })
        .collect();
    if let (Some(median), Some(most)) = (median(&mut cases), cases.last()) {
        let _ = writeln!(text, "cases to catch one: median {median}, max {most}");
    }
    text
}

/// The number in the middle; between two, the lower one and half of the way to the other,
/// rounded down. Sorts the numbers.
fn median(numbers: &mut [u64]) -> Option<u64> {
    numbers.sort_unstable();
    let upper = *numbers.get(numbers.len() / 2)?;
    if numbers.len() % 2 == 1 {
        return Some(upper);
    }
    let lower = numbers[numbers.len() / 2 - 1];
    Some(lower + (upper - lower) / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, fate: Fate) -> Row {
        Row { name: name.to_owned(), fate }
    }

    #[test]
    fn medians() {
        assert_eq!(median(&mut []), None);
        assert_eq!(median(&mut [7]), Some(7));
        assert_eq!(median(&mut [9, 1, 2]), Some(2));
        assert_eq!(median(&mut [8, 1, 3, 100]), Some(5));
        assert_eq!(median(&mut [u64::MAX, u64::MAX]), Some(u64::MAX));
    }

    #[test]
    fn a_table_names_every_mutant_and_who_was_not_caught() {
        let rows = [
            row("a-mutant-with-a-long-name", Fate::Caught(12)),
            row("b", Fate::Survived),
            row("c", Fate::Bad("it does not compile".to_owned())),
            row("d", Fate::Caught(4000)),
        ];
        assert_eq!(
            text(&rows, Duration::from_millis(61_250)),
            "\
mutant                       cases
a-mutant-with-a-long-name       12
b                         SURVIVED
c                              BAD
d                             4000
SURVIVED: b
BAD: c: it does not compile
4 mutants: 2 caught, 1 survived, 1 bad, in 61.2 s
cases to catch one: median 2006, max 4000
"
        );
    }

    #[test]
    fn nothing_caught_has_no_median() {
        let text = text(&[row("a", Fate::Survived)], Duration::ZERO);
        assert!(!text.contains("median"), "{text}");
    }

    #[test]
    fn fates_are_said_in_words() {
        assert_eq!(Fate::Caught(1).to_string(), "caught by the first case");
        assert_eq!(Fate::Caught(2).to_string(), "caught by 2 cases");
        assert_eq!(Fate::Survived.to_string(), "SURVIVED");
        assert_eq!(Fate::Bad("x".to_owned()).to_string(), "BAD: x");
    }
}
