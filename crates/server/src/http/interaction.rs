//! Server of the interaction dialect: the operation that asks, and the WebSocket that shows and answers forms.
//!
//! **Invariant:** a form is an ask at the desk like any other. Its events derive from the desk's state and log, so
//! they are the same for every client and after a restart. The ids of rounds derive from the ask's id.
//!
//! **Invariant:** a client that disconnects ends nothing. Only a response, the asker's cancel or the deadline does.

mod feed;
mod fragments;
pub(super) mod interaction_state;
mod judge;
mod meter;
mod operation;
mod person_response;
mod socket;
mod socket_proof;
mod upgrade;

pub(super) use judge::run_judge;
pub(super) use operation::{ToolResultBody, ask};
pub(super) use upgrade::open;

use super::openapi::schemas;
use crate::http::route::{
    AUDIENCE, BodySpec, ContentSpec, KEY, Parameter, ROLE, ResponseSpec, Route, RouteAccess, RouteMethod, ok,
    run,
};
use sayso_core::{Ask, AskId, Asker, ProblemCode, limits};
use sayso_dialects::Dialect;
use sayso_dialects::interaction::InteractionCall;
use uuid::Uuid;

pub(super) const ROUTES: &[Route] = &[
    Route {
        method: RouteMethod::Post,
        path: "/api/plugins/questions/operations/ask",
        name: "ask_questions",
        summary: "The tool `questions_ask` of the interaction format: asks, and responds with the tool's result. \
            Errors are `{error, code}`. The same request in the same session finds the existing ask as long as it \
            is open or its result has not been fetched.",
        access: RouteAccess::Asker,
        parameters: &[
            Parameter::header("x-session-id", "The session in which the form is shown.", schemas::text),
            AUDIENCE,
            KEY,
            ROLE,
        ],
        body: BodySpec::json(schemas::interaction_arguments),
        max_body_bytes: limits::REQUEST_BODY_BYTES,
        responses: &[ok("The tool's result.", ContentSpec::json(schemas::schema_of::<ToolResultBody>))],
        problems: &[ProblemCode::TooLarge, ProblemCode::UnsupportedMediaType],
        handler: run!(ask),
    },
    Route {
        method: RouteMethod::Get,
        path: "/ws",
        name: "open_socket",
        summary: "A WebSocket for showing and answering forms, in the frames of the interaction format, protocol \
            2. The token may be a subprotocol, in addition to the name `interaction`.",
        access: RouteAccess::Any,
        parameters: &[ROLE],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ResponseSpec {
            status: 101,
            description: "The connection becomes a WebSocket.",
            content: ContentSpec::None,
        }],
        problems: &[],
        handler: run!(open),
    },
];

/// Returns whether an ask is a form of this dialect.
fn is_form(ask: &Ask) -> bool {
    ask.request.dialect == Dialect::Interaction.name()
}

/// Returns the session of an asker, or its name without one.
fn asker_session(asker: &Asker) -> &str {
    asker.session.as_deref().unwrap_or(&asker.name)
}

/// Returns the tool call that represents an ask.
fn tool_call(ask: &Ask) -> InteractionCall {
    InteractionCall::new(ask.id.to_string())
}

/// Returns a stable id for a part of an ask.
fn derived_id(ask: AskId, what: &str) -> String {
    Uuid::new_v5(&Uuid::from_bytes(*ask.as_bytes()), what.as_bytes()).to_string()
}

/// Returns the id of a round.
fn round_id(ask: AskId, round: u32) -> String {
    derived_id(ask, &format!("round {round}"))
}
