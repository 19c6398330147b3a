//! Pages on which a person signs in and out.

use super::ask_page::show_typed_again;
use crate::http::login::LoginState;
use crate::http::login::browser::session_caller;
use crate::http::login::sign_in::{TypedSecret, sign_in_without_key};
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::problem_response::status_of;
use crate::http::middleware::revocation::Credential;
use crate::http::no_script::NoScriptState;
use crate::http::no_script::form::form_data::FormData;
use crate::http::no_script::form::form_token::FormSigner;
use crate::http::no_script::frame::{PageFrame, redirect, render};
use crate::http::no_script::visit::{Visit, problem_page};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use sayso_core::{AskId, Message, Problem};
use sayso_desk::token::is_well_formed;
use std::sync::Arc;

/// Page on which a person signs in.
#[derive(Debug, Template)]
#[template(path = "sign_in.html")]
pub(crate) struct SignInPage {
    pub(crate) frame: PageFrame,
    pub(crate) notice: Option<&'static str>,
    pub(crate) problem: Option<String>,
    /// Ask to go on with.
    pub(crate) ask: Option<AskId>,
    /// Fields that were typed before; they stay on the page.
    pub(crate) typed: Vec<(String, String)>,
}

impl SignInPage {
    pub(crate) fn new(frame: PageFrame, ask: Option<AskId>, form: &FormData) -> Self {
        let typed: Vec<_> = form.typed().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Self { frame, notice: None, problem: None, ask, typed }
    }
}

pub(crate) async fn show(
    (logins, plain): (Arc<LoginState>, Arc<NoScriptState>),
    call: ApiCall,
) -> Result<Response, Problem> {
    let frame = PageFrame::for_stranger(call.lang);
    if let Err(problem) = plain.check_open(&call) {
        return problem_page(frame, &problem);
    }
    logins.spawn_show_code();
    render(StatusCode::OK, &SignInPage::new(frame, None, &FormData::parse("")?))
}

pub(crate) async fn sign_in(
    (logins, plain): (Arc<LoginState>, Arc<NoScriptState>),
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
            let mut page = SignInPage::new(PageFrame { has_problem: true, ..frame }, ask, &form);
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

pub(crate) async fn sign_out(
    (logins, plain): (Arc<LoginState>, Arc<NoScriptState>),
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
