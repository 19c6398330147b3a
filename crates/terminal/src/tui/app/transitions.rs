//! Transitions of an ask: opened, submitted here, ended elsewhere, or left by the person.

use super::super::answer::{AskView, ending};
use super::super::clock::ClockReading;
use super::super::dialog::{Dialog, Pager, QuotedText};
use super::super::effect::{DeskCall, Effect};
use super::super::inbox::StateFilter;
use super::App;
use crate::describe;
use crate::presence::WaiterPresence;
use crate::surface::PromptOutcome;
use sayso_core::i18n::foreign;
use sayso_core::model::ask::AskPhase;
use sayso_core::qr_code::QrMatrix;
use sayso_core::{Ask, AskId, Lang, Message, Outcome, Problem, ProblemCode};
use sayso_desk::Draft;

impl App {
    pub(super) fn handle_opened(&mut self, id: AskId, result: Result<(Ask, Draft), Problem>) -> Vec<Effect> {
        self.opening.finish_call();
        if self.is_open_here(id) {
            return self.handle_read(id, result);
        }
        match result {
            // The person left it meanwhile, or another open call is in flight.
            _ if !self.opening.is_for(id) => Vec::new(),
            Err(_) if self.opening.has_calls() => Vec::new(),
            Ok((ask, draft)) => self.show_ask(ask, draft),
            Err(problem) => {
                self.opening.end();
                if self.setup.only_ask.is_some() {
                    return vec![Effect::Fail(problem)];
                }
                self.notice = Some(problem.render_lines(self.setup.lang).join(" "));
                Vec::new()
            }
        }
    }

    /// Handles a read of the open ask. Ignores asks that are not open: an open call has a result of its own.
    pub(super) fn handle_read(&mut self, id: AskId, result: Result<(Ask, Draft), Problem>) -> Vec<Effect> {
        if !self.is_open_here(id) {
            if let Ok((ask, _)) = result {
                self.announce_verdict(&ask);
            }
            return Vec::new();
        }
        match (result, &mut self.ask_view) {
            // The next key, or the next minute, reads it again.
            (Err(problem), Some(view)) => {
                view.has_unread_change = true;
                view.notice = Some(problem.render_lines(self.setup.lang).join(" "));
                Vec::new()
            }
            (Ok((ask, draft)), Some(_)) if self.end_notice.is_none() => self.show_ask(ask, draft),
            _ => Vec::new(),
        }
    }

    fn is_open_here(&self, id: AskId) -> bool {
        self.ask_view.as_ref().is_some_and(|view| view.ask.id == id)
    }

    /// Returns the view of an ask if it is the open one.
    fn view_of(&mut self, id: AskId) -> Option<&mut AskView> {
        self.ask_view.as_mut().filter(|view| view.ask.id == id)
    }

    /// Shows the open ask, or the one being opened, as the desk has it.
    fn show_ask(&mut self, ask: Ask, draft: Draft) -> Vec<Effect> {
        let cx = self.update_context();
        let is_here = self.is_open_here(ask.id);
        self.opening.end();
        let is_over = describe::end_elsewhere(&ask, cx.lang).is_some();
        if is_over && (is_here || self.setup.only_ask.is_some()) {
            return self.handle_ended_elsewhere(ask);
        }
        if is_over {
            return self.show_ended(&ask);
        }
        match &mut self.ask_view {
            Some(view) => view.merge_remote(ask, draft, &cx),
            None => {
                let reason = self.decline_reasons.get(ask.id).to_owned();
                let mut view = AskView::open(ask, draft, &cx, self.setup.only_ask.is_some());
                view.decline_reason = reason;
                self.ask_view = Some(view);
            }
        }
        Vec::new()
    }

    /// Shows the link of an ask with its QR code.
    pub(super) fn handle_link(&mut self, result: Result<String, Problem>) -> Vec<Effect> {
        match result.and_then(|link| add_qr_code(&link)) {
            Ok(text) => {
                let pager = Pager::new(Message::LinkTitle, text, QuotedText::Empty);
                self.overlay = Some((None, Dialog::Pager(pager)));
            }
            Err(problem) => self.notice = Some(problem.render_lines(self.setup.lang).join(" ")),
        }
        Vec::new()
    }

    /// Shows an ended ask and how it ended.
    fn show_ended(&mut self, ask: &Ask) -> Vec<Effect> {
        let lang = self.setup.lang;
        let own_text = describe::end_anywhere(ask, lang).unwrap_or_default() + "\n\n";
        let quoted_text = QuotedText::Lines(describe::ended_view(ask, lang));
        let pager = Pager::new(Message::SeenTitle, own_text, quoted_text);
        self.overlay = Some((None, Dialog::Pager(pager)));
        Vec::new()
    }

