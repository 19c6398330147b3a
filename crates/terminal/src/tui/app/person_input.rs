//! Input of the person: keys, pastes and the mouse.

use super::super::answer::reply::text_input;
use super::super::answer::{AskView, Flow, InputHandler};
use super::super::cursor_move::CursorMove;
use super::super::dialog::{Dialog, DialogResult, Pager, QuotedText};
use super::super::effect::{DeskCall, Effect};
use super::super::inbox::InboxRequest;
use super::super::view;
use super::super::widgets::line_builder::HitTarget;
use super::App;
use crate::surface::PromptOutcome;
use crate::tty::{InputEvent, Key, KeyCode, MouseEvent, MouseKind};
use crate::{describe, sending};
use sayso_core::{AskCommand, AskId, Message, QuestionInput};

impl App {
    pub(super) fn handle_input(&mut self, input: InputEvent) -> Vec<Effect> {
        match input {
            InputEvent::Key(key) => {
                self.record_key();
                self.handle_key(key)
            }
            InputEvent::Paste(pasted) => {
                self.record_key();
                self.withdraw_press();
                self.handle_paste(&pasted)
            }
            InputEvent::Mouse(mouse) => self.handle_mouse(mouse),
            InputEvent::Resize(columns, rows) => {
                self.size = (columns, rows);
                Vec::new()
            }
            InputEvent::Focus(_) => Vec::new(),
        }
    }

    fn handle_key(&mut self, key: Key) -> Vec<Effect> {
        let cx = self.update_context();
        if key.ctrl {
            match key.code {
                KeyCode::Char('c') => return self.interrupt(),
                KeyCode::Char('z') => return self.suspend(),
                KeyCode::Char('l') => return vec![Effect::Redraw],
                _ => {}
            }
        }
        self.interrupted = false;
        if key.code != KeyCode::Enter && !(key.ctrl && key.code == KeyCode::Char('s')) {
            self.withdraw_press();
        }
        if self.end_notice.is_some() {
            return self.handle_end_key(key);
        }
        // Keys typed for the ask that just closed do not apply to the view behind it.
        if self.typing.is_stray(key.code == KeyCode::Esc, cx.instant()) {
            return Vec::new();
        }
        self.notice = None;
        // On a screen too small to show anything, only letters of a text count.
        let is_typing = self.ask_view.as_ref().map_or(self.inbox.is_filtering, AskView::is_typing);
        let types = is_typing && (key.typed_char().is_some() || key.code == KeyCode::Backspace);
        if view::is_too_small(self.size) && !types {
            return Vec::new();
        }
        if self.overlay.is_some() {
            return self.handle_overlay_key(key);
        }
        let is_help = key.code == KeyCode::F(1) || key.typed_char() == Some('?');
        if is_help && (key.code == KeyCode::F(1) || !is_typing) {
            let help = Pager::new(Message::HelpTitle, self.help_text(), QuotedText::Empty);
            self.overlay = Some((None, Dialog::Pager(help)));
            return Vec::new();
        }
        if self.ask_view.is_none() && self.opening.is_active() {
            // Keys typed before the ask appears go neither to the list nor to the ask.
            if key.code == KeyCode::Esc && self.setup.only_ask.is_none() {
                self.opening.end();
            }
            return Vec::new();
        }
        if let Some(view) = &mut self.ask_view {
            let earlier_notice = view.notice.clone();
            let (flow, mut effects) = InputHandler::new(view, &cx).handle_key(key);
            if flow == Flow::Leave {
                effects.extend(self.leave_by_escape(earlier_notice.as_deref()));
            }
            return effects;
        }
        self.handle_inbox_key(key)
    }

    fn handle_overlay_key(&mut self, key: Key) -> Vec<Effect> {
        let Some((id, dialog)) = &mut self.overlay else { return Vec::new() };
        let id = *id;
        let result = dialog.handle_key(key, self.monotonic);
        if let (Some(id), Some(reason)) = (id, dialog.reason()) {
            self.decline_reasons.set(id, reason);
        }
        self.handle_overlay(id, result)
    }

    fn handle_inbox_key(&mut self, key: Key) -> Vec<Effect> {
        let (request, mut effects) = self.inbox.handle_key(key);
        match request {
            InboxRequest::Nothing => {}
            InboxRequest::Open(id) => effects.push(self.opening.begin(id)),
            InboxRequest::Decline(id) => {
                let reason = self.decline_reasons.get(id);
                self.overlay = Some((Some(id), Dialog::decline(reason, self.monotonic)));
            }
            InboxRequest::Link(id) => effects.push(Effect::FindLink(id)),
            InboxRequest::Quit => effects.push(Effect::End(PromptOutcome::Left)),
        }
        effects
    }

    /// Goes back to the list. Without one Esc would end the program, so there it counts only after it was announced.
    fn leave_by_escape(&mut self, notice: Option<&str>) -> Vec<Effect> {
        let promise = match &self.ask_view {
            Some(view) if view.ask.state.presence.is_waiting(self.setup.is_running) => {
                Message::EscapeAgainWaiting
            }
            _ => Message::EscapeAgain,
        };
        let promise = promise.plain(self.setup.lang);
        if self.setup.only_ask.is_some() && notice != Some(promise) {
            if let Some(view) = &mut self.ask_view {
                view.notice = Some(promise.to_owned());
            }
            return Vec::new();
        }
        self.request_exit(PromptOutcome::Left)
    }

    /// Withdraws a press of a button that has not taken effect.
    fn withdraw_press(&mut self) {
        if let Some((_, dialog)) = &mut self.overlay {
            dialog.withdraw_press();
        }
        if let Some(view) = &mut self.ask_view {
            view.withdraw_press();
        }
    }

