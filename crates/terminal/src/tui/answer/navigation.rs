//! Navigation between tabs.

use super::reply::{choice_picks, text_input, undo};
use super::{AskTab, AskView, FieldFocus, FieldState, ScrollTarget, SectionStep, UpdateContext};
use crate::describe;
use sayso_core::{Answer, ConsentQuestions, Question, QuestionInput};

impl AskView {
    /// Returns the tabs: the questions that are asked, and the review if there is one.
    pub(crate) fn tabs(&self) -> Vec<AskTab> {
        let questions = self.form.sheet.asked_questions().map(|(place, _)| AskTab::Question(place));
        questions.chain(self.has_review().then_some(AskTab::Review)).collect()
    }

    /// Goes to a tab. Keeps the text typed at the last one, and shows its problems from now on.
    pub(crate) fn go_to(&mut self, spot: AskTab, cx: &UpdateContext) {
        text_input::finish_opening(self, cx);
        self.commit_text(cx);
        if let Some(place) = self.tab.question_place() {
            choice_picks::clear_filter(self, place);
        }
        if let Some((place, question)) = self.current_question() {
            let wrong = self.form.sheet.problems_at(place);
            let is_empty = self.form.sheet.reply_at(place).is_unanswered();
            let is_text = question.is_text();
            if !wrong.is_empty() && (!is_empty || is_text && self.form.flagged.contains(&place)) {
                self.form.flagged.insert(place);
            }
            if let Some(field) = self.form.field_mut(place) {
                field.focus = FieldFocus::Question;
                field.digits.clear();
            }
        }
        if spot != self.tab {
            // Frees fields that were only looked at: a thousand of them cost nothing.
            if let Some(place) = self.tab.question_place()
                && self.form.field(place).is_some_and(FieldState::is_untouched)
            {
                self.form.fields.remove(&place);
            }
            // A question is read from its start, even if the focused element is far below.
            let is_review = spot == AskTab::Review;
            self.scroll.open_page(if is_review { ScrollTarget::Focus } else { ScrollTarget::Start });
            self.guard.show_page(cx.instant());
        }
        self.tab = spot;
        match spot {
            AskTab::Question(place) => {
                let types = self.form.question(place).is_some_and(is_typed);
                let many = self.form.question(place).map(opens_filter).unwrap_or_default();
                if let Some(field) = self.form.field_mut(place) {
                    field.focus = match (types, many) {
                        (true, _) => FieldFocus::Text,
                        (false, true) => FieldFocus::Filter,
                        (false, false) => FieldFocus::Question,
                    };
                }
            }
            AskTab::Review => {
                self.review.show(self.form.review_start());
            }
        }
    }

    fn step_tab(&mut self, forward: bool, cx: &UpdateContext) {
        let tabs = self.tabs();
        let at = tabs.iter().position(|spot| *spot == self.tab).unwrap_or_default();
        let next = if forward { (at + 1).min(tabs.len() - 1) } else { at.saturating_sub(1) };
        if let Some(spot) = tabs.get(next).copied().filter(|spot| *spot != self.tab) {
            self.go_to(spot, cx);
        }
    }

    pub(crate) fn next_tab(&mut self, cx: &UpdateContext) {
        self.step_tab(true, cx);
    }

    pub(crate) fn previous_tab(&mut self, cx: &UpdateContext) {
        self.step_tab(false, cx);
    }

    /// Goes to the tab with this index.
    pub(crate) fn go_to_index(&mut self, number: usize, cx: &UpdateContext) {
        if let Some(spot) = self.tabs().get(number).copied() {
            self.go_to(spot, cx);
        }
    }

    /// Leaves an answered question: for one that its answer brought up, for the next one, or for the review that opened
    /// it.
    pub(crate) fn advance(&mut self, cx: &UpdateContext) {
        self.commit_text(cx);
        let Some(place) = self.tab.question_place() else { return self.next_tab(cx) };
        if self.form.sheet.is_prefilled(place) {
            // Going on accepts a prefilled answer.
            let reply = self.form.sheet.reply_at(place).clone();
            self.set_reply(place, reply, cx);
        }
        let problems = self.form.sheet.blocking_problems_at(place);
        if !problems.is_empty() {
            self.form.flagged.insert(place);
            // On a low screen the problem may be below the last row.
            self.notice = problems.first().map(|problem| describe::own_problem_text(problem, cx.lang));
            return;
        }
        if self.lone_place().is_some() && self.form.sheet.reply_at(place).answer().is_some() {
            return self.press_lone_button(cx);
        }
        if !self.review.is_origin() {
            // An empty reply to a lone question is sent from a review.
            return if self.has_review() { self.next_tab(cx) } else { self.go_to(AskTab::Review, cx) };
        }
        let next = self.review.next_follow_up(place, |place| self.form.sheet.needs_attention(place));
        self.go_to(next.map_or(AskTab::Review, AskTab::Question), cx);
    }

    /// Goes to the question with this index among those that match.
    pub(super) fn jump_to(&mut self, query: &str, at: usize, cx: &UpdateContext) {
        let found = self.form.matching_questions(query);
        if let Some(place) = found.get(at.min(found.len().saturating_sub(1))) {
            self.go_to(AskTab::Question(*place), cx);
        }
    }

    /// Returns whether Enter leads from the last question of a section to the next section.
    pub(crate) fn leads_to_next_section(&self, place: usize, step: &SectionStep) -> bool {
        // In a long text Enter is a new line.
        let is_long = self.form.question(place).is_some_and(Question::is_long_text);
        step.next.is_some() && step.after.is_empty() && !is_long && !self.review.is_origin()
    }

    /// Accepts the asker's suggestion at every unanswered question and goes to the review. Returns the number of
    /// questions that it filled in.
    pub(crate) fn fill_in_suggestions(&mut self, cx: &UpdateContext) -> usize {
        let mut taken = Vec::new();
        let consent = ConsentQuestions::for_questionnaire(self.form.sheet.questionnaire());
        loop {
            let open = self.form.sheet.asked_questions().find_map(|(place, question)| {
                let choice = question.choice()?;
                let free = self.form.sheet.reply_at(place).is_unanswered() && !taken.contains(&place);
                let starred = choice.options.iter().filter(|option| consent.recommends(question, option));
                let picks: Vec<_> = starred
                    .take(if choice.multi { usize::MAX } else { 1 })
                    .map(|option| sayso_core::Pick::Option(option.id.clone()))
                    .collect();
                (free && !picks.is_empty()).then_some((place, picks))
            });
            let Some((place, picks)) = open else { break };
            let reply = self.form.sheet.reply_at(place).clone();
            let answer = sayso_core::ReplyContent::Answered(Answer::Picks(picks.into()));
            undo::set_reply_undoable(self, place, sayso_core::Reply { content: answer, ..reply }, cx);
            self.form.suggested.insert(place);
            self.form.fields.remove(&place);
            taken.push(place);
        }
        if !taken.is_empty() {
            self.go_to(AskTab::Review, cx);
        }
        taken.len()
    }
}

/// Returns whether the answer to a question is typed.
pub(crate) fn is_typed(question: &Question) -> bool {
    matches!(question.input(), QuestionInput::Line(_))
}

/// Returns whether a choice has so many options that it opens with its filter focused.
fn opens_filter(question: &Question) -> bool {
    const LOOKED_THROUGH: usize = 12;
    question.choice().is_some_and(|choice| choice.item_count() > LOOKED_THROUGH)
}
