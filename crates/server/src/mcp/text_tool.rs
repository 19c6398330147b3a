//! Tools of other formats that ask: they return one text, and have no parameter to confirm it. Their asks are found,
//! waited for and shown as those of `ask`.

use super::asking::Waited;
use super::asks::{Asks, Wanted, blocking};
use super::caller::Caller;
use super::handler::{Door, Object};
use super::refusal::Refusal;
use super::rounds::Returned;
use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock};
use rmcp::service::RequestContext;
use sayso_core::{Ask, AskId, Outcome, Questionnaire};
use sayso_dialects::Dialect;
use std::time::Duration;

/// Definition of such a tool.
pub(super) struct Words {
    pub(super) dialect: Dialect,
    /// Delivery form of its results.
    pub(super) kept_as: &'static str,
    pub(super) settled: fn(AskId, &Questionnaire, &Outcome) -> String,
    pub(super) unanswered: fn(AskId, &Questionnaire) -> String,
}

/// Parsed arguments of a call.
pub(super) struct Understood {
    pub(super) questionnaire: Questionnaire,
    /// The call waits for the answer.
    pub(super) waits: bool,
}

impl Door {
    /// Opens the ask that `read` finds in the arguments, and waits by the means that the caller supports.
    ///
    /// # Errors
    /// Returns the problems that `read` finds. Fails if the desk fails or the caller is gone.
    pub(super) async fn ask_for_text(
        &self,
        words: &'static Words,
        read: impl FnOnce(Object) -> Result<Understood, Refusal> + Send + 'static,
        request: CallToolRequestParams,
        caller: &Caller,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, Refusal> {
        let returned = Returned::of(&request);
        let given = request.arguments.unwrap_or_default();
        let (asks, who) = (self.asks.clone(), caller.clone());
        let work = move || {
            let Understood { questionnaire, waits } = read(given)?;
            let wanted = Wanted { dialect: words.dialect, questionnaire, key: None, time_limit_ms: None };
            let ask = asks.resume_or_open(&who, returned.as_ref(), &wanted)?;
            Ok::<_, Refusal>((ask, waits, returned))
        };
        let (ask, waits, returned) = blocking(work).await?;
        let wait = (!waits).then_some(Duration::ZERO);
        let ask = match self.answered(ask, wait, returned, caller, context).await? {
            Waited::Asked(ask) => *ask,
            Waited::Form(form) => return Ok((*form).into()),
        };
        if ask.outcome().is_none() {
            return Ok(said((words.unanswered)(ask.id, &ask.request.questionnaire)));
        }
        let (asks, id) = (self.asks.clone(), ask.id);
        let text = blocking(move || Ok::<_, Refusal>(asks.text(&ask, words.kept_as, words.settled))).await?;
        if context.ct.is_cancelled() {
            return Err(Refusal::Gone); // not delivered: no one reads the result
        }
        self.give(id, caller);
        Ok(said(text))
    }
}

/// Returns a result with one text.
pub(super) fn said(text: String) -> CallToolResponse {
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    // The originals set the flag for errors only.
    result.is_error = None;
    result.into()
}

impl Asks {
    /// Returns the text of a settled ask, the same each time.
    pub(super) fn text(
        &self,
        ask: &Ask,
        kept_as: &str,
        say: impl Fn(AskId, &Questionnaire, &Outcome) -> String,
    ) -> String {
        let text = |ask: &Ask| {
            let outcome = ask.outcome();
            outcome.map(|outcome| say(ask.id, &ask.request.questionnaire, outcome)).unwrap_or_default()
        };
        let offered =
            self.setup.desk.offer(&ask.request.asker, ask, kept_as, &|ask: &Ask| text(ask).into_bytes());
        // A stored answer is returned even if the desk can't be written.
        offered.ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_else(|| text(ask))
    }
}
