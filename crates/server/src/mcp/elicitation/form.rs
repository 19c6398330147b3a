//! Questionnaire as a form that a host shows itself. Such forms are flat and have few kinds of fields. A
//! questionnaire that doesn't fit isn't cut down; it is asked at the desk alone.

use super::choice_encoding::{self, ChoiceEncoding, list_schema, option_of_value};
use super::form_defaults;
use super::plain_fields::{self, EarlierEntries};
use sayso_core::{
    ChoiceOption, ChoiceQuestion, ConfirmQuestion, ConsentQuestions, Constraint, Lang, LineFormat, Number,
    Question, QuestionId, QuestionInput, Questionnaire, RatingQuestion, Requirement, Rules, ShownValues,
    display,
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
pub(crate) fn from_questionnaire(questionnaire: &Questionnaire, wording: ChoiceEncoding) -> Option<HostForm> {
    let Questionnaire { title, context, action: None, sections, questions, .. } = questionnaire else {
        return None;
    };
    let count = |question: &Question| wording.checkboxes(question).map_or(1, <[ChoiceOption]>::len);
    if !sections.is_empty() || questions.iter().map(count).sum::<usize>() > MAX_FIELDS {
        return None;
    }
    let consent = ConsentQuestions::for_questionnaire(questionnaire);
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (at, question) in questions.iter().enumerate() {
        let name = field_name(at);
        let shown = ShownValues::for_question(questionnaire, question);
        let field = question_field(question, &shown, wording)?;
        let other = own_answer_label(question, &questionnaire.rules);
        if let Some(options) = wording.checkboxes(question) {
            for (nth, (_, words)) in choice_encoding::option_titles(options, &shown).enumerate() {
                properties
                    .insert(choice_encoding::checkbox_name(&name, nth), checkbox_field(&field, &words, nth));
            }
        } else {
            properties.insert(name.clone(), field);
            if question.required && other.is_none() {
                required.push(json!(name));
            }
        }
        if let Some(label) = other {
            let title = format!("{}: {}", one_line(question.display_name()), one_line(label));
            properties.insert(own_answer_name(at), json!({ "type": "string", "title": title }));
        }
        if let Some(prefill) = consent.prefill(question) {
            form_defaults::set(&mut properties, form_defaults::of_answer(question, at, prefill, wording));
        }
    }
    let lines = title.iter().chain(context).flat_map(|text| display::escape_lines(text));
    let message = lines.collect::<Vec<_>>().join("\n");
    let message = if message.is_empty() { one_line(questionnaire.display_name()) } else { message };
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), Value::Array(required));
    }
    Some(HostForm { message, schema, entered: EarlierEntries::default(), has_plain_fields: false })
}

impl HostForm {
    /// Returns the form for this host, in a version with requests from the server.
    pub(crate) fn for_host(self, host: Option<&str>) -> Self {
        Self { has_plain_fields: plain_fields::are_all_of(host), ..self }
    }

    /// Returns the text above the fields and their schema, as its host can draw them.
    pub(crate) fn drawn(&self) -> (String, Map<String, Value>) {
        if !self.has_plain_fields {
            return (self.message.clone(), self.schema.clone());
        }
        let kept = self.entered.kept_lines(&self.schema);
        let lines = kept.iter().map(String::as_str).chain([self.message.as_str()]);
        (lines.collect::<Vec<_>>().join("\n"), self.entered.plain_schema(&self.schema))
    }

