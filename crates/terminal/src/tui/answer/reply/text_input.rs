//! Text input: typed, pasted or edited text, and the way out of a text box.

use crate::describe;
use crate::tty::{Key, KeyCode};
use crate::tui::answer::navigation::is_typed;
use crate::tui::answer::reply::choice_picks;
use crate::tui::answer::{AskView, FieldFocus, FieldState, UpdateContext, ending};
use crate::tui::dialog::{Dialog, Pager, QuotedText};
use crate::tui::editor::{KeyResult, LineMode};
use crate::tui::effect::Effect;
use sayso_core::{Message, Problem, Question};

/// Types a letter that waited until it was known that its key is not held down.
pub(in crate::tui::answer) fn type_letter(view: &mut AskView, letter: Option<char>, cx: &UpdateContext) {
    let (Some(letter), Some(place)) = (letter, view.tab.question_place()) else { return };
    let Some(field) = view.form.field_mut(place) else { return };
    let focus = field.focus;
    let Some(text) = field.focused_box() else { return };
    if text.handle_key(Key::plain(KeyCode::Char(letter))) == KeyResult::Changed {
        text_changed(view, place, focus, cx);
    }
}

/// Types a letter that waited, because something other than a key comes next.
pub(in crate::tui::answer) fn finish_opening(view: &mut AskView, cx: &UpdateContext) {
    if let Some(mut guard) = view.opening_key.take() {
        type_letter(view, guard.take(), cx);
    }
}

/// Starts the autosave debounce, or moves to the first match if the filter changed. The filter is not part of the
/// draft.
pub(in crate::tui::answer) fn text_changed(
    view: &mut AskView,
    place: usize,
    focus: FieldFocus,
    cx: &UpdateContext,
) {
    if focus != FieldFocus::Filter {
        view.record_choice();
        view.form.autosave.record_key(cx.instant());
    } else if let Some(field) = view.form.field_mut(place) {
        field.cursor = 0;
    }
}

/// Turns a one-line box into a long one for a new line, if the answer is text.
pub(in crate::tui::answer) fn allow_line_breaks(view: &mut AskView, place: usize) {
    let Some(question) = view.form.question(place) else { return };
    let takes_lines = question.is_text() || question.choice().is_some();
    if takes_lines && let Some(field) = view.form.field_mut(place) {
        field.text.set_line_mode(LineMode::Multiple);
    }
}

/// Fits the box to its text: without line breaks Enter goes on again, and breaks that undo restores stay visible.
pub(in crate::tui::answer) fn fit_lines(view: &mut AskView, place: usize) {
    if view.form.question(place).is_some_and(Question::is_long_text) {
        return;
    }
    if let Some(field) = view.form.field_mut(place) {
        let has_lines = field.text.text().contains('\n');
        field.text.set_line_mode(if has_lines { LineMode::Multiple } else { LineMode::Single });
    }
}

pub(in crate::tui::answer) fn current_field(view: &AskView) -> Option<&FieldState> {
    view.form.field(view.tab.question_place()?)
}

pub(in crate::tui) fn current_field_mut(view: &mut AskView) -> Option<&mut FieldState> {
    view.form.field_mut(view.tab.question_place()?)
}

pub(in crate::tui::answer) fn is_filtered(view: &AskView) -> bool {
    current_field(view).is_some_and(|field| !field.filter.is_empty())
}

/// Returns the text that letters go to, as typed so far.
pub(in crate::tui) fn focused_text(view: &AskView) -> &str {
    if matches!(view.dialog, Some(Dialog::Decline(_))) {
        return ending::typed_reason(view);
    }
    if let Some(dialog) = &view.dialog
        && let Some(note) = dialog.form_note()
    {
        return note;
    }
    let Some(field) = current_field(view) else { return "" };
    match field.focus {
        FieldFocus::Text => field.text.text(),
        FieldFocus::Note => field.note.text(),
        FieldFocus::Question | FieldFocus::Filter => "",
    }
}

pub(in crate::tui::answer) fn leave_text_box(view: &mut AskView, place: usize, cx: &UpdateContext) {
    view.commit_text(cx);
    if let Some(field) = view.form.field_mut(place) {
        field.focus = FieldFocus::Question;
    }
}

