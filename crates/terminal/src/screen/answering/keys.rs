//! What keys mean while an ask is being answered. A key has one meaning in a place, and none sends anything but Enter
//! and ^S at the review.

use super::super::dialog::{Dialog, Pager, Said, Theirs};
use super::super::effect::Effect;
use super::super::input::{Key, KeyCode};
use super::super::text::{Heard, Lines};
use super::{Answering, Field, Focus, Item, Moment, Spot, Then};
use sayso_core::{Kind, Message, Problem, display, limits};

impl Answering {
    /// Takes a key.
    pub(crate) fn key(&mut self, key: Key, moment: &Moment) -> (Then, Vec<Effect>) {
        let sends = key.code == KeyCode::Enter || key.ctrl && key.code == KeyCode::Char('s');
        let before = self.spot;
        let answer = self.key_anywhere(key, moment);
        if sends {
            self.entered = moment.at();
        }
        self.may_be_held = sends && self.spot != before;
        answer
    }

    fn key_anywhere(&mut self, key: Key, moment: &Moment) -> (Then, Vec<Effect>) {
        if let Some(dialog) = &mut self.dialog {
            let said = dialog.key(key);
            return self.dialog_said(said, moment);
        }
        self.told = None;
        if self.is_too_early(key, moment) {
            return on(Vec::new());
        }
        if let Some(effects) = self.typed(key, moment) {
            return on(effects);
        }
        if let Some(effects) = self.moved(key, moment) {
            return on(effects);
        }
        match key.code {
            KeyCode::Esc if self.is_filtered() => {
                self.spot.place().into_iter().for_each(|place| self.take_filter_away(place));
            }
            KeyCode::Esc => {
                self.settle_text(moment);
                self.drafting.hurry();
                self.dialog = Some(Dialog::Leave { at: 0 });
                return on(Vec::new());
            }
            KeyCode::Char('s') if key.ctrl => {
                if self.spot == Spot::Review {
                    return on(self.sent_by_key(key, moment));
                }
                self.go(Spot::Review, moment);
            }
            KeyCode::Char('g') if key.ctrl => return on(self.edit(moment)),
            KeyCode::Char('_' | '7' | '/') if key.ctrl => self.undo(moment),
            KeyCode::Char('_') if key.alt => self.redo(moment),
            KeyCode::Char('R') if !key.ctrl && !key.alt => self.suggest(moment),
            _ => {
                let is_looking = self.field_here().is_some_and(|field| field.focus == Focus::Filter);
                if self.is_typing() && !(is_looking && moves_options(key)) {
                    return on(Vec::new());
                }
                return match self.spot {
                    Spot::Question(place) => on(self.at_question(place, key, moment)),
                    Spot::Review => on(self.at_review(key, moment)),
                    Spot::Action => {
                        if key.code == KeyCode::Enter && key.is_bare() {
                            self.next_tab(moment);
                        }
                        on(Vec::new())
                    }
                };
            }
        }
        on(Vec::new())
    }

    /// Keys that were pressed before the person can have read what came up do not answer it.
    fn is_too_early(&self, key: Key, moment: &Moment) -> bool {
        let answers = matches!(key.code, KeyCode::Enter | KeyCode::Char(_)) && !key.ctrl;
        answers && moment.at() < self.takes_from
    }

