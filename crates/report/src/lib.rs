//! Reports for people and machines.
//!
//! A [`Writer`] writes a report in one of the formats while the judging goes on; [`Judged`]
//! is what has been judged, and [`Report`] the document of `--format json`. A [`Journal`] is
//! read back, merged with others, and written in any format by [`render()`].

mod document;
mod human;
mod journal;
mod judged;
mod render;
mod since;
mod suite;
mod writer;

pub use document::{
    EntityReport, FindingReport, InputReport, NoteReport, REPORT_SCHEMA, Report, RequirementReport,
    Status, Summary, Text, Tool, TraceReport, Verdict,
};
pub use human::printable;
pub use journal::{Journal, JournalError};
pub use judged::{FailOn, Judged, NEWEST_SPEC};
pub use render::junit::write_junit;
pub use render::render;
pub use render::sarif::uri;
pub use render::tap::write_tap;
pub use since::{Change, Changes};
pub use suite::{Suite, Test, TestResult};
pub use writer::{Format, JOURNAL_SCHEMA, Writer};
