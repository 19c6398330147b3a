//! A questionnaire with the replies so far: the one engine behind every surface. It decides which questions are
//! asked, validates replies, and computes progress; surfaces only render it.
//!
//! **Invariant:** a hidden reply is not lost. The reply to a question that is no longer asked is kept, does not
//! count, is not sent, and is restored if the question is asked again.

pub mod judge;
mod problems;
mod sending;
mod settling;
mod slot;

pub(crate) use slot::Slot;

use crate::answer::{Answer, NO_REPLY, Replies, Reply};
use crate::condition::{self, Given};
use crate::consent::ConsentQuestions;
use crate::form::{Answers, Form};
use crate::id::QuestionId;
use crate::message::Message;
use crate::pattern::StepBudget;
use crate::problem::{Code, Path, Problem};
use crate::question::Question;
use crate::questionnaire::Questionnaire;
use crate::rules::Rules;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// Progress of a sheet. Only questions that are asked count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Number of questions with an answer.
    pub answered: usize,
    /// Number of questions.
    pub total: usize,
}

/// Change of visibility by a new reply.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Effect {
    /// Indices of the questions that are now asked and were not before.
    pub appeared: Vec<usize>,
    /// Indices of the questions that are no longer asked.
    pub vanished: Vec<usize>,
}

/// Replies of a sheet as submitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// A reply for every question. Typed text is normalized by the rules.
    pub replies: Replies,
    /// The questions whose replies were omitted, since they are not asked.
    pub dropped: Vec<QuestionId>,
}

/// A questionnaire with the replies so far.
#[derive(Debug, Clone)]
pub struct Sheet {
    form: Arc<Form>,
    slots: Vec<Slot>,
    progress: Progress,
    /// Names of the picks in the questions that others depend on, if they are many.
    names: BTreeMap<usize, HashSet<String>>,
    /// One bit per question that must be evaluated again. All are clear between two changes.
    stale: Vec<u64>,
    /// Remaining step budget for patterns. Replies draw on it in the order in which they are set.
    steps: StepBudget,
}

impl Answers for Sheet {
    fn picked(&self, at: usize) -> Option<usize> {
        self.slots.get(at).filter(|slot| slot.asked && slot.filled)?.picked
    }

    fn is_asked(&self, at: usize) -> bool {
        self.slots.get(at).is_some_and(|slot| slot.asked)
    }

    fn value(&self, at: usize) -> Option<&Answer> {
        let slot = self.slots.get(at).filter(|slot| slot.asked && slot.filled)?;
        slot.reply.as_ref()?.answer()
    }

    fn given(&self, at: usize) -> Option<Given<'_>> {
        Some(Given { answer: self.value(at)?, names: self.names.get(&at) })
    }
}

impl Sheet {
    /// Builds a sheet with these replies. Replies to unknown questions are dropped.
    pub fn new(questionnaire: Arc<Questionnaire>, replies: Replies) -> Self {
        Self::of(Arc::new(Form::new(questionnaire)), replies)
    }

    /// Builds a sheet with these replies from a prepared questionnaire.
    pub fn of(form: Arc<Form>, replies: Replies) -> Self {
        let mut steps = StepBudget::default();
        let slots =
            slots_of(&form, replies, |question, rules, reply| Slot::of(question, rules, reply, &mut steps));
        Self::with_slots(form, slots, steps)
    }

    /// Builds a sheet without validating any answer, which may be costly. It only knows which questions are asked and
    /// answered.
    pub fn unjudged(questionnaire: Arc<Questionnaire>, replies: Replies) -> Self {
        let form = Arc::new(Form::new(questionnaire));
        let slots = slots_of(&form, replies, Slot::unjudged);
        Self::with_slots(form, slots, StepBudget::default())
    }

    /// Computes the progress of a sheet with these replies and the asker's prefill. Only the replies count as
    /// answered: a prefill is no reply until a person has confirmed it. No answer is validated, which may be costly.
    pub(crate) fn progress_of(questionnaire: Arc<Questionnaire>, replies: Replies) -> Progress {
        let form = Arc::new(Form::new(questionnaire));
        let mut slots = slots_of(&form, replies, Slot::unjudged);
        fill_in(&form, &mut slots, Slot::unjudged);
        let sheet = Self::with_slots(form, slots, StepBudget::default());
        Progress { answered: sheet.answered(), ..sheet.progress }
    }

    /// Builds a sheet with the replies in the order of the questions.
    pub fn with_replies(form: Arc<Form>, replies: Vec<Option<Reply>>) -> Self {
        let mut replies = replies.into_iter();
        let rules = &form.questionnaire().rules;
        let mut steps = StepBudget::default();
        let slot = |question| match replies.next().flatten() {
            Some(reply) => Slot::of(question, rules, reply, &mut steps),
            None => Slot::default(),
        };
        let slots = form.questions().iter().map(slot).collect();
        Self::with_slots(form, slots, steps)
    }

