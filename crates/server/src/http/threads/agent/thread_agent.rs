//! Choice of the agent of a thread.

use crate::http::middleware::caller::AuthenticatedCaller;
use crate::http::threads::thread_state::ThreadState;
use jiff::Timestamp;
use sayso_core::{DocumentPath, Message, Problem, ProblemCode, ServiceUser};
use sayso_desk::ServerDesk;
use sayso_desk::token::{TokenRole, check_account_name};
use std::collections::BTreeSet;

/// Maximum number of agents named in the error about an ambiguous agent.
const NAMED_AGENTS: usize = 10;

/// Checks the agent that a person names for a new thread. The users of a service reach the agents of its account, and
/// those that this server runs.
///
/// # Errors
/// Fails if it is no name of an account, or the caller is the user of another service.
pub(crate) fn check_agent(
    threads: &ThreadState,
    caller: &AuthenticatedCaller,
    agent: &str,
) -> Result<(), Problem> {
    check_account_name(agent)?;
    let is_open = threads.local_agents.iter().any(|local| local == agent)
        || !caller.is_service_user()
        || ServiceUser::service_of(&caller.account) == Some(agent);
    if is_open {
        return Ok(());
    }
    let at = DocumentPath::root().join("agent");
    Err(Problem::new(ProblemCode::NotAllowed, Message::ServiceAgents.with([agent])).at(at))
}

/// Returns the agent for a thread without one: the only one that this server runs, otherwise the only account that may
/// ask at this desk. For a user of a service that is the service's account.
///
/// # Errors
/// Fails if there is none or more than one.
pub(crate) fn only_agent(
    threads: &ThreadState,
    desk: &dyn ServerDesk,
    owner: &str,
    now: Timestamp,
) -> Result<String, Problem> {
    let tokens = if threads.local_agents.is_empty() { desk.tokens()? } else { Vec::new() };
    let service = match ServiceUser::service_of(owner) {
        Some(service) if desk.is_service(service)? => Some(service),
        _ => None,
    };
    let asks = tokens.iter().filter(|token| token.role == TokenRole::Asker && token.is_valid(now));
    let asks = asks.map(|token| token.account.as_str());
    let asks = asks.filter(|account| service.is_none_or(|service| service == *account));
    let local = threads.local_agents.iter().map(String::as_str);
    let agents: BTreeSet<&str> = asks.chain(local).collect();
    match (agents.first(), agents.len()) {
        (None, _) => Err(Problem::new(ProblemCode::NoAgent, Message::NoAgentYet)),
        (Some(only), 1) => Ok((*only).to_owned()),
        _ => {
            let names: Vec<_> = agents.iter().take(NAMED_AGENTS).copied().collect();
            Err(Problem::new(ProblemCode::NoAgent, Message::WhichAgent.with([names.join(", ")])))
        }
    }
}
