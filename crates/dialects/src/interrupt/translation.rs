//! Writing of requests: a questionnaire as the data of an interrupt, or, if it only has questions, as the arguments of
//! `ask_user`.

pub(super) mod losses;
pub(super) mod typed_answer;

use super::extensions::{CustomTextOptions, InterruptExtensions};
use super::messages::CUSTOM_LABEL;
use super::reader::read;
use super::{actions, approval};
use crate::interrupt::spec::{CUSTOM_VALUE, NAME};
use losses::TranslationLoss;
use sayso_core::wire::json;
use sayso_core::{
    ChoiceOption, ChoiceQuestion, DocumentPath, Lang, LocalizedText, Message, Question, QuestionInput,
    Questionnaire,
};
use serde::Serialize;
use serde_json::{Map, Value};
use std::borrow::Cow;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InterruptDocument<'q> {
    #[serde(skip_serializing_if = "Option::is_none")]
    info: Option<&'q str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    task_name: Option<&'q str>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    data: Map<String, Value>,
    #[serde(skip_serializing_if = "<[Value]>::is_empty")]
    options: &'q [Value],
    questions: Option<Vec<InterruptQuestionDocument<'q>>>,
}

#[derive(Serialize)]
struct InterruptQuestionDocument<'q> {
    question: &'q str,
    options: Vec<InterruptOptionDocument<'q>>,
}

/// Option of a question.
#[derive(Serialize)]
pub(super) struct InterruptOptionDocument<'q> {
    pub(super) label: Cow<'q, str>,
    pub(super) value: Cow<'q, str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) allow_custom: bool,
}

impl<'q> InterruptOptionDocument<'q> {
    /// Creates the option of a choice.
    pub(super) fn from_option(option: &'q ChoiceOption) -> Self {
        let value = option.sent_value().into();
        Self { label: option.label.as_str().into(), value, allow_custom: false }
    }

    /// Creates an option for typed text.
    pub(super) fn for_typed_text(label: impl Into<Cow<'q, str>>, value: &'q str) -> Self {
        Self { label: label.into(), value: value.into(), allow_custom: true }
    }
}

/// A questionnaire as a request, with the losses of the translation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranslatedRequest {
    /// The request, as one line of JSON.
    pub text: String,
    /// The losses; none if the translation is exact.
    pub lost: Vec<TranslationLoss>,
}

/// Translates a questionnaire into a request. One with only a yes or no becomes an approval. Other questions than single
/// choices are asked with options, or for typed text, with labels in this language.
pub fn write_request(questionnaire: &Questionnaire, lang: Lang) -> TranslatedRequest {
    let extensions = InterruptExtensions::from_questionnaire(questionnaire);
    let mut translation = InterruptTranslation::from_questionnaire(questionnaire, &extensions, lang);
    let mut result = translation.read_back();
    let result_extensions = result.as_ref().and_then(|result| result.extensions.get(NAME));
    if result_extensions != questionnaire.extensions.get(NAME) {
        // The stored extensions contradict the questionnaire.
        let no_extensions = InterruptExtensions::default();
        translation = InterruptTranslation::from_questionnaire(questionnaire, &no_extensions, lang);
        translation.losses.push(TranslationLoss::of_extensions(NAME));
        result = translation.read_back();
    }
    if let Some(result) = &result {
        translation.add_losses(questionnaire, result);
    }
    TranslatedRequest { text: translation.text, lost: translation.losses }
}

/// Request, and the losses so far.
struct InterruptTranslation {
    text: String,
    losses: Vec<TranslationLoss>,
}

