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
use crate::http::middleware::response;
use crate::http::no_script::{NoScriptState, redirect, sign_in_problem_page};
use crate::http::openapi::schemas;
use crate::http::route::{
    BodySpec, ContentSpec, Parameter, ResponseSpec, Route, RouteAccess, RouteMethod, run,
};
use axum::response::Response;
use sayso_core::{AskId, Message, Problem, ProblemCode, limits};
use sayso_desk::browser_session::NewBrowser;
use serde::Deserialize;
use std::sync::Arc;

const HTML: ContentSpec = ContentSpec::Text("text/html");

const fn page(status: u16, description: &'static str) -> ResponseSpec {
    ResponseSpec { status, description, content: HTML }
}

const REPLIES: &[ResponseSpec] = &[
    ResponseSpec { status: 303, description: "The next page.", content: ContentSpec::None },
    page(401, "The sign-in is refused: why."),
    page(403, "The person is no member, or pages without scripts are closed."),
    page(404, "The desk has no issuer."),
    page(422, "A parameter is wrong."),
    page(429, "Too many sign-ins from this address."),
    page(502, "The issuer cannot be reached, or replies wrongly."),
];

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
    problems: &[],
    handler: run!(start),
};

pub(in crate::http) const ROUTES: &[Route] = &[
    Route {
        path: "/login/oidc",
        name: "start_issuer_sign_in",
        summary: "Sends a browser to the OpenID Connect issuer at which members sign in. Without a key it gets the pages \
                without scripts.",
        parameters: &[
            Parameter::query(
                "key",
                "The browser's public key, as at the sign-in with a code.",
                schemas::text,
            ),
            Parameter::query("ask", "The ask to go on with, on the pages without scripts.", schemas::text),
        ],
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
    ask: Option<String>,
}

/// Parameters of the way back. Issuers add others.
#[derive(Deserialize)]
struct CallbackParams {
    code: Option<String>,
    state: Option<String>,
    iss: Option<String>,
    error: Option<String>,
}

type SignInStates = (Arc<LoginState>, Arc<NoScriptState>);

async fn start((logins, plain): SignInStates, call: ApiCall) -> Result<Response, Problem> {
    begin(&logins, &plain, &call).await.or_else(|problem| sign_in_problem_page(call.lang, &problem))
}

async fn begin(logins: &Arc<LoginState>, plain: &NoScriptState, call: &ApiCall) -> Result<Response, Problem> {
    let issuer = issuer_of(logins)?;
    // A page elsewhere may lead to the sign-in, but not begin one.
    if !matches!(call.header(&SEC_FETCH_SITE), None | Some("same-origin" | "none")) {
        return Ok(redirect("/login"));
    }
    let StartParams { key, ask } = call.parse_query()?;
    match &key {
        Some(key) => drop(decode_key(key)?),
        None => plain.check_open(call)?,
    }
    check_rate(logins, call)?;
    let (ask, now) = (ask.as_deref().and_then(AskId::parse), (logins.context.now)());
    let begun = ask_issuer(&issuer, move |issuer| issuer.begin(key, ask, now)).await;
    let (url, pending) = begun.map_err(|problem| count_refusal(logins, call, problem))?;
    let cookie = issuer.sealer.seal(&pending)?;
    let life = format!("; Max-Age={}", limits::ISSUER_SIGN_IN_SECONDS);
    Ok(response::with_cookie(redirect(&url), &pending_cookie(logins, &cookie, &life)))
}

async fn finish((logins, plain): SignInStates, call: ApiCall) -> Result<Response, Problem> {
    let reply = sign_in(&logins, &plain, &call).await;
    let reply = reply.or_else(|problem| sign_in_problem_page(call.lang, &problem))?;
    // Whatever became of it, this sign-in is over.
    Ok(response::with_cookie(reply, &pending_cookie(&logins, "", "; Max-Age=0")))
}

async fn sign_in(
    logins: &Arc<LoginState>,
    plain: &NoScriptState,
    call: &ApiCall,
) -> Result<Response, Problem> {
    let issuer = issuer_of(logins)?;
    check_rate(logins, call)?;
    let params: CallbackParams = call.parse_query()?;
    let (code, pending) = match check_reply(logins, &issuer, call, params) {
        Ok(checked) => checked,
        Err(problem) => return Err(count_refusal(logins, call, problem)),
    };
    let public_key = pending.key.as_deref().map(decode_key).transpose()?;
    if public_key.is_none() {
        plain.check_open(call)?;
    }
    let asked = pending.clone();
    let claims = ask_issuer(&issuer, move |issuer| issuer.finish(code, &asked)).await;
    let claims = claims.map_err(|problem| count_refusal(logins, call, problem))?;
    let browser = NewBrowser { public_key, agent: agent_name(call) };
    let now = (logins.context.now)();
    let admitted = logins.context.with_desk(move |desk| admit(desk, &issuer.config, claims, browser, now));
    let (session, cookie) = admitted.await.map_err(|problem| count_refusal(logins, call, problem))?;
    if session.public_key.is_some() {
        let cookie = session_cookie(logins.is_https(), cookie.reveal(), "");
        return Ok(response::with_cookie(redirect("/login"), &cookie));
    }
    let next = pending.ask.map_or_else(|| "/plain".to_owned(), |id| format!("/plain/asks/{id}"));
    Ok(plain.with_session_cookie(redirect(&next), cookie.reveal(), ""))
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

/// Returns the name of the cookie of a sign-in that is under way. Over TLS no other host can set it.
fn cookie_name(logins: &LoginState) -> &'static str {
    if logins.is_https() { "__Host-sayso_issuer" } else { "sayso_issuer" }
}

/// Returns that cookie. The issuer's page leads back to this server, so a strict one would not come with it.
fn pending_cookie(logins: &LoginState, value: &str, more: &str) -> String {
    let secure = if logins.is_https() { "; Secure" } else { "" };
    format!("{}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{more}", cookie_name(logins))
}
