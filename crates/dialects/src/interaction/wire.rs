//! Types of the spec: a schema of fields or sections, and the request that carries it.

use sayso_core::{LazyPattern, OptionId, QuestionId, SectionId};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Number, Value};

/// Form (the spec's `QuestionnaireSchema`). Exactly one of its fields and its sections has elements.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct QuestionnaireSchema {
    /// Title above the form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Description of the form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Fields of a form without sections.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fields: Option<Vec<QuestionnaireField>>,
    /// Steps of a form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sections: Option<Vec<QuestionnaireSection>>,
    /// Label of the submit button.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submit_label: Option<String>,
    /// Label of the cancel button.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cancel_label: Option<String>,
    /// Initial values by field id. A null means no value and overrides the field's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_values: Option<Map<String, Value>>,
}

/// Step of a form (the spec's `QuestionnaireSection`).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct QuestionnaireSection {
    /// Name of the section.
    pub id: SectionId,
    /// Heading of the section.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Description of the section.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Fields of the section.
    pub fields: Vec<QuestionnaireField>,
    /// Set if it may be skipped as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optional: Option<bool>,
    /// Label of the button that leads to the next section.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submit_label: Option<String>,
}

/// Field (the spec's `QuestionnaireField`).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct QuestionnaireField {
    /// Name of its value in the response.
    pub id: QuestionId,
    /// Control that shows it.
    #[serde(rename = "type")]
    pub kind: FieldType,
    /// Question that it asks.
    pub label: String,
    /// Further explanation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Set if it must be filled in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// Example of an input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
    /// Initial value, unless the initial values name the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_value: Option<Value>,
    /// Set if the client validates the input; `true` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validate_on_client: Option<bool>,
    /// Options to pick from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<QuestionnaireOption>>,
    /// Smallest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<Number>,
    /// Largest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<Number>,
    /// Increment of the control.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<Number>,
    /// Fewest UTF-16 code units of a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u64>,
    /// Most UTF-16 code units of a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u64>,
    /// JavaScript regular expression that matches somewhere in a text.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "source")]
    pub pattern: Option<LazyPattern>,
}

/// Serializes the source of a pattern.
fn source<S: Serializer>(pattern: &Option<LazyPattern>, serializer: S) -> Result<S::Ok, S::Error> {
    pattern.as_ref().map(LazyPattern::source).serialize(serializer)
}

/// Option to pick (an element of the spec's `options`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct QuestionnaireOption {
    /// Label that is shown.
    pub label: String,
    /// Value that is sent.
    pub value: OptionId,
}

/// Control of a field (the spec's `QuestionnaireFieldType`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FieldType {
    /// Single line of text.
    Text,
    /// Several lines of text.
    Textarea,
    /// Number.
    Number,
    /// Yes or no.
    Boolean,
    /// One option, from a drop-down list.
    Select,
    /// Any number of options.
    Multiselect,
    /// Checkbox.
    Checkbox,
    /// One option, all of them visible.
    Radio,
    /// Date.
    Date,
    /// Time of day.
    Time,
    /// Date with a time of day.
    Datetime,
}

impl FieldType {
    /// All types with their names, in the spec's order.
    pub const ALL: [(&'static str, Self); 11] = [
        ("text", Self::Text),
        ("textarea", Self::Textarea),
        ("number", Self::Number),
        ("boolean", Self::Boolean),
        ("select", Self::Select),
        ("multiselect", Self::Multiselect),
        ("checkbox", Self::Checkbox),
        ("radio", Self::Radio),
        ("date", Self::Date),
        ("time", Self::Time),
        ("datetime", Self::Datetime),
    ];

    /// Parses the name of a type.
    pub fn parse(name: &str) -> Option<Self> {
        let (_, kind) = Self::ALL.iter().find(|(known_name, _)| *known_name == name)?;
        Some(*kind)
    }

    /// Returns the name of the type.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// Returns whether a field of this type has options.
    pub const fn has_options(self) -> bool {
        matches!(self, Self::Select | Self::Multiselect | Self::Radio)
    }

    /// Returns whether a field of this type is a date or a time.
    pub const fn is_date_or_time(self) -> bool {
        matches!(self, Self::Date | Self::Time | Self::Datetime)
    }

    /// Returns whether a field of this type takes typed text.
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::Textarea)
    }
}

