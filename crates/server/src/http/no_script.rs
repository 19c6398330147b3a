//! Pages without scripts, for people whose browsers have none or run none: inbox, questions, review and receipt as forms.
//!
//! **Invariant:** the cookie of these pages counts on them alone, and another session's cookie counts nowhere here. A form
//! is taken once, from a page of this server, with the token of the session that got it.
//!
//! **Invariant:** the pages decide nothing. What is asked, what is wrong and what would be sent, the desk's sheet says.

mod form;
mod frame;
mod pages;
mod policy;
mod view;
mod visit;

pub(super) use policy::NoScriptPolicy;

use super::context::ServerContext;
use super::middleware::auth::unreadable_header;
use super::middleware::call::ApiCall;
use super::middleware::response;
use super::middleware::static_file::{STYLE_SHEET, StaticFile};
use super::openapi::schemas;
use super::route::{
    BodySpec, ContentSpec, Parameter, ResponseSpec, Route, RouteAccess, RouteMethod, ok, run,
};
use axum::http::header;
use axum::response::Response;
use sayso_core::{Message, Problem, ProblemCode, limits};
use std::sync::{Arc, LazyLock};

/// State of the pages without scripts.
pub(super) struct NoScriptState {
    context: Arc<ServerContext>,
    policy: Arc<NoScriptPolicy>,
}

impl NoScriptState {
    pub(super) const fn new(context: Arc<ServerContext>, policy: Arc<NoScriptPolicy>) -> Self {
        Self { context, policy }
    }

    /// Checks that the pages are open under the name that a request uses.
    ///
    /// # Errors
    /// Fails if they are closed.
    pub(super) fn check_open(&self, call: &ApiCall) -> Result<(), Problem> {
        let host = call.host().ok_or_else(|| unreadable_header(&header::HOST))?;
        if self.policy.is_open_at(host) {
            return Ok(());
        }
        Err(Problem::new(ProblemCode::NotAllowed, Message::PlainOff).with_hint(Message::PlainOffHint))
    }

    /// Sets the session cookie.
    pub(super) fn with_session_cookie(&self, reply: Response, value: &str, more: &str) -> Response {
        let (name, attributes) = (self.policy.cookie_name(), self.policy.cookie_attributes());
        response::with_cookie(reply, &format!("{name}={value}; {attributes}{more}"))
    }
}

const HTML: ContentSpec = ContentSpec::Text("text/html");

/// Creates the description of a page with a status.
const fn page(status: u16, description: &'static str) -> ResponseSpec {
    ResponseSpec { status, description, content: HTML }
}

const CLOSED: ResponseSpec = page(403, "The pages without scripts are closed under this name.");
const STRANGER: ResponseSpec = page(401, "No one is signed in: the page to sign in.");
const UNKNOWN: ResponseSpec = page(404, "There is no such ask.");
const PAGE: &[ResponseSpec] = &[ok("The page.", HTML), STRANGER, CLOSED, page(422, "A parameter is wrong.")];
const ASK_PAGE: &[ResponseSpec] =
    &[ok("The page.", HTML), STRANGER, CLOSED, UNKNOWN, page(422, "A parameter is wrong.")];
const POSTED: &[ResponseSpec] = &[
    ResponseSpec { status: 303, description: "It is done: the next page.", content: ContentSpec::None },
    STRANGER,
    CLOSED,
    UNKNOWN,
    page(409, "It is stale, or was posted before: the page as it is now, with what was typed."),
    page(422, "The answers have problems, or it is no form."),
];

/// Common parts of the pages.
const PLAIN_PAGE: Route = Route {
    method: RouteMethod::Get,
    path: "",
    name: "",
    summary: "",
    access: RouteAccess::Plain,
    parameters: &[],
    body: BodySpec::None,
    max_body_bytes: 0,
    responses: PAGE,
    problems: &[],
    handler: run!(pages::inbox_page::show),
};
/// Common parts of the forms.
const PLAIN_FORM: Route = Route {
    method: RouteMethod::Post,
    body: BodySpec::Form,
    max_body_bytes: limits::BODY_BYTES,
    responses: POSTED,
    ..PLAIN_PAGE
};

