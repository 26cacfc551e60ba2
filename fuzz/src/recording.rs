//! Recorded streams, and how they are judged.

use std::fmt::{self, Write as _};

use arbitrary::{Arbitrary, Unstructured};
use conform_check::frames::Limits;
use conform_check::{Checker, Options, Outcome, Policy, Request, Scope, Version, registry};
use conform_generate::{Choose, Dice, soup};

/// How many bytes at the end of an input choose the options; all zero are the usual ones.
const KNOBS: usize = 8;

/// What names of inputs begin with: words that steer terminals, logs, shells and pages.
const HOSTILE: [&str; 16] = [
    "",
    "\u{202e}",
    "\u{2066}\u{200b}",
    "\u{1b}[31m",
    "\u{1b}]0;",
    "\u{9b}2J",
    "\u{0}\u{7f}\u{8}",
    "a\n::error::",
    "a\r\n::error file=a::",
    "a\u{2028}\u{85}",
    "\t \u{a0}",
    "\"'\\\"",
    "<script>&lt;",
    "$(a)`b`|c",
    "\u{feff}\u{301}\u{e0001}",
    "../-/n",
];

/// Knobs from here on ask for a very long name.
const LONG_NAMES: u8 = 0xf0;

/// A recorded stream: the input up to its last eight bytes, so that a recording and eight
/// zeros make a seed.
pub struct Recording<'a> {
    /// The stream.
    pub bytes: &'a [u8],
    /// How it is judged.
    pub options: Options,
    knobs: [u8; KNOBS],
    request: Option<String>,
}

impl<'a> Arbitrary<'a> for Recording<'a> {
    fn arbitrary(input: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let length = input.len();
        Ok(Self::of(input.bytes(length)?))
    }
}

impl<'a> Recording<'a> {
    fn of(input: &'a [u8]) -> Self {
        let (bytes, tail) = input.split_at(input.len().saturating_sub(KNOBS));
        let mut knobs = [0; KNOBS];
        knobs[..tail.len()].copy_from_slice(tail);
        let mut options = Options::default();
        if knobs[0] % 2 == 1 {
            options.scope = Scope::Run;
        }
        if knobs[1] > 0 {
            options.limits = Limits { frame_bytes: usize::from(knobs[1]) };
        }
        if knobs[2] > 0 {
            options.max_findings = usize::from(knobs[2]) - 1;
        }
        if knobs[3] > 0 {
            let (allow, deny) = policy(knobs[3]);
            options.policy = Policy::new(&[allow], &[deny]).expect("the registry has them");
        }
        let request = (knobs[4] > 0).then(|| soup::input([knobs[4]; 8]).to_string());
        if let Some(text) = &request {
            let request = Request::read(text.as_bytes());
            options.request = Some(request.expect("the generator writes run inputs"));
        }
        options.spec = [None, Some(Version::V1_0), Some(Version::V1_1)][usize::from(knobs[5] % 3)];
        Self { bytes, options, knobs, request }
    }

    /// What the input is called: how the stream starts, and mostly what no file should be
    /// called before it.
    pub(crate) fn name(&self) -> String {
        let start = String::from_utf8_lossy(&self.bytes[..self.bytes.len().min(12)]);
        let [.., knob, _] = self.knobs;
        let hostile = HOSTILE[usize::from(knob) % HOSTILE.len()];
        let times = if knob < LONG_NAMES { 1 } else { 1024 };
        format!("{}{start}.sse", hostile.repeat(times))
    }

    /// The stream in pieces, empty ones among them.
    pub(crate) fn pieces(&self) -> Vec<&'a [u8]> {
        let [.., a, b, c] = self.knobs;
        let mut dice = Dice::of(u64::from_le_bytes([a, b, c, 0, 0, 0, 0, 0]));
        let most = [2, 8, 64, 1024][dice.below(4)];
        let mut rest = self.bytes;
        let mut pieces = Vec::new();
        while !rest.is_empty() {
            let (piece, more) = rest.split_at(dice.below(most).min(rest.len()));
            pieces.push(piece);
            rest = more;
        }
        pieces
    }

    /// What the checker finds in it, given these pieces.
    pub(crate) fn judged<'p>(&self, pieces: impl IntoIterator<Item = &'p [u8]>) -> Outcome {
        let mut checker = Checker::new(self.options.clone());
        for piece in pieces {
            checker.push(piece);
        }
        checker.finish()
    }
}

/// What is allowed and what is denied by this byte.
fn policy(byte: u8) -> (String, String) {
    let ids: Vec<_> = registry::all().collect();
    let entry = |at: usize| ids[at % ids.len()];
    let (one, other) = (entry(usize::from(byte)), entry(usize::from(byte) * 7));
    let group = format!("{}/*", one.group());
    if byte % 2 == 0 { (group, other.id.to_owned()) } else { (other.id.to_owned(), group) }
}

/// The commands that judge it.
impl fmt::Debug for Recording<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for &byte in self.bytes {
            match byte {
                b'\n' => text.push_str("\\n"),
                b'\'' | b'\\' => write!(text, "\\x{byte:02x}")?,
                b' '..=b'~' => text.push(char::from(byte)),
                _ => write!(text, "\\x{byte:02x}")?,
            }
        }
        writeln!(f)?;
        if let Some(request) = &self.request {
            writeln!(f, "echo '{request}' > request.json")?;
        }
        write!(f, "printf '%b' '{text}' | agui-conform check --scope ")?;
        f.write_str(self.options.scope.as_str())?;
        if self.request.is_some() {
            f.write_str(" --request request.json")?;
        }
        if self.knobs[1] > 0 {
            write!(f, " --max-frame-bytes {}", self.options.limits.frame_bytes)?;
        }
        if self.knobs[2] > 0 {
            write!(f, " --max-findings {}", self.options.max_findings)?;
        }
        if self.knobs[3] > 0 {
            let (allow, deny) = policy(self.knobs[3]);
            write!(f, " --allow '{allow}' --deny '{deny}'")?;
        }
        if let Some(spec) = self.options.spec {
            write!(f, " --spec {spec}")?;
        }
        writeln!(f, " -")?;
        // A name cannot be given to standard input; only `reports` looks at it.
        writeln!(f, "# in reports it is called {:?}", self.name())
    }
}
