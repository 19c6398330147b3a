//! The shapes of the spec: a schema of fields or sections, and the request that carries it.

use sayso_core::{LazyPattern, OptionId, QuestionId, SectionId};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Number, Value};

/// A form (the spec's `QuestionnaireSchema`). Exactly one of its fields and its sections has elements.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct QuestionnaireSchema {
    /// What stands above the form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The fields of a form without sections.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fields: Option<Vec<QuestionnaireField>>,
    /// The steps of a form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sections: Option<Vec<QuestionnaireSection>>,
    /// What is on the button that submits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submit_label: Option<String>,
    /// What is on the button that cancels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cancel_label: Option<String>,
    /// What stands in the fields at the beginning, by field id. A null is nothing, whatever the field's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_values: Option<Map<String, Value>>,
}

/// A step of a form (the spec's `QuestionnaireSection`).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct QuestionnaireSection {
    /// Its name.
    pub id: SectionId,
    /// What stands above it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its fields.
    pub fields: Vec<QuestionnaireField>,
    /// It may be skipped as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optional: Option<bool>,
    /// What is on the button that leads on from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submit_label: Option<String>,
}

/// A field (the spec's `QuestionnaireField`).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct QuestionnaireField {
    /// The name of its value in the response.
    pub id: QuestionId,
    /// The control it is.
    #[serde(rename = "type")]
    pub kind: FieldType,
    /// What is asked.
    pub label: String,
    /// More about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// It must be filled in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// An example of what to type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
    /// What stands there at the beginning, unless the initial values name the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_value: Option<Value>,
    /// Whether the client checks what is entered; it does when this is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validate_on_client: Option<bool>,
    /// What can be picked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<QuestionnaireOption>>,
    /// The smallest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<Number>,
    /// The largest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<Number>,
    /// How far one step of the control goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<Number>,
    /// The fewest UTF-16 code units of a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u64>,
    /// The most UTF-16 code units of a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u64>,
    /// A JavaScript regular expression that matches somewhere in a text.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "source")]
    pub pattern: Option<LazyPattern>,
}

/// A pattern as it was written.
fn source<S: Serializer>(pattern: &Option<LazyPattern>, serializer: S) -> Result<S::Ok, S::Error> {
    pattern.as_ref().map(LazyPattern::source).serialize(serializer)
}

/// What can be picked (an element of the spec's `options`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct QuestionnaireOption {
    /// What is shown.
    pub label: String,
    /// What is sent.
    pub value: OptionId,
}

/// The controls there are (the spec's `QuestionnaireFieldType`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FieldType {
    /// A line of text.
    Text,
    /// Lines of text.
    Textarea,
    /// A number.
    Number,
    /// Yes or no.
    Boolean,
    /// One of several, in a list that opens.
    Select,
    /// Any of several.
    Multiselect,
    /// A box to tick.
    Checkbox,
    /// One of several, all in sight.
    Radio,
    /// A day.
    Date,
    /// A time of day.
    Time,
    /// A day with a time of day.
    Datetime,
}

impl FieldType {
    /// Every type with its name, in the spec's order.
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

    /// The type of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// Whether a field of this type has options.
    pub const fn has_options(self) -> bool {
        matches!(self, Self::Select | Self::Multiselect | Self::Radio)
    }

    /// Whether a field of this type is a date or a time.
    pub const fn is_date_or_time(self) -> bool {
        matches!(self, Self::Date | Self::Time | Self::Datetime)
    }

    /// Whether text is typed into a field of this type.
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::Textarea)
    }
}

/// What the tool does when nobody answers in time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnTimeout {
    /// It ends with an error.
    #[default]
    Error,
    /// It ends as if a person had cancelled.
    Cancel,
    /// The original goes on without waiting. That is not in the spec; here it is the same as an error.
    Async,
}

/// What is shown once it is answered (the spec's `completedView`).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompletedView {
    /// Whether the values are shown; they are when this is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub show_inputs: Option<bool>,
    /// A sentence with `{{action}}` and `{{field id}}` in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary_template: Option<String>,
}

/// A request for input (the spec's `InteractionRequest`), with what only the operation's arguments say.
#[derive(Debug, Clone, PartialEq)]
pub struct InteractionRequest {
    /// Where it is shown: `questionnaire` or `tool`.
    pub presentation: Option<String>,
    /// What stands in front of the form.
    pub prompt: Option<String>,
    /// The form.
    pub input_schema: QuestionnaireSchema,
    /// What is shown once it is answered.
    pub completed_view: Option<CompletedView>,
    /// After how many milliseconds it ends by itself, as it was written.
    pub timeout_ms: Option<Number>,
    /// What happens then.
    pub on_timeout: OnTimeout,
    /// Whether answers are judged.
    pub validate: bool,
    /// Whether dates and times must be ISO 8601. The spec takes any text.
    pub strict: bool,
    /// Whether the asker waits for the answer.
    pub waits: bool,
    /// It is refused where no client can show it.
    pub require_client: bool,
    /// What was wrong with the last round.
    pub error_summary: Option<String>,
    /// What was wrong with single fields.
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
    /// Whether it is a round that follows another: it says what was wrong with that.
    pub fn is_further_round(&self) -> bool {
        self.error_summary.is_some() || !self.field_errors.is_empty()
    }

    /// After how many milliseconds it ends by itself.
    pub fn time_limit_ms(&self) -> i64 {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a number beyond the type becomes the largest there is"
        )]
        let whole = |number: &Number| number.as_f64().map(|float| float.ceil().max(1.0) as i64);
        self.timeout_ms.as_ref().and_then(whole).unwrap_or(super::TIME_LIMIT_MS)
    }
}

impl QuestionnaireSchema {
    /// The sections with their fields; a form without sections is one.
    pub fn steps(
        &self,
    ) -> impl Iterator<Item = (Option<&QuestionnaireSection>, &[QuestionnaireField])> + Clone {
        let fields = self.fields.as_deref().filter(|fields| !fields.is_empty());
        let sections = self.sections.iter().flatten().take_while(move |_| fields.is_none());
        let steps = sections.map(|section| (Some(section), section.fields.as_slice()));
        fields.map(|fields| (None, fields)).into_iter().chain(steps)
    }

    /// All fields in their order.
    pub fn all_fields(&self) -> impl Iterator<Item = &QuestionnaireField> + Clone {
        self.steps().flat_map(|(_, fields)| fields)
    }

    /// What stands in the fields at the beginning: the initial values, and the defaults of fields that they do not
    /// name; nothing where there is neither.
    pub fn merged_initial_values(&self) -> Option<Map<String, Value>> {
        let mut merged = self.initial_values.clone().unwrap_or_default();
        let mut any = self.initial_values.is_some();
        for field in self.all_fields() {
            if let Some(default) = &field.default_value
                && !merged.contains_key(field.id.as_str())
            {
                merged.insert(field.id.to_string(), default.clone());
                any = true;
            }
        }
        any.then_some(merged)
    }
}

/// What is wrong with single fields, in the order of the fields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldErrors(pub Vec<(String, String)>);

impl FieldErrors {
    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for FieldErrors {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(field, message)| (field, message)))
    }
}
