//! Text input: typed, pasted or edited text, and the way out of a text box.

use super::super::dialog::{Dialog, Pager, Theirs};
use super::super::effect::Effect;
use super::super::input::{Key, KeyCode};
use super::super::text::{Heard, Lines};
use super::{Answering, Field, Focus, Moment, Scroll};
use sayso_core::{Kind, Message, Problem, Question, limits};

impl Answering {
    /// Handles a key of a text box. Returns `None` if the key means something else.
    pub(super) fn typed(&mut self, key: Key, cx: &Moment) -> Option<Vec<Effect>> {
        let place = self.spot.place()?;
        let focus = self.field_mut(place)?.focus;
        if focus == Focus::Filter && moves_options(key) {
            return None;
        }
        if focus == Focus::Body {
            return None;
        }
        if focus == Focus::Note && key == Key::plain(KeyCode::Enter) {
            self.leave_box(place, cx);
            return Some(Vec::new());
        }
        if focus == Focus::Text && breaks_line(key) {
            self.make_long(place);
        }
        let key_result = self.field_mut(place)?.typing()?.key(key);
        if focus == Focus::Text {
            self.fit_lines(place);
        }
        match key_result {
            Heard::Changed => {
                self.changed(place, focus, cx);
                self.scroll = Scroll::Keys;
            }
            Heard::Moved => self.scroll = Scroll::Keys,
            Heard::Full => {
                self.told = Some(Message::MaxLength.say(cx.lang, [limits::TEXT_ANSWER_BYTES]));
            }
            Heard::Ignored => return self.left_over(place, focus, key, cx).then(Vec::new),
        }
        Some(Vec::new())
    }

    /// Starts the autosave debounce, or moves to the first match if the filter changed. The filter is not part of the
    /// draft.
    fn changed(&mut self, place: usize, focus: Focus, cx: &Moment) {
        if focus != Focus::Filter {
            self.drafting.typed(cx.at());
        } else if let Some(field) = self.field_mut(place) {
            field.at = 0;
        }
    }

    /// Handles a key that the text box ignored. Returns whether the question used it.
    fn left_over(&mut self, place: usize, focus: Focus, key: Key, cx: &Moment) -> bool {
        match (key.code, focus) {
            (KeyCode::Esc, _) => {
                self.take_filter_away(place);
                self.leave_box(place, cx);
            }
            (KeyCode::Enter, Focus::Filter) => {
                self.pick(place, cx);
                if self.field(place).is_some_and(|field| field.focus == Focus::Filter) {
                    self.leave_box(place, cx);
                }
            }
            (KeyCode::Enter, Focus::Text) => self.next(cx),
            (KeyCode::Up | KeyCode::Down, Focus::Text) => {
                let up = key.code == KeyCode::Up;
                match self.question(place).map(|question| &question.kind) {
                    Some(Kind::Number(_)) => self.step_number(place, up, cx),
                    Some(Kind::Choice(_)) => {
                        self.leave_box(place, cx);
                        self.move_offer(place, |at, _| if up { at.saturating_sub(1) } else { at + 1 });
                    }
                    _ => {}
                }
            }
            (KeyCode::Up | KeyCode::Down, _) => {}
            // Global keys.
            _ => return false,
        }
        true
    }

    /// Turns a one-line box into a long one for a new line, if the answer is text.
    fn make_long(&mut self, place: usize) {
        let takes_lines = self
            .question(place)
            .is_some_and(|question| matches!(question.kind, Kind::Text(_) | Kind::Choice(_)));
        if let Some(field) = self.field_mut(place)
            && takes_lines
        {
            field.text.set_lines(Lines::Many);
        }
    }

    /// Fits the box to its text: without line breaks Enter goes on again, and breaks that undo restores stay visible.
    pub(super) fn fit_lines(&mut self, place: usize) {
        let is_long = self.question(place).is_some_and(Question::is_long_text);
        if let Some(field) = self.field_mut(place)
            && !is_long
        {
            let lines = if field.text.text().contains('\n') { Lines::Many } else { Lines::One };
            field.text.set_lines(lines);
        }
    }

    pub(super) fn field_here(&self) -> Option<&Field> {
        self.field(self.spot.place()?)
    }

    pub(super) fn is_filtered(&self) -> bool {
        self.field_here().is_some_and(|field| !field.filter.is_empty())
    }

    /// Returns the text that letters go to, as typed so far.
    pub(crate) fn being_typed(&self) -> &str {
        if matches!(self.dialog, Some(Dialog::Decline { .. })) {
            return self.reason();
        }
        self.field_here().map_or("", |field| match field.focus {
            Focus::Text => field.text.text(),
            Focus::Note => field.note.text(),
            Focus::Body | Focus::Filter => "",
        })
    }

    pub(super) fn leave_box(&mut self, place: usize, cx: &Moment) {
        self.settle_text(cx);
        if let Some(field) = self.field_mut(place) {
            field.focus = Focus::Body;
        }
    }

