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
    let reason = json!({ "type": "string", "description": "With cancel: why, for the agent." });
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
    denied_reply(403, "The thread is another's, or there is none; or the caller is no person.");
const UNAUTHORIZED: ResponseSpec = denied_reply(401, "No token, or none that is known.");
const BAD_HEADER: ResponseSpec = denied_reply(400, "A header or a parameter that cannot be read.");
const INVALID_BODY: ResponseSpec = denied_reply(422, "The body is no JSON, or of another shape.");
const NO_AGENT: ResponseSpec =
    denied_reply(409, "There is no such agent; or there are several, and the thread names none.");
const TOO_MANY_REQUESTS: ResponseSpec = denied_reply(429, "Too often, or too much at once.");
const ENVELOPE: Parameter = Parameter::query(
    "envelope",
    "1 for events without a name: their data has also `event`, the name, and `data`, the object again. It is the \
                default of GET /api/stream; 0 for events with a name.",
    schemas::text,
);
const LAST_EVENT_ID: Parameter =
    Parameter::header("Last-Event-ID", "The last event that was read.", schemas::text);

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
        summary: "Begins a thread.",
        body: BodySpec::maybe_json(schema_of::<person_threads::NewThread>),
        responses: responses!(
            ok("Its id.", ContentSpec::json(schema_of::<person_threads::ThreadBegun>)),
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
        summary: "A thread, as the list shows it.",
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
        summary: "Deletes a thread with its messages. Its open interrupt is declined.",
        responses: responses!(ok(
            "It is deleted.",
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
            "Its status.",
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
        summary: "Sends a message to the agent. The open interrupt of the thread is declined, with this as the reason. What the \
                agent does about it is streamed until it waits for a decision or ends. A repeated key has no second effect.",
        parameters: &[ENVELOPE, KEY, ROLE],
        body: BodySpec::maybe_json(message_schema),
        responses: responses!(ok("The stream.", ContentSpec::Events), NO_AGENT, INVALID_BODY),
        handler: run!(person::chat),
        ..WRITE
    },
    Route {
        path: "/api/chat/{thread_id}",
        name: "follow_thread",
        summary: "Reads along what the agent does and the history does not have yet: from what was asked last, or what waits.",
        parameters: &[ENVELOPE, ROLE],
        responses: responses!(ok("The stream.", ContentSpec::Events)),
        handler: run!(person_threads::follow),
        ..READ
    },
    Route {
        path: "/api/stream/{thread_id}",
        name: "stream_thread",
        summary: "Reads along as GET /api/chat, for a browser's EventSource: each event has an id, and after the one in \
                Last-Event-ID the stream continues; if nothing follows, 204 keeps the browser from asking again.",
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
        summary: "Decides what a thread waits for. What the agent does then is streamed as for a message. \
                What the person was not shown yet cannot be decided: it is shown instead. The same key decides once.",
        parameters: &[ENVELOPE, KEY, ROLE],
        body: BodySpec::maybe_json(decision_schema),
        responses: responses!(
            ok("The stream.", ContentSpec::Events),
            denied_reply(
                400,
                "Another action, or no answers where they are needed; or a header that cannot be read.",
            ),
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
        summary: "A page to speak to an agent on, and to decide what it asks.",
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
