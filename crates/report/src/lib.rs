//! Reports for people and machines.
//!
//! A [`Writer`] writes a report in one of the formats while the judging goes on; [`Judged`]
//! is what has been judged, and [`Report`] the document of `--format json`.

mod document;
mod human;
mod writer;

pub use document::{
    EntityReport, FailOn, FindingReport, InputReport, Judged, NEWEST_SPEC, NoteReport,
    REPORT_SCHEMA, Report, RequirementReport, Status, Summary, Tool, Verdict,
};
pub use human::printable;
pub use writer::{Format, JOURNAL_SCHEMA, Writer};
