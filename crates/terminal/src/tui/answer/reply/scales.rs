//! Confirmations, ratings and number steps. A question has no answer until a key sets one.

use crate::describe;
use crate::tui::answer::reply::undo;
use crate::tui::answer::{AskView, UpdateContext};
use sayso_core::{Answer, LineFormat, Number, Question, QuestionInput, Reply};

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
    let Some(QuestionInput::Scale(scale)) = view.form.question(place).map(Question::input) else { return };
    let step = match view.form.rating_at(place) {
        Some(step) => step.saturating_add(steps),
        None if steps > 0 => scale.min,
        None => scale.max,
    };
    rate(view, place, step.clamp(scale.min, scale.max), cx);
}

pub(in crate::tui::answer) fn rate(view: &mut AskView, place: usize, step: i32, cx: &UpdateContext) {
    set_answer(view, place, Answer::Rating(step), cx);
}

/// Handles a digit of a step. Several digits form one number if the scale has steps of several digits.
pub(in crate::tui::answer) fn rate_digit(view: &mut AskView, place: usize, digit: char, cx: &UpdateContext) {
    let Some(QuestionInput::Scale(scale)) = view.form.question(place).map(Question::input) else { return };
    let steps = scale.min..=scale.max;
    let Some(field) = view.form.field_mut(place) else { return };
    field.digits.push(digit);
    let is_step = field.digits.parse().is_ok_and(|step: i32| steps.contains(&step));
    // Prefix of a step that is not a step itself, such as the 5 of 50 if the scale begins at 10.
    let may_go_on = field.digits.len() < steps.end().to_string().len();
    if !is_step && may_go_on {
        return;
    }
    if !is_step {
        // The digit begins another number.
        field.digits = digit.to_string();
    }
    if let Ok(step) = field.digits.parse::<i32>()
        && steps.contains(&step)
    {
        rate(view, place, step, cx);
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
    let Some(step) = step.or(Number::parse("1")) else { return };
    let Some(Answer::Number(number)) = view.form.sheet.reply_at(place).answer() else { return };
    let next = if up { number.checked_add(step) } else { number.checked_sub(step) };
    let Some(next) = next else { return };
    if let Some(problem) = view.form.sheet.bound_hit(place, &Answer::Number(next), up) {
        view.notice = Some(describe::own_problem_text(&problem, cx.lang));
        return;
    }
    if let Some(field) = view.form.field_mut(place) {
        field.text.set_text(&next.to_string());
    }
    view.record_choice();
    view.commit_text(cx);
}
