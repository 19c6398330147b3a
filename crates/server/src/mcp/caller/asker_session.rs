//! Sessions of askers: which are of this process, and which of a host that has ended.

use sayso_core::model::actor::ProcessId;
use sayso_desk::process;
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// Prefix of a session that is a process.
const PROCESS: &str = "process:";
/// Most sessions that are remembered; then it begins again.
const MAX_SESSIONS: usize = 1_000;

/// Returns the session of a host that tells none: its process.
pub fn process_session(host: ProcessId) -> String {
    format!("{PROCESS}{}.{}", host.pid, host.started)
}

/// Returns whether a session is a process that has ended. Its server may still be about to notice.
pub(crate) fn has_ended(session: &str) -> bool {
    let host = session.strip_prefix(PROCESS).and_then(|host| {
        let (pid, started) = host.split_once('.')?;
        Some(ProcessId { pid: pid.parse().ok()?, started: started.parse().ok()? })
    });
    host.is_some_and(|host| !process::is_alive(host))
}

/// Sessions that called this process. The ask of any other one was taken over from a program that has ended.
#[derive(Default)]
pub(crate) struct KnownSessions(Mutex<HashSet<String>>);

impl KnownSessions {
    pub(crate) fn record(&self, session: &str) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_SESSIONS {
            known.clear();
        }
        if !known.contains(session) {
            known.insert(session.to_owned());
        }
    }

    pub(crate) fn contains(&self, session: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(session)
    }
}
