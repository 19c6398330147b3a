//! From the spec's types to the questionnaire that is asked.

use super::constraints;
use super::initial_values::InitialValues;
use crate::interaction::answers::parse_answer;
use crate::interaction::extensions::{InteractionExtensions, WaitMode};
use crate::interaction::stored_request::original_form;
use crate::interaction::wire::{
    FieldType, InteractionRequest, OnTimeout, QuestionnaireField, QuestionnaireSchema, QuestionnaireSection,
    exact_number,
};
use crate::names;
use sayso_core::model::validation_rules::LengthUnit;
use sayso_core::{
    ChoiceOption, ChoiceQuestion, CompletionView, ConfirmQuestion, ConsentQuestions, DateQuestion,
    DatetimeQuestion, NumberQuestion, Question, QuestionKind, Questionnaire, Rules, Section, SectionId,
    TextQuestion, TimeQuestion,
};

/// Returns the rules by which the spec validates answers.
pub(crate) fn spec_rules() -> Rules {
    Rules {
        length_unit: LengthUnit::Utf16,
        trim_text: false,
        repeated_picks: true,
        must_be_true: true,
        loose_dates: true,
        ..Rules::default()
    }
}

/// Builds the questionnaire of a parsed request.
pub(crate) fn build_questionnaire(request: InteractionRequest) -> Questionnaire {
    let is_further_round = request.is_further_round();
    let has_dates = request.input_schema.all_fields().any(|field| field.kind.is_date_or_time());
    let is_strict = request.strict && has_dates;
    let rules = Rules { unjudged: !request.validate, loose_dates: !is_strict, ..spec_rules() };
    let original_form = original_form::stored_form(&request.input_schema, is_further_round);
    let mut schema = request.input_schema;
    let completed = match request.completed_view {
        Some(view) => {
            let answers = view.show_inputs.unwrap_or(true);
            Some(CompletionView { answers, summary: view.summary_template })
        }
        None => None,
    };
    let mut whole = Questionnaire {
        title: schema.title.take(),
        context: join_context(request.prompt.as_deref(), schema.description.take()),
        submit: schema.submit_label.take(),
        cancel: schema.cancel_label.take(),
        completed,
        rules,
        ..Questionnaire::default()
    };
    let extensions = InteractionExtensions {
        prompt: request.prompt,
        presentation: request.presentation,
        timeout_ms: request.timeout_ms,
        mode: if request.waits { None } else { Some(WaitMode::Async) },
        on_timeout: match request.on_timeout {
            OnTimeout::Error => None,
            OnTimeout::Cancel | OnTimeout::Async => Some(request.on_timeout),
        },
        require_client: request.require_client,
        error_summary: request.error_summary,
        field_errors: request.field_errors.0,
        original_form,
        ..InteractionExtensions::default()
    };
    let initial =
        InitialValues { values: schema.initial_values.take().unwrap_or_default(), is_further_round };
    let mut building = InteractionBuilder { extensions, initial };
    building.add_questions(schema, &mut whole);
    if is_further_round {
        forget_submitted_consent(&mut whole);
    }
    let extensions = InteractionExtensions { initial_values: building.initial.values, ..building.extensions };
    extensions.store_in(&mut whole);
    whole
}

/// Removes consent from the prefills of a further round: the person submitted it, so it is no suggestion of the asker.
/// The initial values of the form keep it.
fn forget_submitted_consent(whole: &mut Questionnaire) {
    let consent = ConsentQuestions::for_questionnaire(whole);
    for question in &mut whole.questions {
        if consent.includes(question) {
            question.prefill = None;
        }
    }
}

/// Returns the context of the form: the prompt, followed by the form's description.
fn join_context(prompt: Option<&str>, description: Option<String>) -> Option<String> {
    match (prompt, description) {
        (Some(prompt), Some(description)) => Some(format!("{prompt}{PROMPT_SEPARATOR}{description}")),
        (Some(prompt), None) => Some(prompt.to_owned()),
        (None, description) => description,
    }
}

