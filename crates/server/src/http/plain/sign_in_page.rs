//! Pages on which a person signs in and out.

use super::PlainState;
use super::ask_page::show_typed_again;
use super::form_data::FormData;
use super::form_token::FormSigner;
use super::frame::{PageFrame, redirect, render};
use super::visit::{Visit, problem_page};
use crate::http::login::LoginState;
use crate::http::login::browser::session_caller;
use crate::http::login::sign_in::{TypedSecret, sign_in_without_key};
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::problem_response::status_of;
use crate::http::middleware::revocation::Credential;
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use sayso_core::{AskId, Message, Problem};
use sayso_desk::token::is_well_formed;
use std::sync::Arc;

/// Page on which a person signs in.
#[derive(Debug, Template)]
#[template(path = "sign_in.html")]
pub(super) struct SignInPage {
    pub(super) frame: PageFrame,
    pub(super) notice: Option<&'static str>,
    pub(super) problem: Option<String>,
    /// Ask to go on with.
    pub(super) ask: Option<AskId>,
    /// Fields that were typed before; they stay on the page.
    pub(super) typed: Vec<(String, String)>,
    /// Words and address of the link to the issuer, if there is one. Typed fields would be lost on the way there.
    pub(super) issuer: Option<(String, String)>,
}

impl SignInPage {
    pub(super) fn new(plain: &PlainState, frame: PageFrame, ask: Option<AskId>, form: &FormData) -> Self {
        let typed: Vec<_> = form.typed().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let issuer = plain.issuer.as_ref().filter(|_| typed.is_empty()).map(|name| {
            let words = Message::IssuerSignIn.render_with(frame.lang, [super::agent_text::one_line(name)]);
            (words, ask.map_or_else(|| "/login/oidc".to_owned(), |id| format!("/login/oidc?ask={id}")))
        });
        Self { frame, notice: None, problem: None, ask, typed, issuer }
    }
}

pub(super) async fn show(
    (logins, plain): (Arc<LoginState>, Arc<PlainState>),
    call: ApiCall,
) -> Result<Response, Problem> {
    let frame = PageFrame::for_stranger(call.lang);
    if let Err(problem) = plain.check_open(&call) {
        return problem_page(frame, &problem);
    }
    logins.spawn_show_code();
    render(StatusCode::OK, &SignInPage::new(&plain, frame, None, &FormData::parse("")?))
}

pub(super) async fn sign_in(
    (logins, plain): (Arc<LoginState>, Arc<PlainState>),
    call: ApiCall,
) -> Result<Response, Problem> {
    let frame = PageFrame::for_stranger(call.lang);
    if let Err(problem) = plain.check_open(&call) {
        return problem_page(frame, &problem);
    }
    let form = FormData::parse(call.text()?)?;
    let ask = AskId::parse(form.text("ask"));
    let (code, token) = (form.text("code").trim(), form.text("access_token").trim());
    let secret = match token {
        "" if is_well_formed(code) => TypedSecret::Token(code.to_owned()),
        "" => TypedSecret::Code(code.to_owned()),
        token => TypedSecret::Token(token.to_owned()),
    };
    let (session, cookie) = match sign_in_without_key(&logins, &call, secret).await {
        Ok(signed_in) => signed_in,
        Err(problem) => {
            let mut page = SignInPage::new(&plain, PageFrame { has_problem: true, ..frame }, ask, &form);
            page.problem = Some(problem.message.render(call.lang));
            return render(status_of(problem.code), &page);
        }
    };
    let caller = session_caller(&plain.context, session)?;
    let visit = Visit::new(&plain, caller, FormSigner::new(cookie.reveal()), call.lang)?;
    let reply = match ask {
        Some(id) if form.typed().next().is_some() => {
            visit.finish(show_typed_again(&visit, id, &form).await)?
        }
        Some(id) => redirect(&format!("/plain/asks/{id}")),
        None => redirect("/plain"),
    };
    Ok(plain.with_session_cookie(reply, cookie.reveal(), ""))
}

pub(super) async fn sign_out(
    (logins, plain): (Arc<LoginState>, Arc<PlainState>),
    call: ApiCall,
) -> Result<Response, Problem> {
    let visit = match Visit::admit(&plain, &call) {
        Ok(visit) => visit,
        Err(reply) => return Ok(*reply),
    };
    let form = FormData::parse(call.text()?)?;
    let Credential::BrowserSession(id) = visit.caller.credential.clone() else {
        return Ok(redirect("/plain"));
    };
    if !visit.forms.is_sign_out_token(form.text("token")) {
        return Ok(redirect("/plain"));
    }
    plain.context.end_browser_session(id).await?;
    logins.spawn_show_code();
    Ok(plain.with_session_cookie(redirect("/plain/sign-in"), "", "; Max-Age=0"))
}
