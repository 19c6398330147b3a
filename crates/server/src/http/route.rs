//! What is served: one table. The router, the gate and the OpenAPI document are made from it.

use super::app::App;
use super::call::Call;
use super::{
    about, asker, asks, browser, docs, events, outcome, page, person, questionnaire, shapes, threads, tokens,
};
use axum::response::Response;
use sayso_core::{Code, Problem};
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

macro_rules! run {
    ($handler:path) => {
        |app, call| Box::pin($handler(app, call))
    };
}

pub(super) const fn ok(about: &'static str, content: Content) -> Reply {
    Reply { status: 200, about, content }
}

const ASK: Content = Content::Json(shapes::ask);
const KEY: Parameter = Parameter {
    name: "Idempotency-Key",
    place: Place::Header,
    about: "With the same key the same write is done once. Percent-encoded where it is not plain ASCII.",
    schema: shapes::key,
    is_required: false,
};
pub(super) const ROLE: Parameter = Parameter {
    name: "Sayso-Role",
    place: Place::Header,
    about: "The role that an admin acts in; else it is the usual one of the route.",
    schema: shapes::role,
    is_required: false,
};

/// The codes of an ask that is not where it would have to be.
const NOT_THERE: &[Code] =
    &[Code::AskNotFound, Code::AskAnswered, Code::InvalidJson, Code::InvalidType, Code::KeyReused];

/// Every route.
pub(super) fn routes() -> impl Iterator<Item = &'static Route> {
    ROUTES.iter().chain(threads::ROUTES.into_iter().flatten())
}

