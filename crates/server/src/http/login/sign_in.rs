//! Routes by which a browser signs in and out.

use super::LoginState;
use super::browser::with_session_cookie;
use super::sign_in_attempt::{SignedIn, check_rate, count_refusal, new_browser, refused, signed_in};
use super::sign_in_proxy;
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::response;
use crate::http::middleware::revocation::Credential;
use crate::http::openapi::schemas;
use crate::http::route::{BodySpec, ContentSpec, ResponseSpec, Route, RouteAccess, RouteMethod, ok, run};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use sayso_core::i18n::own;
use sayso_core::wire::json;
use sayso_core::{DocumentPath, Message, Problem, ProblemCode, limits};
use sayso_desk::browser_session::ClaimProgress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

const PROBLEMS: &[ProblemCode] = &[
    ProblemCode::Unauthorized,
    ProblemCode::TooManyRequests,
    ProblemCode::InvalidJson,
    ProblemCode::InvalidType,
    ProblemCode::InvalidValue,
    ProblemCode::TooLarge,
    ProblemCode::UnsupportedMediaType,
];

pub(crate) const ROUTES: &[Route] = &[
    Route {
        method: RouteMethod::Post,
        path: "/v1/session",
        name: "sign_in",
        summary: "Signs a browser in as a person: with the code that `sayso serve` shows in its terminal and the \
            browser's public key, or with the claim of a link. The browser gets a cookie, and each later request \
            also needs a proof in `Sayso-Proof`, made with the key. A code from a service's address signs in that \
            service's user; a key alone signs in the user that the sign-in proxy names.",
        access: RouteAccess::Open,
        parameters: &[],
        body: BodySpec::json(schemas::schema_of::<SignIn>),
        max_body_bytes: limits::REQUEST_BODY_BYTES,
        responses: &[
            ok("The browser is signed in.", ContentSpec::json(schemas::schema_of::<SignedIn>)),
            ResponseSpec {
                status: 202,
                description: "The person has not confirmed the number yet.",
                content: ContentSpec::json(schemas::schema_of::<ClaimState>),
            },
        ],
        problems: PROBLEMS,
        handler: run!(sign_in),
    },
    Route {
        method: RouteMethod::Post,
        path: "/v1/session/claims",
        name: "claim_link",
        summary: "Opens a link that another signed-in browser shows. The response has the number that the person \
            confirms there.",
        access: RouteAccess::Open,
        parameters: &[],
        body: BodySpec::json(schemas::schema_of::<NewClaim>),
        max_body_bytes: limits::REQUEST_BODY_BYTES,
        responses: &[ResponseSpec {
            status: 201,
            description: "The link is claimed.",
            content: ContentSpec::json(schemas::schema_of::<ClaimBody>),
        }],
        problems: PROBLEMS,
        handler: run!(claim),
    },
    Route {
        method: RouteMethod::Post,
        path: "/v1/session/entries",
        name: "show_entry_account",
        summary: "The account that a service's address signs in, so that the person can agree to it. This does not \
            use the address up.",
        access: RouteAccess::Open,
        parameters: &[],
        body: BodySpec::json(schemas::schema_of::<EntryCode>),
        max_body_bytes: limits::REQUEST_BODY_BYTES,
        responses: &[ok("The account.", ContentSpec::json(schemas::schema_of::<EntryAccount>))],
        problems: PROBLEMS,
        handler: run!(show_entry_account),
    },
    Route {
        method: RouteMethod::Delete,
        path: "/v1/session",
        name: "sign_out",
        summary: "Ends this browser's session and everything it holds open.",
        access: RouteAccess::Any,
        parameters: &[],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ResponseSpec {
            status: 204,
            description: "The session has ended.",
            content: ContentSpec::None,
        }],
        problems: &[ProblemCode::InvalidRequest],
        handler: run!(sign_out),
    },
];

/// A sign-in: a code with a key, or a claim.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignIn {
    /// The code that `sayso serve` showed in its terminal.
    code: Option<String>,
    /// The browser's public key for ECDSA with P-256: the uncompressed point in base64url.
    key: Option<String>,
    /// The claim of a link, instead of `code` and `key`.
    claim: Option<String>,
    /// The code of a service's address, with `key`.
    entry: Option<String>,
}

/// Code of a service's address.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EntryCode {
    /// The code of the address.
    entry: String,
}

/// The account that an address signs in.
#[derive(Serialize, JsonSchema)]
pub(crate) struct EntryAccount {
    /// The account.
    account: String,
}

/// Opens a link.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewClaim {
    /// The code in the link.
    code: String,
    /// The browser's public key, as at the sign-in.
    key: String,
}

/// State of a claim.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ClaimState {
    /// `waiting`.
    state: &'static str,
}

/// A claimed link.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ClaimBody {
    /// Claim that signs in once the number is confirmed.
    claim: String,
    /// The number to show.
    number: String,
    /// Time of expiry.
    expires_at: String,
}

