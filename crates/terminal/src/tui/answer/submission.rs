//! The two acts that end an ask: submit and decline.

use super::super::dialog::Dialog;
use super::super::effect::{DeskCall, Effect};
use super::{AskTab, AskView, UpdateContext};
use crate::presence::WaiterPresence;
use crate::{describe, submission};
use sayso_core::wire::json;
use sayso_core::{Ask, AskCommand, Message, Problem};

impl AskView {
    /// Submits the answers if nothing prevents it.
    pub(super) fn submit(&mut self, cx: &UpdateContext) -> Vec<Effect> {
        self.commit_text(cx);
        if self.is_sending {
            return Vec::new();
        }
        if !self.action_seen {
            self.notice = Some(Message::ActionUnread.plain(cx.lang).to_owned());
            if let Some(place) = self.form.action_place() {
                self.go_to(AskTab::Question(place), cx);
            }
            return Vec::new();
        }
        if let Err(problem) = self.form.sheet.unchecked_submission() {
            self.show_answer_problems(&problem, cx);
            return Vec::new();
        }
        let replies = self.form.sheet.replies();
        let key = submission::idempotency_key(&self.ask, "submit", &json::write(&replies));
        self.send_command(key, AskCommand::Submit { replies, as_sent: None, shown: self.shown_digest }, cx)
    }

    /// Shows the problems that prevent the submission at their questions and on the review. Rules that are checked on
    /// submit are shown from now on.
    pub(crate) fn show_answer_problems(&mut self, problem: &Problem, cx: &UpdateContext) {
        self.form.sheet.mark_refused(problem);
        self.form.flagged.extend(
            problem.causes.iter().filter_map(|cause| describe::question_index(&self.form.sheet, cause)),
        );
        self.notice = Some(problem.message.render(cx.lang));
        if self.has_review() {
            self.go_to(AskTab::Review, cx);
            self.review.focus_row(0);
        }
    }

    /// Opens the dialog that confirms declining and asks for a reason.
    pub(super) fn confirm_decline(&mut self, cx: &UpdateContext) {
        self.dialog = Some(Dialog::decline(&self.decline_reason, cx.instant()));
    }

    /// Returns the reason to decline that was typed so far.
    pub(crate) fn typed_reason(&self) -> &str {
        self.dialog.as_ref().and_then(Dialog::reason).unwrap_or(&self.decline_reason)
    }

    pub(super) fn decline(&mut self, reason: Option<String>, cx: &UpdateContext) -> Vec<Effect> {
        self.commit_text(cx);
        let key = submission::idempotency_key(&self.ask, "decline", reason.as_deref().unwrap_or_default());
        self.send_command(key, AskCommand::Decline { reason, shown: self.shown_digest }, cx)
    }

    /// Sends the desk a reason that was typed when the ask ended elsewhere; the desk keeps it as a late submission.
    /// Returns nothing until the ask has ended for good.
    pub(crate) fn late_reason_call(&self, ask: &Ask) -> Option<Effect> {
        let reason = self.typed_reason().trim();
        if reason.is_empty() || ask.outcome().is_none() {
            return None;
        }
        let command = AskCommand::Decline { reason: Some(reason.to_owned()), shown: self.shown_digest };
        Some(Effect::Call(DeskCall::Act {
            id: ask.id,
            key: submission::idempotency_key(ask, "decline", reason),
            command,
        }))
    }

    fn send_command(&mut self, key: String, command: AskCommand, cx: &UpdateContext) -> Vec<Effect> {
        self.asker_presence = Some(WaiterPresence::from_ask(&self.ask, cx.is_running));
        self.is_sending = true;
        vec![Effect::Call(DeskCall::Act { id: self.ask.id, key, command })]
    }
}
