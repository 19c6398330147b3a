//! Agents that this server runs itself: programs that speak the Agent Client Protocol.
//!
//! **Invariant:** such an agent has the same side of a thread as one that comes over HTTP: it takes turns, publishes,
//! asks and ends. [`agent_side`] calls the functions of those routes, and nothing else here touches a turn.
//!
//! **Invariant:** a program serves one thread, and so one owner.

mod agent_side;
mod decision;
mod session_pool;
mod tool_route;
mod turn_loop;
mod turn_run;

pub(in crate::http) use tool_route::SESSION_TOOLS_PATH;
pub(super) use tool_route::TOOLS;
pub(in crate::http) use turn_loop::run_local_agents;
