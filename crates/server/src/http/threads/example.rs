//! Example page for threads. It runs only its own script, and calls only this server.

use crate::embedded::embedded_file;
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::response;
use crate::http::middleware::static_file::{JAVASCRIPT, STYLE_SHEET, StaticFile};
use axum::response::Response;
use sayso_core::Problem;
use std::sync::LazyLock;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

static PAGE: LazyLock<StaticFile> =
    LazyLock::new(|| StaticFile::embedded(response::HTML, embedded_file!("examples/chat.html")));
static STYLE: LazyLock<StaticFile> =
    LazyLock::new(|| StaticFile::embedded(STYLE_SHEET, embedded_file!("examples/chat.css")));
static SCRIPT: LazyLock<StaticFile> =
    LazyLock::new(|| StaticFile::embedded(JAVASCRIPT, embedded_file!("examples/chat.js")));

pub(in crate::http) async fn page((): (), call: ApiCall) -> Result<Response, Problem> {
    Ok(PAGE.page_response(&call, POLICY))
}

pub(in crate::http) async fn style((): (), call: ApiCall) -> Result<Response, Problem> {
    Ok(STYLE.response(&call))
}

pub(in crate::http) async fn script((): (), call: ApiCall) -> Result<Response, Problem> {
    Ok(SCRIPT.response(&call))
}
