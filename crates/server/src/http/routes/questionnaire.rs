//! `POST /questionnaire`, the Questionnaire API as specified. The request blocks until a person has answered.
//!
//! A client that disconnects leaves its ask at the desk. The same request with the same token finds it again while it
//! is open or its answer has not been delivered.

use super::ack_on_complete::WaitingAsker;
use super::ask_state::AskState;
use super::outcome_waiter::OutcomeWaiter;
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::caller::{AskerParams, AuthenticatedCaller};
use crate::http::middleware::response;
use crate::http::openapi::schemas;
use crate::http::route::{
    AUDIENCE, BodySpec, ContentSpec, KEY, Parameter, ROLE, ResponseSpec, Route, RouteAccess, RouteMethod, ok,
    run,
};
use axum::body::Bytes;
use axum::http::StatusCode;
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::response::{IntoResponse as _, Response};
use sayso_core::wire::json;
use sayso_core::{Ask, AskId, Message, NewAsk, Problem, ProblemCode, Questionnaire, limits};
use sayso_desk::{Desk as _, unshared_key};
use sayso_dialects::questionnaire::{self, QuestionnaireResponse, persistence_key};
use sayso_dialects::{Dialect, DialectLimits};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;

pub(crate) const ROUTES: &[Route] = &[
    Route {
        method: RouteMethod::Post,
        path: "/questionnaire",
        name: "execute_questionnaire",
        summary: "The Questionnaire API: asks, and responds when a person has answered or declined. With `Prefer: \
            respond-async` it responds at once, with the address of the outcome.",
        access: RouteAccess::Asker,
        parameters: &[
            KEY,
            Parameter::header("Prefer", "`respond-async` if the caller cannot wait.", schemas::text),
            AUDIENCE,
            ROLE,
        ],
        body: BodySpec::json(schemas::anything),
        max_body_bytes: limits::REQUEST_BODY_BYTES,
        responses: &[
            ok("A person answered.", ContentSpec::json(schemas::anything)),
            ResponseSpec {
                status: 202,
                description: "The ask is created; the outcome comes later.",
                content: ContentSpec::json(schemas::schema_of::<LaterBody>),
            },
            ResponseSpec {
                status: 400,
                description: "The request is not valid in this API.",
                content: ContentSpec::Problem,
            },
            ResponseSpec {
                status: 408,
                description: "No one answered before the deadline.",
                content: ContentSpec::Problem,
            },
            ResponseSpec {
                status: 410,
                description: "The asker cancelled it.",
                content: ContentSpec::Problem,
            },
            ResponseSpec {
                status: 499,
                description: "A person declined.",
                content: ContentSpec::json(schemas::anything),
            },
        ],
        problems: &[
            ProblemCode::InvalidJson,
            ProblemCode::KeyReused,
            ProblemCode::TooLarge,
            ProblemCode::UnsupportedMediaType,
            ProblemCode::DeskCrowded,
            ProblemCode::DeskFull,
        ],
        handler: run!(ask),
    },
    Route {
        method: RouteMethod::Get,
        path: "/questionnaire/openapi.json",
        name: "show_questionnaire_openapi",
        summary: "The document of the Questionnaire API.",
        access: RouteAccess::Open,
        parameters: &[],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ok("The document.", ContentSpec::Text("application/json"))],
        problems: &[],
        handler: run!(document),
    },
];

/// Name under which the desk stores the HTTP response.
const FORM: &str = "http";
const PREFER: HeaderName = HeaderName::from_static("prefer");
const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// Addresses for the outcome of an ask.
#[derive(Serialize, JsonSchema)]
pub(crate) struct LaterBody {
    /// The ask.
    ask: AskId,
    /// Address of the outcome: wait with `?wait=SECONDS`, or read it as a stream of events.
    outcome: String,
}