    /// Where letters are text, most keys are letters. Nothing where the key means something else.
    fn typed(&mut self, key: Key, moment: &Moment) -> Option<Vec<Effect>> {
        let place = self.spot.place()?;
        let focus = self.field_mut(place)?.focus;
        if focus == Focus::Filter && moves_options(key) {
            return None;
        }
        if focus == Focus::Body {
            return None;
        }
        if focus == Focus::Note && key == Key::plain(KeyCode::Enter) {
            self.leave_box(place, moment);
            return Some(Vec::new());
        }
        if focus == Focus::Text && breaks_line(key) {
            self.make_long(place);
        }
        let field = self.field_mut(place)?;
        let heard = field.typing()?.key(key);
        match heard {
            Heard::Changed if focus == Focus::Filter => {
                field.at = 0;
                return Some(Vec::new());
            }
            Heard::Changed => {
                self.drafting.typed(moment.at());
                self.scroll = None;
                return Some(Vec::new());
            }
            Heard::Moved => return Some(Vec::new()),
            Heard::Full => {
                self.told = Some(Message::MaxLength.say(moment.lang, [limits::TEXT_ANSWER_BYTES]));
                return Some(Vec::new());
            }
            Heard::Ignored => {}
        }
        match (key.code, focus) {
            (KeyCode::Esc, _) => {
                self.take_filter_away(place);
                self.leave_box(place, moment);
            }
            (KeyCode::Enter, Focus::Filter) => {
                self.pick(place, moment);
                if self.field(place).is_some_and(|field| field.focus == Focus::Filter) {
                    self.leave_box(place, moment);
                }
            }
            (KeyCode::Enter, Focus::Text) => self.next(moment),
            (KeyCode::Up | KeyCode::Down, Focus::Text) => {
                let up = key.code == KeyCode::Up;
                match self.question(place).map(|question| &question.kind) {
                    Some(Kind::Number(_)) => self.step_number(place, up, moment),
                    Some(Kind::Choice(_)) => {
                        self.leave_box(place, moment);
                        self.move_offer(place, |at, _| if up { at.saturating_sub(1) } else { at + 1 });
                    }
                    _ => {}
                }
            }
            (KeyCode::Up | KeyCode::Down, _) => {}
            // Keys that mean the same everywhere.
            _ => return None,
        }
        Some(Vec::new())
    }

    /// A box of one line becomes a long one for a new line in it, where text is the answer.
    fn make_long(&mut self, place: usize) {
        let takes_lines = self
            .question(place)
            .is_some_and(|question| matches!(question.kind, Kind::Text(_) | Kind::Choice(_)));
        if let Some(field) = self.field_mut(place)
            && takes_lines
            && field.text.lines() == Lines::One
        {
            field.text.make_long();
        }
    }

    fn field_here(&self) -> Option<&Field> {
        self.field(self.spot.place()?)
    }

    fn is_filtered(&self) -> bool {
        self.field_here().is_some_and(|field| !field.filter.is_empty())
    }

    fn leave_box(&mut self, place: usize, moment: &Moment) {
        self.settle_text(moment);
        if let Some(field) = self.field_mut(place) {
            field.focus = Focus::Body;
        }
    }

    /// Keys that lead to other tabs, or scroll.
    fn moved(&mut self, key: Key, moment: &Moment) -> Option<Vec<Effect>> {
        match key.code {
            KeyCode::Tab => self.next_tab(moment),
            KeyCode::BackTab => self.tab_before(moment),
            KeyCode::Char('0') if key.alt => self.go(Spot::Review, moment),
            KeyCode::Char(c @ '1'..='9') if key.alt => {
                self.tab(usize::from(c as u8 - b'1'), moment);
            }
            KeyCode::PageDown => self.scroll_by(self.page()),
            KeyCode::PageUp => self.scroll_by(-self.page()),
            _ => return None,
        }
        Some(Vec::new())
    }

    pub(crate) fn scroll_by(&mut self, rows: isize) {
        self.scroll = Some(self.sight.from.saturating_add_signed(rows).min(self.sight.most));
    }

    /// As far as one can go and still see the row that was the last.
    fn page(&self) -> isize {
        isize::try_from(self.sight.rows.saturating_sub(1).max(1)).unwrap_or(1)
    }

    fn dialog_said(&mut self, said: Said, moment: &Moment) -> (Then, Vec<Effect>) {
        match said {
            Said::Stay => return on(Vec::new()),
            Said::Close => self.dialog = None,
            Said::Leave => {
                self.dialog = None;
                return (Then::Leave, Vec::new());
            }
            Said::AskDecline => self.dialog = Some(Dialog::decline()),
            Said::Decline(reason) => {
                self.dialog = None;
                return on(self.decline(reason, moment));
            }
        }
        on(Vec::new())
    }

