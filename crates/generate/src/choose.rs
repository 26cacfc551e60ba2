//! Where the generators' choices come from.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A source of choices: a seeded random generator, or bytes that a fuzzer made up.
pub trait Choose {
    /// A number below `n`; 0 where `n` is 0.
    fn below(&mut self, n: usize) -> usize;

    /// True once in `n` times.
    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of several.
    fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T>
    where
        Self: Sized,
    {
        of.get(self.below(of.len()))
    }
}

/// Choices that follow from a seed, the same on every machine and in every version.
///
/// ```
/// use conform_generate::{Choose, Dice};
/// assert_eq!(Dice::of(7).below(1000), Dice::of(7).below(1000));
/// ```
#[derive(Debug, Clone)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// The choices of a seed.
    pub fn of(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// The choices of case `case` under a seed, whatever was drawn for the others.
    pub fn of_case(seed: u64, case: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(case);
        Self(rng)
    }

    /// Eight bytes, for what is cooked from recipes.
    pub fn recipe(&mut self) -> [u8; 8] {
        self.0.next_u64().to_le_bytes()
    }
}

impl Choose for Dice {
    fn below(&mut self, n: usize) -> usize {
        // The bias of the remainder is below 2^-32 for the small numbers that are drawn.
        let drawn = self.0.next_u64() % (n as u64).max(1);
        usize::try_from(drawn).unwrap_or_default()
    }
}

/// Choices read from bytes; when they run out, every choice is the first one.
#[derive(Debug, Clone)]
pub struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    /// Choices that these bytes make.
    pub fn of(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }
}

impl Choose for Bytes<'_> {
    fn below(&mut self, n: usize) -> usize {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        let mut value = usize::from(*first);
        if n > 256
            && let Some((second, rest)) = self.0.split_first()
        {
            self.0 = rest;
            value = value << 8 | usize::from(*second);
        }
        if n == 0 { 0 } else { value % n }
    }
}
