//! State of one question of a sheet.

use crate::model::answer::{Answer, Pick, Reply, ReplyContent};
use crate::model::question::Question;
use crate::model::validation_rules::Rules;
use crate::pattern::StepBudget;
use crate::rules::prepared_questionnaire::option_index;
use crate::rules::validator::{self, ValidationReport};

/// The reply to a question, with cached results of its validation.
#[derive(Debug, Clone, Default)]
pub(crate) struct QuestionSlot {
    /// `None` until a person or a prefill fills it.
    pub(super) reply: Option<Reply>,
    /// The reply is an answer that counts while the question is asked: of its kind, and not blank.
    pub(super) has_answer: bool,
    /// The reply is valid for submission, and every pattern was checked: no further validation is needed.
    pub(super) is_valid: bool,
    /// Validation of an answer that counts, if it found anything: patterns may be costly and are matched once.
    pub(super) report: Option<Box<ValidationReport>>,
    /// Steps of the sheet's budget that its patterns took.
    pub(super) steps_used: u64,
    /// The index of the option that is the answer, if it is exactly one option.
    pub(super) picked_option: Option<usize>,
    pub(super) is_asked: bool,
    /// The reply is the asker's and no person has confirmed it.
    pub(super) is_prefilled: bool,
    /// The desk refused this reply on submit, so rules that are silent until then are shown.
    pub(super) is_refused: bool,
}

impl QuestionSlot {
    /// Builds a slot with a validated reply.
    pub(super) fn new(question: &Question, rules: &Rules, reply: Reply, steps: &mut StepBudget) -> Self {
        let mut slot = Self::without_validation(question, rules, reply);
        let Some(reply) = &slot.reply else { return slot };
        // Most answers are one option, which only constraints can make invalid.
        let may_be_invalid = slot.picked_option.is_none() || !question.constraints.is_empty();
        if let Some(answer) = reply.answer()
            && slot.has_answer
            && may_be_invalid
        {
            let earlier_steps = steps.matching();
            let report = validator::validate_filled(question, rules, answer, steps);
            slot.steps_used = steps.matching() - earlier_steps;
            if report != ValidationReport::default() {
                slot.report = Some(Box::new(report));
            }
        }
        slot.is_valid = reply.note.is_none() && slot.has_answer && slot.report.is_none();
        slot
    }

    /// Builds a slot without validation, which may be costly; only determines if the reply counts.
    pub(super) fn without_validation(question: &Question, rules: &Rules, reply: Reply) -> Self {
        let reply = strip_outcome_states(reply);
        let mut slot = Self::default();
        if let Some(answer) = reply.answer() {
            slot.picked_option = single_option(question, answer);
            slot.has_answer = slot.picked_option.is_some() || counts_as_answer(question, rules, answer);
        }
        slot.reply = Some(reply);
        slot
    }

    /// Returns the cached validation of an answer that counts.
    pub(super) fn cached_report(&self) -> ValidationReport {
        self.report.as_deref().cloned().unwrap_or_default()
    }

    /// Returns true if the slot has an answer that breaks no rule. If the rules are checked on submit, they are silent
    /// until then.
    pub(super) fn counts(&self, question: &Question) -> bool {
        let is_faultless = match &self.report {
            Some(report) => report.problems.is_empty(),
            None => true,
        };
        self.has_answer && (is_faultless || self.is_silent(question))
    }

    /// Returns true if the rules of its question are checked on submit, and shown only after that.
    pub(super) const fn is_silent(&self, question: &Question) -> bool {
        question.validates_on_submit && !self.is_refused
    }

    /// Returns true if a person gave the reply.
    pub(super) fn has_input(&self) -> bool {
        match &self.reply {
            Some(reply) => reply.has_input() && !self.is_prefilled,
            None => false,
        }
    }
}

/// Returns true if an answer has the question's kind, and is not blank.
pub(super) fn counts_as_answer(question: &Question, rules: &Rules, answer: &Answer) -> bool {
    validator::is_of_kind(&question.kind, rules, answer) && !answer.is_blank(question, rules)
}

/// Returns the index of the option that is an answer, if it is exactly one.
#[inline]
fn single_option(question: &Question, answer: &Answer) -> Option<usize> {
    let Answer::Picks(picks) = answer else { return None };
    match picks.as_slice() {
        [Pick::Option(id)] => option_index(question, |option| option.id == *id),
        _ => None,
    }
}

/// Removes from a surface's reply the states that only outcomes have.
fn strip_outcome_states(mut reply: Reply) -> Reply {
    if matches!(reply.content, ReplyContent::NotAsked { .. }) {
        reply.content = ReplyContent::Unanswered;
    }
    reply.pattern_not_checked = false;
    reply
}
