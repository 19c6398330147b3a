//! Forms that an agent shows a person (`elicitation/create`), as the questions of `ask_user`.
//!
//! A question of a thread is a choice of one, with or without typed text, and has to be answered. So a field that may
//! be left out gets an option for that, several picks are typed with commas between them, and a field for the own
//! answer to another (`NAME_custom`) becomes that one's typed text.

use super::message::{AskedCall, CallDecision};
use agent_client_protocol::v1::schema::{
    CreateElicitationResponse, ElicitationAcceptAction, ElicitationAction, ElicitationContentValue,
    ElicitationPropertySchema, ElicitationSchema, EnumOption, MultiSelectItems, StringPropertySchema,
};
use sayso_dialects::interrupt::ASK_USER;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Ending of the name of a field for the own answer to another one.
const CUSTOM_FIELD: &str = "_custom";
/// Value of the option that leaves a field out.
const LEFT_OUT: &str = "__none__";
/// Value of the option for typed text.
const CUSTOM: &str = "__custom__";
/// Title of a field with such an ending, if it repeats nothing.
const OWN_LABEL: &str = "Other";

/// Form as questions.
#[derive(Debug)]
pub(crate) struct AgentForm(Vec<FormField>);

#[derive(Debug)]
struct FormField {
    name: String,
    prompt: String,
    has_description: bool,
    kind: FieldKind,
    options: Vec<EnumOption>,
    /// Field that takes the typed text instead.
    custom_field: Option<String>,
    is_required: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FieldKind {
    Text,
    /// Text from the options alone.
    Choice,
    Several,
    Number,
    Integer,
    Boolean,
}

impl AgentForm {
    /// Reads a form.
    ///
    /// # Errors
    /// Returns the name of the first field that a thread cannot ask.
    pub(crate) fn from_schema(message: &str, schema: &ElicitationSchema) -> Result<Self, String> {
        let is_custom = |name: &str| {
            name.strip_suffix(CUSTOM_FIELD).is_some_and(|base| schema.properties.contains_key(base))
                && matches!(schema.properties.get(name), Some(ElicitationPropertySchema::String(_)))
        };
        let required = schema.required.as_deref().unwrap_or_default();
        let mut names: Vec<&String> = schema.properties.keys().filter(|name| !is_custom(name)).collect();
        let place =
            |name: &&String| required.iter().position(|known| known == *name).unwrap_or(required.len());
        names.sort_by_key(place);
        let mut fields = Vec::with_capacity(names.len());
        for name in names {
            let Some(property) = schema.properties.get(name) else { continue };
            let custom = format!("{name}{CUSTOM_FIELD}");
            let mut field = FormField::read(name, property).ok_or_else(|| name.clone())?;
            field.custom_field = is_custom(&custom).then_some(custom);
            field.is_required = required.contains(name);
            fields.push(field);
        }
        let is_lone = fields.len() == 1;
        if let Some(first) = fields.first_mut().filter(|_| !message.trim().is_empty()) {
            // A form of one field has its question in the message, and a short title.
            first.prompt = match (is_lone && !first.has_description, first.prompt == first.name) {
                (true, true) => message.to_owned(),
                (true, false) => format!("{}: {message}", first.prompt),
                (false, _) => format!("{message}\n{}", first.prompt),
            };
        }
        Ok(Self(fields))
    }

    /// Returns the call that asks the form.
    pub(crate) fn asked_call(&self) -> AskedCall {
        let questions: Vec<Value> = self.0.iter().map(FormField::question).collect();
        AskedCall { name: ASK_USER.to_owned(), args: json!({ "questions": questions }) }
    }