    fn suggest(&mut self, moment: &Moment) {
        let taken = self.take_suggestions(moment);
        let said = if taken == 0 { Message::NoSuggestions } else { Message::SuggestionsTaken };
        self.told = Some(said.say(moment.lang, [taken]));
    }

    fn edit(&mut self, moment: &Moment) -> Vec<Effect> {
        self.settle_text(moment);
        let Some((place, question)) = self.here() else { return Vec::new() };
        let takes_text = match &question.kind {
            Kind::Text(_) => true,
            Kind::Choice(choice) => choice.other,
            _ => false,
        };
        let on_note = self.field(place).is_some_and(|field| field.focus == Focus::Note);
        if !takes_text && !on_note {
            self.told = Some(Message::EditorTextOnly.plain(moment.lang).to_owned());
            return Vec::new();
        }
        let Some(field) = self.field(place) else { return Vec::new() };
        let text = if on_note { field.note.text() } else { field.text.text() };
        vec![Effect::Edit(text.to_owned())]
    }

    /// What was made of a text in the editor.
    pub(crate) fn edited(&mut self, edited: Result<String, Problem>, moment: &Moment) {
        let text = match edited {
            Ok(text) => text,
            Err(problem) => {
                // Where the text is that could not be used takes more than a line.
                let lines = problem.lines(moment.lang).join("\n");
                self.dialog = Some(Dialog::Pager(Pager::new(Message::EditorTitle, lines, Theirs::Nothing)));
                return;
            }
        };
        // Editors end a file with a line end that nobody typed.
        let text = text.strip_suffix('\n').unwrap_or(&text).to_owned();
        let Some(place) = self.spot.place() else { return };
        if self.field(place).is_some_and(|field| field.focus == Focus::Note) {
            if let Some(field) = self.field_mut(place) {
                field.note.set_text(&text);
            }
        } else {
            if matches!(self.question(place).map(|question| &question.kind), Some(Kind::Choice(_))) {
                self.type_own(place, moment);
            }
            if let Some(field) = self.field_mut(place) {
                if text.contains('\n') && field.text.lines() == Lines::One {
                    field.text.make_long();
                }
                field.text.set_text(&text);
                field.focus = Focus::Text;
            }
        }
        self.settle_text(moment);
    }

    /// A text that was pasted: it is typed where text is typed, and never a command.
    pub(crate) fn paste(&mut self, pasted: &str, moment: &Moment) {
        if let Some(dialog) = &mut self.dialog {
            if let Some(Err(problem)) = dialog.text().map(|text| text.paste(pasted)) {
                self.told = Some(said(&problem, moment));
            }
            return;
        }
        let Some((place, question)) = self.here() else { return };
        if moment.at() < self.takes_from {
            self.told = Some(Message::PasteNowhere.plain(moment.lang).to_owned());
            return;
        }
        let is_choice = matches!(&question.kind, Kind::Choice(choice) if choice.other);
        let takes_text = super::moving::is_typed(&question.kind);
        let Some(field) = self.field_mut(place) else { return };
        if field.focus == Focus::Body {
            if is_choice {
                self.type_own(place, moment);
            } else if takes_text {
                field.focus = Focus::Text;
            } else {
                self.told = Some(Message::PasteNowhere.plain(moment.lang).to_owned());
                return;
            }
        }
        let Some(field) = self.field_mut(place) else { return };
        let Some(text) = field.typing() else { return };
        let result = text.paste(pasted);
        // A box of one line becomes a long one rather than losing a line.
        if text.has_breaks() && text.lines() == Lines::One {
            text.make_long();
        }
        match result {
            Ok(pasted) => {
                self.drafting.typed(moment.at());
                self.scroll = None;
                if pasted.lines > 1 {
                    self.told = Some(Message::PastedLines.say(moment.lang, [pasted.lines]));
                }
            }
            Err(problem) => self.told = Some(said(&problem, moment)),
        }
    }

