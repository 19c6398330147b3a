//! Background writer of log lines.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// Capacity of the queue of lines; lines beyond it are dropped and counted.
pub(super) const QUEUE_LINES: usize = 4096;

/// Pause of the writer after each write.
const WRITER_PAUSE: Duration = Duration::from_millis(5);

/// Pauses the writer, to batch lines: waking it for each line would cost half as much as logging.
fn pause_writer() {
    #[expect(clippy::disallowed_methods, reason = "what is awaited is that lines gather")]
    thread::sleep(WRITER_PAUSE);
}

/// Message to the writer.
enum WriterMessage {
    /// A line to write.
    Line(String),
    /// Request for a signal once all earlier lines are written.
    Flush(SyncSender<()>),
}

/// Writer of lines on a thread of its own; logging never blocks.
#[derive(Debug, Clone)]
pub(super) struct LogWriter {
    queue: SyncSender<WriterMessage>,
    lines_lost: Arc<AtomicU64>,
}

impl LogWriter {
    /// Starts the writer.
    pub(super) fn start(mut to: impl Write + Send + 'static) -> Self {
        let (queue, messages) = sync_channel::<WriterMessage>(QUEUE_LINES);
        thread::spawn(move || {
            while let Ok(first_message) = messages.recv() {
                let mut lines = String::new();
                let mut flush_signals = Vec::new();
                for message in std::iter::once(first_message).chain(messages.try_iter()) {
                    match message {
                        WriterMessage::Line(line) => lines.push_str(&line),
                        WriterMessage::Flush(signal) => flush_signals.push(signal),
                    }
                }
                // Errors of standard error cannot be reported.
                let _ = to.write_all(lines.as_bytes()).and_then(|()| to.flush());
                // On drop, the senders signal.
                drop(flush_signals);
                pause_writer();
            }
        });
        Self { queue, lines_lost: Arc::default() }
    }

    /// Queues a line, which is rendered with the number of lines that were dropped before it.
    pub(super) fn write_line(&self, render: impl FnOnce(u64) -> String) {
        let lost = self.lines_lost.swap(0, Ordering::Relaxed);
        let mut line = render(lost);
        line.push('\n');
        if self.queue.try_send(WriterMessage::Line(line)).is_err() {
            self.lines_lost.fetch_add(lost + 1, Ordering::Relaxed);
        }
    }

    /// Waits until all queued lines are written.
    pub(super) fn flush(&self) {
        let (done, flushed) = sync_channel(0);
        if self.queue.send(WriterMessage::Flush(done)).is_ok() {
            // The signal is that the sender is dropped, which is an error here.
            let _ = flushed.recv();
        }
    }
}
