//! Routes of an ask's outcome: wait, acknowledge and offer.

use super::ask_state::AskState;
use super::asker::{EmptyBody, apply_command};
use super::events::{closing_event, sse_response};
use super::outcome_waiter::{OutcomeWaiter, require_asker};
use crate::http::context::{ServerContext, visible_ask};
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::caller::{AuthenticatedCaller, PersonParams};
use crate::http::middleware::response;
use crate::http::openapi::schemas;
use crate::http::route::{
    ASK, ASK_STATE_CODES, BodySpec, ContentSpec, Parameter, ROLE, ResponseSpec, Route, RouteAccess,
    RouteMethod, ok, run,
};
use axum::body::Bytes;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response, sse};
use futures_util::stream;
use jiff::Timestamp;
use sayso_core::model::ask::{AskPhase, Submission};
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::wire::json;
use sayso_core::{Ask, AskCommand, AskId, Outcome, Problem, ProblemCode, Replies, limits};
use sayso_desk::token::TokenRole;
use sayso_desk::{Desk as _, StoreDesk};
use sayso_dialects::plain_answer::plain_answers;
use sayso_dialects::{CliOutput, Dialect};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Duration;

pub(crate) const ROUTES: &[Route] = &[
    Route {
        method: RouteMethod::Get,
        path: "/v1/asks/{id}/outcome",
        name: "wait_for_outcome",
        summary: "The outcome, also in the asker's format; the same bytes each time until it is acknowledged. It \
            waits for `wait` seconds, or sends the outcome as the only event of a stream.",
        access: RouteAccess::Asker,
        parameters: &[
            Parameter::query(
                "wait",
                "Seconds to wait: at most 60. A longer one is shortened, and `wait_limit` says so.",
                schemas::wait,
            ),
            ROLE,
        ],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ok(
            "The outcome, or only the state if the ask has not ended.",
            ContentSpec::json_or_events(schemas::schema_of::<OutcomeBody>),
        )],
        problems: &[ProblemCode::AskNotFound, ProblemCode::InvalidValue],
        handler: run!(wait),
    },
    Route {
        method: RouteMethod::Post,
        path: "/v1/asks/{id}/ack",
        name: "acknowledge_outcome",
        summary: "Confirms that the asker has the outcome.",
        access: RouteAccess::Asker,
        parameters: &[ROLE],
        body: BodySpec::maybe_json(schemas::schema_of::<EmptyBody>),
        max_body_bytes: limits::REQUEST_BODY_BYTES,
        responses: &[ok("The ask.", ASK)],
        problems: ASK_STATE_CODES,
        handler: run!(ack),
    },
    Route {
        method: RouteMethod::Post,
        path: "/v1/asks/{id}/offer",
        name: "offer_outcome",
        summary: "Stores the outcome as the asker renders it, under the name of a form. The first rendering is \
            kept and returned to every later caller.",
        access: RouteAccess::Asker,
        parameters: &[Parameter::query("form", "The name of the form.", schemas::form).required(), ROLE],
        body: BodySpec::Bytes,
        max_body_bytes: limits::BODY_BYTES,
        responses: &[
            ok("The stored rendering.", ContentSpec::Bytes),
            ResponseSpec {
                status: 204,
                description: "Nothing is stored, and nothing was sent.",
                content: ContentSpec::None,
            },
        ],
        problems: &[
            ProblemCode::AskNotFound,
            ProblemCode::AskOpen,
            ProblemCode::InvalidValue,
            ProblemCode::TooLarge,
            ProblemCode::UnsupportedMediaType,
        ],
        handler: run!(offer),
    },
];

/// Outcome of an ask.
#[derive(Serialize, JsonSchema)]
pub(crate) struct OutcomeBody {
    /// The ask.
    ask: AskId,
    /// Current state.
    state: AskStatus,
    /// Limit of a wait in seconds, if a longer one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    wait_limit: Option<u64>,
    /// Submission that waits for the verdict of the asker.
    #[serde(flatten)]
    submitted: Option<SubmittedRound>,
    /// End of the ask.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Outcome>,
    /// The same as a command prints it in the asker's format.
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<ReplyBody>,
}

