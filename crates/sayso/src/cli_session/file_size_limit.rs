//! Limit on the size of files (`ulimit -f`): reaching it becomes an error like a full disk, and doesn't end the
//! process.

/// Registers a handler for SIGXFSZ, whose default is to end the process, so that the write fails with EFBIG instead.
/// The signal is not ignored: programs that this one starts would inherit that.
#[cfg(unix)]
pub(crate) fn register_handler() {
    let reached = std::sync::Arc::default();
    // Without the handler the process ends at the limit, as it would have without this call.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, reached);
}

/// Does nothing: other systems have no such signal.
#[cfg(not(unix))]
pub(crate) const fn register_handler() {}
