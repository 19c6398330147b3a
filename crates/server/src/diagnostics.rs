//! Diagnostics for operators: log lines and spans, on `tracing`.
//!
//! **Invariant:** no line holds text of askers or persons. A value gets into a line only as a `LogValue`, which text
//! from outside is not, and a message only as a literal. Only events of a `LogTarget` are written, so lines of other
//! crates stay out.

mod desk_call;
mod fields;
mod filter;
mod layer;
mod line;
mod request_entry;
mod span;
mod target;
mod value;
mod writer;

pub(crate) use desk_call::{DeskCall, LoggedError, log_failure, log_problem};
pub use filter::LogFilter;
pub use line::LogFormat;
pub(crate) use request_entry::{LoggedCaller, RequestEntry, RequestId};
pub(crate) use span::{record_ask, request_span, tool_span};
pub(crate) use target::LogTarget;
pub(crate) use tracing::Instrument;
pub(crate) use value::log_value;

use jiff::Timestamp;
use layer::LogLayer;
use std::io::Write;
use tracing::Dispatch;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry;
use writer::LogWriter;

/// Writes a line: level, target, message, and fields that are `LogValue`s.
macro_rules! log_event {
    ($level:ident, $target:ident, $message:literal $(, $field:ident = $value:expr)* $(,)?) => {
        ::tracing::event!(
            target: $crate::diagnostics::LogTarget::$target.path(),
            ::tracing::Level::$level,
            { message = $message, $($field = $crate::diagnostics::log_value(&$value),)* }
        )
    };
}

pub(crate) use log_event;

/// Configuration of the log.
#[derive(Debug, Clone, Copy)]
pub struct LogConfig {
    /// Format of the lines.
    pub format: LogFormat,
    /// Lines to write.
    pub filter: LogFilter,
}

/// Guard of the log; on drop, the queued lines are written.
#[derive(Debug)]
#[must_use]
pub struct LogGuard(LogWriter);

impl Drop for LogGuard {
    fn drop(&mut self) {
        self.0.flush();
    }
}

/// Creates a subscriber that writes to `to` on a thread of its own; logging never blocks.
pub(crate) fn dispatch(
    config: LogConfig,
    to: impl Write + Send + 'static,
    now: fn() -> Timestamp,
) -> (Dispatch, LogGuard) {
    let writer = LogWriter::start(to);
    let layer = LogLayer { config, now, writer: writer.clone() };
    (Dispatch::new(registry().with(layer)), LogGuard(writer))
}

/// Writes the log of this process to standard error. If the program has a subscriber already, that one gets the
/// events.
pub fn install(config: LogConfig, now: fn() -> Timestamp) -> LogGuard {
    let (dispatch, guard) = dispatch(config, std::io::stderr(), now);
    // An error means that there is a subscriber already.
    let _ = tracing::dispatcher::set_global_default(dispatch);
    guard
}

/// Log of one thread, until it is dropped.
#[cfg(test)]
pub(crate) struct ThreadLog {
    _subscriber: tracing::dispatcher::DefaultGuard,
    _writer: LogGuard,
}

/// Writes the log of this thread to `to`.
#[cfg(test)]
pub(crate) fn install_on_thread(config: LogConfig, to: impl Write + Send + 'static) -> ThreadLog {
    let (dispatch, guard) = dispatch(config, to, || Timestamp::UNIX_EPOCH);
    ThreadLog { _subscriber: tracing::dispatcher::set_default(&dispatch), _writer: guard }
}

#[cfg(test)]
mod tests;