/// Submitted round of an ask whose asker judges the answers.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SubmittedRound {
    /// Number of the round, for the verdict.
    round: u32,
    /// Answers by the asker's name of each question, with the asker's values: an option's value, a list for several
    /// picks, typed text, a number, true or false.
    answers: Map<String, Value>,
    /// Replies by question, with notes and skips. The note on the whole form has the empty id.
    replies: Replies,
    /// Deadline for the verdict; after it the answers count.
    #[schemars(with = "String")]
    verdict_by: Timestamp,
}

/// Output of a command in the asker's format.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct ReplyBody {
    /// Standard output.
    stdout: String,
    /// Standard error.
    stderr: String,
    /// Exit code.
    exit: u8,
}

/// Parameters of a request for the outcome.
struct OutcomeParams {
    caller: AuthenticatedCaller,
    id: AskId,
    wait: Duration,
    shortened: Option<u64>,
    as_events: bool,
}

impl OutcomeParams {
    fn from_call(call: &ApiCall) -> Result<Box<Self>, Problem> {
        Ok(Box::new(Self {
            caller: call.caller()?.clone(),
            id: call.ask_id()?,
            wait: call.wait_time()?,
            shortened: call.shortened_wait()?,
            as_events: call.wants_events(),
        }))
    }
}

/// Waits for the outcome. Ten thousand requests may wait: buffers needed only before or after the wait are boxed and
/// dropped.
pub(crate) fn wait(
    asks: Arc<AskState>,
    call: ApiCall,
) -> impl Future<Output = Result<Response, Problem>> + Send {
    let start = Box::pin(start_waiting(asks, OutcomeParams::from_call(&call)));
    // The request is dropped before the wait.
    drop(call);
    async move {
        let (mut waiter, wait, wait_limit) = start.await?;
        let Some(wait) = wait else { return Ok(outcome_stream(waiter)) };
        let is_settled = waiter.wait_for_asker(wait).await?;
        Box::pin(outcome_response(&waiter, is_settled, wait_limit)).await
    }
}

/// Returns the waiter, the timeout, and the limit that shortened it; a stream has no timeout.
async fn start_waiting(
    asks: Arc<AskState>,
    params: Result<Box<OutcomeParams>, Problem>,
) -> Result<(OutcomeWaiter, Option<Duration>, Option<u64>), Problem> {
    let OutcomeParams { caller, id, wait, shortened, as_events } = *params?;
    let waiter = OutcomeWaiter::start(&asks, caller, id).await?;
    let wait = if as_events { None } else { Some(wait) };
    Ok((waiter, wait, shortened))
}

async fn outcome_response(
    waiter: &OutcomeWaiter,
    is_settled: bool,
    wait_limit: Option<u64>,
) -> Result<Response, Problem> {
    if is_settled {
        return Ok(response::json(StatusCode::OK, shared_outcome(waiter).await?));
    }
    let submitted = if waiter.status == AskStatus::Submitted { read_submission(waiter).await? } else { None };
    let body = OutcomeBody {
        ask: waiter.id,
        state: waiter.status,
        wait_limit,
        submitted,
        outcome: None,
        reply: None,
    };
    Ok(response::json(StatusCode::OK, json::write(&body)))
}

/// Returns the submission that waits for a verdict; it may have been judged meanwhile.
async fn read_submission(waiter: &OutcomeWaiter) -> Result<Option<SubmittedRound>, Problem> {
    let ask = waiter.id;
    let ask = waiter.asks.context.with_desk(move |desk| desk.get(ask)).await?;
    let AskPhase::Submitted { round, submission } = &ask.state.phase else { return Ok(None) };
    let Submission { replies, verdict_by, .. } = submission.clone();
    let answers = plain_answers(&ask.request.questionnaire, &replies);
    Ok(Some(SubmittedRound { round: *round, answers, replies, verdict_by }))
}

