//! The page on which a person answers: its shell, scripts, style, icon and manifest. None of them holds a word of an
//! ask; the page's script reads asks over the same API as any other client of a person.

pub(super) mod examples;
pub(super) mod icon;
mod words;

use super::app::AppState;
use super::middleware::call::ApiCall;
use super::middleware::response;
use super::middleware::static_file::{JAVASCRIPT, STYLE_SHEET, StaticFile, VARY_BY_LANGUAGE};
use super::openapi::schemas;
use super::route::{
    BodySpec, ContentSpec, HandlerFuture, Parameter, ResponseSpec, Route, RouteAccess, RouteMethod, ok, run,
};
use crate::embedded::embedded_file;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use sayso_core::{Lang, Message, Problem, ProblemCode};
use serde::Deserialize;
use serde_json::json;
use std::sync::{LazyLock, OnceLock};

pub(super) const ROUTES: &[Route] = &[
    Route {
        summary: "The page on which a signed-in person answers.",
        ..file_route("/", "show_inbox", HTML, run!(shell))
    },
    Route {
        summary: "The same page with this ask open.",
        ..file_route("/a/{id}", "show_ask_page", HTML, run!(ask_shell))
    },
    Route {
        summary: "The script of the page.",
        ..file_route("/page.js", "show_page_script", SCRIPT, run!(script))
    },
    Route {
        summary: "The page's texts in the reader's language, for its script.",
        ..file_route("/words.js", "show_page_words", SCRIPT, run!(sentences))
    },
    Route {
        summary: "The style of the page.",
        ..file_route("/page.css", "show_page_style", STYLE, run!(style))
    },
    Route {
        summary: "The service worker of the page.",
        ..file_route("/worker.js", "show_page_worker", SCRIPT, run!(worker))
    },
    Route {
        summary: "The web app manifest, with which the page can be installed.",
        ..file_route("/manifest.webmanifest", "show_page_manifest", MANIFEST, run!(manifest))
    },
    Route {
        summary: "The icon of the page, with the number of waiting asks.",
        problems: &[ProblemCode::InvalidValue],
        parameters: &[Parameter::query("waiting", "The number to show; none if 0.", schemas::badge)],
        ..file_route("/icon.svg", "show_page_icon", ICON, run!(icon))
    },
];

const HTML: &[ResponseSpec] = &[ok("The page.", ContentSpec::Text("text/html"))];
const SCRIPT: &[ResponseSpec] = &[ok("The script.", ContentSpec::Text("text/javascript"))];
const STYLE: &[ResponseSpec] = &[ok("The style.", ContentSpec::Text("text/css"))];
const MANIFEST: &[ResponseSpec] = &[ok("The manifest.", ContentSpec::Text("application/manifest+json"))];
const ICON: &[ResponseSpec] = &[ok("The icon.", ContentSpec::Text("image/svg+xml"))];

/// Creates the route of a file that is the same for everyone.
const fn file_route(
    path: &'static str,
    name: &'static str,
    responses: &'static [ResponseSpec],
    handler: fn(&AppState, ApiCall) -> HandlerFuture,
) -> Route {
    Route {
        method: RouteMethod::Get,
        path,
        name,
        summary: "",
        access: RouteAccess::Open,
        parameters: &[],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses,
        problems: &[],
        handler,
    }
}

/// Content security policy of the worker, which only fetches parts of the page.
const WORKER_POLICY: &str = "default-src 'none'; connect-src 'self'";

const SHELL_HTML: &str = include_str!("page/shell.html");
static PAGE_SCRIPT: LazyLock<StaticFile> =
    LazyLock::new(|| StaticFile::embedded(JAVASCRIPT, embedded_file!("web/dist/page.js")));
static WORKER_SCRIPT: LazyLock<StaticFile> =
    LazyLock::new(|| StaticFile::embedded(JAVASCRIPT, embedded_file!("web/dist/worker.js")));
static PAGE_STYLE: LazyLock<StaticFile> =
    LazyLock::new(|| StaticFile::embedded(STYLE_SHEET, embedded_file!("web/dist/page.css")));
static INBOX_SHELLS: LazyLock<[(Lang, StaticFile); Lang::ALL.len()]> =
    LazyLock::new(|| Lang::ALL.map(|lang| (lang, shell_file(lang, ""))));
static ASK_SHELLS: LazyLock<[(Lang, StaticFile); Lang::ALL.len()]> =
    LazyLock::new(|| Lang::ALL.map(|lang| (lang, shell_file(lang, ELEMENT_SCRIPT))));
static WORDS: LazyLock<[(Lang, StaticFile); Lang::ALL.len()]> = LazyLock::new(|| {
    Lang::ALL.map(|lang| (lang, StaticFile::new(JAVASCRIPT, words::sentences_script(lang))))
});
/// Icons by the number that they show, each made when it is first asked for.
static ICONS: [OnceLock<StaticFile>; MAX_WAITING + 1] = [const { OnceLock::new() }; MAX_WAITING + 1];
/// Greatest number on an icon.
const MAX_WAITING: usize = 99;
/// Sentences of the shell, by placeholder.
const SHELL_SENTENCES: [(&str, Message); 5] = [
    ("keys", Message::PageKeysTitle),
    ("skip", Message::PageSkip),
    ("sign-out", Message::PageSignOut),
    ("without-script", Message::PageWithoutScript),
    ("back", Message::PageInbox),
];

