//! Progress of a sheet, and the questions that need a person's attention.

use super::{QuestionSlot, Sheet};
use crate::model::question::Question;
use crate::rules::prepared_questionnaire::AnswerSource as _;

/// Progress of a sheet. Only questions that are asked count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SheetProgress {
    /// Number of questions with an answer that breaks no rule.
    pub answered: usize,
    /// Number of questions.
    pub total: usize,
}

impl Sheet {
    /// Returns the first question that needs a person's attention.
    pub fn next_needing_attention(&self) -> Option<usize> {
        self.next_needing_attention_from(0)
    }

    /// Returns the first question after an index that needs a person's attention.
    pub fn next_needing_attention_after(&self, after: usize) -> Option<usize> {
        self.next_needing_attention_from(after.saturating_add(1))
    }

    fn next_needing_attention_from(&self, start: usize) -> Option<usize> {
        (start..self.slots.len()).find(|at| self.needs_attention(*at))
    }

    /// Returns true if a question needs a person's attention: it has neither an answer nor a skip, an invalid answer,
    /// or only the asker's prefill.
    pub fn needs_attention(&self, at: usize) -> bool {
        if !self.is_asked(at) {
            return false;
        }
        let reply = self.reply_at(at);
        let is_passed_over = reply.is_skipped() && !self.is_required(at);
        let is_unanswered = !is_passed_over && self.value(at).is_none();
        is_unanswered || self.is_prefilled(at) || !self.problems_at(at).is_empty()
    }

    /// Returns whether a person has given anything that would be sent: a reply to an asked question, or a note.
    pub fn has_input(&self) -> bool {
        self.given_count() > 0 || self.note().is_some()
    }

    /// Counts the asked questions that have input from a person.
    pub fn given_count(&self) -> usize {
        self.slots.iter().filter(|slot| slot.is_asked && slot.has_input()).count()
    }

    /// Counts the asked questions that a person has answered. An answer that breaks a rule does not count.
    pub fn answered_count(&self) -> usize {
        let mut count = 0;
        for (question, slot) in self.asked_slots() {
            if slot.counts(question) && !slot.is_prefilled {
                count += 1;
            }
        }
        count
    }

    /// Returns the progress. An answer that breaks a rule does not count.
    pub fn progress(&self) -> SheetProgress {
        let mut progress = SheetProgress { answered: 0, total: 0 };
        for (question, slot) in self.asked_slots() {
            progress.total += 1;
            if slot.counts(question) {
                progress.answered += 1;
            }
        }
        progress
    }

    fn asked_slots(&self) -> impl Iterator<Item = (&Question, &QuestionSlot)> {
        self.questions().iter().zip(&self.slots).filter(|(_, slot)| slot.is_asked)
    }
}
