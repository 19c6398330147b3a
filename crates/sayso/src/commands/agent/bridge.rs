//! The bridge: the desk on one side, the programs of an agent on the other.

use super::questions::QuestionServer;
use super::session::{AgentSession, SessionSettings};
use super::session_store::SessionStore;
use super::turn_run::run_turn;
use sayso_core::{Lang, Problem, ProblemCode};
use sayso_desk::remote::ThreadAgentClient;
use std::collections::HashMap;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Silence after which the desk hands a turn out again, in seconds.
const LEASE_SECONDS: u32 = 10;
/// Turns that run at once; the messages of others wait at the desk.
const MAX_TURNS: usize = 64;
/// Time without a turn after which a program is stopped.
const IDLE: Duration = Duration::from_secs(10 * 60);
/// Pause before a desk that is away is called again.
const AWAY_PAUSE: Duration = Duration::from_secs(1);

/// The bridge of one agent.
pub(super) struct Bridge {
    pub(super) client: ThreadAgentClient,
    pub(super) settings: SessionSettings,
    pub(super) store: SessionStore,
    pub(super) questions: QuestionServer,
    pub(super) slots: Mutex<HashMap<String, Arc<SessionSlot>>>,
    /// Silence of an agent after which its turn ends.
    pub(super) silence: Duration,
    pub(super) lang: Lang,
}

/// Session of a thread; a run of a turn locks it.
#[derive(Default)]
pub(super) struct SessionSlot(Mutex<Option<AgentSession>>);

impl SessionSlot {
    pub(super) fn lock(&self) -> MutexGuard<'_, Option<AgentSession>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Bridge {
    fn slots(&self) -> MutexGuard<'_, HashMap<String, Arc<SessionSlot>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the session of a thread.
    pub(super) fn slot(&self, thread: &str) -> Arc<SessionSlot> {
        self.slots().entry(thread.to_owned()).or_default().clone()
    }

    /// Calls the desk, again and again while it is away.
    ///
    /// # Errors
    /// Returns the desk's problem.
    pub(super) fn persist<T>(
        &self,
        call: impl Fn(&ThreadAgentClient) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        loop {
            match call(&self.client) {
                Err(problem) if is_away(problem.code) => {
                    #[expect(clippy::disallowed_methods, reason = "nothing tells when a server is back")]
                    thread::sleep(AWAY_PAUSE);
                }
                result => return result,
            }
        }
    }

    /// Takes turns, and runs each in a thread of its own. Returns only with the problem that ends it.
    pub(super) fn take_turns(self: &Arc<Self>) -> Problem {
        let (permits, free) = sync_channel(MAX_TURNS);
        for _ in 0..MAX_TURNS {
            // It has room for all of them.
            let _ = permits.try_send(());
        }
        let mut is_restart = true;
        loop {
            // The sender is here, so that this ends.
            let _ = free.recv();
            match self.persist(|client| client.next_turn(is_restart, LEASE_SECONDS)) {
                Ok(Some(turn)) => {
                    let bridge = self.clone();
                    let permits = permits.clone();
                    thread::spawn(move || {
                        run_turn(&bridge, turn);
                        let _ = permits.try_send(());
                    });
                }
                Ok(None) => drop(permits.try_send(())),
                Err(problem) => return problem,
            }
            is_restart = false;
            self.end_idle();
        }
    }

    /// Ends the sessions that no turn has used for too long, and those that have ended.
    fn end_idle(&self) {
        let mut idle_sessions = Vec::new();
        self.slots().retain(|_, slot| {
            // A turn runs in it.
            let Ok(mut session) = slot.0.try_lock() else { return true };
            if let Some(running) = session.as_mut()
                && running.last_used.elapsed() < IDLE
                && running.is_running()
            {
                return true;
            }
            idle_sessions.extend(session.take());
            false
        });
        // Their processes end without the lock.
        drop(idle_sessions);
    }
}

/// Returns whether a desk with this problem may be called again later.
const fn is_away(code: ProblemCode) -> bool {
    matches!(
        code,
        ProblemCode::DeskUnreachable
            | ProblemCode::TooManyRequests
            | ProblemCode::DeskClosing
            | ProblemCode::DeskCrowded
    )
}
