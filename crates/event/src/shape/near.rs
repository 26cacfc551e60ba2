//! Names that are nearly right.

/// Longer names are no misspelling of a known one.
const LONGEST: usize = 64;

/// How far a name is from a known one, where that is near: 0 where only case and
/// separators differ, else the number of letters to change.
pub(super) fn distance(name: &str, known: &str) -> Option<usize> {
    if name.len() > LONGEST {
        return None;
    }
    let (name, known) = (letters(name), letters(known));
    if name == known {
        return Some(0);
    }
    // Short names are near to too much.
    let most = match known.len() {
        0..4 => 0,
        4..8 => 1,
        _ => 2,
    };
    if name.len().abs_diff(known.len()) > most {
        return None;
    }
    let distance = edits(&name, &known);
    (distance <= most).then_some(distance)
}

/// The nearest of several known names, the first among equals, and how far it is.
pub(super) fn nearest<'k>(
    name: &str,
    known: impl Iterator<Item = &'k str>,
) -> Option<(usize, &'k str)> {
    known.filter_map(|k| Some((distance(name, k)?, k))).min_by_key(|(distance, _)| *distance)
}

/// The letters and digits of a name, in lower case.
fn letters(name: &str) -> Vec<char> {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Letters put in, left out, replaced, and neighbours exchanged.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let replaced = above[j] + usize::from(a[i] != b[j]);
            let mut least = replaced.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn case_and_separators_are_no_distance() {
        for name in ["message_id", "MessageId", "message-id", "MESSAGEID", "messageID"] {
            assert_eq!(distance(name, "messageId"), Some(0), "{name}");
        }
    }

    #[test]
    fn misspellings_are_near_and_other_names_are_not() {
        assert_eq!(distance("mesageId", "messageId"), Some(1));
        assert_eq!(distance("messgaeId", "messageId"), Some(1));
        assert_eq!(distance("detla", "delta"), Some(1));
        assert_eq!(distance("dta", "delta"), None);
        assert_eq!(distance("is", "id"), None);
        assert_eq!(distance("threadId", "runId"), None);
        assert_eq!(distance(&"messageId".repeat(100), "messageId"), None);
        assert_eq!(distance("", "id"), None);
    }

    #[test]
    fn the_first_of_the_nearest_wins() {
        let known = || ["parentRunId", "runId", "run_id"].into_iter();
        assert_eq!(nearest("runID", known()), Some((0, "runId")));
        assert_eq!(nearest("walkId", known()), None);
    }
}
