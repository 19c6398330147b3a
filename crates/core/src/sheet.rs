//! A questionnaire with the replies so far: the one engine behind every surface. It says which questions are asked,
//! what is wrong, in whose words, and how far along it is; surfaces show it and never decide.
//!
//! **Invariant:** what is hidden is not lost: the reply to a question that is no longer asked is kept, counts for
//! nothing, is not sent, and stands there again when the question is asked again.

pub mod judge;
mod sending;
mod settling;

use crate::answer::{Answer, NO_REPLY, Pick, Replies, Reply, Said};
use crate::form::{Form, Standing, option_place};
use crate::id::{QuestionId, SectionId};
use crate::message::Message;
use crate::problem::{Code, Path, Problem};
use crate::question::Question;
use crate::questionnaire::Questionnaire;
use crate::rules::Rules;
use judge::Verdict;
use std::collections::HashSet;
use std::sync::Arc;

/// How far along a sheet is. Only questions that are asked count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Questions with an answer.
    pub answered: usize,
    /// Questions in all.
    pub total: usize,
}

/// What a new reply changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Effect {
    /// What is wrong with the reply.
    pub problems: Vec<Problem>,
    /// The places of the questions that are asked now and were not before.
    pub appeared: Vec<usize>,
    /// The places of the questions that are not asked any more.
    pub vanished: Vec<usize>,
}

/// What is sent of a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// A reply for every question. Typed text is cleaned as the rules say.
    pub replies: Replies,
    /// The questions whose replies were left out, since they are not asked.
    pub dropped: Vec<QuestionId>,
}

/// A questionnaire with the replies so far.
#[derive(Debug, Clone)]
pub struct Sheet {
    form: Arc<Form>,
    slots: Vec<Slot>,
    progress: Progress,
    /// One bit a question: whether it must be looked at again. All are clear between two changes.
    stale: Vec<u64>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Slot {
    /// Nothing while nobody has said anything here.
    reply: Option<Reply>,
    /// The reply is an answer that counts while the question is asked: of its kind, and not blank.
    filled: bool,
    /// Nothing is wrong with it were it sent, and every pattern was checked: nobody need look at the question again.
    right: bool,
    /// The place of the option that is the answer, where others look at this and it is exactly one option.
    picked: Option<usize>,
    asked: bool,
    /// The reply is the asker's and no person has confirmed it.
    prefilled: bool,
}

impl Slot {
    /// A reply to a question, judged while the question is at hand.
    pub(crate) fn of(question: &Question, rules: &Rules, reply: Reply) -> Self {
        let counts = |answer: &&Answer| {
            judge::fits(&question.kind, rules, answer) && !judge::is_blank(question, rules, answer)
        };
        let counting = reply.answer().filter(counts);
        let is_right = |answer: &Answer| {
            let Verdict { problems, pattern_not_checked } = judge::verdict(question, rules, answer);
            problems.is_empty() && !pattern_not_checked
        };
        let right = reply.note.is_none() && counting.is_some_and(is_right);
        let filled = counting.is_some();
        Self { reply: Some(as_given(reply)), filled, right, ..Self::default() }
    }

    /// Whether a person gave what stands here.
    fn is_given(&self) -> bool {
        !self.prefilled && self.reply.as_ref().is_some_and(Reply::is_given)
    }

    /// Notes what others look at.
    fn note_pick(&mut self, question: &Question) {
        self.picked = match self.reply.as_ref().and_then(Reply::answer) {
            Some(Answer::Picks(picks)) => match picks.as_slice() {
                [Pick::Option(id)] => option_place(question, id.as_str()),
                _ => None,
            },
            _ => None,
        };
    }
}

impl Standing for Sheet {
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
}

impl Sheet {
    /// A sheet with these replies. Replies to questions that are not in the questionnaire are left out.
    pub fn new(questionnaire: Arc<Questionnaire>, replies: Replies) -> Self {
        Self::of(Arc::new(Form::new(questionnaire)), replies)
    }

    /// The same, of a questionnaire that was made ready before.
    pub fn of(form: Arc<Form>, replies: Replies) -> Self {
        let mut slots = vec![Slot::default(); form.questions().len()];
        let mut near = 0;
        for (id, reply) in replies {
            let Some(at) = form.index_near(near, id.as_str()) else { continue };
            near = at + 1;
            if let (Some(slot), Some(question)) = (slots.get_mut(at), form.questions().get(at)) {
                *slot = Slot::of(question, &form.questionnaire().rules, reply);
            }
        }
        Self::with_slots(form, slots)
    }

