//! State of one question of a sheet.

use super::judge::{self, Verdict};
use crate::answer::{Answer, Pick, Reply, Said};
use crate::form::option_place;
use crate::pattern::StepBudget;
use crate::question::Question;
use crate::rules::Rules;

/// The reply to a question, with cached results of its validation.
#[derive(Debug, Clone, Default)]
pub(crate) struct Slot {
    /// `None` until a person or a prefill fills it.
    pub(super) reply: Option<Reply>,
    /// The reply is an answer that counts while the question is asked: of its kind, and not blank.
    pub(super) filled: bool,
    /// The reply is valid for submission, and every pattern was checked: no further validation is needed.
    pub(super) right: bool,
    /// Validation of an answer that counts, if it found anything: patterns may be costly and are matched once.
    pub(super) verdict: Option<Box<Verdict>>,
    /// Steps of the sheet's budget that its patterns took.
    pub(super) steps: u64,
    /// The index of the option that is the answer, if it is exactly one option.
    pub(super) picked: Option<usize>,
    pub(super) asked: bool,
    /// The reply is the asker's and no person has confirmed it.
    pub(super) prefilled: bool,
}

impl Slot {
    /// Builds a slot with a validated reply.
    pub(super) fn of(question: &Question, rules: &Rules, reply: Reply, steps: &mut StepBudget) -> Self {
        let mut slot = Self::default();
        slot.put(question, rules, reply, None, steps);
        slot
    }

    /// Sets the reply and validates it in place, which saves a move. `picked` is the index of the option that is the
    /// answer, if already known.
    #[inline]
    pub(crate) fn put(
        &mut self,
        question: &Question,
        rules: &Rules,
        reply: Reply,
        picked: Option<usize>,
        steps: &mut StepBudget,
    ) {
        let reply = self.reply.insert(as_given(reply));
        let answer = reply.answer();
        let picked = picked.or_else(|| only_option(question, answer?));
        let counting = answer.filter(|answer| picked.is_some() || counts(question, rules, answer));
        // Most answers are one option, which only constraints can make invalid.
        let may_be_wrong = |_: &&Answer| picked.is_none() || !question.constraints.is_empty();
        let before = steps.matching();
        let verdict =
            counting.filter(may_be_wrong).map(|answer| judge::filled_verdict(question, rules, answer, steps));
        self.steps = steps.matching() - before;
        self.verdict = verdict.filter(|verdict| *verdict != Verdict::default()).map(Box::new);
        self.right = reply.note.is_none() && counting.is_some() && self.verdict.is_none();
        self.filled = counting.is_some();
        self.picked = picked;
    }

    /// Builds a slot without validation, which may be costly; only determines if the reply counts.
    pub(super) fn unjudged(question: &Question, rules: &Rules, reply: Reply) -> Self {
        let reply = as_given(reply);
        let picked = reply.answer().and_then(|answer| only_option(question, answer));
        let filled = picked.is_some() || reply.answer().is_some_and(|answer| counts(question, rules, answer));
        Self { reply: Some(reply), filled, picked, ..Self::default() }
    }

    /// Returns the cached validation of an answer that counts.
    pub(super) fn known(&self) -> Verdict {
        self.verdict.as_deref().cloned().unwrap_or_default()
    }

    /// Returns true if a person gave the reply.
    pub(super) fn is_given(&self) -> bool {
        !self.prefilled && self.reply.as_ref().is_some_and(Reply::is_given)
    }
}

/// Returns true if an answer has the question's kind, and is not blank.
pub(super) fn counts(question: &Question, rules: &Rules, answer: &Answer) -> bool {
    judge::fits(&question.kind, rules, answer) && !judge::is_blank(question, rules, answer)
}

/// Returns the index of the option that is an answer, if it is exactly one.
#[inline]
fn only_option(question: &Question, answer: &Answer) -> Option<usize> {
    let Answer::Picks(picks) = answer else { return None };
    match picks.as_slice() {
        [Pick::Option(id)] => option_place(question, |option| option.id == *id),
        _ => None,
    }
}

/// Removes from a surface's reply the states that only outcomes have.
fn as_given(mut reply: Reply) -> Reply {
    if matches!(reply.said, Said::NotAsked { .. }) {
        reply.said = Said::Nothing;
    }
    reply.pattern_not_checked = false;
    reply
}
