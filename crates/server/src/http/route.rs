//! Description of a route: access, input and responses.

use super::app::App;
use super::call::Call;
use super::shapes;
use axum::response::Response;
use sayso_core::{Code, Problem, limits};
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// Generator of a body's schema.
pub(super) type SchemaOf = fn(&mut SchemaGenerator) -> Schema;
/// Future of a handler.
pub(super) type Coming = Pin<Box<dyn Future<Output = Result<Response, Problem>> + Send>>;

/// HTTP method of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Get,
    Post,
    Patch,
    Delete,
}

impl Verb {
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

/// Access to a route. Core and the handler decide further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// Any caller, without a token.
    Open,
    /// Any caller with a token.
    Any,
    /// Any caller with a token, checked by the handler after the body, as a spec requires.
    Late,
    Asker,
    Person,
    Admin,
}

/// Body that a route reads.
#[derive(Clone, Copy)]
pub(super) enum Body {
    None,
    Json(SchemaOf),
    /// Optional JSON.
    MaybeJson(SchemaOf),
    /// Optional bytes.
    Bytes,
}

impl Body {
    /// Returns the required media type.
    pub(super) const fn media(self) -> &'static str {
        match self {
            Self::None | Self::Json(_) | Self::MaybeJson(_) => "application/json",
            Self::Bytes => "application/octet-stream",
        }
    }
}

/// Body of a route's response.
#[derive(Clone, Copy)]
pub(super) enum Content {
    None,
    Json(SchemaOf),
    /// JSON, or the same as an event stream if the caller accepts one.
    JsonOrEvents(SchemaOf),
    Events,
    Bytes,
    /// Problem document specific to the route.
    Problem,
    /// Text of this media type.
    Text(&'static str),
}

/// Successful response of a route.
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) about: &'static str,
    pub(super) content: Content,
}

/// Location of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Query,
    Header,
}

/// Parameter outside the path.
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) place: Place,
    pub(super) about: &'static str,
    pub(super) schema: fn() -> Value,
    pub(super) is_required: bool,
}

impl Parameter {
    /// Creates an optional query parameter.
    pub(super) const fn query(name: &'static str, about: &'static str, schema: fn() -> Value) -> Self {
        Self { name, place: Place::Query, about, schema, is_required: false }
    }

    /// Creates an optional header parameter.
    pub(super) const fn header(name: &'static str, about: &'static str, schema: fn() -> Value) -> Self {
        Self { name, place: Place::Header, about, schema, is_required: false }
    }

    /// Makes the parameter required.
    pub(super) const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }
}

/// A route.
pub(super) struct Route {
    pub(super) verb: Verb,
    pub(super) path: &'static str,
    /// Operation id, from which clients are generated.
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) access: Access,
    pub(super) parameters: &'static [Parameter],
    pub(super) body: Body,
    pub(super) replies: &'static [Reply],
    /// Problem codes in addition to those of every route.
    pub(super) problems: &'static [Code],
    pub(super) run: fn(Arc<App>, Call) -> Coming,
}

impl Route {
    /// Returns the maximum size of the body in bytes; answers may be larger than asks.
    pub(super) fn body_bytes(&self) -> usize {
        match (self.name, self.access, self.body) {
            ("create_ask" | "ask_in_thread", ..) => limits::NEW_ASK_BODY_BYTES,
            (_, Access::Person | Access::Late, _) | (.., Body::Bytes) => limits::BODY_BYTES,
            _ => limits::REQUEST_BODY_BYTES,
        }
    }
}

/// Wraps a handler for the table of routes.
macro_rules! run {
    ($handler:path) => {
        |app, call| Box::pin($handler(app, call))
    };
}

pub(super) use run;

/// Creates a response with status 200.
pub(super) const fn ok(about: &'static str, content: Content) -> Reply {
    Reply { status: 200, about, content }
}

pub(super) const ASK: Content = Content::Json(shapes::ask);
pub(super) const KEY: Parameter = Parameter::header(
    "Idempotency-Key",
    "With the same key the same write is done once. Percent-encoded where it is not plain ASCII.",
    shapes::key,
);
pub(super) const ROLE: Parameter = Parameter::header(
    "Sayso-Role",
    "The role that an admin acts in; else it is the usual one of the route.",
    shapes::role,
);

/// Problem codes of an operation on an existing ask.
pub(super) const NOT_THERE: &[Code] =
    &[Code::AskNotFound, Code::AskAnswered, Code::InvalidJson, Code::InvalidType, Code::KeyReused];
