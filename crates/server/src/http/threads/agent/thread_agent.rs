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
    let place = DocumentPath::root().join("agent");
    if caller.is_service_user() {
        if ServiceUser::service_of(&caller.account) == Some(agent) {
            return Ok(());
        }
        let message = Message::ServiceAgents.with([foreign(agent)]);
        return Err(Problem::new(ProblemCode::NotAllowed, message).at(place));
    }
    let tokens = desk.tokens()?;
    let agents = agents(&tokens, now);
    if agents.contains(agent) {
        return Ok(());
    }
    if agents.is_empty() {
        return Err(Problem::new(ProblemCode::NoAgent, Message::NoAgentYet).at(place));
    }
    let message = Message::NoSuchAgent.with([foreign(agent), name_agents(&agents)]);
    Err(Problem::new(ProblemCode::NoAgent, message).at(place))
}

/// Returns the accounts that may ask.
fn agents(tokens: &[TokenRecord], now: Timestamp) -> BTreeSet<&str> {
    let mut accounts = BTreeSet::new();
    for token in tokens {
        if token.role == TokenRole::Asker && token.is_valid(now) {
            accounts.insert(token.account.as_str());
        }
    }
    accounts
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
    let mut agents = agents(&tokens, now);
    if let Some(service) = ServiceUser::service_of(owner)
        && desk.is_service(service)?
    {
        agents.retain(|account| *account == service);
    }
    match (agents.first(), agents.len()) {
        (None, _) => Err(Problem::new(ProblemCode::NoAgent, Message::NoAgentYet)),
        (Some(only_agent), 1) => Ok((*only_agent).to_owned()),
        _ => Err(Problem::new(ProblemCode::NoAgent, Message::WhichAgent.with([name_agents(&agents)]))),
    }
}
