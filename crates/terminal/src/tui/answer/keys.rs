//! Key bindings while an ask is answered. A key has one meaning per context; only Enter and ^S on a page with a submit
//! button send anything.

use super::super::dialog::{Dialog, DialogResult};
use super::super::effect::Effect;
use super::reply::moves_options;
use super::{AskTab, AskView, FieldFocus, Flow, ReviewItem, UpdateContext};
use crate::tty::{Key, KeyCode};
use sayso_core::{Message, QuestionKind};

impl AskView {
    /// Handles a key.
    pub(crate) fn handle_key(&mut self, key: Key, cx: &UpdateContext) -> (Flow, Vec<Effect>) {
        let may_send = key.code == KeyCode::Enter || key.ctrl && key.code == KeyCode::Char('s');
        self.is_own_press = may_send && self.guard.record_press(key, cx.instant());
        if !may_send {
            self.guard.withdraw();
        }
        self.prepare_press(self.is_own_press, cx);
        self.dispatch_key(key, cx)
    }

    /// Withdraws a press of the submit button, because something else was typed, pasted or clicked.
    pub(crate) const fn withdraw_press(&mut self) {
        self.guard.withdraw();
        if let Some(dialog) = &mut self.dialog {
            dialog.withdraw_press();
        }
    }

    /// Carries out a press that took effect in the meantime.
    pub(crate) fn take_due_press(&mut self, cx: &UpdateContext) -> Vec<Effect> {
        let now = cx.instant();
        if let Some(dialog) = &mut self.dialog {
            return dialog.take_due(now).map_or_else(Vec::new, |result| self.handle_dialog(result, cx));
        }
        if self.guard.take_due(now) { self.submit(cx) } else { Vec::new() }
    }

    fn dispatch_key(&mut self, key: Key, cx: &UpdateContext) -> (Flow, Vec<Effect>) {
        if let Some(dialog) = &mut self.dialog {
            let text = dialog.handle_key(key, cx.instant());
            return continue_with(self.handle_dialog(text, cx));
        }
        self.notice = None;
        if self.is_too_early(key, cx) || self.reveal_action(key, cx) || self.reveal_focus(key) {
            return continue_with(Vec::new());
        }
        if let Some(effects) = self.handle_text_key(key, cx) {
            return continue_with(effects);
        }
        if let Some(effects) = self.handle_navigation_key(key, cx) {
            return continue_with(effects);
        }
        match key.code {
            KeyCode::Esc if self.is_filtered() => {
                self.tab.question_place().into_iter().for_each(|place| self.clear_filter(place));
            }
            KeyCode::Esc => {
                self.commit_text(cx);
                self.form.autosave.retry_now();
                return (Flow::Leave, Vec::new());
            }
            KeyCode::Char('s') if key.ctrl => {
                self.commit_text(cx);
                match self.lone_place() {
                    _ if self.tab == AskTab::Review => self.press_submit(cx),
                    Some(place) if self.form.sheet.reply_at(place).answer().is_some() => self.advance(cx),
                    _ => self.go_to(AskTab::Review, cx),
                }
            }
            KeyCode::Char('g') if key.ctrl => return continue_with(self.open_editor(cx)),
            KeyCode::Char('_' | '7' | '/') if key.ctrl => self.undo(cx),
            KeyCode::Char('_') if key.alt => self.redo(cx),
            KeyCode::Char('R') if !key.ctrl && !key.alt => self.accept_suggestions(cx),
            _ => {
                let is_looking = self.current_field().is_some_and(|field| field.focus == FieldFocus::Filter);
                if self.is_typing() && !(is_looking && moves_options(key)) {
                    return continue_with(Vec::new());
                }
                return match self.tab {
                    AskTab::Question(place) => continue_with(self.handle_question_key(place, key, cx)),
                    AskTab::Review => continue_with(self.handle_review_key(key, cx)),
                };
            }
        }
        continue_with(Vec::new())
    }

    /// Returns whether a key came before the person can have read what appeared; such a key does not answer it.
    fn is_too_early(&self, key: Key, cx: &UpdateContext) -> bool {
        let answers = matches!(key.code, KeyCode::Enter | KeyCode::Char(_)) && !key.ctrl && !key.alt;
        answers && self.is_settling(cx)
    }

    /// Returns whether the ask opened by itself a moment ago.
    pub(super) fn is_settling(&self, cx: &UpdateContext) -> bool {
        cx.instant() < self.accepts_keys_at
    }

    /// Scrolls on if a key would answer before the action above the question was shown to its end.
    fn reveal_action(&mut self, key: Key, cx: &UpdateContext) -> bool {
        if self.action_seen || !self.shows_action() || self.is_typing() || key.ctrl || key.alt {
            return false;
        }
        let is_confirm = matches!(
            self.current_question().map(|(_, question)| &question.kind),
            Some(QuestionKind::Confirm(_))
        );
        let answers = match key.code {
            KeyCode::Enter | KeyCode::Char(' ' | '0'..='9' | 'x' | 'a' | 'R') => true,
            KeyCode::Char('y' | 'n' | 'h' | 'l') | KeyCode::Left | KeyCode::Right => is_confirm,
            _ => false,
        };
        if answers {
            self.scroll.move_by_pages(1);
            self.notice = Some(Message::ActionUnread.plain(cx.lang).to_owned());
        }
        answers
    }

