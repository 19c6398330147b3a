//! Tests of the log's lines: their format, and what stays out of them.

use super::writer::QUEUE_LINES;
use super::{
    DeskCall, LogConfig, LogFilter, LogFormat, LoggedCaller, RequestEntry, RequestId, dispatch, log_failure,
    record_ask, request_span,
};
use jiff::Timestamp;
use sayso_core::{AskId, Message, Problem, ProblemCode};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Clone, Default)]
struct LogBuffer(Arc<Mutex<Vec<u8>>>);

impl LogBuffer {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for LogBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn log_entry(caller: Option<&LoggedCaller>, status: Option<u16>) {
    let (took, id) = (Duration::from_micros(3900), RequestId::new("r1").unwrap());
    RequestEntry { method: "GET", route: "/v1/asks/{id}", status, took, id: &id, caller }.log();
}

/// Returns the lines of some work.
fn logged(format: LogFormat, filter: LogFilter, work: impl FnOnce()) -> String {
    let page = LogBuffer::default();
    let (log, guard) = dispatch(LogConfig { format, filter }, page.clone(), || Timestamp::UNIX_EPOCH);
    tracing::dispatcher::with_default(&log, work);
    drop(guard);
    page.text()
}

fn written(format: LogFormat) -> String {
    let caller = LoggedCaller { account: "a \"b\"\n".into(), role: "asker" };
    logged(format, LogFilter::INFO, || {
        log_entry(Some(&caller), Some(200));
        log_entry(None, Some(503));
        log_entry(None, None);
    })
}

#[test]
fn text_lines() {
    assert_eq!(
        written(LogFormat::Text),
        concat!(
            "1970-01-01T00:00:00.000Z info  GET /v1/asks/{id} 200 3 ms request_id=r1 ",
            "account=\"a \\\"b\\\"\\n\" role=asker\n",
            "1970-01-01T00:00:00.000Z error GET /v1/asks/{id} 503 3 ms request_id=r1\n",
            "1970-01-01T00:00:00.000Z info  GET /v1/asks/{id} gone 3 ms request_id=r1\n",
        )
    );
}

#[test]
fn json_lines() {
    let written = written(LogFormat::Json);
    let lines: Vec<_> = written.lines().collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(
        lines[0],
        concat!(
            r#"{"time":"1970-01-01T00:00:00.000Z","level":"info","method":"GET","#,
            r#""route":"/v1/asks/{id}","status":200,"ms":3,"request_id":"r1","#,
            r#""account":"a \"b\"\n","role":"asker"}"#
        )
    );
    assert!(lines[2].contains(r#""status":null"#), "{}", lines[2]);
}

/// Writer that blocks until released, and reports when a write begins.
struct SlowWriter {
    begun: Sender<()>,
    go: Receiver<()>,
    page: LogBuffer,
}

impl Write for SlowWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = self.begun.send(());
        let _ = self.go.recv();
        self.page.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn slow_reader_drops_and_counts_lines() {
    let (begun, begins) = channel();
    let (let_go, go) = channel();
    let page = LogBuffer::default();
    let slow = SlowWriter { begun, go, page: page.clone() };
    let config = LogConfig { format: LogFormat::Json, filter: LogFilter::INFO };
    let (log, guard) = dispatch(config, slow, || Timestamp::UNIX_EPOCH);
    tracing::dispatcher::with_default(&log, || {
        log_entry(None, Some(200));
        begins.recv().unwrap();
        for _ in 0..QUEUE_LINES + 7 {
            log_entry(None, Some(200));
        }
        let_go.send(()).unwrap();
        begins.recv().unwrap();
        log_entry(None, Some(200));
    });
    drop(let_go);
    drop(guard);
    let text = page.text();
    assert_eq!(text.lines().count(), QUEUE_LINES + 2);
    assert!(text.lines().last().unwrap().contains(r#""lines_lost":7"#));
}

/// Problem whose message holds text of an asker.
fn problem(code: ProblemCode) -> Problem {
    Problem::new(code, Message::AskNotFound.with(["canary"]))
}

#[test]
fn event_has_fields_of_its_spans() {
    let text = logged(LogFormat::Json, LogFilter::WARN, || {
        request_span(&RequestId::new("r2").unwrap()).in_scope(|| {
            record_ask(AskId::NIL);
            let work = || Err::<(), _>(problem(ProblemCode::DeskFull));
            let _ = DeskCall::new(&work).run(work);
        });
    });
    let line: Value = serde_json::from_str(&text).unwrap();
    let expected = json!({
        "time": "1970-01-01T00:00:00.000Z", "level": "warn", "target": "desk", "message": "desk call failed",
        "code": "desk_full", "ms": line["ms"], "queued_ms": line["queued_ms"],
        "call": "diagnostics::tests::event_has_fields_of_its_spans", "request_id": "r2", "ask": AskId::NIL,
    });
    assert_eq!(line, expected);
}

#[test]
fn text_events_name_their_target() {
    let text = logged(LogFormat::Text, LogFilter::INFO, || {
        log_event!(
            INFO,
            Http,
            "listener paused",
            ms = Duration::from_secs(2),
            error = io::ErrorKind::NotFound
        );
    });
    assert_eq!(text, "1970-01-01T00:00:00.000Z info  http: listener paused ms=2000 error=NotFound\n");
}

#[test]
fn filtered_and_foreign_events_stay_out() {
    let every = LogFilter::INFO.parse("trace").unwrap();
    let text = logged(LogFormat::Text, every, || {
        tracing::error!("canary");
        tracing::error!(target: "rmcp::service", "canary");
        tracing::error!(target: "sayso", "canary");
        log_failure("acknowledge", Err::<(), _>(problem(ProblemCode::AskNotFound)));
    });
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains("step=acknowledge code=ask_not_found"), "{text}");
    assert!(!text.contains("canary"), "{text}");
    let quiet = LogFilter::INFO.parse("desk=off").unwrap();
    let text = logged(LogFormat::Text, quiet, || {
        log_failure("acknowledge", Err::<(), _>(problem(ProblemCode::DeskFull)));
        log_event!(INFO, Http, "shown");
        log_event!(DEBUG, Http, "hidden");
    });
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.ends_with("http: shown\n"), "{text}");
}
