//! Questionnaire as a form that a host shows itself. Such forms are flat and have few kinds of fields. A
//! questionnaire that doesn't fit isn't cut down; it is asked at the desk alone.

use super::choice_encoding::{self, ChoiceEncoding, list_schema, option_of_value};
use super::fields::{checkbox_name, confirm_label, field_name, has_own_words, own_answer_name};
use super::form_defaults;
use super::plain_fields::{self, EarlierEntries};
use sayso_core::{
    ChoiceQuestion, ConfirmQuestion, ConsentQuestions, Constraint, Lang, LineFormat, Number, Question,
    QuestionId, QuestionInput, Questionnaire, RatingQuestion, Requirement, Rules, ShownValues, display,
};
use serde_json::{Map, Value, json};

/// Number of times that a form is shown if its input is invalid. Hosts give up after ten rounds.
pub(crate) const MAX_ROUNDS: u64 = 3;
/// Most fields of a dialog.
const MAX_FIELDS: usize = 12;

/// Form for a questionnaire.
#[derive(Debug, Clone)]
pub(crate) struct HostForm {
    /// Text above the fields.
    pub(crate) message: String,
    /// Schema of the fields.
    pub(crate) schema: Map<String, Value>,
    /// Entries of an earlier form.
    entered: EarlierEntries,
    /// Its host draws texts, yes or no, and one pick alone.
    has_plain_fields: bool,
}

/// Returns the form of a questionnaire, if one can express it.
pub(crate) fn from_questionnaire(
    questionnaire: &Questionnaire,
    encoding: ChoiceEncoding,
) -> Option<HostForm> {
    if questionnaire.action.is_some() || !questionnaire.sections.is_empty() {
        return None;
    }
    let consent = ConsentQuestions::for_questionnaire(questionnaire);
    let mut fields = Map::new();
    let mut required_names = Vec::new();
    // Fields for own answers are not counted.
    let mut field_count = 0;
    for (at, question) in questionnaire.questions.iter().enumerate() {
        field_count += encoding.checkboxes(question).map_or(1, <[_]>::len);
        if field_count > MAX_FIELDS {
            return None;
        }
        let name = field_name(at);
        let values = ShownValues::for_question(questionnaire, question);
        let field = question_field(question, &values, encoding)?;
        let own_label = own_answer_label(question, &questionnaire.rules);
        if let Some(options) = encoding.checkboxes(question) {
            for (nth, (_, title)) in choice_encoding::option_titles(options, &values).iter().enumerate() {
                fields.insert(checkbox_name(&name, nth), checkbox_field(&field, title, nth));
            }
        } else {
            fields.insert(name.clone(), field);
            if question.required && own_label.is_none() {
                required_names.push(json!(name));
            }
        }
        if let Some(label) = own_label {
            let title = format!("{}: {}", one_line(question.display_name()), one_line(label));
            fields.insert(own_answer_name(at), json!({ "type": "string", "title": title }));
        }
        if let Some(prefill) = consent.prefill(question) {
            form_defaults::set(&mut fields, form_defaults::from_answer(question, at, prefill, encoding));
        }
    }
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(fields));
    if !required_names.is_empty() {
        schema.insert("required".to_owned(), Value::Array(required_names));
    }
    let message = form_message(questionnaire);
    Some(HostForm { message, schema, entered: EarlierEntries::default(), has_plain_fields: false })
}

/// Returns the text above the fields: title and context, or else a name.
fn form_message(questionnaire: &Questionnaire) -> String {
    let mut lines = Vec::new();
    for text in questionnaire.title.iter().chain(&questionnaire.context) {
        lines.extend(display::escape_lines(text));
    }
    let message = lines.join("\n");
    if message.is_empty() { one_line(questionnaire.display_name()) } else { message }
}

impl HostForm {
    /// Returns the form for this host, in a version with requests from the server.
    pub(crate) fn for_host(self, host: Option<&str>) -> Self {
        Self { has_plain_fields: plain_fields::are_all_of(host), ..self }
    }

    /// Returns the text above the fields and their schema, as its host can draw them.
    pub(crate) fn plain_parts(&self) -> (String, Map<String, Value>) {
        if !self.has_plain_fields {
            return (self.message.clone(), self.schema.clone());
        }
        let mut lines = self.entered.lines(&self.schema);
        lines.push(self.message.clone());
        (lines.join("\n"), self.entered.plain_schema(&self.schema))
    }

    /// Adds to the input of a person what they entered before and its host does not show.
    pub(crate) fn add_earlier_texts(&self, content: &mut Map<String, Value>) {
        if self.has_plain_fields {
            self.entered.add_texts(&self.schema, content);
        }
    }

