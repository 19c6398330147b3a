//! The two acts that end an ask: submit and decline.

use super::super::dialog::Dialog;
use super::super::effect::{DeskCall, Effect};
use super::{AskTab, AskView, UpdateContext, cut_options};
use crate::presence::WaiterPresence;
use crate::{describe, sending};
use sayso_core::model::outcome::ShownView;
use sayso_core::wire::json;
use sayso_core::{Ask, AskCommand, Message, Problem};

/// Submits the answers if nothing prevents it.
pub(super) fn submit(view: &mut AskView, cx: &UpdateContext) -> Vec<Effect> {
    view.commit_text(cx);
    if view.is_sending {
        return Vec::new();
    }
    if let Some(place) = view.first_unread() {
        view.go_to(AskTab::Question(place), cx);
        view.notice = Some(Message::LinesUnread.plain(cx.lang).to_owned());
        return Vec::new();
    }
    if cut_options::open_unread_pick(view, cx) {
        return Vec::new();
    }
    if let Err(problem) = view.form.sheet.unchecked_submission() {
        show_answer_problems(view, &problem, cx);
        return Vec::new();
    }
    let replies = view.form.sheet.replies();
    let key = sending::idempotency_key(&view.ask, "submit", &json::write(&replies));
    let shown = ShownView {
        digest: view.shown_digest,
        draft_rev: view.form.autosave.shown_rev().map(|rev| rev.0),
        seen: Some(view.seen_lines()),
    };
    send_command(view, key, AskCommand::Submit { replies, as_sent: None, shown }, cx)
}

/// Shows the problems that prevent the submission at their questions and on the review. Rules that are checked on
/// submit are shown from now on.
pub(crate) fn show_answer_problems(view: &mut AskView, problem: &Problem, cx: &UpdateContext) {
    view.form.sheet.mark_refused(problem);
    for cause in &problem.causes {
        view.form.flagged.extend(describe::question_index(&view.form.sheet, cause));
    }
    view.notice = Some(problem.message.render(cx.lang));
    if view.has_review() {
        view.go_to(AskTab::Review, cx);
        view.review.focus_row(0);
    }
}

/// Opens the dialog that confirms declining and asks for a reason.
pub(super) fn confirm_decline(view: &mut AskView, cx: &UpdateContext) {
    view.dialog = Some(Dialog::decline(&view.decline_reason, cx.instant()));
}

/// Returns the reason to decline that was typed so far.
pub(crate) fn typed_reason(view: &AskView) -> &str {
    view.dialog.as_ref().and_then(Dialog::reason).unwrap_or(&view.decline_reason)
}

pub(super) fn decline(view: &mut AskView, reason: Option<String>, cx: &UpdateContext) -> Vec<Effect> {
    view.commit_text(cx);
    let key = sending::idempotency_key(&view.ask, "decline", reason.as_deref().unwrap_or_default());
    send_command(view, key, AskCommand::Decline { reason, shown: view.shown_digest }, cx)
}

/// Sends the desk a reason that was typed when the ask ended elsewhere; the desk keeps it as a late submission.
/// Returns nothing until the ask has ended for good.
pub(crate) fn late_reason_call(view: &AskView, ask: &Ask) -> Option<Effect> {
    let reason = typed_reason(view).trim();
    if reason.is_empty() || ask.outcome().is_none() {
        return None;
    }
    let command = AskCommand::Decline { reason: Some(reason.to_owned()), shown: view.shown_digest };
    Some(Effect::Call(DeskCall::Act {
        id: ask.id,
        key: sending::idempotency_key(ask, "decline", reason),
        command,
    }))
}

fn send_command(view: &mut AskView, key: String, command: AskCommand, cx: &UpdateContext) -> Vec<Effect> {
    view.asker_presence = Some(WaiterPresence::from_ask(&view.ask, cx.is_running));
    view.is_sending = true;
    vec![Effect::Call(DeskCall::Act { id: view.ask.id, key, command })]
}
