//! Problems of a sheet: of one reply, of the reply to a question, and of the whole submission.

use super::{Sheet, answer_place, judge};
use crate::answer::{Answer, Reply};
use crate::form::Answers as _;
use crate::id::SectionId;
use crate::message::Message;
use crate::pattern::StepBudget;
use crate::problem::{Code, Problem};
use crate::question::Question;
use judge::Verdict;
use std::collections::HashSet;

impl Sheet {
    /// Validates a reply to the question at this index as if it were given now. An empty reply is only invalid if an
    /// answer is required.
    pub fn judge(&self, at: usize, reply: &Reply) -> Vec<Problem> {
        self.judge_by(at, reply, |question, answer| {
            let mut steps = self.steps.clone();
            steps.refund(self.slots.get(at).map_or(0, |slot| slot.steps));
            self.with_unchecked(judge::verdict(question, self.rules(), answer, &mut steps)).problems
        })
    }

    /// Returns the problems of the current reply.
    pub fn wrong(&self, at: usize) -> Vec<Problem> {
        self.judge_by(at, self.reply_at(at), |question, answer| match self.slots.get(at) {
            Some(slot) if slot.filled => self.with_unchecked(slot.known()).problems,
            _ => judge::verdict(question, self.rules(), answer, &mut StepBudget::default()).problems,
        })
    }

    /// Adds the problem of an answer that exceeded the step budget, if such answers are rejected.
    fn with_unchecked(&self, mut verdict: Verdict) -> Verdict {
        if verdict.pattern_not_checked
            && verdict.problems.is_empty()
            && self.questionnaire().refuses_unchecked()
        {
            verdict.problems.push(judge::unchecked_problem());
        }
        verdict
    }

    fn judge_by(
        &self,
        at: usize,
        reply: &Reply,
        verdict: impl FnOnce(&Question, &Answer) -> Vec<Problem>,
    ) -> Vec<Problem> {
        let Some(question) = self.questions().get(at) else { return Vec::new() };
        let mut problems: Vec<_> = judge::note_problem(reply.note.as_deref()).into_iter().collect();
        let Some(answer) = reply.answer() else { return problems };
        if judge::is_blank(question, self.rules(), answer) {
            // The previous answer does not count: it would be replaced.
            let is_needed = self.needs_answer(at, &self.sections_left_out_without(Some(at)));
            problems.extend(is_needed.then(|| judge::needs_answer(question)));
        } else if question.unchecked {
            problems.extend(judge::misfits(question, self.rules(), answer));
        } else {
            problems.extend(verdict(question, answer));
        }
        problems
    }

    /// Returns the problems that block leaving the question at this index: those of [`wrong`](Self::wrong), and a
    /// missing required answer.
    pub fn lacks(&self, at: usize) -> Vec<Problem> {
        let problems = self.wrong(at);
        let is_missing = problems.is_empty() && self.value(at).is_none() && self.is_required(at);
        match self.questions().get(at).filter(|_| is_missing) {
            Some(question) => vec![judge::needs_answer(question)],
            None => problems,
        }
    }

    /// Returns the bound hit when stepping an answer up or down: a number, or the count of picks. An answer beyond a
    /// bound may still move back step by step.
    pub fn bound(&self, at: usize, answer: &Answer, grows: bool) -> Option<Problem> {
        judge::bound(self.questions().get(at)?, self.rules(), answer, grows)
    }

    /// Returns true if a question currently requires an answer. In an optional section, it does only if another
    /// question there has one.
    pub fn is_required(&self, at: usize) -> bool {
        self.needs_answer(at, &self.sections_left_out())
    }

    fn needs_answer(&self, at: usize, left_out: &HashSet<&SectionId>) -> bool {
        let asked = self.questions().get(at).filter(|_| self.is_asked(at) && !self.rules().unjudged);
        asked
            .filter(|question| question.required)
            .is_some_and(|question| question.section.as_ref().is_none_or(|id| !left_out.contains(id)))
    }

