//! Asks in the language of their reader.

use crate::i18n::task_name::localize_task;
use crate::i18n::{Lang, Message};
use crate::model::ask::Ask;
use crate::model::question::Question;
use std::sync::Arc;

impl Ask {
    /// Returns the ask as a reader sees it: an act that is asked about without words of its asker has ours, and a task's
    /// name from a spec is in the reader's language. The digest stays that of the stored ask.
    #[must_use]
    pub fn localized(mut self, lang: Lang) -> Self {
        let is_wordless = |question: &Question| question.prompt.is_empty();
        let asked = &self.request.questionnaire;
        let spec_texts = [asked.title.as_ref(), asked.context.as_ref()];
        let is_spec_text = |text: &String| localize_task(text, lang) != text.as_str();
        if spec_texts.into_iter().flatten().any(is_spec_text) {
            let asked = Arc::make_mut(&mut Arc::make_mut(&mut self.request).questionnaire);
            let prompts = asked.questions.iter_mut().map(|question| &mut question.prompt);
            for text in asked.title.iter_mut().chain(&mut asked.context).chain(prompts) {
                *text = localize_task(text, lang).into_owned();
            }
        }
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
