//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Judges whether producers of AG-UI event streams conform.
///
/// Exit codes: 0 conforms, 1 findings, 2 wrong usage or unreadable input, 3 the target could
/// not be reached or died, 4 something could not be judged, 130 interrupted.
#[derive(Debug, Parser)]
#[command(name = "agui-conform", version, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Judge recorded streams: SSE captures, NDJSON, JSON arrays, told apart by content.
    Check(Check),
    /// Say what a rule or requirement asks for, why, and show an example.
    Explain(Explain),
    /// Print valid or deliberately broken sequences.
    Generate(Generate),
    /// Compare our verifier, our model, our generators and the published `ag-ui` crate for a
    /// time or a count.
    ///
    /// The published crate judges the events of every case as one run. Where it cannot read
    /// one of them, the case is unsupported; where it differs as its ledger does not say, the
    /// soak fails.
    Soak(Soak),
    /// Speak the subject protocol on standard input and output with our own verifier.
    Subject(Subject),
    /// Put an implementation of yours under generated cases, by the subject protocol.
    TestSubject(TestSubject),
    /// Judge whether an append-only run log can be replayed: contract run-log.
    RunLog(RunLog),
    /// Write stored reports in any format, several as one, or compared with an older one.
    Report(Report),
    /// List or replay cases: recorded streams, and what is to be said of them.
    #[command(subcommand)]
    Corpus(Corpus),
    /// Print the completions of a shell.
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print the manual page.
    Man,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Corpus {
    /// List the cases that there are.
    List(Cases),
    /// Replay them: is what is said of each what the case says?
    Run(Cases),
}

#[derive(Debug, Args)]
pub(crate) struct Cases {
    /// Directories of case files, looked through with all that is in them, or single files. The
    /// AG-UI specification's own fixtures are read, too.
    #[arg(value_name = "DIR", default_value = "corpus")]
    pub(crate) directories: Vec<PathBuf>,

    /// Only cases whose name, or path below the directory, is this or fits it (`*`, `?`);
    /// repeatable.
    #[arg(long, value_name = "GLOB")]
    pub(crate) only: Vec<String>,

    /// Leave such cases out, and say why; repeatable.
    #[arg(long, value_name = "GLOB=REASON")]
    pub(crate) skip: Vec<String>,

    /// How to report.
    #[arg(long, value_enum, default_value_t = CasesFormat::Human)]
    pub(crate) format: CasesFormat,

    /// Where to write the report instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CasesFormat {
    Human,
    Json,
    Junit,
    Tap,
}

#[derive(Debug, Args)]
pub(crate) struct Report {
    /// Journals (`--format jsonl`) or report documents (`--format json`); `-` is standard
    /// input. Several are put together, as those of shards.
    #[arg(required = true, value_name = "JOURNAL")]
    pub(crate) journals: Vec<PathBuf>,

    /// An older journal or document: say what broke and what healed since.
    #[arg(long, value_name = "OLD")]
    pub(crate) since: Option<PathBuf>,

    /// How to write it.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,

    /// Where to write it instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// What makes the exit code 1.
    #[arg(long, value_enum, default_value_t = FailOnArgument::Error)]
    pub(crate) fail_on: FailOnArgument,

    /// When to colour it.
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,

