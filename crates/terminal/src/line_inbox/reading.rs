//! An ask as it is read to a person.

use super::{LineInbox, announcement};
use crate::describe;
use crate::prompter::PromptContext;
use sayso_core::{Ask, Message, QuestionInput, Replies, Sheet};
use std::time::Duration;

/// Most lines and characters that are read without being asked for.
const SHORT_LINES: usize = 12;
const SHORT_CHARS: usize = 800;

/// Ask that was read.
pub(super) struct ReadAsk {
    pub(super) ask: Ask,
    /// All that it shows.
    pub(super) whole: String,
    /// True if yes or no answers it: one question that these words can't mislead.
    pub(super) takes_decision: bool,
    /// True if the person heard all of it.
    pub(super) is_whole: bool,
}

impl ReadAsk {
    pub(super) fn new(ask: Ask, inbox: &LineInbox<'_>, columns: Option<usize>) -> Self {
        let sheet = Sheet::new(ask.request.questionnaire.clone(), Replies::new());
        let scene = PromptContext { ask: &ask, sheet: &sheet, age: Duration::ZERO, columns };
        let whole = inbox.style.read_whole(&scene);
        let takes_decision = takes_decision(&ask);
        let is_short = whole.lines().count() <= SHORT_LINES && whole.chars().count() <= SHORT_CHARS;
        Self { ask, whole, takes_decision, is_whole: takes_decision && is_short }
    }

    /// Returns what is read first: a short decision as a whole, of anything else one sentence. `more` is the number of
    /// other asks that wait.
    pub(super) fn first_lines(&self, inbox: &LineInbox<'_>, more: usize) -> String {
        let lang = inbox.style.lang;
        let mut sentences = Vec::new();
        if more > 0 {
            sentences.push(Message::InboxMore.render_with(lang, [more]));
        }
        if self.is_whole {
            sentences.push(announcement::heading(&self.ask, &inbox.home, lang));
            let heading = sentences.join(describe::sentence_separator(lang));
            return format!("{heading}\n{}", self.whole.trim_end_matches('\n'));
        }
        sentences.insert(0, announcement::announcement(&self.ask, &inbox.home, lang));
        if self.takes_decision {
            sentences.insert(1, Message::InboxWholeReads.plain(lang).to_owned());
        }
        sentences.join(describe::sentence_separator(lang))
    }
}

fn takes_decision(ask: &Ask) -> bool {
    let [question] = ask.request.questionnaire.questions.as_slice() else { return false };
    match question.input() {
        QuestionInput::Toggle(confirm) => confirm.contrary_labels().next().is_none(),
        QuestionInput::Options(_) | QuestionInput::Scale(_) | QuestionInput::Line(_) => false,
    }
}
