//! Routes by which a person sees the signed-in browsers, and ends their sessions.

use super::{LoginState, signed_in_person};
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::caller::AuthenticatedCaller;
use crate::http::middleware::response;
use crate::http::middleware::revocation::Credential;
use crate::http::openapi::schemas;
use crate::http::route::{BodySpec, ContentSpec, ResponseSpec, Route, RouteAccess, RouteMethod, ok, run};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use sayso_core::wire::json;
use sayso_core::{Message, Problem, ProblemCode, ServiceUser};
use sayso_desk::browser_session::BrowserSessionRecord;
use sayso_desk::token::TokenRole;
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;

pub(crate) const ROUTES: &[Route] = &[
    Route {
        method: RouteMethod::Get,
        path: "/v1/sessions",
        name: "list_sessions",
        summary: "Lists this person's signed-in browsers; for admins, everyone's.",
        access: RouteAccess::Person,
        parameters: &[],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ok("The sessions.", ContentSpec::json(schemas::schema_of::<SessionsBody>))],
        problems: &[ProblemCode::NotAllowed],
        handler: run!(list),
    },
    Route {
        method: RouteMethod::Delete,
        path: "/v1/sessions/{id}",
        name: "end_session",
        summary: "Signs a browser out and ends everything it holds open.",
        access: RouteAccess::Person,
        parameters: &[],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ResponseSpec {
            status: 204,
            description: "The session has ended.",
            content: ContentSpec::None,
        }],
        problems: &[ProblemCode::NotAllowed, ProblemCode::NoSuchRoute],
        handler: run!(end),
    },
];

/// A signed-in browser.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SessionBody {
    /// The id or name.
    id: String,
    /// Account that is signed in.
    account: String,
    /// Time of the sign-in.
    created_at: String,
    /// Time of its last use, to the minute.
    last_seen_at: String,
    /// Time at which it ends in any case, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<String>,
    /// Service that the user belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    service: Option<String>,
    /// Name that the browser gives itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
    /// True for the browser that makes this request.
    is_current: bool,
}

/// The signed-in browsers.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SessionsBody {
    pub(super) sessions: Vec<SessionBody>,
}

impl SessionBody {
    /// Returns a session as a list shows it to a caller.
    pub(super) fn new(session: BrowserSessionRecord, caller: &AuthenticatedCaller) -> Self {
        let own =
            [Credential::BrowserSession(session.id.clone()), Credential::ServiceSession(session.id.clone())];
        Self {
            is_current: own.contains(&caller.credential),
            id: session.id,
            account: session.account,
            created_at: session.created_at.to_string(),
            last_seen_at: session.last_seen_at.to_string(),
            expires_at: session.expires_at.map(|at| at.to_string()),
            service: session.service,
            agent: session.agent,
        }
    }
}

fn may_see(caller: &AuthenticatedCaller, session: &BrowserSessionRecord) -> bool {
    caller.role == TokenRole::Admin || session.account == caller.account
}

async fn list(logins: Arc<LoginState>, call: ApiCall) -> Result<Response, Problem> {
    let caller = signed_in_person(&call)?;
    let user = if caller.is_service_user() { ServiceUser::parse(&caller.account) } else { None };
    let desk_call = logins.context.with_desk(move |desk| match user {
        Some(user) => desk.user_sessions(&user),
        None => desk.browser_sessions(),
    });
    let mut sessions = Vec::new();
    for session in desk_call.await? {
        if may_see(&caller, &session) {
            sessions.push(SessionBody::new(session, &caller));
        }
    }
    Ok(response::json(StatusCode::OK, json::write(&SessionsBody { sessions })))
}

async fn end(logins: Arc<LoginState>, call: ApiCall) -> Result<Response, Problem> {
    let caller = signed_in_person(&call)?;
    let id = call.path_param().to_owned();
    let session_id = id.clone();
    let session = logins.context.with_desk(move |desk| desk.browser_session(&session_id)).await?;
    if let Some(session) = session
        && may_see(&caller, &session)
        && logins.context.end_browser_session(id).await?
    {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    Err(Problem::new(ProblemCode::NoSuchRoute, Message::NoSuchRoute))
}
