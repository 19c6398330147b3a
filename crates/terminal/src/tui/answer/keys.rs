//! Key bindings while an ask is answered. A key has one meaning per context; only Enter and ^S at the review send
//! anything.

use super::super::dialog::{Dialog, DialogResult, Pager, QuotedText};
use super::super::effect::Effect;
use super::text_input::moves_options;
use super::{AskTab, AskView, FieldFocus, Flow, ReviewItem, UpdateContext};
use crate::describe;
use crate::tty::{Key, KeyCode};
use sayso_core::{Message, QuestionKind, display};

impl AskView {
    /// Handles a key.
    pub(crate) fn handle_key(&mut self, key: Key, cx: &UpdateContext) -> (Flow, Vec<Effect>) {
        let sends = key.code == KeyCode::Enter || key.ctrl && key.code == KeyCode::Char('s');
        let before = self.tab;
        let answer = self.dispatch_key(key, cx);
        self.key_guard.record_key(sends, self.tab != before, cx.instant());
        answer
    }

    fn dispatch_key(&mut self, key: Key, cx: &UpdateContext) -> (Flow, Vec<Effect>) {
        if let Some(dialog) = &mut self.dialog {
            let said = dialog.handle_key(key);
            return self.handle_dialog(said, cx);
        }
        self.notice = None;
        if self.is_too_early(key, cx) {
            return continue_with(Vec::new());
        }
        if self.reveal_focus(key) {
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
                self.autosave.retry_now();
                self.dialog = Some(Dialog::Leave { at: 0 });
                return continue_with(Vec::new());
            }
            KeyCode::Char('s') if key.ctrl => {
                if self.tab == AskTab::Review {
                    return continue_with(self.submit_by_key(key, cx));
                }
                self.go_to(AskTab::Review, cx);
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
                    AskTab::Action => {
                        if key.code == KeyCode::Enter && key.is_unmodified() {
                            self.next_tab(cx);
                        }
                        continue_with(Vec::new())
                    }
                };
            }
        }
        continue_with(Vec::new())
    }

    /// Returns whether a key came before the person can have read what appeared; such a key does not answer it.
    fn is_too_early(&self, key: Key, cx: &UpdateContext) -> bool {
        let answers = matches!(key.code, KeyCode::Enter | KeyCode::Char(_)) && !key.ctrl;
        answers && self.key_guard.is_settling(cx.instant())
    }

    /// Scrolls to the focused element if it is off screen; only then do keys act on it. Letters typed into a text
    /// scroll by themselves.
    fn reveal_focus(&mut self, key: Key) -> bool {
        let is_question = self.tab.question_place().is_some();
        let viewport = self.scroll.viewport();
        if !is_question || !viewport.hides_focus || key.ctrl || key.alt {
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
            KeyCode::PageUp => self.scroll.move_by_pages(-1),
            _ => return None,
        }
        Some(Vec::new())
    }

    fn handle_dialog(&mut self, said: DialogResult, cx: &UpdateContext) -> (Flow, Vec<Effect>) {
        if said == DialogResult::Stay {
            return continue_with(Vec::new());
        }
        // The reason appears again when the dialog reopens, and is reported if it never does.
        self.decline_reason = self.typed_reason().to_owned();
        match said {
            DialogResult::Stay => {}
            DialogResult::Close => self.dialog = None,
            DialogResult::Leave => {
                self.dialog = None;
                return (Flow::Leave, Vec::new());
            }
            DialogResult::ConfirmDecline => self.confirm_decline(),
            DialogResult::Decline(reason) => {
                self.dialog = None;
                return continue_with(self.decline(reason, cx));
            }
        }
        continue_with(Vec::new())
    }

    fn accept_suggestions(&mut self, cx: &UpdateContext) {
        let taken = self.fill_in_suggestions(cx);
        let said = if taken == 0 { Message::NoSuggestions } else { Message::SuggestionsTaken };
        self.notice = Some(said.render_with(cx.lang, [taken]));
    }

    fn handle_review_key(&mut self, key: Key, cx: &UpdateContext) -> Vec<Effect> {
        if !key.is_unmodified() {
            return Vec::new();
        }
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => self.move_row(|at, _| at.saturating_sub(1)),
            KeyCode::Down | KeyCode::Char('j') => self.move_row(|at, _| at + 1),
            KeyCode::Home | KeyCode::Char('g') => self.move_row(|_, _| 0),
            KeyCode::End | KeyCode::Char('G') => self.move_row(|_, last| last),
            KeyCode::Char('d') => self.confirm_decline(),
            KeyCode::Char('v') => self.view_unsent(cx),
            KeyCode::Char('c') => return self.copy_unsent(cx),
            KeyCode::Enter => return self.activate_row(key, cx),
            _ => {}
        }
        Vec::new()
    }

    /// Activates a row of the review by Enter or the mouse.
    pub(crate) fn activate_row(&mut self, key: Key, cx: &UpdateContext) -> Vec<Effect> {
        match self.focused_item() {
            Some(ReviewItem::Problem { place: Some(place), .. } | ReviewItem::Question(place))
                if !key.repeat && self.key_guard.is_deliberate(cx.instant()) =>
            {
                self.open_from_review(place, cx);
            }
            Some(ReviewItem::Dormant(_) | ReviewItem::Aside(_)) => self.view_unsent(cx),
            Some(ReviewItem::Submit) => return self.submit_by_key(key, cx),
            Some(ReviewItem::Decline) if self.key_guard.is_deliberate(cx.instant()) && !key.repeat => {
                self.confirm_decline();
            }
            _ => {}
        }
        Vec::new()
    }

    fn submit_by_key(&mut self, key: Key, cx: &UpdateContext) -> Vec<Effect> {
        if key.repeat || !self.key_guard.is_deliberate(cx.instant()) {
            if !self.is_sending {
                let problems = self.sheet.problems().len();
                self.notice = Some(match problems {
                    0 if !self.action_seen => Message::ActionUnread.plain(cx.lang).to_owned(),
                    0 => Message::SentTooSoon.plain(cx.lang).to_owned(),
                    _ => describe::count_message(
                        Message::BlockedOne,
                        Message::Blocked,
                        problems as u64,
                        cx.lang,
                    ),
                });
            }
            return Vec::new();
        }
        self.submit(cx)
    }

    /// Returns the question's name and the whole text of the focused row that will not be sent.
    fn unsent_text(&self, cx: &UpdateContext) -> Option<(String, String)> {
        let (place, text) = match self.focused_item()? {
            ReviewItem::Dormant(place) => {
                let question = self.question(place)?;
                let reply = self.sheet.reply_at(place);
                let words = reply
                    .answer()
                    .map(|answer| sayso_core::i18n::describe_answer::describe(question, answer, cx.lang));
                (place, words.map(std::borrow::Cow::into_owned).or_else(|| reply.note.clone())?)
            }
            ReviewItem::Aside(place) => (place, self.unpicked_own_answer(place)?.to_owned()),
            _ => return None,
        };
        Some((display::escape_line(self.question(place)?.display_name()).into_owned(), text))
    }

    fn view_unsent(&mut self, cx: &UpdateContext) {
        if let Some((name, text)) = self.unsent_text(cx) {
            let theirs = QuotedText::Text(format!("{name}\n\n{text}"));
            self.dialog = Some(Dialog::Pager(Pager::new(Message::UnsentTitle, String::new(), theirs)));
        }
    }

    fn copy_unsent(&mut self, cx: &UpdateContext) -> Vec<Effect> {
        let Some((_, text)) = self.unsent_text(cx) else { return Vec::new() };
        self.notice = Some(Message::Copied.plain(cx.lang).to_owned());
        vec![Effect::Copy(text)]
    }
}

fn continue_with(effects: Vec<Effect>) -> (Flow, Vec<Effect>) {
    (Flow::Continue, effects)
}
