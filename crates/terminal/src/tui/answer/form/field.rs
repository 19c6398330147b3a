//! Input state of one question: focus, cursor and typed text.

use crate::describe::SpoofingCheck;
use crate::tui::editor::{LineMode, TextBox};
use jiff::Zoned;
use sayso_core::{
    Answer, ChoiceItem, ChoiceQuestion, Lang, Pick, Question, QuestionInput, Questionnaire, Reply,
};
use std::cell::OnceCell;
use std::rc::Rc;

/// Part of a question that receives the keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::tui) enum FieldFocus {
    /// The question itself: letters are commands.
    #[default]
    Question,
    /// The text that is the answer, or the own answer of a choice.
    Text,
    /// The filter for options.
    Filter,
    /// The note to the asker.
    Note,
}

/// Input state of one question, apart from its reply on the sheet.
#[derive(Debug)]
pub(in crate::tui) struct FieldState {
    pub(in crate::tui) focus: FieldFocus,
    /// Cursor of a choice: index into the visible offers, from 0.
    pub(in crate::tui) cursor: usize,
    /// The typed answer, or the own answer of a choice.
    pub(in crate::tui) text: TextBox,
    pub(in crate::tui) note: TextBox,
    pub(in crate::tui) filter: TextBox,
    /// Digits of a rating that are being typed.
    pub(in crate::tui) digits: String,
    display_hints: OnceCell<Rc<SpoofingCheck>>,
}

impl FieldState {
    /// Builds the state of a question as the person first sees it.
    pub(in crate::tui) fn from_reply(question: &Question, reply: &Reply) -> Self {
        let text = match (question.input(), reply.answer()) {
            (QuestionInput::Options(_), answer) => {
                own_answer(answer).or(reply.unused_other.as_deref()).unwrap_or_default().to_owned()
            }
            (QuestionInput::Line(_), Some(answer)) => answer.describe(question, Lang::En).into_owned(),
            (QuestionInput::Line(_), None) | (QuestionInput::Toggle(_) | QuestionInput::Scale(_), _) => {
                String::new()
            }
        };
        let takes_lines = question.is_text() || question.choice().is_some();
        let lines = match question.is_long_text() || takes_lines && text.contains('\n') {
            true => LineMode::Multiple,
            false => LineMode::Single,
        };
        let at = question.choice().map_or(0, |choice| first_picked(choice, reply));
        Self {
            focus: FieldFocus::Question,
            cursor: at,
            text: TextBox::new(&text, lines),
            note: TextBox::new(reply.note.as_deref().unwrap_or_default(), LineMode::Multiple),
            filter: TextBox::new("", LineMode::Single),
            digits: String::new(),
            display_hints: OnceCell::new(),
        }
    }

    /// Returns the display hints of the question, computed once.
    pub(in crate::tui) fn display_hints(
        &self,
        questionnaire: &Questionnaire,
        question: &Question,
        lang: Lang,
    ) -> Rc<SpoofingCheck> {
        let check = || Rc::new(SpoofingCheck::new(questionnaire, question, lang));
        self.display_hints.get_or_init(check).clone()
    }

    /// Returns whether nothing was changed, so that the field can be rebuilt from the reply.
    pub(in crate::tui) fn is_untouched(&self) -> bool {
        self.cursor == 0 && self.text.is_untouched() && self.note.is_untouched()
    }

    /// Returns the text box that has the focus.
    pub(in crate::tui) fn focused_box(&mut self) -> Option<&mut TextBox> {
        match self.focus {
            FieldFocus::Question => None,
            FieldFocus::Text => Some(&mut self.text),
            FieldFocus::Filter => Some(&mut self.filter),
            FieldFocus::Note => Some(&mut self.note),
        }
    }

    /// Returns the offers that match the filter, as indices into all offers. Picked offers always remain.
    pub(in crate::tui) fn matching_offers(&self, choice: &ChoiceQuestion, reply: &Reply) -> Vec<usize> {
        let wanted = self.filter.text().to_lowercase();
        let wanted: Vec<&str> = wanted.split_whitespace().collect();
        let fits = |offer: &ChoiceItem<'_>| match offer {
            ChoiceItem::Other => true,
            ChoiceItem::Option(option) => {
                let all = format!("{} {}", option.label, option.description.as_deref().unwrap_or_default());
                let all = all.to_lowercase();
                wanted.iter().all(|word| all.contains(word)) || is_picked(reply, offer)
            }
        };
        let offers = choice.items().enumerate();
        offers.filter(|(_, offer)| wanted.is_empty() || fits(offer)).map(|(at, _)| at).collect()
    }

    /// Parses the typed text as an answer to a question that is answered by typing. Text that cannot be parsed is kept
    /// verbatim.
    pub(in crate::tui) fn parse_answer(&self, question: &Question, now: &Zoned) -> Option<Answer> {
        let text = self.text.text();
        if text.trim().is_empty() && !question.is_text() || text.is_empty() {
            return None;
        }
        let answer = question.kind.parse_typed(text, Some(now));
        Some(answer.unwrap_or_else(|| Answer::Text(text.to_owned())))
    }
}

/// Returns the own answer among the picks.
pub(in crate::tui) fn own_answer(answer: Option<&Answer>) -> Option<&str> {
    let Some(Answer::Picks(picks)) = answer else { return None };
    picks.iter().find_map(Pick::other_text)
}

/// Returns the picks of a reply.
pub(in crate::tui) fn picks(reply: &Reply) -> &[Pick] {
    match reply.answer() {
        Some(Answer::Picks(picks)) => picks,
        _ => &[],
    }
}

/// Returns whether an offer is picked.
pub(in crate::tui) fn is_picked(reply: &Reply, offer: &ChoiceItem<'_>) -> bool {
    picks(reply).iter().any(|pick| match (pick, offer) {
        (Pick::Option(id), ChoiceItem::Option(option)) => *id == option.id,
        (Pick::Other(_), ChoiceItem::Other) => true,
        _ => false,
    })
}

fn first_picked(choice: &ChoiceQuestion, reply: &Reply) -> usize {
    choice.items().position(|offer| is_picked(reply, &offer)).unwrap_or_default()
}