impl InterruptTranslation {
    fn from_questionnaire(
        questionnaire: &Questionnaire,
        extensions: &InterruptExtensions,
        lang: Lang,
    ) -> Self {
        let approval = approval::find_approval(questionnaire, extensions);
        let questions = &questionnaire.questions;
        let reserved = extensions.reserved_texts(questions);
        let mut losses = losses::find_losses(questionnaire, approval.is_some(), &reserved);
        // With a title and no question it would become an approval, which the asker did not ask for.
        if questions.is_empty() {
            let what = Message::NothingToAsk.with([NAME]);
            losses.push(TranslationLoss::new(DocumentPath::root().join("questions"), what));
            return Self { text: r#"{"questions":[]}"#.to_owned(), losses };
        }
        let mut data = extensions.data.clone();
        if let Some(action) = &questionnaire.action
            && !approval::is_ask_user(&action.tool)
        {
            let mut request = extensions.request.clone();
            request.insert("name".to_owned(), Value::from(action.tool.as_str()));
            request.insert("args".to_owned(), Value::Object(actions::action_arguments(action)));
            data.insert("action_requests".to_owned(), Value::Array(vec![Value::Object(request)]));
        }
        let questions = match approval {
            Some(_) => None,
            None => {
                let questions = questions.iter();
                Some(questions.map(|question| question_document(question, extensions, lang)).collect())
            }
        };
        let document = InterruptDocument {
            info: match approval {
                Some(question) => approval::info_text(questionnaire, question),
                None => questionnaire.context.as_deref(),
            },
            task_name: questionnaire.title.as_deref(),
            data,
            options: match approval {
                Some(question) if approval::matches_options(question, extensions) => &extensions.options,
                _ => &[],
            },
            questions,
        };
        Self { text: json::write(&document), losses }
    }

    /// Returns the questionnaire that a reader of the request gets; `None` if the request is too large or too deep.
    fn read_back(&self) -> Option<Questionnaire> {
        Some(read(&self.text).ok()?.questionnaire)
    }

    /// Adds the losses in the questions of what a reader gets.
    fn add_losses(&mut self, questionnaire: &Questionnaire, result: &Questionnaire) {
        let pairs = questionnaire.questions.iter().zip(&result.questions);
        for ((question, other), place) in pairs.zip(questionnaire.question_paths()) {
            if question.prompt != other.prompt || questionnaire.context != result.context {
                let loss = TranslationLoss::new(place.join("prompt"), Message::LostPrompt);
                let replacement = Some(LocalizedText::Verbatim(other.prompt.clone()));
                self.losses.push(TranslationLoss { replacement, ..loss });
            }
            match (question.input(), other.input()) {
                (QuestionInput::Toggle(confirm), QuestionInput::Toggle(other)) => {
                    if confirm.yes != other.yes {
                        self.losses.push(TranslationLoss::new(place.join("yes"), Message::LostLabels));
                    }
                    if confirm.no != other.no {
                        self.losses.push(TranslationLoss::new(place.join("no"), Message::LostLabels));
                    }
                }
                (QuestionInput::Options(choice), QuestionInput::Options(other)) if !choice.multi => {
                    self.add_choice_losses(choice, other, &place);
                }
                _ => {}
            }
        }
    }

    /// Adds the losses of the own answer, and of option ids and descriptions.
    fn add_choice_losses(&mut self, choice: &ChoiceQuestion, other: &ChoiceQuestion, place: &DocumentPath) {
        if choice.other_label != other.other_label {
            let loss = TranslationLoss::new(place.join("other_label"), Message::LostOwnLabel);
            let replacement = other.other_label.clone().map(LocalizedText::Verbatim);
            self.losses.push(TranslationLoss { replacement, ..loss });
        }
        if choice.other_at != other.other_at {
            self.losses.push(TranslationLoss::new(place.join("other_at"), Message::LostOwnPlace));
        }
        for (index, (option, other)) in choice.options.iter().zip(&other.options).enumerate() {
            let place = place.join("options").join(index);
            if (&option.id, &option.value) != (&other.id, &other.value) {
                self.losses.push(TranslationLoss::new(place.join("id"), Message::LostId));
            } else if option.description.as_deref() == Some("") {
                self.losses.push(TranslationLoss::new(place.join("description"), Message::LostDescription));
            }
        }
    }
}

/// Returns a question with its options; those for typed text are placed among the others.
fn question_document<'q>(
    question: &'q Question,
    extensions: &'q InterruptExtensions,
    lang: Lang,
) -> InterruptQuestionDocument<'q> {
    let mut options = match question.choice() {
        Some(choice) if !choice.multi => choice_options(question, choice, extensions),
        _ => typed_answer::options(question, lang),
    };
    options.extend(typed_answer::no_answer_option(question, lang));
    InterruptQuestionDocument { question: &question.prompt, options }
}

fn choice_options<'q>(
    question: &'q Question,
    choice: &'q ChoiceQuestion,
    extensions: &'q InterruptExtensions,
) -> Vec<InterruptOptionDocument<'q>> {
    let custom = extensions.custom.get(&question.id);
    let own_value = custom.map_or(CUSTOM_VALUE, CustomTextOptions::value);
    let own_label = choice.other_label.as_deref().unwrap_or(CUSTOM_LABEL);
    let own_index = choice.other_at.unwrap_or(choice.options.len());
    let mut further_options = custom.map_or(&[][..], |custom| &custom.more).iter().peekable();
    let mut options = Vec::with_capacity(choice.item_count());
    for index in 0..=choice.options.len() {
        if choice.other && own_index == index {
            options.push(InterruptOptionDocument::for_typed_text(own_label, own_value));
        }
        while let Some(option) = further_options.next_if(|option| option.at <= index) {
            options.push(InterruptOptionDocument::for_typed_text(option.label.as_str(), &option.value));
        }
        options.extend(choice.options.get(index).map(InterruptOptionDocument::from_option));
    }
    options
}
