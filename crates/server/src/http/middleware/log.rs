//! Request log: one line per request on standard error.
//!
//! **Invariant:** a line has only the fields of [`RequestEntry`]. There is none for a path, a query, a header or a text, so
//! none can leak into the log.

use jiff::Timestamp;
use sayso_core::wire::json;
use serde::Serialize;
use std::fmt::{self, Write as _};
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Capacity of the queue of lines; lines beyond it are dropped and counted.
const QUEUE_LINES: usize = 4096;

/// Pause of the writer after each write.
const WRITER_PAUSE: Duration = Duration::from_millis(5);

/// Pauses the writer, to batch lines: waking it for each line would cost half as much as logging.
fn pause_writer() {
    #[expect(clippy::disallowed_methods, reason = "what is awaited is that lines gather")]
    thread::sleep(WRITER_PAUSE);
}

/// Format of the lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestLogFormat {
    /// Text for people.
    Text,
    /// JSON for programs, one object per line.
    Json,
}

/// Caller of a request, passed in the extensions of the response.
#[derive(Debug, Clone)]
pub(crate) struct LoggedCaller {
    /// Account of the token.
    pub(crate) account: Arc<str>,
    /// Role of the token.
    pub(crate) role: &'static str,
}

/// Fields of one request.
#[derive(Debug)]
pub(crate) struct RequestEntry<'a> {
    /// Method of the HTTP standard, or `OTHER`.
    pub(crate) method: &'static str,
    /// Template of the route, never the path.
    pub(crate) route: &'a str,
    /// Status; `None` if the client disconnected before the response.
    pub(crate) status: Option<u16>,
    /// Time until the response began.
    pub(crate) took: Duration,
    /// Id of the request.
    pub(crate) id: &'a str,
    /// Caller, if known.
    pub(crate) caller: Option<&'a LoggedCaller>,
}

/// Request log with a background writer; logging never blocks.
#[derive(Clone)]
pub(crate) struct LogSink(Arc<SharedLog>);

struct SharedLog {
    format: RequestLogFormat,
    now: fn() -> Timestamp,
    lost: AtomicU64,
    lines: Option<SyncSender<String>>,
    writer: Mutex<Option<JoinHandle<()>>>,
}

impl fmt::Debug for LogSink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Log").field("format", &self.0.format).finish_non_exhaustive()
    }
}

impl Drop for SharedLog {
    fn drop(&mut self) {
        self.lines = None;
        let writer = self.writer.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        // Queued lines are written before the log is dropped.
        writer.map(JoinHandle::join);
    }
}

impl LogSink {
    /// Creates a log with its own writer thread.
    pub(crate) fn new(
        format: RequestLogFormat,
        mut to: impl Write + Send + 'static,
        now: fn() -> Timestamp,
    ) -> Self {
        let (lines, waiting) = sync_channel::<String>(QUEUE_LINES);
        let writer = thread::spawn(move || {
            while let Ok(mut lines) = waiting.recv() {
                lines.extend(waiting.try_iter());
                // Errors of standard error cannot be reported.
                let _ = to.write_all(lines.as_bytes()).and_then(|()| to.flush());
                pause_writer();
            }
        });
        let inner = SharedLog {
            format,
            now,
            lost: AtomicU64::new(0),
            lines: Some(lines),
            writer: Mutex::new(Some(writer)),
        };
        Self(Arc::new(inner))
    }

    /// Logs a request.
    pub(crate) fn log_request(&self, entry: &RequestEntry<'_>) {
        let lost = self.0.lost.swap(0, Ordering::Relaxed);
        let mut line = match self.0.format {
            RequestLogFormat::Text => entry.to_text((self.0.now)(), lost),
            RequestLogFormat::Json => entry.to_json((self.0.now)(), lost),
        };
        line.push('\n');
        if self.0.lines.as_ref().is_some_and(|lines| lines.try_send(line).is_err()) {
            self.0.lost.fetch_add(lost + 1, Ordering::Relaxed);
        }
    }
}

