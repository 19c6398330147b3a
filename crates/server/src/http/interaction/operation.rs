//! HTTP operation `questions_ask`: opens an ask, waits, and returns the tool's result.

use super::session_of;
use crate::http::app::App;
use crate::http::call::Call;
use crate::http::caller::From;
use crate::http::handover::Waiting;
use crate::http::held::Held;
use crate::http::{reply, status};
use axum::http::{HeaderName, StatusCode};
use axum::response::Response;
use sayso_core::wire::json;
use sayso_core::{AccountQuota, Ask, Asker, NewAsk, Outcome, Problem};
use sayso_desk::Desk as _;
use sayso_dialects::Dialect;
use sayso_dialects::interaction::{InteractionRequest, QuestionsAsk, ToolError, result};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

const SESSION_ID: HeaderName = HeaderName::from_static("x-session-id");
/// Name under which the desk stores this operation's rendering.
const FORM: &str = "operation";

/// What the operation replies when the tool returns.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Returned")]
pub(in crate::http) struct Returned {
    /// `true`.
    ok: bool,
    /// What the tool returns: `{"ok":true,"answers":{…}}`, `{"ok":false,"cancelled":true}` or `{"ok":false,"error":…}`.
    result: Value,
}

/// Error body of the operation.
#[derive(Serialize)]
struct Failed<'e> {
    error: &'e str,
    code: &'e str,
}

/// Result of a call that does not wait.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Left {
    ok: bool,
    pending: bool,
    mode: &'static str,
    questionnaire_request_id: String,
    tool_call_id: String,
    message: &'static str,
}

/// Error of the operation.
enum Failure {
    Tool(ToolError),
    Desk(Problem),
}

impl std::convert::From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Desk(problem)
    }
}

pub(in crate::http) async fn ask(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    let lang = call.lang;
    Ok(match asked(app, call).await {
        Ok(reply) => reply,
        Err(Failure::Tool(error)) => failed(status_of(&error), &error.message, error.code),
        Err(Failure::Desk(problem)) => {
            failed(status::of(problem.code), &problem.message.render(lang), problem.code.as_str())
        }
    })
}

/// Returns the HTTP status of a tool error.
fn status_of(error: &ToolError) -> StatusCode {
    match error.code {
        "invalid_arguments" => StatusCode::BAD_REQUEST,
        "interaction_unavailable" => StatusCode::SERVICE_UNAVAILABLE,
        "tool_aborted" => StatusCode::GONE,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

fn failed(status: StatusCode, error: &str, code: &str) -> Response {
    reply::json(status, json::write(&Failed { error, code }))
}

fn returned(result: Value) -> String {
    json::write(&Returned { ok: true, result })
}

async fn asked(app: Arc<App>, call: Call) -> Result<Response, Failure> {
    let caller = call.caller()?.clone();
    let session = call.text_header(&SESSION_ID)?.map(str::trim).filter(|session| !session.is_empty());
    let asker = caller.asker(From { session: session.map(str::to_owned), ..From::default() })?;
    json::within_limits(call.text()?)?;
    let tool = QuestionsAsk::new(&call.any_json()?).map_err(Failure::Tool)?;
    let request = tool.request();
    if request.require_client && !app.interactions.is_anybody_there(session_of(&asker)) {
        return Err(Failure::Tool(ToolError::no_client_for_input()));
    }
    let quota = caller.quota(app.quota);
    let new = new_ask(&tool, request, asker.clone(), quota);
    let (key, waits) = (call.key()?, request.waits);
    drop(call);
    let opened = app.at_desk(move |desk| desk.open(key.as_deref(), new)).await?;
    let id = opened.ask().id;
    // A repeated call after the answer returns the result.
    if !waits && opened.ask().outcome().is_none() {
        return Ok(reply::json(StatusCode::OK, returned(left(opened.ask()))));
    }
    let waiting = Waiting::begin(&app, asker, id);
    let mut held = Held::begin(&app, caller, id).await?;
    held.ended().await?;
    drop(held);
    let (ask, bytes) = app
        .at_desk(move |desk| {
            let ask = desk.get(id)?;
            let bytes = desk.offer(&ask.request.asker, &ask, FORM, &render)?;
            Ok((ask, bytes))
        })
        .await?;
    let is_aborted = matches!(ask.outcome(), Some(Outcome::Cancelled { .. }));
    let status = if is_aborted { status_of(&ToolError::aborted()) } else { StatusCode::OK };
    Ok(waiting.hand_over(reply::json(status, bytes)))
}

fn new_ask(
    tool: &QuestionsAsk,
    request: &InteractionRequest,
    asker: Asker,
    quota: Option<AccountQuota>,
) -> NewAsk {
    NewAsk {
        judged: true,
        time_limit_ms: Some(request.time_limit_ms()),
        waits: request.waits,
        quota,
        ..NewAsk::new(tool.at_desk(), Dialect::Interaction.name(), asker)
    }
}

fn left(ask: &Ask) -> Value {
    let id = ask.id.to_string();
    let left = Left {
        ok: true,
        pending: true,
        mode: "async",
        questionnaire_request_id: id.clone(),
        tool_call_id: id,
        message: "Questionnaire remains open for a later response.",
    };
    serde_json::to_value(left).unwrap_or_default()
}

fn render(ask: &Ask) -> Vec<u8> {
    let Some(outcome) = ask.outcome() else { return Vec::new() };
    let text = match result(&ask.request.questionnaire, outcome) {
        Ok(result) => returned(serde_json::to_value(result).unwrap_or_default()),
        Err(error) => json::write(&Failed { error: &error.message, code: error.code }),
    };
    text.into_bytes()
}
