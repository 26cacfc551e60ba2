//! Whole numbers, read from their text: no precision is lost on the way.

/// What a JSON number is, where a whole one is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    /// A whole number, however it was written: `1000`, `1e3` and `1000.0` are one.
    Whole(i64),
    /// A whole number beyond 64 bits.
    Beyond,
    /// Not a whole number.
    Broken,
}

/// Reads the text of a JSON number.
pub(super) fn read(text: &str) -> Number {
    if let Ok(whole) = text.parse() {
        return Number::Whole(whole);
    }
    let (negative, magnitude) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (digits, exponent) = match magnitude.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, read_exponent(exponent)),
        None => (magnitude, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    // The number is the digits times ten to the power `scale`, counted from the last
    // digit that is not zero.
    let all = || whole.bytes().chain(fraction.bytes());
    let trailing = all().rev().take_while(|digit| *digit == b'0').count();
    let significant = all().count() - trailing;
    if significant == 0 {
        return Number::Whole(0);
    }
    let count = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let scale = exponent.saturating_sub(count(fraction.len())).saturating_add(count(trailing));
    if scale < 0 {
        return Number::Broken;
    }
    let mut value = Some(0_i64);
    let mut push = |digit: u8| {
        value = value
            .and_then(|v| v.checked_mul(10))
            .and_then(|v| v.checked_add(i64::from(digit - b'0')));
        value.is_some()
    };
    let fits = all().take(significant).all(&mut push) && (0..scale).all(|_| push(b'0'));
    match value {
        Some(value) if fits => Number::Whole(if negative { -value } else { value }),
        _ => Number::Beyond,
    }
}

/// The exponent; one that does not fit is as far away as can be.
fn read_exponent(text: &str) -> i64 {
    match text.parse() {
        Ok(exponent) => exponent,
        Err(_) if text.starts_with('-') => i64::MIN,
        Err(_) => i64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::{Number, read};

    #[test]
    fn whole_numbers_are_told_by_value_not_by_spelling() {
        for (text, value) in [
            ("0", 0),
            ("-0", 0),
            ("-0.000e-7", 0),
            ("0e99999999999999999999", 0),
            ("1.0", 1),
            ("10.50e1", 105),
            ("100e-2", 1),
            ("-1e3", -1000),
            ("1.5E+1", 15),
            ("0.001e3", 1),
            ("9007199254740991.0", 9_007_199_254_740_991),
        ] {
            assert_eq!(read(text), Number::Whole(value), "{text}");
        }
    }

    #[test]
    fn fractions_and_giants() {
        for text in ["0.5", "1e-1", "1.05e1", "9007199254740991.4", "1e-99999999999999999999"] {
            assert_eq!(read(text), Number::Broken, "{text}");
        }
        for text in ["9223372036854775808", "1e19", "-1e400", "1e99999999999999999999"] {
            assert_eq!(read(text), Number::Beyond, "{text}");
        }
    }
}
