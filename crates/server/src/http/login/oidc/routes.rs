//! Routes by which a browser goes to the issuer and comes back.

use super::OidcIssuer;
use super::admission::admit;
use super::issuer::{CALLBACK_PATH, refused};
use super::sign_in_cookie::PendingSignIn;
use crate::http::login::LoginState;
use crate::http::login::browser::{SEC_FETCH_SITE, cookie_value, session_cookie};
use crate::http::login::proof::decode_key;
use crate::http::login::sign_in::{agent_name, check_rate, count_refusal};
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::{problem_response, response};
use crate::http::openapi::schemas;
use crate::http::route::{
    BodySpec, ContentSpec, Parameter, ResponseSpec, Route, RouteAccess, RouteMethod, run,
};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use sayso_core::{Message, Problem, ProblemCode, limits};
use sayso_desk::browser_session::NewBrowser;
use serde::Deserialize;
use std::sync::Arc;

const REPLIES: &[ResponseSpec] =
    &[ResponseSpec { status: 303, description: "The next page.", content: ContentSpec::None }];

const ROUTE: Route = Route {
    method: RouteMethod::Get,
    path: "",
    name: "",
    summary: "",
    access: RouteAccess::Open,
    parameters: &[],
    body: BodySpec::None,
    max_body_bytes: 0,
    responses: REPLIES,
    problems: &[
        ProblemCode::Unauthorized,
        ProblemCode::NotAllowed,
        ProblemCode::NoSuchRoute,
        ProblemCode::InvalidValue,
        ProblemCode::TooManyRequests,
        ProblemCode::IssuerFailed,
    ],
    handler: run!(start),
};

pub(in crate::http) const ROUTES: &[Route] = &[
    Route {
        path: "/login/oidc",
        name: "start_issuer_sign_in",
        summary: "Sends a browser to the OpenID Connect issuer at which members sign in.",
        parameters: &[Parameter::query(
            "key",
            "The browser's public key, as at the sign-in with a code.",
            schemas::text,
        )],
        ..ROUTE
    },
    Route {
        path: CALLBACK_PATH,
        name: "finish_issuer_sign_in",
        summary: "The address to which the issuer sends a browser back, which signs it in.",
        parameters: &[
            Parameter::query("code", "The code of the sign-in.", schemas::text),
            Parameter::query("state", "Names the sign-in.", schemas::text),
            Parameter::query("iss", "The issuer (RFC 9207).", schemas::text),
            Parameter::query("error", "Why the issuer refuses.", schemas::text),
        ],
        handler: run!(finish),
        ..ROUTE
    },
];

/// Parameters of the way to the issuer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StartParams {
    key: Option<String>,
}

/// Parameters of the way back. Issuers add others.
#[derive(Deserialize)]
struct CallbackParams {
    code: Option<String>,
    state: Option<String>,
    iss: Option<String>,
    error: Option<String>,
}

async fn start(logins: Arc<LoginState>, call: ApiCall) -> Result<Response, Problem> {
    let issuer = issuer_of(&logins)?;
    // A page elsewhere may lead to the sign-in, but not begin one.
    if !matches!(call.header(&SEC_FETCH_SITE), None | Some("same-origin" | "none")) {
        return Ok(redirect("/login"));
    }
    let StartParams { key } = call.parse_query()?;
    let key = key.ok_or_else(|| {
        Problem::new(ProblemCode::InvalidValue, Message::NeedsMember.with(["key"]))
            .with_hint(Message::IssuerSignInAgain)
    })?;
    decode_key(&key)?;
    check_rate(&logins, &call)?;
    let now = (logins.context.now)();
    let begun = ask_issuer(&issuer, move |issuer| issuer.begin(key, now)).await;
    let (url, pending) = begun.map_err(|problem| count_refusal(&logins, &call, problem))?;
    let cookie = issuer.sealer.seal(&pending)?;
    let life = format!("; Max-Age={}", limits::ISSUER_SIGN_IN_SECONDS);
    Ok(response::with_cookie(redirect(&url), &pending_cookie(&logins, &cookie, &life)))
}

async fn finish(logins: Arc<LoginState>, call: ApiCall) -> Result<Response, Problem> {
    let reply = sign_in(&logins, &call).await;
    let reply = reply.unwrap_or_else(|problem| problem_response::build(&problem, call.lang, None));
    // Whatever became of it, this sign-in is over.
    Ok(response::with_cookie(reply, &pending_cookie(&logins, "", "; Max-Age=0")))
}

