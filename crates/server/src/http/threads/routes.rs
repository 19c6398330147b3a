//! Routes of threads, for the table of routes.

use super::agent::agent_routes::AGENTS;
use super::person::{self, person_threads};
use super::{error, example};
use crate::http::openapi::schemas::{self, schema_of};
use crate::http::route::{
    BodySpec, ContentSpec, KEY, Parameter, ROLE, ResponseSpec, Route, RouteAccess, RouteMethod, ok, run,
};
use sayso_core::{ProblemCode, limits};
use schemars::{Schema, SchemaGenerator};
use serde_json::{Value, json};

/// Schema of a person's message.
fn message_schema(_: &mut SchemaGenerator) -> Schema {
    object_schema(json!({ "message": { "type": "string" } }), &["message"])
}

/// Schema of a person's decision.
fn decision_schema(_: &mut SchemaGenerator) -> Schema {
    let action = json!({ "enum": ["continue", "cancel", "answer"] });
    let answers =
        json!({ "anyOf": [{ "type": "array", "items": { "type": "string" } }, { "type": "null" }] });
    let reason = json!({ "type": "string", "description": "For `cancel`: the reason, for the agent." });
    object_schema(json!({ "action": action, "answers": answers, "reason": reason }), &["action"])
}

fn object_schema(properties: Value, required: &[&str]) -> Schema {
    let mut schema = Schema::default();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), properties);
    schema.insert("required".to_owned(), json!(required));
    schema
}

const fn denied_reply(status: u16, about: &'static str) -> ResponseSpec {
    ResponseSpec { status, description: about, content: ContentSpec::json(schema_of::<error::DetailBody>) }
}

const FORBIDDEN: ResponseSpec =
    denied_reply(403, "The thread does not exist or belongs to someone else, or the caller is not a person.");
const UNAUTHORIZED: ResponseSpec = denied_reply(401, "The token is missing or unknown.");
const BAD_HEADER: ResponseSpec = denied_reply(400, "A header or parameter cannot be parsed.");
const INVALID_BODY: ResponseSpec = denied_reply(422, "The body is not JSON or does not match the schema.");
const NO_AGENT: ResponseSpec =
    denied_reply(409, "The agent does not exist, or several exist and the thread names none.");
const TOO_MANY_REQUESTS: ResponseSpec = denied_reply(429, "Too many requests, or too much data in flight.");
const ENVELOPE: Parameter = Parameter::query(
    "envelope",
    "1 for unnamed events, whose data also contains the name as `event` and the object again as `data` (the \
        default of GET /api/stream); 0 for named events.",
    schemas::text,
);
const LAST_EVENT_ID: Parameter =
    Parameter::header("Last-Event-ID", "The last event received.", schemas::text);

/// A request of a person.
const READ: Route = Route {
    method: RouteMethod::Get,
    path: "",
    name: "",
    summary: "",
    access: RouteAccess::Deferred,
    parameters: &[ROLE],
    body: BodySpec::None,
    max_body_bytes: 0,
    responses: &[],
    problems: &[],
    handler: run!(person_threads::list),
};

/// A request of a person with a body.
const WRITE: Route = Route {
    method: RouteMethod::Post,
    max_body_bytes: limits::BODY_BYTES,
    problems: &[ProblemCode::UnsupportedMediaType, ProblemCode::TooLarge],
    ..READ
};

/// These responses to a person, and those that refuse the request.
macro_rules! responses {
    ($($response:expr),+) => { &[$($response,)+ BAD_HEADER, UNAUTHORIZED, FORBIDDEN, TOO_MANY_REQUESTS] };
}