    /// Returns the form with what was entered before, as far as a field can have it as its default.
    pub(crate) fn with_entries(mut self, entries: &Map<String, Value>, wrong: &[usize]) -> Self {
        if let Some(Value::Object(properties)) = self.schema.get_mut("properties") {
            form_defaults::set(properties, entries.clone());
        }
        let wrong = wrong.iter().map(|at| field_name(*at)).collect();
        self.entered = EarlierEntries { values: entries.clone(), wrong };
        self
    }
}

fn one_line(text: &str) -> String {
    display::escape_line(text).into_owned()
}

/// Returns the title of a question's field.
pub(crate) fn field_title(question: &Question) -> String {
    one_line(&question.prompt)
}

fn own_answer_label<'q>(question: &'q Question, rules: &Rules) -> Option<&'q str> {
    match question.choice() {
        Some(choice) if choice.other => Some(choice.own_answer_name(rules, Lang::En)),
        _ => None,
    }
}

/// Returns the checkbox of an option. The first one has the question's description.
fn checkbox_field(field: &Value, label: &str, nth: usize) -> Value {
    let question = field.get("title").and_then(Value::as_str).unwrap_or_default();
    let mut checkbox = Map::new();
    checkbox.insert("type".to_owned(), json!("boolean"));
    checkbox.insert("title".to_owned(), json!(format!("{question}: {label}")));
    if nth == 0
        && let Some(description) = field.get("description")
    {
        checkbox.insert("description".to_owned(), description.clone());
    }
    Value::Object(checkbox)
}

fn question_field(question: &Question, values: &ShownValues<'_>, encoding: ChoiceEncoding) -> Option<Value> {
    let is_plain = question.parent.is_none() && question.show_if.is_none();
    if !is_plain {
        return None;
    }
    let mut field = match question.input() {
        QuestionInput::Options(choice) => choice_field(choice, values, encoding)?,
        QuestionInput::Toggle(confirm) => confirm_field(confirm, encoding),
        QuestionInput::Scale(RatingQuestion { min, max, .. }) => {
            json!({ "type": "integer", "minimum": min, "maximum": max })
        }
        QuestionInput::Line(format) => line_field(format)?,
    };
    let object = field.as_object_mut()?;
    let can_count = encoding.checkboxes(question).is_none() && can_count_picks(question);
    for requirement in question.constraints.iter().flat_map(Constraint::requirements) {
        add_constraint(object, requirement, question, can_count)?;
    }
    object.insert("title".to_owned(), json!(field_title(question)));
    let mut lines = Vec::new();
    if let Some(detail) = &question.detail {
        lines.extend(display::escape_lines(detail));
    }
    if let QuestionInput::Scale(rating) = question.input() {
        for (step, note) in &rating.annotations {
            lines.push(format!("{step}: {}", one_line(note)).into());
        }
    }
    if !lines.is_empty() {
        object.insert("description".to_owned(), json!(lines.join("\n")));
    }
    Some(field)
}

/// Returns the field of a typed value; `None` if no host has one.
fn line_field(format: LineFormat) -> Option<Value> {
    match format {
        LineFormat::Text { .. } => Some(json!({ "type": "string" })),
        LineFormat::Number { .. } => Some(json!({ "type": "number" })),
        LineFormat::Date => Some(json!({ "type": "string", "format": "date" })),
        LineFormat::Datetime => Some(json!({ "type": "string", "format": "date-time" })),
        // No host has a field for a time of day.
        LineFormat::Time => None,
    }
}

fn choice_field(
    choice: &ChoiceQuestion,
    values: &ShownValues<'_>,
    encoding: ChoiceEncoding,
) -> Option<Value> {
    if choice.options.iter().any(|option| option.preview.is_some()) || choice.options.is_empty() {
        return None;
    }
    let picks = choice_encoding::option_titles(&choice.options, values);
    Some(if choice.multi { list_schema(picks) } else { encoding.single_pick(picks) })
}

fn confirm_field(confirm: &ConfirmQuestion, encoding: ChoiceEncoding) -> Value {
    if !has_own_words(confirm) {
        return json!({ "type": "boolean" });
    }
    let [yes, no] = [true, false].map(|yes| confirm_label(confirm, yes));
    encoding.single_pick(vec![(yes.clone(), yes), (no.clone(), no)])
}

