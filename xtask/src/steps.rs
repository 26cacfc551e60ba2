//! What `cargo xtask test` and `cargo xtask nightly` run: one row a step.

/// One step: a row of the tables below.
#[derive(Debug)]
pub(crate) struct Step {
    /// What it is called in the output.
    pub(crate) name: &'static str,
    /// What would go unnoticed without it.
    pub(crate) why: &'static str,
    /// The program and its arguments, run in the repository's root.
    pub(crate) command: &'static [&'static str],
    /// Environment variables, besides [`ENVIRONMENT`].
    pub(crate) env: &'static [(&'static str, &'static str)],
    /// What must be installed; without it the step is skipped, loudly.
    pub(crate) needs: &'static [Need],
    /// What runs instead, loudly, where something needed is missing. Empty: nothing.
    pub(crate) instead: &'static [&'static str],
    /// Whether `--quick` runs it too.
    pub(crate) quick: bool,
}

/// Something that a step needs and a machine may not have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Need {
    /// What it is called.
    pub(crate) tool: &'static str,
    /// A command that succeeds where it is installed.
    pub(crate) probe: &'static [&'static str],
    /// How to get it.
    pub(crate) install: &'static str,
}

/// What every step gets: no snapshot is ever written by a test run.
pub(crate) const ENVIRONMENT: &[(&str, &str)] = &[("CI", "true"), ("INSTA_UPDATE", "no")];

const NEXTEST: Need = Need {
    tool: "cargo-nextest",
    probe: &["cargo", "nextest", "--version"],
    install: "cargo install cargo-nextest --locked",
};

/// cargo-fuzz itself is installed by the command; a toolchain is not taken without asking.
pub(crate) const NIGHTLY_RUST: Need = Need {
    tool: "nightly Rust",
    probe: &["cargo", "+nightly", "--version"],
    install: "rustup toolchain install nightly --profile minimal",
};

/// What a row has where it says nothing else.
const STEP: Step =
    Step { name: "", why: "", command: &[], env: &[], needs: &[], instead: &[], quick: true };

/// `cargo xtask test`. The last row is the tests, so that the output ends with their summary.
pub(crate) const TEST: &[Step] = &[
    Step {
        name: "format",
        why: "the sources are formatted",
        command: &["cargo", "fmt", "--all", "--check"],
        ..STEP
    },
    Step {
        name: "clippy",
        why: "no warning, in the tests neither",
        command: &["cargo", "clippy", "--workspace", "--all-targets", "--", "-D", "warnings"],
        ..STEP
    },
    Step {
        name: "clippy-no-default-features",
        why: "conform-verify has no warning without its features",
        command: &[
            "cargo",
            "clippy",
            "-p",
            "conform-verify",
            "--no-default-features",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ],
        ..STEP
    },
    Step {
        name: "rustdoc",
        why: "the documentation builds and no link in it is broken",
        command: &["cargo", "doc", "--workspace", "--no-deps"],
        env: &[("RUSTDOCFLAGS", "-D warnings")],
        quick: false,
        ..STEP
    },
    Step {
        name: "build-release",
        why: "the command builds as it is shipped; the printed commands are run with it",
        command: &["cargo", "build", "--release", "-p", "agui-conform"],
        quick: false,
        ..STEP
    },
    Step {
        name: "doctests",
        why: "the examples in the documentation hold",
        command: &["cargo", "test", "--workspace", "--doc"],
        ..STEP
    },
    Step {
        name: "tests-no-default-features",
        why: "conform-verify works without its features",
        command: &["cargo", "test", "-p", "conform-verify", "--no-default-features"],
        ..STEP
    },
    Step {
        name: "tests-release",
        why: "the messages of a release build, which leave out the debug dump",
        command: &["cargo", "test", "-p", "conform-verify", "--release"],
        quick: false,
        ..STEP
    },
    Step {
        name: "fuzz",
        why: "no fuzz target fails in its first seconds",
        command: &["cargo", "xtask", "fuzz", "--seconds", "20"],
        needs: &[NIGHTLY_RUST],
        quick: false,
        ..STEP
    },
    Step {
        name: "tests",
        why: "everything else",
        command: &["cargo", "nextest", "run", "--workspace", "--no-fail-fast"],
        needs: &[NEXTEST],
        instead: &["cargo", "test", "--workspace", "--all-targets", "--no-fail-fast"],
        ..STEP
    },
];

/// `cargo xtask nightly`, after everything in [`TEST`].
pub(crate) const NIGHTLY: &[Step] = &[
    Step {
        name: "properties-long",
        why: "sixteen times as many cases, where a property leaves the number to proptest",
        command: &["cargo", "test", "--workspace", "--lib", "--bins", "--tests"],
        env: &[("PROPTEST_CASES", "4096")],
        ..STEP
    },
    Step {
        name: "fuzz-long",
        why: "no fuzz target fails in ten minutes",
        command: &["cargo", "xtask", "fuzz", "--seconds", "600"],
        needs: &[NIGHTLY_RUST],
        ..STEP
    },
    Step {
        name: "mutants",
        why: "every small change to the verifier makes some test fail",
        command: &["cargo", "xtask", "mutants"],
        ..STEP
    },
    Step {
        name: "semantic-mutants",
        why: "the engine notices when the verifier means something else",
        command: &["cargo", "xtask", "mutants", "--semantic"],
        ..STEP
    },
];

/// `cargo xtask docs`: the pages that are made of something else.
pub(crate) const DOCS: &[Step] = &[Step {
    name: "requirements",
    why: "docs/requirements is written anew, from the registry",
    command: &[
        "cargo",
        "test",
        "--quiet",
        "-p",
        "conform-check",
        "--test",
        "requirement_docs",
        "--",
        "--exact",
        "the_documentation_is_what_the_registry_says",
    ],
    env: &[("UPDATE_DOCS", "true")],
    ..STEP
}];