const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Post,
        path: "/v1/asks",
        name: "create_ask",
        about: "Asks, in any dialect. The same request by the same asker finds the ask while it is open or its answer \
                is not acknowledged; with an Idempotency-Key it is found however it ended.",
        access: Access::Asker,
        parameters: &[KEY, ROLE],
        body: Body::Json(shapes::new_ask),
        replies: &[
            Reply { status: 201, about: "It is asked.", content: ASK },
            ok("It was asked before.", ASK),
        ],
        problems: &[
            Code::InvalidRequest,
            Code::InvalidJson,
            Code::KeyReused,
            Code::TooLarge,
            Code::UnsupportedMediaType,
            Code::DeskCrowded,
            Code::DeskFull,
        ],
        run: run!(asks::create),
    },
    Route {
        verb: Verb::Get,
        path: "/v1/asks",
        name: "list_asks",
        about: "Lists asks: what waits, the longest waiting first; or what has ended, the newest first.",
        access: Access::Any,
        parameters: &[
            Parameter {
                name: "state",
                place: Place::Query,
                about: "States, with commas between them; open and submitted where it is left out.",
                schema: shapes::states,
                is_required: false,
            },
            Parameter {
                name: "search",
                place: Place::Query,
                about: "Words in the title, the questions, the asker or the folder.",
                schema: shapes::text,
                is_required: false,
            },
            Parameter {
                name: "name",
                place: Place::Query,
                about: "Asked under this name, in the folder of `folder` or in none.",
                schema: shapes::text,
                is_required: false,
            },
            Parameter {
                name: "folder",
                place: Place::Query,
                about: "The folder that goes with `name`.",
                schema: shapes::text,
                is_required: false,
            },
            Parameter {
                name: "undelivered",
                place: Place::Query,
                about: "Only those whose outcome, if there is one, is not acknowledged.",
                schema: shapes::flag,
                is_required: false,
            },
            Parameter {
                name: "after",
                place: Place::Query,
                about: "The `next` of the page before.",
                schema: shapes::place,
                is_required: false,
            },
            Parameter {
                name: "rows",
                place: Place::Query,
                about: "Rows at most.",
                schema: shapes::rows,
                is_required: false,
            },
        ],
        body: Body::None,
        replies: &[ok("A page.", Content::Json(shapes::page))],
        problems: &[Code::InvalidValue],
        run: run!(asks::list),
    },
    Route {
        verb: Verb::Get,
        path: "/v1/asks/{id}",
        name: "show_ask",
        about: "An ask as it stands. The id may be cut short, and may be the short form that people type.",
        access: Access::Any,
        parameters: &[],
        body: Body::None,
        replies: &[ok("The ask.", ASK)],
        problems: &[Code::AskNotFound, Code::AmbiguousId],
        run: run!(asks::show),
    },
    Route {
        verb: Verb::Get,
        path: "/v1/asks/{id}/outcome",
        name: "wait_for_outcome",
        about: "The outcome, in the words of the asker's dialect too; the same bytes each time until it is acknowledged. \
                It waits as long as it is told to, or sends the outcome as the one event of a stream.",
        access: Access::Asker,
        parameters: &[
            Parameter {
                name: "wait",
                place: Place::Query,
                about: "How long to wait for it, in seconds.",
                schema: shapes::wait,
                is_required: false,
            },
            ROLE,
        ],
        body: Body::None,
        replies: &[ok(
            "The outcome, or only the state while there is none.",
            Content::JsonOrEvents(shapes::outcome),
        )],
        problems: &[Code::AskNotFound, Code::InvalidValue],
        run: run!(outcome::wait),
    },
    Route {
        verb: Verb::Post,
        path: "/v1/asks/{id}/ack",
        name: "acknowledge_outcome",
        about: "The asker has the outcome.",
        access: Access::Asker,
        parameters: &[ROLE],
        body: Body::MaybeJson(shapes::nothing),
        replies: &[ok("The ask.", ASK)],
        problems: NOT_THERE,
        run: run!(outcome::ack),
    },
    Route {
        verb: Verb::Post,
        path: "/v1/asks/{id}/offer",
        name: "offer_outcome",
        about: "The outcome as the asker renders it, kept under the name of a form: the first rendering is stored, and \
                given to all who come after.",
        access: Access::Asker,
        parameters: &[
            Parameter {
                name: "form",
                place: Place::Query,
                about: "The name of the form.",
                schema: shapes::form,
                is_required: true,
            },
            ROLE,
        ],
        body: Body::Bytes,
        replies: &[
            ok("What is stored.", Content::Bytes),
            Reply { status: 204, about: "Nothing is stored, and nothing was sent.", content: Content::None },
        ],
        problems: &[
            Code::AskNotFound,
            Code::AskOpen,
            Code::InvalidValue,
            Code::TooLarge,
            Code::UnsupportedMediaType,
        ],
        run: run!(outcome::offer),
    },
    Route {
        verb: Verb::Post,
        path: "/v1/asks/{id}/cancel",
        name: "cancel_ask",
        about: "The asker takes the question back.",
        access: Access::Asker,
        parameters: &[KEY, ROLE],
        body: Body::MaybeJson(shapes::nothing),
        replies: &[ok("The ask.", ASK)],
        problems: NOT_THERE,
        run: run!(asker::cancel),
    },
    Route {
        verb: Verb::Post,
        path: "/v1/asks/{id}/attach",
        name: "attach_asker",
        about: "The asker waits.",
        access: Access::Asker,
        parameters: &[KEY, ROLE],
        body: Body::MaybeJson(shapes::attach),
        replies: &[ok("The ask.", ASK)],
        problems: NOT_THERE,
        run: run!(asker::attach),
    },
    Route {
        verb: Verb::Post,
        path: "/v1/asks/{id}/detach",
        name: "detach_asker",
        about: "The asker no longer waits. That changes nothing else.",
        access: Access::Asker,
        parameters: &[KEY, ROLE],
        body: Body::MaybeJson(shapes::nothing),
        replies: &[ok("The ask.", ASK)],
        problems: NOT_THERE,
        run: run!(asker::detach),
    },
    Route {
        verb: Verb::Post,
        path: "/v1/asks/{id}/verdict",
        name: "judge_round",
        about: "What the asker says of a submitted round: it takes it, or wants it mended.",
        access: Access::Asker,
        parameters: &[KEY, ROLE],
        body: Body::Json(shapes::verdict),
        replies: &[ok("The ask.", ASK)],
        problems: &[
            Code::AskNotFound,
            Code::WrongRound,
            Code::InvalidValue,
            Code::InvalidJson,
            Code::TooLarge,
            Code::UnsupportedMediaType,
        ],
        run: run!(asker::judge),
    },
    Route {
        verb: Verb::Post,
        path: "/v1/asks/{id}/see",
        name: "see_ask",
        about: "A person opened it.",
        access: Access::Person,
        parameters: &[KEY, ROLE],
        body: Body::MaybeJson(shapes::seen),
        replies: &[ok("The ask.", ASK)],
        problems: NOT_THERE,
        run: run!(person::see),
    },
    Route {
        verb: Verb::Get,
        path: "/v1/asks/{id}/draft",
        name: "show_draft",
        about: "What was typed and not submitted.",
        access: Access::Person,
        parameters: &[ROLE],
        body: Body::None,
        replies: &[ok("The draft; its revision is the ETag too.", Content::Json(shapes::draft))],
        problems: &[Code::AskNotFound],
        run: run!(person::draft),
    },
    Route {
        verb: Verb::Patch,
        path: "/v1/asks/{id}/draft",
        name: "save_draft",
        about: "Saves replies; the rest of the draft stays as it is. With If-Match nothing is saved where somebody else \
                saved one of these questions since.",
        access: Access::Person,
        parameters: &[
            Parameter {
                name: "If-Match",
                place: Place::Header,
                about: "The revision that the replies are based on.",
                schema: shapes::revision,
                is_required: false,
            },
            ROLE,
        ],
        body: Body::Json(shapes::draft_change),
        replies: &[ok(
            "It is saved; what is wrong with it is told all the same.",
            Content::Json(shapes::saved),
        )],
        problems: &[
            Code::AskNotFound,
            Code::DraftChanged,
            Code::NoSuchQuestion,
            Code::InvalidJson,
            Code::TooLarge,
            Code::UnsupportedMediaType,
            Code::DeskFull,
        ],
        run: run!(person::save),
    },
    Route {
        verb: Verb::Post,
        path: "/v1/asks/{id}/answer",
        name: "answer_ask",
        about: "A person answers. The first one has the word; what others typed is kept in the draft.",
        access: Access::Person,
        parameters: &[KEY, ROLE],
        body: Body::Json(shapes::answer),
        replies: &[ok("The ask.", ASK)],
        problems: &[
            Code::AskNotFound,
            Code::AskAnswered,
            Code::InvalidAnswers,
            Code::InvalidJson,
            Code::TooLarge,
            Code::UnsupportedMediaType,
            Code::DeskFull,
        ],
        run: run!(person::answer),
    },
    Route {
        verb: Verb::Post,
        path: "/v1/asks/{id}/decline",
        name: "decline_ask",
        about: "A person says no.",
        access: Access::Person,
        parameters: &[KEY, ROLE],
        body: Body::Json(shapes::decline),
        replies: &[ok("The ask.", ASK)],
        problems: &[
            Code::AskNotFound,
            Code::AskDeclined,
            Code::InvalidValue,
            Code::InvalidJson,
            Code::TooLarge,
            Code::UnsupportedMediaType,
        ],
        run: run!(person::decline),
    },
    Route {
        verb: Verb::Post,
        path: "/questionnaire",
        name: "execute_questionnaire",
        about: "The Questionnaire API: asks, and replies when a person has answered, or said no. With \"Prefer: \
                respond-async\" it replies at once, and says where the outcome is to be had.",
        access: Access::Asker,
        parameters: &[
            KEY,
            Parameter {
                name: "Prefer",
                place: Place::Header,
                about: "respond-async where the caller cannot wait.",
                schema: shapes::text,
                is_required: false,
            },
            ROLE,
        ],
        body: Body::Json(shapes::anything),
        replies: &[
            ok("A person answered.", Content::Json(shapes::anything)),
            Reply {
                status: 202,
                about: "It is asked; the outcome is to be had later.",
                content: Content::Json(shapes::later),
            },
            Reply {
                status: 400,
                about: "The request is not one of this API; or a problem of the desk: bad_header, invalid_json.",
                content: Content::Problem,
            },
            Reply { status: 408, about: "Nobody answered before the deadline.", content: Content::Problem },
            Reply { status: 410, about: "The asker took it back.", content: Content::Problem },
            Reply { status: 499, about: "A person said no.", content: Content::Json(shapes::anything) },
        ],
        problems: &[
            Code::InvalidJson,
            Code::KeyReused,
            Code::TooLarge,
            Code::UnsupportedMediaType,
            Code::DeskCrowded,
            Code::DeskFull,
        ],
        run: run!(questionnaire::ask),
    },
    Route {
        verb: Verb::Get,
        path: "/questionnaire/openapi.json",
        name: "show_questionnaire_openapi",
        about: "The document of the Questionnaire API.",
        access: Access::Open,
        parameters: &[],
        body: Body::None,
        replies: &[ok("The document.", Content::Text("application/json"))],
        problems: &[],
        run: run!(questionnaire::document),
    },
    Route {
        verb: Verb::Get,
        path: "/v1/keys/{key}",
        name: "find_by_key",
        about: "The ask that this asker used a key on.",
        access: Access::Asker,
        parameters: &[
            Parameter {
                name: "name",
                place: Place::Query,
                about: "As in `from`.",
                schema: shapes::text,
                is_required: false,
            },
            Parameter {
                name: "folder",
                place: Place::Query,
                about: "As in `from`.",
                schema: shapes::text,
                is_required: false,
            },
            Parameter {
                name: "session",
                place: Place::Query,
                about: "As in `from`.",
                schema: shapes::text,
                is_required: false,
            },
            Parameter {
                name: "account",
                place: Place::Query,
                about: "As in `from`.",
                schema: shapes::text,
                is_required: false,
            },
            ROLE,
        ],
        body: Body::None,
        replies: &[ok("Its id.", Content::Json(shapes::found))],
        problems: &[Code::AskNotFound, Code::InvalidValue],
        run: run!(asks::keyed),
    },
    Route {
        verb: Verb::Get,
        path: "/v1/events",
        name: "watch_events",
        about: "What happens, as it happens: `hello` with the place where it begins, `change` for each change, `gap` \
                where something is not known any more, `bye` before the server goes. It goes on after Last-Event-ID.",
        access: Access::Any,
        parameters: &[
            Parameter {
                name: "ask",
                place: Place::Query,
                about: "Of this ask alone.",
                schema: shapes::ask_id,
                is_required: false,
            },
            Parameter {
                name: "Last-Event-ID",
                place: Place::Header,
                about: "The id of the last event that was read.",
                schema: shapes::text,
                is_required: false,
            },
        ],
        body: Body::None,
        replies: &[ok("The stream.", Content::Events)],
        problems: &[Code::AskNotFound, Code::InvalidValue],
        run: run!(events::watch),
    },
    Route {
        verb: Verb::Get,
        path: "/v1/me",
        name: "show_me",
        about: "Whose token this is, and what serves here.",
        access: Access::Any,
        parameters: &[],
        body: Body::None,
        replies: &[ok("The account.", Content::Json(shapes::me))],
        problems: &[],
        run: run!(about::me),
    },
    Route {
        verb: Verb::Post,
        path: "/v1/session",
        name: "sign_in",
        about: "Lets a browser in that knows the code which `sayso serve` shows in its terminal: it gets a cookie, and \
                has the role of a person.",
        access: Access::Open,
        parameters: &[],
        body: Body::Json(shapes::sign_in),
        replies: &[ok("It is signed in.", Content::Json(shapes::me))],
        problems: &[
            Code::Unauthorized,
            Code::TooManyRequests,
            Code::InvalidJson,
            Code::InvalidType,
            Code::TooLarge,
            Code::UnsupportedMediaType,
        ],
        run: run!(browser::sign_in),
    },
    Route {
        verb: Verb::Delete,
        path: "/v1/session",
        name: "sign_out",
        about: "Ends the session of this browser, and what it holds open.",
        access: Access::Any,
        parameters: &[],
        body: Body::None,
        replies: &[Reply { status: 204, about: "It is signed out.", content: Content::None }],
        problems: &[Code::InvalidRequest],
        run: run!(browser::sign_out),
    },
    Route {
        verb: Verb::Get,
        path: "/v1/tokens",
        name: "list_tokens",
        about: "Lists the tokens, without their secrets.",
        access: Access::Admin,
        parameters: &[],
        body: Body::None,
        replies: &[ok("The tokens.", Content::Json(shapes::tokens))],
        problems: &[],
        run: run!(tokens::list),
    },
    Route {
        verb: Verb::Post,
        path: "/v1/tokens",
        name: "create_token",
        about: "Makes a token. It is shown this once.",
        access: Access::Admin,
        parameters: &[],
        body: Body::Json(shapes::new_token),
        replies: &[Reply { status: 201, about: "The token.", content: Content::Json(shapes::token_shown) }],
        problems: &[Code::InvalidValue, Code::InvalidJson, Code::TooLarge, Code::UnsupportedMediaType],
        run: run!(tokens::create),
    },
    Route {
        verb: Verb::Delete,
        path: "/v1/tokens/{id}",
        name: "revoke_token",
        about: "From now on the token is unknown.",
        access: Access::Admin,
        parameters: &[],
        body: Body::None,
        replies: &[Reply { status: 204, about: "It is revoked.", content: Content::None }],
        problems: &[Code::NoSuchRoute],
        run: run!(tokens::revoke),
    },
    Route {
        verb: Verb::Get,
        path: "/",
        name: "show_start",
        about: "Leads to the page for people.",
        access: Access::Open,
        parameters: &[],
        body: Body::None,
        replies: &[Reply { status: 303, about: "To /login.", content: Content::None }],
        problems: &[],
        run: run!(page::start),
    },
    Route {
        verb: Verb::Get,
        path: "/login",
        name: "show_login",
        about: "The page on which a person's browser signs in, and then shows what waits.",
        access: Access::Open,
        parameters: &[],
        body: Body::None,
        replies: &[ok("The page.", Content::Text("text/html"))],
        problems: &[],
        run: run!(page::login),
    },
    Route {
        verb: Verb::Get,
        path: "/login.js",
        name: "show_login_script",
        about: "The script of that page.",
        access: Access::Open,
        parameters: &[],
        body: Body::None,
        replies: &[ok("The script.", Content::Text("text/javascript"))],
        problems: &[],
        run: run!(page::login_script),
    },
    Route {
        verb: Verb::Get,
        path: "/login.css",
        name: "show_login_style",
        about: "The style of that page.",
        access: Access::Open,
        parameters: &[],
        body: Body::None,
        replies: &[ok("The style.", Content::Text("text/css"))],
        problems: &[],
        run: run!(page::login_style),
    },
    Route {
        verb: Verb::Get,
        path: "/openapi.json",
        name: "show_openapi",
        about: "This document.",
        access: Access::Open,
        parameters: &[],
        body: Body::None,
        replies: &[ok("The document.", Content::Text("application/json"))],
        problems: &[],
        run: run!(about::document),
    },
    Route {
        verb: Verb::Get,
        path: "/docs",
        name: "show_docs",
        about: "This document for people.",
        access: Access::Open,
        parameters: &[],
        body: Body::None,
        replies: &[ok("A page.", Content::Text("text/html"))],
        problems: &[],
        run: run!(docs::show),
    },
    Route {
        verb: Verb::Get,
        path: "/healthz",
        name: "check_health",
        about: "Whether the server runs.",
        access: Access::Open,
        parameters: &[],
        body: Body::None,
        replies: &[ok("It does.", Content::Text("text/plain"))],
        problems: &[],
        run: run!(about::health),
    },
    Route {
        verb: Verb::Get,
        path: "/readyz",
        name: "check_readiness",
        about: "Whether the desk can be read.",
        access: Access::Open,
        parameters: &[],
        body: Body::None,
        replies: &[ok("It can.", Content::Text("text/plain"))],
        problems: &[],
        run: run!(about::ready),
    },
    Route {
        verb: Verb::Get,
        path: "/metrics",
        name: "show_metrics",
        about: "Figures for Prometheus, without a word of what was asked.",
        access: Access::Admin,
        parameters: &[],
        body: Body::None,
        replies: &[ok("The figures.", Content::Text("application/openmetrics-text"))],
        problems: &[],
        run: run!(about::metrics),
    },
];