/// Adds a constraint to the field, or returns `None` if the field can't express it.
fn add_constraint(
    field: &mut Map<String, Value>,
    requirement: &Requirement,
    question: &Question,
    can_count: bool,
) -> Option<()> {
    let is_number = matches!(question.input(), QuestionInput::Line(LineFormat::Number { .. }));
    let (name, value) = match requirement {
        // These only carry the message for invalid input.
        Requirement::Answered | Requirement::MatchesKind => return Some(()),
        Requirement::MinPicks(count) if can_count => ("minItems", json!(count)),
        Requirement::MaxPicks(count) if can_count => ("maxItems", json!(count)),
        Requirement::MinLength(length) => ("minLength", json!(length)),
        Requirement::MaxLength(length) => ("maxLength", json!(length)),
        Requirement::Min(value) if is_number => ("minimum", json!(Number::parse(&value.to_string())?)),
        Requirement::Max(value) if is_number => ("maximum", json!(Number::parse(&value.to_string())?)),
        Requirement::MultipleOf(step) if *step == Number::from(1) => ("type", json!("integer")),
        Requirement::MinPicks(_)
        | Requirement::MaxPicks(_)
        | Requirement::Pattern(_)
        | Requirement::Min(_)
        | Requirement::Max(_)
        | Requirement::MultipleOf(_) => return None,
    };
    // A bound that no JSON number expresses exactly.
    if value.is_string() && name != "type" {
        return None;
    }
    field.insert(name.to_owned(), value);
    Some(())
}

/// Returns whether constraints on the number of picks can be expressed: an own answer counts as a pick, but is in
/// another field.
const fn can_count_picks(question: &Question) -> bool {
    matches!(question.choice(), Some(ChoiceQuestion { multi: true, other: false, .. }))
}

/// Returns the filled-in values as answers in the `sayso` dialect.
pub(crate) fn parse_answers(
    questionnaire: &Questionnaire,
    content: &Map<String, Value>,
) -> Vec<(QuestionId, Value)> {
    let mut answers = Vec::new();
    for (at, question) in questionnaire.questions.iter().enumerate() {
        let name = field_name(at);
        let mut value = filled_value(content, &name).cloned();
        if value.is_none() {
            let ticks = choice_encoding::ticked_options(question, &name, content);
            if !ticks.is_empty() {
                value = Some(Value::Array(ticks));
            }
        }
        let takes_own_answer = own_answer_label(question, &questionnaire.rules).is_some();
        let own_answer = if takes_own_answer { filled_value(content, &own_answer_name(at)) } else { None };
        if let Some(answer) = parse_answer(question, value, own_answer) {
            answers.push((question.id.clone(), answer));
        }
    }
    answers
}

fn filled_value<'c>(content: &'c Map<String, Value>, name: &str) -> Option<&'c Value> {
    let value = content.get(name)?;
    if is_empty(value) { None } else { Some(value) }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => false,
    }
}

fn parse_answer(question: &Question, value: Option<Value>, own_answer: Option<&Value>) -> Option<Value> {
    match question.input() {
        QuestionInput::Options(choice) => parse_picks(choice, value, own_answer),
        QuestionInput::Toggle(confirm) => Some(parse_toggle(confirm, value?)),
        QuestionInput::Scale(_) | QuestionInput::Line(LineFormat::Number { .. }) => {
            Some(parse_number(value?))
        }
        QuestionInput::Line(_) => value,
    }
}

fn parse_picks(choice: &ChoiceQuestion, value: Option<Value>, own_answer: Option<&Value>) -> Option<Value> {
    let values = match value {
        Some(Value::Array(list)) => list,
        Some(single_value) => vec![single_value],
        None => Vec::new(),
    };
    let mut picks = Vec::new();
    for value in values {
        match option_of_value(&choice.options, &value) {
            Some(id) => picks.push(json!(id)),
            // It is passed on, so that it is reported.
            None => picks.push(value),
        }
    }
    if let Some(text) = own_answer {
        if !picks.is_empty() && !choice.multi {
            // Only one of both was asked for; text next to a pick is a note on it.
            return Some(json!({ "answer": picks, "note": text }));
        }
        picks.push(json!({ "other": text }));
    }
    if picks.is_empty() { None } else { Some(Value::Array(picks)) }
}

/// Returns the yes or no that a text means, or the value as it is.
fn parse_toggle(confirm: &ConfirmQuestion, value: Value) -> Value {
    let Some(text) = value.as_str() else { return value };
    for yes in [true, false] {
        if text == yes.to_string() || text == confirm_label(confirm, yes) {
            return json!(yes);
        }
    }
    value
}

/// Returns the number that was typed into a field for text, or the value as it is.
fn parse_number(value: Value) -> Value {
    match value.as_str().unwrap_or_default().trim().parse() {
        Ok(number) => Value::Number(number),
        Err(_) => value,
    }
}

#[cfg(test)]
mod tests;
