//! Token administration, for admins.

use super::app::App;
use super::call::Call;
use super::reply;
use super::route::{Access, Body, Content, Reply, Route, Verb, ok, run};
use super::shapes;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use jiff::SignedDuration;
use sayso_core::wire::json;
use sayso_core::{Code, Message, Path, Problem};
use sayso_desk::token::{Role, Token};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(super) const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Get,
        path: "/v1/tokens",
        name: "list_tokens",
        about: "Lists the tokens, without their secrets.",
        access: Access::Admin,
        parameters: &[],
        body: Body::None,
        replies: &[ok("The tokens.", Content::Json(shapes::tokens))],
        problems: &[],
        run: run!(list),
    },
    Route {
        verb: Verb::Post,
        path: "/v1/tokens",
        name: "create_token",
        about: "Makes a token. It is shown this once.",
        access: Access::Admin,
        parameters: &[],
        body: Body::Json(shapes::new_token),
        replies: &[Reply { status: 201, about: "The token.", content: Content::Json(shapes::token_shown) }],
        problems: &[Code::InvalidValue, Code::InvalidJson, Code::TooLarge, Code::UnsupportedMediaType],
        run: run!(create),
    },
    Route {
        verb: Verb::Delete,
        path: "/v1/tokens/{id}",
        name: "revoke_token",
        about: "From now on the token is unknown.",
        access: Access::Admin,
        parameters: &[],
        body: Body::None,
        replies: &[Reply { status: 204, about: "It is revoked.", content: Content::None }],
        problems: &[Code::NoSuchRoute],
        run: run!(revoke),
    },
];

/// A token without its secret.
#[derive(Serialize, JsonSchema)]
pub(super) struct TokenBody {
    /// Names it.
    id: String,
    /// `asker`, `person` or `admin`.
    role: &'static str,
    /// Whose it is.
    account: String,
    /// Since when.
    created_at: String,
    /// Until when.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<String>,
    /// Since when it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    revoked_at: Option<String>,
}

impl From<Token> for TokenBody {
    fn from(token: Token) -> Self {
        Self {
            id: token.id,
            role: token.role.as_str(),
            account: token.account,
            created_at: token.created_at.to_string(),
            expires_at: token.expires_at.map(|at| at.to_string()),
            revoked_at: token.revoked_at.map(|at| at.to_string()),
        }
    }
}

/// All tokens.
#[derive(Serialize, JsonSchema)]
pub(super) struct TokensBody {
    tokens: Vec<TokenBody>,
}

/// A token to make.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewTokenBody {
    /// `asker`, `person` or `admin`.
    #[schemars(extend("enum" = ["asker", "person", "admin"]))]
    role: String,
    /// Whose it is.
    #[schemars(length(min = 1, max = 100))]
    account: String,
    /// After how many milliseconds it ends.
    #[schemars(range(min = 1))]
    expires_in_ms: Option<i64>,
}

/// A token with its secret, shown once.
#[derive(Serialize, JsonSchema)]
pub(super) struct TokenShown {
    #[serde(flatten)]
    token: TokenBody,
    /// The secret. It is not kept.
    secret: String,
}

/// Checks that the caller is an admin.
///
/// # Errors
/// Fails if the caller has another role.
pub(super) fn must_be_admin(call: &Call) -> Result<(), Problem> {
    match call.caller()?.role {
        Role::Admin => Ok(()),
        Role::Asker | Role::Person => Err(Problem::new(Code::NotAllowed, Message::OnlyAdmins)),
    }
}

pub(super) async fn list(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    must_be_admin(&call)?;
    let tokens = app.at_desk(|desk| desk.tokens()).await?;
    let body = TokensBody { tokens: tokens.into_iter().map(TokenBody::from).collect() };
    Ok(reply::json(StatusCode::OK, json::write(&body)))
}

pub(super) async fn create(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    must_be_admin(&call)?;
    let NewTokenBody { role, account, expires_in_ms } = call.json()?;
    let wrong = || {
        let said = Message::NoSuchValue.with(["role", &role]);
        Problem::new(Code::InvalidValue, said).at(Path::root().then("role"))
    };
    let role = Role::parse(&role).ok_or_else(wrong)?;
    let expires_in = expires_in_ms.map(SignedDuration::from_millis);
    let (token, secret) = app.at_desk(move |desk| desk.new_token(role, &account, expires_in)).await?;
    let body = TokenShown { token: token.into(), secret: secret.reveal().to_owned() };
    Ok(reply::json(StatusCode::CREATED, json::write(&body)))
}

pub(super) async fn revoke(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    must_be_admin(&call)?;
    let id = call.part().to_owned();
    app.at_desk(move |desk| desk.revoke(&id)).await.map_err(|problem| match problem.code {
        // The id is part of the path, so an unknown one is an unknown route.
        Code::InvalidValue => Problem { code: Code::NoSuchRoute, ..problem },
        _ => problem,
    })?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
