//! Page that shows everything that would be sent and not sent, and sends it.

use super::ask_page::{OpenAsk, ReadAsk, count_problems};
use super::receipt_page::{show_end_after, show_receipt, show_receipt_after};
use crate::http::middleware::call::ApiCall;
use crate::http::no_script::NoScriptState;
use crate::http::no_script::form::form_data::FormData;
use crate::http::no_script::form::form_token::FormStep;
use crate::http::no_script::frame::{PageFrame, redirect, render};
use crate::http::no_script::view::action_view::ActionView;
use crate::http::no_script::view::agent_text::lines;
use crate::http::no_script::view::ask_head::{AskHead, Notice};
use crate::http::no_script::visit::{FormTicket, Visit};
use crate::http::routes::review::{ReviewBody, ReviewRow};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use sayso_core::model::problem::PathStep;
use sayso_core::{Actor, AskCommand, Lang, Message, Problem, ProblemCode, Sheet};
use std::sync::Arc;

/// Page that shows everything before it is sent.
#[derive(Debug, Template)]
#[template(path = "review.html")]
struct ReviewPage {
    frame: PageFrame,
    head: AskHead,
    ticket: FormTicket,
    notice: Option<Notice>,
    action: Option<ActionView>,
    /// Problems that block the submission, each with the number of its question.
    problems: Vec<(Option<usize>, String)>,
    problem_count: String,
    rows: Vec<AnswerRow>,
    unsent: Vec<AnswerRow>,
    is_ready: bool,
    send_label: String,
}

/// A question with its answer in words, and the number of the question to change it.
#[derive(Debug)]
pub(super) struct AnswerRow {
    pub(crate) at: Option<usize>,
    pub(crate) row: ReviewRow,
    pub(crate) sends: Option<String>,
    pub(crate) because: Option<String>,
}

impl AnswerRow {
    /// Returns the rows of a review.
    pub(crate) fn list(rows: Vec<ReviewRow>, sheet: Option<&Sheet>, lang: Lang) -> Vec<Self> {
        let row = |row: ReviewRow| Self {
            at: sheet.and_then(|sheet| sheet.index_of(&row.question)),
            sends: row.sends.as_ref().map(|sent| Message::ItsValue.render_with(lang, [sent])),
            because: row.because.as_ref().map(|because| Message::HiddenBy.render_with(lang, [because])),
            row,
        };
        rows.into_iter().map(row).collect()
    }
}

pub(crate) async fn show(plain: Arc<NoScriptState>, call: ApiCall) -> Result<Response, Problem> {
    Visit::show(&plain, &call, show_review).await
}

async fn show_review(visit: &Visit, call: &ApiCall) -> Result<Response, Problem> {
    match visit.read_ask(call.ask_id()?).await? {
        ReadAsk::Open(open) => render(StatusCode::OK, &review_page(visit, &open, None)),
        ReadAsk::Closed(ask) => show_receipt(visit, &ask, None),
    }
}

pub(crate) async fn submit(plain: Arc<NoScriptState>, call: ApiCall) -> Result<Response, Problem> {
    Visit::show(&plain, &call, submit_form).await
}

async fn submit_form(visit: &Visit, call: &ApiCall) -> Result<Response, Problem> {
    let (id, form) = (call.ask_id()?, FormData::parse(call.text()?)?);
    let open = match visit.read_ask(id).await? {
        ReadAsk::Open(open) => open,
        ReadAsk::Closed(ask) => return show_receipt_after(visit, &ask),
    };
    let Some(shown) = visit.shown_state(FormStep::Submit, id, &form) else {
        return show_again(visit, &open, Message::PlainFormUsed);
    };
    if shown.rev != open.state.rev || shown.round != open.state.round {
        return show_again(visit, &open, Message::PlainChanged);
    }
    let who = Actor::Person(visit.person.clone());
    // Exactly the replies of the revision that the page showed.
    let command =
        AskCommand::Submit { replies: open.replies.clone(), as_sent: None, shown: shown.digest.into() };
    let sent = visit.plain.context.with_desk(move |desk| desk.act(&who, id, None, command)).await;
    match sent {
        Ok(_) => Ok(redirect(&format!("/plain/asks/{id}"))),
        Err(problem) if problem.code == ProblemCode::AskChanged => {
            show_again(visit, &open, Message::PlainFormUsed)
        }
        Err(problem) if problem.code == ProblemCode::InvalidAnswers => {
            render(StatusCode::UNPROCESSABLE_ENTITY, &review_page(visit, &open, None))
        }
        Err(problem) => show_end_after(visit, id, problem).await,
    }
}

fn show_again(visit: &Visit, open: &OpenAsk, words: Message) -> Result<Response, Problem> {
    let notice = Notice::problem(words.plain(visit.lang).to_owned());
    render(StatusCode::CONFLICT, &review_page(visit, open, Some(notice)))
}

fn review_page(visit: &Visit, open: &OpenAsk, notice: Option<Notice>) -> ReviewPage {
    let (lang, sheet) = (visit.lang, open.sheet());
    let ReviewBody { ready, rows, unsent, .. } = ReviewBody::from_draft(&sheet, open.state.rev, lang);
    let problem = |problem: &Problem| {
        let at = match problem.path.0.get(1) {
            Some(PathStep::Key(id)) => sheet.index_of(&id.as_str().into()),
            _ => None,
        };
        (at, lines(&problem.message.render(lang)))
    };
    let problems: Vec<_> = sheet.problems().iter().map(problem).collect();
    let head = AskHead::new(&open.ask, lang);
    let answered = rows.iter().filter(|row| row.is_answered()).count();
    let action = open.ask.request.questionnaire.action.as_ref();
    ReviewPage {
        frame: PageFrame { has_problem: notice.is_some() || !problems.is_empty(), ..visit.frame() },
        ticket: visit.form_ticket(FormStep::Submit, open.state),
        notice,
        action: action.map(|action| ActionView::new(action, lang)),
        problem_count: count_problems(problems.len(), lang),
        problems,
        rows: AnswerRow::list(rows, Some(&sheet), lang),
        unsent: AnswerRow::list(unsent, Some(&sheet), lang),
        is_ready: ready,
        send_label: Message::PageSendTo.render_with(lang, [answered.to_string(), head.agent.clone()]),
        head,
    }
}
