//! A questionnaire with the replies so far: the one engine behind every surface. It decides which questions are
//! asked, validates replies, and computes progress; surfaces only render it.
//!
//! **Invariant:** a hidden reply is not lost. The reply to a question that is no longer asked is kept, does not
//! count, is not sent, and is restored if the question is asked again.

pub mod ask_progress;
mod problems;
mod progress;
mod slot;
mod submission;
mod visibility;

pub use progress::SheetProgress;
pub(crate) use slot::QuestionSlot;

use crate::i18n::Message;
use crate::model::answer::{Answer, NO_REPLY, Replies, Reply};
use crate::model::document_path::DocumentPath;
use crate::model::id::QuestionId;
use crate::model::question::Question;
use crate::model::questionnaire::Questionnaire;
use crate::model::validation_rules::Rules;
use crate::pattern::StepBudget;
use crate::problem::{Problem, ProblemCode};
use crate::rules::condition::{self, ComparedAnswer};
use crate::rules::consent::ConsentQuestions;
use crate::rules::prepared_questionnaire::{AnswerSource, PreparedQuestionnaire};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// Change of visibility by a new reply.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VisibilityChange {
    /// Indices of the questions that are now asked and were not before.
    pub appeared: Vec<usize>,
    /// Indices of the questions that are no longer asked.
    pub vanished: Vec<usize>,
}

/// Replies of a sheet as submitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmittedReplies {
    /// A reply for every question. Typed text is normalized by the rules.
    pub replies: Replies,
    /// The questions whose replies were omitted, since they are not asked.
    pub dropped: Vec<QuestionId>,
}

/// A questionnaire with the replies so far.
#[derive(Debug, Clone)]
pub struct Sheet {
    form: Arc<PreparedQuestionnaire>,
    slots: Vec<QuestionSlot>,
    /// The reply to the form as a whole: a note. `None` until a person has written one.
    form_reply: Option<Reply>,
    /// Names of the picks in the questions that others depend on, if they are several.
    pick_names: BTreeMap<usize, HashSet<String>>,
    /// Remaining step budget for patterns. Replies draw on it in the order in which they are set.
    step_budget: StepBudget,
}

impl AnswerSource for Sheet {
    fn picked_option(&self, at: usize) -> Option<usize> {
        self.answered_slot(at)?.picked_option
    }

    fn is_asked(&self, at: usize) -> bool {
        match self.slots.get(at) {
            Some(slot) => slot.is_asked,
            None => false,
        }
    }

    fn value(&self, at: usize) -> Option<&Answer> {
        self.answered_slot(at)?.reply.as_ref()?.answer()
    }

    fn compared_answer(&self, at: usize) -> Option<ComparedAnswer<'_>> {
        Some(ComparedAnswer { answer: self.value(at)?, pick_names: self.pick_names.get(&at) })
    }
}

impl Sheet {
    /// Builds a sheet with these replies. Replies to unknown questions are dropped.
    pub fn new(questionnaire: Arc<Questionnaire>, replies: Replies) -> Self {
        Self::from_prepared(Arc::new(PreparedQuestionnaire::new(questionnaire)), replies)
    }

    /// Builds a sheet with these replies from a prepared questionnaire.
    pub fn from_prepared(form: Arc<PreparedQuestionnaire>, mut replies: Replies) -> Self {
        let mut steps = StepBudget::default();
        let form_reply = replies.remove(&QuestionId::FORM).map(note_only);
        let slots = build_slots(&form, replies, |question, rules, reply| {
            QuestionSlot::new(question, rules, reply, &mut steps)
        });
        Self { form_reply, ..Self::from_slots(form, slots, steps) }
    }

    /// Builds a sheet without validating any answer, which may be costly. It only knows which questions are asked and
    /// answered.
    pub fn without_validation(questionnaire: Arc<Questionnaire>, replies: Replies) -> Self {
        let form = Arc::new(PreparedQuestionnaire::new(questionnaire));
        let slots = build_slots(&form, replies, QuestionSlot::without_validation);
        Self::from_slots(form, slots, StepBudget::default())
    }

    /// Computes the progress of a sheet with these replies and the asker's prefill. Only the replies count as
    /// answered: a prefill is no reply until a person has confirmed it. No answer is validated, which may be costly.
    pub(crate) fn compute_progress(questionnaire: Arc<Questionnaire>, replies: Replies) -> SheetProgress {
        let form = Arc::new(PreparedQuestionnaire::new(questionnaire));
        let mut slots = build_slots(&form, replies, QuestionSlot::without_validation);
        prefill_slots(&form, &mut slots, QuestionSlot::without_validation);
        let sheet = Self::from_slots(form, slots, StepBudget::default());
        SheetProgress { answered: sheet.answered_count(), ..sheet.progress() }
    }

    /// Builds a sheet with slots in the order of the questions.
    fn from_slots(form: Arc<PreparedQuestionnaire>, slots: Vec<QuestionSlot>, steps: StepBudget) -> Self {
        let mut sheet =
            Self { form, slots, form_reply: None, pick_names: BTreeMap::new(), step_budget: steps };
        sheet.update_all();
        sheet
    }

