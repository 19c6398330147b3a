//! Confirmations, ratings and number steps. A question has no answer until a key sets one.

use crate::describe;
use crate::tui::answer::{AskView, UpdateContext};
use sayso_core::{Answer, Number, QuestionKind, RatingQuestion, Reply};

impl AskView {
    fn set_answer(&mut self, place: usize, answer: Answer, cx: &UpdateContext) {
        self.record_choice();
        let note = self.form.sheet.reply_at(place).note.clone();
        self.set_reply_undoable(place, Reply::from_answer(answer).with_note(note), cx);
    }

    pub(in crate::tui::answer) fn confirm(&mut self, place: usize, yes: bool, cx: &UpdateContext) {
        self.set_answer(place, Answer::Confirm(yes), cx);
    }

    /// Moves along the scale; the first key starts at that key's end.
    pub(in crate::tui::answer) fn rate_by(&mut self, place: usize, steps: i32, cx: &UpdateContext) {
        let Some(QuestionKind::Rating(RatingQuestion { min, max, .. })) =
            self.form.question(place).map(|question| &question.kind)
        else {
            return;
        };
        let (min, max) = (*min, *max);
        let step = match self.form.rating_at(place) {
            Some(step) => step.saturating_add(steps),
            None if steps > 0 => min,
            None => max,
        };
        self.rate(place, step.clamp(min, max), cx);
    }

    pub(in crate::tui::answer) fn rate(&mut self, place: usize, step: i32, cx: &UpdateContext) {
        self.set_answer(place, Answer::Rating(step), cx);
    }

    /// Handles a digit of a step. Several digits form one number if the scale has steps of several digits.
    pub(in crate::tui::answer) fn rate_digit(&mut self, place: usize, digit: char, cx: &UpdateContext) {
        let Some(QuestionKind::Rating(RatingQuestion { min, max, .. })) =
            self.form.question(place).map(|question| &question.kind)
        else {
            return;
        };
        let (min, max) = (*min, *max);
        let Some(field) = self.form.field_mut(place) else { return };
        field.digits.push(digit);
        let fits = |text: &str| text.parse().ok().filter(|step: &i32| (min..=max).contains(step));
        if let Some(step) = fits(&field.digits) {
            self.rate(place, step, cx);
            return;
        }
        let alone = digit.to_string();
        // Prefix of a step that is not a step itself, such as the 5 of 50 if the scale begins at 10.
        let may_go_on = field.digits.len() < max.to_string().len();
        if !may_go_on {
            field.digits.clone_from(&alone);
            if let Some(step) = fits(&alone) {
                self.rate(place, step, cx);
            }
        }
    }

    /// Steps the typed number up or down.
    pub(in crate::tui::answer) fn step_number(&mut self, place: usize, up: bool, cx: &UpdateContext) {
        self.commit_text(cx);
        let Some(QuestionKind::Number(entry)) = self.form.question(place).map(|question| &question.kind)
        else {
            return;
        };
        let step = entry.step.or_else(|| Number::parse("1"));
        let Some(Answer::Number(number)) = self.form.sheet.reply_at(place).answer() else { return };
        let Some(next) =
            step.and_then(|step| if up { number.checked_add(step) } else { number.checked_sub(step) })
        else {
            return;
        };
        if let Some(bound) = self.form.sheet.bound_hit(place, &Answer::Number(next), up) {
            self.notice = Some(describe::own_problem_text(&bound, cx.lang));
            return;
        }
        if let Some(field) = self.form.field_mut(place) {
            field.text.set_text(&next.to_string());
        }
        self.record_choice();
        self.commit_text(cx);
    }
}