pub(super) const ROUTES: &[Route] = &[
    Route {
        path: "/plain",
        name: "show_plain_inbox",
        summary: "The list of asks, for browsers without scripts.",
        parameters: &[
            Parameter::query("tab", "`history` for what has ended.", schemas::text),
            Parameter::query("after", "The `next` of the page before.", schemas::place),
        ],
        ..PLAIN_PAGE
    },
    Route {
        path: "/plain",
        name: "filter_plain_inbox",
        summary: "The same list with these words. They are in no address.",
        responses: PAGE,
        handler: run!(pages::inbox_page::filter),
        ..PLAIN_FORM
    },
    Route {
        path: "/plain/sign-in",
        name: "show_plain_sign_in",
        summary: "The page on which a person signs in a browser without scripts.",
        handler: run!(pages::sign_in_page::show),
        ..PLAIN_PAGE
    },
    Route {
        path: "/plain/sign-in",
        name: "sign_in_plain",
        summary: "Signs a browser without scripts in, by a code or a token. Its cookie counts on these pages alone.",
        problems: &[ProblemCode::TooManyRequests],
        handler: run!(pages::sign_in_page::sign_in),
        ..PLAIN_FORM
    },
    Route {
        path: "/plain/sign-out",
        name: "sign_out_plain",
        summary: "Signs this browser out.",
        handler: run!(pages::sign_in_page::sign_out),
        ..PLAIN_FORM
    },
    Route {
        path: "/plain/asks/{id}",
        name: "show_plain_ask",
        summary: "An ask as a form; after its end, its receipt.",
        parameters: &[
            Parameter::query("saved", "The draft was just saved.", schemas::text),
            Parameter::query("more", "Questions that the last save added.", schemas::place),
            Parameter::query("check", "Missing answers are shown, too.", schemas::text),
        ],
        responses: ASK_PAGE,
        handler: run!(pages::ask_page::show),
        ..PLAIN_PAGE
    },
    Route {
        path: "/plain/asks/{id}",
        name: "save_plain_draft",
        summary: "Saves the answers of the form as a draft.",
        handler: run!(pages::ask_page::save),
        ..PLAIN_FORM
    },
    Route {
        path: "/plain/asks/{id}/review",
        name: "show_plain_review",
        summary: "Everything that would be sent and not sent, with the digest of what was shown.",
        responses: ASK_PAGE,
        handler: run!(pages::review_page::show),
        ..PLAIN_PAGE
    },
    Route {
        path: "/plain/asks/{id}/answer",
        name: "answer_plain_ask",
        summary: "Sends what the review showed.",
        handler: run!(pages::review_page::submit),
        ..PLAIN_FORM
    },
    Route {
        path: "/plain/asks/{id}/decline",
        name: "show_plain_decline",
        summary: "The page that asks for a reason and for confirmation.",
        responses: ASK_PAGE,
        handler: run!(pages::decline_page::show),
        ..PLAIN_PAGE
    },
    Route {
        path: "/plain/asks/{id}/decline",
        name: "decline_plain_ask",
        summary: "A person says no.",
        handler: run!(pages::decline_page::decline),
        ..PLAIN_FORM
    },
    Route {
        path: "/plain.css",
        name: "show_plain_style",
        summary: "The style of the pages without scripts.",
        access: RouteAccess::Open,
        responses: &[ok("The style.", ContentSpec::Text("text/css"))],
        handler: run!(style),
        ..PLAIN_PAGE
    },
];

static STYLE: LazyLock<StaticFile> =
    LazyLock::new(|| StaticFile::new(STYLE_SHEET, include_str!("../../templates/plain.css")));

async fn style((): (), call: ApiCall) -> Result<Response, Problem> {
    Ok(STYLE.response(&call))
}