/// Routes of the spec, for a person and their page.
const PEOPLE: [Route; 10] = [
    Route {
        path: "/api/sessions",
        name: "create_thread",
        summary: "Starts a thread.",
        body: BodySpec::maybe_json(schema_of::<person_threads::NewThread>),
        responses: responses!(
            ok("The id.", ContentSpec::json(schema_of::<person_threads::NewThreadBody>)),
            NO_AGENT,
            INVALID_BODY
        ),
        handler: run!(person_threads::create),
        ..WRITE
    },
    Route {
        path: "/api/sessions",
        name: "list_threads",
        summary: "The caller's threads.",
        responses: responses!(ok("The threads.", ContentSpec::json(schema_of::<person_threads::ThreadList>))),
        handler: run!(person_threads::list),
        ..READ
    },
    Route {
        path: "/api/sessions/{thread_id}",
        name: "show_thread",
        summary: "One thread, as in the list.",
        responses: responses!(ok(
            "The thread.",
            ContentSpec::json(schema_of::<person_threads::ListedThread>)
        )),
        handler: run!(person_threads::show),
        ..READ
    },
    Route {
        method: RouteMethod::Delete,
        path: "/api/sessions/{thread_id}",
        name: "delete_thread",
        summary: "Deletes a thread and its messages. Its open interrupt is declined.",
        responses: responses!(ok(
            "The thread is deleted.",
            ContentSpec::json(schema_of::<person_threads::ThreadDeleted>)
        )),
        handler: run!(person_threads::delete),
        ..READ
    },
    Route {
        path: "/api/status/{thread_id}",
        name: "show_thread_status",
        summary: "The state of a thread.",
        responses: responses!(ok(
            "The status.",
            ContentSpec::json(schema_of::<person_threads::ThreadStatus>)
        )),
        handler: run!(person_threads::status),
        ..READ
    },
    Route {
        path: "/api/history/{thread_id}",
        name: "show_thread_history",
        summary: "Returns the messages of a thread, its questions and decisions, and the tools that ran.",
        responses: responses!(ok(
            "The messages.",
            ContentSpec::json(schema_of::<person_threads::ThreadHistory>)
        )),
        handler: run!(person_threads::history),
        ..READ
    },
    Route {
        path: "/api/chat/{thread_id}",
        name: "chat",
        summary: "Sends a message to the agent. It declines the thread's open interrupt, with the message as the \
            reason. The response streams what the agent does until it waits for a decision or ends. A repeated key \
            has no second effect.",
        parameters: &[ENVELOPE, KEY, ROLE],
        body: BodySpec::maybe_json(message_schema),
        responses: responses!(ok("The stream.", ContentSpec::Events), NO_AGENT, INVALID_BODY),
        handler: run!(person::chat),
        ..WRITE
    },
    Route {
        path: "/api/chat/{thread_id}",
        name: "follow_thread",
        summary: "Streams what the agent does and the history does not contain yet, from the last message or the \
            open interrupt.",
        parameters: &[ENVELOPE, ROLE],
        responses: responses!(ok("The stream.", ContentSpec::Events)),
        handler: run!(person_threads::follow),
        ..READ
    },
    Route {
        path: "/api/stream/{thread_id}",
        name: "stream_thread",
        summary: "The stream of GET /api/chat for a browser's EventSource: each event has an id, and the stream \
            continues after the one in `Last-Event-ID`; if nothing follows, 204 stops the browser from \
            reconnecting.",
        parameters: &[ENVELOPE, LAST_EVENT_ID, ROLE],
        responses: responses!(
            ok("The stream.", ContentSpec::Events),
            ResponseSpec { status: 204, description: "Nothing follows.", content: ContentSpec::None }
        ),
        handler: run!(person_threads::stream_events),
        ..READ
    },
    Route {
        path: "/api/resume/{thread_id}",
        name: "resume",
        summary: "Decides the interrupt that a thread waits for. The response streams what the agent does then, as \
            for a message. An interrupt that the person has not seen yet cannot be decided; it is shown instead. A \
            repeated key has no second effect.",
        parameters: &[ENVELOPE, KEY, ROLE],
        body: BodySpec::maybe_json(decision_schema),
        responses: responses!(
            ok("The stream.", ContentSpec::Events),
            denied_reply(400, "The action is unknown, answers are missing, or a header cannot be parsed.",),
            INVALID_BODY
        ),
        handler: run!(person::resume),
        ..WRITE
    },
];

/// Routes of the example page.
const EXAMPLE: [Route; 3] = [
    Route {
        method: RouteMethod::Get,
        path: "/examples/chat",
        name: "show_chat",
        summary: "A page for talking to an agent and deciding what it asks.",
        access: RouteAccess::Open,
        parameters: &[],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ok("It.", ContentSpec::Text("text/html"))],
        problems: &[],
        handler: run!(example::page),
    },
    Route {
        method: RouteMethod::Get,
        path: "/examples/chat.css",
        name: "show_chat_style",
        summary: "The style of that page.",
        access: RouteAccess::Open,
        parameters: &[],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ok("It.", ContentSpec::Text("text/css"))],
        problems: &[],
        handler: run!(example::style),
    },
    Route {
        method: RouteMethod::Get,
        path: "/examples/chat.js",
        name: "show_chat_script",
        summary: "The script of that page.",
        access: RouteAccess::Open,
        parameters: &[],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ok("It.", ContentSpec::Text("text/javascript"))],
        problems: &[],
        handler: run!(example::script),
    },
];

/// All routes of threads.
pub(in crate::http) const ROUTES: [&[Route]; 3] = [&PEOPLE, &AGENTS, &EXAMPLE];