    /// Returns the optional sections without an answer.
    pub(super) fn sections_left_out(&self) -> HashSet<&SectionId> {
        self.sections_left_out_without(None)
    }

    /// Returns the same sections, as if the question at this index had no answer.
    fn sections_left_out_without(&self, without: Option<usize>) -> HashSet<&SectionId> {
        let sections = self.questionnaire().sections.iter().filter(|section| section.optional);
        let mut left_out: HashSet<_> = sections.map(|section| &section.id).collect();
        if !left_out.is_empty() {
            let is_no = |answer: &Answer| self.rules().must_be_true && *answer == Answer::Confirm(false);
            for (at, question) in self.asked() {
                if Some(at) != without && self.value(at).is_some_and(|answer| !is_no(answer)) {
                    question.section.as_ref().map(|id| left_out.remove(id));
                }
            }
        }
        left_out
    }

    /// Returns the problems that block the submission, in the order of the questions.
    pub fn problems(&self) -> Vec<Problem> {
        let left_out = self.sections_left_out();
        let mut problems = Vec::new();
        for (at, question) in self.asked() {
            self.verdict_at(at, question, &left_out, &mut problems);
        }
        if problems.is_empty() {
            problems.extend(self.silence());
        }
        problems
    }

    /// Returns the problem of a sheet without any input, if some is required. Its path is the first question.
    pub(super) fn silence(&self) -> Option<Problem> {
        let has_input = |at| self.value(at).is_some() || self.reply_at(at).note.is_some();
        let is_silent = self.wants_some_answer() && !self.asked().any(|(at, _)| has_input(at));
        let (_, first) = self.asked().next().filter(|_| is_silent)?;
        let problem = Problem::new(Code::NeedsAnswer, Message::NeedsSomeAnswer);
        Some(problem.at(answer_place(&first.id)))
    }

    /// Returns true if a person must give input to the question at this index: it is required, or it is the only
    /// question and some answer is.
    pub fn is_needed(&self, at: usize) -> bool {
        self.is_required(at) || self.must_be_said(at)
    }

    /// Returns true if it is the only question asked, and some answer is required.
    pub(super) fn must_be_said(&self, at: usize) -> bool {
        let mut asked = self.asked().map(|(at, _)| at);
        self.wants_some_answer() && asked.next() == Some(at) && asked.next().is_none()
    }

    fn wants_some_answer(&self) -> bool {
        self.rules().some_answer && !self.rules().unjudged
    }

    /// Validates the reply to an asked question as for submission and appends its problems; returns true if a pattern
    /// exceeded the step budget.
    pub(super) fn verdict_at(
        &self,
        at: usize,
        question: &Question,
        left_out: &HashSet<&SectionId>,
        problems: &mut Vec<Problem>,
    ) -> bool {
        let slot = self.slots.get(at);
        if slot.is_some_and(|slot| slot.right) {
            return false;
        }
        let reply = self.reply_at(at);
        let rules = self.rules();
        let verdict = match (slot.filter(|slot| slot.filled), reply.answer()) {
            (Some(slot), _) => self.with_unchecked(slot.known()),
            // An answer of another kind does not count, and is reported.
            (None, Some(answer)) if !judge::fits(&question.kind, rules, answer) => {
                judge::verdict(question, rules, answer, &mut StepBudget::default())
            }
            _ if self.needs_answer(at, left_out) => {
                Verdict { problems: vec![judge::needs_answer(question)], ..Verdict::default() }
            }
            _ => Verdict::default(),
        };
        let Verdict { problems: wrong, pattern_not_checked } = verdict;
        if !wrong.is_empty() || reply.note.is_some() {
            let noted = judge::note_problem(reply.note.as_deref());
            problems
                .extend(noted.into_iter().chain(wrong).map(|problem| problem.at(answer_place(&question.id))));
        }
        pattern_not_checked
    }
}
