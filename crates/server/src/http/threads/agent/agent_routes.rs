//! Routes of threads for the agent, for the table of routes.

use super::{ask_request, turn_asks};
use crate::http::openapi::schemas::{self, schema_of};
use crate::http::route::{
    BodySpec, ContentSpec, Parameter, ROLE, ResponseSpec, Route, RouteAccess, RouteMethod, ok, run,
};
use crate::http::threads::agent;
use crate::http::threads::person::person_threads;
use sayso_core::{ProblemCode, limits};

const WAIT: Parameter = Parameter::query("wait", "Seconds to wait.", schemas::wait);
const TURN: &[ProblemCode] = &[
    ProblemCode::TurnOver,
    ProblemCode::InvalidJson,
    ProblemCode::InvalidType,
    ProblemCode::TooLarge,
    ProblemCode::UnsupportedMediaType,
];

/// Routes for the agent.
pub(crate) const AGENTS: [Route; 5] = [
    Route {
        method: RouteMethod::Post,
        path: "/v1/threads/next",
        name: "take_turn",
        summary: "The next message to act on, in a thread of this agent or in one without an agent. The turn \
            belongs to the caller until the caller ends it or makes no request with it for `lease_seconds`.",
        access: RouteAccess::Asker,
        parameters: &[WAIT, ROLE],
        body: BodySpec::maybe_json(schema_of::<agent::TurnRequest>),
        max_body_bytes: limits::REQUEST_BODY_BYTES,
        responses: &[
            ok("A turn.", ContentSpec::json(schema_of::<agent::TurnBody>)),
            ResponseSpec { status: 204, description: "No message is waiting.", content: ContentSpec::None },
        ],
        problems: &[
            ProblemCode::InvalidValue,
            ProblemCode::InvalidJson,
            ProblemCode::TooLarge,
            ProblemCode::UnsupportedMediaType,
        ],
        handler: run!(agent::next),
    },
    Route {
        method: RouteMethod::Get,
        path: "/v1/threads/{thread_id}/history",
        name: "read_thread",
        summary: "Returns the messages of a thread of this agent, its questions and decisions, and the tools that ran.",
        access: RouteAccess::Asker,
        parameters: &[ROLE],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ok("The messages.", ContentSpec::json(schema_of::<person_threads::ThreadHistory>))],
        problems: &[ProblemCode::ThreadNotFound],
        handler: run!(agent::history),
    },
    Route {
        method: RouteMethod::Post,
        path: "/v1/threads/{thread_id}/events",
        name: "publish_events",
        summary: "Sends an event to all readers of the thread, immediately and in order.",
        access: RouteAccess::Asker,
        parameters: &[ROLE],
        body: BodySpec::json(schema_of::<agent::TurnEvents>),
        max_body_bytes: limits::REQUEST_BODY_BYTES,
        responses: &[ResponseSpec {
            status: 204,
            description: "The event is sent.",
            content: ContentSpec::None,
        }],
        problems: TURN,
        handler: run!(agent::publish),
    },
    Route {
        method: RouteMethod::Post,
        path: "/v1/threads/{thread_id}/ask",
        name: "ask_in_thread",
        summary: "Asks in a turn and waits for the decisions. The same request continues to wait, and after a \
            crash returns the decisions made meanwhile.",
        access: RouteAccess::Asker,
        parameters: &[WAIT, ROLE],
        body: BodySpec::json(schema_of::<ask_request::TurnAsk>),
        max_body_bytes: limits::NEW_ASK_BODY_BYTES,
        responses: &[ok("The decisions so far.", ContentSpec::json(schema_of::<turn_asks::TurnDecisions>))],
        problems: &[
            ProblemCode::TurnOver,
            ProblemCode::InvalidRequest,
            ProblemCode::InvalidJson,
            ProblemCode::KeyReused,
            ProblemCode::TooLarge,
            ProblemCode::UnsupportedMediaType,
            ProblemCode::DeskCrowded,
            ProblemCode::DeskFull,
        ],
        handler: run!(turn_asks::ask),
    },
    Route {
        method: RouteMethod::Post,
        path: "/v1/threads/{thread_id}/end",
        name: "end_turn",
        summary: "Ends the turn. Its open asks are cancelled.",
        access: RouteAccess::Asker,
        parameters: &[ROLE],
        body: BodySpec::json(schema_of::<agent::TurnEnd>),
        max_body_bytes: limits::REQUEST_BODY_BYTES,
        responses: &[ResponseSpec {
            status: 204,
            description: "The session has ended.",
            content: ContentSpec::None,
        }],
        problems: TURN,
        handler: run!(agent::end),
    },
];
