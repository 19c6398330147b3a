//! Visit of a signed-in person: one request, with the caller and the signer of the session's forms.

use super::NoScriptState;
use super::form::form_data::FormData;
use super::form::form_token::{FormSigner, FormStep, ShownState};
use super::frame::{PageFrame, ProblemPage, render};
use super::pages::sign_in_page::SignInPage;
use crate::http::login::browser::{SEC_FETCH_SITE, cookie_value};
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::caller::{AuthenticatedCaller, PersonParams};
use crate::http::middleware::problem_response::{self, status_of};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use sayso_core::model::actor::AssuranceLevel;
use sayso_core::model::ask::AskPhase;
use sayso_core::{Ask, AskId, Digest, Lang, Message, Person, Problem, ProblemCode};
use std::sync::Arc;

/// Visit of a signed-in person.
pub(super) struct Visit {
    pub(super) plain: Arc<NoScriptState>,
    pub(super) caller: AuthenticatedCaller,
    /// The person who answers.
    pub(super) person: Person,
    pub(super) forms: FormSigner,
    pub(super) lang: Lang,
}

/// Page that loads once more from here. A navigation from another site comes without the cookie.
#[derive(Debug, Template)]
#[template(path = "load_once_more.html")]
struct LoadOnceMore {
    frame: PageFrame,
    to: String,
}

impl Visit {
    /// Admits a signed-in person. Returns the page for others: to sign in, or that these pages are closed.
    pub(super) fn admit(plain: &Arc<NoScriptState>, call: &ApiCall) -> Result<Self, Box<Response>> {
        let lang = call.lang;
        Self::from_call(plain, call).map_err(|problem| {
            let reply = match problem {
                None => ask_to_sign_in(call),
                Some(problem) => problem_page(PageFrame::for_stranger(lang), &problem),
            };
            Box::new(reply.unwrap_or_else(|problem| problem_response::build(&problem, lang, None)))
        })
    }

    /// Shows a page to a signed-in person; to others, the page for them.
    ///
    /// # Errors
    /// Fails if the template of a problem's page fails, which none does.
    pub(super) async fn show(
        plain: &Arc<NoScriptState>,
        call: &ApiCall,
        page: impl AsyncFnOnce(&Self, &ApiCall) -> Result<Response, Problem>,
    ) -> Result<Response, Problem> {
        match Self::admit(plain, call) {
            Ok(visit) => visit.finish(page(&visit, call).await),
            Err(reply) => Ok(*reply),
        }
    }

    fn from_call(plain: &Arc<NoScriptState>, call: &ApiCall) -> Result<Self, Option<Problem>> {
        plain.check_open(call)?;
        let caller = call.caller.clone().ok_or(None)?;
        let cookie = cookie_value(call.headers(), plain.policy.cookie_name())?.ok_or(None)?;
        let forms = FormSigner::new(cookie);
        Ok(Self::new(plain, caller, forms, call.lang)?)
    }

    /// Creates the visit of a person.
    ///
    /// # Errors
    /// Fails if the caller is no person.
    pub(super) fn new(
        plain: &Arc<NoScriptState>,
        caller: AuthenticatedCaller,
        forms: FormSigner,
        lang: Lang,
    ) -> Result<Self, Problem> {
        let mut person = caller.to_person(PersonParams::default())?;
        // The browser has proved nothing but that it has the cookie.
        person.assurance = person.assurance.min(AssuranceLevel::Token);
        Ok(Self { plain: plain.clone(), caller, person, forms, lang })
    }

    /// Returns the frame of the person's pages.
    pub(super) fn frame(&self) -> PageFrame {
        PageFrame::for_person(self.lang, &self.caller.account, &self.forms)
    }

    /// Returns the reply, or the page of a problem.
    pub(super) fn finish(&self, reply: Result<Response, Problem>) -> Result<Response, Problem> {
        reply.or_else(|problem| problem_page(self.frame(), &problem))
    }

    /// Returns the hidden fields of a form that shows this state.
    pub(super) fn form_ticket(&self, step: FormStep, shown: ShownState) -> FormTicket {
        FormTicket { token: self.forms.sign(step, &shown), shown }
    }

    /// Returns the state that a posted form showed, if this session got the form.
    pub(super) fn shown_state(&self, step: FormStep, ask: AskId, form: &FormData) -> Option<ShownState> {
        let shown = ShownState {
            ask,
            round: form.text("round").parse().ok()?,
            rev: form.text("rev").parse().ok()?,
            digest: Digest::parse(form.text("shown"))?,
        };
        self.forms.is_signed(step, &shown, form.text("token")).then_some(shown)
    }
}

/// Hidden fields of a form.
#[derive(Debug)]
pub(super) struct FormTicket {
    pub(super) token: String,
    pub(super) shown: ShownState,
}

/// Returns the state of an open ask; `None` if it cannot be answered now.
pub(super) fn open_state(ask: &Ask, rev: u64) -> Option<ShownState> {
    match &ask.state.phase {
        AskPhase::Open { round, .. } => {
            Some(ShownState { ask: ask.id, round: *round, rev, digest: ask.request.digest })
        }
        AskPhase::Submitted { .. } | AskPhase::Settled(_) => None,
    }
}

/// Renders the page of a problem.
///
/// # Errors
/// Fails if the template fails, which none does.
pub(super) fn problem_page(frame: PageFrame, problem: &Problem) -> Result<Response, Problem> {
    render(status_of(problem.code), &ProblemPage::new(frame, problem))
}

/// Returns the page on which a person signs in, with what was typed kept in it; a page that loads once more, if the
/// browser came from another site.
fn ask_to_sign_in(call: &ApiCall) -> Result<Response, Problem> {
    let frame = PageFrame::for_stranger(call.lang);
    let ask = AskId::parse(call.path_param());
    let is_elsewhere = matches!(call.header(&SEC_FETCH_SITE), Some("cross-site" | "same-site"));
    if is_elsewhere {
        let to = ask.map_or_else(|| "/plain".to_owned(), |id| format!("/plain/asks/{id}"));
        return render(StatusCode::OK, &LoadOnceMore { frame, to });
    }
    let form = FormData::parse(call.text()?)?;
    let mut page = SignInPage::new(frame, ask, &form);
    if !page.typed.is_empty() {
        page.notice = Some(Message::PlainSignedOut.plain(call.lang));
    }
    render(status_of(ProblemCode::Unauthorized), &page)
}