async fn sign_in(logins: &Arc<LoginState>, call: &ApiCall) -> Result<Response, Problem> {
    let issuer = issuer_of(logins)?;
    check_rate(logins, call)?;
    let params: CallbackParams = call.parse_query()?;
    let (code, pending) = match check_reply(logins, &issuer, call, params) {
        Ok(checked) => checked,
        Err(problem) => return Err(count_refusal(logins, call, problem)),
    };
    let public_key = decode_key(&pending.key)?;
    let claims = ask_issuer(&issuer, move |issuer| issuer.finish(code, &pending)).await;
    let claims = claims.map_err(|problem| count_refusal(logins, call, problem))?;
    let browser = NewBrowser { public_key, agent: agent_name(call) };
    let now = (logins.context.now)();
    let admitted = logins.context.with_desk(move |desk| admit(desk, &issuer.config, claims, browser, now));
    let (_, cookie) = admitted.await.map_err(|problem| count_refusal(logins, call, problem))?;
    let cookie = session_cookie(logins.is_https(), cookie.reveal(), "");
    Ok(response::with_cookie(redirect("/login"), &cookie))
}

/// Checks that a reply belongs to the sign-in of this browser; returns its code with what that sign-in keeps.
///
/// # Errors
/// Fails if the browser began no sign-in or another one, the reply comes from another issuer, or the issuer refuses.
fn check_reply(
    logins: &LoginState,
    issuer: &OidcIssuer,
    call: &ApiCall,
    params: CallbackParams,
) -> Result<(String, PendingSignIn), Problem> {
    let cookie = cookie_value(call.headers(), cookie_name(logins))?;
    let pending = cookie.and_then(|cookie| issuer.sealer.open(cookie, (logins.context.now)()));
    let pending = pending
        .ok_or_else(|| refused(Message::IssuerNotBegun.with([limits::ISSUER_SIGN_IN_SECONDS / 60])))?;
    // The browser that compares has the cookie, and with it the state: the time of the comparison tells it nothing.
    if params.state.as_deref() != Some(pending.state.as_str()) {
        return Err(refused(Message::IssuerStateWrong));
    }
    issuer.check_sender(params.iss.as_deref())?;
    if let Some(error) = params.error {
        return Err(refused(Message::IssuerRefused.with([error])));
    }
    let code = params.code.ok_or_else(|| {
        Problem::new(ProblemCode::InvalidValue, Message::NeedsMember.with(["code"]))
            .with_hint(Message::IssuerSignInAgain)
    })?;
    Ok((code, pending))
}

fn issuer_of(logins: &LoginState) -> Result<Arc<OidcIssuer>, Problem> {
    logins.issuer.clone().ok_or_else(|| Problem::new(ProblemCode::NoSuchRoute, Message::IssuerOff))
}

/// Runs a call to the issuer on the blocking pool. Few run at a time: the desk's own calls need the threads.
///
/// # Errors
/// Returns the error of `work`.
async fn ask_issuer<T: Send + 'static>(
    issuer: &Arc<OidcIssuer>,
    work: impl FnOnce(&OidcIssuer) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let closed = |error: String| Problem::new(ProblemCode::DeskFailed, Message::ServeFailed.with([error]));
    let _permit = issuer.permits.acquire().await.map_err(|error| closed(error.to_string()))?;
    let issuer = issuer.clone();
    let done = tokio::task::spawn_blocking(move || work(&issuer)).await;
    done.map_err(|error| closed(error.to_string()))?
}

/// Sends the browser to another page, by GET.
fn redirect(to: &str) -> Response {
    let mut reply = Response::default();
    *reply.status_mut() = StatusCode::SEE_OTHER;
    if let Ok(place) = HeaderValue::try_from(to) {
        reply.headers_mut().insert(header::LOCATION, place);
    }
    reply
}

/// Returns the name of the cookie of a sign-in that is under way. Over TLS no other host can set it.
fn cookie_name(logins: &LoginState) -> &'static str {
    if logins.is_https() { "__Host-sayso_issuer" } else { "sayso_issuer" }
}

/// Returns that cookie. The issuer's page leads back to this server, so a strict one would not come with it.
fn pending_cookie(logins: &LoginState, value: &str, more: &str) -> String {
    let secure = if logins.is_https() { "; Secure" } else { "" };
    format!("{}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{more}", cookie_name(logins))
}
