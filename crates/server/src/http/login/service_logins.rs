//! Routes by which a service lets in its users: a token for a program of a user, or an address that lets in a browser
//! once. A service names its users as it likes; a user's account is `service/user`.

use super::LoginState;
use super::browser_sessions::{SessionBody, SessionsBody};
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::response;
use crate::http::middleware::revocation::Credential;
use crate::http::openapi::schemas;
use crate::http::route::{BodySpec, ContentSpec, ResponseSpec, Route, RouteAccess, RouteMethod, ok, run};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use sayso_core::i18n::own;
use sayso_core::wire::json;
use sayso_core::{AskId, DocumentPath, Message, Problem, ProblemCode, ServiceUser, limits};
use sayso_desk::StoreDesk;
use sayso_desk::service_session::ServiceLogin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::sync::Arc;

pub(crate) const ROUTES: &[Route] = &[
    Route {
        method: RouteMethod::Post,
        path: "/v1/users/{user}/logins",
        name: "let_in_user",
        summary: "Signs in a user of this service for at most twelve hours: a program of the user with a token, or \
            a browser with an address that works once, within a minute.",
        body: BodySpec::json(schemas::schema_of::<NewLogin>),
        max_body_bytes: limits::REQUEST_BODY_BYTES,
        responses: &[ResponseSpec {
            status: 201,
            description: "The token or the address. Each is shown only once.",
            content: ContentSpec::json(schemas::schema_of::<IssuedLogin>),
        }],
        problems: &[
            ProblemCode::NotAllowed,
            ProblemCode::TooManyRequests,
            ProblemCode::InvalidValue,
            ProblemCode::InvalidJson,
            ProblemCode::InvalidType,
            ProblemCode::TooLarge,
            ProblemCode::UnsupportedMediaType,
        ],
        handler: run!(create),
        ..LOGINS
    },
    Route {
        name: "list_user_sessions",
        summary: "Lists the sessions of a user of this service.",
        responses: &[ok("The sessions.", ContentSpec::json(schemas::schema_of::<SessionsBody>))],
        ..LOGINS
    },
    Route {
        method: RouteMethod::Delete,
        name: "end_user_sessions",
        summary: "Ends all sessions of a user of this service, everything they hold open, and the unused addresses.",
        responses: &[ResponseSpec {
            status: 204,
            description: "The sessions have ended.",
            content: ContentSpec::None,
        }],
        handler: run!(end),
        ..LOGINS
    },
];

/// The values that all routes of logins share.
const LOGINS: Route = Route {
    method: RouteMethod::Get,
    path: "/v1/users/{user}/logins",
    name: "",
    summary: "",
    access: RouteAccess::Service,
    parameters: &[],
    body: BodySpec::None,
    max_body_bytes: 0,
    responses: &[],
    problems: &[ProblemCode::NotAllowed, ProblemCode::InvalidValue],
    handler: run!(list),
};

/// How a user signs in.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum LoginWay {
    /// A token for a program of the user.
    Bearer,
    /// An address for the user's browser.
    Page,
}

/// Sign-in of a user.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewLogin {
    /// `bearer` for a program of the user, `page` for a browser.
    #[serde(rename = "as")]
    way: LoginWay,
    /// Milliseconds until the session ends; twelve hours by default.
    #[schemars(range(min = 1_000, max = 43_200_000))]
    expires_in_ms: Option<i64>,
    /// The ask that the browser opens first; the inbox by default.
    ask: Option<AskId>,
}

/// A signed-in user.
#[derive(Serialize, JsonSchema)]
pub(crate) struct IssuedLogin {
    /// The user's account; asks for the user name it in `for`.
    account: String,
    /// The program's token. The desk does not keep it.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
    /// The session of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    /// The address for the browser.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    /// Time at which the session or the address expires.
    expires_at: String,
}

/// Returns the user of the calling service that the path names.
///
/// # Errors
/// Fails if the name is too long.
fn named_user(call: &ApiCall) -> Result<ServiceUser, Problem> {
    Ok(ServiceUser::new(&call.caller()?.account, call.path_param())?)
}

async fn create(logins: Arc<LoginState>, call: ApiCall) -> Result<Response, Problem> {
    let user = named_user(&call)?;
    let Credential::Token(token) = call.caller()?.credential.clone() else {
        return Err(Problem::new(ProblemCode::NotAllowed, Message::OnlyServices));
    };
    let NewLogin { way, expires_in_ms, ask } = call.parse_json()?;
    let lifetime_seconds = lifetime_seconds(expires_in_ms)?;
    let login = ServiceLogin { user, token, lifetime_seconds, quota: logins.service_quota };
    let public_url = logins.public_url.clone();
    let desk_call = logins.context.with_desk(move |desk| match way {
        LoginWay::Bearer => new_bearer(desk, login),
        LoginWay::Page => new_address(desk, login, &public_url, ask),
    });
    Ok(response::json(StatusCode::CREATED, json::write(&desk_call.await?)))
}

fn new_bearer(desk: &StoreDesk, login: ServiceLogin) -> Result<IssuedLogin, Problem> {
    let (session, secret) = desk.start_user_session(login)?;
    Ok(IssuedLogin {
        account: session.account,
        token: Some(secret.reveal().to_owned()),
        session: Some(session.id),
        url: None,
        expires_at: session.expires_at.unwrap_or_default().to_string(),
    })
}

/// Creates an address. What is behind its `#` reaches no server and no log.
fn new_address(
    desk: &StoreDesk,
    login: ServiceLogin,
    public_url: &str,
    ask: Option<AskId>,
) -> Result<IssuedLogin, Problem> {
    let account = login.user.account();
    let code = desk.new_entry_code(login)?;
    let mut url = format!("{public_url}/enter#{}", code.secret.reveal());
    if let Some(ask) = ask {
        url.push_str(&format!("&ask={ask}"));
    }
    Ok(IssuedLogin {
        account,
        token: None,
        session: None,
        url: Some(url),
        expires_at: code.expires_at.to_string(),
    })
}

fn lifetime_seconds(expires_in_ms: Option<i64>) -> Result<i64, Problem> {
    let max_seconds = limits::SERVICE_SESSION_SECONDS;
    let Some(millis) = expires_in_ms else { return Ok(max_seconds) };
    if (1_000..=max_seconds * 1_000).contains(&millis) {
        return Ok(millis / 1_000);
    }
    let message = Message::ServiceSessionLife.with([own(max_seconds / (60 * 60))]);
    Err(Problem::new(ProblemCode::InvalidValue, message).at(DocumentPath::root().join("expires_in_ms")))
}

async fn list(logins: Arc<LoginState>, call: ApiCall) -> Result<Response, Problem> {
    let user = named_user(&call)?;
    let caller = call.caller()?;
    let sessions = logins.context.with_desk(move |desk| desk.user_sessions(&user)).await?;
    let sessions = sessions.into_iter().map(|session| SessionBody::new(session, caller)).collect();
    Ok(response::json(StatusCode::OK, json::write(&SessionsBody { sessions })))
}

async fn end(logins: Arc<LoginState>, call: ApiCall) -> Result<Response, Problem> {
    let user = named_user(&call)?;
    let desk_call = logins.context.with_desk(move |desk| {
        let sessions = desk.user_sessions(&user)?;
        desk.end_user_sessions(&user)?;
        Ok(sessions)
    });
    let mut credentials = HashSet::new();
    for session in desk_call.await? {
        credentials.insert(Credential::ServiceSession(session.id));
    }
    logins.context.revocations.revoke(&credentials);
    Ok(StatusCode::NO_CONTENT.into_response())
}