    /// Returns the sheet with the asker's prefill in questions without a reply. For surfaces: a person sees it before
    /// it is sent.
    #[must_use]
    pub fn with_prefill(mut self) -> Self {
        let steps = &mut self.step_budget;
        prefill_slots(&self.form, &mut self.slots, |question, rules, reply| {
            QuestionSlot::new(question, rules, reply, steps)
        });
        self.update_all();
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
    pub fn asked_questions(&self) -> impl DoubleEndedIterator<Item = (usize, &Question)> {
        self.questions().iter().enumerate().filter(|(at, _)| self.is_asked(*at))
    }

    /// Returns true if the question at this index is asked.
    pub fn is_asked(&self, at: usize) -> bool {
        AnswerSource::is_asked(self, at)
    }

    /// Returns the index of the question with this id.
    pub fn index_of(&self, id: &QuestionId) -> Option<usize> {
        self.form.index_of(id.as_str())
    }

    /// Returns the index of the first of these questions that is asked.
    pub fn first_asked_of<'q>(&self, ids: impl Iterator<Item = &'q QuestionId>) -> Option<usize> {
        let mut first = None;
        for id in ids {
            if let Some(at) = self.index_of(id)
                && self.is_asked(at)
                && first.is_none_or(|first| at < first)
            {
                first = Some(at);
            }
        }
        first
    }

    /// Returns the number of a question among those asked, from 1, as a person sees it.
    pub fn number_of(&self, at: usize) -> usize {
        self.slots.iter().take(at).filter(|slot| slot.is_asked).count() + 1
    }

    /// Returns the index of the question with this number.
    pub fn index_of_number(&self, number: usize) -> Option<usize> {
        let (at, _) = self.asked_questions().nth(number.checked_sub(1)?)?;
        Some(at)
    }

    /// Returns the replies so far, including those to questions that are not asked at the moment.
    pub fn replies(&self) -> Replies {
        let mut replies = Replies::new();
        for (question, slot) in self.questions().iter().zip(&self.slots) {
            // No one has seen the prefill of a question that is not asked.
            let is_unseen = slot.is_prefilled && !slot.is_asked;
            if let Some(reply) = &slot.reply
                && !is_unseen
            {
                replies.insert(question.id.clone(), reply.clone());
            }
        }
        if let Some(reply) = &self.form_reply {
            replies.insert(QuestionId::FORM, reply.clone());
        }
        replies
    }

    /// Returns the reply to the form as a whole, if there is one: a note, or nothing where one was removed.
    pub(crate) fn form_reply(&self) -> Option<&Reply> {
        self.form_reply.as_ref()
    }

    /// Returns the note on the whole form.
    pub fn note(&self) -> Option<&str> {
        self.form_reply()?.note.as_deref()
    }

    /// Returns whether a person has written a note, on a question that is asked or on the whole form.
    pub fn has_notes(&self) -> bool {
        self.note().is_some() || self.asked_questions().any(|(at, _)| self.reply_at(at).note.is_some())
    }

    /// Returns the reply to a question, or to the form as a whole.
    pub fn reply(&self, id: &QuestionId) -> &Reply {
        if *id == QuestionId::FORM {
            return self.form_reply().unwrap_or(&NO_REPLY);
        }
        match self.index_of(id) {
            Some(at) => self.reply_at(at),
            None => &NO_REPLY,
        }
    }

    /// Returns the reply to the question at this index.
    pub fn reply_at(&self, at: usize) -> &Reply {
        match self.slots.get(at) {
            Some(QuestionSlot { reply: Some(reply), .. }) => reply,
            _ => &NO_REPLY,
        }
    }

    /// Returns true if the reply is the asker's prefill, which no person has confirmed.
    pub fn is_prefilled(&self, at: usize) -> bool {
        match self.slots.get(at) {
            Some(slot) => slot.is_prefilled,
            None => false,
        }
    }

    /// Sets a reply, valid or not, and returns the change of visibility. Does nothing if the question does not exist.
    pub fn set_reply(&mut self, id: &QuestionId, reply: Reply) -> VisibilityChange {
        if *id == QuestionId::FORM {
            self.form_reply = Some(note_only(reply));
            return VisibilityChange::default();
        }
        match self.index_of(id) {
            Some(at) => self.set_reply_at(at, reply),
            None => VisibilityChange::default(),
        }
    }

    /// Sets a reply to the question at this index, valid or not, and returns the change of visibility.
    pub fn set_reply_at(&mut self, at: usize, reply: Reply) -> VisibilityChange {
        let form = self.form.clone();
        let Some(question) = form.questions().get(at) else { return VisibilityChange::default() };
        let Some(slot) = self.slots.get_mut(at) else { return VisibilityChange::default() };
        self.step_budget.refund(slot.steps_used);
        let is_asked = slot.is_asked;
        let new_slot = QuestionSlot::new(question, &form.questionnaire().rules, reply, &mut self.step_budget);
        *slot = QuestionSlot { is_asked, ..new_slot };
        self.pick_names.remove(&at);
        if let Some(names) = self.pick_names_at(at) {
            self.pick_names.insert(at, names);
        }
        let (appeared, vanished) = self.update_dependents(at);
        VisibilityChange { appeared, vanished }
    }