    /// The same, with the replies in the order of the questions.
    pub fn with_replies(form: Arc<Form>, replies: Vec<Option<Reply>>) -> Self {
        let mut replies = replies.into_iter();
        let rules = &form.questionnaire().rules;
        let slot = |question| match replies.next().flatten() {
            Some(reply) => Slot::of(question, rules, reply),
            None => Slot::default(),
        };
        let slots = form.questions().iter().map(slot).collect();
        Self::with_slots(form, slots)
    }

    /// The same, with what stands at each question in the order of the questions.
    pub(crate) fn with_slots(form: Arc<Form>, mut slots: Vec<Slot>) -> Self {
        for (at, (slot, question)) in slots.iter_mut().zip(form.questions()).enumerate() {
            if !form.dependents(at).is_empty() {
                slot.note_pick(question);
            }
        }
        let stale = vec![0; slots.len().div_ceil(64)];
        let mut sheet = Self { form, slots, progress: Progress { answered: 0, total: 0 }, stale };
        sheet.settle_all();
        sheet
    }

    /// The same with the asker's own answers where nobody has said anything yet. For surfaces: a person sees them before
    /// they are sent.
    #[must_use]
    pub fn prefilled(mut self) -> Self {
        let form = self.form.clone();
        for (slot, question) in self.slots.iter_mut().zip(form.questions()) {
            if let (None, Some(answer)) = (&slot.reply, &question.prefill) {
                let reply = Reply::of(answer.clone());
                *slot = Slot { prefilled: true, ..Slot::of(question, &form.questionnaire().rules, reply) };
                slot.note_pick(question);
            }
        }
        self.settle_all();
        self
    }

    /// What is asked.
    pub fn questionnaire(&self) -> &Questionnaire {
        self.form.questionnaire()
    }

    /// All questions in order, whether they are asked or not.
    pub fn questions(&self) -> &[Question] {
        self.form.questions()
    }

    /// The questions that are asked, with their places among all.
    pub fn asked(&self) -> impl DoubleEndedIterator<Item = (usize, &Question)> {
        self.questions().iter().enumerate().filter(|(at, _)| self.is_asked(*at))
    }

    /// Whether the question at this place is asked.
    pub fn is_asked(&self, at: usize) -> bool {
        Standing::is_asked(self, at)
    }

    /// The place of the question with this id.
    pub fn place(&self, id: &QuestionId) -> Option<usize> {
        self.form.index(id.as_str())
    }

    /// The number of a question among those asked, from 1, as a person sees it.
    pub fn number(&self, at: usize) -> usize {
        self.slots.iter().take(at).filter(|slot| slot.asked).count() + 1
    }

    /// The place of the question with this number.
    pub fn numbered(&self, number: usize) -> Option<usize> {
        self.asked().nth(number.checked_sub(1)?).map(|(at, _)| at)
    }

    /// The replies so far, also those to questions that are not asked at the moment.
    pub fn replies(&self) -> Replies {
        let given = self.questions().iter().zip(&self.slots);
        // What the asker filled in at a question that is not asked has been seen by nobody.
        let seen = given.filter(|(_, slot)| slot.asked || !slot.prefilled);
        seen.filter_map(|(question, slot)| Some((question.id.clone(), slot.reply.clone()?))).collect()
    }

    /// What stands at a question.
    pub fn reply(&self, id: &QuestionId) -> &Reply {
        self.place(id).map_or(&NO_REPLY, |at| self.reply_at(at))
    }

    /// What stands at the question at this place.
    pub fn reply_at(&self, at: usize) -> &Reply {
        self.slots.get(at).and_then(|slot| slot.reply.as_ref()).unwrap_or(&NO_REPLY)
    }

    /// Whether what stands there is the asker's own answer, which no person has confirmed.
    pub fn is_prefilled(&self, at: usize) -> bool {
        self.slots.get(at).is_some_and(|slot| slot.prefilled)
    }

