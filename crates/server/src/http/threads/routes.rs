//! Routes of threads, for the table of routes.

use super::{agent, asking, example, person, refusal, sessions, wanted};
use crate::http::route::{Access, Body, Content, KEY, Parameter, Place, ROLE, Reply, Route, Verb, ok};
use crate::http::shapes;
use sayso_core::Code;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};

fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// Schema of a person's message.
fn said(_: &mut SchemaGenerator) -> Schema {
    object(json!({ "message": { "type": "string" } }), &["message"])
}

/// Schema of a person's decision.
fn decision(_: &mut SchemaGenerator) -> Schema {
    let action = json!({ "enum": ["continue", "cancel", "answer"] });
    let answers =
        json!({ "anyOf": [{ "type": "array", "items": { "type": "string" } }, { "type": "null" }] });
    object(json!({ "action": action, "answers": answers }), &["action"])
}

fn object(properties: Value, required: &[&str]) -> Schema {
    let mut schema = Schema::default();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), properties);
    schema.insert("required".to_owned(), json!(required));
    schema
}

const fn denied(status: u16, about: &'static str) -> Reply {
    Reply { status, about, content: Content::Json(of::<refusal::Detail>) }
}

const NOT_OWN: Reply = denied(403, "The thread is another's, or there is none; or the caller is no person.");
const NO_TOKEN: Reply = denied(401, "No token, or none that is known.");
const NO_HEADER: Reply = denied(400, "A header that cannot be read.");
const NO_SHAPE: Reply = denied(422, "The body is no JSON, or of another shape.");
const OFTEN: Reply = denied(429, "Too often, or too much at once.");
const WAIT: Parameter = Parameter {
    name: "wait",
    place: Place::Query,
    about: "How long to wait for it, in seconds.",
    schema: shapes::wait,
    is_required: false,
};
const TURN: &[Code] =
    &[Code::TurnOver, Code::InvalidJson, Code::InvalidType, Code::TooLarge, Code::UnsupportedMediaType];

