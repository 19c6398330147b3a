//! Navigation between tabs.

use super::reply::{choice_picks, text_input, undo};
use super::{AskTab, AskView, FieldFocus, FieldState, ScrollTarget, SectionStep, UpdateContext};
use crate::describe;
use sayso_core::{Answer, ConsentQuestions, Pick, Question, QuestionInput, Reply, ReplyContent};
use std::collections::BTreeSet;

impl AskView {
    /// Returns the tabs: the questions that are asked, and the review if there is one.
    pub(crate) fn tabs(&self) -> Vec<AskTab> {
        let questions = self.form.sheet.asked_questions();
        let mut tabs: Vec<_> = questions.map(|(place, _)| AskTab::Question(place)).collect();
        if self.has_review() {
            tabs.push(AskTab::Review);
        }
        tabs
    }

    /// Goes to a tab. Keeps the text typed at the last one, and shows its problems from now on.
    pub(crate) fn go_to(&mut self, tab: AskTab, cx: &UpdateContext) {
        text_input::finish_opening(self, cx);
        self.commit_text(cx);
        if let AskTab::Question(place) = self.tab {
            choice_picks::clear_filter(self, place);
            if !self.form.sheet.reply_at(place).is_unanswered()
                && !self.form.sheet.problems_at(place).is_empty()
            {
                self.form.flagged.insert(place);
            }
            if let Some(field) = self.form.field_mut(place) {
                field.focus = FieldFocus::Question;
                field.digits.clear();
            }
        }
        if tab != self.tab {
            // Frees fields that were only looked at: a thousand of them cost nothing.
            if let Some(place) = self.tab.question_place()
                && self.form.field(place).is_some_and(FieldState::is_untouched)
            {
                self.form.fields.remove(&place);
            }
            // A question is read from its start, even if the focused element is far below.
            self.scroll.open_page(match tab {
                AskTab::Question(_) => ScrollTarget::Start,
                AskTab::Review => ScrollTarget::Focus,
            });
            self.guard.show_page(cx.instant());
        }
        self.tab = tab;
        match tab {
            AskTab::Question(place) => {
                let focus = self.form.question(place).map(first_focus).unwrap_or_default();
                if let Some(field) = self.form.field_mut(place) {
                    field.focus = focus;
                }
            }
            AskTab::Review => {
                self.review.show(self.form.review_start());
            }
        }
    }

    fn step_tab(&mut self, forward: bool, cx: &UpdateContext) {
        let tabs = self.tabs();
        let current = tabs.iter().position(|tab| *tab == self.tab).unwrap_or_default();
        let next = if forward { (current + 1).min(tabs.len() - 1) } else { current.saturating_sub(1) };
        if let Some(tab) = tabs.get(next)
            && *tab != self.tab
        {
            self.go_to(*tab, cx);
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
        if let Some(tab) = self.tabs().get(number) {
            self.go_to(*tab, cx);
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
        if let Some(problem) = self.form.sheet.blocking_problems_at(place).first() {
            self.form.flagged.insert(place);
            // On a low screen the problem may be below the last row.
            self.notice = Some(describe::own_problem_text(problem, cx.lang));
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
        let matches = self.form.matching_questions(query);
        if let Some(place) = matches.get(at.min(matches.len().saturating_sub(1))) {
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
        let consent = ConsentQuestions::for_questionnaire(self.form.sheet.questionnaire());
        let mut filled_places = BTreeSet::new();
        // An answer may bring up further questions with suggestions.
        while let Some((place, picks)) = self.next_suggestion(consent, &filled_places) {
            let reply = self.form.sheet.reply_at(place).clone();
            let content = ReplyContent::Answered(Answer::Picks(picks.into()));
            undo::set_reply_undoable(self, place, Reply { content, ..reply }, cx);
            self.form.suggested.insert(place);
            self.form.fields.remove(&place);
            filled_places.insert(place);
        }
        if !filled_places.is_empty() {
            self.go_to(AskTab::Review, cx);
        }
        filled_places.len()
    }

    /// Returns the first unanswered question for which the asker suggests something, with the suggested picks.
    fn next_suggestion(
        &self,
        consent: ConsentQuestions,
        filled_places: &BTreeSet<usize>,
    ) -> Option<(usize, Vec<Pick>)> {
        for (place, question) in self.form.sheet.asked_questions() {
            let Some(choice) = question.choice() else { continue };
            if !self.form.sheet.reply_at(place).is_unanswered() || filled_places.contains(&place) {
                continue;
            }
            let mut picks = Vec::new();
            for option in &choice.options {
                if consent.recommends(question, option) && (choice.multi || picks.is_empty()) {
                    picks.push(Pick::Option(option.id.clone()));
                }
            }
            if !picks.is_empty() {
                return Some((place, picks));
            }
        }
        None
    }
}

/// Returns the part of a question that receives the keys when the person comes to it.
fn first_focus(question: &Question) -> FieldFocus {
    if is_typed(question) {
        FieldFocus::Text
    } else if opens_filter(question) {
        FieldFocus::Filter
    } else {
        FieldFocus::Question
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