    /// Builds a sheet with slots in the order of the questions.
    pub(crate) fn with_slots(form: Arc<Form>, slots: Vec<Slot>, steps: StepBudget) -> Self {
        let stale = vec![0; slots.len().div_ceil(64)];
        let progress = Progress { answered: 0, total: 0 };
        let mut sheet = Self { form, slots, progress, names: BTreeMap::new(), stale, steps };
        sheet.settle_all();
        sheet
    }

    /// Returns the sheet with the asker's prefill in questions without a reply. For surfaces: a person sees it before
    /// it is sent.
    #[must_use]
    pub fn prefilled(mut self) -> Self {
        let steps = &mut self.steps;
        fill_in(&self.form, &mut self.slots, |question, rules, reply| {
            Slot::of(question, rules, reply, steps)
        });
        self.settle_all();
        self
    }

    /// Returns the questionnaire.
    pub fn questionnaire(&self) -> &Questionnaire {
        self.form.questionnaire()
    }

    /// Returns all questions in order, including those not asked.
    pub fn questions(&self) -> &[Question] {
        self.form.questions()
    }

    /// Returns the questions that are asked, with their indices among all.
    pub fn asked(&self) -> impl DoubleEndedIterator<Item = (usize, &Question)> {
        self.questions().iter().enumerate().filter(|(at, _)| self.is_asked(*at))
    }

    /// Returns true if the question at this index is asked.
    pub fn is_asked(&self, at: usize) -> bool {
        Answers::is_asked(self, at)
    }

    /// Returns the index of the question with this id.
    pub fn place(&self, id: &QuestionId) -> Option<usize> {
        self.form.index(id.as_str())
    }

    /// Returns the index of the first of these questions that is asked.
    pub fn first_of<'q>(&self, ids: impl Iterator<Item = &'q QuestionId>) -> Option<usize> {
        ids.filter_map(|id| self.place(id)).filter(|at| self.is_asked(*at)).min()
    }

    /// Returns the number of a question among those asked, from 1, as a person sees it.
    pub fn number(&self, at: usize) -> usize {
        self.slots.iter().take(at).filter(|slot| slot.asked).count() + 1
    }

    /// Returns the index of the question with this number.
    pub fn numbered(&self, number: usize) -> Option<usize> {
        self.asked().nth(number.checked_sub(1)?).map(|(at, _)| at)
    }

    /// Returns the replies so far, including those to questions that are not asked at the moment.
    pub fn replies(&self) -> Replies {
        let given = self.questions().iter().zip(&self.slots);
        // No one has seen the prefill of a question that is not asked.
        let seen = given.filter(|(_, slot)| slot.asked || !slot.prefilled);
        seen.filter_map(|(question, slot)| Some((question.id.clone(), slot.reply.clone()?))).collect()
    }

    /// Returns the reply to a question.
    pub fn reply(&self, id: &QuestionId) -> &Reply {
        self.place(id).map_or(&NO_REPLY, |at| self.reply_at(at))
    }

    /// Returns the reply to the question at this index.
    pub fn reply_at(&self, at: usize) -> &Reply {
        self.slots.get(at).and_then(|slot| slot.reply.as_ref()).unwrap_or(&NO_REPLY)
    }

    /// Returns true if the reply is the asker's prefill, which no person has confirmed.
    pub fn is_prefilled(&self, at: usize) -> bool {
        self.slots.get(at).is_some_and(|slot| slot.prefilled)
    }

    /// Sets a reply, valid or not, and returns the change of visibility. Does nothing if the question does not exist.
    pub fn set(&mut self, id: &QuestionId, reply: Reply) -> Effect {
        self.place(id).map_or_else(Effect::default, |at| self.set_at(at, reply))
    }

    /// Sets a reply to the question at this index, valid or not, and returns the change of visibility.
    pub fn set_at(&mut self, at: usize, reply: Reply) -> Effect {
        let form = self.form.clone();
        let Some(question) = form.questions().get(at) else { return Effect::default() };
        let had = self.value(at).is_some();
        self.steps.refund(self.slots.get(at).map_or(0, |slot| slot.steps));
        let new = Slot::of(question, &form.questionnaire().rules, reply, &mut self.steps);
        if let Some(slot) = self.slots.get_mut(at) {
            *slot = Slot { asked: slot.asked, ..new };
        }
        self.count(had, self.value(at).is_some());
        self.names.remove(&at);
        self.names.extend(self.names_at(at).map(|names| (at, names)));
        let (appeared, vanished) = self.settle_after(at);
        Effect { appeared, vanished }
    }

    /// Returns the names of the picks in a question that others depend on, if they are many.
    fn names_at(&self, at: usize) -> Option<HashSet<String>> {
        let slot = self.slots.get(at).filter(|slot| slot.filled && slot.picked.is_none())?;
        if self.form.dependents(at).is_empty() {
            return None;
        }
        condition::names(self.rules(), slot.reply.as_ref()?.answer()?)
    }

    fn rules(&self) -> &Rules {
        &self.form.questionnaire().rules
    }

    /// Returns the first question that needs a person's attention.
    pub fn next_open(&self) -> Option<usize> {
        self.asked().map(|(at, _)| at).find(|at| self.is_open(*at))
    }

    /// Returns the first question after an index that needs a person's attention.
    pub fn next_open_after(&self, after: usize) -> Option<usize> {
        self.asked().map(|(at, _)| at).filter(|at| *at > after).find(|at| self.is_open(*at))
    }

    /// Returns true if a question needs a person's attention: it has neither an answer nor a skip, an invalid answer,
    /// or only the asker's prefill.
    pub fn is_open(&self, at: usize) -> bool {
        if !self.is_asked(at) {
            return false;
        }
        let reply = self.reply_at(at);
        let is_passed_over = reply.is_skipped() && !self.is_required(at);
        let unanswered = !is_passed_over && self.value(at).is_none();
        unanswered || self.is_prefilled(at) || !self.wrong(at).is_empty()
    }

    /// Counts the asked questions that have input from a person.
    pub fn given(&self) -> usize {
        self.slots.iter().filter(|slot| slot.asked && slot.is_given()).count()
    }

    /// Counts the asked questions that a person has answered, validly or not.
    pub fn answered(&self) -> usize {
        self.slots.iter().filter(|slot| slot.asked && slot.filled && !slot.prefilled).count()
    }

    /// Returns the progress.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Returns the questions that are currently not asked, though a person has answered them or left a note.
    pub fn dormant(&self) -> impl Iterator<Item = (usize, &Question)> {
        let places = self.questions().iter().enumerate();
        let dormant = places.zip(&self.slots).filter(|(_, slot)| !slot.asked && slot.is_given());
        dormant.map(|(place, _)| place)
    }

    /// Returns the question whose answer decided that the one at this index is not asked.
    pub fn because(&self, at: usize) -> Option<&Question> {
        let decided = (!self.is_asked(at)).then(|| self.form.decided_by(at, self)).flatten()?;
        self.questions().get(decided)
    }
}