async fn sign_in(logins: Arc<LoginState>, call: ApiCall) -> Result<Response, Problem> {
    match call.parse_json()? {
        SignIn { code: Some(code), key: Some(key), claim: None, entry: None } => {
            sign_in_by_code(logins, call, code, &key).await
        }
        SignIn { code: None, key: Some(key), claim: None, entry: Some(entry) } => {
            sign_in_by_entry(logins, call, entry, &key).await
        }
        SignIn { code: None, key: None, claim: Some(claim), entry: None } => {
            sign_in_by_claim(logins, call, claim).await
        }
        SignIn { code: None, key: Some(key), claim: None, entry: None } => {
            check_rate(&logins, &call)?;
            sign_in_proxy::sign_in(logins, call, &key).await
        }
        SignIn { code, claim, entry, .. } => {
            let needs_key = code.is_some() || entry.is_some() || claim.is_none();
            let member = if needs_key { "key" } else { "claim" };
            let message = Message::NeedsMember.with([own(member)]);
            Err(Problem::new(ProblemCode::InvalidValue, message).at(DocumentPath::root().join(member)))
        }
    }
}

async fn sign_in_by_code(
    logins: Arc<LoginState>,
    call: ApiCall,
    code: String,
    key: &str,
) -> Result<Response, Problem> {
    let browser = new_browser(&call, key)?;
    check_rate(&logins, &call)?;
    let sign_in = logins.context.with_desk(move |desk| desk.sign_in(&code, browser)).await?;
    let Some((session, cookie)) = sign_in else {
        logins.spawn_show_code();
        let message = Message::LoginCodeWrong.with([limits::LOGIN_CODE_SECONDS / 60]);
        return Err(refused(&logins, &call, Problem::new(ProblemCode::Unauthorized, message)));
    };
    Ok(signed_in(&call, session, &cookie))
}

/// Signs in the browser of a service's user with the code in the service's address.
async fn sign_in_by_entry(
    logins: Arc<LoginState>,
    call: ApiCall,
    entry: String,
    key: &str,
) -> Result<Response, Problem> {
    let browser = new_browser(&call, key)?;
    check_rate(&logins, &call)?;
    let sign_in = logins.context.with_desk(move |desk| desk.enter(&entry, browser)).await?;
    let Some((session, cookie)) = sign_in else { return Err(entry_ended(&logins, &call)) };
    Ok(signed_in(&call, session, &cookie))
}

async fn show_entry_account(logins: Arc<LoginState>, call: ApiCall) -> Result<Response, Problem> {
    let EntryCode { entry } = call.parse_json()?;
    check_rate(&logins, &call)?;
    let account = logins.context.with_desk(move |desk| desk.entry_account(&entry)).await?;
    let Some(account) = account else { return Err(entry_ended(&logins, &call)) };
    Ok(response::json(StatusCode::OK, json::write(&EntryAccount { account })))
}

fn entry_ended(logins: &LoginState, call: &ApiCall) -> Problem {
    let problem = Problem::new(ProblemCode::Unauthorized, Message::ServiceAddressEnded);
    count_refusal(logins, call, problem)
}

async fn sign_in_by_claim(
    logins: Arc<LoginState>,
    call: ApiCall,
    claim: String,
) -> Result<Response, Problem> {
    check_rate(&logins, &call)?;
    match logins.context.with_desk(move |desk| desk.finish_claim(&claim)).await? {
        ClaimProgress::SignedIn(session, cookie) => Ok(signed_in(&call, *session, &cookie)),
        ClaimProgress::Waiting => {
            Ok(response::json(StatusCode::ACCEPTED, json::write(&ClaimState { state: "waiting" })))
        }
        ClaimProgress::Ended => {
            Err(refused(&logins, &call, Problem::new(ProblemCode::Unauthorized, Message::LoginLinkEnded)))
        }
    }
}

async fn claim(logins: Arc<LoginState>, call: ApiCall) -> Result<Response, Problem> {
    let NewClaim { code, key } = call.parse_json()?;
    let browser = new_browser(&call, &key)?;
    check_rate(&logins, &call)?;
    let Some(claim) = logins.context.with_desk(move |desk| desk.claim_link(&code, browser)).await? else {
        let problem = Problem::new(ProblemCode::Unauthorized, Message::LoginLinkEnded);
        return Err(refused(&logins, &call, problem));
    };
    let body = ClaimBody {
        claim: claim.secret.reveal().to_owned(),
        number: claim.number,
        expires_at: claim.expires_at.to_string(),
    };
    Ok(response::json(StatusCode::CREATED, json::write(&body)))
}

async fn sign_out(logins: Arc<LoginState>, call: ApiCall) -> Result<Response, Problem> {
    let credential = call.caller()?.credential.clone();
    let (Credential::BrowserSession(id) | Credential::ServiceSession(id)) = credential else {
        return Err(Problem::new(ProblemCode::InvalidRequest, Message::SessionNone));
    };
    logins.context.end_browser_session(id).await?;
    Ok(with_session_cookie(StatusCode::NO_CONTENT.into_response(), &call, "", 0))
}
