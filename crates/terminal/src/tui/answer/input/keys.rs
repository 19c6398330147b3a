//! Key bindings while an ask is answered. A key has one meaning per context; only Enter and ^S on a page with a submit
//! button send anything.

use super::InputHandler;
use super::text_keys::moves_options;
use crate::tty::{Key, KeyCode};
use crate::tui::answer::reply::{choice_picks, text_input, undo};
use crate::tui::answer::{AskTab, FieldFocus, Flow, ReviewItem, ending, pagers, review, unsent};
use crate::tui::cursor_move::CursorMove;
use crate::tui::dialog::{Dialog, DialogResult};
use crate::tui::effect::Effect;
use sayso_core::{Message, Question, QuestionInput};

impl InputHandler<'_> {
    /// Handles a key. Notes first whether it may send, as a press of its own on a page that was drawn.
    pub(crate) fn handle_key(&mut self, key: Key) -> (Flow, Vec<Effect>) {
        let may_send = key.code == KeyCode::Enter || key.ctrl && key.code == KeyCode::Char('s');
        self.view.is_own_press = may_send && self.view.guard.record_press(key, self.cx.instant());
        if !may_send {
            self.view.guard.withdraw();
        }
        self.view.prepare_press(self.view.is_own_press, self.cx);
        self.dispatch_key(key)
    }

    /// Carries out a press that took effect in the meantime.
    pub(crate) fn take_due_press(&mut self) -> Vec<Effect> {
        let instant = self.cx.instant();
        if let Some(dialog) = &mut self.view.dialog {
            return match dialog.take_due(instant) {
                Some(result) => self.handle_dialog(result),
                None => Vec::new(),
            };
        }
        if self.view.guard.take_due(instant) { ending::submit(self.view, self.cx) } else { Vec::new() }
    }

    fn dispatch_key(&mut self, key: Key) -> (Flow, Vec<Effect>) {
        if let Some(dialog) = &mut self.view.dialog {
            let result = dialog.handle_key(key, self.cx.instant());
            if dialog.form_note().is_some() {
                self.view.form.autosave.record_key(self.cx.instant());
            }
            return continue_with(self.handle_dialog(result));
        }
        self.view.notice = None;
        if self.is_too_early(key) || self.read_on(key) || self.reveal_focus(key) {
            return continue_with(Vec::new());
        }
        if let Some(effects) = self.handle_text_key(key) {
            return continue_with(effects);
        }
        if let Some(effects) = self.handle_navigation_key(key) {
            return continue_with(effects);
        }
        match key.code {
            KeyCode::Esc if text_input::is_filtered(self.view) => {
                if let AskTab::Question(place) = self.view.tab {
                    choice_picks::clear_filter(self.view, place);
                }
            }
            KeyCode::Esc => {
                self.view.commit_text(self.cx);
                self.view.form.autosave.retry_now();
                return (Flow::Leave, Vec::new());
            }
            KeyCode::Char('s') if key.ctrl => {
                self.view.commit_text(self.cx);
                match self.view.lone_place() {
                    _ if self.view.tab == AskTab::Review => self.press_submit(),
                    Some(place) if self.view.form.sheet.reply_at(place).answer().is_some() => {
                        self.view.advance(self.cx);
                    }
                    _ => self.view.go_to(AskTab::Review, self.cx),
                }
            }
            KeyCode::Char('g') if key.ctrl => {
                return continue_with(text_input::open_editor(self.view, self.cx));
            }
            KeyCode::Char('_' | '7' | '/') if key.ctrl => undo::undo(self.view, self.cx),
            KeyCode::Char('_') if key.alt => undo::redo(self.view, self.cx),
            KeyCode::Char('R') if !key.ctrl && !key.alt => self.accept_suggestions(),
            _ => {
                return match self.view.tab {
                    AskTab::Question(place) => {
                        let is_filtering = self.view.form.focus(place) == FieldFocus::Filter;
                        if self.view.is_typing() && !(is_filtering && moves_options(key)) {
                            return continue_with(Vec::new());
                        }
                        continue_with(self.handle_question_key(place, key))
                    }
                    AskTab::Review => continue_with(self.handle_review_key(key)),
                };
            }
        }
        continue_with(Vec::new())
    }

    /// Returns whether a key came before the person can have read what appeared; such a key does not answer it.
    fn is_too_early(&self, key: Key) -> bool {
        let answers = matches!(key.code, KeyCode::Enter | KeyCode::Char(_)) && !key.ctrl && !key.alt;
        answers && self.view.is_settling(self.cx)
    }

    /// Handles the keys of a page that must be read: its first and last line, and the next lines instead of an answer
    /// before all were drawn. `Y` answers without them, and a no needs none.
    fn read_on(&mut self, key: Key) -> bool {
        let Some(place) = self.view.tab.question_place() else { return false };
        if !self.view.must_read(place) || self.view.is_typing() || key.ctrl || key.alt {
            return false;
        }
        match key.code {
            KeyCode::Home => self.view.scroll.show_row(0),
            KeyCode::End => self.view.scroll.show_row(self.view.scroll.viewport().max_offset),
            KeyCode::Char('Y') => {
                self.view.waive_reading(place);
                return false;
            }
            _ if self.waits_for_reading(place, key) => self.view.read_on(place, self.cx),
            _ => return false,
        }
        true
    }

    /// Returns whether a key would answer before the lines above the answer were drawn.
    fn waits_for_reading(&self, place: usize, key: Key) -> bool {
        let input = self.view.form.question(place).map(Question::input);
        let is_confirm = matches!(input, Some(QuestionInput::Toggle(_)));
        let answers = match (key.code, is_confirm) {
            (KeyCode::Enter, _) => {
                return self.view.waits_for_reading(place, Some(self.view.form.sheet.reply_at(place)));
            }
            (KeyCode::Char(' ' | 'R'), _)
            | (KeyCode::Char('y' | 'h' | '1') | KeyCode::Left, true)
            | (KeyCode::Char('0'..='9' | 'x' | 'a'), false) => true,
            _ => false,
        };
        answers && self.view.is_unread(place)
    }

    /// Scrolls to the focused element if it is off screen; only then do keys act on it. Letters typed into a text
    /// scroll by themselves.
    fn reveal_focus(&mut self, key: Key) -> bool {
        let Some((place, question)) = self.view.current_question() else { return false };
        let viewport = self.view.scroll.viewport();
        if !viewport.hides_focus || key.ctrl || key.alt {
            return false;
        }
        let is_typing = self.view.is_typing();
        let is_scale =
            !is_typing && matches!(question.input(), QuestionInput::Toggle(_) | QuestionInput::Scale(_));
        // Yes and no are keys of the whole page.
        if self.view.must_read(place) && matches!(key.code, KeyCode::Char('y' | 'Y' | 'n')) {
            self.view.scroll.show_focus();
            return false;
        }
        match key.code {
            KeyCode::Up if viewport.offset > 0 => self.view.scroll.move_by(-1),
            KeyCode::Down if viewport.offset < viewport.max_offset => self.view.scroll.move_by(1),
            KeyCode::Home if !is_typing => self.view.scroll.show_row(0),
            KeyCode::Up | KeyCode::Down | KeyCode::Enter | KeyCode::Home | KeyCode::End => {
                self.view.scroll.show_focus();
            }
            KeyCode::Left | KeyCode::Right | KeyCode::Backspace if is_scale => {
                self.view.scroll.show_focus();
            }
            KeyCode::Char(_) if !is_typing => self.view.scroll.show_focus(),
            _ => return false,
        }
        true
    }

    /// Handles keys that change the tab or scroll.
    fn handle_navigation_key(&mut self, key: Key) -> Option<Vec<Effect>> {
        match key.code {
            KeyCode::Tab => self.view.next_tab(self.cx),
            KeyCode::BackTab => self.view.previous_tab(self.cx),
            KeyCode::Char('0') if key.alt => self.view.go_to(AskTab::Review, self.cx),
            KeyCode::Char(c @ '1'..='9') if key.alt => {
                self.view.go_to_index(usize::from(c as u8 - b'1'), self.cx);
            }
            KeyCode::PageDown => self.view.scroll.move_by_pages(1),
            KeyCode::PageUp if self.view.scroll.cuts_context_above() => pagers::show_context(self.view),
            KeyCode::PageUp => self.view.scroll.move_by_pages(-1),
            _ => return None,
        }
        Some(Vec::new())
    }

    fn handle_dialog(&mut self, result: DialogResult) -> Vec<Effect> {
        if result == DialogResult::Stay {
            return Vec::new();
        }
        // The reason appears again when the dialog reopens, and is reported if it never does.
        self.view.decline_reason = ending::typed_reason(self.view).to_owned();
        if matches!(self.view.dialog, Some(Dialog::Note(_))) {
            self.view.commit_text(self.cx);
        }
        let dialog = self.view.dialog.take();
        match (result, dialog) {
            (DialogResult::Decline(reason), _) => return ending::decline(self.view, reason, self.cx),
            (_, Some(Dialog::Note(form))) => self.view.note_text = Some(form.text),
            (DialogResult::Jump(at), Some(Dialog::Jump(form))) => {
                self.view.jump_to(form.query.text(), at, self.cx);
            }
            _ => {}
        }
        Vec::new()
    }

    fn accept_suggestions(&mut self) {
        let count = self.view.fill_in_suggestions(self.cx);
        let message = if count == 0 { Message::NoSuggestions } else { Message::SuggestionsTaken };
        self.view.notice = Some(message.render_with(self.cx.lang, [count]));
    }

    fn handle_review_key(&mut self, key: Key) -> Vec<Effect> {
        if !key.is_unmodified() {
            return Vec::new();
        }
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => review::move_row(self.view, CursorMove::Up(1)),
            KeyCode::Down | KeyCode::Char('j') => review::move_row(self.view, CursorMove::Down(1)),
            KeyCode::Home => review::move_row(self.view, CursorMove::First),
            KeyCode::End | KeyCode::Char('G') => review::move_row(self.view, CursorMove::Last),
            KeyCode::Char('g') => self.view.dialog = Some(Dialog::jump()),
            KeyCode::Char('d') => ending::confirm_decline(self.view, self.cx),
            KeyCode::Char('v') => unsent::view_unsent(self.view, self.cx),
            KeyCode::Char('c') => return unsent::copy_unsent(self.view, self.cx),
            KeyCode::Char('o') => unsent::pick_unsent(self.view, self.cx),
            KeyCode::Char('p') => pagers::view_action(self.view),
            KeyCode::Char('n') => review::edit_form_note(self.view),
            KeyCode::Enter => self.activate_row(),
            _ => {}
        }
        Vec::new()
    }

    /// Activates a row of the review by Enter or the mouse.
    pub(super) fn activate_row(&mut self) {
        let is_deliberate = self.view.is_own_press && self.view.guard.is_live(self.cx.instant());
        match review::focused_item(self.view) {
            Some(ReviewItem::Problem { place: Some(place), .. } | ReviewItem::Question(place))
                if is_deliberate =>
            {
                review::open_from_review(self.view, place, self.cx);
            }
            Some(ReviewItem::Dormant(_) | ReviewItem::Aside(_)) => unsent::view_unsent(self.view, self.cx),
            Some(ReviewItem::Note) if is_deliberate => review::edit_form_note(self.view),
            Some(ReviewItem::Submit) => self.press_submit(),
            Some(ReviewItem::Decline) if is_deliberate => ending::confirm_decline(self.view, self.cx),
            _ => {}
        }
    }

    /// Presses the submit button of the review. A press in passing does nothing, and says nothing.
    fn press_submit(&mut self) {
        if self.view.is_own_press && !self.view.scroll.is_new_page() {
            self.view.guard.arm(self.cx.instant());
        }
    }
}

fn continue_with(effects: Vec<Effect>) -> (Flow, Vec<Effect>) {
    (Flow::Continue, effects)
}