    /// Returns the input of a person, with what they entered before and its host does not show.
    pub(crate) fn with_kept_texts(&self, content: Map<String, Value>) -> Map<String, Value> {
        if self.has_plain_fields { self.entered.complete(&self.schema, content) } else { content }
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

/// Returns the name of a field. Some hosts sort fields by name.
pub(super) fn field_name(at: usize) -> String {
    format!("q{:02}", at + 1)
}

pub(super) fn own_answer_name(at: usize) -> String {
    format!("{}_other", field_name(at))
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
    let mut one = json!({ "type": "boolean", "title": format!("{question}: {label}") });
    if let (0, Some(about), Some(one)) = (nth, field.get("description"), one.as_object_mut()) {
        one.insert("description".to_owned(), about.clone());
    }
    one
}

fn question_field(question: &Question, shown: &ShownValues<'_>, wording: ChoiceEncoding) -> Option<Value> {
    let is_plain = question.parent.is_none() && question.show_if.is_none();
    if !is_plain {
        return None;
    }
    let mut field = match question.input() {
        QuestionInput::Options(choice) => choice_field(choice, shown, wording)?,
        QuestionInput::Toggle(confirm) => confirm_field(confirm, wording),
        QuestionInput::Scale(RatingQuestion { min, max, .. }) => {
            json!({ "type": "integer", "minimum": min, "maximum": max })
        }
        QuestionInput::Line(format) => line_field(format)?,
    };
    let object = field.as_object_mut()?;
    let can_count = wording.checkboxes(question).is_none() && can_count_picks(question);
    for demand in question.constraints.iter().flat_map(Constraint::requirements) {
        add_constraint(object, demand, question, can_count)?;
    }
    object.insert("title".to_owned(), json!(field_title(question)));
    let mut about: Vec<_> = question.detail.iter().flat_map(|detail| display::escape_lines(detail)).collect();
    if let QuestionInput::Scale(rating) = question.input() {
        about.extend(
            rating.annotations.iter().map(|(step, note)| format!("{step}: {}", one_line(note)).into()),
        );
    }
    if !about.is_empty() {
        object.insert("description".to_owned(), json!(about.join("\n")));
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

fn choice_field(choice: &ChoiceQuestion, shown: &ShownValues<'_>, wording: ChoiceEncoding) -> Option<Value> {
    if choice.options.iter().any(|option| option.preview.is_some()) || choice.options.is_empty() {
        return None;
    }
    let picks = choice_encoding::option_titles(&choice.options, shown);
    Some(if choice.multi { list_schema(picks) } else { wording.single_pick(picks) })
}

fn confirm_field(confirm: &ConfirmQuestion, wording: ChoiceEncoding) -> Value {
    if !has_own_words(confirm) {
        return json!({ "type": "boolean" });
    }
    let pick = |yes: bool| (confirm_label(confirm, yes), confirm_label(confirm, yes));
    wording.single_pick([true, false].into_iter().map(pick))
}

/// Returns true if a yes or a no has words of the asker: then the field is a choice.
pub(super) const fn has_own_words(confirm: &ConfirmQuestion) -> bool {
    confirm.yes.is_some() || confirm.no.is_some()
}

/// Returns the words of a yes or a no, which are also its value: a client that knows no titles shows values.
pub(super) fn confirm_label(confirm: &ConfirmQuestion, yes: bool) -> String {
    one_line(&confirm.describe(yes, Lang::En))
}

/// Adds a constraint to the field, or returns `None` if the field can't express it.
fn add_constraint(
    field: &mut Map<String, Value>,
    demand: &Requirement,
    question: &Question,
    can_count: bool,
) -> Option<()> {
    let is_number = matches!(question.input(), QuestionInput::Line(LineFormat::Number { .. }));
    let (name, value) = match demand {
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
        let filled = |name: &str| content.get(name).filter(|value| !is_empty(value));
        let given = filled(&field_name(at));
        let takes_own_answer = own_answer_label(question, &questionnaire.rules).is_some();
        let typed = if takes_own_answer { filled(&own_answer_name(at)) } else { None };
        let ticked = choice_encoding::ticked_options(question, &field_name(at), content);
        let ticked = Some(Value::Array(ticked)).filter(|list| !is_empty(list));
        if let Some(answer) = parse_answer(question, given.or(ticked.as_ref()), typed) {
            answers.push((question.id.clone(), answer));
        }
    }
    answers
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => false,
    }
}

fn parse_answer(question: &Question, given: Option<&Value>, typed: Option<&Value>) -> Option<Value> {
    match question.input() {
        QuestionInput::Options(choice) => {
            let picked: Vec<_> = match given {
                Some(Value::Array(list)) => list.clone(),
                Some(one) => vec![one.clone()],
                None => Vec::new(),
            };
            let option =
                |picked: Value| option_of_value(&choice.options, &picked).map_or(picked, |id| json!(id));
            let picked: Vec<_> = picked.into_iter().map(option).collect();
            let own = typed.map(|typed| json!({ "other": typed }));
            match (picked.is_empty(), own) {
                (true, None) => None,
                (_, None) => Some(Value::Array(picked)),
                // Only one of both was asked for; text next to a pick is a note on it.
                (false, Some(_)) if !choice.multi => Some(json!({ "answer": picked, "note": typed })),
                (_, Some(own)) => Some(picked.into_iter().chain([own]).collect()),
            }
        }
        QuestionInput::Toggle(confirm) => given.map(|given| {
            let is_meant = |yes: &bool| {
                given
                    .as_str()
                    .is_some_and(|text| text == yes.to_string() || text == confirm_label(confirm, *yes))
            };
            [true, false].iter().find(|yes| is_meant(yes)).map_or_else(|| given.clone(), |yes| json!(yes))
        }),
        QuestionInput::Scale(_) | QuestionInput::Line(LineFormat::Number { .. }) => given.map(number_of_text),
        QuestionInput::Line(_) => given.cloned(),
    }
}

/// Returns the number that was typed into a field for text, or the value as it is.
fn number_of_text(given: &Value) -> Value {
    let number = given.as_str().and_then(|text| text.trim().parse::<serde_json::Number>().ok());
    number.map_or_else(|| given.clone(), Value::Number)
}

#[cfg(test)]
mod tests;
