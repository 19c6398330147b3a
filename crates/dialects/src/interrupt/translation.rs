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
use std::collections::HashMap;

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
    let written = InterruptTranslation::from_questionnaire(questionnaire, &extensions, lang);
    if let Some(translated) = written.into_faithful(questionnaire) {
        return translated;
    }
    // The stored extensions contradict the questionnaire.
    let nothing = InterruptExtensions::default();
    let mut written = InterruptTranslation::from_questionnaire(questionnaire, &nothing, lang);
    written.lost.push(TranslationLoss::of_extensions(NAME));
    let read = read(&written.text).map(|read| read.questionnaire);
    written.with_losses(questionnaire, read.ok().as_ref())
}

/// Request, and the losses so far.
struct InterruptTranslation {
    text: String,
    lost: Vec<TranslationLoss>,
}

impl InterruptTranslation {
    fn from_questionnaire(
        questionnaire: &Questionnaire,
        extensions: &InterruptExtensions,
        lang: Lang,
    ) -> Self {
        let approved = approval::find_approval(questionnaire, extensions);
        let questions = &questionnaire.questions;
        let reserved = extensions.reserved_texts(questions);
        let mut lost = losses::find_losses(questionnaire, approved.is_some(), &reserved);
        // With a title and no question it would become an approval, which the asker did not ask for.
        if questions.is_empty() {
            let what = Message::NothingToAsk.with([NAME]);
            lost.push(TranslationLoss::new(DocumentPath::root().join("questions"), what));
            return Self { text: r#"{"questions":[]}"#.to_owned(), lost };
        }
        let mut data = extensions.data.clone();
        if let Some(action) =
            questionnaire.action.as_ref().filter(|action| !approval::is_ask_user(&action.tool))
        {
            let mut request = extensions.request.clone();
            request.insert("name".to_owned(), Value::from(action.tool.as_str()));
            request.insert("args".to_owned(), Value::Object(actions::action_arguments(action)));
            data.insert("action_requests".to_owned(), Value::Array(vec![Value::Object(request)]));
        }
        let items =
            || questions.iter().map(|question| question_document(question, extensions, lang)).collect();
        let document = InterruptDocument {
            info: match approved {
                Some(question) => approval::info_text(questionnaire, question),
                None => questionnaire.context.as_deref(),
            },
            task_name: questionnaire.title.as_deref(),
            data,
            options: match approved {
                Some(question) if approval::matches_options(question, extensions) => &extensions.options,
                _ => &[],
            },
            questions: approved.is_none().then(items),
        };
        Self { text: json::write(&document), lost }
    }

    /// Returns the translation if the request reproduces the stored extensions.
    fn into_faithful(self, questionnaire: &Questionnaire) -> Option<TranslatedRequest> {
        let name = NAME;
        let back = read(&self.text).map(|read| read.questionnaire).ok();
        let beside = back.as_ref().and_then(|back| back.extensions.get(name));
        (beside == questionnaire.extensions.get(name)).then(|| self.with_losses(questionnaire, back.as_ref()))
    }

    /// Returns the translation with all losses, found by reading it back.
    fn with_losses(
        mut self,
        questionnaire: &Questionnaire,
        back: Option<&Questionnaire>,
    ) -> TranslatedRequest {
        let Some(back) = back else { return TranslatedRequest { text: self.text, lost: self.lost } };
        let places: HashMap<_, _> = questionnaire
            .questions
            .iter()
            .map(|question| &question.id)
            .zip(questionnaire.question_paths())
            .collect();
        for (question, again) in questionnaire.questions.iter().zip(&back.questions) {
            let place = places.get(&question.id).cloned().unwrap_or_default();
            let is_told = question.prompt == again.prompt && questionnaire.context == back.context;
            let mut lose = |is_lost: bool, member: &str, what: Message, instead: Option<LocalizedText>| {
                if is_lost {
                    let lost = TranslationLoss::new(place.join(member), what);
                    self.lost.push(TranslationLoss { replacement: instead, ..lost });
                }
            };
            lose(
                !is_told,
                "prompt",
                Message::LostPrompt,
                Some(LocalizedText::Verbatim(again.prompt.clone())),
            );
            match (question.input(), again.input()) {
                (QuestionInput::Toggle(one), QuestionInput::Toggle(other)) => {
                    lose(one.yes != other.yes, "yes", Message::LostLabels, None);
                    lose(one.no != other.no, "no", Message::LostLabels, None);
                }
                (QuestionInput::Options(one), QuestionInput::Options(other)) if !one.multi => {
                    let label = other.other_label.clone().map(LocalizedText::Verbatim);
                    let is_lost = one.other_label != other.other_label;
                    lose(is_lost, "other_label", Message::LostOwnLabel, label);
                    lose(one.other_at != other.other_at, "other_at", Message::LostOwnPlace, None);
                    self.lost.extend(option_losses(one, other, &place));
                }
                _ => {}
            }
        }
        TranslatedRequest { text: self.text, lost: self.lost }
    }
}

/// Returns the losses of option ids and descriptions.
fn option_losses(one: &ChoiceQuestion, other: &ChoiceQuestion, place: &DocumentPath) -> Vec<TranslationLoss> {
    let pairs = one.options.iter().zip(&other.options).enumerate();
    let lost = |(index, (one, other)): (usize, (&ChoiceOption, &ChoiceOption))| {
        let place = |member: &str| place.join("options").join(index).join(member);
        let is_empty = one.description.as_ref().is_some_and(String::is_empty);
        let (path, what) = if (&one.id, &one.value) != (&other.id, &other.value) {
            (place("id"), Message::LostId)
        } else if is_empty {
            (place("description"), Message::LostDescription)
        } else {
            return None;
        };
        Some(TranslationLoss::new(path, what))
    };
    pairs.filter_map(lost).collect()
}

/// Returns a question with its options; those for typed text are placed among the others.
fn question_document<'q>(
    question: &'q Question,
    extensions: &'q InterruptExtensions,
    lang: Lang,
) -> InterruptQuestionDocument<'q> {
    let options = match question.choice() {
        Some(choice) if !choice.multi => choice_options(question, choice, extensions),
        _ => typed_answer::options(question, lang),
    };
    let options = options.into_iter().chain(typed_answer::no_answer_option(question, lang)).collect();
    InterruptQuestionDocument { question: &question.prompt, options }
}

fn choice_options<'q>(
    question: &'q Question,
    choice: &'q ChoiceQuestion,
    extensions: &'q InterruptExtensions,
) -> Vec<InterruptOptionDocument<'q>> {
    let custom = extensions.custom.get(&question.id);
    let value = custom.map_or(CUSTOM_VALUE, CustomTextOptions::value);
    let mut further = custom.map_or(&[][..], |custom| &custom.more).iter().peekable();
    let label = choice.other_label.as_deref().unwrap_or(CUSTOM_LABEL);
    let own_at = choice.other.then(|| choice.other_at.unwrap_or(choice.options.len()));
    let typed = |label: &'q str, value: &'q str| InterruptOptionDocument {
        label: label.into(),
        value: value.into(),
        allow_custom: true,
    };
    let mut options = Vec::with_capacity(choice.item_count());
    for at in 0..=choice.options.len() {
        if own_at == Some(at) {
            options.push(typed(label, value));
        }
        while let Some(more) = further.next_if(|more| more.at <= at) {
            options.push(typed(&more.label, &more.value));
        }
        options.extend(choice.options.get(at).map(InterruptOptionDocument::from_option));
    }
    options
}
