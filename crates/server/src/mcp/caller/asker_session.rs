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
    match parse_process(session) {
        Some(host) => !process::is_alive(host),
        None => false,
    }
}

fn parse_process(session: &str) -> Option<ProcessId> {
    let (pid, started) = session.strip_prefix(PROCESS)?.split_once('.')?;
    Some(ProcessId { pid: pid.parse().ok()?, started: started.parse().ok()? })
}

/// Sessions that called this process. The ask of any other one was taken over from a program that has ended.
#[derive(Default)]
pub(crate) struct KnownSessions(Mutex<HashSet<String>>);

impl KnownSessions {
    pub(crate) fn record(&self, session: &str) {
        let mut sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if sessions.len() >= MAX_SESSIONS {
            sessions.clear();
        }
        if !sessions.contains(session) {
            sessions.insert(session.to_owned());
        }
    }

    pub(crate) fn contains(&self, session: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(session)
    }
}
