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

/// Returns the key of a host's call, unless its id is too long.
fn call_key(call: &str) -> Option<String> {
    let key = format!("call:{call}");
    if key.len() <= limits::IDEMPOTENCY_KEY_BYTES { Some(key) } else { None }
}

impl DeskClient {
    /// Returns the caller's ask that a repeated call continues, if its sealed state is valid.
    pub(crate) fn resumed_ask(&self, asker: &Asker, repeated: Option<&RepeatedCall>) -> Option<Ask> {
        let round = self.sealed_round(&repeated?.state)?;
        let ask = self.setup.desk.get(round.ask).ok()?;
        if self.setup.is_own(&ask, asker) { Some(ask) } else { None }
    }

    /// Returns the ask of a repeated call, even if it is already settled and delivered; else opens or finds one.
    ///
    /// # Errors
    /// Fails if the desk can't store it.
    pub(crate) fn resume_or_open(
        &self,
        caller: &McpCaller,
        repeated: Option<&RepeatedCall>,
        tool_ask: &ToolAsk,
    ) -> Result<Ask, Problem> {
        let asker = self.asker(caller);
        match self.resumed_ask(&asker, repeated) {
            Some(ask) if *ask.request.questionnaire == tool_ask.questionnaire => Ok(ask),
            _ => self.open_or_find(asker, caller.call_id.as_deref(), tool_ask),
        }
    }

    /// Opens an ask, or finds an earlier one: by the caller's key, by its host's id of the call, or by the questions.
    ///
    /// # Errors
    /// Fails if the desk can't store it.
    fn open_or_find(&self, asker: Asker, call: Option<&str>, tool_ask: &ToolAsk) -> Result<Ask, Problem> {
        let desk = &self.setup.desk;
        let audience = self.audience(tool_ask.audience.as_deref())?;
        if let Some(key) = &tool_ask.key {
            // A key is the caller's own name of an ask: it is valid in each of its sessions.
            let asker = Asker { session: None, ..asker };
            return desk.open(Some(key), self.new_ask(asker, tool_ask, audience)).map(OpenedAsk::into_ask);
        }
        let call_key = call.and_then(call_key);
        if let Some(key) = &call_key
            && let Some(id) = desk.find_by_key(&asker, key)?
        {
            let earlier_ask = desk.get(id)?;
            let is_for_same = audience.is_none() || earlier_ask.request.audience == audience;
            if is_for_same && *earlier_ask.request.questionnaire == tool_ask.questionnaire {
                return Ok(earlier_ask);
            }
        }
        let unshared_key = sayso_desk::unshared_key(None, &tool_ask.questionnaire, self.setup.process());
        let visible_asker = self.with_predecessor_session(asker.clone(), &tool_ask.questionnaire);
        let new_ask = self.new_ask(visible_asker, tool_ask, audience);
        let ask = desk.open(unshared_key.as_deref(), new_ask)?.into_ask();
        if let Some(key) = &call_key {
            // The call id is only an additional way to find the ask.
            let result = desk.act(&Actor::Asker(asker), ask.id, Some(key), self.setup.attach_command());
            log_failure("attach a call", result);
        }
        Ok(ask)
    }

    /// Returns the audience of a new ask that names these accounts and groups.
    ///
    /// # Errors
    /// Fails if the account may not ask them.
    fn audience(&self, names: Option<&[String]>) -> Result<Option<Audience>, Problem> {
        if let Some(account) = &self.setup.account {
            return account.audiences.choose(&account.desk, names).map(Some);
        }
        let Some(names) = names else { return Ok(None) };
        // A desk on the network tells accounts from groups.
        let accounts = names.iter().cloned().collect();
        Ok(Some(Audience { accounts, ..Audience::default() }))
    }

    fn new_ask(&self, asker: Asker, tool_ask: &ToolAsk, audience: Option<Audience>) -> NewAsk {
        let account = self.setup.account.as_ref();
        let program = if asker.name == Asker::UNNAMED_AGENT { process::parent_program() } else { None };
        let questionnaire = Arc::new(tool_ask.questionnaire.clone());
        NewAsk {
            audience,
            time_limit_ms: tool_ask.time_limit_ms,
            process: self.setup.process(),
            is_waiting: account.is_some(),
            quota: account.and_then(|account| account.quota),
            program,
            random_id: tool_ask.dialect.uses_short_ids(),
            ..NewAsk::new(questionnaire, tool_ask.dialect.name(), asker)
        }
    }

    /// Returns the asker to ask as. A restarted host has another session: its ask continues under the session of the
    /// ended one, so that a person sees it once.
    fn with_predecessor_session(&self, asker: Asker, questionnaire: &Questionnaire) -> Asker {
        if asker.session.is_none() {
            return asker;
        }
        let title = ask_summary::list_title(questionnaire);
        let count = questionnaire.questions.len();
        // Only asks that look alike in the list are read.
        let is_alike = |row: &AskSummary| row.title == title && usize::try_from(row.questions) == Ok(count);
        let mut similar_asks = self.finished(&asker, is_alike).unwrap_or_default();
        similar_asks.extend(self.list(&asker, &[], is_alike).unwrap_or_default());
        let mut predecessor = None;
        for ask in similar_asks {
            let request = &ask.request;
            if !ask.is_live() || request.asker.session.is_none() || *request.questionnaire != *questionnaire {
                continue;
            }
            if request.asker == asker {
                return asker;
            }
            predecessor = Some(request.asker.clone());
        }
        predecessor.unwrap_or(asker)
    }
}
