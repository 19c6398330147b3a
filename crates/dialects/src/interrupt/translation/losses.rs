//! Losses of a questionnaire that becomes an interrupt.

use super::typed_answer;
use crate::interrupt::actions;
use crate::interrupt::spec::NAME;
use sayso_core::i18n::own;
use sayso_core::{
    ChoiceOption, DocumentPath, LocalizedText, Message, Question, QuestionInput, Questionnaire, Rules,
};
use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};
use std::collections::BTreeSet;

/// Something that an interrupt cannot express.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranslationLoss {
    /// Its place in the questionnaire, in canonical form.
    pub path: DocumentPath,
    /// The loss.
    pub what: LocalizedText,
    /// Its replacement, if any.
    pub replacement: Option<LocalizedText>,
}

impl TranslationLoss {
    /// Creates a loss without a replacement.
    pub(super) fn new(path: DocumentPath, what: impl Into<LocalizedText>) -> Self {
        Self { path, what: what.into(), replacement: None }
    }

    /// Sets the replacement.
    pub(super) fn replaced_by(self, replacement: impl Into<LocalizedText>) -> Self {
        Self { replacement: Some(replacement.into()), ..self }
    }

    /// Creates the loss of what only the dialect of this name can express.
    pub(super) fn of_extensions(dialect: &str) -> Self {
        Self::new(DocumentPath::root().join("beside").join(dialect), Message::LostBeside.with([own(dialect)]))
    }
}

impl Serialize for TranslationLoss {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use sayso_core::Lang::En;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("path", &self.path)?;
        map.serialize_entry("what", &self.what.render(En))?;
        map.serialize_entry("instead", &self.replacement.as_ref().map(|text| text.render(En)))?;
        map.end()
    }
}

/// Returns the losses of a questionnaire. `reserved` are the texts that no one may type then.
pub(super) fn find_losses(
    questionnaire: &Questionnaire,
    is_approval: bool,
    reserved: &BTreeSet<String>,
) -> Vec<TranslationLoss> {
    let mut collector = LossCollector { losses: Vec::new() };
    collector.check_questionnaire(questionnaire);
    let places = questionnaire.question_paths();
    for (number, (question, place)) in questionnaire.questions.iter().zip(places).enumerate() {
        if !is_approval && typed_answer::is_replaced(question) {
            let what = match question.choice() {
                Some(_) => Message::LostMulti.into(),
                None => Message::LostKind.with([question.kind.name()]),
            };
            let loss = TranslationLoss::new(place.join("kind"), what);
            collector.losses.push(loss.replaced_by(Message::TypedInstead));
        }
        collector.check_question(number, question, &place);
    }
    collector.check_rules(&questionnaire.rules, &questionnaire.questions, reserved);
    collector.losses
}

struct LossCollector {
    losses: Vec<TranslationLoss>,
}

impl LossCollector {
    fn record(&mut self, is_lost: bool, path: DocumentPath, what: Message) {
        if is_lost {
            self.losses.push(TranslationLoss::new(path, what));
        }
    }

    fn check_questionnaire(&mut self, whole: &Questionnaire) {
        let root = DocumentPath::root();
        if let Some(action) = &whole.action {
            self.record(!actions::is_exact(action), root.join("action"), Message::LostAction);
        }
        self.record(whole.submit.is_some(), root.join("submit"), Message::LostButton);
        self.record(whole.cancel.is_some(), root.join("cancel"), Message::LostButton);
        self.record(whole.completed.is_some(), root.join("completed"), Message::LostCompleted);
        for index in 0..whole.sections.len() {
            self.record(true, root.join("sections").join(index), Message::LostSection);
        }
        for dialect in whole.extensions.keys() {
            if dialect != NAME {
                self.losses.push(TranslationLoss::of_extensions(dialect));
            }
        }
    }

    /// Records the losses of the question that is asked at this number.
    fn check_question(&mut self, number: usize, question: &Question, place: &DocumentPath) {
        let at = |member: &str| place.join(member);
        if question.parent.is_some() {
            let loss = TranslationLoss::new(place.clone(), Message::LostFollowUp);
            self.losses.push(loss.replaced_by(Message::AlwaysAsked));
        } else if question.show_if.is_some() {
            let loss = TranslationLoss::new(at("show_if"), Message::LostCondition);
            self.losses.push(loss.replaced_by(Message::AlwaysAsked));
        }
        self.record(question.label.is_some(), at("label"), Message::LostLabel);
        self.record(question.detail.is_some(), at("detail"), Message::LostDetail);
        self.record(question.placeholder.is_some(), at("placeholder"), Message::LostPlaceholder);
        self.record(question.prefill.is_some(), at("prefill"), Message::LostPrefill);
        self.record(question.validates_on_submit, at("unchecked"), Message::LostUnchecked);
        for index in 0..question.constraints.len() {
            self.record(true, at("constraints").join(index), Message::LostConstraint);
        }
        let is_named = question.id.as_str() != format!("q{number}") || question.key.is_some();
        self.record(is_named, at("id"), Message::LostId);
        if let Some(choice) = question.choice() {
            for (index, option) in choice.options.iter().enumerate() {
                self.check_option(option, &at("options").join(index));
            }
        }
    }

    fn check_option(&mut self, option: &ChoiceOption, place: &DocumentPath) {
        let has_description = !option.description.as_deref().unwrap_or_default().is_empty();
        self.record(has_description, place.join("description"), Message::LostDescription);
        self.record(option.preview.is_some(), place.join("preview"), Message::LostPreview);
        self.record(option.recommended, place.join("recommended"), Message::LostRecommended);
    }

    /// Records the rules that affect some answer to a single choice or a yes or no.
    fn check_rules(&mut self, ours: &Rules, questions: &[Question], reserved: &BTreeSet<String>) {
        let theirs = Rules::default();
        let mut has_choice = false;
        let mut has_own = false;
        let mut has_confirm = false;
        let mut has_condition = false;
        let mut has_optional = false;
        for question in questions {
            match question.input() {
                QuestionInput::Options(choice) => {
                    has_choice = true;
                    has_own |= choice.other;
                }
                QuestionInput::Toggle(_) => has_confirm |= question.required,
                QuestionInput::Scale(_) | QuestionInput::Line(_) => {}
            }
            has_condition |= question.show_if.is_some();
            has_optional |= !question.required;
        }
        let differs = [
            ("trim_text", has_own && ours.trim_text != theirs.trim_text),
            ("empty_other", has_own && ours.empty_other != theirs.empty_other),
            (
                "own_answers_match",
                has_own && has_condition && ours.own_answers_match != theirs.own_answers_match,
            ),
            ("must_be_true", has_confirm && ours.must_be_true != theirs.must_be_true),
            ("empty_picks", has_choice && ours.empty_picks != theirs.empty_picks),
            ("loose_single", has_choice && ours.loose_single != theirs.loose_single),
            ("blank_text", has_own && ours.blank_text != theirs.blank_text),
            ("some_answer", has_optional && ours.some_answer != theirs.some_answer),
            ("unjudged", ours.unjudged != theirs.unjudged),
            ("reserved", has_own && ours.reserved != *reserved),
        ];
        for (rule, differs) in differs {
            if differs {
                let path = DocumentPath::root().join("rules").join(rule);
                self.losses.push(TranslationLoss::new(path, Message::LostRule.with([rule])));
            }
        }
    }
}