    /// Puts a reply at a question, whatever is wrong with it, and says what is and what else it changed.
    pub fn set(&mut self, id: &QuestionId, reply: Reply) -> Effect {
        let Some(at) = self.place(id) else {
            return Effect { problems: vec![no_such_question(id)], ..Effect::default() };
        };
        self.set_at(at, reply)
    }

    /// The same, for the question at this place; one that is not there changes nothing.
    pub fn set_at(&mut self, at: usize, reply: Reply) -> Effect {
        let form = self.form.clone();
        let Some(question) = form.questions().get(at) else { return Effect::default() };
        let had = self.value(at).is_some();
        let new = Slot::of(question, &form.questionnaire().rules, reply);
        // What would be right to send is right to say.
        let problems = match &new.reply {
            Some(reply) if !new.right => self.judge(at, reply),
            _ => Vec::new(),
        };
        if let Some(slot) = self.slots.get_mut(at) {
            *slot = Slot { asked: slot.asked, ..new };
            slot.note_pick(question);
        }
        self.count(had, self.value(at).is_some());
        let (appeared, vanished) = self.settle_after(at);
        Effect { problems, appeared, vanished }
    }

    fn rules(&self) -> &Rules {
        &self.form.questionnaire().rules
    }

    /// The first question that waits for a person.
    pub fn next_open(&self) -> Option<usize> {
        self.asked().map(|(at, _)| at).find(|at| self.is_open(*at))
    }

    /// The first question after a place that waits for a person.
    pub fn next_open_after(&self, after: usize) -> Option<usize> {
        self.asked().map(|(at, _)| at).filter(|at| *at > after).find(|at| self.is_open(*at))
    }

    /// Whether a question waits for a person: it has neither an answer nor a skip, a wrong answer, or only what the
    /// asker filled in.
    pub fn is_open(&self, at: usize) -> bool {
        if !self.is_asked(at) {
            return false;
        }
        let reply = self.reply_at(at);
        let is_passed_over = reply.is_skipped() && !self.is_required(at);
        let unanswered = !is_passed_over && self.value(at).is_none();
        unanswered || self.is_prefilled(at) || !self.judge(at, reply).is_empty()
    }

    /// What a surface says of a reply to the question at this place, were it given now. An empty one is only wrong where
    /// an answer is needed.
    pub fn judge(&self, at: usize, reply: &Reply) -> Vec<Problem> {
        let Some(question) = self.questions().get(at) else { return Vec::new() };
        let is_blank = |answer: &Answer| judge::is_blank(question, self.rules(), answer);
        if reply.answer().is_some_and(is_blank) && !self.is_required(at) {
            return judge::note_problem(reply.note.as_deref()).into_iter().collect();
        }
        reply_problems(question, self.rules(), reply)
    }

    /// What is wrong with what stands at the question at this place, were a person to go on from it: beside what
    /// [`judge`](Self::judge) says, that it has no answer and needs one.
    pub fn lacks(&self, at: usize) -> Vec<Problem> {
        let problems = self.judge(at, self.reply_at(at));
        let is_missing = problems.is_empty() && self.value(at).is_none() && self.is_required(at);
        match self.questions().get(at).filter(|_| is_missing) {
            Some(question) => vec![judge::needs_answer(question)],
            None => problems,
        }
    }

    /// How many questions that are asked have something that a person gave.
    pub fn given(&self) -> usize {
        self.slots.iter().filter(|slot| slot.asked && slot.is_given()).count()
    }

    /// How far along it is.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Whether a question must be answered as things stand: in an optional section, only where something else in it is.
    pub fn is_required(&self, at: usize) -> bool {
        self.needs_answer(at, &self.sections_left_out())
    }

    fn needs_answer(&self, at: usize, left_out: &HashSet<&SectionId>) -> bool {
        let asked = self.questions().get(at).filter(|_| self.is_asked(at) && !self.rules().unjudged);
        asked
            .filter(|question| question.required)
            .is_some_and(|question| question.section.as_ref().is_none_or(|id| !left_out.contains(id)))
    }