    pub(super) fn handle_overlay(&mut self, id: Option<AskId>, result: DialogResult) -> Vec<Effect> {
        match (result, id) {
            (DialogResult::Stay, _) => return Vec::new(),
            (DialogResult::Decline(reason), Some(id)) => {
                self.overlay = None;
                if let Some(ask) = &self.inbox.preview
                    && ask.id == id
                {
                    let key = sending::idempotency_key(ask, "decline", reason.as_deref().unwrap_or_default());
                    let command = AskCommand::Decline { reason, shown: ask.request.digest };
                    self.declines_in_flight.insert(id);
                    return vec![Effect::Call(DeskCall::Act { id, key, command })];
                }
                self.notice = Some(Message::DeclinedNothing.plain(self.setup.lang).to_owned());
            }
            _ => self.overlay = None,
        }
        Vec::new()
    }

    /// Returns the keys of the page: of the inbox, of the kind of question, or of the review.
    fn help_text(&self) -> String {
        let Some(view) = &self.ask_view else { return Message::HelpInbox.plain(self.setup.lang).to_owned() };
        let mut messages = vec![Message::HelpAnswering];
        match view.current_question() {
            None => messages.push(Message::HelpReviewKeys),
            Some((_, question)) => {
                match question.input() {
                    QuestionInput::Options(_) => messages.push(Message::HelpOptionKeys),
                    QuestionInput::Toggle(_) | QuestionInput::Scale(_) => {
                        messages.push(Message::HelpScaleKeys);
                    }
                    QuestionInput::Line(_) => {}
                }
                messages.extend([Message::HelpTextKeys, Message::HelpOutsideTextKeys]);
            }
        }
        let texts: Vec<_> = messages.iter().map(|message| message.plain(self.setup.lang)).collect();
        texts.join("\n\n")
    }

    fn handle_paste(&mut self, pasted: &str) -> Vec<Effect> {
        let cx = self.update_context();
        if self.end_notice.is_some() {
            return Vec::new();
        }
        match (&mut self.overlay, &mut self.ask_view) {
            (Some((id, dialog)), _) => {
                if let Err(problem) = dialog.paste(pasted) {
                    self.notice = Some(describe::problem_text(&problem, cx.lang));
                }
                if let (Some(id), Some(reason)) = (id, dialog.reason()) {
                    self.decline_reasons.set(*id, reason);
                }
            }
            (None, Some(view)) => text_input::paste(view, pasted, &cx),
            (None, None) => return self.inbox.paste(pasted),
        }
        Vec::new()
    }

    fn interrupt(&mut self) -> Vec<Effect> {
        if self.setup.only_ask.is_some() && self.end_notice.is_some() {
            return self.leave_shown_end();
        }
        let lang = self.setup.lang;
        let mut is_stuck = false;
        let mut status_line = &mut self.notice;
        let mut message = Message::InterruptList;
        if let Some(view) = &mut self.ask_view {
            is_stuck = view.is_stuck(self.monotonic);
            status_line = &mut view.notice;
            message = if is_stuck { Message::NotStoredYet } else { Message::InterruptAgain };
        }
        // A second ^C leaves only while the status line announces that it will; after another message it counts as the
        // first.
        let promises = [Message::NotStoredYet, Message::InterruptAgain, Message::InterruptList];
        let is_announced = promises.iter().any(|promise| status_line.as_deref() == Some(promise.plain(lang)));
        let is_second = std::mem::replace(&mut self.interrupted, true) && is_announced;
        if !is_second {
            *status_line = Some(message.plain(lang).to_owned());
            return Vec::new();
        }
        if is_stuck { self.give_up() } else { self.request_exit(PromptOutcome::Interrupted) }
    }

    fn suspend(&mut self) -> Vec<Effect> {
        let cx = self.update_context();
        if let Some(view) = &mut self.ask_view {
            view.commit_text(&cx);
        }
        self.suspend_pending = true;
        Vec::new()
    }

    fn handle_mouse(&mut self, mouse: MouseEvent) -> Vec<Effect> {
        let cx = self.update_context();
        let rows = match mouse.kind {
            MouseKind::WheelUp => -3,
            MouseKind::WheelDown => 3,
            MouseKind::Press => 0,
        };
        if rows != 0 {
            if let Some((_, dialog)) = &mut self.overlay {
                dialog.scroll_by(rows);
                return Vec::new();
            }
            return match &mut self.ask_view {
                Some(AskView { dialog: Some(dialog), .. }) => {
                    dialog.scroll_by(rows);
                    Vec::new()
                }
                Some(view) => {
                    view.scroll.move_by(rows);
                    Vec::new()
                }
                None => self.inbox.move_selection(CursorMove::by(rows)),
            };
        }
        let Some(hit) = self.last_frame.hit_target(mouse.column, mouse.row) else { return Vec::new() };
        if view::is_too_small(self.size) || self.overlay.is_some() {
            return Vec::new();
        }
        self.withdraw_press();
        match (&mut self.ask_view, hit) {
            (Some(view), hit) => {
                InputHandler::new(view, &cx).handle_click(hit, usize::from(mouse.column));
                Vec::new()
            }
            (None, HitTarget::Item(row)) if row == self.inbox.selected_index() => {
                match self.inbox.selected_ask() {
                    Some(id) => vec![self.opening.begin(id)],
                    None => Vec::new(),
                }
            }
            (None, HitTarget::Item(row)) => self.inbox.move_selection(CursorMove::To(row)),
            (None, _) => Vec::new(),
        }
    }
}