    pub(super) fn edit(&mut self, cx: &Moment) -> Vec<Effect> {
        self.settle_text(cx);
        let Some((place, question)) = self.here() else { return Vec::new() };
        let takes_text = match &question.kind {
            Kind::Text(_) => true,
            Kind::Choice(choice) => choice.other,
            _ => false,
        };
        let on_note = self.field(place).is_some_and(|field| field.focus == Focus::Note);
        if !takes_text && !on_note {
            self.told = Some(Message::EditorTextOnly.plain(cx.lang).to_owned());
            return Vec::new();
        }
        vec![Effect::Edit(self.editable(place).to_owned())]
    }

    /// Returns the text to open in the editor.
    fn editable(&self, place: usize) -> &str {
        self.field(place).map_or("", |field| match field.focus {
            Focus::Note => field.note.text(),
            Focus::Body | Focus::Text | Focus::Filter => field.text.text(),
        })
    }

    /// Takes the text that the editor returned.
    pub(crate) fn edited(&mut self, edited: Result<String, Problem>, cx: &Moment) {
        let text = match edited {
            Ok(text) => text,
            Err(problem) => {
                // The path of a rejected text takes more than a line.
                let lines = problem.lines(cx.lang).join("\n");
                self.dialog = Some(Dialog::Pager(Pager::new(Message::EditorTitle, lines, Theirs::Nothing)));
                return;
            }
        };
        let Some(place) = self.spot.place() else { return };
        self.scroll = Scroll::Keys;
        // Editors end a file with a newline that the person did not type.
        let typed = text.strip_suffix('\n').unwrap_or(&text);
        // An unchanged text answers nothing and picks nothing.
        let before = self.editable(place);
        if text == before || typed == before {
            return;
        }
        let text = typed.to_owned();
        if self.field(place).is_some_and(|field| field.focus == Focus::Note) {
            if let Some(field) = self.field_mut(place) {
                field.note.set_text(&text);
            }
        } else {
            if matches!(self.question(place).map(|question| &question.kind), Some(Kind::Choice(_))) {
                self.type_own(place, cx);
            }
            if let Some(field) = self.field_mut(place) {
                field.text.set_text(&text);
                field.focus = Focus::Text;
            }
            self.fit_lines(place);
        }
        self.settle_text(cx);
    }

    /// Inserts pasted text into a text box; it never runs as commands.
    pub(crate) fn paste(&mut self, pasted: &str, cx: &Moment) {
        if let Some(dialog) = &mut self.dialog {
            if let Some(Err(problem)) = dialog.text().map(|text| text.paste(pasted)) {
                self.told = Some(said(&problem, cx));
            }
            return;
        }
        let Some((place, question)) = self.here() else { return };
        if self.is_settling(cx) {
            self.told = Some(Message::PasteNowhere.plain(cx.lang).to_owned());
            return;
        }
        let is_choice = matches!(&question.kind, Kind::Choice(choice) if choice.other);
        let takes_text = super::moving::is_typed(&question.kind);
        let Some(field) = self.field_mut(place) else { return };
        if field.focus == Focus::Body {
            if is_choice {
                self.type_own(place, cx);
            } else if takes_text {
                field.focus = Focus::Text;
            } else {
                self.told = Some(Message::PasteNowhere.plain(cx.lang).to_owned());
                return;
            }
        }
        let Some(field) = self.field_mut(place) else { return };
        let focus = field.focus;
        let Some(text) = field.typing() else { return };
        let result = text.paste(pasted);
        // A one-line box becomes a long one rather than losing a line.
        self.fit_lines(place);
        match result {
            Ok(pasted) => {
                self.changed(place, focus, cx);
                self.scroll = Scroll::Keys;
                let lines = (pasted.lines > 1).then(|| Message::PastedLines.say(cx.lang, [pasted.lines]));
                let left_out = (pasted.removed > 0).then(|| {
                    let (one, many) = (Message::PastedWithoutOne, Message::PastedWithout);
                    crate::recap::counted(one, many, pasted.removed as u64, cx.lang)
                });
                let told: Vec<_> = lines.into_iter().chain(left_out).collect();
                if !told.is_empty() {
                    self.told = Some(told.join(" "));
                }
            }
            Err(problem) => self.told = Some(said(&problem, cx)),
        }
    }
}

fn said(problem: &Problem, cx: &Moment) -> String {
    crate::recap::problem(problem, cx.lang)
}

/// Returns whether a key begins a new line in any text. Enter alone does so only in a long one.
fn breaks_line(key: Key) -> bool {
    match key.code {
        KeyCode::Enter => (key.alt || key.shift) && !key.ctrl,
        KeyCode::Char('j') => key.ctrl && !key.alt,
        _ => false,
    }
}

/// Returns whether a key moves through options while the filter has the focus.
pub(super) const fn moves_options(key: Key) -> bool {
    matches!(key.code, KeyCode::Up | KeyCode::Down)
        || key.ctrl && matches!(key.code, KeyCode::Char('n' | 'p'))
}
