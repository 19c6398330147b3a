//! Agent's side of the threads, for an agent of this server.

use crate::http::middleware::caller::AuthenticatedCaller;
use crate::http::middleware::revocation::Credential;
use crate::http::routes::ask_state::AskState;
use crate::http::threads::agent::ask_request::TurnAsk;
use crate::http::threads::agent::turn_asks::{self, TurnDecision};
use crate::http::threads::agent::{self, NextTurn, TurnBody, TurnEnd};
use crate::http::threads::thread_state::ThreadState;
use crate::http::threads::turn::published_event::PublishedEvent;
use sayso_core::model::actor::Surface;
use sayso_core::{AskId, AskReader, Lang, Problem};
use sayso_desk::token::{TokenAudience, TokenRole};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Longest wait of one call. The caller repeats it.
const WAIT: Duration = Duration::from_secs(60);

/// Agent's side of the threads: the functions of its routes, called as the agent's account.
#[derive(Clone)]
pub(super) struct AgentSide {
    pub(super) threads: Arc<ThreadState>,
    asks: Arc<AskState>,
    caller: AuthenticatedCaller,
}

impl AgentSide {
    pub(super) fn new(threads: Arc<ThreadState>, asks: Arc<AskState>, agent: &str) -> Self {
        let caller = AuthenticatedCaller {
            account: agent.to_owned(),
            role: TokenRole::Asker,
            acts_as: None,
            credential: Credential::LocalAgent(agent.to_owned()),
            surface: Surface::Http,
            audience: TokenAudience::default(),
            reader: AskReader::Asker { account: agent.to_owned() },
            steps_outside: false,
        };
        Self { threads, asks, caller }
    }

    /// Takes the next turn, or returns `None` after a while.
    pub(super) async fn next_turn(&self, restarted: bool) -> Result<Option<TurnBody>, Problem> {
        let until = Instant::now() + WAIT;
        agent::next_turn(&self.threads, &self.caller, NextTurn::new(restarted), until).await
    }

    /// Publishes events; without any it only keeps the turn.
    pub(super) fn publish(&self, turn: &TurnBody, events: &[PublishedEvent]) -> Result<(), Problem> {
        agent::held_turn(&self.threads, &self.caller, &turn.thread_id, &turn.turn)?
            .publish_at_once(events)?;
        self.threads.registry.unsent.notify_one();
        Ok(())
    }

    /// Shows the person why nothing arrives.
    pub(super) fn show_status(&self, turn: &TurnBody, status: &'static str) -> Result<(), Problem> {
        agent::held_turn(&self.threads, &self.caller, &turn.thread_id, &turn.turn)?.show_status(status);
        Ok(())
    }

    /// Asks about a call, and waits a while for the decision.
    pub(super) async fn ask(
        &self,
        turn: &TurnBody,
        id: String,
        name: &str,
        args: Value,
    ) -> Result<Option<TurnDecision>, Problem> {
        let body = TurnAsk::from_call(turn.turn.clone(), id, name, args);
        let until = Instant::now() + WAIT;
        let (asks, threads, caller) = (&self.asks, &self.threads, &self.caller);
        let decided =
            turn_asks::ask_in_turn(asks, threads, caller, &turn.thread_id, body, until, Lang::En).await?;
        Ok(decided.into_decision())
    }

    /// Acknowledges a decision: from now on it counts as delivered.
    pub(super) async fn ack(&self, ask: AskId) -> Result<(), Problem> {
        let acknowledge = move |desk: &dyn sayso_desk::ServerDesk| {
            let asker = desk.get(ask)?.request.asker.clone();
            desk.ack(&asker, ask).map(drop)
        };
        self.threads.context.with_desk(acknowledge).await
    }

    /// Ends a turn, with the reason if the agent failed.
    pub(super) async fn end(&self, turn: &TurnBody, error: Option<String>) -> Result<(), Problem> {
        let ended = TurnEnd { turn: turn.turn.clone(), error };
        agent::end_turn(&self.threads, &self.caller, &turn.thread_id, ended).await
    }
}
