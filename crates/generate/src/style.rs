//! The small choices that a number in a plan stands for.

use crate::choose::Choose;

/// How something is written: which optional members it has, which words. All follows from a
/// number in the plan, whatever else the plan has; zero is the plain style, without anything
/// optional.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Style(u64);

impl Style {
    /// Nothing optional, and of all words the first.
    pub(crate) const PLAIN: Self = Self(0);

    /// The style of part `part` of what has this number in the plan.
    pub(crate) fn of(number: u64, part: usize) -> Self {
        Self(number).part(part)
    }

    /// The style of a part of this.
    pub(crate) fn part(self, part: usize) -> Self {
        if self.0 == 0 { self } else { Self(mixed(self.0 ^ mixed(part as u64 + 1)).max(1)) }
    }

    /// A choice of its own for each `what`.
    pub(crate) fn below(self, what: &str, n: usize) -> usize {
        if self.0 == 0 || n == 0 {
            return 0;
        }
        // FNV-1a, which is enough to tell a handful of names apart.
        let hash = what.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        usize::try_from(mixed(self.0 ^ hash) % n as u64).unwrap_or_default()
    }

    /// True once in `n` times; never in the plain style.
    pub(crate) fn one_in(self, what: &str, n: usize) -> bool {
        self.0 != 0 && self.below(what, n) == 0
    }

    /// One of several; in the plain style the first.
    pub(crate) fn pick<T: Copy, const N: usize>(self, what: &str, of: [T; N]) -> T {
        of[self.below(what, N)]
    }

    /// As many choices as are wanted; in the plain style always the first.
    pub(crate) fn choices(self) -> Choices {
        Choices(self.0)
    }
}

/// Choices that follow from a style.
#[derive(Debug, Clone)]
pub(crate) struct Choices(u64);

impl Choose for Choices {
    fn below(&mut self, n: usize) -> usize {
        if self.0 == 0 || n == 0 {
            return 0;
        }
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15).max(1);
        usize::try_from(mixed(self.0) % n as u64).unwrap_or_default()
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.0 != 0 && self.below(n) == 0
    }
}

/// The finalizer of splitmix64.
fn mixed(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
