//! Running sessions of an agent, one for each thread.

use crate::acp::{AgentFailure, AgentFolder, AgentProgram, AgentSession, LocalAgentsConfig, SessionTools};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Session that runs, and its share of the limit.
pub(super) struct PooledSession {
    pub(super) session: AgentSession,
    last_used: Instant,
    _permit: OwnedSemaphorePermit,
}

/// Sessions of an agent that no turn uses.
pub(super) struct SessionPool {
    pub(super) config: Arc<LocalAgentsConfig>,
    pub(super) agent: AgentProgram,
    tools: Arc<SessionTools>,
    /// Programs that may still be started, by all agents together.
    permits: Arc<Semaphore>,
    idle: Mutex<HashMap<String, PooledSession>>,
}

impl SessionPool {
    pub(super) fn new(
        config: Arc<LocalAgentsConfig>,
        agent: AgentProgram,
        tools: Arc<SessionTools>,
        permits: Arc<Semaphore>,
    ) -> Self {
        Self { config, agent, tools, permits, idle: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, PooledSession>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn folder(&self, thread: &str) -> AgentFolder {
        AgentFolder::new(&self.config.folder, &self.agent.name, thread)
    }

    /// Takes the session of a thread, and starts its program if it does not run.
    ///
    /// # Errors
    /// Returns why there is no session.
    pub(super) async fn take(&self, thread: &str) -> Result<PooledSession, AgentFailure> {
        let known = self.lock().remove(thread).filter(|pooled| pooled.session.is_running());
        if let Some(pooled) = known {
            return Ok(pooled);
        }
        let permit = self.permit().ok_or(AgentFailure::Crowded)?;
        let (command, folder) = (&self.agent.command, self.folder(thread));
        let session = AgentSession::start(&self.config, command, &folder, &self.tools).await?;
        Ok(PooledSession { session, last_used: Instant::now(), _permit: permit })
    }

    /// Returns a share of the limit, if need be of the session that was used longest ago.
    fn permit(&self) -> Option<OwnedSemaphorePermit> {
        if let Ok(permit) = self.permits.clone().try_acquire_owned() {
            return Some(permit);
        }
        let mut idle = self.lock();
        let oldest =
            idle.iter().min_by_key(|(_, pooled)| pooled.last_used).map(|(thread, _)| thread.clone())?;
        drop(idle.remove(&oldest));
        drop(idle);
        self.permits.clone().try_acquire_owned().ok()
    }

    /// Keeps a session for the next turn of its thread.
    pub(super) fn keep(&self, thread: &str, pooled: PooledSession) {
        let used = PooledSession { last_used: Instant::now(), ..pooled };
        self.lock().insert(thread.to_owned(), used);
    }

    /// Ends the sessions that no turn has used for too long, and those that have ended.
    pub(super) fn end_idle(&self) {
        let limit = self.config.limits.idle;
        self.lock().retain(|_, pooled| pooled.session.is_running() && pooled.last_used.elapsed() < limit);
    }

    /// Ends the session of a deleted thread, and deletes its folder.
    pub(super) fn forget(&self, thread: &str) {
        drop(self.lock().remove(thread));
        if let Err(error) = self.folder(thread).delete() {
            crate::diagnostics::log_event!(
                WARN,
                Threads,
                "folder of an agent not deleted",
                error = error.kind()
            );
        }
    }
}
