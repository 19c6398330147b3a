//! `POST /questionnaire`, the Questionnaire API as specified. The request blocks until a person has answered.
//!
//! A client that disconnects leaves its ask at the desk. The same request with the same token finds it again while it
//! is open or its answer has not been delivered.

use super::app::App;
use super::call::Call;
use super::caller::{Caller, From};
use super::handover::Waiting;
use super::held::Held;
use super::reply;
use super::route::{Access, Body, Content, KEY, Parameter, ROLE, Reply, Route, Verb, ok, run};
use super::shapes;
use axum::body::Bytes;
use axum::http::StatusCode;
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::response::{IntoResponse as _, Response};
use sayso_core::wire::json;
use sayso_core::{Ask, AskId, Code, Message, NewAsk, Problem};
use sayso_desk::Desk as _;
use sayso_dialects::Dialect;
use sayso_dialects::questionnaire::{self, Response as Told, persistence_key};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;

pub(super) const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Post,
        path: "/questionnaire",
        name: "execute_questionnaire",
        about: "The Questionnaire API: asks, and replies when a person has answered, or said no. With \"Prefer: \
                respond-async\" it replies at once, and says where the outcome is to be had.",
        access: Access::Asker,
        parameters: &[
            KEY,
            Parameter::header("Prefer", "respond-async where the caller cannot wait.", shapes::text),
            ROLE,
        ],
        body: Body::Json(shapes::anything),
        replies: &[
            ok("A person answered.", Content::Json(shapes::anything)),
            Reply {
                status: 202,
                about: "It is asked; the outcome is to be had later.",
                content: Content::Json(shapes::later),
            },
            Reply { status: 400, about: "The request is not one of this API.", content: Content::Problem },
            Reply { status: 408, about: "Nobody answered before the deadline.", content: Content::Problem },
            Reply { status: 410, about: "The asker took it back.", content: Content::Problem },
            Reply { status: 499, about: "A person said no.", content: Content::Json(shapes::anything) },
        ],
        problems: &[
            Code::InvalidJson,
            Code::KeyReused,
            Code::TooLarge,
            Code::UnsupportedMediaType,
            Code::DeskCrowded,
            Code::DeskFull,
        ],
        run: run!(ask),
    },
    Route {
        verb: Verb::Get,
        path: "/questionnaire/openapi.json",
        name: "show_questionnaire_openapi",
        about: "The document of the Questionnaire API.",
        access: Access::Open,
        parameters: &[],
        body: Body::None,
        replies: &[ok("The document.", Content::Text("application/json"))],
        problems: &[],
        run: run!(document),
    },
];

/// Name under which the desk stores the HTTP response.
const FORM: &str = "http";
const PREFER: HeaderName = HeaderName::from_static("prefer");
const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// Where the outcome of an ask is to be had later.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Later")]
pub(super) struct Later {
    /// The ask.
    ask: AskId,
    /// Where to wait for the outcome: by `?wait=SECONDS`, or as a stream of events.
    outcome: String,
}

pub(super) async fn ask(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    let caller = call.caller()?.clone();
    let asker = caller.asker(From::default())?;
    let read = call.text().map_err(|problem| vec![problem]);
    let read = read.and_then(|text| Dialect::Questionnaire.read(text, &app.limits));
    let key = call.key().map_err(|problem| vec![problem]);
    let (read, key) = match (read, key) {
        (Ok(read), Ok(key)) => (read, key),
        (Err(problems), _) | (_, Err(problems)) => {
            return Ok(told(questionnaire::refusal(&problems, call.lang)));
        }
    };
    let later = prefers_later(&call);
    // A draft of the same questionnaire, from a request that ended before submission, is continued.
    let draft_key = persistence_key(&read.questionnaire);
    let new = NewAsk {
        waits: !later,
        quota: caller.quota(app.quota),
        draft_key: Some(draft_key),
        ..NewAsk::new(Arc::new(read.questionnaire), Dialect::Questionnaire.name(), asker)
    };
    // The request is dropped before the wait.
    drop(call);
    let opened = app.at_desk(move |desk| desk.open(key.as_deref(), new)).await?;
    let id = opened.ask().id;
    if later {
        return Ok(accepted(id));
    }
    let waiting = Waiting::begin(&app, opened.ask().request.asker.clone(), id);
    Ok(waiting.hand_over(wait(&app, caller, id).await?))
}

fn prefers_later(call: &Call) -> bool {
    let wanted = |value: &str| value.split(',').any(|word| word.trim().eq_ignore_ascii_case("respond-async"));
    call.header(&PREFER).is_some_and(wanted)
}

fn accepted(id: AskId) -> Response {
    let outcome = format!("/v1/asks/{id}/outcome");
    let place = HeaderValue::try_from(&outcome);
    let mut reply = reply::json(StatusCode::ACCEPTED, json::write(&Later { ask: id, outcome }));
    reply.headers_mut().insert(PREFERENCE_APPLIED, HeaderValue::from_static("respond-async"));
    if let Ok(place) = place {
        reply.headers_mut().insert(header::LOCATION, place);
    }
    reply
}

async fn wait(app: &Arc<App>, caller: Caller, id: AskId) -> Result<Response, Problem> {
    let mut held = Held::begin(app, caller, id).await?;
    held.ended().await?;
    drop(held);
    let response = app
        .at_desk(move |desk| {
            let ask = desk.get(id)?;
            let bytes = desk.offer(&ask.request.asker, &ask, FORM, &rendered)?;
            Ok(serde_json::from_slice(&bytes).ok().or_else(|| response_of(&ask)))
        })
        .await?;
    response.map(told).ok_or_else(|| Problem::new(Code::AskOpen, Message::AskOpen))
}

fn response_of(ask: &Ask) -> Option<Told> {
    ask.outcome().map(|outcome| questionnaire::respond(&ask.request.questionnaire, outcome))
}

fn rendered(ask: &Ask) -> Vec<u8> {
    serde_json::to_vec(&response_of(ask)).unwrap_or_default()
}

/// Converts a response of the dialect to an HTTP response.
fn told(response: Told) -> Response {
    let status = StatusCode::from_u16(response.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = [(header::CONTENT_TYPE, response.content_type.into_owned())];
    (status, headers, response.body).into_response()
}

/// Serves the API's OpenAPI document, with its known errors fixed.
pub(super) async fn document(app: Arc<App>, _: Call) -> Result<Response, Problem> {
    let form = sayso_dialects::Form::OpenApi;
    let schema = Dialect::Questionnaire.schema(sayso_dialects::Part::Request, form, &app.limits);
    let text = schema.map(Bytes::from).unwrap_or_default();
    Ok(reply::text("application/json", text))
}
