//! Answers as the person enters them: the sheet, the typed text of each question, and what the desk has stored of them.
//! It knows no page and no key.

mod field;
mod offers;
mod outline;
mod review_items;

pub(in crate::tui) use field::{FieldFocus, FieldState, is_own, is_picked, own_answer, picks};
pub(in crate::tui) use outline::SectionStep;
pub(in crate::tui) use review_items::ReviewItem;

use super::autosave::DraftAutosave;
use super::navigation::is_typed;
use super::reply::ReplyHistory;
use jiff::Zoned;
use sayso_core::{Answer, ConsentQuestions, Constraint, Question, Reply, Sheet};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// Answers of an ask that is open.
#[derive(Debug)]
pub(in crate::tui) struct AnswerForm {
    pub(in crate::tui) sheet: Sheet,
    pub(in crate::tui) autosave: DraftAutosave,
    /// Input of the questions that the person has been at.
    pub(in crate::tui::answer) fields: BTreeMap<usize, FieldState>,
    /// Questions that show their problems, because the person left or sent them.
    pub(in crate::tui) flagged: BTreeSet<usize>,
    /// Questions that were filled in with the asker's suggestion.
    pub(in crate::tui) suggested: BTreeSet<usize>,
    /// Questions whose reply changed since the asker's last verdict.
    pub(in crate::tui::answer) corrected: BTreeSet<usize>,
    /// Earlier replies that a command, not typing, replaced.
    pub(in crate::tui::answer) history: ReplyHistory,
}

impl AnswerForm {
    pub(in crate::tui::answer) fn new(sheet: Sheet, autosave: DraftAutosave) -> Self {
        Self {
            sheet,
            autosave,
            fields: BTreeMap::new(),
            flagged: BTreeSet::new(),
            suggested: BTreeSet::new(),
            corrected: BTreeSet::new(),
            history: ReplyHistory::default(),
        }
    }

    pub(in crate::tui) fn question(&self, place: usize) -> Option<&Question> {
        self.sheet.questions().get(place)
    }

    /// Returns the input state of a question.
    pub(in crate::tui) fn field(&self, place: usize) -> Option<&FieldState> {
        self.fields.get(&place)
    }

    pub(in crate::tui) fn field_mut(&mut self, place: usize) -> Option<&mut FieldState> {
        let question = self.sheet.questions().get(place)?;
        let reply = self.sheet.reply_at(place);
        Some(self.fields.entry(place).or_insert_with(|| FieldState::from_reply(question, reply)))
    }

    /// Returns the part of a question that receives the keys.
    pub(in crate::tui) fn focus(&self, place: usize) -> FieldFocus {
        self.field(place).map(|field| field.focus).unwrap_or_default()
    }

    /// Returns whether the answer to a question is consent: only a key for it chooses that.
    pub(in crate::tui) fn is_consent(&self, place: usize) -> bool {
        let Some(question) = self.question(place) else { return false };
        ConsentQuestions::for_questionnaire(self.sheet.questionnaire()).includes(question)
    }

    /// Returns the step that is set.
    pub(in crate::tui) fn rating_at(&self, place: usize) -> Option<i32> {
        match self.sheet.reply_at(place).answer() {
            Some(Answer::Rating(step)) => Some(*step),
            _ => None,
        }
    }

    /// Returns whether a digit, appended to those typed before it, is a step of the scale.
    pub(in crate::tui) fn extends_step(&self, place: usize, digit: char, steps: RangeInclusive<i32>) -> bool {
        let earlier_digits = self.field(place).map(|field| field.digits.as_str()).unwrap_or_default();
        match format!("{earlier_digits}{digit}").parse() {
            Ok(step) => steps.contains(&step),
            Err(_) => false,
        }
    }

    /// Returns the constraints of a question; none if there is no such question.
    pub(in crate::tui) fn constraints(&self, place: usize) -> &[Constraint] {
        self.question(place).map(|question| question.constraints.as_slice()).unwrap_or_default()
    }

    /// Returns the reply that the typed text makes of a question's own.
    pub(in crate::tui::answer) fn typed_reply(&self, place: usize, now: &Zoned) -> Option<Reply> {
        let question = self.question(place)?;
        let field = self.field(place)?;
        let current = self.sheet.reply_at(place);
        let reply = if question.choice().is_some() {
            self.with_own_answer(place, field)
        } else if is_typed(question) {
            match field.parse_answer(question, now) {
                Some(answer) => Reply::from_answer(answer),
                None if current.is_skipped() => current.clone(),
                None => Reply::unanswered(),
            }
        } else {
            current.clone()
        };
        Some(reply.with_note(Some(field.note.text().to_owned())))
    }

    /// Shows another surface's reply at a question. Returns whether it replaced text that was typed here.
    pub(in crate::tui) fn replace_field(&mut self, place: usize, question: &Question, reply: &Reply) -> bool {
        let Some(field) = self.fields.get_mut(&place) else { return false };
        let remote = FieldState::from_reply(question, reply);
        let is_text_lost = field.text.replace_from_remote(remote.text.text());
        field.text.set_line_mode(remote.text.line_mode());
        let is_note_lost = field.note.replace_from_remote(remote.note.text());
        if field.focus == FieldFocus::Question {
            field.cursor = remote.cursor;
        }
        is_text_lost || is_note_lost
    }
}