    /// Scrolls to the focused element if it is off screen; only then do keys act on it. Letters typed into a text
    /// scroll by themselves.
    fn reveal_focus(&mut self, key: Key) -> bool {
        let is_question = self.tab.question_place().is_some();
        let viewport = self.scroll.viewport();
        if !is_question || !viewport.hides_focus || key.ctrl || key.alt {
            return false;
        }
        // Yes and no are keys of the whole page, below an action that was shown to its end.
        if self.shows_action() && matches!(key.code, KeyCode::Char('y' | 'n')) {
            self.scroll.show_focus();
            return false;
        }
        let is_scale = self.current_question().is_some_and(|(_, question)| {
            matches!(question.kind, QuestionKind::Confirm(_) | QuestionKind::Rating(_)) && !self.is_typing()
        });
        match key.code {
            KeyCode::Up if viewport.offset > 0 => self.scroll.move_by(-1),
            KeyCode::Down if viewport.offset < viewport.max_offset => self.scroll.move_by(1),
            KeyCode::Up | KeyCode::Down | KeyCode::Enter | KeyCode::Home | KeyCode::End => {
                self.scroll.show_focus();
            }
            KeyCode::Left | KeyCode::Right | KeyCode::Backspace if is_scale => {
                self.scroll.show_focus();
            }
            KeyCode::Char(_) if !self.is_typing() => self.scroll.show_focus(),
            _ => return false,
        }
        true
    }

    /// Handles keys that change the tab or scroll.
    fn handle_navigation_key(&mut self, key: Key, cx: &UpdateContext) -> Option<Vec<Effect>> {
        match key.code {
            KeyCode::Tab => self.next_tab(cx),
            KeyCode::BackTab => self.previous_tab(cx),
            KeyCode::Char('0') if key.alt => self.go_to(AskTab::Review, cx),
            KeyCode::Char(c @ '1'..='9') if key.alt => {
                self.go_to_index(usize::from(c as u8 - b'1'), cx);
            }
            KeyCode::PageDown => self.scroll.move_by_pages(1),
            KeyCode::PageUp if self.scroll.cuts_context_above() => self.show_context(),
            KeyCode::PageUp => self.scroll.move_by_pages(-1),
            _ => return None,
        }
        Some(Vec::new())
    }

    fn handle_dialog(&mut self, result: DialogResult, cx: &UpdateContext) -> Vec<Effect> {
        if result == DialogResult::Stay {
            return Vec::new();
        }
        // The reason appears again when the dialog reopens, and is reported if it never does.
        self.decline_reason = self.typed_reason().to_owned();
        let closed = self.dialog.take();
        match (result, closed) {
            (DialogResult::Decline(reason), _) => return self.decline(reason, cx),
            (DialogResult::Jump(at), Some(Dialog::Jump(form))) => {
                self.jump_to(form.query.text(), at, cx);
            }
            _ => {}
        }
        Vec::new()
    }

    fn accept_suggestions(&mut self, cx: &UpdateContext) {
        let taken = self.fill_in_suggestions(cx);
        let message = if taken == 0 { Message::NoSuggestions } else { Message::SuggestionsTaken };
        self.notice = Some(message.render_with(cx.lang, [taken]));
    }

    fn handle_review_key(&mut self, key: Key, cx: &UpdateContext) -> Vec<Effect> {
        if !key.is_unmodified() {
            return Vec::new();
        }
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => self.move_row(|at, _| at.saturating_sub(1)),
            KeyCode::Down | KeyCode::Char('j') => self.move_row(|at, _| at + 1),
            KeyCode::Home => self.move_row(|_, _| 0),
            KeyCode::End | KeyCode::Char('G') => self.move_row(|_, last| last),
            KeyCode::Char('g') => self.dialog = Some(Dialog::jump()),
            KeyCode::Char('d') => self.confirm_decline(cx),
            KeyCode::Char('v') => self.view_unsent(cx),
            KeyCode::Char('c') => return self.copy_unsent(cx),
            KeyCode::Char('o') => self.pick_unsent(cx),
            KeyCode::Char('p') => self.view_action(),
            KeyCode::Enter => self.activate_row(cx),
            _ => {}
        }
        Vec::new()
    }

    /// Activates a row of the review by Enter or the mouse.
    pub(super) fn activate_row(&mut self, cx: &UpdateContext) {
        let is_deliberate = self.is_own_press && self.guard.is_live(cx.instant());
        match self.focused_item() {
            Some(ReviewItem::Problem { place: Some(place), .. } | ReviewItem::Question(place))
                if is_deliberate =>
            {
                self.open_from_review(place, cx);
            }
            Some(ReviewItem::Dormant(_) | ReviewItem::Aside(_)) => self.view_unsent(cx),
            Some(ReviewItem::Submit) => self.press_submit(cx),
            Some(ReviewItem::Decline) if is_deliberate => self.confirm_decline(cx),
            _ => {}
        }
    }

    /// Presses the submit button of the review. A press in passing does nothing, and says nothing.
    fn press_submit(&mut self, cx: &UpdateContext) {
        if self.is_own_press && !self.scroll.is_new_page() {
            self.guard.arm(cx.instant());
        }
    }
}

fn continue_with(effects: Vec<Effect>) -> (Flow, Vec<Effect>) {
    (Flow::Continue, effects)
}
