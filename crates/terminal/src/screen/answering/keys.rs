//! Key bindings while an ask is answered. A key has one meaning per context; only Enter and ^S at the review send
//! anything.

use super::super::dialog::{Dialog, Pager, Said, Theirs};
use super::super::effect::Effect;
use super::super::input::{Key, KeyCode};
use super::typing::moves_options;
use super::{Answering, Focus, Item, Moment, Scroll, Spot, Then};
use crate::recap;
use sayso_core::{Kind, Message, display};

impl Answering {
    /// Handles a key.
    pub(crate) fn key(&mut self, key: Key, cx: &Moment) -> (Then, Vec<Effect>) {
        let sends = key.code == KeyCode::Enter || key.ctrl && key.code == KeyCode::Char('s');
        let before = self.spot;
        let answer = self.key_anywhere(key, cx);
        if sends {
            self.entered = cx.at();
        }
        self.may_be_held = sends && self.spot != before;
        answer
    }

    fn key_anywhere(&mut self, key: Key, cx: &Moment) -> (Then, Vec<Effect>) {
        if let Some(dialog) = &mut self.dialog {
            let said = dialog.key(key);
            return self.dialog_said(said, cx);
        }
        self.told = None;
        if self.is_too_early(key, cx) {
            return on(Vec::new());
        }
        if self.looks_first(key) {
            return on(Vec::new());
        }
        if let Some(effects) = self.typed(key, cx) {
            return on(effects);
        }
        if let Some(effects) = self.moved(key, cx) {
            return on(effects);
        }
        match key.code {
            KeyCode::Esc if self.is_filtered() => {
                self.spot.place().into_iter().for_each(|place| self.take_filter_away(place));
            }
            KeyCode::Esc => {
                self.settle_text(cx);
                self.drafting.hurry();
                self.dialog = Some(Dialog::Leave { at: 0 });
                return on(Vec::new());
            }
            KeyCode::Char('s') if key.ctrl => {
                if self.spot == Spot::Review {
                    return on(self.sent_by_key(key, cx));
                }
                self.go(Spot::Review, cx);
            }
            KeyCode::Char('g') if key.ctrl => return on(self.edit(cx)),
            KeyCode::Char('_' | '7' | '/') if key.ctrl => self.undo(cx),
            KeyCode::Char('_') if key.alt => self.redo(cx),
            KeyCode::Char('R') if !key.ctrl && !key.alt => self.suggest(cx),
            _ => {
                let is_looking = self.field_here().is_some_and(|field| field.focus == Focus::Filter);
                if self.is_typing() && !(is_looking && moves_options(key)) {
                    return on(Vec::new());
                }
                return match self.spot {
                    Spot::Question(place) => on(self.at_question(place, key, cx)),
                    Spot::Review => on(self.at_review(key, cx)),
                    Spot::Action => {
                        if key.code == KeyCode::Enter && key.is_bare() {
                            self.next_tab(cx);
                        }
                        on(Vec::new())
                    }
                };
            }
        }
        on(Vec::new())
    }

    /// Returns whether a key came before the person can have read what appeared; such a key does not answer it.
    fn is_too_early(&self, key: Key, cx: &Moment) -> bool {
        let answers = matches!(key.code, KeyCode::Enter | KeyCode::Char(_)) && !key.ctrl;
        answers && self.is_settling(cx)
    }

    /// Returns whether something opened by itself less than [`SETTLE`](super::SETTLE) ago.
    pub(super) fn is_settling(&self, cx: &Moment) -> bool {
        cx.at() < self.takes_from
    }

    /// Scrolls to the focused element if it is off screen; only then do keys act on it. Letters typed into a text
    /// scroll by themselves.
    fn looks_first(&mut self, key: Key) -> bool {
        let is_question = self.spot.place().is_some();
        if !is_question || !self.sight.hides_keys || key.ctrl || key.alt {
            return false;
        }
        let is_scale = self.here().is_some_and(|(_, question)| {
            matches!(question.kind, Kind::Confirm(_) | Kind::Rating(_)) && !self.is_typing()
        });
        match key.code {
            KeyCode::Up if self.sight.from > 0 => self.scroll_by(-1),
            KeyCode::Down if self.sight.from < self.sight.most => self.scroll_by(1),
            KeyCode::Up | KeyCode::Down | KeyCode::Enter | KeyCode::Home | KeyCode::End => {
                self.scroll = Scroll::Keys;
            }
            KeyCode::Left | KeyCode::Right | KeyCode::Backspace if is_scale => self.scroll = Scroll::Keys,
            KeyCode::Char(_) if !self.is_typing() => self.scroll = Scroll::Keys,
            _ => return false,
        }
        true
    }

    /// Handles keys that change the tab or scroll.
    fn moved(&mut self, key: Key, cx: &Moment) -> Option<Vec<Effect>> {
        match key.code {
            KeyCode::Tab => self.next_tab(cx),
            KeyCode::BackTab => self.tab_before(cx),
            KeyCode::Char('0') if key.alt => self.go(Spot::Review, cx),
            KeyCode::Char(c @ '1'..='9') if key.alt => {
                self.tab(usize::from(c as u8 - b'1'), cx);
            }
            KeyCode::PageDown => self.scroll_by(self.page()),
            KeyCode::PageUp => self.scroll_by(-self.page()),
            _ => return None,
        }
        Some(Vec::new())
    }

