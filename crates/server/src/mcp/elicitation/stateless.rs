//! Stateless elicitation, for protocol versions without requests from the server: the call ends with the form, and
//! the host repeats it with the person's input. It may never do so. The question is at the desk as well, and the
//! dialog can't be closed: if someone answers at the desk meanwhile, the next call returns that answer.

use super::form::{HostForm, MAX_ROUNDS};
use super::response::{ElicitationOutcome, InvalidInput};
use super::seal::FormRound;
use crate::mcp::caller::McpCaller;
use crate::mcp::desk_client::{DeskClient, ToolAsk};
use crate::mcp::error::CallError;
use crate::mcp::handler::McpServer;
use rmcp::model::{
    CallToolRequestParams, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationSchema, InputRequest,
    InputRequiredResult,
};
use sayso_core::{Ask, AskId, Asker, Problem};
use std::collections::BTreeMap;
use std::time::Duration;

/// Name of the only input request, if it is a form.
const FORM_INPUT: &str = "form";
/// Name of the only input request, if it is the address of a page.
pub(super) const PAGE_INPUT: &str = "page";

/// State and reply that a repeated call carries.
#[derive(Debug, Clone)]
pub(crate) struct RepeatedCall {
    state: String,
    pub(super) reply: Option<ElicitResult>,
}

impl RepeatedCall {
    /// Reads the state of a request, unless it is the first of its call.
    pub(crate) fn from_request(request: &CallToolRequestParams) -> Option<Self> {
        let responses = request.input_responses.as_ref();
        let reply = responses.and_then(|it| it.get(FORM_INPUT).or_else(|| it.get(PAGE_INPUT))).cloned();
        let reply = reply.and_then(|reply| serde_json::from_value(reply).ok());
        Some(Self { state: request.request_state.clone()?, reply })
    }
}

/// Effect of a repeated call on its ask.
pub(crate) enum RepeatedCallEffect {
    Settled(Box<Ask>),
    /// The ask is still open. Number of the next showing of its form, and the invalid input of the last one.
    Open(u64, InvalidInput),
}

impl DeskClient {
    /// Returns the caller's ask that a repeated call continues, if its sealed state is valid.
    pub(crate) fn resumed_ask(&self, asker: &Asker, returned: Option<&RepeatedCall>) -> Option<Ask> {
        let state = &returned?.state;
        let ask = self.setup.desk.get(self.seal()?.open(state)?.ask).ok()?;
        self.is_own(&ask, asker).then_some(ask)
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

    /// Returns the result that requests the form, if state can be sealed.
    pub(crate) fn request_form(
        &self,
        ask: AskId,
        form: &HostForm,
        number: u64,
        last: &InvalidInput,
    ) -> Option<InputRequiredResult> {
        let HostForm { message, schema, .. } = last.next_form(form);
        let requested_schema = ElicitationSchema::from_json_schema(schema).ok()?;
        let params = ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema };
        let input_request = InputRequest::Elicitation(ElicitRequest::new(params));
        let wanted = BTreeMap::from([(FORM_INPUT.to_owned(), input_request)]);
        let state = self.seal()?.seal(FormRound { ask, requested_at_ms: self.now_ms(), number });
        Some(InputRequiredResult::new(Some(wanted), Some(state)))
    }

    pub(crate) fn now_ms(&self) -> i64 {
        (self.setup.now)().as_millisecond()
    }
}

/// Applies the reply of a repeated call, even if its form would not be shown again. Replies without state sealed
/// for this ask are ignored.
///
/// # Errors
/// Fails if the desk fails.
pub(crate) async fn apply_repeated_call(
    server: &McpServer,
    ask: &Ask,
    returned: RepeatedCall,
) -> Result<RepeatedCallEffect, CallError> {
    let round = server.desk_client.seal().and_then(|seal| seal.open(&returned.state));
    let (Some(round), Some(reply)) = (round.filter(|it| it.ask == ask.id), returned.reply) else {
        return Ok(RepeatedCallEffect::Open(1, InvalidInput::default()));
    };
    let took = u64::try_from(server.desk_client.now_ms() - round.requested_at_ms)
        .map(Duration::from_millis)
        .unwrap_or_default();
    let asked = ask.clone();
    match server.desk_client.run(move |asks| asks.apply_reply(&asked, reply, took)).await? {
        ElicitationOutcome::Settled(ask) => return Ok(RepeatedCallEffect::Settled(ask)),
        ElicitationOutcome::Invalid(input) if round.number < MAX_ROUNDS => {
            return Ok(RepeatedCallEffect::Open(round.number + 1, input));
        }
        ElicitationOutcome::Invalid(_) | ElicitationOutcome::Dismissed => {
            server.desk_client.dialogs.dismiss(ask.id);
        }
        ElicitationOutcome::CannotAsk => server.desk_client.dialogs.disable(),
    }
    Ok(RepeatedCallEffect::Open(1, InvalidInput::default()))
}