    fn at_review(&mut self, key: Key, moment: &Moment) -> Vec<Effect> {
        if !key.is_bare() {
            return Vec::new();
        }
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => self.move_row(|at, _| at.saturating_sub(1)),
            KeyCode::Down | KeyCode::Char('j') => self.move_row(|at, _| at + 1),
            KeyCode::Home | KeyCode::Char('g') => self.move_row(|_, _| 0),
            KeyCode::End | KeyCode::Char('G') => self.move_row(|_, last| last),
            KeyCode::Char('d') => self.dialog = Some(Dialog::decline()),
            KeyCode::Char('v') => self.view_unsent(moment),
            KeyCode::Char('c') => return self.copy_unsent(moment),
            KeyCode::Enter => return self.chosen(key, moment),
            _ => {}
        }
        Vec::new()
    }

    /// Enter, or a press of the mouse, at a row of the review.
    pub(crate) fn chosen(&mut self, key: Key, moment: &Moment) -> Vec<Effect> {
        match self.item(moment.lang) {
            Some(Item::Problem { place: Some(place), .. } | Item::Question(place))
                if !key.repeat && self.is_meant(moment) =>
            {
                self.change(place, moment);
            }
            Some(Item::Dormant(_) | Item::Aside(_)) => self.view_unsent(moment),
            Some(Item::Submit) => return self.sent_by_key(key, moment),
            Some(Item::Decline) if self.is_meant(moment) && !key.repeat => {
                self.dialog = Some(Dialog::decline());
            }
            _ => {}
        }
        Vec::new()
    }

    fn sent_by_key(&mut self, key: Key, moment: &Moment) -> Vec<Effect> {
        if key.repeat || !self.is_meant(moment) {
            if !self.sending {
                self.told = Some(Message::SentTooSoon.plain(moment.lang).to_owned());
            }
            return Vec::new();
        }
        self.submit(moment)
    }

    /// What the keys are at and will not be sent, whole.
    fn unsent(&self, moment: &Moment) -> Option<(String, String)> {
        let (place, text) = match self.item(moment.lang)? {
            Item::Dormant(place) => {
                let question = self.question(place)?;
                let reply = self.sheet.reply_at(place);
                let words =
                    reply.answer().map(|answer| sayso_core::words::answer(question, answer, moment.lang));
                (place, words.map(std::borrow::Cow::into_owned).or_else(|| reply.note.clone())?)
            }
            Item::Aside(place) => (place, self.aside(place)?.to_owned()),
            _ => return None,
        };
        Some((display::line(self.question(place)?.name()).into_owned(), text))
    }

    fn view_unsent(&mut self, moment: &Moment) {
        if let Some((name, text)) = self.unsent(moment) {
            let theirs = Theirs::Text(format!("{name}\n\n{text}"));
            self.dialog = Some(Dialog::Pager(Pager::new(Message::UnsentTitle, String::new(), theirs)));
        }
    }

    fn copy_unsent(&mut self, moment: &Moment) -> Vec<Effect> {
        let Some((_, text)) = self.unsent(moment) else { return Vec::new() };
        self.told = Some(Message::Copied.plain(moment.lang).to_owned());
        vec![Effect::Copy(text)]
    }
}

fn on(effects: Vec<Effect>) -> (Then, Vec<Effect>) {
    (Then::On, effects)
}

fn said(problem: &Problem, moment: &Moment) -> String {
    crate::recap::problem(problem, moment.lang)
}

/// Keys that begin a new line in any text. Enter alone does so in a long one only.
fn breaks_line(key: Key) -> bool {
    match key.code {
        KeyCode::Enter => (key.alt || key.shift) && !key.ctrl,
        KeyCode::Char('j') => key.ctrl && !key.alt,
        _ => false,
    }
}

/// Keys that move through options while they are looked for.
const fn moves_options(key: Key) -> bool {
    matches!(key.code, KeyCode::Up | KeyCode::Down)
        || key.ctrl && matches!(key.code, KeyCode::Char('n' | 'p'))
}
