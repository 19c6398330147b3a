//! Web page on which a browser signs in, lets in a phone, and lists the signed-in browsers.

use super::LoginState;
use crate::embedded::embedded_file;
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::response;
use crate::http::middleware::static_file::{JAVASCRIPT, STYLE_SHEET, StaticFile};
use crate::http::page::icon::icon_svg;
use crate::http::route::{BodySpec, ContentSpec, Route, RouteAccess, RouteMethod, ok, run};
use axum::response::Response;
use sayso_core::{Lang, Message, Problem};
use std::sync::{Arc, LazyLock};

pub(crate) const ROUTES: &[Route] = &[
    Route {
        method: RouteMethod::Get,
        path: "/login",
        name: "show_login",
        summary: "The page on which a person signs in, adds a phone, and sees the signed-in browsers.",
        access: RouteAccess::Open,
        parameters: &[],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ok("The page.", ContentSpec::Text("text/html"))],
        problems: &[],
        handler: run!(login),
    },
    Route {
        method: RouteMethod::Get,
        path: "/enter",
        name: "show_entry",
        summary: "The page that signs in a service's user with the code after the `#` of its address.",
        access: RouteAccess::Open,
        parameters: &[],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ok("The page.", ContentSpec::Text("text/html"))],
        problems: &[],
        handler: run!(entry),
    },
    Route {
        method: RouteMethod::Get,
        path: "/login.js",
        name: "show_login_script",
        summary: "The script of that page.",
        access: RouteAccess::Open,
        parameters: &[],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ok("The script.", ContentSpec::Text("text/javascript"))],
        problems: &[],
        handler: run!(login_script),
    },
    Route {
        method: RouteMethod::Get,
        path: "/login.css",
        name: "show_login_style",
        summary: "The style of that page.",
        access: RouteAccess::Open,
        parameters: &[],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ok("The style.", ContentSpec::Text("text/css"))],
        problems: &[],
        handler: run!(login_style),
    },
];

const PAGE: &str = include_str!("page/login.html");
static SCRIPT: LazyLock<StaticFile> = LazyLock::new(|| {
    StaticFile::embedded(JAVASCRIPT, embedded_file!("crates/server/src/http/login/page/login.js"))
});
static STYLE: LazyLock<StaticFile> = LazyLock::new(|| {
    StaticFile::embedded(STYLE_SHEET, embedded_file!("crates/server/src/http/login/page/login.css"))
});

/// Texts of the page, by placeholder.
const TEXTS: [(&str, Message); 26] = [
    ("without-script", Message::PageWithoutScript),
    ("sign-in", Message::PageSignIn),
    ("code-ask", Message::PageCodeAsk),
    ("code", Message::PageCode),
    ("sign-out", Message::PageSignOut),
    ("signed-in", Message::PageSignedIn),
    ("broken", Message::PageBroken),
    ("other-user", Message::PageOtherUser),
    ("entry-as", Message::PageEntryAs),
    ("entry-now", Message::PageEntryNow),
    ("entry-stay", Message::PageEntryStay),
    ("to-inbox", Message::PageToInbox),
    ("claim-ask", Message::PageClaimAsk),
    ("claim-wait", Message::PageClaimWait),
    ("phone", Message::PagePhone),
    ("phone-show", Message::PagePhoneShow),
    ("phone-scan", Message::PagePhoneScan),
    ("phone-code", Message::PagePhoneCode),
    ("phone-number", Message::PagePhoneNumber),
    ("phone-confirm", Message::PagePhoneConfirm),
    ("phone-refuse", Message::PagePhoneRefuse),
    ("phone-done", Message::PagePhoneDone),
    ("browsers", Message::PageBrowsers),
    ("browser-end", Message::PageBrowserEnd),
    ("browser-current", Message::PageBrowserCurrent),
    ("browser-unnamed", Message::PageBrowserUnnamed),
];

/// Returns the page. With a sign-in proxy it first tries whom the proxy names.
fn page_html(lang: Lang, has_sign_in_proxy: bool) -> String {
    let mut page = PAGE.replace("{lang}", lang.code());
    for (name, message) in TEXTS {
        page = page.replace(&format!("{{{name}}}"), message.plain(lang));
    }
    page.replace("{proxy}", if has_sign_in_proxy { " data-proxy" } else { "" })
        .replace("{icon}", &icon_svg(0))
}

/// The page in each language.
pub(super) struct LoginPages([(Lang, StaticFile); Lang::ALL.len()]);

impl LoginPages {
    /// Creates the pages.
    pub(super) fn new(has_sign_in_proxy: bool) -> Self {
        Self(Lang::ALL.map(|lang| {
            let page = StaticFile::new(response::HTML, page_html(lang, has_sign_in_proxy));
            (lang, page)
        }))
    }
}

pub(crate) async fn login(logins: Arc<LoginState>, call: ApiCall) -> Result<Response, Problem> {
    logins.spawn_show_code();
    entry(logins, call).await
}

/// Serves the same page. A service's user needs no code of the terminal, so none is shown there.
pub(crate) async fn entry(logins: Arc<LoginState>, call: ApiCall) -> Result<Response, Problem> {
    let page = logins.pages.0.iter().find(|(lang, _)| *lang == call.lang);
    Ok(match page {
        Some((_, page)) => page.page_response(&call, response::PAGE_POLICY),
        None => {
            let page = page_html(call.lang, logins.sign_in_proxy.is_some());
            response::html(page, response::PAGE_POLICY, call.headers())
        }
    })
}

pub(crate) async fn login_script((): (), call: ApiCall) -> Result<Response, Problem> {
    Ok(SCRIPT.response(&call))
}

pub(crate) async fn login_style((): (), call: ApiCall) -> Result<Response, Problem> {
    Ok(STYLE.response(&call))
}

#[cfg(test)]
mod tests {
    use super::{PAGE, TEXTS};

    #[test]
    fn every_text_has_a_placeholder() {
        let filled = TEXTS.iter().fold(PAGE.replace("{lang}", "en"), |page, (name, _)| {
            assert!(page.contains(&format!("{{{name}}}")), "{name}");
            page.replace(&format!("{{{name}}}"), "")
        });
        assert!(!filled.replace("{proxy}", "").replace("{icon}", "").contains('{'), "{filled}");
    }
}
