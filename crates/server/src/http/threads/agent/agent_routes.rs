//! Routes of threads for the agent, for the table of routes.

use super::{ask_request, turn_asks};
use crate::http::openapi::schemas::{self, schema_of};
use crate::http::route::{
    BodySpec, ContentSpec, Parameter, ROLE, ResponseSpec, Route, RouteAccess, RouteMethod, ok, run,
};
use crate::http::threads::agent;
use crate::http::threads::person::person_threads;
use sayso_core::{ProblemCode, limits};

const WAIT: Parameter = Parameter::query("wait", "Time to wait for it, in seconds.", schemas::wait);
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
        summary: "The next message to do something about: in a thread of this agent, or in one that has no agent yet. It \
                is the caller's until it ends the turn, or makes no request with it for `lease_seconds`.",
        access: RouteAccess::Asker,
        parameters: &[WAIT, ROLE],
        body: BodySpec::maybe_json(schema_of::<agent::NextTurn>),
        max_body_bytes: limits::REQUEST_BODY_BYTES,
        responses: &[
            ok("A turn.", ContentSpec::json(schema_of::<agent::TurnBody>)),
            ResponseSpec { status: 204, description: "There is none yet.", content: ContentSpec::None },
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
        summary: "Asks in a turn, and waits for what is decided. The same request waits further, and after a crash gets \
                what was decided meanwhile.",
        access: RouteAccess::Asker,
        parameters: &[WAIT, ROLE],
        body: BodySpec::json(schema_of::<ask_request::TurnAsk>),
        max_body_bytes: limits::NEW_ASK_BODY_BYTES,
        responses: &[ok("What is decided so far.", ContentSpec::json(schema_of::<turn_asks::TurnDecisions>))],
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
        responses: &[ResponseSpec { status: 204, description: "It has ended.", content: ContentSpec::None }],
        problems: TURN,
        handler: run!(agent::end),
    },
];
