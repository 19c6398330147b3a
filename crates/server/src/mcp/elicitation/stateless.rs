//! Stateless elicitation, for protocol versions without requests from the server: the call ends with the form, and
//! the host repeats it with the person's input. It may never do so. The question is at the desk as well, and the
//! dialog can't be closed: if someone answers at the desk meanwhile, the next call returns that answer.

use super::form::{HostForm, MAX_ROUNDS};
use super::response::{ElicitationOutcome, InvalidInput, apply_reply};
use super::seal::{FormRound, StateSeal};
use crate::mcp::descriptions;
use crate::mcp::error::CallError;
use crate::mcp::handler::McpServer;
use rmcp::model::{
    CallToolRequestParams, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationSchema, InputRequest,
    InputRequiredResult,
};
use sayso_core::Ask;
use std::collections::BTreeMap;
use std::time::Duration;

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

/// Returns the result that requests the form, if state can be sealed.
pub(crate) fn request_form(
    seal: Option<&StateSeal>,
    round: FormRound,
    form: &HostForm,
    last: &InvalidInput,
) -> Option<InputRequiredResult> {
    let HostForm { message, schema, .. } = last.next_form(form);
    let requested_schema = ElicitationSchema::from_json_schema(schema).ok()?;
    let params = ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema };
    request_input(seal, round, FORM_INPUT, params)
}

/// Returns the result that requests the page at an address, if state can be sealed.
pub(crate) fn request_page(
    seal: Option<&StateSeal>,
    round: FormRound,
    url: String,
) -> Option<InputRequiredResult> {
    let params = ElicitRequestParams::UrlElicitationParams {
        meta: None,
        message: descriptions::PAGE_MESSAGE.to_owned(),
        url,
        elicitation_id: round.ask.to_string(),
    };
    request_input(seal, round, PAGE_INPUT, params)
}

fn request_input(
    seal: Option<&StateSeal>,
    round: FormRound,
    name: &str,
    params: ElicitRequestParams,
) -> Option<InputRequiredResult> {
    let request = InputRequest::Elicitation(ElicitRequest::new(params));
    let wanted = BTreeMap::from([(name.to_owned(), request)]);
    Some(InputRequiredResult::new(Some(wanted), Some(seal?.seal(round))))
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
    returned: RepeatedCall,
) -> Result<RepeatedCallEffect, CallError> {
    if server.desk_client.setup.account.is_some() {
        if returned.reply.is_some() {
            server.desk_client.dialogs.dismiss(ask.id);
        }
        return Ok(RepeatedCallEffect::Open(1, InvalidInput::default()));
    }
    let round = server.desk_client.seal().and_then(|seal| seal.open(&returned.state));
    let (Some(round), Some(reply)) = (round.filter(|it| it.ask == ask.id), returned.reply) else {
        return Ok(RepeatedCallEffect::Open(1, InvalidInput::default()));
    };
    let took = u64::try_from(server.desk_client.setup.now_ms() - round.requested_at_ms)
        .map(Duration::from_millis)
        .unwrap_or_default();
    let asked = ask.clone();
    match server.desk_client.run(move |client| apply_reply(&client.setup, &asked, reply, took)).await? {
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
