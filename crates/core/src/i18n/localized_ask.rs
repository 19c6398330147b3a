//! Asks in the language of their reader.

use crate::i18n::{Lang, Message};
use crate::model::ask::Ask;
use crate::model::question::Question;
use std::sync::Arc;

impl Ask {
    /// Returns the ask as a reader sees it: an act that is asked about without words of its asker has ours. The digest
    /// stays that of the stored ask.
    #[must_use]
    pub fn localized(mut self, lang: Lang) -> Self {
        let is_wordless = |question: &Question| question.prompt.is_empty();
        let asked = &self.request.questionnaire;
        if asked.action.is_some() && asked.questions.iter().any(is_wordless) {
            let asked = Arc::make_mut(&mut Arc::make_mut(&mut self.request).questionnaire);
            for question in asked.questions.iter_mut().filter(|question| is_wordless(question)) {
                Message::AllowAction.plain(lang).clone_into(&mut question.prompt);
            }
        }
        self
    }
}
