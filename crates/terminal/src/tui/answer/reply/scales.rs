//! Confirmations, ratings and number steps. A question has no answer until a key sets one.

use crate::describe;
use crate::tui::answer::reply::undo;
use crate::tui::answer::{AskView, UpdateContext};
use sayso_core::{Answer, LineFormat, Number, Question, QuestionInput, RatingQuestion, Reply};

fn set_answer(view: &mut AskView, place: usize, answer: Answer, cx: &UpdateContext) {
    view.record_choice();
    let note = view.form.sheet.reply_at(place).note.clone();
    undo::set_reply_undoable(view, place, Reply::from_answer(answer).with_note(note), cx);
}

pub(in crate::tui::answer) fn confirm(view: &mut AskView, place: usize, yes: bool, cx: &UpdateContext) {
    set_answer(view, place, Answer::Confirm(yes), cx);
    view.scroll.show_focus();
}

/// Moves along the scale; the first key starts at that key's end.
pub(in crate::tui::answer) fn rate_by(view: &mut AskView, place: usize, steps: i32, cx: &UpdateContext) {
    let Some(QuestionInput::Scale(RatingQuestion { min, max, .. })) =
        view.form.question(place).map(Question::input)
    else {
        return;
    };
    let (min, max) = (*min, *max);
    let step = match view.form.rating_at(place) {
        Some(step) => step.saturating_add(steps),
        None if steps > 0 => min,
        None => max,
    };
    rate(view, place, step.clamp(min, max), cx);
}

pub(in crate::tui::answer) fn rate(view: &mut AskView, place: usize, step: i32, cx: &UpdateContext) {
    set_answer(view, place, Answer::Rating(step), cx);
}

/// Handles a digit of a step. Several digits form one number if the scale has steps of several digits.
pub(in crate::tui::answer) fn rate_digit(view: &mut AskView, place: usize, digit: char, cx: &UpdateContext) {
    let Some(QuestionInput::Scale(RatingQuestion { min, max, .. })) =
        view.form.question(place).map(Question::input)
    else {
        return;
    };
    let (min, max) = (*min, *max);
    let Some(field) = view.form.field_mut(place) else { return };
    field.digits.push(digit);
    let fits = |text: &str| text.parse().ok().filter(|step: &i32| (min..=max).contains(step));
    if let Some(step) = fits(&field.digits) {
        rate(view, place, step, cx);
        return;
    }
    let alone = digit.to_string();
    // Prefix of a step that is not a step itself, such as the 5 of 50 if the scale begins at 10.
    let may_go_on = field.digits.len() < max.to_string().len();
    if !may_go_on {
        field.digits.clone_from(&alone);
        if let Some(step) = fits(&alone) {
            rate(view, place, step, cx);
        }
    }
}

/// Steps the typed number up or down.
pub(in crate::tui::answer) fn step_number(view: &mut AskView, place: usize, up: bool, cx: &UpdateContext) {
    view.commit_text(cx);
    let Some(QuestionInput::Line(LineFormat::Number { step })) =
        view.form.question(place).map(Question::input)
    else {
        return;
    };
    let step = step.or_else(|| Number::parse("1"));
    let Some(Answer::Number(number)) = view.form.sheet.reply_at(place).answer() else { return };
    let Some(next) =
        step.and_then(|step| if up { number.checked_add(step) } else { number.checked_sub(step) })
    else {
        return;
    };
    if let Some(bound) = view.form.sheet.bound_hit(place, &Answer::Number(next), up) {
        view.notice = Some(describe::own_problem_text(&bound, cx.lang));
        return;
    }
    if let Some(field) = view.form.field_mut(place) {
        field.text.set_text(&next.to_string());
    }
    view.record_choice();
    view.commit_text(cx);
}