    /// Returns the response for a decision.
    pub(crate) fn response(&self, decision: Option<CallDecision>) -> CreateElicitationResponse {
        CreateElicitationResponse::new(match decision {
            Some(CallDecision::Answered(answers)) => {
                let filled = self.0.iter().zip(answers).filter_map(|(field, answer)| field.value(&answer));
                let content: BTreeMap<_, _> = filled.collect();
                ElicitationAction::Accept(ElicitationAcceptAction::new().content(content))
            }
            Some(CallDecision::Refused | CallDecision::Allowed) => ElicitationAction::Decline,
            None => ElicitationAction::Cancel,
        })
    }
}

impl FormField {
    fn read(name: &str, property: &ElicitationPropertySchema) -> Option<Self> {
        let (title, description, kind, options) = match property {
            ElicitationPropertySchema::String(field) => {
                let options = text_options(field);
                let kind = if options.is_empty() { FieldKind::Text } else { FieldKind::Choice };
                (&field.title, &field.description, kind, options)
            }
            ElicitationPropertySchema::Number(field) => {
                (&field.title, &field.description, FieldKind::Number, Vec::new())
            }
            ElicitationPropertySchema::Integer(field) => {
                (&field.title, &field.description, FieldKind::Integer, Vec::new())
            }
            ElicitationPropertySchema::Boolean(field) => {
                let options = [("true", "Yes"), ("false", "No")];
                let options = options.map(|(value, title)| EnumOption::new(value, title)).into();
                (&field.title, &field.description, FieldKind::Boolean, options)
            }
            ElicitationPropertySchema::Array(field) => {
                let options = match &field.items {
                    MultiSelectItems::String(items) => plain_options(&items.values),
                    MultiSelectItems::Titled(items) => items.options.clone(),
                    _ => return None,
                };
                (&field.title, &field.description, FieldKind::Several, options)
            }
            _ => return None,
        };
        let words = [title, description].into_iter().flatten().filter(|words| !words.trim().is_empty());
        let prompt = words.map(String::as_str).collect::<Vec<_>>().join(": ");
        Some(Self {
            name: name.to_owned(),
            has_description: description.is_some(),
            prompt: if prompt.is_empty() { name.to_owned() } else { prompt },
            kind,
            options,
            custom_field: None,
            is_required: false,
        })
    }

    fn takes_text(&self) -> bool {
        self.custom_field.is_some()
            || matches!(
                self.kind,
                FieldKind::Text | FieldKind::Several | FieldKind::Number | FieldKind::Integer
            )
    }

    fn question(&self) -> Value {
        let label = |option: &EnumOption| match &option.description {
            Some(more) if !more.trim().is_empty() => format!("{} ({more})", option.title),
            _ => option.title.clone(),
        };
        let mut options: Vec<Value> = self
            .options
            .iter()
            .map(|option| json!({ "label": label(option), "value": option.value }))
            .collect();
        if self.takes_text() {
            options.push(json!({ "label": self.text_label(), "value": CUSTOM, "allow_custom": true }));
        }
        if !self.is_required && self.custom_field.is_none() {
            options.push(json!({ "label": "(no answer)", "value": LEFT_OUT }));
        }
        json!({ "question": self.prompt, "options": options })
    }

    const fn text_label(&self) -> &'static str {
        match self.kind {
            FieldKind::Several => "Several, with commas between them",
            FieldKind::Number | FieldKind::Integer => "A number",
            FieldKind::Text => "Text",
            FieldKind::Choice | FieldKind::Boolean => OWN_LABEL,
        }
    }

    /// Returns the field that an answer fills, and its value; nothing if it is left out or does not fit.
    fn value(&self, answer: &str) -> Option<(String, ElicitationContentValue)> {
        if answer == LEFT_OUT && !self.is_required {
            return None;
        }
        let is_offered = self.options.iter().any(|option| option.value == answer);
        let value = match self.kind {
            FieldKind::Text => ElicitationContentValue::String(answer.to_owned()),
            FieldKind::Choice if is_offered => ElicitationContentValue::String(answer.to_owned()),
            FieldKind::Several if is_offered => ElicitationContentValue::StringArray(vec![answer.to_owned()]),
            FieldKind::Several => match self.picks(answer) {
                Some(picks) => ElicitationContentValue::StringArray(picks),
                None => return self.own_text(answer),
            },
            FieldKind::Number => ElicitationContentValue::Number(answer.parse().ok()?),
            FieldKind::Integer => ElicitationContentValue::Integer(answer.parse().ok()?),
            FieldKind::Boolean if is_offered => ElicitationContentValue::Boolean(answer == "true"),
            FieldKind::Choice | FieldKind::Boolean => return self.own_text(answer),
        };
        Some((self.name.clone(), value))
    }

