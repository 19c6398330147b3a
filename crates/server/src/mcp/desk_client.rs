//! Client of the desk for one host. Methods that reach the desk block: call them within [`DeskClient::run`].

pub(super) mod open_permissions;
pub(super) mod opening;
pub(super) mod pending_call;
pub(super) mod unconfirmed_answers;

use super::caller::McpCaller;
use super::caller::asker_session::KnownSessions;
use super::elicitation::dialog_state::DialogState;
use super::elicitation::seal::{FormRound, StateSeal};
use super::error::CallError;
use super::{DESK_THREADS, McpAccount, McpConfig, descriptions, result};
use crate::diagnostics::{DeskCall, log_failure};
use crate::notify::blocking_calls::BlockingCalls;
use crate::notify::change_notifier::{ChangeNotifier, Subscription};
use crate::notify::deadline::time_left;
use open_permissions::OpenPermissions;
use sayso_core::i18n::foreign;
use sayso_core::model::ask::AskerPresence;
use sayso_core::{Actor, Ask, AskCommand, AskId, Asker, Message, Outcome, Problem, ProblemCode, limits};
use sayso_core::{AskSummary, model::ask_summary::AskStatus};
use sayso_desk::{AskQuery, skip_damaged};
use serde_json::{Map, Value};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use unconfirmed_answers::UnconfirmedAnswers;

/// States with an outcome that the asker must receive.
const FINISHED: [AskStatus; 3] = [AskStatus::Answered, AskStatus::Declined, AskStatus::Expired];

/// Client of the desk for the one host of this process, or for one account on the network.
pub(super) struct DeskClient {
    pub(super) setup: McpConfig,
    pub(super) notifier: Arc<ChangeNotifier>,
    calls: BlockingCalls,
    /// Name that the host gave last. Newer hosts give it with each request, but need not.
    host_name: Mutex<Option<String>>,
    /// Seal, created on first use.
    seal: OnceLock<Option<StateSeal>>,
    pub(super) dialogs: DialogState,
    /// Answers returned by tools that have no parameter to confirm them.
    pub(super) unconfirmed_answers: UnconfirmedAnswers,
    pub(super) open_permissions: OpenPermissions,
    pub(super) sessions: KnownSessions,
}

impl DeskClient {
    pub(super) fn new(setup: McpConfig, notifier: Arc<ChangeNotifier>) -> Self {
        Self {
            setup,
            notifier,
            calls: BlockingCalls::new(DESK_THREADS),
            seal: OnceLock::new(),
            host_name: Mutex::default(),
            dialogs: DialogState::default(),
            unconfirmed_answers: UnconfirmedAnswers::default(),
            open_permissions: OpenPermissions::default(),
            sessions: KnownSessions::default(),
        }
    }