pub(in crate::tui::answer) fn open_editor(view: &mut AskView, cx: &UpdateContext) -> Vec<Effect> {
    view.commit_text(cx);
    let Some((place, question)) = view.current_question() else { return Vec::new() };
    let takes_text = question.is_text() || question.choice().is_some_and(|choice| choice.other);
    if !takes_text && view.form.focus(place) != FieldFocus::Note {
        view.notice = Some(Message::EditorTextOnly.plain(cx.lang).to_owned());
        return Vec::new();
    }
    vec![Effect::Edit(text_for_editor(view, place).to_owned())]
}

/// Returns the text to open in the editor: the note if it has the focus, or else the answer.
fn text_for_editor(view: &AskView, place: usize) -> &str {
    let Some(field) = view.form.field(place) else { return "" };
    match field.focus {
        FieldFocus::Note => field.note.text(),
        FieldFocus::Question | FieldFocus::Text | FieldFocus::Filter => field.text.text(),
    }
}

/// Takes the text that the editor returned, or shows why there is none.
pub(in crate::tui) fn take_edited_text(
    view: &mut AskView,
    result: Result<String, Problem>,
    cx: &UpdateContext,
) {
    let edited_text = match result {
        Ok(text) => text,
        Err(problem) => {
            // The path of a rejected text takes more than a line.
            let lines = problem.render_lines(cx.lang).join("\n");
            view.dialog = Some(Dialog::Pager(Pager::new(Message::EditorTitle, lines, QuotedText::Empty)));
            return;
        }
    };
    let Some(place) = view.tab.question_place() else { return };
    view.scroll.show_focus();
    // Editors end a file with a newline that the person did not type.
    let text = edited_text.strip_suffix('\n').unwrap_or(&edited_text);
    // An unchanged text answers nothing and picks nothing.
    let earlier_text = text_for_editor(view, place);
    if edited_text == earlier_text || text == earlier_text {
        return;
    }
    if view.form.focus(place) == FieldFocus::Note {
        if let Some(field) = view.form.field_mut(place) {
            field.note.set_text(text);
        }
    } else {
        if view.form.choice(place).is_some() {
            choice_picks::edit_own_answer(view, place, cx);
        }
        if let Some(field) = view.form.field_mut(place) {
            field.text.set_text(text);
            field.focus = FieldFocus::Text;
        }
        view.record_choice();
        fit_lines(view, place);
    }
    view.commit_text(cx);
}

/// Inserts pasted text into a text box; it never runs as commands.
pub(in crate::tui) fn paste(view: &mut AskView, pasted: &str, cx: &UpdateContext) {
    if let Some(dialog) = &mut view.dialog {
        dialog.withdraw_press();
        if dialog.form_note().is_some() {
            view.form.autosave.record_key(cx.instant());
        }
        if let Err(problem) = dialog.paste(pasted) {
            view.notice = Some(describe::problem_text(&problem, cx.lang));
        }
        return;
    }
    finish_opening(view, cx);
    let Some((place, question)) = view.current_question() else { return };
    if view.is_settling(cx) {
        view.notice = Some(Message::PasteNowhere.plain(cx.lang).to_owned());
        return;
    }
    let takes_own_answer = question.choice().is_some_and(|choice| choice.other);
    let takes_text = is_typed(question);
    let Some(field) = view.form.field_mut(place) else { return };
    if field.focus == FieldFocus::Question {
        if takes_own_answer {
            choice_picks::edit_own_answer(view, place, cx);
        } else if takes_text {
            field.focus = FieldFocus::Text;
        } else {
            view.notice = Some(Message::PasteNowhere.plain(cx.lang).to_owned());
            return;
        }
    }
    let Some(field) = view.form.field_mut(place) else { return };
    let focus = field.focus;
    let Some(text) = field.focused_box() else { return };
    let result = text.paste(pasted);
    // A one-line box becomes a long one rather than losing a line.
    fit_lines(view, place);
    match result {
        Ok(report) => {
            text_changed(view, place, focus, cx);
            view.scroll.show_focus();
            let mut sentences = Vec::new();
            if report.lines > 1 {
                sentences.push(Message::PastedLines.render_with(cx.lang, [report.lines]));
            }
            if report.removed > 0 {
                let one = Message::PastedWithoutOne;
                let many = Message::PastedWithout;
                sentences.push(describe::count_message(one, many, report.removed as u64, cx.lang));
            }
            if !sentences.is_empty() {
                view.notice = Some(sentences.join(" "));
            }
        }
        Err(problem) => view.notice = Some(describe::problem_text(&problem, cx.lang)),
    }
}