    fn own_text(&self, answer: &str) -> Option<(String, ElicitationContentValue)> {
        Some((self.custom_field.clone()?, ElicitationContentValue::String(answer.to_owned())))
    }

    /// Returns the values of several options, typed by label or value with commas between them.
    fn picks(&self, answer: &str) -> Option<Vec<String>> {
        let names = answer.split([',', '，']).map(str::trim).filter(|name| !name.is_empty());
        let pick = |name: &str| {
            let is_named = |option: &&EnumOption| {
                [&option.value, &option.title].iter().any(|known| known.eq_ignore_ascii_case(name))
            };
            self.options.iter().find(is_named).map(|option| option.value.clone())
        };
        names.map(pick).collect()
    }
}

fn text_options(field: &StringPropertySchema) -> Vec<EnumOption> {
    match (&field.one_of, &field.enum_values) {
        (Some(options), _) => options.clone(),
        (None, Some(values)) => plain_options(values),
        (None, None) => Vec::new(),
    }
}

fn plain_options(values: &[String]) -> Vec<EnumOption> {
    values.iter().map(|value| EnumOption::new(value, value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(schema: Value) -> Result<AgentForm, String> {
        AgentForm::from_schema("Choose.", &serde_json::from_value(schema).unwrap())
    }

    fn answered(form: &AgentForm, answers: &[&str]) -> Value {
        let answers = answers.iter().map(|answer| (*answer).to_owned()).collect();
        let response = form.response(Some(CallDecision::Answered(answers)));
        serde_json::to_value(response).unwrap()
    }

    #[test]
    fn own_answer_fills_its_field() {
        let options = json!([{ "const": "pg", "title": "Postgres", "description": "Rows" }, { "const": "mongo", "title": "Mongo" }]);
        let form = form(json!({ "type": "object", "required": ["question_0"], "properties": {
            "question_0": { "type": "string", "title": "DB", "oneOf": options },
            "question_0_custom": { "type": "string", "title": "Other" },
        } }))
        .unwrap();
        let expected = json!({ "questions": [{ "question": "DB: Choose.", "options": [
            { "label": "Postgres (Rows)", "value": "pg" },
            { "label": "Mongo", "value": "mongo" },
            { "label": "Other", "value": "__custom__", "allow_custom": true },
        ] }] });
        assert_eq!(form.asked_call().args, expected);
        assert_eq!(
            answered(&form, &["pg"]),
            json!({ "action": "accept", "content": { "question_0": "pg" } })
        );
        assert_eq!(answered(&form, &["Redis"])["content"], json!({ "question_0_custom": "Redis" }));
        let declined = serde_json::to_value(form.response(Some(CallDecision::Refused))).unwrap();
        assert_eq!(declined, json!({ "action": "decline" }));
    }

    #[test]
    fn field_kinds_are_kept() {
        let form = form(json!({ "type": "object", "required": ["n", "yes"], "properties": {
            "checks": { "type": "array", "items": { "type": "string", "enum": ["lint", "unit"] } },
            "n": { "type": "integer" },
            "share": { "type": "number" },
            "word": { "type": "string" },
            "yes": { "type": "boolean" },
        } }))
        .unwrap();
        assert_eq!(form.asked_call().args["questions"][0]["question"], "Choose.\nn");
        let content = answered(&form, &["3", "true", "unit, LINT", "0.5", "__none__"])["content"].clone();
        assert_eq!(content, json!({ "n": 3, "yes": true, "checks": ["unit", "lint"], "share": 0.5 }));
        let unknown = json!({ "type": "object", "properties": { "file": { "type": "object" } } });
        assert_eq!(self::form(unknown).unwrap_err(), "file");
    }
}
