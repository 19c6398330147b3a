//! What stands at one question of a sheet.

use super::judge::{self, Verdict};
use crate::answer::{Answer, Pick, Reply, Said};
use crate::form::option_place;
use crate::pattern::StepBudget;
use crate::question::Question;
use crate::rules::Rules;

/// What stands at a question, and what is known of it without looking again.
#[derive(Debug, Clone, Default)]
pub(crate) struct Slot {
    /// Nothing while nobody has said anything here.
    pub(super) reply: Option<Reply>,
    /// The reply is an answer that counts while the question is asked: of its kind, and not blank.
    pub(super) filled: bool,
    /// Nothing is wrong with it were it sent, and every pattern was checked: nobody need look at the question again.
    pub(super) right: bool,
    /// What was found out about an answer that counts, where anything was: patterns may be costly and are matched once.
    pub(super) verdict: Option<Box<Verdict>>,
    /// The steps that its patterns took of the sheet's budget.
    pub(super) steps: u64,
    /// The place of the option that is the answer, where it is exactly one option.
    pub(super) picked: Option<usize>,
    pub(super) asked: bool,
    /// The reply is the asker's and no person has confirmed it.
    pub(super) prefilled: bool,
}

impl Slot {
    /// A reply to a question, judged while the question is at hand.
    pub(super) fn of(question: &Question, rules: &Rules, reply: Reply, steps: &mut StepBudget) -> Self {
        let mut slot = Self::default();
        slot.put(question, rules, reply, None, steps);
        slot
    }

    /// Puts a reply here and judges it where it stays: what has just been written is not moved once more. `picked` is the
    /// place of the option that is the answer, where that has been found before.
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
        // By far the most answers are one option, of which nothing can be wrong but what the asker demands beside.
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

    /// A reply to a question, of which nothing is known but whether it counts: judging may be costly.
    pub(super) fn unjudged(question: &Question, rules: &Rules, reply: Reply) -> Self {
        let reply = as_given(reply);
        let picked = reply.answer().and_then(|answer| only_option(question, answer));
        let filled = picked.is_some() || reply.answer().is_some_and(|answer| counts(question, rules, answer));
        Self { reply: Some(reply), filled, picked, ..Self::default() }
    }

    /// What was found out about it as an answer that counts.
    pub(super) fn known(&self) -> Verdict {
        self.verdict.as_deref().cloned().unwrap_or_default()
    }

    /// Whether a person gave what stands here.
    pub(super) fn is_given(&self) -> bool {
        !self.prefilled && self.reply.as_ref().is_some_and(Reply::is_given)
    }
}

/// Whether an answer is one of the question's kind, and says something.
pub(super) fn counts(question: &Question, rules: &Rules, answer: &Answer) -> bool {
    judge::fits(&question.kind, rules, answer) && !judge::is_blank(question, rules, answer)
}

/// The place of the option that is an answer, where it is exactly one.
#[inline]
fn only_option(question: &Question, answer: &Answer) -> Option<usize> {
    let Answer::Picks(picks) = answer else { return None };
    match picks.as_slice() {
        [Pick::Option(id)] => option_place(question, |option| option.id == *id),
        _ => None,
    }
}

/// A reply as a surface may give it: what only outcomes say is not taken from there.
fn as_given(mut reply: Reply) -> Reply {
    if matches!(reply.said, Said::NotAsked { .. }) {
        reply.said = Said::Nothing;
    }
    reply.pattern_not_checked = false;
    reply
}
