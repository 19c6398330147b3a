//! Pages to copy from: live examples of the element, and a client of the interaction format. With them the element's
//! own scripts, which pages of other servers may load, too.

use super::{HTML, SCRIPT, file_route};
use crate::embedded::embedded_file;
use crate::http::middleware::auth::ELEMENT_PATH;
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::response;
use crate::http::middleware::static_file::{JAVASCRIPT, StaticFile};
use crate::http::route::{ContentSpec, ResponseSpec, Route, ok, run};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;
use sayso_core::Problem;
use std::sync::LazyLock;

/// Header that says which pages may load a file.
const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

pub(in crate::http) const ROUTES: &[Route] = &[
    Route {
        summary: "The element `<sayso-questionnaire>`, as a script.",
        ..file_route(ELEMENT_PATH, "show_element_script", SCRIPT, run!(element_script))
    },
    Route {
        summary: "Converts the interrupt format for the element; a module.",
        ..file_route("/interrupt.js", "show_interrupt_module", SCRIPT, run!(interrupt_module))
    },
    Route {
        summary: "Converts the interaction format for the element; a module.",
        ..file_route("/interaction.js", "show_interaction_module", SCRIPT, run!(interaction_module))
    },
    Route {
        summary: "Makes the proofs of a browser session for pages of this server; a module.",
        ..file_route("/session.js", "show_session_module", SCRIPT, run!(session_module))
    },
    Route {
        summary: "Live examples of the element.",
        ..file_route("/element", "show_element_page", HTML, run!(element_page))
    },
    Route {
        summary: "The script of that page.",
        ..file_route("/examples/element.js", "show_element_page_script", SCRIPT, run!(element_page_script))
    },
    Route {
        summary: "The requests of that page by name.",
        ..file_route("/examples/element.json", "show_element_examples", JSON, run!(element_examples))
    },
    Route {
        summary: "An example: a client of the interaction format over the WebSocket.",
        ..file_route("/examples/interaction", "show_interaction_page", HTML, run!(interaction_page))
    },
    Route {
        summary: "The script of that client.",
        ..file_route("/examples/interaction.js", "show_interaction_script", SCRIPT, run!(interaction_script))
    },
];

const JSON: &[ResponseSpec] = &[ok("The requests.", ContentSpec::Text("application/json"))];

/// Content security policy of the examples: as strict as a page that embeds the element may be.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'; trusted-types 'none'";

static ELEMENT_SCRIPT: LazyLock<StaticFile> =
    LazyLock::new(|| StaticFile::embedded(JAVASCRIPT, embedded_file!("web/dist/sayso-questionnaire.js")));
static INTERRUPT_MODULE: LazyLock<StaticFile> =
    LazyLock::new(|| StaticFile::embedded(JAVASCRIPT, embedded_file!("web/dist/interrupt.js")));
static INTERACTION_MODULE: LazyLock<StaticFile> =
    LazyLock::new(|| StaticFile::embedded(JAVASCRIPT, embedded_file!("web/dist/interaction.js")));
static SESSION_MODULE: LazyLock<StaticFile> =
    LazyLock::new(|| StaticFile::embedded(JAVASCRIPT, embedded_file!("web/dist/session.js")));
static ELEMENT_PAGE: LazyLock<StaticFile> =
    LazyLock::new(|| StaticFile::embedded(response::HTML, embedded_file!("examples/element.html")));
static ELEMENT_PAGE_SCRIPT: LazyLock<StaticFile> =
    LazyLock::new(|| StaticFile::embedded(JAVASCRIPT, embedded_file!("examples/element.js")));
static INTERACTION_PAGE: LazyLock<StaticFile> =
    LazyLock::new(|| StaticFile::embedded(response::HTML, embedded_file!("examples/interaction.html")));
static INTERACTION_SCRIPT: LazyLock<StaticFile> =
    LazyLock::new(|| StaticFile::embedded(JAVASCRIPT, embedded_file!("examples/interaction.js")));

/// Requests of the examples, by name.
const REQUESTS: [(&str, &str); 10] = [
    ("choose-database", include_str!("../../../../../examples/choose-database.json")),
    ("pick-checks", include_str!("../../../../../examples/pick-checks.json")),
    ("release-notes", include_str!("../../../../../examples/release-notes.json")),
    ("approve-command", include_str!("../../../../../examples/approve-command.json")),
    ("rate-review", include_str!("../../../../../examples/rate-review.json")),
    ("set-limits", include_str!("../../../../../examples/set-limits.json")),
    ("plan-maintenance", include_str!("../../../../../examples/plan-maintenance.json")),
    ("onboard-service", include_str!("../../../../../examples/onboard-service.json")),
    ("deploy", include_str!("../../../../../examples/deploy.json")),
    ("deploy.zh", include_str!("../../../../../examples/deploy.zh.json")),
];

async fn element_script((): (), call: ApiCall) -> Result<Response, Problem> {
    let mut reply = ELEMENT_SCRIPT.response(&call);
    // Any page may embed the element, also an isolated one, as a module, or with its digest.
    let headers = reply.headers_mut();
    headers.insert(CROSS_ORIGIN_RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    Ok(reply)
}

async fn interrupt_module((): (), call: ApiCall) -> Result<Response, Problem> {
    Ok(INTERRUPT_MODULE.response(&call))
}

async fn interaction_module((): (), call: ApiCall) -> Result<Response, Problem> {
    Ok(INTERACTION_MODULE.response(&call))
}

async fn session_module((): (), call: ApiCall) -> Result<Response, Problem> {
    Ok(SESSION_MODULE.response(&call))
}

async fn element_page((): (), call: ApiCall) -> Result<Response, Problem> {
    Ok(ELEMENT_PAGE.page_response(&call, POLICY))
}

async fn element_page_script((): (), call: ApiCall) -> Result<Response, Problem> {
    Ok(ELEMENT_PAGE_SCRIPT.response(&call))
}

async fn element_examples((): (), _: ApiCall) -> Result<Response, Problem> {
    let members = REQUESTS.map(|(name, request)| format!("\"{name}\":{request}"));
    Ok(response::text("application/json", format!("{{{}}}", members.join(","))))
}

async fn interaction_page((): (), call: ApiCall) -> Result<Response, Problem> {
    Ok(INTERACTION_PAGE.page_response(&call, POLICY))
}

async fn interaction_script((): (), call: ApiCall) -> Result<Response, Problem> {
    Ok(INTERACTION_SCRIPT.response(&call))
}
