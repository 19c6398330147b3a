//! Command keys at a question, for as long as letters are commands.

use super::super::dialog::{Dialog, Pager, Theirs};
use super::super::effect::Effect;
use super::super::input::{Key, KeyCode};
use super::{Answering, Focus, Moment, Scroll};
use crate::wish::Wish;
use sayso_core::{Choice, Kind, Message, Rating, Reply};

impl Answering {
    pub(super) fn at_question(&mut self, place: usize, key: Key, cx: &Moment) -> Vec<Effect> {
        if key.alt || key.ctrl && !matches!(key.code, KeyCode::Char('n' | 'p')) {
            return Vec::new();
        }
        let taken = match self.question(place).map(|question| &question.kind) {
            Some(Kind::Choice(Choice { multi, .. })) => self.at_choice(place, *multi, key, cx),
            Some(Kind::Confirm(_)) => self.at_confirm(place, key, cx),
            Some(Kind::Rating(Rating { min, max, .. })) => self.at_rating(place, (*min, *max), key, cx),
            Some(Kind::Text(_) | Kind::Number(_) | Kind::Date | Kind::Time | Kind::Datetime) | None => {
                let begins = key.code == KeyCode::Enter || key.typed() == Some('i');
                if begins && let Some(field) = self.field_mut(place) {
                    field.focus = Focus::Text;
                }
                begins
            }
        };
        if !taken {
            self.at_any(place, key, cx);
        }
        Vec::new()
    }

    /// Handles the keys that every kind of question shares.
    fn at_any(&mut self, place: usize, key: Key, cx: &Moment) {
        match key.code {
            KeyCode::Enter => self.next(cx),
            KeyCode::Right => self.next_tab(cx),
            KeyCode::Left => self.tab_before(cx),
            KeyCode::Down | KeyCode::Char('j') => self.scroll_by(1),
            KeyCode::Up | KeyCode::Char('k') => self.scroll_by(-1),
            KeyCode::Char('n') if !key.ctrl => {
                if let Some(field) = self.field_mut(place) {
                    field.focus = Focus::Note;
                }
                self.scroll = Scroll::Keys;
            }
            KeyCode::Char('u') => self.clear(place, cx),
            KeyCode::Char('-') => self.skip(place, cx),
            KeyCode::Char('e') => self.wish(Wish::Explanation, place, cx),
            KeyCode::Char('w') => self.wish(Wish::OtherWords, place, cx),
            _ => {}
        }
    }

    fn at_choice(&mut self, place: usize, multi: bool, key: Key, cx: &Moment) -> bool {
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => self.move_offer(place, |at, _| at.saturating_sub(1)),
            KeyCode::Char('p') if key.ctrl => self.move_offer(place, |at, _| at.saturating_sub(1)),
            KeyCode::Down | KeyCode::Char('j') => self.move_offer(place, |at, _| at + 1),
            KeyCode::Char('n') if key.ctrl => self.move_offer(place, |at, _| at + 1),
            KeyCode::Home | KeyCode::Char('g') => self.move_offer(place, |_, _| 0),
            KeyCode::End | KeyCode::Char('G') => self.move_offer(place, |_, last| last),
            KeyCode::Char(' ') => self.pick(place, cx),
            KeyCode::Char('x') if multi => self.pick(place, cx),
            KeyCode::Char(digit @ '1'..='9') => {
                if self.go_to_offer(place, usize::from(digit as u8 - b'1')) {
                    self.pick(place, cx);
                }
            }
            KeyCode::Char('a') if multi => self.pick_all(place, cx),
            KeyCode::Char('o') => self.type_own(place, cx),
            KeyCode::Char('/') => {
                if let Some(field) = self.field_mut(place) {
                    field.focus = Focus::Filter;
                }
            }
            KeyCode::Char('p') => self.show_preview(place, cx),
            KeyCode::Enter if multi => self.next(cx),
            // An Enter that is held down from the question before picks nothing.
            KeyCode::Enter if self.is_held(key, cx) && !self.is_picked_at(place) => {}
            KeyCode::Enter => {
                self.pick(place, cx);
                // The person's own answer is still to be typed.
                if self.field(place).is_none_or(|field| field.focus == Focus::Body) {
                    self.next(cx);
                }
            }
            _ => return false,
        }
        true
    }

    fn at_confirm(&mut self, place: usize, key: Key, cx: &Moment) -> bool {
        match key.code {
            KeyCode::Char('y' | 'h' | '1') | KeyCode::Left => {
                self.confirm(place, true, cx);
            }
            KeyCode::Char('n') if !key.ctrl => self.confirm(place, false, cx),
            KeyCode::Right | KeyCode::Char('l' | '2') => self.confirm(place, false, cx),
            // `n` means no here, so the note has another key.
            KeyCode::Char('N') => {
                if let Some(field) = self.field_mut(place) {
                    field.focus = Focus::Note;
                }
                self.scroll = Scroll::Keys;
            }
            _ => return false,
        }
        true
    }

    fn at_rating(&mut self, place: usize, (min, max): (i32, i32), key: Key, cx: &Moment) -> bool {
        match key.code {
            KeyCode::Right | KeyCode::Char('l') => self.rate_by(place, 1, cx),
            KeyCode::Left | KeyCode::Char('h') => self.rate_by(place, -1, cx),
            KeyCode::Home => self.rate(place, min, cx),
            KeyCode::End => self.rate(place, max, cx),
            KeyCode::Backspace => self.put_undoably(place, self.without_answer(place), cx),
            // If 0 is a step of the scale, it selects that step.
            KeyCode::Char('0') if !(min..=max).contains(&0) && !self.goes_on(place, '0', min..=max) => {
                self.put_undoably(place, self.without_answer(place), cx);
            }
            KeyCode::Char(digit @ '0'..='9') => {
                self.rate_digit(place, digit, cx);
                return true;
            }
            _ => return false,
        }
        if let Some(field) = self.field_mut(place) {
            field.digits.clear();
        }
        true
    }

    fn without_answer(&self, place: usize) -> Reply {
        Reply::unanswered().with_note(self.sheet.reply_at(place).note.clone())
    }

    fn show_preview(&mut self, place: usize, cx: &Moment) {
        match self.preview(place) {
            Some((number, text)) => {
                let ours = Message::PreviewOfNumber.say(cx.lang, [number]);
                let theirs = Theirs::Exactly(text.to_owned());
                self.dialog = Some(Dialog::Pager(Pager::new(Message::PreviewTitle, ours, theirs)));
            }
            None => self.told = Some(Message::NoPreviewHere.plain(cx.lang).to_owned()),
        }
    }

    /// Asks the asker for something in addition to an answer, in the wording of the asker's format.
    fn wish(&mut self, wish: Wish, place: usize, cx: &Moment) {
        let Some(field) = self.field(place) else { return };
        let note = Some(field.note.text()).filter(|note| !note.trim().is_empty());
        let Some(words) = (cx.wishing)(wish, &self.ask, place, note) else {
            self.told = Some(Message::CannotExplain.plain(cx.lang).to_owned());
            return;
        };
        let reply = self.sheet.reply_at(place).clone().with_note(Some(words.clone()));
        self.put_undoably(place, reply, cx);
        if let Some(field) = self.field_mut(place) {
            field.note.set_text(&words);
        }
        self.told = Some(wish.asked(&self.ask, cx.lang));
    }
}
