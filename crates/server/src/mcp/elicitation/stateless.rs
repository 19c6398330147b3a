//! Stateless elicitation, for protocol versions without requests from the server: the call ends with the form, and
//! the host repeats it with the person's input. It may never do so. The question is at the desk as well, and the
//! dialog can't be closed: if someone answers at the desk meanwhile, the next call returns that answer.

use super::form::{HostForm, MAX_ROUNDS};
use super::response::{ElicitationOutcome, InvalidInput, apply_reply};
use super::seal::{FormRound, StateSeal};
use crate::mcp::descriptions;
use crate::mcp::error::CallError;
use crate::mcp::server::McpServer;
use rmcp::model::{
    CallToolRequestParams, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationSchema, InputRequest,
    InputRequiredResult,
};
use sayso_core::{Ask, AskId};
use std::collections::BTreeMap;

/// Name of the only input request, if it is a form.
const FORM_INPUT: &str = "form";
/// Name of the only input request, if it is the address of a page.
const PAGE_INPUT: &str = "page";

/// State and reply that a repeated call carries.
#[derive(Debug, Clone)]
pub(crate) struct RepeatedCall {
    pub(crate) state: String,
    reply: Option<ElicitResult>,
}

impl RepeatedCall {
    /// Reads the state of a request, unless it is the first of its call.
    pub(crate) fn from_request(request: &CallToolRequestParams) -> Option<Self> {
        let state = request.request_state.clone()?;
        let mut reply = None;
        if let Some(responses) = &request.input_responses
            && let Some(response) = responses.get(FORM_INPUT).or(responses.get(PAGE_INPUT))
        {
            reply = serde_json::from_value(response.clone()).ok();
        }
        Some(Self { state, reply })
    }
}

/// Effect of a repeated call on its ask.
pub(crate) enum RepeatedCallEffect {
    Settled(Box<Ask>),
    /// The ask is still open. Number of the next showing of its form, and the invalid input of the last one.
    Open(u64, InvalidInput),
}

/// Input that the result of a call requests from its host.
pub(crate) struct InputToRequest {
    name: &'static str,
    params: ElicitRequestParams,
}

impl InputToRequest {
    /// Returns a form, unless the protocol's library refuses its schema.
    pub(crate) fn from_form(form: &HostForm) -> Option<Self> {
        let message = form.message.clone();
        let requested_schema = ElicitationSchema::from_json_schema(form.schema.clone()).ok()?;
        let params = ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema };
        Some(Self { name: FORM_INPUT, params })
    }

    /// Returns the page of an ask, at this address.
    pub(crate) fn from_page(ask: AskId, url: String) -> Self {
        let params = ElicitRequestParams::UrlElicitationParams {
            meta: None,
            message: descriptions::PAGE_MESSAGE.to_owned(),
            url,
            elicitation_id: ask.to_string(),
        };
        Self { name: PAGE_INPUT, params }
    }

    /// Returns the result of the call. The host returns the sealed round with the input.
    pub(crate) fn into_result(self, seal: &StateSeal, round: FormRound) -> InputRequiredResult {
        let request = InputRequest::Elicitation(ElicitRequest::new(self.params));
        let requests = BTreeMap::from([(self.name.to_owned(), request)]);
        InputRequiredResult::new(Some(requests), Some(seal.seal(round)))
    }
}

/// Applies the reply of a repeated call, even if its form would not be shown again. Replies without state sealed
/// for this ask are ignored. No reply is an answer to an ask of an account on the network: an asker's token answers
/// nothing.
///
/// # Errors
/// Fails if the desk fails.
pub(crate) async fn apply_repeated_call(
    server: &McpServer,
    ask: &Ask,
    repeated: RepeatedCall,
) -> Result<RepeatedCallEffect, CallError> {
    if server.desk_client.setup.account.is_some() {
        if repeated.reply.is_some() {
            server.desk_client.dialogs.dismiss(ask.id);
        }
        return Ok(RepeatedCallEffect::Open(1, InvalidInput::default()));
    }
    let round = server.desk_client.sealed_round(&repeated.state);
    let (Some(round), Some(reply)) = (round, repeated.reply) else {
        return Ok(RepeatedCallEffect::Open(1, InvalidInput::default()));
    };
    if round.ask != ask.id {
        return Ok(RepeatedCallEffect::Open(1, InvalidInput::default()));
    }
    let elapsed = round.elapsed(server.desk_client.setup.now_ms());
    let open_ask = ask.clone();
    let desk_call =
        server.desk_client.run(move |client| apply_reply(&client.setup, &open_ask, reply, elapsed));
    match desk_call.await? {
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
