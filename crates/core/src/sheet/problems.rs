//! Problems of a sheet: of one reply, of the reply to a question, and of the whole submission.

use super::{QuestionSlot, Sheet, answer_path};
use crate::i18n::Message;
use crate::model::answer::{Answer, Reply};
use crate::model::document_path::PathStep;
use crate::model::id::{QuestionId, SectionId};
use crate::model::question::Question;
use crate::pattern::StepBudget;
use crate::problem::{Problem, ProblemCode};
use crate::rules::prepared_questionnaire::AnswerSource as _;
use crate::rules::validator::{self, ValidationReport};
use std::collections::HashSet;

/// Treatment of rules that are checked only on submit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SubmitRules {
    /// They are checked.
    Checked,
    /// They are left to the desk, or to the asker's verdict.
    Silent,
}

impl Sheet {
    /// Validates a reply to the question at this index as if it were given now. An empty reply is only invalid if an
    /// answer is required.
    pub fn validate_reply(&self, at: usize, reply: &Reply) -> Vec<Problem> {
        self.validate_with(at, reply, |question, answer| {
            let mut steps = self.step_budget.clone();
            if let Some(slot) = self.slots.get(at) {
                steps.refund(slot.steps_used);
            }
            let report = validator::validate(question, self.rules(), answer, &mut steps);
            self.with_unchecked_problem(report).problems
        })
    }

    /// Returns the problems of the current reply.
    pub fn problems_at(&self, at: usize) -> Vec<Problem> {
        self.validate_with(at, self.reply_at(at), |question, answer| match self.slots.get(at) {
            Some(slot) if slot.has_answer => self.with_unchecked_problem(slot.cached_report()).problems,
            _ => validator::validate(question, self.rules(), answer, &mut StepBudget::default()).problems,
        })
    }

    /// Adds the problem of an answer that exceeded the step budget, if such answers are rejected.
    fn with_unchecked_problem(&self, mut report: ValidationReport) -> ValidationReport {
        if report.pattern_not_checked
            && report.problems.is_empty()
            && self.questionnaire().refuses_unchecked()
        {
            report.problems.push(validator::unchecked_problem());
        }
        report
    }

    fn validate_with(
        &self,
        at: usize,
        reply: &Reply,
        answer_problems: impl FnOnce(&Question, &Answer) -> Vec<Problem>,
    ) -> Vec<Problem> {
        let Some(question) = self.questions().get(at) else { return Vec::new() };
        let mut problems: Vec<_> = validator::note_problem(reply.note.as_deref()).into_iter().collect();
        let Some(answer) = reply.answer() else { return problems };
        if answer.is_blank(question, self.rules()) {
            // The previous answer does not count: it would be replaced.
            if !self.is_silent(at, question)
                && self.requires_answer(at, &self.omitted_sections_without(Some(at)))
            {
                problems.push(validator::missing_answer_problem(question));
            }
        } else if self.is_silent(at, question) {
            problems.extend(validator::worded_kind_problems(question, self.rules(), answer));
        } else {
            problems.extend(answer_problems(question, answer));
        }
        problems
    }

    /// Returns the problems that block leaving the question at this index: those of [`problems_at`](Self::problems_at), and a
    /// missing required answer.
    pub fn blocking_problems_at(&self, at: usize) -> Vec<Problem> {
        let problems = self.problems_at(at);
        let is_missing = problems.is_empty() && self.value(at).is_none() && self.is_required(at);
        match self.questions().get(at) {
            Some(question) if is_missing => vec![validator::missing_answer_problem(question)],
            _ => problems,
        }
    }

    /// Returns the bound hit when stepping an answer up or down: a number, or the count of picks. An answer beyond a
    /// bound may still move back step by step.
    pub fn bound_hit(&self, at: usize, answer: &Answer, grows: bool) -> Option<Problem> {
        validator::bound_hit(self.questions().get(at)?, self.rules(), answer, grows)
    }

    /// Returns true if a question currently requires an answer. In an optional section, it does only if another
    /// question there has one.
    pub fn is_required(&self, at: usize) -> bool {
        self.requires_answer(at, &self.omitted_sections())
    }

    fn requires_answer(&self, at: usize, omitted_sections: &HashSet<&SectionId>) -> bool {
        let Some(question) = self.questions().get(at) else { return false };
        if let Some(section) = &question.section
            && omitted_sections.contains(section)
        {
            return false;
        }
        question.required && !self.rules().unjudged && self.is_asked(at)
    }

    /// Returns the optional sections without an answer.
    pub(super) fn omitted_sections(&self) -> HashSet<&SectionId> {
        self.omitted_sections_without(None)
    }

    /// Returns the same sections, as if the question at this index had no answer.
    fn omitted_sections_without(&self, without: Option<usize>) -> HashSet<&SectionId> {
        let optional_sections = self.questionnaire().sections.iter().filter(|section| section.optional);
        let mut omitted: HashSet<_> = optional_sections.map(|section| &section.id).collect();
        if omitted.is_empty() {
            return omitted;
        }
        for (at, question) in self.asked_questions() {
            let Some(section) = &question.section else { continue };
            let Some(answer) = self.value(at) else { continue };
            let is_no = self.rules().must_be_true && *answer == Answer::Confirm(false);
            if Some(at) != without && !is_no {
                omitted.remove(section);
            }
        }
        omitted
    }