/// Separator of the prompt and the description.
pub(crate) const PROMPT_SEPARATOR: &str = "\n\n";

struct InteractionBuilder {
    extensions: InteractionExtensions,
    initial: InitialValues,
}

impl InteractionBuilder {
    fn add_questions(&mut self, schema: QuestionnaireSchema, whole: &mut Questionnaire) {
        let mut ids = names::assign_ids(schema.all_fields().map(|field| field.id.as_str()), 'q', 0, []);
        whole.questions.reserve_exact(schema.all_fields().count());
        if let Some(fields) = schema.fields
            && !fields.is_empty()
        {
            for field in fields {
                whole.questions.push(self.build_question(field, ids.next_id(), None, &whole.rules));
            }
            return;
        }
        let sections = schema.sections.unwrap_or_default();
        let mut section_ids =
            names::assign_ids(sections.iter().map(|section| section.id.as_str()), 's', 0, []);
        whole.sections.reserve_exact(sections.len());
        for mut section in sections {
            let fields = std::mem::take(&mut section.fields);
            let section = self.build_section(section, section_ids.next_id());
            for field in fields {
                let id = ids.next_id();
                let question = self.build_question(field, id, Some(section.id.clone()), &whole.rules);
                whole.questions.push(question);
            }
            whole.sections.push(section);
        }
    }

    fn build_section(&mut self, section: QuestionnaireSection, id: Option<String>) -> Section {
        let (id, name) = names::id_and_name(section.id, id);
        if let Some(name) = name {
            self.extensions.sections.insert(id.to_string(), name);
        }
        Section {
            title: section.title,
            detail: section.description,
            optional: section.optional == Some(true),
            submit: section.submit_label,
            ..Section::new(id)
        }
    }

    fn build_question(
        &mut self,
        mut field: QuestionnaireField,
        id: Option<String>,
        section: Option<SectionId>,
        rules: &Rules,
    ) -> Question {
        let constraints = constraints::field_constraints(&mut field);
        let kind = question_kind(&mut field);
        let (id, key) = names::id_and_name(field.id, id);
        if matches!(field.kind, FieldType::Checkbox | FieldType::Radio) {
            self.extensions.types.insert(id.to_string(), field.kind);
        }
        let mut question = Question {
            key,
            section,
            detail: field.description,
            required: field.required == Some(true),
            validates_on_submit: field.validate_on_client == Some(false),
            placeholder: field.placeholder,
            constraints,
            ..Question::new(id, field.label, kind)
        };
        question.prefill = self.initial.take_initial(question.asker_key(), field.default_value, |value| {
            parse_answer::parse_prefill(&question, rules, value)
        });
        question
    }
}

fn question_kind(field: &mut QuestionnaireField) -> QuestionKind {
    match field.kind {
        FieldType::Text => TextQuestion { long: false }.into(),
        FieldType::Textarea => TextQuestion { long: true }.into(),
        FieldType::Number => {
            let mut step = field.step.as_ref().and_then(exact_number);
            step.take_if(|step| !step.is_positive());
            NumberQuestion { step }.into()
        }
        FieldType::Boolean | FieldType::Checkbox => ConfirmQuestion::default().into(),
        FieldType::Select | FieldType::Radio => choice_kind(field, false),
        FieldType::Multiselect => choice_kind(field, true),
        FieldType::Date => DateQuestion.into(),
        FieldType::Time => TimeQuestion.into(),
        FieldType::Datetime => DatetimeQuestion.into(),
    }
}

fn choice_kind(field: &mut QuestionnaireField, multi: bool) -> QuestionKind {
    let mut options = Vec::new();
    for option in field.options.take().unwrap_or_default() {
        options.push(ChoiceOption::new(option.value, option.label));
    }
    names::assign_option_ids(&mut options, []);
    ChoiceQuestion { options, multi, ..ChoiceQuestion::default() }.into()
}
