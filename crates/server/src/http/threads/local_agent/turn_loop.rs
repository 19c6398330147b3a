//! Loop of an agent that this server runs: takes turns, and runs each in its thread's session.

use super::agent_side::AgentSide;
use super::session_pool::SessionPool;
use super::turn_run;
use crate::acp::LocalAgentsConfig;
use crate::http::routes::ask_state::AskState;
use crate::http::threads::thread_state::ThreadState;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::sleep;
use tokio_util::task::TaskTracker;

/// Delay after the desk failed to give a turn.
const FAILURE_DELAY: Duration = Duration::from_secs(1);
/// Interval at which idle sessions are ended.
const IDLE_CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Runs the agents of this server until shutdown. Then their programs end; their turns continue after the restart.
pub(in crate::http) async fn run_local_agents(
    threads: Arc<ThreadState>,
    asks: Arc<AskState>,
    config: LocalAgentsConfig,
) {
    let config = Arc::new(config);
    let permits = Arc::new(Semaphore::new(config.limits.programs));
    let loops = TaskTracker::new();
    for agent in &config.agents {
        let side = AgentSide::new(threads.clone(), asks.clone(), &agent.name);
        let pool = Arc::new(SessionPool::new(
            config.clone(),
            agent.clone(),
            threads.session_tools.clone(),
            permits.clone(),
        ));
        loops.spawn(take_turns(side, pool.clone()));
        loops.spawn(end_idle_sessions(threads.clone(), pool));
    }
    loops.close();
    loops.wait().await;
}

async fn end_idle_sessions(threads: Arc<ThreadState>, pool: Arc<SessionPool>) {
    let mut deleted = threads.deleted.subscribe();
    loop {
        tokio::select! {
            () = threads.context.closing.cancelled() => return,
            () = sleep(IDLE_CHECK_INTERVAL) => pool.end_idle(),
            // A thread that is missed here is forgotten at the end of its turn, or its session when it is idle.
            Ok(thread) = deleted.recv() => pool.forget(&thread),
        }
    }
}

async fn take_turns(side: AgentSide, pool: Arc<SessionPool>) {
    let closing = side.threads.context.closing.clone();
    let turns = TaskTracker::new();
    let mut restarted = true;
    while !closing.is_cancelled() {
        match side.next_turn(std::mem::take(&mut restarted)).await {
            Ok(Some(turn)) => {
                let run = turn_run::run_turn(side.clone(), pool.clone(), turn);
                let closing = closing.clone();
                // At shutdown the turn stays, and its program ends.
                turns.spawn(async move { closing.run_until_cancelled_owned(run).await });
            }
            Ok(None) => {}
            // The call has logged it.
            Err(_) => {
                let _ = closing.run_until_cancelled(sleep(FAILURE_DELAY)).await;
            }
        }
    }
    turns.close();
    turns.wait().await;
}
