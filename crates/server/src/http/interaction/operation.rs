//! HTTP operation `questions_ask`: opens an ask, waits, and returns the tool's result.

use super::asker_session;
use super::interaction_state::InteractionState;
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::caller::AskerParams;
use crate::http::middleware::{problem_response, response};
use crate::http::routes::ack_on_complete::WaitingAsker;
use crate::http::routes::ask_state::AskState;
use crate::http::routes::outcome_waiter::OutcomeWaiter;
use axum::http::{HeaderName, StatusCode};
use axum::response::Response;
use sayso_core::wire::json;
use sayso_core::{AccountQuota, Ask, Asker, NewAsk, Outcome, Problem};
use sayso_desk::{Desk as _, unshared_key};
use sayso_dialects::Dialect;
use sayso_dialects::interaction::{InteractionRequest, QuestionsAsk, ToolError, tool_result};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

const SESSION_ID: HeaderName = HeaderName::from_static("x-session-id");
/// Name under which the desk stores this operation's rendering.
const FORM: &str = "operation";

/// Response of the operation once the tool returns.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct ToolResultBody {
    /// `true`.
    ok: bool,
    /// Result of the tool: `{"ok":true,"answers":{…}}`, `{"ok":false,"cancelled":true}` or `{"ok":false,"error":…}`.
    result: Value,
}

/// Error body of the operation.
#[derive(Serialize)]
struct ErrorBody<'e> {
    error: &'e str,
    code: &'e str,
}

/// Result of a call that does not wait.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PendingResult {
    ok: bool,
    pending: bool,
    mode: &'static str,
    questionnaire_request_id: String,
    tool_call_id: String,
    message: &'static str,
}

/// Error of the operation.
enum OperationError {
    Tool(ToolError),
    Desk(Problem),
}

impl From<Problem> for OperationError {
    fn from(problem: Problem) -> Self {
        Self::Desk(problem)
    }
}

pub(in crate::http) async fn ask(
    (asks, interactions): (Arc<AskState>, Arc<InteractionState>),
    call: ApiCall,
) -> Result<Response, Problem> {
    let lang = call.lang;
    Ok(match run_tool(&asks, &interactions, call).await {
        Ok(reply) => reply,
        Err(OperationError::Tool(error)) => {
            error_response(tool_error_status(&error), &error.message, error.code)
        }
        Err(OperationError::Desk(problem)) => error_response(
            problem_response::status_of(problem.code),
            &problem.clone().without_place().message.render(lang),
            problem.code.as_str(),
        ),
    })
}

/// Returns the HTTP status of a tool error.
fn tool_error_status(error: &ToolError) -> StatusCode {
    match error.code {
        "invalid_arguments" => StatusCode::BAD_REQUEST,
        "interaction_unavailable" => StatusCode::SERVICE_UNAVAILABLE,
        "tool_aborted" => StatusCode::GONE,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

fn error_response(status: StatusCode, error: &str, code: &str) -> Response {
    response::json(status, json::write(&ErrorBody { error, code }))
}

fn result_body(result: Value) -> String {
    json::write(&ToolResultBody { ok: true, result })
}

async fn run_tool(
    asks: &Arc<AskState>,
    interactions: &InteractionState,
    call: ApiCall,
) -> Result<Response, OperationError> {
    let caller = call.caller()?.clone();
    let mut from = AskerParams::default();
    let session = call.text_header(&SESSION_ID)?.unwrap_or_default().trim();
    if !session.is_empty() {
        from.session = Some(session.to_owned());
    }
    let asker = caller.to_asker(from)?;
    json::check_request_limits(call.text()?)?;
    let tool = QuestionsAsk::new(&call.parse_any_json()?).map_err(OperationError::Tool)?;
    let request = tool.request();
    if request.require_client && !interactions.has_client_for(asker_session(&asker)) {
        return Err(OperationError::Tool(ToolError::no_client_for_input()));
    }
    let quota = caller.ask_quota(asks.quota);
    let new_ask = new_ask(&tool, request, asker.clone(), quota);
    let key = unshared_key(call.idempotency_key()?, &new_ask.questionnaire, None);
    let waits = request.waits;
    let audience_names = call.audience_names()?;
    let audience = caller.audience_choice(&asks.context.default_audience);
    drop(call);
    let open_call = asks.context.with_desk(move |desk| {
        let audience = Some(audience.choose(desk, audience_names.as_deref())?);
        Ok(desk.open(key.as_deref(), NewAsk { audience, ..new_ask })?.into_ask())
    });
    let ask = open_call.await?;
    let id = ask.id;
    // A repeated call after the answer returns the result.
    if !waits && ask.outcome().is_none() {
        return Ok(response::json(StatusCode::OK, result_body(pending_result(&ask))));
    }
    let waiting_asker = WaitingAsker::new(&asks.context, asker, id);
    let mut waiter = OutcomeWaiter::start(asks, caller.into_opener(), id).await?;
    waiter.wait_until_settled().await?;
    drop(waiter);
    let offer_call = asks.context.with_desk(move |desk| {
        let ask = desk.get(id)?;
        let bytes = desk.offer(&ask.request.asker, &ask, FORM, &render_result)?;
        Ok((ask, bytes))
    });
    let (ask, bytes) = offer_call.await?;
    let is_aborted = matches!(ask.outcome(), Some(Outcome::Cancelled { .. }));
    let status = if is_aborted { tool_error_status(&ToolError::aborted()) } else { StatusCode::OK };
    Ok(waiting_asker.ack_on_complete(response::json(status, bytes)))
}

fn new_ask(
    tool: &QuestionsAsk,
    request: &InteractionRequest,
    asker: Asker,
    quota: Option<AccountQuota>,
) -> NewAsk {
    NewAsk {
        needs_verdict: true,
        time_limit_ms: Some(request.time_limit_ms()),
        is_waiting: request.waits,
        quota,
        ..NewAsk::new(tool.to_stored(), Dialect::Interaction.name(), asker)
    }
}

fn pending_result(ask: &Ask) -> Value {
    let id = ask.id.to_string();
    let result = PendingResult {
        ok: true,
        pending: true,
        mode: "async",
        questionnaire_request_id: id.clone(),
        tool_call_id: id,
        message: "Questionnaire remains open for a later response.",
    };
    serde_json::to_value(result).unwrap_or_default()
}

fn render_result(ask: &Ask) -> Vec<u8> {
    let Some(outcome) = ask.outcome() else { return Vec::new() };
    let text = match tool_result(&ask.request.questionnaire, outcome) {
        Ok(result) => result_body(serde_json::to_value(result).unwrap_or_default()),
        Err(error) => json::write(&ErrorBody { error: &error.message, code: error.code }),
    };
    text.into_bytes()
}
