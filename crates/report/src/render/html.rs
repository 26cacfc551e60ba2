//! One page of HTML, with nothing from elsewhere: the verdict, each finding, each requirement,
//! and the events in swimlanes.

mod lanes;

use std::fmt::Write as _;
use std::io::{self, Write};

use serde_json::json;

use super::{clean, incomplete, place, printable, skipped, warns};
use crate::document::{FindingReport, InputReport, Report, Status, Verdict};
use crate::human::number as counted;
use lanes::Picture;

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/lanes.js");

pub(super) fn write(report: &Report<'_>, output: &mut impl Write) -> io::Result<()> {
    let verdict = report.verdict.as_str();
    write!(
        output,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <title>agui-conform: {verdict}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n"
    )?;
    let summary = report.summary;
    write!(
        output,
        "<h1>agui-conform: <span class=\"verdict {}\">{verdict}</span></h1>\n\
         <p class=\"quiet\">{} {}, AG-UI {}, {} scope</p>\n<ul class=\"counts\">",
        class(report.verdict),
        text(&report.tool.name),
        text(&report.tool.version),
        text(&report.spec),
        text(&report.scope),
    )?;
    for (count, what) in [
        (summary.passed, "passed"),
        (summary.failed, "failed"),
        (summary.unsupported, "unsupported"),
        (summary.not_judged, "not judged"),
    ] {
        write!(output, "<li>{count} {what}</li>")?;
    }
    let (errors, warnings) =
        (counted(summary.errors, "error"), counted(summary.warnings, "warning"));
    write!(output, "<li>{errors}</li><li>{warnings}</li>")?;
    output.write_all(b"</ul>\n")?;
    for (number, input) in report.inputs.iter().enumerate() {
        write_input(number, input, output)?;
    }
    requirements(report, output)?;
    features(report, output)?;
    write!(output, "</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n")
}

fn write_input(number: usize, input: &InputReport<'_>, output: &mut impl Write) -> io::Result<()> {
    write!(
        output,
        "<section>\n<h2>{}: <span class=\"verdict {}\">{}</span></h2>\n\
         <p class=\"quiet\">{}, {}, {}, {}</p>\n",
        text(&printable(&input.name)),
        class(input.verdict),
        input.verdict.as_str(),
        text(input.format.as_deref().unwrap_or("empty")),
        counted(input.events, "event"),
        counted(input.runs, "run"),
        counted(input.bytes, "byte"),
    )?;
    if input.verdict == Verdict::Incomplete {
        writeln!(output, "<p>{}</p>", text(&incomplete(input)))?;
    }
    for (index, finding) in input.findings.iter().enumerate() {
        write_finding(number, index, input, finding, output)?;
    }
    match &input.trace {
        Some(trace) if !trace.is_empty() => write_lanes(number, input, output)?,
        Some(_) => {}
        None => writeln!(
            output,
            "<p class=\"quiet\">The events are not drawn: they were not kept (--trace).</p>"
        )?,
    }
    output.write_all(b"</section>\n")
}

fn write_finding(
    number: usize,
    index: usize,
    input: &InputReport<'_>,
    finding: &FindingReport<'_>,
    output: &mut impl Write,
) -> io::Result<()> {
    let level = if finding.consequence_of.is_some() { "follows" } else { &*finding.level };
    let rule = finding.rule.as_ref().map(|rule| format!(" ({rule})")).unwrap_or_default();
    let drawn = |event: u64| input.trace.as_ref().is_some_and(|t| (t.len() as u64) > event);
    let event = |event: u64| {
        if drawn(event) {
            format!("<a href=\"#i{number}-e{event}\">event {event}</a>")
        } else {
            format!("event {event}")
        }
    };
    write!(
        output,
        "<article class=\"finding {}\" id=\"i{number}-f{index}\">\n\
         <h3>{} #{index} {}{}</h3>\n<p class=\"mono\">{}</p>\n<p>{}</p>\n",
        text(level),
        text(level),
        text(&finding.requirement),
        text(&rule),
        text(&place(&input.name, finding)),
        text(&finding.message),
    )?;
    let mut links = String::new();
    if let Some(at) = finding.event.filter(|at| drawn(*at)) {
        let _ = write!(links, "See {}", event(at));
    }
    if let Some(related) = finding.related_event {
        let start = if links.is_empty() { "See" } else { ", and" };
        let _ = write!(links, "{start} {}, which explains it", event(related));
    }
    if !links.is_empty() {
        writeln!(output, "<p>{links}.</p>")?;
    }
    match finding.consequence_of {
        Some(cause) => writeln!(
            output,
            "<p>It would not be wrong if <a href=\"#i{number}-f{cause}\">#{cause}</a> were right.</p>"
        )?,
        None => writeln!(
            output,
            "<p><strong>Right:</strong> {} <a href=\"{}\">Specification</a>{}</p>",
            text(&finding.help),
            link(&finding.spec),
            if finding.since == "house" { " (it is silent; this is a house rule)" } else { "" }
        )?,
    }
    if let Some(trace) = &input.trace {
        around(number, trace, finding, output)?;
    }
    output.write_all(b"</article>\n")
}

