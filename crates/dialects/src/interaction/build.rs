//! From the spec's types to the questionnaire that is asked.

use super::beside::{Beside, Mode};
use super::initial::Initial;
use super::wire::{
    FieldType, InteractionRequest, OnTimeout, QuestionnaireField, QuestionnaireOption, QuestionnaireSchema,
    QuestionnaireSection,
};
use super::{as_asked, fixed, hear};
use crate::names;
use sayso_core::rules::LengthUnit;
use sayso_core::{
    Choice, Completed, Confirm, Kind, NumberEntry, Opt, Question, Questionnaire, Rules, Section, SectionId,
    TextEntry,
};

/// Returns the rules by which the spec validates answers.
pub(super) fn rules() -> Rules {
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
pub(super) fn questionnaire(request: InteractionRequest) -> Questionnaire {
    let is_further_round = request.is_further_round();
    let strict =
        request.strict && request.input_schema.all_fields().any(|field| field.kind.is_date_or_time());
    let rules = Rules { unjudged: !request.validate, loose_dates: !strict, ..rules() };
    let as_asked = as_asked::kept(&request.input_schema, is_further_round);
    let mut schema = request.input_schema;
    let completed = request
        .completed_view
        .map(|view| Completed { answers: view.show_inputs.unwrap_or(true), summary: view.summary_template });
    let mut whole = Questionnaire {
        title: schema.title.take(),
        context: context(request.prompt.as_deref(), schema.description.take()),
        submit: schema.submit_label.take(),
        cancel: schema.cancel_label.take(),
        completed,
        rules,
        ..Questionnaire::default()
    };
    let extensions = Beside {
        prompt: request.prompt,
        presentation: request.presentation,
        timeout_ms: request.timeout_ms,
        mode: (!request.waits).then_some(Mode::Async),
        on_timeout: (request.on_timeout != OnTimeout::Error).then_some(request.on_timeout),
        require_client: request.require_client,
        error_summary: request.error_summary,
        field_errors: request.field_errors.0,
        as_asked,
        ..Beside::default()
    };
    let initial = Initial { values: schema.initial_values.take().unwrap_or_default(), is_further_round };
    let mut building = Building { extensions, initial };
    building.questions(schema, &mut whole);
    let extensions = Beside { initial_values: building.initial.values, ..building.extensions };
    extensions.keep(&mut whole);
    whole
}

/// Returns the context of the form: the prompt, followed by the form's description.
fn context(prompt: Option<&str>, description: Option<String>) -> Option<String> {
    match (prompt, description) {
        (Some(prompt), Some(description)) => Some(format!("{prompt}{BETWEEN}{description}")),
        (Some(prompt), None) => Some(prompt.to_owned()),
        (None, description) => description,
    }
}

/// Separator of the prompt and the description.
pub(super) const BETWEEN: &str = "\n\n";

struct Building {
    extensions: Beside,
    initial: Initial,
}

impl Building {
    fn questions(&mut self, schema: QuestionnaireSchema, whole: &mut Questionnaire) {
        let mut ids = names::ids(schema.all_fields().map(|field| field.id.as_str()), 'q', 0, []);
        whole.questions.reserve_exact(schema.all_fields().count());
        if let Some(fields) = schema.fields.filter(|fields| !fields.is_empty()) {
            let question = |field| self.question(field, ids.of_next(), None, &whole.rules);
            whole.questions.extend(fields.into_iter().map(question));
            return;
        }
        let sections = schema.sections.unwrap_or_default();
        let mut section_ids = names::ids(sections.iter().map(|section| section.id.as_str()), 's', 0, []);
        whole.sections.reserve_exact(sections.len());
        for mut section in sections {
            let fields = std::mem::take(&mut section.fields);
            let section = self.section(section, section_ids.of_next());
            for field in fields {
                let id = ids.of_next();
                let question = self.question(field, id, Some(section.id.clone()), &whole.rules);
                whole.questions.push(question);
            }
            whole.sections.push(section);
        }
    }

    fn section(&mut self, section: QuestionnaireSection, id: Option<String>) -> Section {
        let (id, name) = names::named(section.id, id);
        self.extensions.sections.extend(name.map(|name| (id.to_string(), name)));
        Section {
            title: section.title,
            detail: section.description,
            optional: section.optional == Some(true),
            submit: section.submit_label,
            ..Section::new(id)
        }
    }

    fn question(
        &mut self,
        mut field: QuestionnaireField,
        id: Option<String>,
        section: Option<SectionId>,
        rules: &Rules,
    ) -> Question {
        let (constraints, kind) = (fixed::constraints(&mut field), kind(&mut field));
        let (id, key) = names::named(field.id, id);
        if matches!(field.kind, FieldType::Checkbox | FieldType::Radio) {
            self.extensions.types.insert(id.to_string(), field.kind);
        }
        let mut question = Question {
            key,
            section,
            detail: field.description,
            required: field.required == Some(true),
            unchecked: field.validate_on_client == Some(false),
            placeholder: field.placeholder,
            constraints,
            ..Question::new(id, field.label, kind)
        };
        question.prefill = self
            .initial
            .of(question.key(), field.default_value, |value| hear::prefill(&question, rules, value));
        question
    }
}

fn kind(field: &mut QuestionnaireField) -> Kind {
    match field.kind {
        FieldType::Text => Kind::Text(TextEntry { long: false }),
        FieldType::Textarea => Kind::Text(TextEntry { long: true }),
        FieldType::Number => {
            let step = field.step.as_ref().and_then(fixed::number);
            Kind::Number(NumberEntry { step: step.filter(|step| step.is_positive()) })
        }
        FieldType::Boolean | FieldType::Checkbox => Kind::Confirm(Confirm::default()),
        FieldType::Select | FieldType::Radio => choice(field, false),
        FieldType::Multiselect => choice(field, true),
        FieldType::Date => Kind::Date,
        FieldType::Time => Kind::Time,
        FieldType::Datetime => Kind::Datetime,
    }
}

fn choice(field: &mut QuestionnaireField, multi: bool) -> Kind {
    let options = field.options.take().unwrap_or_default();
    let option = |option: QuestionnaireOption| Opt::new(option.value, option.label);
    let mut options: Vec<Opt> = options.into_iter().map(option).collect();
    names::of_options(&mut options, []);
    Kind::Choice(Choice { options, multi, ..Choice::default() })
}
