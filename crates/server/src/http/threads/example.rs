//! Example page for threads. It runs only its own script, and calls only this server.

use crate::http::middleware::call::ApiCall;
use crate::http::middleware::response;
use axum::response::Response;
use sayso_core::Problem;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const PAGE: &str = include_str!("../../../../../examples/chat.html");
const STYLE: &str = include_str!("../../../../../examples/chat.css");
const SCRIPT: &str = include_str!("../../../../../examples/chat.js");

pub(in crate::http) async fn page((): (), _: ApiCall) -> Result<Response, Problem> {
    Ok(response::html(PAGE, POLICY))
}

pub(in crate::http) async fn style((): (), _: ApiCall) -> Result<Response, Problem> {
    Ok(response::text("text/css; charset=utf-8", STYLE))
}

pub(in crate::http) async fn script((): (), _: ApiCall) -> Result<Response, Problem> {
    Ok(response::text("text/javascript; charset=utf-8", SCRIPT))
}
