//! The readable page of the API: the same table of routes, for people. It runs no script.

use super::route::{Access, Route, routes};
use super::{reply, shapes, status};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use std::fmt::Write as _;
use std::sync::OnceLock;

/// Nothing is loaded, run or framed.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

const HEAD: &str = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
content=\"width=device-width\">\n<title>Sayso: the API of this desk</title>\n<style>\
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}\
body{max-width:52rem;margin:2rem auto;padding:0 1rem}\
code,pre{font-family:ui-monospace,monospace}\
pre{padding:.8rem;border:1px solid #8886;border-radius:.4rem;overflow-x:auto}\
section{border-top:1px solid #8886;padding:.4rem 0}\
h3{margin:.6rem 0 .2rem}\
h3 b{display:inline-block;min-width:4.2rem}\
small{opacity:.75}\
dt{font-family:ui-monospace,monospace;margin-top:.3rem}\
</style>\n<h1>The API of this desk</h1>\n";

const BEGINNING: &str = "<p>Agents ask, people answer, and nothing is lost in between. The whole of it as a document \
for programs: <a href=\"/openapi.json\">/openapi.json</a>.\n\
<pre>sayso token new --role asker --account ci --out asker.token\n\
sayso token new --role person --account ada --out person.token\n\
\n\
curl -H @asker.token -H 'content-type: application/json' $DESK/v1/asks \\\n  \
-d '{\"dialect\":\"sayso\",\"request\":{\"questions\":[{\"id\":\"go\",\"kind\":\"confirm\",\"prompt\":\"Deploy now?\"}]}}'\n\
\n\
curl -H @asker.token \"$DESK/v1/asks/ID/outcome?wait=60\"\n</pre>\n";

/// The page.
pub(super) fn reply() -> Response {
    static PAGE: OnceLock<String> = OnceLock::new();
    let mut reply = reply::text("text/html; charset=utf-8", PAGE.get_or_init(page).as_str());
    reply.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    reply
}

fn page() -> String {
    let mut page = format!("{HEAD}{BEGINNING}");
    for (title, access) in [
        ("For all with a token", Access::Any),
        ("For people, as the spec of threads has it", Access::Late),
        ("For askers", Access::Asker),
        ("For people", Access::Person),
        ("For admins", Access::Admin),
        ("Open to all", Access::Open),
    ] {
        // Writing to a String cannot fail.
        let _ = writeln!(page, "<h2>{title}</h2>");
        routes().filter(|route| route.access == access).for_each(|route| section(&mut page, route));
    }
    page.push_str(
        "<h2>Problems</h2>\n<p>Each comes as <code>application/problem+json</code> (RFC 9457).\n<dl>\n",
    );
    for code in shapes::codes() {
        let (status, title) = (status::of(*code).as_u16(), status::title(*code));
        let _ = writeln!(page, "<dt id=\"{code}\">{code}<dd>{status}: {title}");
    }
    page.push_str("</dl>\n");
    page
}

fn section(page: &mut String, route: &Route) {
    let verb = route.verb.name().to_uppercase();
    let _ = writeln!(
        page,
        "<section id=\"{}\"><h3><b>{verb}</b> <code>{}</code></h3>\n<p>{}",
        route.name,
        escaped(route.path),
        escaped(route.about)
    );
    for parameter in route.parameters {
        let _ = writeln!(
            page,
            "<br><small><code>{}</code>: {}</small>",
            parameter.name,
            escaped(parameter.about)
        );
    }
    page.push_str("</section>\n");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
