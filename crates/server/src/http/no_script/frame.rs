//! Frame of every page: language, account, and the way out.

use super::form::form_token::FormSigner;
use crate::http::middleware::response;
use askama::Template;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use sayso_core::{Lang, Message, Problem, ProblemCode};

/// Content security policy: no script at all, and forms to this server alone.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; \
                      frame-ancestors 'none'";

/// Frame of a page.
#[derive(Debug)]
pub(super) struct PageFrame {
    pub(super) lang: Lang,
    /// Account of the person; `None` if no one is signed in.
    pub(super) account: Option<String>,
    /// Token of the form that signs out.
    pub(super) sign_out_token: String,
    /// True if the title begins with the word for an error.
    pub(super) has_problem: bool,
}

impl PageFrame {
    /// Creates the frame of a page for someone who is not signed in.
    pub(super) const fn for_stranger(lang: Lang) -> Self {
        Self { lang, account: None, sign_out_token: String::new(), has_problem: false }
    }

    /// Creates the frame of a person's page.
    pub(super) fn for_person(lang: Lang, account: &str, forms: &FormSigner) -> Self {
        let account = Some(super::view::agent_text::one_line(account));
        Self { lang, account, sign_out_token: forms.sign_out_token(), has_problem: false }
    }

    /// Returns a sentence in the person's language.
    pub(super) fn say(&self, message: Message) -> &'static str {
        message.plain(self.lang)
    }
}

/// Renders a page. No browser stores it, and its forms name this origin, which the server requires.
///
/// # Errors
/// Fails if the template fails, which none does.
pub(super) fn render(status: StatusCode, page: &impl Template) -> Result<Response, Problem> {
    let html = page.render().map_err(|error| {
        Problem::new(ProblemCode::DeskFailed, Message::ServeFailed.with([error.to_string()]))
    })?;
    let mut reply = response::html(html, POLICY);
    *reply.status_mut() = status;
    reply.headers_mut().insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    Ok(reply)
}

/// Sends the browser to another page, by GET.
pub(in crate::http) fn redirect(to: &str) -> Response {
    let mut reply = Response::default();
    *reply.status_mut() = StatusCode::SEE_OTHER;
    if let Ok(place) = HeaderValue::try_from(to) {
        reply.headers_mut().insert(header::LOCATION, place);
    }
    reply
}

/// Page of a problem.
#[derive(Debug, Template)]
#[template(path = "problem.html")]
pub(super) struct ProblemPage {
    pub(super) frame: PageFrame,
    pub(super) detail: String,
    pub(super) hint: String,
    /// Page to go on with.
    pub(super) way_on: &'static str,
    /// Words of the link to it.
    pub(super) way_on_words: &'static str,
}

impl ProblemPage {
    pub(super) fn new(frame: PageFrame, problem: &Problem) -> Self {
        let lang = frame.lang;
        let text = |text: &sayso_core::LocalizedText| super::view::agent_text::lines(&text.render(lang));
        Self {
            detail: text(&problem.message),
            hint: problem.hint.as_ref().map(text).unwrap_or_default(),
            way_on: "/plain",
            way_on_words: Message::PageInbox.plain(lang),
            frame: PageFrame { has_problem: true, ..frame },
        }
    }
}