/// Log line in JSON.
#[derive(Serialize)]
struct JsonLine<'a> {
    time: String,
    level: &'static str,
    method: &'static str,
    route: &'a str,
    status: Option<u16>,
    ms: u64,
    request_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    account: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines_lost: Option<u64>,
}

impl RequestEntry<'_> {
    fn level(&self) -> &'static str {
        match self.status {
            Some(500..) => "error",
            Some(_) | None => "info",
        }
    }

    fn ms(&self) -> u64 {
        u64::try_from(self.took.as_millis()).unwrap_or(u64::MAX)
    }

    fn to_json(&self, now: Timestamp, lost: u64) -> String {
        json::write(&JsonLine {
            time: format_time(now),
            level: self.level(),
            method: self.method,
            route: self.route,
            status: self.status,
            ms: self.ms(),
            request_id: self.id,
            account: self.caller.map(|caller| &*caller.account),
            role: self.caller.map(|caller| caller.role),
            lines_lost: (lost > 0).then_some(lost),
        })
    }

    fn to_text(&self, now: Timestamp, lost: u64) -> String {
        let status = self.status.map_or_else(|| "gone".to_owned(), |status| status.to_string());
        let mut line = format!(
            "{} {:5} {} {} {status} {} ms request_id={}",
            format_time(now),
            self.level(),
            self.method,
            self.route,
            self.ms(),
            self.id
        );
        // Writing to a string cannot fail.
        if let Some(caller) = self.caller {
            let _ = write!(line, " account={} role={}", json::write(&*caller.account), caller.role);
        }
        if lost > 0 {
            let _ = write!(line, " lines_lost={lost}");
        }
        line
    }
}

fn format_time(now: Timestamp) -> String {
    format!("{now:.3}")
}

#[cfg(test)]
mod tests {
    use super::{LogSink, LoggedCaller, QUEUE_LINES, RequestEntry, RequestLogFormat};
    use jiff::Timestamp;
    use std::io::{self, Write};
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    #[derive(Clone, Default)]
    struct LogBuffer(Arc<Mutex<Vec<u8>>>);

    impl Write for LogBuffer {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn entry<'a>(caller: Option<&'a LoggedCaller>, status: Option<u16>) -> RequestEntry<'a> {
        let took = Duration::from_micros(3900);
        RequestEntry { method: "GET", route: "/v1/asks/{id}", status, took, id: "r1", caller }
    }

    fn written(format: RequestLogFormat) -> String {
        let page = LogBuffer::default();
        let caller = LoggedCaller { account: "a \"b\"\n".into(), role: "asker" };
        let log = LogSink::new(format, page.clone(), || Timestamp::UNIX_EPOCH);
        log.log_request(&entry(Some(&caller), Some(200)));
        log.log_request(&entry(None, Some(503)));
        log.log_request(&entry(None, None));
        drop(log);
        String::from_utf8(page.0.lock().unwrap().clone()).unwrap()
    }

    #[test]
    fn text_lines() {
        assert_eq!(
            written(RequestLogFormat::Text),
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
        let written = written(RequestLogFormat::Json);
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
        let log = LogSink::new(RequestLogFormat::Json, slow, || Timestamp::UNIX_EPOCH);
        log.log_request(&entry(None, Some(200)));
        begins.recv().unwrap();
        for _ in 0..QUEUE_LINES + 7 {
            log.log_request(&entry(None, Some(200)));
        }
        let_go.send(()).unwrap();
        begins.recv().unwrap();
        log.log_request(&entry(None, Some(200)));
        drop(let_go);
        drop(log);
        let text = String::from_utf8(page.0.lock().unwrap().clone()).unwrap();
        assert_eq!(text.lines().count(), QUEUE_LINES + 2);
        assert!(text.lines().last().unwrap().contains(r#""lines_lost":7"#));
    }
}