pub(crate) async fn ask(asks: Arc<AskState>, call: ApiCall) -> Result<Response, Problem> {
    let caller = call.caller()?.clone();
    let asker = caller.to_asker(AskerParams::default())?;
    let (questionnaire, key) = match read_request(&call, &asks.limits) {
        Ok(request) => request,
        Err(problems) => {
            return Ok(http_response(questionnaire::refusal_response(&problems, call.lang)));
        }
    };
    let key = unshared_key(key, &questionnaire, None);
    let is_async = prefers_async(&call);
    // A draft of the same questionnaire, from a request that ended before submission, is continued.
    let draft_key = persistence_key(&questionnaire);
    let new_ask = NewAsk {
        is_waiting: !is_async,
        quota: caller.ask_quota(asks.quota),
        draft_key: Some(draft_key),
        ..NewAsk::new(Arc::new(questionnaire), Dialect::Questionnaire.name(), asker)
    };
    let audience_names = call.audience_names()?;
    let audience = caller.audience_choice(&asks.context.default_audience);
    // The request is dropped before the wait.
    drop(call);
    let desk_call = asks.context.with_desk(move |desk| {
        let audience = Some(audience.choose(desk, audience_names.as_deref())?);
        Ok(desk.open(key.as_deref(), NewAsk { audience, ..new_ask })?.into_ask())
    });
    let ask = desk_call.await?;
    if is_async {
        return Ok(accepted_response(ask.id));
    }
    let waiting_asker = WaitingAsker::new(&asks.context, ask.request.asker.clone(), ask.id);
    let response = wait_for_response(&asks, caller.into_opener(), ask.id).await?;
    Ok(waiting_asker.ack_on_complete(response))
}

/// Reads the questionnaire and the key of a request.
///
/// # Errors
/// Returns the problems of the questionnaire, or else of the key.
fn read_request(
    call: &ApiCall,
    limits: &DialectLimits,
) -> Result<(Questionnaire, Option<String>), Vec<Problem>> {
    let text = call.text()?;
    let request = Dialect::Questionnaire.read(text, limits)?;
    let key = call.idempotency_key()?;
    Ok((request.questionnaire, key))
}

fn prefers_async(call: &ApiCall) -> bool {
    let preferences = call.header(&PREFER).unwrap_or_default();
    preferences.split(',').any(|word| word.trim().eq_ignore_ascii_case("respond-async"))
}

fn accepted_response(id: AskId) -> Response {
    let outcome = format!("/v1/asks/{id}/outcome");
    let location = HeaderValue::try_from(&outcome);
    let mut reply = response::json(StatusCode::ACCEPTED, json::write(&LaterBody { ask: id, outcome }));
    reply.headers_mut().insert(PREFERENCE_APPLIED, HeaderValue::from_static("respond-async"));
    if let Ok(location) = location {
        reply.headers_mut().insert(header::LOCATION, location);
    }
    reply
}

async fn wait_for_response(
    asks: &Arc<AskState>,
    caller: AuthenticatedCaller,
    id: AskId,
) -> Result<Response, Problem> {
    let mut waiter = OutcomeWaiter::start(asks, caller, id).await?;
    waiter.wait_until_settled().await?;
    drop(waiter);
    let desk_call = asks.context.with_desk(move |desk| {
        let ask = desk.get(id)?;
        let bytes = desk.offer(&ask.request.asker, &ask, FORM, &render_response)?;
        Ok(serde_json::from_slice(&bytes).ok().or_else(|| outcome_response(&ask)))
    });
    match desk_call.await? {
        Some(response) => Ok(http_response(response)),
        None => Err(Problem::new(ProblemCode::AskOpen, Message::AskOpen)),
    }
}

fn outcome_response(ask: &Ask) -> Option<QuestionnaireResponse> {
    Some(questionnaire::respond(&ask.request.questionnaire, ask.outcome()?))
}

fn render_response(ask: &Ask) -> Vec<u8> {
    serde_json::to_vec(&outcome_response(ask)).unwrap_or_default()
}

/// Converts a response of the dialect to an HTTP response.
fn http_response(response: QuestionnaireResponse) -> Response {
    let status = StatusCode::from_u16(response.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = [(header::CONTENT_TYPE, response.content_type.into_owned())];
    (status, headers, response.body).into_response()
}

/// Serves the API's OpenAPI document, with its known errors fixed.
pub(crate) async fn document(asks: Arc<AskState>, _: ApiCall) -> Result<Response, Problem> {
    let form = sayso_dialects::SchemaFormat::OpenApi;
    let schema = Dialect::Questionnaire.schema(sayso_dialects::SchemaPart::Request, form, &asks.limits);
    let text = schema.map(Bytes::from).unwrap_or_default();
    Ok(response::text("application/json", text))
}
