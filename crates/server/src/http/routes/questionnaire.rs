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
use sayso_core::{Ask, AskId, Message, NewAsk, Problem, ProblemCode, limits};
use sayso_desk::{Desk as _, StoreDesk, unshared_key};
use sayso_dialects::Dialect;
use sayso_dialects::questionnaire::{self, QuestionnaireResponse as Told, persistence_key};
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
    let read = call.text().map_err(|problem| vec![problem]);
    let read = read.and_then(|text| Dialect::Questionnaire.read(text, &asks.limits));
    let key = call.idempotency_key().map_err(|problem| vec![problem]);
    let (read, key) = match (read, key) {
        (Ok(read), Ok(key)) => (read, key),
        (Err(problems), _) | (_, Err(problems)) => {
            return Ok(http_response(questionnaire::refusal_response(&problems, call.lang)));
        }
    };
    let key = unshared_key(key, &read.questionnaire, None);
    let later = prefers_async(&call);
    // A draft of the same questionnaire, from a request that ended before submission, is continued.
    let draft_key = persistence_key(&read.questionnaire);
    let new = NewAsk {
        is_waiting: !later,
        quota: caller.ask_quota(asks.quota),
        draft_key: Some(draft_key),
        ..NewAsk::new(Arc::new(read.questionnaire), Dialect::Questionnaire.name(), asker)
    };
    let (named, audience) = (call.audience_names()?, caller.audience_choice(&asks.context.default_audience));
    // The request is dropped before the wait.
    drop(call);
    let open = move |desk: &StoreDesk| {
        let audience = Some(audience.choose(desk, named.as_deref())?);
        desk.open(key.as_deref(), NewAsk { audience, ..new })
    };
    let opened = asks.context.with_desk(open).await?;
    let id = opened.ask().id;
    if later {
        return Ok(accepted_response(id));
    }
    let waiting = WaitingAsker::new(&asks.context, opened.ask().request.asker.clone(), id);
    Ok(waiting.ack_on_complete(wait_for_response(&asks, caller.into_opener(), id).await?))
}

fn prefers_async(call: &ApiCall) -> bool {
    let lists_respond_async =
        |value: &str| value.split(',').any(|word| word.trim().eq_ignore_ascii_case("respond-async"));
    call.header(&PREFER).is_some_and(lists_respond_async)
}

fn accepted_response(id: AskId) -> Response {
    let outcome = format!("/v1/asks/{id}/outcome");
    let place = HeaderValue::try_from(&outcome);
    let mut reply = response::json(StatusCode::ACCEPTED, json::write(&LaterBody { ask: id, outcome }));
    reply.headers_mut().insert(PREFERENCE_APPLIED, HeaderValue::from_static("respond-async"));
    if let Ok(place) = place {
        reply.headers_mut().insert(header::LOCATION, place);
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
    let response = asks
        .context
        .with_desk(move |desk| {
            let ask = desk.get(id)?;
            let bytes = desk.offer(&ask.request.asker, &ask, FORM, &render_response)?;
            Ok(serde_json::from_slice(&bytes).ok().or_else(|| outcome_response(&ask)))
        })
        .await?;
    response.map(http_response).ok_or_else(|| Problem::new(ProblemCode::AskOpen, Message::AskOpen))
}

fn outcome_response(ask: &Ask) -> Option<Told> {
    ask.outcome().map(|outcome| questionnaire::respond(&ask.request.questionnaire, outcome))
}

fn render_response(ask: &Ask) -> Vec<u8> {
    serde_json::to_vec(&outcome_response(ask)).unwrap_or_default()
}

/// Converts a response of the dialect to an HTTP response.
fn http_response(response: Told) -> Response {
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