    /// Leave out the counts of requirements.
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Files to judge, `-` for standard input; a directory is judged recursively (.sse,
    /// .ndjson, .jsonl, .json), a NAME.input.json beside a stream taken as its request.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// How to report: for a person or as JSON Lines while it comes, or at the end for other
    /// readers.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,

    /// Where to write the report instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Keep what each event does (its type, line, owner and entity), so that `report --format
    /// html` can draw it; memory then grows with every event. `--format html` does so anyway.
    #[arg(long)]
    pub(crate) trace: bool,

    /// Judge whole AG-UI 1.x streams, or single runs by the eight rules alone.
    #[arg(long, value_enum, default_value_t = ScopeArgument::Stream)]
    pub(crate) scope: ScopeArgument,

    /// The specification to judge by; auto is what the stream declares, else the newest.
    #[arg(long, value_enum, default_value_t = Spec::Auto)]
    pub(crate) spec: Spec,

    /// The run input that was sent (JSON).
    #[arg(long, value_name = "FILE")]
    pub(crate) request: Option<PathBuf>,

    /// Status line and headers of the response, as `curl -D FILE` writes them. A capture that
    /// begins with them (`curl -i`) needs no such file.
    #[arg(long, value_name = "FILE")]
    pub(crate) headers: Option<PathBuf>,

    /// Show findings about a requirement (or `group/*`) without counting them; repeatable.
    #[arg(long, value_name = "ID")]
    pub(crate) allow: Vec<String>,

    /// Make findings about a requirement (or `group/*`) errors; repeatable.
    #[arg(long, value_name = "ID")]
    pub(crate) deny: Vec<String>,

    /// What makes the exit code 1.
    #[arg(long, value_enum, default_value_t = FailOnArgument::Error)]
    pub(crate) fail_on: FailOnArgument,

    /// How many findings to show for each input; the rest is counted.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) max_findings: usize,

    /// How long a line or frame may be, in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20)]
    pub(crate) max_frame_bytes: usize,

    /// When to colour the report.
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,

    /// Leave out the counts of requirements.
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// A rule (`not-open`) or a requirement (`tool/open-before-args`); all are listed without.
    #[arg(value_name = "REQUIREMENT|RULE")]
    pub(crate) name: Option<String>,

    /// For a person, or as JSON.
    #[arg(long, value_enum, default_value_t = ExplainFormat::Human)]
    pub(crate) format: ExplainFormat,
}

#[derive(Debug, Args)]
pub(crate) struct Generate {
    /// Valid sequences; this is also what is printed without --fault.
    #[arg(long, conflicts_with = "fault")]
    pub(crate) valid: bool,

    /// Sequences with one fault: RULE (`not-open`), RULE/KIND (`not-open/text-message`), or a
    /// requirement that only stream scope refuses (`chunk/unambiguous-lane`).
    #[arg(long, value_name = "RULE[/KIND]")]
    pub(crate) fault: Option<String>,

    /// How many sequences.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) count: u64,

    /// The seed that they follow from.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub(crate) seed: u64,

    /// How to print them: JSON Lines, a blank line after each sequence; one SSE body; case
    /// files, one a line.
    #[arg(long, value_enum, default_value_t = GenerateFormat::Ndjson)]
    pub(crate) format: GenerateFormat,

    /// Valid as whole streams, or as single runs by the eight rules.
    #[arg(long, value_enum, default_value_t = ScopeArgument::Stream)]
    pub(crate) scope: ScopeArgument,

    /// List the faults that there are: rule, kind, event type and who breaks it.
    #[arg(long)]
    pub(crate) list_faults: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GenerateFormat {
    Ndjson,
    Sse,
    Case,
}

#[derive(Debug, Args)]
pub(crate) struct Soak {
    /// For how long; without it and without --cases, 100000 cases.
    #[arg(long, value_name = "N")]
    pub(crate) seconds: Option<u64>,

    /// How many cases.
    #[arg(long, value_name = "N")]
    pub(crate) cases: Option<u64>,

    /// On how many threads; all that the machine has without it.
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,

    /// The seed that the cases follow from; from the clock without it.
    #[arg(long, value_name = "SEED")]
    pub(crate) seed: Option<u64>,

    /// Only share I of N of the cases.
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,

    /// The directory for the case file of a difference.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) output: PathBuf,
}

/// A share of the cases, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shard {
    pub(crate) index: u64,
    pub(crate) of: u64,
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/');
        let parts = parts.and_then(|(i, n)| Some((i.parse::<u64>().ok()?, n.parse::<u64>().ok()?)));
        match parts {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Self { index: index - 1, of }),
            _ => Err("a shard is I/N with I from 1 to N".to_owned()),
        }
    }
}

impl From<Shard> for (u64, u64) {
    fn from(shard: Shard) -> Self {
        (shard.index, shard.of)
    }
}

