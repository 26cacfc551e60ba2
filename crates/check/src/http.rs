//! The head of the response that carries a stream.

use conform_event::quote;

use crate::frames::ResponseHead;

/// What is wrong with the head of a response that carries the events of a run, as a sentence
/// without a full stop.
pub(crate) fn wrong(head: &ResponseHead) -> Option<String> {
    match head.status {
        Some(200) => {}
        Some(status) => return Some(format!("the status is {status}, a run answers 200")),
        // A file of headers may have no status line.
        None if head.version.is_empty() => {}
        None => return Some("the status is no number, a run answers 200".to_owned()),
    }
    let names = head.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    let mut types = names.map(|(_, value)| value.split(';').next().unwrap_or_default().trim());
    let Some(first) = types.next() else {
        return Some("there is no Content-Type, it must be text/event-stream".to_owned());
    };
    let wrong = |media_type: &&str| !media_type.eq_ignore_ascii_case("text/event-stream");
    if wrong(&first) {
        return Some(format!("Content-Type is {}, not text/event-stream", quote(first)));
    }
    // Clients differ in which of several they take.
    let other = types.find(wrong)?;
    Some(format!("a second Content-Type is {}, not text/event-stream", quote(other)))
}

#[cfg(test)]
mod tests {
    use super::wrong;
    use crate::frames::read_heads;

    #[test]
    fn heads() {
        let said = |text: &str| wrong(read_heads(text.as_bytes()).last().unwrap());
        for right in [
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n",
            "HTTP/2 200\r\ncontent-type: Text/Event-Stream; charset=utf-8\r\n\r\n",
            "content-type: text/event-stream\n",
            "HTTP/2 200\r\ncontent-type:text/event-stream;charset=utf-8\r\n\r\n",
            "HTTP/2 200\r\ncontent-type: text/event-stream ;\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\ncontent-type: TEXT/EVENT-STREAM\r\n\r\n",
        ] {
            assert_eq!(said(right), None, "{right}");
        }
        for (head, wrong) in [
            (
                "HTTP/1.1 500 Oops\r\nContent-Type: text/event-stream\r\n\r\n",
                "the status is 500, a run answers 200",
            ),
            ("HTTP/2 204\r\n\r\n", "the status is 204, a run answers 200"),
            ("HTTP/1.1 abc\r\n\r\n", "the status is no number, a run answers 200"),
            (
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n",
                "Content-Type is \"application/json\", not text/event-stream",
            ),
            (
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain; x=text/event-stream\r\n\r\n",
                "Content-Type is \"text/plain\", not text/event-stream",
            ),
            (
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-streams\r\n\r\n",
                "Content-Type is \"text/event-streams\", not text/event-stream",
            ),
            (
                "HTTP/1.1 200 OK\r\nContent-Type:\r\n\r\n",
                "Content-Type is \"\", not text/event-stream",
            ),
            (
                "HTTP/1.1 200 OK\r\nX-Content-Type: text/event-stream\r\n\r\n",
                "there is no Content-Type, it must be text/event-stream",
            ),
            (
                "content-type: text/event-stream\ncontent-type: text/html\n",
                "a second Content-Type is \"text/html\", not text/event-stream",
            ),
        ] {
            assert_eq!(said(head).as_deref(), Some(wrong), "{head}");
        }
    }
}