/// Routes of the spec, for a person and their page.
const PEOPLE: [Route; 9] = [
    Route {
        verb: Verb::Post,
        path: "/api/sessions",
        name: "create_thread",
        about: "Begins a thread.",
        access: Access::Late,
        parameters: &[ROLE],
        body: Body::MaybeJson(of::<sessions::NewThread>),
        replies: &[
            ok("Its id.", Content::Json(of::<sessions::ThreadBegun>)),
            NO_HEADER,
            NO_TOKEN,
            NOT_OWN,
            NO_SHAPE,
            OFTEN,
        ],
        problems: &[Code::UnsupportedMediaType, Code::TooLarge],
        run: |app, call| Box::pin(sessions::create(app, call)),
    },
    Route {
        verb: Verb::Get,
        path: "/api/sessions",
        name: "list_threads",
        about: "The caller's threads.",
        access: Access::Late,
        parameters: &[ROLE],
        body: Body::None,
        replies: &[
            ok("The threads.", Content::Json(of::<sessions::ThreadList>)),
            NO_HEADER,
            NO_TOKEN,
            NOT_OWN,
            OFTEN,
        ],
        problems: &[],
        run: |app, call| Box::pin(sessions::list(app, call)),
    },
    Route {
        verb: Verb::Get,
        path: "/api/sessions/{thread_id}",
        name: "show_thread",
        about: "A thread, as it stands in the list.",
        access: Access::Late,
        parameters: &[ROLE],
        body: Body::None,
        replies: &[
            ok("The thread.", Content::Json(of::<sessions::ListedThread>)),
            NO_HEADER,
            NO_TOKEN,
            NOT_OWN,
            OFTEN,
        ],
        problems: &[],
        run: |app, call| Box::pin(sessions::show(app, call)),
    },
    Route {
        verb: Verb::Delete,
        path: "/api/sessions/{thread_id}",
        name: "delete_thread",
        about: "Deletes a thread and all that was said in it. What waits in it is declined.",
        access: Access::Late,
        parameters: &[ROLE],
        body: Body::None,
        replies: &[
            ok("It is deleted.", Content::Json(of::<sessions::ThreadDeleted>)),
            NO_HEADER,
            NO_TOKEN,
            NOT_OWN,
            OFTEN,
        ],
        problems: &[],
        run: |app, call| Box::pin(sessions::delete(app, call)),
    },
    Route {
        verb: Verb::Get,
        path: "/api/status/{thread_id}",
        name: "show_thread_status",
        about: "Where a thread stands.",
        access: Access::Late,
        parameters: &[ROLE],
        body: Body::None,
        replies: &[
            ok("Its status.", Content::Json(of::<sessions::ThreadStatus>)),
            NO_HEADER,
            NO_TOKEN,
            NOT_OWN,
            OFTEN,
        ],
        problems: &[],
        run: |app, call| Box::pin(sessions::status(app, call)),
    },
    Route {
        verb: Verb::Get,
        path: "/api/history/{thread_id}",
        name: "show_thread_history",
        about: "What was said in a thread.",
        access: Access::Late,
        parameters: &[ROLE],
        body: Body::None,
        replies: &[
            ok("The messages.", Content::Json(of::<sessions::ThreadHistory>)),
            NO_HEADER,
            NO_TOKEN,
            NOT_OWN,
            OFTEN,
        ],
        problems: &[],
        run: |app, call| Box::pin(sessions::history(app, call)),
    },
    Route {
        verb: Verb::Post,
        path: "/api/chat/{thread_id}",
        name: "chat",
        about: "Says something to the agent. What waits in the thread is declined, with this as the reason. What the \
                agent does about it is streamed until it waits for a decision or ends. The same key is heard once.",
        access: Access::Late,
        parameters: &[KEY, ROLE],
        body: Body::MaybeJson(said),
        replies: &[ok("The stream.", Content::Events), NO_HEADER, NO_TOKEN, NOT_OWN, NO_SHAPE, OFTEN],
        problems: &[Code::UnsupportedMediaType, Code::TooLarge],
        run: |app, call| Box::pin(person::chat(app, call)),
    },
    Route {
        verb: Verb::Get,
        path: "/api/chat/{thread_id}",
        name: "follow_thread",
        about: "Reads along what the agent does and the history does not have yet: from what was asked last, or what waits.",
        access: Access::Late,
        parameters: &[ROLE],
        body: Body::None,
        replies: &[ok("The stream.", Content::Events), NO_HEADER, NO_TOKEN, NOT_OWN, OFTEN],
        problems: &[],
        run: |app, call| Box::pin(sessions::follow(app, call)),
    },
    Route {
        verb: Verb::Post,
        path: "/api/resume/{thread_id}",
        name: "resume",
        about: "Decides what a thread waits for. What the agent does then is streamed as for a message. \
                What the person was not shown yet cannot be decided: it is shown instead. The same key decides once.",
        access: Access::Late,
        parameters: &[KEY, ROLE],
        body: Body::MaybeJson(decision),
        replies: &[
            ok("The stream.", Content::Events),
            denied(
                400,
                "Another action, or no answers where they are needed; or a header that cannot be read.",
            ),
            NO_HEADER,
            NO_TOKEN,
            NOT_OWN,
            NO_SHAPE,
            OFTEN,
        ],
        problems: &[Code::UnsupportedMediaType, Code::TooLarge],
        run: |app, call| Box::pin(person::resume(app, call)),
    },
];