/// Script of the element, for the page of an ask: its first paint needs it. The page of the inbox reads it later.
const ELEMENT_SCRIPT: &str = "<script src=\"/sayso-questionnaire.js\" defer></script>\n";

/// Returns the shell in a language. `element` loads the script of the element, or is empty.
fn shell_html(lang: Lang, element: &str) -> String {
    let mut page = SHELL_HTML.replace("{lang}", lang.code()).replace("{element}", element);
    page = page.replace("{icon}", &icon::icon_svg(0));
    for (name, message) in SHELL_SENTENCES {
        page = page.replace(&format!("{{{name}}}"), message.plain(lang));
    }
    page
}

fn shell_file(lang: Lang, element: &str) -> StaticFile {
    StaticFile::new(response::HTML, shell_html(lang, element))
}

/// Returns the file in a language.
fn find_file(files: &[(Lang, StaticFile)], language: Lang) -> Option<&StaticFile> {
    let (_, file) = files.iter().find(|(lang, _)| *lang == language)?;
    Some(file)
}

fn shell_response(shells: &[(Lang, StaticFile)], call: &ApiCall, element: &str) -> Response {
    match find_file(shells, call.lang) {
        Some(shell) => shell.page_response(call, response::PAGE_POLICY),
        None => shell_file(call.lang, element).page_response(call, response::PAGE_POLICY),
    }
}

async fn shell((): (), call: ApiCall) -> Result<Response, Problem> {
    Ok(shell_response(&*INBOX_SHELLS, &call, ""))
}

async fn ask_shell((): (), call: ApiCall) -> Result<Response, Problem> {
    Ok(shell_response(&*ASK_SHELLS, &call, ELEMENT_SCRIPT))
}

async fn sentences((): (), call: ApiCall) -> Result<Response, Problem> {
    let mut reply = match find_file(&*WORDS, call.lang) {
        Some(file) => file.response(&call),
        None => StaticFile::new(JAVASCRIPT, words::sentences_script(call.lang)).response(&call),
    };
    reply.headers_mut().insert(header::VARY, HeaderValue::from_static(VARY_BY_LANGUAGE));
    Ok(reply)
}

async fn script((): (), call: ApiCall) -> Result<Response, Problem> {
    Ok(PAGE_SCRIPT.response(&call))
}

async fn style((): (), call: ApiCall) -> Result<Response, Problem> {
    Ok(PAGE_STYLE.response(&call))
}

async fn worker((): (), call: ApiCall) -> Result<Response, Problem> {
    let mut reply = WORKER_SCRIPT.response(&call);
    reply.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(WORKER_POLICY));
    Ok(reply)
}

async fn manifest((): (), call: ApiCall) -> Result<Response, Problem> {
    let icon = json!({ "src": "/icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any" });
    let document = json!({
        "id": "/", "name": "Sayso", "short_name": "Sayso", "lang": call.lang.code(), "start_url": "/", "scope": "/",
        "display": "standalone", "background_color": "#f6f5f1", "theme_color": "#17624f", "icons": [icon],
    });
    Ok(response::text("application/manifest+json", document.to_string()))
}

fn icon_file(count: u64) -> StaticFile {
    StaticFile::new("image/svg+xml", icon::icon_svg(count))
}

/// Query parameters of the icon.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IconParams {
    waiting: Option<String>,
}

async fn icon((): (), call: ApiCall) -> Result<Response, Problem> {
    let waiting = call.parse_query::<IconParams>()?.waiting;
    let count = ApiCall::parse_number("waiting", waiting.as_deref(), 0..=99)?.unwrap_or(0);
    let cell = usize::try_from(count).ok().and_then(|count| ICONS.get(count));
    let mut reply = match cell {
        Some(cell) => cell.get_or_init(|| icon_file(count)).response(&call),
        None => icon_file(count).response(&call),
    };
    let headers = reply.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'"));
    // Each page shows it, and each change of the number asks for another.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("max-age=86400"));
    Ok(reply)
}

#[cfg(test)]
mod tests {
    use super::{ELEMENT_SCRIPT, shell_html};
    use sayso_core::Lang;

    #[test]
    fn shell_has_no_placeholder_left() {
        for lang in Lang::ALL {
            for element in ["", ELEMENT_SCRIPT] {
                let page = shell_html(lang, element);
                assert!(!page.contains('{'), "{page}");
            }
        }
    }

    #[test]
    fn browser_without_scripts_learns_command() {
        for lang in Lang::ALL {
            let page = shell_html(lang, "");
            let (_, shown) = page.split_once("<noscript>").unwrap();
            let (sentence, _) = shown.split_once("</noscript>").unwrap();
            assert!(sentence.contains("JavaScript") && sentence.contains("sayso --plain"), "{sentence}");
        }
    }
}
