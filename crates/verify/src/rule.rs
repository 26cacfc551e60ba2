//! The eight rules.

use std::fmt;

macro_rules! rules {
    ($($variant:ident $name:literal $sentence:literal;)*) => {
        /// The ordering rule that an event broke.
        ///
        /// ```
        /// use conform_verify::Rule;
        /// assert_eq!(Rule::NotOpen.as_str(), "not-open");
        /// assert_eq!(Rule::from_name("not-open"), Some(Rule::NotOpen));
        /// println!("{}: {}", Rule::NotOpen, Rule::NotOpen.describe());
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Rule { $(#[doc = $sentence] $variant,)* }

        impl Rule {
            /// Every rule, in the order of the contract.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The rule's kebab-case name, the one in reports.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The rule in one sentence, for a person reading a log.
            pub const fn describe(self) -> &'static str {
                match self { $(Self::$variant => $sentence,)* }
            }

            /// The rule that a kebab-case name stands for.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

rules! {
    RunEnded "run-ended" "Nothing follows the event that ended the run.";
    DuplicateRunStarted "duplicate-run-started" "A run is started once.";
    DuplicateStart "duplicate-start" "What is open is not opened again, and a finished subagent id is not used again.";
    NotOpen "not-open" "Only what is open can be continued or closed.";
    UnknownId "unknown-id" "A result or a parent names something that was introduced before.";
    OutOfOrder "out-of-order" "A tool call's result comes after its end.";
    OpenAtFinish "open-at-finish" "Everything that was opened is closed before the run finishes.";
    OwnerMismatch "owner-mismatch" "Whoever opened something is the only one to continue or close it.";
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