    pub(crate) fn scroll_by(&mut self, rows: isize) {
        self.scroll = Scroll::From(self.sight.from.saturating_add_signed(rows).min(self.sight.most));
    }

    /// Rows of a page: the last visible row stays visible.
    fn page(&self) -> isize {
        isize::try_from(self.sight.rows.saturating_sub(1).max(1)).unwrap_or(1)
    }

    fn dialog_said(&mut self, said: Said, cx: &Moment) -> (Then, Vec<Effect>) {
        if said == Said::Stay {
            return on(Vec::new());
        }
        // The reason appears again when the dialog reopens, and is reported if it never does.
        self.declining = self.reason().to_owned();
        match said {
            Said::Stay => {}
            Said::Close => self.dialog = None,
            Said::Leave => {
                self.dialog = None;
                return (Then::Leave, Vec::new());
            }
            Said::AskDecline => self.ask_decline(),
            Said::Decline(reason) => {
                self.dialog = None;
                return on(self.decline(reason, cx));
            }
        }
        on(Vec::new())
    }

    fn suggest(&mut self, cx: &Moment) {
        let taken = self.take_suggestions(cx);
        let said = if taken == 0 { Message::NoSuggestions } else { Message::SuggestionsTaken };
        self.told = Some(said.say(cx.lang, [taken]));
    }

    fn at_review(&mut self, key: Key, cx: &Moment) -> Vec<Effect> {
        if !key.is_bare() {
            return Vec::new();
        }
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => self.move_row(|at, _| at.saturating_sub(1)),
            KeyCode::Down | KeyCode::Char('j') => self.move_row(|at, _| at + 1),
            KeyCode::Home | KeyCode::Char('g') => self.move_row(|_, _| 0),
            KeyCode::End | KeyCode::Char('G') => self.move_row(|_, last| last),
            KeyCode::Char('d') => self.ask_decline(),
            KeyCode::Char('v') => self.view_unsent(cx),
            KeyCode::Char('c') => return self.copy_unsent(cx),
            KeyCode::Enter => return self.chosen(key, cx),
            _ => {}
        }
        Vec::new()
    }

    /// Activates a row of the review by Enter or the mouse.
    pub(crate) fn chosen(&mut self, key: Key, cx: &Moment) -> Vec<Effect> {
        match self.item() {
            Some(Item::Problem { place: Some(place), .. } | Item::Question(place))
                if !key.repeat && self.is_meant(cx) =>
            {
                self.change(place, cx);
            }
            Some(Item::Dormant(_) | Item::Aside(_)) => self.view_unsent(cx),
            Some(Item::Submit) => return self.sent_by_key(key, cx),
            Some(Item::Decline) if self.is_meant(cx) && !key.repeat => {
                self.ask_decline();
            }
            _ => {}
        }
        Vec::new()
    }

    fn sent_by_key(&mut self, key: Key, cx: &Moment) -> Vec<Effect> {
        if key.repeat || !self.is_meant(cx) {
            if !self.sending {
                let problems = self.sheet.problems().len();
                self.told = Some(match problems {
                    0 if !self.action_seen => Message::ActionUnread.plain(cx.lang).to_owned(),
                    0 => Message::SentTooSoon.plain(cx.lang).to_owned(),
                    _ => recap::counted(Message::BlockedOne, Message::Blocked, problems as u64, cx.lang),
                });
            }
            return Vec::new();
        }
        self.submit(cx)
    }

    /// Returns the question's name and the whole text of the focused row that will not be sent.
    fn unsent(&self, cx: &Moment) -> Option<(String, String)> {
        let (place, text) = match self.item()? {
            Item::Dormant(place) => {
                let question = self.question(place)?;
                let reply = self.sheet.reply_at(place);
                let words = reply.answer().map(|answer| sayso_core::words::answer(question, answer, cx.lang));
                (place, words.map(std::borrow::Cow::into_owned).or_else(|| reply.note.clone())?)
            }
            Item::Aside(place) => (place, self.aside(place)?.to_owned()),
            _ => return None,
        };
        Some((display::line(self.question(place)?.name()).into_owned(), text))
    }

    fn view_unsent(&mut self, cx: &Moment) {
        if let Some((name, text)) = self.unsent(cx) {
            let theirs = Theirs::Text(format!("{name}\n\n{text}"));
            self.dialog = Some(Dialog::Pager(Pager::new(Message::UnsentTitle, String::new(), theirs)));
        }
    }

    fn copy_unsent(&mut self, cx: &Moment) -> Vec<Effect> {
        let Some((_, text)) = self.unsent(cx) else { return Vec::new() };
        self.told = Some(Message::Copied.plain(cx.lang).to_owned());
        vec![Effect::Copy(text)]
    }
}

fn on(effects: Vec<Effect>) -> (Then, Vec<Effect>) {
    (Then::On, effects)
}
