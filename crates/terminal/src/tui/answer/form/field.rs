//! Input state of one question: focus, cursor and typed text.

use crate::describe::SpoofingCheck;
use crate::tui::editor::{LineMode, TextBox};
use jiff::Zoned;
use sayso_core::{
    Answer, ChoiceItem, ChoiceOption, ChoiceQuestion, Lang, Pick, Question, QuestionInput, Questionnaire,
    Reply,
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
        let has_lines = question.is_long_text() || takes_lines && text.contains('\n');
        let line_mode = if has_lines { LineMode::Multiple } else { LineMode::Single };
        let cursor = match question.choice() {
            Some(choice) => first_picked(choice, reply),
            None => 0,
        };
        Self {
            focus: FieldFocus::Question,
            cursor,
            text: TextBox::new(&text, line_mode),
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
        self.display_hints.get_or_init(|| Rc::new(SpoofingCheck::new(questionnaire, question, lang))).clone()
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
        let filter = self.filter.text().to_lowercase();
        let words: Vec<&str> = filter.split_whitespace().collect();
        let mut offers = Vec::with_capacity(choice.item_count());
        for (index, offer) in choice.items().enumerate() {
            let matches = match &offer {
                ChoiceItem::Other => true,
                ChoiceItem::Option(option) => {
                    words.is_empty() || contains_words(option, &words) || is_picked(reply, &offer)
                }
            };
            if matches {
                offers.push(index);
            }
        }
        offers
    }

    /// Parses the typed text as an answer to a question that is answered by typing. Text that cannot be parsed is kept
    /// verbatim.
    pub(in crate::tui) fn parse_answer(&self, question: &Question, now: &Zoned) -> Option<Answer> {
        let text = self.text.text();
        if text.trim().is_empty() && !question.is_text() || text.is_empty() {
            return None;
        }
        match question.kind.parse_typed(text, Some(now)) {
            Some(answer) => Some(answer),
            None => Some(Answer::Text(text.to_owned())),
        }
    }
}

/// Returns whether the label and description of an option contain all these lower-case words.
fn contains_words(option: &ChoiceOption, words: &[&str]) -> bool {
    let text = format!("{} {}", option.label, option.description.as_deref().unwrap_or_default());
    let text = text.to_lowercase();
    words.iter().all(|word| text.contains(word))
}

/// Returns the own answer among the picks.
pub(in crate::tui) fn own_answer(answer: Option<&Answer>) -> Option<&str> {
    let Some(Answer::Picks(picks)) = answer else { return None };
    picks.iter().find_map(Pick::other_text)
}

/// Returns whether a pick is the own answer.
pub(in crate::tui) const fn is_own(pick: &Pick) -> bool {
    matches!(pick, Pick::Other(_))
}

/// Returns the picks of a reply; none if it has another answer, or none at all.
pub(in crate::tui) fn picks(reply: &Reply) -> &[Pick] {
    match reply.answer() {
        Some(Answer::Picks(picks)) => picks,
        _ => &[],
    }
}

/// Returns whether a reply picks an offer. The own answer is picked whatever its text is.
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