/// The events around a finding, for paper and for those without the script.
fn around(
    number: usize,
    trace: &[crate::document::TraceReport<'_>],
    finding: &FindingReport<'_>,
    output: &mut impl Write,
) -> io::Result<()> {
    let Some(at) = finding.event.and_then(|at| usize::try_from(at).ok()) else { return Ok(()) };
    let related = finding.related_event.and_then(|at| usize::try_from(at).ok());
    let near = at.saturating_sub(3)..(at + 3).min(trace.len());
    let shown: Vec<usize> =
        related.filter(|related| !near.contains(related)).into_iter().chain(near).collect();
    output.write_all(
        b"<div class=\"wide\"><table class=\"around\"><thead><tr><th>event</th><th>line</th>\
          <th>type</th><th>owner</th><th>about</th></tr></thead><tbody>\n",
    )?;
    for index in shown {
        let Some(event) = trace.get(index) else { continue };
        let mark = match index {
            index if index == at => " class=\"broken\"",
            index if Some(index) == related => " class=\"related\"",
            _ => "",
        };
        let about = event.entity.as_ref().map(|e| format!("{} {}", e.kind, lanes::shown(&e.id)));
        // As in the lanes, a subagent's own lifecycle is its own.
        let own = event.entity.as_ref().filter(|entity| entity.kind == "subagent");
        let owner = own.map(|entity| &*entity.id).or(event.owner.as_deref());
        writeln!(
            output,
            "<tr{mark}><td><a href=\"#i{number}-e{index}\">{index}</a></td><td>{}</td><td>{}</td>\
             <td>{}</td><td>{}</td></tr>",
            event.line,
            text(event.event_type.as_deref().unwrap_or("(no type)")),
            text(&owner.map_or_else(|| "parent agent".to_owned(), lanes::shown)),
            text(&about.unwrap_or_default()),
        )?;
    }
    output.write_all(b"</tbody></table></div>\n")
}

fn write_lanes(number: usize, input: &InputReport<'_>, output: &mut impl Write) -> io::Result<()> {
    let trace = input.trace.as_deref().unwrap_or_default();
    let mut data = Picture::of(trace).json(trace);
    data["findings"] = input
        .findings
        .iter()
        .enumerate()
        .map(|(index, finding)| {
            json!({
                "index": index,
                "event": finding.event,
                "related": finding.related_event,
                "title": format!("{}: {}", finding.requirement, clean(&finding.message)),
            })
        })
        .collect();
    // Nothing in it ends the element that it is in.
    let data = data.to_string().replace('<', "\\u003c");
    let mut keys = String::new();
    for (class, name) in [
        ("text", "message"),
        ("tool", "tool call"),
        ("reasoning", "reasoning"),
        ("step", "step"),
        ("activity", "activity"),
        ("subagent", "subagent"),
    ] {
        let _ = write!(keys, "<span class=\"key kind-{class}\">{name}</span>");
    }
    write!(
        output,
        "<div class=\"lanes\" data-input=\"{number}\" hidden>\n<div class=\"tools\">\
         <button type=\"button\" data-previous>previous finding</button>\
         <button type=\"button\" data-next>next finding</button>{keys}</div>\n\
         <div class=\"view\" tabindex=\"0\" role=\"region\" aria-label=\"Events of {}: arrow keys \
         move, n and p go to findings, Enter opens one\"><div class=\"field\"></div></div>\n\
         <div class=\"detail\" aria-live=\"polite\"></div>\n\
         <script type=\"application/json\">{data}</script>\n</div>\n",
        text(&printable(&input.name)),
    )
}

fn requirements(report: &Report<'_>, output: &mut impl Write) -> io::Result<()> {
    output.write_all(b"<section>\n<h2>Requirements</h2>\n")?;
    for (status, warning, title, open) in [
        (Status::Fail, false, "Failed", " open"),
        (Status::Fail, true, "Warnings", " open"),
        (Status::Allowed, true, "Broken, and allowed", ""),
        (Status::Pass, true, "Passed", ""),
        (Status::NotExercised, true, "Not exercised", ""),
        (Status::NotJudged, true, "Not judged", ""),
    ] {
        let of = report.requirements.iter().filter(|r| r.status == status);
        let of: Vec<_> =
            of.filter(|r| status != Status::Fail || warns(report, &r.id) == warning).collect();
        if of.is_empty() {
            continue;
        }
        write!(
            output,
            "<details{open}><summary>{title}: {}</summary>\n<div class=\"wide\"><table><thead><tr>\
             <th>requirement</th><th>level</th><th>status</th><th>checked</th><th>findings</th>\
             </tr></thead><tbody>\n",
            of.len()
        )?;
        for requirement in of {
            let status = skipped(requirement).unwrap_or(match (requirement.status, warning) {
                (Status::Pass, _) => "pass",
                (_, true) => "warning",
                _ => "fail",
            });
            writeln!(
                output,
                "<tr><td>{}</td><td>{}</td><td>{status}</td><td>{}</td><td>{}</td></tr>",
                text(&requirement.id),
                text(&requirement.level),
                requirement.checked,
                requirement.findings
            )?;
        }
        output.write_all(b"</tbody></table></div></details>\n")?;
    }
    output.write_all(b"</section>\n")
}

fn features(report: &Report<'_>, output: &mut impl Write) -> io::Result<()> {
    output.write_all(b"<section>\n<h2>What was exercised</h2>\n<ul class=\"counts\">")?;
    for (feature, count) in &report.features {
        let quiet = if *count == 0 { " class=\"quiet\"" } else { "" };
        write!(output, "<li{quiet}>{}: {count}</li>", text(feature))?;
    }
    output.write_all(b"</ul>\n</section>\n")
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Fail => "fail",
        Verdict::Incomplete => "warn",
    }
}

/// Text, in an element or an attribute.
fn text(text: &str) -> String {
    clean(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

/// A link that goes to the specification or nowhere: a report may have come from anybody.
fn link(url: &str) -> String {
    if url.starts_with("https://") { text(url) } else { "#".to_owned() }
}