/// Behaviour of the tool when the time limit is reached.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnTimeout {
    /// Ends with an error.
    #[default]
    Error,
    /// Ends as if a person had cancelled.
    Cancel,
    /// Same as an error. In the original, which is not in the spec, the tool goes on without waiting.
    Async,
}

/// View of an answered form (the spec's `completedView`).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompletedView {
    /// Set if the values are shown; `true` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub show_inputs: Option<bool>,
    /// Sentence with `{{action}}` and `{{field id}}` as placeholders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary_template: Option<String>,
}

/// Request for input (the spec's `InteractionRequest`), with the settings that only the operation's arguments have.
#[derive(Debug, Clone, PartialEq)]
pub struct InteractionRequest {
    /// Place in which it is shown: `questionnaire` or `tool`.
    pub presentation: Option<String>,
    /// Text in front of the form.
    pub prompt: Option<String>,
    /// The form.
    pub input_schema: QuestionnaireSchema,
    /// View of the answered form.
    pub completed_view: Option<CompletedView>,
    /// Time limit in milliseconds, as it was written.
    pub timeout_ms: Option<Number>,
    /// Behaviour when the time limit is reached.
    pub on_timeout: OnTimeout,
    /// Set if answers are validated.
    pub validate: bool,
    /// Set if dates and times must be ISO 8601. The spec takes any text.
    pub strict: bool,
    /// Set if the asker waits for the answer.
    pub waits: bool,
    /// Set if it is refused when no client can show it.
    pub require_client: bool,
    /// Summary of the errors of the last round.
    pub error_summary: Option<String>,
    /// Errors of single fields.
    pub field_errors: FieldErrors,
}

impl Default for InteractionRequest {
    fn default() -> Self {
        Self {
            presentation: None,
            prompt: None,
            input_schema: QuestionnaireSchema::default(),
            completed_view: None,
            timeout_ms: None,
            on_timeout: OnTimeout::Error,
            validate: true,
            strict: false,
            waits: true,
            require_client: false,
            error_summary: None,
            field_errors: FieldErrors::default(),
        }
    }
}

impl InteractionRequest {
    /// Returns whether this is a round that follows another: it has errors of that one.
    pub fn is_further_round(&self) -> bool {
        self.error_summary.is_some() || !self.field_errors.is_empty()
    }

    /// Returns the time limit in milliseconds.
    pub fn time_limit_ms(&self) -> i64 {
        let Some(limit) = self.timeout_ms.as_ref().and_then(Number::as_f64) else {
            return super::TIME_LIMIT_MS;
        };
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a number beyond the type becomes the largest there is"
        )]
        let whole_limit = limit.ceil().max(1.0) as i64;
        whole_limit
    }
}

impl QuestionnaireSchema {
    /// Returns the sections with their fields; a form without sections is a single step.
    pub fn steps(
        &self,
    ) -> impl Iterator<Item = (Option<&QuestionnaireSection>, &[QuestionnaireField])> + Clone {
        let fields = self.fields.as_deref().filter(|fields| !fields.is_empty());
        let sections = self.sections.iter().flatten().take_while(move |_| fields.is_none());
        let steps = sections.map(|section| (Some(section), section.fields.as_slice()));
        fields.map(|fields| (None, fields)).into_iter().chain(steps)
    }

    /// Returns all fields in their order.
    pub fn all_fields(&self) -> impl Iterator<Item = &QuestionnaireField> + Clone {
        self.steps().flat_map(|(_, fields)| fields)
    }

    /// Returns the initial values, with the defaults of fields that they do not name; `None` if there is neither.
    pub fn merged_initial_values(&self) -> Option<Map<String, Value>> {
        let mut merged = self.initial_values.clone().unwrap_or_default();
        let mut has_values = self.initial_values.is_some();
        for field in self.all_fields() {
            if let Some(default) = &field.default_value
                && !merged.contains_key(field.id.as_str())
            {
                merged.insert(field.id.to_string(), default.clone());
                has_values = true;
            }
        }
        if has_values { Some(merged) } else { None }
    }
}

/// Messages for single fields, in the order of the fields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldErrors(pub Vec<(String, String)>);

impl FieldErrors {
    /// Returns whether no field has an error.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for FieldErrors {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(field, message)| (field, message)))
    }
}

/// Converts a JSON number of at most 28 digits.
pub(super) fn exact_number(number: &Number) -> Option<sayso_core::Number> {
    match number.as_i64() {
        Some(whole) => Some(whole.into()),
        None => sayso_core::Number::parse(&number.to_string()),
    }
}
