//! Page on which a person declines an ask.

use super::ask_page::{OpenAsk, ReadAsk};
use super::receipt_page::{show_end_after, show_receipt, show_receipt_after};
use crate::http::middleware::call::ApiCall;
use crate::http::no_script::NoScriptState;
use crate::http::no_script::form::form_data::FormData;
use crate::http::no_script::form::form_token::FormStep;
use crate::http::no_script::frame::{PageFrame, redirect, render};
use crate::http::no_script::view::ask_head::{AskHead, Notice};
use crate::http::no_script::visit::{FormTicket, Visit};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use sayso_core::{Actor, AskCommand, Message, Problem, ProblemCode};
use std::sync::Arc;

/// Page that asks for a reason and for confirmation.
#[derive(Debug, Template)]
#[template(path = "decline.html")]
struct DeclinePage {
    frame: PageFrame,
    head: AskHead,
    ticket: FormTicket,
    notice: Option<Notice>,
    consequence: String,
    reason: String,
}

pub(crate) async fn show(plain: Arc<NoScriptState>, call: ApiCall) -> Result<Response, Problem> {
    Visit::show(&plain, &call, show_decline).await
}

async fn show_decline(visit: &Visit, call: &ApiCall) -> Result<Response, Problem> {
    match visit.read_ask(call.ask_id()?).await? {
        ReadAsk::Open(open) => render(StatusCode::OK, &decline_page(visit, &open, "", None)),
        ReadAsk::Closed(ask) => show_receipt(visit, &ask, None),
    }
}

pub(crate) async fn decline(plain: Arc<NoScriptState>, call: ApiCall) -> Result<Response, Problem> {
    Visit::show(&plain, &call, decline_form).await
}

async fn decline_form(visit: &Visit, call: &ApiCall) -> Result<Response, Problem> {
    let (id, form) = (call.ask_id()?, FormData::parse(call.text()?)?);
    let open = match visit.read_ask(id).await? {
        ReadAsk::Open(open) => open,
        ReadAsk::Closed(ask) => return show_receipt_after(visit, &ask),
    };
    let reason = form.text("reason");
    let again = |words: Message, status| {
        let notice = Notice::problem(words.plain(visit.lang).to_owned());
        render(status, &decline_page(visit, &open, reason, Some(notice)))
    };
    // The draft does not matter here: nothing of it is sent.
    let shown =
        visit.shown_state(FormStep::Decline, id, &form).filter(|shown| shown.round == open.state.round);
    let Some(shown) = shown else { return again(Message::PlainFormUsed, StatusCode::CONFLICT) };
    let who = Actor::Person(visit.person.clone());
    let command = AskCommand::Decline { reason: Some(reason.to_owned()), shown: shown.digest };
    let declined = visit.plain.context.with_desk(move |desk| desk.act(&who, id, None, command)).await;
    match declined {
        Ok(_) => Ok(redirect(&format!("/plain/asks/{id}"))),
        Err(problem) if problem.code == ProblemCode::AskChanged => {
            again(Message::PlainFormUsed, StatusCode::CONFLICT)
        }
        Err(problem) => show_end_after(visit, id, problem).await,
    }
}

fn decline_page(visit: &Visit, open: &OpenAsk, reason: &str, notice: Option<Notice>) -> DeclinePage {
    let head = AskHead::new(&open.ask, visit.lang);
    DeclinePage {
        frame: PageFrame { has_problem: notice.is_some(), ..visit.frame() },
        ticket: visit.form_ticket(FormStep::Decline, open.state),
        notice,
        consequence: Message::DeclineSays.render_with(visit.lang, [&head.agent]),
        reason: reason.to_owned(),
        head,
    }
}