    /// Returns the names of the picks in a question that others depend on, if they are several.
    fn pick_names_at(&self, at: usize) -> Option<HashSet<String>> {
        let slot = self.slots.get(at)?;
        if !slot.has_answer || slot.picked_option.is_some() || self.form.dependents(at).is_empty() {
            return None;
        }
        condition::pick_names(self.rules(), slot.reply.as_ref()?.answer()?)
    }

    fn rules(&self) -> &Rules {
        &self.form.questionnaire().rules
    }

    /// Returns the slot of a question that is asked and has an answer that counts.
    fn answered_slot(&self, at: usize) -> Option<&QuestionSlot> {
        let slot = self.slots.get(at)?;
        if slot.is_asked && slot.has_answer { Some(slot) } else { None }
    }

    /// Returns the questions that are currently not asked, though a person has answered them or left a note.
    pub fn hidden_answered(&self) -> impl Iterator<Item = (usize, &Question)> {
        let questions = self.questions().iter().enumerate();
        questions.filter(|(at, _)| self.is_hidden_answer(*at))
    }

    fn is_hidden_answer(&self, at: usize) -> bool {
        match self.slots.get(at) {
            Some(slot) => !slot.is_asked && slot.has_input(),
            None => false,
        }
    }

    /// Returns the question whose answer decided that the one at this index is not asked.
    pub fn deciding_question(&self, at: usize) -> Option<&Question> {
        if self.is_asked(at) {
            return None;
        }
        let deciding = self.form.deciding_question(at, self)?;
        self.questions().get(deciding)
    }

    /// Returns the index of the question to go to from one that is no longer asked: the question whose answer decided
    /// that, if it is asked, or else the first that needs attention.
    pub fn place_near_hidden(&self, at: usize) -> Option<usize> {
        if let Some(deciding) = self.form.deciding_question(at, self)
            && self.is_asked(deciding)
        {
            return Some(deciding);
        }
        self.next_needing_attention()
    }
}

/// Returns the reply to a form: its note.
fn note_only(reply: Reply) -> Reply {
    Reply::unanswered().with_note(reply.note)
}

/// Returns for each reply if it counts as an answer while its question is asked: of the question's kind, and not
/// blank. Constraints are not checked.
pub fn count_as_answers(questionnaire: &Questionnaire, replies: &[(QuestionId, Reply)]) -> Vec<bool> {
    let questions = questionnaire.questions.iter();
    let by_id: HashMap<_, _> = questions.map(|question| (&question.id, question)).collect();
    let mut counts = Vec::with_capacity(replies.len());
    for (id, reply) in replies {
        counts.push(match (by_id.get(id), reply.answer()) {
            (Some(question), Some(answer)) => slot::counts_as_answer(question, &questionnaire.rules, answer),
            _ => false,
        });
    }
    counts
}

/// Builds the slots from replies in any order.
fn build_slots(
    form: &PreparedQuestionnaire,
    replies: Replies,
    mut slot_of: impl FnMut(&Question, &Rules, Reply) -> QuestionSlot,
) -> Vec<QuestionSlot> {
    let mut slots = vec![QuestionSlot::default(); form.questions().len()];
    // Replies are mostly in the order of their questions.
    let mut expected_index = 0;
    for (id, reply) in replies {
        let Some(at) = form.index_near(expected_index, id.as_str()) else { continue };
        expected_index = at + 1;
        if let (Some(slot), Some(question)) = (slots.get_mut(at), form.questions().get(at)) {
            *slot = slot_of(question, &form.questionnaire().rules, reply);
        }
    }
    slots
}

/// Fills questions without a reply with the asker's prefill.
fn prefill_slots(
    form: &PreparedQuestionnaire,
    slots: &mut [QuestionSlot],
    mut slot_of: impl FnMut(&Question, &Rules, Reply) -> QuestionSlot,
) {
    let consent = ConsentQuestions::for_questionnaire(form.questionnaire());
    for (slot, question) in slots.iter_mut().zip(form.questions()) {
        if let (None, Some(answer)) = (&slot.reply, consent.prefill(question)) {
            let reply = Reply::from_answer(answer.clone());
            *slot =
                QuestionSlot { is_prefilled: true, ..slot_of(question, &form.questionnaire().rules, reply) };
        }
    }
}

/// Returns the path of the answer to a question.
pub fn answer_path(id: &QuestionId) -> DocumentPath {
    DocumentPath::root().join("answers").join(id.as_str())
}

/// Returns the problem of an answer to an unknown question.
pub fn unknown_question_problem(id: &QuestionId) -> Problem {
    Problem::new(ProblemCode::NoSuchQuestion, Message::NoSuchQuestion.with([id])).at(answer_path(id))
}

#[cfg(test)]
mod tests;