/// Returns the outcome of an ask as a stream with one event.
fn outcome_stream(waiter: OutcomeWaiter) -> Response {
    let gauge_guard = waiter.asks.context.metrics.count_stream();
    let events = stream::unfold((Some(waiter), gauge_guard), |(waiter, gauge_guard)| async move {
        let event = outcome_event(waiter?).await;
        Some((Ok(event), (None, gauge_guard)))
    });
    sse_response(events)
}

async fn outcome_event(mut waiter: OutcomeWaiter) -> sse::Event {
    if waiter.wait_until_settled().await.is_ok()
        && let Ok(body) = shared_outcome(&waiter).await
        && let Ok(body) = str::from_utf8(&body)
    {
        return sse::Event::default().event("outcome").data(body);
    }
    closing_event()
}

/// Returns the outcome of a settled ask as JSON, and records it as offered to the asker. The first waiter reads it for
/// all others of the ask.
///
/// # Errors
/// Fails if the desk fails.
async fn shared_outcome(waiter: &OutcomeWaiter) -> Result<Bytes, Problem> {
    let id = waiter.id;
    let context = &waiter.asks.context;
    let body = waiter.outcome.get_or_try_init(|| context.with_desk(move |desk| outcome_body(desk, id)));
    body.await.cloned()
}

fn outcome_body(desk: &StoreDesk, id: AskId) -> Result<Bytes, Problem> {
    let ask = desk.get(id)?;
    let body = OutcomeBody {
        ask: id,
        state: AskStatus::from_phase(&ask.state.phase),
        wait_limit: None,
        submitted: None,
        outcome: ask.outcome().cloned(),
        reply: Some(render_reply(desk, &ask)?),
    };
    Ok(Bytes::from(json::write(&body)))
}

fn render_reply(desk: &StoreDesk, ask: &Ask) -> Result<ReplyBody, Problem> {
    // The stored rendering is shared with commands of other processes.
    let render = |ask: &Ask| Dialect::settled_output(ask).to_bytes();
    let bytes = desk.offer(&ask.request.asker, ask, CliOutput::FORMAT, &render)?;
    let CliOutput { stdout, stderr, exit } =
        CliOutput::from_bytes(&bytes).unwrap_or_else(|| Dialect::settled_output(ask));
    Ok(ReplyBody { stdout, stderr, exit })
}

pub(crate) async fn ack(context: Arc<ServerContext>, call: ApiCall) -> Result<Response, Problem> {
    call.parse_json::<EmptyBody>()?;
    apply_command(context, &call, TokenRole::Asker, PersonParams::default(), |_| Ok(AskCommand::Ack)).await
}

/// Query parameters of an offer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfferParams {
    form: String,
}

pub(crate) async fn offer(context: Arc<ServerContext>, call: ApiCall) -> Result<Response, Problem> {
    let caller = call.caller()?.clone();
    let id = call.ask_id()?;
    let mut bytes = call.bytes().clone();
    let OfferParams { form } = call.parse_query()?;
    let desk_call = context.with_desk(move |desk| {
        let ask = visible_ask(desk, &caller, id)?;
        require_asker(&caller, &ask)?;
        if bytes.is_empty() && ask.outcome().is_some() {
            // The asker only wants what is stored.
            let Some(rendering) = desk.rendering(&ask, &form)? else { return Ok(None) };
            bytes = rendering.into();
        }
        desk.offer(&ask.request.asker, &ask, &form, &|_| bytes.to_vec()).map(Some)
    });
    Ok(match desk_call.await? {
        Some(bytes) => response::text("application/octet-stream", bytes),
        None => StatusCode::NO_CONTENT.into_response(),
    })
}