#[derive(Debug, Args)]
pub(crate) struct Subject {
    /// What to be.
    #[arg(value_enum)]
    pub(crate) role: Role,

    /// In which scope to judge.
    #[arg(long, value_enum, default_value_t = ScopeArgument::Stream)]
    pub(crate) scope: ScopeArgument,

    /// Answer with the reference model instead of the production verifier.
    #[arg(long)]
    pub(crate) model: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Role {
    /// A verifier: a sequence of events in, a verdict out.
    Verifier,
    /// A validator of run logs: a call in, a report or an error out.
    RunLog,
}

#[derive(Debug, Args)]
pub(crate) struct TestSubject {
    /// What the program is to be.
    #[arg(value_enum)]
    pub(crate) role: TestedRole,

    /// How many cases; without it and without --seconds, 10000.
    #[arg(long, value_name = "N")]
    pub(crate) cases: Option<u64>,

    /// For how long.
    #[arg(long, value_name = "N")]
    pub(crate) seconds: Option<u64>,

    /// The seed that the cases follow from; from the clock without it.
    #[arg(long, value_name = "SEED")]
    pub(crate) seed: Option<u64>,

    /// Only share I of N of the cases.
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,

    /// The known differences (a divergences.toml). A difference that is not listed fails, and
    /// so does an entry that shows no more.
    #[arg(long, value_name = "FILE")]
    pub(crate) ledger: Option<PathBuf>,

    /// How long the program may think about one case, in seconds.
    #[arg(long, value_name = "N", default_value_t = 10.0)]
    pub(crate) timeout: f32,

    /// The program and its arguments.
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    pub(crate) program: Vec<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum TestedRole {
    /// A validator of run logs.
    RunLog,
}

#[derive(Debug, Args)]
pub(crate) struct RunLog {
    /// The log, `-` for standard input: a JSON document (`{"run_id":…,"references":[…]}`, or
    /// the list alone), a reference a line (NDJSON), or CSV.
    #[arg(
        value_name = "FILE",
        required_unless_present = "from_stream",
        conflicts_with = "from_stream"
    )]
    pub(crate) file: Option<PathBuf>,

    /// Derive the log from a recorded AG-UI stream whose events carry numbers and ids, and
    /// judge the stream, too.
    #[arg(
        long,
        value_name = "STREAM",
        requires = "sequence_pointer",
        requires = "event_id_pointer"
    )]
    pub(crate) from_stream: Option<PathBuf>,

    /// Where in an event its sequence number is: a JSON pointer.
    #[arg(long, value_name = "POINTER", requires = "from_stream")]
    pub(crate) sequence_pointer: Option<String>,

    /// Where in an event its id is: a JSON pointer.
    #[arg(long, value_name = "POINTER", requires = "from_stream")]
    pub(crate) event_id_pointer: Option<String>,

    /// How the log is written; auto tells by the name and the beginning.
    #[arg(long, value_enum, default_value_t = LogFormat::Auto)]
    pub(crate) input_format: LogFormat,

    /// The run whose log it is, instead of what the log says.
    #[arg(long, value_name = "ID")]
    pub(crate) run_id: Option<String>,

    /// The number that the log must begin with; 0 without it.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) expected_start: Option<String>,

    /// The number that the run is declared to end with.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) terminal: Option<String>,

    /// A log without references is right.
    #[arg(long)]
    pub(crate) allow_empty: bool,

    /// How to report: for a person, as the contract's canonical JSON, or for CI.
    #[arg(long, value_enum, default_value_t = LogReport::Human)]
    pub(crate) format: LogReport,

    /// Where to write the report instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    Auto,
    Json,
    Ndjson,
    Csv,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogReport {
    Human,
    Json,
    Junit,
    Sarif,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Human,
    Json,
    Jsonl,
    Junit,
    Sarif,
    Tap,
    Github,
    Markdown,
    Html,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExplainFormat {
    Human,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScopeArgument {
    Stream,
    Run,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Spec {
    Auto,
    #[value(name = "1.0")]
    V1_0,
    #[value(name = "1.1")]
    V1_1,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOnArgument {
    Error,
    Warning,
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}