/// Returns for each reply if it counts as an answer while its question is asked: of the question's kind, and not
/// blank. Constraints are not checked.
pub fn counting(questionnaire: &Questionnaire, replies: &[(QuestionId, Reply)]) -> Vec<bool> {
    const FEW: usize = 8;
    let questions = &questionnaire.questions;
    let by_id: Option<HashMap<_, _>> =
        (replies.len() > FEW).then(|| questions.iter().map(|question| (&question.id, question)).collect());
    let find = |id: &QuestionId| match &by_id {
        Some(by_id) => by_id.get(id).copied(),
        None => questions.iter().find(|question| question.id == *id),
    };
    let counts = |(id, reply): &(QuestionId, Reply)| {
        let answered = reply.answer().and_then(|answer| Some((find(id)?, answer)));
        answered.is_some_and(|(question, answer)| slot::counts(question, &questionnaire.rules, answer))
    };
    replies.iter().map(counts).collect()
}

/// Builds the slots from replies in any order.
fn slots_of(
    form: &Form,
    replies: Replies,
    mut slot_of: impl FnMut(&Question, &Rules, Reply) -> Slot,
) -> Vec<Slot> {
    let mut slots = vec![Slot::default(); form.questions().len()];
    let mut near = 0;
    for (id, reply) in replies {
        let Some(at) = form.index_near(near, id.as_str()) else { continue };
        near = at + 1;
        if let (Some(slot), Some(question)) = (slots.get_mut(at), form.questions().get(at)) {
            *slot = slot_of(question, &form.questionnaire().rules, reply);
        }
    }
    slots
}

/// Fills questions without a reply with the asker's prefill.
fn fill_in(form: &Form, slots: &mut [Slot], mut slot_of: impl FnMut(&Question, &Rules, Reply) -> Slot) {
    let consent = ConsentQuestions::of(form.questionnaire());
    for (slot, question) in slots.iter_mut().zip(form.questions()) {
        if let (None, Some(answer)) = (&slot.reply, consent.prefill(question)) {
            let reply = Reply::of(answer.clone());
            *slot = Slot { prefilled: true, ..slot_of(question, &form.questionnaire().rules, reply) };
        }
    }
}

/// Returns the path of the answer to a question.
pub fn answer_place(id: &QuestionId) -> Path {
    Path::root().then("answers").then(id.as_str())
}

/// Returns the problem of an answer to an unknown question.
pub fn no_such_question(id: &QuestionId) -> Problem {
    Problem::new(Code::NoSuchQuestion, Message::NoSuchQuestion.with([id])).at(answer_place(id))
}

#[cfg(test)]
mod tests;
