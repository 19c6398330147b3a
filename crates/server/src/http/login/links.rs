//! Routes by which a signed-in person lets in a phone: a link to scan, and the number that the phone shows.

use super::{LoginState, signed_in_person};
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::caller::AuthenticatedCaller;
use crate::http::middleware::response;
use crate::http::middleware::revocation::Credential;
use crate::http::openapi::schemas;
use crate::http::route::{BodySpec, ContentSpec, ResponseSpec, Route, RouteAccess, RouteMethod, ok, run};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use sayso_core::qr_code::QrMatrix;
use sayso_core::wire::json;
use sayso_core::{DocumentPath, Message, Problem, ProblemCode, limits};
use sayso_desk::browser_session::{LinkRecord, LinkState};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(crate) const ROUTES: &[Route] = &[
    Route {
        method: RouteMethod::Post,
        path: "/v1/session/links",
        name: "create_link",
        summary: "Creates a link that signs in another browser of this person, such as a phone, within two \
            minutes. Show it as a QR code.",
        responses: &[ResponseSpec {
            status: 201,
            description: "The link.",
            content: ContentSpec::json(schemas::schema_of::<IssuedLink>),
        }],
        problems: &[ProblemCode::NotAllowed, ProblemCode::TooManyRequests],
        handler: run!(create),
        ..LINK
    },
    Route {
        path: "/v1/session/links/{id}",
        name: "show_link",
        summary: "The state of a sign-in link.",
        responses: &[ok("The state.", ContentSpec::json(schemas::schema_of::<LinkBody>))],
        handler: run!(show),
        ..LINK
    },
    Route {
        method: RouteMethod::Post,
        path: "/v1/session/links/{id}/confirm",
        name: "confirm_link",
        summary: "Confirms the number that the new browser shows. A wrong number ends the link.",
        body: BodySpec::json(schemas::schema_of::<Confirmation>),
        max_body_bytes: limits::REQUEST_BODY_BYTES,
        responses: &[ResponseSpec {
            status: 204,
            description: "The new browser is let in.",
            content: ContentSpec::None,
        }],
        problems: &[
            ProblemCode::NoSuchRoute,
            ProblemCode::NotAllowed,
            ProblemCode::InvalidValue,
            ProblemCode::InvalidJson,
            ProblemCode::InvalidType,
            ProblemCode::TooLarge,
            ProblemCode::UnsupportedMediaType,
        ],
        handler: run!(confirm),
        ..LINK
    },
    Route {
        method: RouteMethod::Delete,
        path: "/v1/session/links/{id}",
        name: "delete_link",
        summary: "Ends a link.",
        responses: &[ResponseSpec {
            status: 204,
            description: "The session has ended.",
            content: ContentSpec::None,
        }],
        handler: run!(delete),
        ..LINK
    },
];

/// The values that all routes of links share.
const LINK: Route = Route {
    method: RouteMethod::Get,
    path: "",
    name: "",
    summary: "",
    access: RouteAccess::Person,
    parameters: &[],
    body: BodySpec::None,
    max_body_bytes: 0,
    responses: &[],
    problems: &[ProblemCode::NoSuchRoute, ProblemCode::NotAllowed],
    handler: run!(show),
};

/// A link, shown once.
#[derive(Serialize, JsonSchema)]
pub(crate) struct IssuedLink {
    /// The id or name.
    id: String,
    /// The address to open.
    url: String,
    /// Time of expiry.
    expires_at: String,
    /// The address as a QR code.
    qr: QrBody,
}

/// A QR code to draw.
#[derive(Serialize, JsonSchema)]
pub(crate) struct QrBody {
    /// Width and height, with the quiet zone, in modules.
    size: usize,
    /// The dark modules, as the `d` of an SVG path.
    path: String,
}

/// State of a sign-in link.
#[derive(Serialize, JsonSchema)]
pub(crate) struct LinkBody {
    /// `waiting`, `claimed`, `confirmed`, `signed_in` or `ended`.
    state: &'static str,
}

/// The number that the person read.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Confirmation {
    /// The number that the new browser shows.
    number: String,
}

/// Returns the caller, who may let in another browser.
///
/// # Errors
/// Fails if the caller is no person, or the user of a service, whom the service alone lets in.
fn signed_in_member(call: &ApiCall) -> Result<AuthenticatedCaller, Problem> {
    let caller = signed_in_person(call)?;
    if caller.is_service_user() {
        return Err(Problem::new(ProblemCode::NotAllowed, Message::ServiceNoLinks));
    }
    Ok(caller)
}

async fn create(logins: Arc<LoginState>, call: ApiCall) -> Result<Response, Problem> {
    let caller = signed_in_member(&call)?;
    let desk_call = logins.context.with_desk(move |desk| {
        // A session that this browser lets in ends with the token that let in this browser.
        let token = match &caller.credential {
            Credential::Token(id) => Some(id.clone()),
            Credential::ServiceSession(_) => None,
            Credential::BrowserSession(id) => desk.browser_session(id)?.and_then(|session| session.token),
        };
        desk.new_link(&caller.account, token.as_deref())
    });
    let (link, code) = desk_call.await?;
    let url = format!("{}/login#{}", logins.public_url, code.reveal());
    let matrix = QrMatrix::encode(&url)?;
    let body = IssuedLink {
        id: link.id,
        url,
        expires_at: link.expires_at.to_string(),
        qr: QrBody { size: matrix.width(), path: matrix.to_svg_path() },
    };
    Ok(response::json(StatusCode::CREATED, json::write(&body)))
}

/// Returns a link of the caller.
///
/// # Errors
/// Fails if the caller is no person, or the link is another account's.
async fn own_link(logins: &LoginState, call: &ApiCall) -> Result<Option<LinkRecord>, Problem> {
    let caller = signed_in_member(call)?;
    let id = call.path_param().to_owned();
    match logins.context.with_desk(move |desk| desk.link(&id)).await? {
        Some(link) if link.account != caller.account => {
            Err(Problem::new(ProblemCode::NoSuchRoute, Message::NoSuchRoute))
        }
        link => Ok(link),
    }
}

async fn show(logins: Arc<LoginState>, call: ApiCall) -> Result<Response, Problem> {
    let state = match own_link(&logins, &call).await? {
        None => "ended",
        Some(LinkRecord { state: LinkState::Used, .. }) => "signed_in",
        Some(link) => link.state.as_str(),
    };
    Ok(response::json(StatusCode::OK, json::write(&LinkBody { state })))
}

async fn confirm(logins: Arc<LoginState>, call: ApiCall) -> Result<Response, Problem> {
    let Confirmation { number } = call.parse_json()?;
    own_link(&logins, &call).await?;
    let id = call.path_param().to_owned();
    if logins.context.with_desk(move |desk| desk.confirm_link(&id, Some(number.trim()))).await? {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let problem = Problem::new(ProblemCode::InvalidValue, Message::LoginNumberWrong);
    Err(problem.at(DocumentPath::root().join("number")))
}

async fn delete(logins: Arc<LoginState>, call: ApiCall) -> Result<Response, Problem> {
    own_link(&logins, &call).await?;
    let id = call.path_param().to_owned();
    logins.context.with_desk(move |desk| desk.confirm_link(&id, None)).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