    pub(super) fn handle_acted(&mut self, id: AskId, result: Result<Ask, Problem>) -> Vec<Effect> {
        let lang = self.setup.lang;
        self.drop_delivered_reason(id, &result);
        if self.declines_in_flight.remove(&id) {
            let message = match result {
                Ok(ask) => join_sentences(Message::DeclinedNow.plain(lang), &ask, lang),
                Err(problem) => problem.render_lines(lang).join(" "),
            };
            // The result of an earlier decline stays visible.
            self.notice = Some(match self.notice.take() {
                Some(earlier_notice) => earlier_notice + describe::sentence_separator(lang) + &message,
                None => message,
            });
            return self.inbox.request_list();
        }
        let Some(view) = self.view_of(id) else { return Vec::new() };
        view.is_sending = false;
        if self.end_notice.is_some() {
            return Vec::new();
        }
        match result {
            Ok(ask) if matches!(ask.state.phase, AskPhase::Open { .. }) => {
                self.replace_open_ask(ask);
                Vec::new()
            }
            Ok(ask) => self.handle_settled(ask),
            Err(problem) => self.handle_refusal(id, &problem),
        }
    }

    /// Handles the desk's verdict on the deadline. A submit in flight is independent of it and has its own result.
    pub(super) fn handle_ticked(&mut self, id: AskId, result: Result<Ask, Problem>) -> Vec<Effect> {
        if !self.is_open_here(id) || self.end_notice.is_some() {
            return Vec::new();
        }
        match result {
            Ok(ask) if matches!(ask.state.phase, AskPhase::Open { .. }) => {
                self.replace_open_ask(ask);
                Vec::new()
            }
            Ok(ask) => self.handle_ended_elsewhere(ask),
            Err(problem) => self.handle_refusal(id, &problem),
        }
    }

    fn replace_open_ask(&mut self, ask: Ask) {
        if let Some(view) = self.view_of(ask.id) {
            view.ask = ask;
        }
    }

    /// Shows why the desk refused, and reads the ask again.
    fn handle_refusal(&mut self, id: AskId, problem: &Problem) -> Vec<Effect> {
        let lang = self.setup.lang;
        let is_about_answers = problem.code == ProblemCode::InvalidAnswers;
        let mut messages = if is_about_answers {
            // The lines of a problem name places of the request; these answers have their names on the review.
            vec![problem.message.render(lang)]
        } else {
            problem.render_lines(lang)
        };
        let causes = problem.causes.iter();
        let mut cause_texts: Vec<_> = causes.map(|cause| describe::own_problem_text(cause, lang)).collect();
        cause_texts.dedup();
        messages.extend(cause_texts);
        let cx = self.update_context();
        if let Some(view) = &mut self.ask_view {
            if is_about_answers {
                ending::show_answer_problems(view, problem, &cx);
            }
            view.notice = Some(messages.join(" "));
        }
        vec![Effect::Call(DeskCall::Read(id))]
    }

    /// Drops a reason that the asker or the desk now has: the ask was declined with it, or it was kept as late.
    fn drop_delivered_reason(&mut self, id: AskId, result: &Result<Ask, Problem>) {
        let is_delivered = match result {
            Ok(ask) => ask.outcome().is_some(),
            Err(problem) => problem.hint == Some(Message::TextKept.into()),
        };
        if !is_delivered {
            return;
        }
        self.decline_reasons.remove(id);
        if let Some(view) = self.view_of(id) {
            view.decline_reason.clear();
        }
    }

    /// Handles an ask that was settled here.
    fn handle_settled(&mut self, ask: Ask) -> Vec<Effect> {
        let lang = self.setup.lang;
        let presence = self.ask_view.as_ref().and_then(|view| view.asker_presence);
        let is_awaited = WaiterPresence::was_awaited(presence, &ask);
        let message = match &ask.state.phase {
            AskPhase::Settled(Outcome::Declined { .. }) => Message::DeclinedNow.plain(lang),
            AskPhase::Settled(Outcome::Expired { .. }) => Message::AskExpired.plain(lang),
            _ => describe::sent_confirmation(&ask, is_awaited, lang),
        };
        self.notice = Some(join_sentences(message, &ask, lang));
        let needs_verdict = matches!(ask.state.phase, AskPhase::Submitted { .. });
        self.awaiting_verdict = if needs_verdict { Some(ask.id) } else { None };
        let mut effects = self.close_view(PromptOutcome::Settled { ask, is_awaited });
        if let Some(id) = self.awaiting_verdict {
            // The verdict may have arrived before the reply to the submit.
            effects.push(Effect::Call(DeskCall::Read(id)));
        }
        effects
    }

