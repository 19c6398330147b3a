//! HTML documentation of the API, generated from the table of routes. It runs no script.

use super::ApiDocuments;
use super::schemas;
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::{problem_response, response};
use crate::http::route::{BodySpec, ContentSpec, Route, RouteAccess, RouteMethod, ok, run};
use axum::response::Response;
use sayso_core::problem::ProblemExplanation;
use sayso_core::{Problem, ProblemCode};
use serde_json::Value;
use std::fmt::Write as _;
use std::sync::Arc;

pub(crate) const ROUTES: &[Route] = &[Route {
    method: RouteMethod::Get,
    path: "/docs",
    name: "show_docs",
    summary: "This page.",
    access: RouteAccess::Open,
    parameters: &[],
    body: BodySpec::None,
    max_body_bytes: 0,
    responses: &[ok("A page.", ContentSpec::Text("text/html"))],
    problems: &[],
    handler: run!(show),
}];

/// Content security policy that forbids scripts, framing and all loading but of the server's icon: Chromium may load the
/// icon of the page before only when this one is there.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

const HEAD: &str = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
content=\"width=device-width\">\n<title>Sayso: the API of this desk</title>\n<style>\
:root{color-scheme:light dark;font:100%/1.5 system-ui,sans-serif}\
body{max-width:52rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere;\
background:light-dark(#fff,#15171c);color:light-dark(#1b1e27,#e9ebf1)}\
a{color:light-dark(#2a44c4,#a5b6ff);display:inline-block;min-height:24px}\
code,pre{font-family:ui-monospace,monospace}\
pre{padding:.8rem;border:1px solid #8886;border-radius:.4rem;white-space:pre-wrap}\
section{border-top:1px solid #8886;padding:.4rem 0}\
h3{margin:.6rem 0 .2rem}\
h3 b{display:inline-block;min-width:4.2rem}\
small{color:light-dark(#5a6072,#a4abbd)}\
dt{font-family:ui-monospace,monospace;margin-top:.6rem}\
:target{background:light-dark(#fdf3c4,#3d3510)}\
</style>\n<main>\n<h1>The API of this desk</h1>\n";

const INTRODUCTION: &str = "<p>Agents ask, people answer, and nothing is lost in between. The same for programs, as an \
OpenAPI document: <a href=\"/openapi.json\">/openapi.json</a>.\n\
<pre>DESK=http://127.0.0.1:7207; JSON='content-type: application/json'\n\
sayso token new --role asker --account ci --out asker.token\n\
sayso token new --role person --account ada --out person.token\n\
\n\
# An agent asks in any format, then waits for up to a minute at a time.\n\
curl -H @asker.token -H \"$JSON\" $DESK/v1/asks -d '{\"request\":\n  \
{\"questions\":[{\"id\":\"go\",\"kind\":\"confirm\",\"prompt\":\"Deploy now?\"}]}}'\n\
curl -H @asker.token \"$DESK/v1/asks/ID/outcome?wait=60\"\n\
\n\
# A person lists waiting questions, and answers one. The digest identifies the version that the person was shown.\n\
curl -H @person.token $DESK/v1/asks\n\
curl -H @person.token $DESK/v1/asks/ID\n\
curl -H @person.token -H \"$JSON\" $DESK/v1/asks/ID/answer \\\n  \
-d '{\"shown\":\"DIGEST\",\"answers\":{\"go\":true}}'\n\
\n\
# The agent confirms that it has the outcome.\n\
curl -H @asker.token -X POST $DESK/v1/asks/ID/ack\n</pre>\n\
<p>Waiting asks in a browser: <a href=\"/login\">/login</a>.\n";

/// Serves the page.
pub(crate) async fn show(documents: Arc<ApiDocuments>, call: ApiCall) -> Result<Response, Problem> {
    Ok(response::html(documents.page(), POLICY, call.headers()))
}

/// Renders the page of these routes, from the OpenAPI document.
pub(crate) fn render_page(routes: &[&'static Route], document: &Value) -> String {
    let mut page = format!("{HEAD}{INTRODUCTION}");
    for (title, access) in [
        ("With any token", RouteAccess::Any),
        ("For people, in threads", RouteAccess::Deferred),
        ("For askers", RouteAccess::Asker),
        ("For people", RouteAccess::Person),
        ("For admins", RouteAccess::Admin),
        ("For services that sign in their users", RouteAccess::Service),
        ("Without a token", RouteAccess::Open),
    ] {
        // Writing to a String cannot fail.
        let _ = writeln!(page, "<h2>{title}</h2>");
        for route in routes {
            if route.access == access {
                write_section(&mut page, route, document);
            }
        }
    }
    page.push_str(
        "<h2>Problems</h2>\n<p>An error is <code>application/problem+json</code> (RFC 9457); its \
         <code>type</code> links to its entry here.\n<dl>\n",
    );
    for code in schemas::codes() {
        write_problem(&mut page, *code);
    }
    page.push_str("</dl>\n");
    page
}

/// Writes the entry of a problem code, to which the `type` of an error links.
fn write_problem(page: &mut String, code: ProblemCode) {
    let status = problem_response::status_of(code).as_u16();
    let title = problem_response::title(code);
    let ProblemExplanation { cause, remedy } = code.explanation();
    let [cause, remedy] = [cause, remedy].map(escape_html);
    // Writing to a String cannot fail.
    let _ = writeln!(
        page,
        "<dt id=\"{code}\"><a href=\"#{code}\">{code}</a> <small>{status} {title}</small>\n<dd>{cause}<br>{remedy}"
    );
}

fn write_section(page: &mut String, route: &Route, document: &Value) {
    let method = route.method.name().to_uppercase();
    // Writing to a String cannot fail, here and below.
    let _ = writeln!(
        page,
        "<section id=\"{}\"><h3><b>{method}</b> <code>{}</code></h3>\n<p>{}",
        route.name,
        escape_html(route.path),
        escape_html(route.summary)
    );
    for parameter in route.parameters {
        let _ = writeln!(
            page,
            "<br><small><code>{}</code>: {}</small>",
            parameter.name,
            escape_html(parameter.description)
        );
    }
    for (member, description) in body_members(route, document) {
        let _ = writeln!(
            page,
            "<br><small>body <code>{}</code>: {}</small>",
            escape_html(member),
            escape_html(description)
        );
    }
    page.push_str("</section>\n");
}

/// Returns the members of a route's JSON body, with their descriptions.
fn body_members<'d>(route: &Route, document: &'d Value) -> Vec<(&'d str, &'d str)> {
    let mut members = Vec::new();
    if let Some(Value::Object(properties)) = body_properties(route, document) {
        for (name, schema) in properties {
            let description = schema.get("description").and_then(Value::as_str).unwrap_or_default();
            members.push((name.as_str(), description));
        }
    }
    members
}

/// Returns the properties of a route's JSON body.
fn body_properties<'d>(route: &Route, document: &'d Value) -> Option<&'d Value> {
    let body = document.get("paths")?.get(route.path)?.get(route.method.name())?.get("requestBody")?;
    let reference = body.get("content")?.get("application/json")?.get("schema")?.get("$ref")?.as_str()?;
    let name = reference.rsplit('/').next()?;
    document.get("components")?.get("schemas")?.get(name)?.get("properties")
}

/// Escapes text for HTML; text between backticks becomes code.
pub(in crate::http) fn escape_html(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let mut html = String::new();
    for (at, piece) in text.split('`').enumerate() {
        if at % 2 == 1 {
            html.push_str(&format!("<code>{piece}</code>"));
        } else {
            html.push_str(piece);
        }
    }
    html
}
