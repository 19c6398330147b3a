//! Web page on which a browser signs in, and then lists waiting asks.

use super::app::App;
use super::browser;
use super::call::Call;
use super::reply;
use super::route::{Access, Body, Content, Reply, Route, Verb, ok, run};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use sayso_core::{Message, Problem};
use std::sync::Arc;

pub(super) const ROUTES: &[Route] = &[
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
        run: run!(start),
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
        run: run!(login),
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
        run: run!(login_script),
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
        run: run!(login_style),
    },
];

/// Content security policy: only own scripts, styles and requests; no HTML from text.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

const PAGE: &str = include_str!("page/login.html");
const SCRIPT: &str = include_str!("page/login.js");
const STYLE: &str = include_str!("page/login.css");

/// Texts of the page, by placeholder.
const WORDS: [(&str, Message); 10] = [
    ("sign-in", Message::PageSignIn),
    ("code-ask", Message::PageCodeAsk),
    ("code", Message::PageCode),
    ("sign-out", Message::PageSignOut),
    ("signed-in", Message::PageSignedIn),
    ("waiting", Message::PageWaiting),
    ("nothing", Message::PageNothing),
    ("more", Message::PageMore),
    ("how-to", Message::PageHowTo),
    ("broken", Message::PageBroken),
];

pub(super) async fn start(_: Arc<App>, _: Call) -> Result<Response, Problem> {
    Ok((StatusCode::SEE_OTHER, [(header::LOCATION, "/login")]).into_response())
}

pub(super) async fn login(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    browser::show_code_beside(&app);
    let page = WORDS.iter().fold(PAGE.replace("{lang}", call.lang.code()), |page, (name, words)| {
        page.replace(&format!("{{{name}}}"), words.plain(call.lang))
    });
    Ok(reply::html(page, POLICY))
}

pub(super) async fn login_script(_: Arc<App>, _: Call) -> Result<Response, Problem> {
    Ok(reply::text("text/javascript; charset=utf-8", SCRIPT))
}

pub(super) async fn login_style(_: Arc<App>, _: Call) -> Result<Response, Problem> {
    Ok(reply::text("text/css; charset=utf-8", STYLE))
}

#[cfg(test)]
mod tests {
    use super::{PAGE, WORDS};

    #[test]
    fn every_text_has_a_placeholder() {
        let filled = WORDS.iter().fold(PAGE.replace("{lang}", "en"), |page, (name, _)| {
            assert!(page.contains(&format!("{{{name}}}")), "{name}");
            page.replace(&format!("{{{name}}}"), "")
        });
        assert!(!filled.contains('{'), "{filled}");
    }
}
