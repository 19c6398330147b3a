//! Description of a route: access, input and responses.

#![cfg_attr(not(feature = "codegen"), expect(dead_code, reason = "only the OpenAPI document has it"))]

pub(super) mod access;
pub(super) mod body;

pub(super) use access::RouteAccess;
pub(super) use body::{BodySpec, Generator, SchemaFn};

use super::app::AppState;
use super::middleware::call::ApiCall;
use super::openapi::schemas;
use axum::response::Response;
use sayso_core::{Problem, ProblemCode};
use serde_json::Value;
use std::future::Future;
use std::pin::Pin;

/// Generator of a parameter's schema.
pub(super) type ParameterSchemaFn = fn() -> Value;
/// Future of a handler.
pub(super) type HandlerFuture = Pin<Box<dyn Future<Output = Result<Response, Problem>> + Send>>;

/// HTTP method of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RouteMethod {
    Get,
    Post,
    Patch,
    Delete,
}

impl RouteMethod {
    /// Returns the name as written in OpenAPI.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Post => "post",
            Self::Patch => "patch",
            Self::Delete => "delete",
        }
    }
}

/// Body of a route's response.
#[derive(Clone, Copy)]
pub(super) enum ContentSpec {
    None,
    Json(Generator<SchemaFn>),
    /// JSON, or the same as an event stream if the caller accepts one.
    JsonOrEvents(Generator<SchemaFn>),
    Events,
    Bytes,
    /// Problem document specific to the route.
    Problem,
    /// Text of this media type.
    Text(&'static str),
}

impl ContentSpec {
    pub(super) const fn json(schema: SchemaFn) -> Self {
        Self::Json(Generator::new(schema))
    }

    pub(super) const fn json_or_events(schema: SchemaFn) -> Self {
        Self::JsonOrEvents(Generator::new(schema))
    }
}

/// Successful response of a route.
pub(super) struct ResponseSpec {
    pub(super) status: u16,
    pub(super) description: &'static str,
    pub(super) content: ContentSpec,
}

/// Location of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ParameterPlace {
    Query,
    Header,
}

/// Parameter outside the path.
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) place: ParameterPlace,
    pub(super) description: &'static str,
    pub(super) schema: Generator<ParameterSchemaFn>,
    pub(super) is_required: bool,
}

impl Parameter {
    /// Creates an optional query parameter.
    pub(super) const fn query(name: &'static str, about: &'static str, schema: ParameterSchemaFn) -> Self {
        let schema = Generator::new(schema);
        Self { name, place: ParameterPlace::Query, description: about, schema, is_required: false }
    }

    /// Creates an optional header parameter.
    pub(super) const fn header(name: &'static str, about: &'static str, schema: ParameterSchemaFn) -> Self {
        let schema = Generator::new(schema);
        Self { name, place: ParameterPlace::Header, description: about, schema, is_required: false }
    }

    /// Makes the parameter required.
    pub(super) const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }
}

/// A route.
pub(super) struct Route {
    pub(super) method: RouteMethod,
    pub(super) path: &'static str,
    /// Operation id, from which clients are generated.
    pub(super) name: &'static str,
    pub(super) summary: &'static str,
    pub(super) access: RouteAccess,
    pub(super) parameters: &'static [Parameter],
    pub(super) body: BodySpec,
    /// Maximum size of the body; answers may be larger than asks. 0 if none is read.
    pub(super) max_body_bytes: usize,
    pub(super) responses: &'static [ResponseSpec],
    /// Problem codes in addition to those of every route.
    pub(super) problems: &'static [ProblemCode],
    /// Handler, which takes its parts of the state.
    pub(super) handler: fn(&AppState, ApiCall) -> HandlerFuture,
}

/// Wraps a handler for the table of routes.
macro_rules! run {
    ($handler:path) => {
        |app, call| Box::pin($handler($crate::http::app::HandlerState::from_app(app), call))
    };
}

pub(super) use run;

/// Creates a response with status 200.
pub(super) const fn ok(about: &'static str, content: ContentSpec) -> ResponseSpec {
    ResponseSpec { status: 200, description: about, content }
}

pub(super) const ASK: ContentSpec = ContentSpec::json(schemas::schema_of::<schemas::AskBody>);
pub(super) const KEY: Parameter = Parameter::header(
    "Idempotency-Key",
    "Repeating a write with the same key has no second effect. Percent-encode anything that is not ASCII.",
    schemas::key,
);
pub(super) const ROLE: Parameter = Parameter::header(
    "Sayso-Role",
    "For an admin's token: the role to act in, `asker` or `person`, if the route allows both.",
    schemas::role,
);
pub(super) const AUDIENCE: Parameter = Parameter::header(
    "Sayso-For",
    "Accounts and groups that may see and answer the ask, separated by commas. Percent-encode anything that is not \
        ASCII.",
    schemas::text,
);
pub(super) const OUTSIDE: Parameter = Parameter::header(
    "Sayso-Outside",
    "`open` lets an admin open an ask that is for others; the log and the receipt record it.",
    schemas::outside,
);

/// Problem codes of an operation on an existing ask.
pub(super) const ASK_STATE_CODES: &[ProblemCode] = &[
    ProblemCode::AskNotFound,
    ProblemCode::AskAnswered,
    ProblemCode::InvalidJson,
    ProblemCode::InvalidType,
    ProblemCode::KeyReused,
];