    /// The optional sections in which nothing is filled in.
    fn sections_left_out(&self) -> HashSet<&SectionId> {
        let sections = self.questionnaire().sections.iter().filter(|section| section.optional);
        let mut left_out: HashSet<_> = sections.map(|section| &section.id).collect();
        if !left_out.is_empty() {
            let is_no = |answer: &Answer| self.rules().must_be_true && *answer == Answer::Confirm(false);
            for (at, question) in self.asked() {
                if self.value(at).is_some_and(|answer| !is_no(answer)) {
                    question.section.as_ref().map(|id| left_out.remove(id));
                }
            }
        }
        left_out
    }

    /// What keeps it from being submitted, in the order of the questions.
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

    /// The problem of a sheet on which nothing is said, where something must be. It stands at the first question.
    fn silence(&self) -> Option<Problem> {
        let rules = self.rules();
        let said = |at| self.value(at).is_some() || self.reply_at(at).note.is_some();
        let is_silent = rules.some_answer && !rules.unjudged && !self.asked().any(|(at, _)| said(at));
        let (_, first) = self.asked().next().filter(|_| is_silent)?;
        let problem = Problem::new(Code::NeedsAnswer, Message::NeedsSomeAnswer);
        Some(problem.at(answer_place(&first.id)))
    }

    /// Judges what stands at a question that is asked, as it is judged when it is sent, and adds what is wrong with it;
    /// says whether a pattern was too costly to check.
    fn verdict_at(
        &self,
        at: usize,
        question: &Question,
        left_out: &HashSet<&SectionId>,
        problems: &mut Vec<Problem>,
    ) -> bool {
        if self.slots.get(at).is_some_and(|slot| slot.right) {
            return false;
        }
        let reply = self.reply_at(at);
        let rules = self.rules();
        // An answer of another kind counts for nothing, and is not passed over in silence.
        let other = || reply.answer().filter(|answer| !judge::fits(&question.kind, rules, answer));
        let verdict = match self.value(at).or_else(other) {
            Some(answer) => judge::verdict(question, rules, answer),
            None if self.needs_answer(at, left_out) => {
                Verdict { problems: vec![judge::needs_answer(question)], ..Verdict::default() }
            }
            None => Verdict::default(),
        };
        let Verdict { problems: wrong, pattern_not_checked } = verdict;
        if !wrong.is_empty() || reply.note.is_some() {
            let noted = judge::note_problem(reply.note.as_deref());
            problems
                .extend(noted.into_iter().chain(wrong).map(|problem| problem.at(answer_place(&question.id))));
        }
        pattern_not_checked
    }

    /// The questions that are not asked as things stand, though a person has answered them or left a note.
    pub fn dormant(&self) -> impl Iterator<Item = (usize, &Question)> {
        let places = self.questions().iter().enumerate();
        let dormant = places.zip(&self.slots).filter(|(_, slot)| !slot.asked && slot.is_given());
        dormant.map(|(place, _)| place)
    }

    /// The question whose answer decided that the one at this place is not asked.
    pub fn because(&self, at: usize) -> Option<&Question> {
        let decided = (!self.is_asked(at)).then(|| self.form.decided_by(at, self)).flatten()?;
        self.questions().get(decided)
    }
}

/// A reply as a surface may give it: what only outcomes say is not taken from there.
fn as_given(reply: Reply) -> Reply {
    let said = match reply.said {
        Said::NotAsked { .. } => Said::Nothing,
        said => said,
    };
    Reply { said, pattern_not_checked: false, ..reply }
}

fn answer_place(id: &QuestionId) -> Path {
    Path::root().then("answers").then(id.as_str())
}

/// The problem of an answer to a question that is not in the questionnaire.
pub fn no_such_question(id: &QuestionId) -> Problem {
    Problem::new(Code::NoSuchQuestion, Message::NoSuchQuestion.with([id])).at(answer_place(id))
}

/// What is wrong with a reply in itself, as far as surfaces judge it.
pub fn reply_problems(question: &Question, rules: &Rules, reply: &Reply) -> Vec<Problem> {
    let mut problems: Vec<_> = judge::note_problem(reply.note.as_deref()).into_iter().collect();
    let Some(answer) = reply.answer() else { return problems };
    if judge::is_blank(question, rules, answer) {
        problems.extend(question.required.then(|| judge::needs_answer(question)));
    } else if question.unchecked {
        problems.extend(judge::misfits(question, rules, answer));
    } else {
        problems.extend(judge::verdict(question, rules, answer).problems);
    }
    problems
}

#[cfg(test)]
mod tests;
