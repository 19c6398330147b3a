//! Token administration, for admins.

use crate::http::context::ServerContext;
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::response;
use crate::http::openapi::schemas;
use crate::http::route::{BodySpec, ContentSpec, ResponseSpec, Route, RouteAccess, RouteMethod, ok, run};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use jiff::SignedDuration;
use sayso_core::i18n::{foreign, own};
use sayso_core::wire::json;
use sayso_core::{DocumentPath, Message, Problem, ProblemCode, limits};
use sayso_desk::token::{TokenAudience, TokenRecord, TokenRequest, TokenRole};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(crate) const ROUTES: &[Route] = &[
    Route {
        method: RouteMethod::Get,
        path: "/v1/tokens",
        name: "list_tokens",
        summary: "Lists the tokens, without their secrets.",
        access: RouteAccess::Admin,
        parameters: &[],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ok("The tokens.", ContentSpec::json(schemas::schema_of::<TokensBody>))],
        problems: &[],
        handler: run!(list),
    },
    Route {
        method: RouteMethod::Post,
        path: "/v1/tokens",
        name: "create_token",
        summary: "Creates a token. Its secret is shown only once.",
        access: RouteAccess::Admin,
        parameters: &[],
        body: BodySpec::json(schemas::schema_of::<NewTokenBody>),
        max_body_bytes: limits::REQUEST_BODY_BYTES,
        responses: &[ResponseSpec {
            status: 201,
            description: "The token.",
            content: ContentSpec::json(schemas::schema_of::<IssuedToken>),
        }],
        problems: &[
            ProblemCode::InvalidValue,
            ProblemCode::InvalidJson,
            ProblemCode::TooLarge,
            ProblemCode::UnsupportedMediaType,
        ],
        handler: run!(create),
    },
    Route {
        method: RouteMethod::Delete,
        path: "/v1/tokens/{id}",
        name: "revoke_token",
        summary: "Revokes the token. It is unknown from then on.",
        access: RouteAccess::Admin,
        parameters: &[],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ResponseSpec {
            status: 204,
            description: "The token is revoked.",
            content: ContentSpec::None,
        }],
        problems: &[ProblemCode::NoSuchRoute],
        handler: run!(revoke),
    },
];

/// A token without its secret.
#[derive(Serialize, JsonSchema)]
pub(crate) struct TokenBody {
    /// The id or name.
    id: String,
    /// `asker`, `person`, `admin` or `service`.
    role: &'static str,
    /// Account that the token belongs to.
    account: String,
    /// Time of the change to this state.
    created_at: String,
    /// Time of expiry.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<String>,
    /// Time since which it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    revoked_at: Option<String>,
    /// Accounts and groups that its asks are for, if they name none.
    #[serde(rename = "for", skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    default_names: Vec<String>,
    /// Further accounts and groups that its asks may name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    may_for: Vec<String>,
}

impl From<TokenRecord> for TokenBody {
    fn from(token: TokenRecord) -> Self {
        Self {
            id: token.id,
            role: token.role.as_str(),
            account: token.account,
            created_at: token.created_at.to_string(),
            expires_at: token.expires_at.map(|at| at.to_string()),
            revoked_at: token.revoked_at.map(|at| at.to_string()),
            default_names: token.audience.default_names,
            may_for: token.audience.may_for,
        }
    }
}

/// All tokens.
#[derive(Serialize, JsonSchema)]
pub(crate) struct TokensBody {
    tokens: Vec<TokenBody>,
}

/// A token to create.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewTokenBody {
    /// `asker`, `person`, `admin` or `service`.
    #[schemars(extend("enum" = ["asker", "person", "admin", "service"]))]
    role: String,
    /// Account that the token belongs to.
    #[schemars(length(min = 1, max = 100))]
    account: String,
    /// Milliseconds until it expires.
    #[schemars(range(min = 1))]
    expires_in_ms: Option<i64>,
    /// Accounts and groups that its asks are for, if they name none; of an asker.
    #[serde(default, rename = "for")]
    default_names: Vec<String>,
    /// Further accounts and groups that its asks may name.
    #[serde(default)]
    may_for: Vec<String>,
}

/// A token with its secret, shown once.
#[derive(Serialize, JsonSchema)]
pub(crate) struct IssuedToken {
    #[serde(flatten)]
    token: TokenBody,
    /// The secret. The desk does not keep it.
    secret: String,
}

/// Checks that the caller is an admin.
///
/// # Errors
/// Fails if the caller has another role.
pub(crate) fn require_admin(call: &ApiCall) -> Result<(), Problem> {
    match call.caller()?.role {
        TokenRole::Admin => Ok(()),
        TokenRole::Asker | TokenRole::Person | TokenRole::Service => {
            Err(Problem::new(ProblemCode::NotAllowed, Message::OnlyAdmins))
        }
    }
}

pub(crate) async fn list(context: Arc<ServerContext>, call: ApiCall) -> Result<Response, Problem> {
    require_admin(&call)?;
    let tokens = context.with_desk(|desk| desk.tokens()).await?;
    let body = TokensBody { tokens: tokens.into_iter().map(TokenBody::from).collect() };
    Ok(response::json(StatusCode::OK, json::write(&body)))
}

pub(crate) async fn create(context: Arc<ServerContext>, call: ApiCall) -> Result<Response, Problem> {
    require_admin(&call)?;
    let NewTokenBody { role, account, expires_in_ms, default_names, may_for } = call.parse_json()?;
    let Some(role) = TokenRole::parse(&role) else {
        let message = Message::NoSuchValue.with([own("role"), foreign(&role)]);
        return Err(Problem::new(ProblemCode::InvalidValue, message).at(DocumentPath::root().join("role")));
    };
    let expires_in = expires_in_ms.map(SignedDuration::from_millis);
    let audience = TokenAudience { default_names, may_for };
    let request = TokenRequest { role, account, expires_in, audience };
    let (token, secret) = context.with_desk(move |desk| desk.create_token(request)).await?;
    let body = IssuedToken { token: token.into(), secret: secret.reveal().to_owned() };
    Ok(response::json(StatusCode::CREATED, json::write(&body)))
}

pub(crate) async fn revoke(context: Arc<ServerContext>, call: ApiCall) -> Result<Response, Problem> {
    require_admin(&call)?;
    let id = call.path_param().to_owned();
    match context.with_desk(move |desk| desk.revoke_token(&id)).await {
        // The id is part of the path, so an unknown one is an unknown route.
        Err(problem) if problem.code == ProblemCode::InvalidValue => {
            Err(Problem { code: ProblemCode::NoSuchRoute, ..problem })
        }
        Err(problem) => Err(problem),
        Ok(_) => Ok(StatusCode::NO_CONTENT.into_response()),
    }
}
