//! Page of an ask that has ended, or whose answer its asker checks.

use super::ask_page::{KeptText, ReadAsk};
use super::review_page::AnswerRow;
use crate::http::no_script::frame::{PageFrame, render};
use crate::http::no_script::view::agent_text::{lines, one_line};
use crate::http::no_script::view::ask_head::{AskHead, Notice};
use crate::http::no_script::visit::Visit;
use crate::http::routes::review::ReviewBody;
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use sayso_core::model::ask::AskPhase;
use sayso_core::model::outcome::format_record_time;
use sayso_core::{Ask, AskId, Lang, Message, Outcome, Problem};

/// Page that shows how an ask ended, and with what.
#[derive(Debug, Template)]
#[template(path = "receipt.html")]
struct ReceiptPage {
    frame: PageFrame,
    head: AskHead,
    notice: Option<Notice>,
    headline: String,
    reason: String,
    /// Sentence of ours about why the asker's host withdrew it.
    why: Option<String>,
    delivery: Option<String>,
    rows: Vec<AnswerRow>,
    digest: Option<String>,
    kept: Vec<KeptText>,
}

/// Shows how an ask ended, with the text that came too late.
///
/// # Errors
/// Fails if the template fails, which none does.
pub(super) fn show_receipt(
    visit: &Visit,
    ask: &Ask,
    kept: Option<Vec<KeptText>>,
) -> Result<Response, Problem> {
    let Some(kept) = kept else {
        return render(StatusCode::OK, &receipt_page(visit, ask, None, Vec::new()));
    };
    if kept.is_empty() {
        return show_receipt_after(visit, ask);
    }
    let notice = Notice::problem(Message::PageEndedKept.plain(visit.lang).to_owned());
    render(StatusCode::CONFLICT, &receipt_page(visit, ask, Some(notice), kept))
}

/// Shows how an ask ended before a form could do something with it.
///
/// # Errors
/// Fails if the template fails, which none does.
pub(super) fn show_receipt_after(visit: &Visit, ask: &Ask) -> Result<Response, Problem> {
    let notice = Notice::problem(Message::PageEndedNothing.plain(visit.lang).to_owned());
    render(StatusCode::CONFLICT, &receipt_page(visit, ask, Some(notice), Vec::new()))
}

/// Shows how an ask ended while a form was posted that failed with this problem.
///
/// # Errors
/// Fails with the problem if the ask is still open.
pub(super) async fn show_end_after(visit: &Visit, id: AskId, problem: Problem) -> Result<Response, Problem> {
    match visit.read_ask(id).await? {
        ReadAsk::Closed(ask) => show_receipt_after(visit, &ask),
        ReadAsk::Open(_) => Err(problem),
    }
}

fn receipt_page(visit: &Visit, ask: &Ask, notice: Option<Notice>, kept: Vec<KeptText>) -> ReceiptPage {
    let (lang, head) = (visit.lang, AskHead::new(ask, visit.lang));
    let reason = match ask.outcome() {
        Some(Outcome::Declined { reason: Some(reason), .. }) => lines(reason),
        _ => String::new(),
    };
    let digest = ask.outcome().and_then(Outcome::receipt).map(|receipt| receipt.shown.to_string());
    let why = match ask.outcome() {
        Some(Outcome::Cancelled { reason: Some(reason), .. }) => {
            Some(reason.message().render_with(lang, [one_line(&ask.request.asker.name)]))
        }
        _ => None,
    };
    ReceiptPage {
        frame: PageFrame { has_problem: notice.is_some(), ..visit.frame() },
        headline: headline(ask, &head.agent, lang),
        reason,
        why,
        delivery: delivery(ask, &head.agent, lang),
        rows: AnswerRow::list(ReviewBody::from_ask(ask, lang).rows, None, lang),
        notice,
        head,
        digest,
        kept,
    }
}

fn headline(ask: &Ask, agent: &str, lang: Lang) -> String {
    match &ask.state.phase {
        AskPhase::Open { .. } | AskPhase::Submitted { .. } => {
            Message::PageAwaitsVerdict.render_with(lang, [agent])
        }
        AskPhase::Settled(outcome) => {
            let at = format_record_time(outcome.ended_at());
            let by = outcome.receipt().map(|receipt| one_line(&receipt.by)).unwrap_or_default();
            match outcome {
                Outcome::Answered { .. } => Message::PageAnsweredBy.render_with(lang, [by, at]),
                Outcome::Declined { .. } => Message::PageDeclinedBy.render_with(lang, [by, at]),
                Outcome::Cancelled { .. } => Message::PageCancelledAt.render_with(lang, [at]),
                Outcome::Expired { .. } => Message::PageExpiredAt.render_with(lang, [at]),
            }
        }
    }
}

fn delivery(ask: &Ask, agent: &str, lang: Lang) -> Option<String> {
    ask.outcome().and_then(Outcome::receipt)?;
    let message = if ask.is_delivered() { Message::PageDelivered } else { Message::PageKeptForAgent };
    Some(message.render_with(lang, [agent]))
}