    /// Runs a call to the desk without stalling the async runtime.
    ///
    /// # Errors
    /// Returns the error of `work`.
    pub(super) async fn run<T, E>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, E> + Send + 'static,
    ) -> Result<T, CallError>
    where
        T: Send + 'static,
        E: Into<CallError>,
    {
        let client = self.clone();
        let call = DeskCall::new(&work);
        let result: Result<T, CallError> =
            self.calls.run(call, move || work(&client).map_err(Into::into)).await;
        match result {
            // A caller on the network is not at the desk's machine.
            Err(CallError::Desk(problem)) if self.setup.account.is_some() => {
                Err(CallError::Desk(problem.without_place()))
            }
            result => result,
        }
    }

    /// Returns the asker of a call. Each thread of a host is an asker of its own, or else each session.
    pub(super) fn asker(&self, caller: &McpCaller) -> Asker {
        let session = caller.thread_id.as_ref().or(self.setup.session.as_ref()).cloned();
        if let Some(session) = &session {
            self.sessions.record(session);
        }
        if let Some(McpAccount { name, .. }) = &self.setup.account {
            // The name that a client gives itself proves nothing: the token identifies the asker.
            let account = Some(name.clone());
            return Asker { name: name.clone(), folder: None, session, account };
        }
        let mut host = self.host_name.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(name) = &caller.host_name {
            *host = Some(name.chars().take(limits::NAME_CHARS).collect());
        }
        let name = self.setup.asker_name.as_deref().or(host.as_deref()).unwrap_or(Asker::UNNAMED_AGENT);
        Asker { name: name.to_owned(), folder: self.setup.folder.clone(), session, account: None }
    }

    /// Returns the seal for state that hosts carry, if one can be created.
    pub(super) fn seal(&self) -> Option<&StateSeal> {
        self.seal.get_or_init(|| StateSeal::of_desk(&self.setup.seal_key)).as_ref()
    }

    /// Returns the round in a sealed state, if the state is valid.
    pub(super) fn sealed_round(&self, state: &str) -> Option<FormRound> {
        self.seal()?.open(state)
    }

    /// Returns the caller's ask with this id.
    ///
    /// # Errors
    /// Fails if there is none.
    pub(super) fn own_ask(&self, asker: &Asker, id: &str) -> Result<Ask, Problem> {
        // Only whole ids: resolving a prefix would reveal asks of others.
        if let Some(whole_id) = AskId::parse(id) {
            let ask = self.setup.desk.get(whole_id)?;
            if self.setup.is_own(&ask, asker) {
                return Ok(ask);
            }
        }
        Err(Problem::new(ProblemCode::AskNotFound, Message::AskNotFound.with([foreign(id)])))
    }

    /// Acknowledges these answers. Returns messages about the ids that the caller can't confirm.
    ///
    /// # Errors
    /// Fails if the desk can't be read or can't store the acknowledgement.
    pub(super) fn acknowledge_received(
        &self,
        asker: &Asker,
        received: &[String],
    ) -> Result<Vec<String>, Problem> {
        let mut messages = Vec::new();
        for (at, id) in received.iter().enumerate() {
            match self.own_ask(asker, id) {
                Ok(ask) if ask.outcome().is_none() => {
                    messages.push(format!("received[{at}]: {}", descriptions::NOT_ANSWERED_YET));
                }
                Ok(ask) => self.acknowledge(&ask)?,
                // An ask that isn't the caller's can't have been received.
                Err(problem) if problem.code == ProblemCode::AskNotFound => {
                    messages.push(format!("received[{at}]: {}", descriptions::NO_SUCH_ASK));
                }
                Err(problem) => return Err(problem),
            }
        }
        Ok(messages)
    }

    /// Acknowledges the outcome of an ask, if it has one.
    ///
    /// # Errors
    /// Fails if the desk can't store the acknowledgement.
    pub(super) fn acknowledge(&self, ask: &Ask) -> Result<(), Problem> {
        if ask.outcome().is_none() || ask.is_delivered() {
            return Ok(());
        }
        self.setup.desk.ack(&ask.request.asker, ask.id)
    }

    /// Offers a settled ask, and returns the same bytes each time.
    pub(super) fn deliver(&self, ask: &Ask) -> Map<String, Value> {
        let bytes = self.setup.desk.offer(&ask.request.asker, ask, result::RESULT_FORM, &result::to_bytes);
        if let Ok(bytes) = &bytes
            && let Ok(result) = serde_json::from_slice(bytes)
        {
            return result;
        }
        // A stored answer is returned even if the desk can't be written.
        log_failure("offer an outcome", bytes);
        result::from_ask(ask)
    }

    /// Returns an ask in its present state. Only a settled one is offered.
    pub(super) fn describe(&self, ask: &Ask) -> Map<String, Value> {
        if ask.outcome().is_some() { self.deliver(ask) } else { result::from_ask(ask) }
    }

    /// Subscribes to these asks, and attaches this process, so that people see that the asker waits.
    ///
    /// # Errors
    /// Fails if the desk can't be watched.
    pub(super) fn attach_and_subscribe(&self, ids: Vec<AskId>) -> Result<Subscription, Problem> {
        let here = AskerPresence::Attached { process: self.setup.process() };
        for id in &ids {
            // Waiting works without it.
            let Ok(ask) = self.setup.desk.get(*id) else { continue };
            if ask.outcome().is_none() && ask.state.presence != here {
                let asker = Actor::Asker(ask.request.asker.clone());
                log_failure("attach", self.setup.desk.act(&asker, ask.id, None, self.setup.attach_command()));
            }
        }
        self.notifier.subscribe(ids)
    }

    /// Returns the first settled ask, or else the first one, with the time until one of them changes by itself.
    ///
    /// # Errors
    /// Fails if the desk can't be read.
    pub(super) fn poll(&self, ids: &[AskId]) -> Result<(Ask, Option<Duration>), CallError> {
        self.notifier.ensure_watching()?;
        let now = (self.setup.now)();
        let mut first_ask = None;
        let mut next_change: Option<Duration> = None;
        for id in ids {
            let ask = self.setup.desk.get(*id)?;
            if ask.outcome().is_some() {
                return Ok((ask, None));
            }
            if let Some(time) = time_left(ask.due_at(), now) {
                next_change = Some(next_change.map_or(time, |earlier| earlier.min(time)));
            }
            first_ask.get_or_insert(ask);
        }
        match first_ask {
            Some(ask) => Ok((ask, next_change)),
            None => Err(CallError::NotFound(descriptions::NOTHING_OPEN, Vec::new())),
        }
    }

    /// Cancels an ask. If it was settled before, its outcome is kept.
    ///
    /// # Errors
    /// Fails if there is no such ask or the desk can't store it.
    pub(super) fn cancel(&self, asker: &Asker, id: &str) -> Result<Ask, Problem> {
        let ask = self.own_ask(asker, id)?;
        match self.setup.desk.act(&Actor::Asker(asker.clone()), ask.id, None, AskCommand::CANCEL) {
            Ok(ask) => Ok(ask),
            Err(problem) => {
                let current = self.setup.desk.get(ask.id)?;
                if current.outcome().is_some() { Ok(current) } else { Err(problem) }
            }
        }
    }

    /// Returns the caller's open asks, the longest waiting first.
    ///
    /// # Errors
    /// Fails if the desk can't be read.
    pub(super) fn open_asks(&self, asker: &Asker) -> Result<Vec<Ask>, Problem> {
        self.list(asker, &[], |_| true)
    }

    /// Returns outcomes that the caller hasn't confirmed, the oldest first.
    ///
    /// # Errors
    /// Fails if the desk can't be read.
    pub(super) fn unconfirmed(&self, asker: &Asker) -> Result<Vec<Ask>, Problem> {
        self.finished(asker, |_| true)
    }

    /// Returns unconfirmed outcomes, followed by open asks.
    ///
    /// # Errors
    /// Fails if the desk can't be read.
    pub(super) fn pending_delivery(&self, asker: &Asker) -> Result<Vec<Ask>, Problem> {
        let mut asks = self.unconfirmed(asker)?;
        asks.extend(self.open_asks(asker)?);
        Ok(asks)
    }

    fn finished(&self, asker: &Asker, fits: impl Fn(&AskSummary) -> bool) -> Result<Vec<Ask>, Problem> {
        let mut asks = self.list(asker, &FINISHED, fits)?;
        asks.sort_by_key(|ask| ask.outcome().map(Outcome::ended_at));
        Ok(asks)
    }

    /// Lists the asker's asks in these states that match the filter and that it hasn't confirmed.
    fn list(
        &self,
        asker: &Asker,
        states: &[AskStatus],
        fits: impl Fn(&AskSummary) -> bool,
    ) -> Result<Vec<Ask>, Problem> {
        let desk = &self.setup.desk;
        let mut asks = Vec::new();
        let mut query = AskQuery {
            states: states.to_vec(),
            asker: Some(asker.clone()),
            undelivered: true,
            ..AskQuery::default()
        };
        loop {
            let page = desk.list(&query)?;
            for row in page.rows.iter().filter(|row| fits(row)) {
                let Some(ask) = skip_damaged(desk.get(row.id))? else { continue };
                if !self.setup.is_own(&ask, asker) {
                    continue;
                }
                let is_same_thread = asker.session.is_some() && ask.request.asker.session == asker.session;
                // Another asker that still runs fetches its own answers.
                if is_same_thread || !self.setup.has_other_waiter(&ask, asker, &self.sessions) {
                    asks.push(ask);
                }
            }
            query.after = page.next;
            if query.after.is_none() || asks.len() >= limits::LIST_ROWS {
                return Ok(asks);
            }
        }
    }
}

/// Returns the ids of asks.
pub(super) fn ask_ids(asks: &[Ask]) -> Vec<AskId> {
    asks.iter().map(|ask| ask.id).collect()
}
