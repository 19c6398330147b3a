//! Opening of asks: a call finds the ask of an earlier one, or opens one.

use super::DeskClient;
use crate::diagnostics::log_failure;
use crate::mcp::caller::McpCaller;
use crate::mcp::elicitation::stateless::RepeatedCall;
use sayso_core::model::ask_summary;
use sayso_core::{Actor, Ask, AskSummary, Asker, Audience, NewAsk, Problem, Questionnaire, limits};
use sayso_desk::{OpenedAsk, process};
use sayso_dialects::Dialect;
use std::sync::Arc;

/// Ask to open, parsed from the arguments of a tool.
pub(crate) struct ToolAsk {
    /// Dialect of the request.
    pub(crate) dialect: Dialect,
    pub(crate) questionnaire: Questionnaire,
    pub(crate) key: Option<String>,
    pub(crate) time_limit_ms: Option<i64>,
    /// Accounts and groups that the ask is for, if it names some.
    pub(crate) audience: Option<Vec<String>>,
}

impl DeskClient {
    /// Returns the caller's ask that a repeated call continues, if its sealed state is valid.
    pub(crate) fn resumed_ask(&self, asker: &Asker, returned: Option<&RepeatedCall>) -> Option<Ask> {
        let state = &returned?.state;
        let ask = self.setup.desk.get(self.seal()?.open(state)?.ask).ok()?;
        self.setup.is_own(&ask, asker).then_some(ask)
    }

    /// Returns the ask of a repeated call, even if it is already settled and delivered; else opens or finds one.
    ///
    /// # Errors
    /// Fails if the desk can't store it.
    pub(crate) fn resume_or_open(
        &self,
        caller: &McpCaller,
        returned: Option<&RepeatedCall>,
        wanted: &ToolAsk,
    ) -> Result<Ask, Problem> {
        let asker = self.asker(caller);
        let resumed = self.resumed_ask(&asker, returned);
        match resumed.filter(|ask| *ask.request.questionnaire == wanted.questionnaire) {
            Some(ask) => Ok(ask),
            None => self.open_or_find(asker, caller.call_id.as_deref(), wanted),
        }
    }

    /// Opens an ask, or finds an earlier one: by the caller's key, by its host's id of the call, or by the questions.
    ///
    /// # Errors
    /// Fails if the desk can't store it.
    fn open_or_find(&self, asker: Asker, call: Option<&str>, request: &ToolAsk) -> Result<Ask, Problem> {
        let desk = &self.setup.desk;
        let audience = match (&self.setup.account, &request.audience) {
            (Some(account), names) => Some(account.audiences.choose(&account.desk, names.as_deref())?),
            // A desk on the network tells accounts from groups.
            (None, names) => names
                .as_ref()
                .map(|names| Audience { accounts: names.iter().cloned().collect(), ..Audience::default() }),
        };
        let new = |asker: Asker| NewAsk {
            audience: audience.clone(),
            time_limit_ms: request.time_limit_ms,
            process: self.setup.process(),
            is_waiting: self.setup.account.is_some(),
            quota: self.setup.account.as_ref().and_then(|account| account.quota),
            program: (asker.name == Asker::UNNAMED_AGENT).then(process::parent_program).flatten(),
            random_id: request.dialect.uses_short_ids(),
            ..NewAsk::new(Arc::new(request.questionnaire.clone()), request.dialect.name(), asker)
        };
        if let Some(key) = &request.key {
            // A key is the caller's own name of an ask: it is valid in each of its sessions.
            let asker = Asker { session: None, ..asker };
            return desk.open(Some(key), new(asker)).map(OpenedAsk::into_ask);
        }
        let unshared_key = sayso_desk::unshared_key(None, &request.questionnaire, self.setup.process());
        let Some(call) =
            call.map(|call| format!("call:{call}")).filter(|it| it.len() <= limits::IDEMPOTENCY_KEY_BYTES)
        else {
            let asker = self.with_predecessor_session(asker, &request.questionnaire);
            return desk.open(unshared_key.as_deref(), new(asker)).map(OpenedAsk::into_ask);
        };
        if let Some(id) = desk.find_by_key(&asker, &call)? {
            let found = desk.get(id)?;
            let is_for_same = audience.is_none() || found.request.audience == audience;
            if is_for_same && found.request.questionnaire.as_ref() == &request.questionnaire {
                return Ok(found);
            }
        }
        let opened = self.with_predecessor_session(asker.clone(), &request.questionnaire);
        let opened = desk.open(unshared_key.as_deref(), new(opened))?.into_ask();
        // The call id is only an additional way to find the ask.
        let attached = desk.act(&Actor::Asker(asker), opened.id, Some(&call), self.setup.attach_command());
        log_failure("attach a call", attached);
        Ok(opened)
    }

    /// Returns the asker to ask as. A restarted host has another session: its ask continues under the session of the
    /// ended one, so that a person sees it once.
    fn with_predecessor_session(&self, asker: Asker, questionnaire: &Questionnaire) -> Asker {
        if asker.session.is_none() {
            return asker;
        }
        let (title, count) = (ask_summary::list_title(questionnaire), questionnaire.questions.len());
        // Only asks that look alike in the list are read.
        let alike = |row: &AskSummary| row.title == title && usize::try_from(row.questions) == Ok(count);
        let known =
            [self.finished(&asker, alike), self.list(&asker, &[], alike)].into_iter().flatten().flatten();
        let is_same = |ask: &Ask| {
            let request = &ask.request;
            ask.is_live() && request.asker.session.is_some() && *request.questionnaire == *questionnaire
        };
        let mut same = known.filter(is_same).map(|ask| ask.request.asker.clone()).collect::<Vec<_>>();
        if same.contains(&asker) { asker } else { same.pop().unwrap_or(asker) }
    }
}