/// Routes for the agent.
const AGENTS: [Route; 5] = [
    Route {
        verb: Verb::Post,
        path: "/v1/threads/next",
        name: "take_turn",
        about: "The next message to do something about: in a thread of this agent, or in one that has no agent yet. It \
                is the caller's until it ends the turn, or says nothing for two minutes.",
        access: Access::Asker,
        parameters: &[WAIT, ROLE],
        body: Body::MaybeJson(of::<agent::NextTurn>),
        replies: &[
            ok("A turn.", Content::Json(of::<agent::TurnBody>)),
            Reply { status: 204, about: "There is none yet.", content: Content::None },
        ],
        problems: &[Code::InvalidValue, Code::InvalidJson, Code::TooLarge, Code::UnsupportedMediaType],
        run: |app, call| Box::pin(agent::next(app, call)),
    },
    Route {
        verb: Verb::Get,
        path: "/v1/threads/{thread_id}/history",
        name: "read_thread",
        about: "What was said in a thread of this agent.",
        access: Access::Asker,
        parameters: &[ROLE],
        body: Body::None,
        replies: &[ok("The messages.", Content::Json(of::<sessions::ThreadHistory>))],
        problems: &[Code::ThreadNotFound],
        run: |app, call| Box::pin(agent::history(app, call)),
    },
    Route {
        verb: Verb::Post,
        path: "/v1/threads/{thread_id}/events",
        name: "publish_events",
        about: "Tells those who read the thread, at once and in order.",
        access: Access::Asker,
        parameters: &[ROLE],
        body: Body::Json(of::<agent::TurnEvents>),
        replies: &[Reply { status: 204, about: "It is told.", content: Content::None }],
        problems: TURN,
        run: |app, call| Box::pin(agent::publish(app, call)),
    },
    Route {
        verb: Verb::Post,
        path: "/v1/threads/{thread_id}/ask",
        name: "ask_in_thread",
        about: "Asks in a turn, and waits for what is decided. The same request waits further, and after a crash gets \
                what was decided meanwhile.",
        access: Access::Asker,
        parameters: &[WAIT, ROLE],
        body: Body::Json(of::<wanted::TurnAsk>),
        replies: &[ok("What is decided so far.", Content::Json(of::<asking::TurnDecisions>))],
        problems: &[
            Code::TurnOver,
            Code::InvalidRequest,
            Code::InvalidJson,
            Code::KeyReused,
            Code::TooLarge,
            Code::UnsupportedMediaType,
            Code::DeskCrowded,
            Code::DeskFull,
        ],
        run: |app, call| Box::pin(asking::ask(app, call)),
    },
    Route {
        verb: Verb::Post,
        path: "/v1/threads/{thread_id}/end",
        name: "end_turn",
        about: "Ends the turn. What was asked in it and still waits is taken back.",
        access: Access::Asker,
        parameters: &[ROLE],
        body: Body::Json(of::<agent::TurnEnd>),
        replies: &[Reply { status: 204, about: "It has ended.", content: Content::None }],
        problems: TURN,
        run: |app, call| Box::pin(agent::end(app, call)),
    },
];

/// Routes of the example page.
const EXAMPLE: [Route; 3] = [
    Route {
        verb: Verb::Get,
        path: "/examples/chat",
        name: "show_chat",
        about: "A page to speak to an agent on, and to decide what it asks.",
        access: Access::Open,
        parameters: &[],
        body: Body::None,
        replies: &[ok("It.", Content::Text("text/html"))],
        problems: &[],
        run: |app, call| Box::pin(example::page(app, call)),
    },
    Route {
        verb: Verb::Get,
        path: "/examples/chat.css",
        name: "show_chat_style",
        about: "How that page looks.",
        access: Access::Open,
        parameters: &[],
        body: Body::None,
        replies: &[ok("It.", Content::Text("text/css"))],
        problems: &[],
        run: |app, call| Box::pin(example::style(app, call)),
    },
    Route {
        verb: Verb::Get,
        path: "/examples/chat.js",
        name: "show_chat_script",
        about: "What that page does.",
        access: Access::Open,
        parameters: &[],
        body: Body::None,
        replies: &[ok("It.", Content::Text("text/javascript"))],
        problems: &[],
        run: |app, call| Box::pin(example::script(app, call)),
    },
];

/// All routes of threads.
pub(in crate::http) const ROUTES: [&[Route]; 3] = [&PEOPLE, &AGENTS, &EXAMPLE];
