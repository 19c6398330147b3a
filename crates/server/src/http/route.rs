//! What a route is: whom it is for, what it reads, and what it replies with.

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

/// Makes the schema of a body.
pub(super) type SchemaOf = fn(&mut SchemaGenerator) -> Schema;
/// What a handler comes to.
pub(super) type Coming = Pin<Box<dyn Future<Output = Result<Response, Problem>> + Send>>;

/// The method of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Get,
    Post,
    Patch,
    Delete,
}

impl Verb {
    /// As OpenAPI writes it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Post => "post",
            Self::Patch => "patch",
            Self::Delete => "delete",
        }
    }
}

/// Whom a route is for. What they may do there is decided by core and the handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// Everybody, without a token.
    Open,
    /// Everybody with a token.
    Any,
    /// Everybody with a token, which the handler asks for when it has read the body: a spec has it so.
    Late,
    Asker,
    Person,
    Admin,
}

/// What a route reads.
#[derive(Clone, Copy)]
pub(super) enum Body {
    None,
    Json(SchemaOf),
    /// JSON, or nothing at all.
    MaybeJson(SchemaOf),
    /// Bytes, or nothing at all.
    Bytes,
}

impl Body {
    /// The media type that it must have.
    pub(super) const fn media(self) -> &'static str {
        match self {
            Self::None | Self::Json(_) | Self::MaybeJson(_) => "application/json",
            Self::Bytes => "application/octet-stream",
        }
    }
}

/// What a route replies with.
#[derive(Clone, Copy)]
pub(super) enum Content {
    None,
    Json(SchemaOf),
    /// JSON, or the same in a stream of events where the caller reads one.
    JsonOrEvents(SchemaOf),
    Events,
    Bytes,
    /// A problem that is this route's own.
    Problem,
    /// Text of this media type.
    Text(&'static str),
}

/// A reply of a route that went well.
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) about: &'static str,
    pub(super) content: Content,
}

/// Where a parameter stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Query,
    Header,
}

/// A parameter beside the path.
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) place: Place,
    pub(super) about: &'static str,
    pub(super) schema: fn() -> Value,
    pub(super) is_required: bool,
}

impl Parameter {
    /// A member of the query, which may be left out.
    pub(super) const fn query(name: &'static str, about: &'static str, schema: fn() -> Value) -> Self {
        Self { name, place: Place::Query, about, schema, is_required: false }
    }

    /// A header, which may be left out.
    pub(super) const fn header(name: &'static str, about: &'static str, schema: fn() -> Value) -> Self {
        Self { name, place: Place::Header, about, schema, is_required: false }
    }

    /// The same, which has to be there.
    pub(super) const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }
}

/// A route.
pub(super) struct Route {
    pub(super) verb: Verb,
    pub(super) path: &'static str,
    /// Its name in programs that are made from the document.
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) access: Access,
    pub(super) parameters: &'static [Parameter],
    pub(super) body: Body,
    pub(super) replies: &'static [Reply],
    /// What can go wrong beside what can on every route.
    pub(super) problems: &'static [Code],
    pub(super) run: fn(Arc<App>, Call) -> Coming,
}

impl Route {
    /// How long a body may be that is read here, in bytes: answers may be longer than what asks for them.
    pub(super) fn body_bytes(&self) -> usize {
        match (self.name, self.access, self.body) {
            ("create_ask" | "ask_in_thread", ..) => limits::NEW_ASK_BODY_BYTES,
            (_, Access::Person | Access::Late, _) | (.., Body::Bytes) => limits::BODY_BYTES,
            _ => limits::REQUEST_BODY_BYTES,
        }
    }
}

/// A handler as a route has it.
macro_rules! run {
    ($handler:path) => {
        |app, call| Box::pin($handler(app, call))
    };
}

pub(super) use run;

/// A reply of a route that did what it is for.
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

/// The codes of an ask that is not where it would have to be.
pub(super) const NOT_THERE: &[Code] =
    &[Code::AskNotFound, Code::AskAnswered, Code::InvalidJson, Code::InvalidType, Code::KeyReused];
