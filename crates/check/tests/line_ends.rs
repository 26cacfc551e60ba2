//! A CR at the very end of a frame is told after the frame, and is a finding about it.

use conform_check::{Checker, Options};

#[test]
fn a_late_carriage_return_belongs_to_its_frame() {
    let (start, end) = (r#"data: {"type":"RUN_STARTED"}"#, r#"data: {"type":"RUN_FINISHED"}"#);
    for (stream, event, byte) in [
        (format!("{start}\n\r{end}\n\n"), 0, start.len() + 1),
        (format!("{start}\n\n{end}\n\r"), 1, start.len() + end.len() + 3),
    ] {
        let mut checker = Checker::new(Options::default());
        checker.push(stream.as_bytes());
        let findings = checker.finish().findings;
        // The events are short, and their shape is wrong.
        let found: Vec<_> = findings
            .iter()
            .filter(|f| f.requirement.group() == "sse")
            .map(|f| (f.requirement.id, f.event, f.line, f.byte))
            .collect();
        let line = 2 * event + 2;
        assert_eq!(found, [("sse/line-feeds", Some(event), Some(line), Some(byte as u64))]);
    }
}
