//! Choice of the agent of a thread.

use crate::http::middleware::caller::AuthenticatedCaller;
use jiff::Timestamp;
use sayso_core::i18n::{MessageArg, foreign};
use sayso_core::{DocumentPath, Message, Problem, ProblemCode, ServiceUser};
use sayso_desk::StoreDesk;
use sayso_desk::token::{TokenRecord, TokenRole, check_account_name};
use std::collections::BTreeSet;

/// Maximum number of agents named in the error about an ambiguous agent.
const NAMED_AGENTS: usize = 10;

/// Checks the agent that a person names for a new thread: an account that may ask. The users of a service reach its
/// account alone.
///
/// # Errors
/// Fails if there is no such agent, or the caller is the user of another service.
pub(crate) fn check_agent(
    desk: &StoreDesk,
    caller: &AuthenticatedCaller,
    agent: &str,
    now: Timestamp,
) -> Result<(), Problem> {
    check_account_name(agent)?;
    let at = DocumentPath::root().join("agent");
    if caller.is_service_user() {
        if ServiceUser::service_of(&caller.account) == Some(agent) {
            return Ok(());
        }
        return Err(
            Problem::new(ProblemCode::NotAllowed, Message::ServiceAgents.with([foreign(agent)])).at(at)
        );
    }
    let tokens = desk.tokens()?;
    let agents = agents(&tokens, now);
    if agents.contains(agent) {
        return Ok(());
    }
    let problem = match agents.is_empty() {
        true => Problem::new(ProblemCode::NoAgent, Message::NoAgentYet),
        false => Problem::new(
            ProblemCode::NoAgent,
            Message::NoSuchAgent.with([foreign(agent), name_agents(&agents)]),
        ),
    };
    Err(problem.at(at))
}

/// Returns the accounts that may ask.
fn agents(tokens: &[TokenRecord], now: Timestamp) -> BTreeSet<&str> {
    let asks = tokens.iter().filter(|token| token.role == TokenRole::Asker && token.is_valid(now));
    asks.map(|token| token.account.as_str()).collect()
}

fn name_agents(agents: &BTreeSet<&str>) -> MessageArg {
    MessageArg::ForeignList(agents.iter().take(NAMED_AGENTS).map(ToString::to_string).collect())
}

/// Returns the agent for a thread without one: the only account that may ask at this desk. For a user of a service that
/// is the service's account.
///
/// # Errors
/// Fails if there is none or more than one.
pub(crate) fn only_agent(desk: &StoreDesk, owner: &str, now: Timestamp) -> Result<String, Problem> {
    let tokens = desk.tokens()?;
    let service = match ServiceUser::service_of(owner) {
        Some(service) if desk.is_service(service)? => Some(service),
        _ => None,
    };
    let mut agents = agents(&tokens, now);
    agents.retain(|account| service.is_none_or(|service| service == *account));
    match (agents.first(), agents.len()) {
        (None, _) => Err(Problem::new(ProblemCode::NoAgent, Message::NoAgentYet)),
        (Some(only), 1) => Ok((*only).to_owned()),
        _ => Err(Problem::new(ProblemCode::NoAgent, Message::WhichAgent.with([name_agents(&agents)]))),
    }
}