    /// Returns true if the rules of a question are checked by the desk or the asker on submit, and shown only after
    /// that.
    fn is_silent(&self, at: usize, question: &Question) -> bool {
        match self.slots.get(at) {
            Some(slot) => slot.is_silent(question),
            None => question.validates_on_submit,
        }
    }

    /// Shows the rules of these questions from now on, until their replies change: the desk refused the replies.
    pub fn mark_refused(&mut self, refusal: &Problem) {
        for cause in &refusal.causes {
            let Some(PathStep::Key(id)) = cause.path.0.get(1) else { continue };
            if let Some(at) = self.form.index_of(id)
                && let Some(slot) = self.slots.get_mut(at)
            {
                slot.is_refused = true;
            }
        }
    }

    /// Returns the problems that block the submission, in the order of the questions.
    pub fn problems(&self) -> Vec<Problem> {
        self.problems_by(SubmitRules::Checked)
    }

    /// Returns the problems that a surface shows before the submission: all but those of rules that are checked on
    /// submit.
    pub fn surface_problems(&self) -> Vec<Problem> {
        self.problems_by(SubmitRules::Silent)
    }

    fn problems_by(&self, submit_rules: SubmitRules) -> Vec<Problem> {
        let omitted_sections = self.omitted_sections();
        let mut problems = Vec::new();
        for (at, question) in self.asked_questions() {
            self.validate_at(at, question, &omitted_sections, submit_rules, &mut problems);
        }
        problems.extend(self.form_note_problem());
        if problems.is_empty() {
            problems.extend(self.no_input_problem());
        }
        problems
    }

    /// Returns the problem of the note on the whole form.
    pub fn form_note_problem(&self) -> Option<Problem> {
        validator::note_problem(self.note()).map(|problem| problem.at(answer_path(&QuestionId::FORM)))
    }

    /// Returns the problem of a sheet without any input, if some is required. Its path is the first question.
    pub(super) fn no_input_problem(&self) -> Option<Problem> {
        if !self.requires_some_answer() || self.note().is_some() {
            return None;
        }
        for (at, _) in self.asked_questions() {
            if self.value(at).is_some() || self.reply_at(at).note.is_some() {
                return None;
            }
        }
        let (_, first) = self.asked_questions().next()?;
        let problem = Problem::new(ProblemCode::NeedsAnswer, Message::NeedsSomeAnswer);
        Some(problem.at(answer_path(&first.id)))
    }

    /// Returns true if a person must give input to the question at this index: it is required, or it is the only
    /// question and some answer is.
    pub fn needs_input(&self, at: usize) -> bool {
        self.is_required(at) || self.is_only_needed_input(at)
    }

    /// Returns true if it is the only question asked, and some answer is required.
    pub(super) fn is_only_needed_input(&self, at: usize) -> bool {
        let mut indices = self.asked_questions().map(|(at, _)| at);
        self.requires_some_answer() && indices.next() == Some(at) && indices.next().is_none()
    }

    fn requires_some_answer(&self) -> bool {
        self.rules().some_answer && !self.rules().unjudged
    }

    /// Validates the reply to an asked question as for submission and appends its problems; returns true if a pattern
    /// exceeded the step budget.
    pub(super) fn validate_at(
        &self,
        at: usize,
        question: &Question,
        omitted_sections: &HashSet<&SectionId>,
        submit_rules: SubmitRules,
        problems: &mut Vec<Problem>,
    ) -> bool {
        let Some(slot) = self.slots.get(at) else { return false };
        if submit_rules == SubmitRules::Silent && self.is_silent(at, question) {
            for problem in self.problems_at(at) {
                problems.push(problem.at(answer_path(&question.id)));
            }
            return match &slot.report {
                Some(report) => report.pattern_not_checked,
                None => false,
            };
        }
        if slot.is_valid {
            return false;
        }
        if let Some(problem) = validator::note_problem(self.reply_at(at).note.as_deref()) {
            problems.push(problem.at(answer_path(&question.id)));
        }
        let report = self.submit_report(at, question, slot, omitted_sections);
        for problem in report.problems {
            problems.push(problem.at(answer_path(&question.id)));
        }
        report.pattern_not_checked
    }

    /// Validates the answer in a slot as for submission, or its lack.
    fn submit_report(
        &self,
        at: usize,
        question: &Question,
        slot: &QuestionSlot,
        omitted_sections: &HashSet<&SectionId>,
    ) -> ValidationReport {
        if slot.has_answer {
            return self.with_unchecked_problem(slot.cached_report());
        }
        // An answer of another kind does not count, and is reported.
        if let Some(answer) = self.reply_at(at).answer()
            && !validator::is_of_kind(&question.kind, self.rules(), answer)
        {
            return validator::validate(question, self.rules(), answer, &mut StepBudget::default());
        }
        let mut report = ValidationReport::default();
        if self.requires_answer(at, omitted_sections) {
            report.problems.push(validator::missing_answer_problem(question));
        }
        report
    }
}