    /// Replaces the sentence that announces a verdict, once the verdict has arrived.
    fn announce_verdict(&mut self, ask: &Ask) {
        let lang = self.setup.lang;
        if self.awaiting_verdict != Some(ask.id) || matches!(ask.state.phase, AskPhase::Submitted { .. }) {
            return;
        }
        self.awaiting_verdict = None;
        if let Some(notice) = &self.notice
            && notice.starts_with(Message::SentForVerdict.plain(lang))
        {
            self.notice = Some(join_sentences(describe::sent_confirmation(ask, true, lang), ask, lang));
        }
    }

    /// Handles an ask that was settled elsewhere while it was open here.
    fn handle_ended_elsewhere(&mut self, ask: Ask) -> Vec<Effect> {
        let cx = self.update_context();
        let mut effects = Vec::new();
        if let Some(view) = &mut self.ask_view {
            effects.extend(view.save_and_close(&cx).map(Effect::Call));
            effects.extend(ending::late_reason_call(view, &ask));
        }
        let message = self.describe_end(&ask);
        if self.show_end(&ask, &message) {
            return effects;
        }
        self.notice = Some(message);
        self.typing.record_closing(cx.instant());
        effects.extend(self.close_view(PromptOutcome::SettledElsewhere(ask)));
        effects
    }

    /// Leaves the open ask once all typed text is stored.
    pub(super) fn request_exit(&mut self, outcome: PromptOutcome) -> Vec<Effect> {
        let cx = self.update_context();
        if let Some(view) = &mut self.ask_view {
            view.commit_text(&cx);
            view.form.autosave.retry_now();
        }
        self.exit_pending = Some(outcome);
        Vec::new()
    }

    /// Exits because the terminal is gone or a signal arrived, even if the desk has not confirmed the last save.
    pub(super) fn exit_now(&mut self) -> Vec<Effect> {
        let cx = self.update_context();
        let mut effects = Vec::new();
        if let Some(view) = &mut self.ask_view {
            effects.extend(view.save_and_close(&cx).map(Effect::Call));
        }
        effects.push(Effect::End(self.take_shown_end().unwrap_or(PromptOutcome::Left)));
        effects
    }

    /// Stops a screen that cannot go on. Returns the last save and the problem to exit with, which names what may be
    /// lost.
    pub fn abort(&mut self, now: ClockReading, problem: Problem) -> (Option<DeskCall>, Problem) {
        self.set_now(now);
        let cx = self.update_context();
        let Some(view) = &mut self.ask_view else { return (None, problem) };
        let unsaved_problem = view.unsaved_problem(&cx);
        let save = view.save_and_close(&cx);
        let Some(unsaved_problem) = unsaved_problem else { return (save, problem) };
        (save, Problem { code: problem.code, hint: Some(problem.message), ..unsaved_problem })
    }

    /// Leaves although not all typed text is stored, and shows the person what is lost.
    pub(super) fn give_up(&mut self) -> Vec<Effect> {
        let cx = self.update_context();
        if let Some(view) = &mut self.ask_view
            && let Some(problem) = view.unsaved_problem(&cx)
        {
            return vec![Effect::Fail(problem)];
        }
        self.close_view(PromptOutcome::Interrupted)
    }

    /// Returns to the inbox, or leaves the screen.
    pub(super) fn close_view(&mut self, outcome: PromptOutcome) -> Vec<Effect> {
        self.exit_pending = None;
        self.end_notice = None;
        let Some(view) = self.ask_view.take() else { return vec![Effect::End(outcome)] };
        if outcome == PromptOutcome::Left && view.form.sheet.has_input() {
            let title = describe::excerpt(view.ask.request.questionnaire.display_name());
            self.notice = Some(Message::DraftKept.render_with(self.setup.lang, [foreign(title)]));
        }
        if matches!(outcome, PromptOutcome::Settled { .. }) {
            // After an ask was settled here, its reason is obsolete.
            self.decline_reasons.remove(view.ask.id);
        } else {
            self.decline_reasons.set(view.ask.id, ending::typed_reason(&view));
        }
        if self.setup.only_ask.is_some() || outcome == PromptOutcome::Interrupted {
            return vec![Effect::End(outcome)];
        }
        self.inbox.state_filter = StateFilter::Pending;
        self.inbox.request_list()
    }
}

/// Appends the QR code of a link to the link.
fn add_qr_code(link: &str) -> Result<String, Problem> {
    let code = QrMatrix::encode(link)?.to_half_blocks().join("\n");
    Ok(format!("{link}\n\n{code}"))
}

/// Joins what happened to an ask and what went to whom.
fn join_sentences(text: &str, ask: &Ask, lang: Lang) -> String {
    [text, &describe::sent_summary(ask, lang)].join(describe::sentence_separator(lang))
}
