//! Asks in the language of their reader.

use crate::i18n::task_name::localize_task;
use crate::i18n::{Lang, own_prompt};
use crate::model::ask::Ask;
use crate::model::question::Question;
use crate::model::questionnaire::Questionnaire;
use std::sync::Arc;

impl Ask {
    /// Returns the ask as a reader sees it: a prompt of ours and a task's name from a spec are in the reader's language.
    /// The digest stays that of the stored ask.
    #[must_use]
    pub fn localized(mut self, lang: Lang) -> Self {
        let stored = &self.request.questionnaire;
        let mut prompts = Vec::new();
        for (at, question) in stored.questions.iter().enumerate() {
            if let Some(prompt) = localized_prompt(stored, question, lang) {
                prompts.push((at, prompt));
            }
        }
        let [title, context] =
            [&stored.title, &stored.context].map(|text| localized_text(text.as_ref()?, lang));
        // Most asks have no text of ours, and are not copied.
        if prompts.is_empty() && title.is_none() && context.is_none() {
            return self;
        }
        let questionnaire = Arc::make_mut(&mut Arc::make_mut(&mut self.request).questionnaire);
        questionnaire.title = title.or(questionnaire.title.take());
        questionnaire.context = context.or(questionnaire.context.take());
        for (at, prompt) in prompts {
            if let Some(question) = questionnaire.questions.get_mut(at) {
                question.prompt = prompt;
            }
        }
        self
    }
}

/// Returns a prompt in the reader's language if that is not the stored one.
fn localized_prompt(questionnaire: &Questionnaire, question: &Question, lang: Lang) -> Option<String> {
    match own_prompt(questionnaire, question, lang) {
        Some(prompt) if prompt == question.prompt => None,
        Some(prompt) => Some(prompt),
        None => localized_text(&question.prompt, lang),
    }
}

/// Returns a spec's text in the reader's language if that is not the stored one.
fn localized_text(text: &str, lang: Lang) -> Option<String> {
    let localized = localize_task(text, lang);
    if localized == text { None } else { Some(localized.into_owned()) }
}
