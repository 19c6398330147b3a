//! Questionnaire as a form that a host shows itself. Such forms are flat and have few kinds of fields. A
//! questionnaire that doesn't fit isn't cut down; it is asked at the desk alone.

use super::choice_encoding::{self, ChoiceEncoding, list_schema};
use sayso_core::{
    ChoiceOption, ChoiceQuestion, ConfirmQuestion, ConsentQuestions, Constraint, Lang, Number, Question,
    QuestionId, QuestionKind, Questionnaire, RatingQuestion, Requirement, Rules, ShownValues, display,
    i18n::describe_answer,
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
        let is_filled_in = consent.prefill(question).is_some();
        let shown = ShownValues::for_question(questionnaire, question);
        let field = question_field(question, &shown, wording).filter(|_| !is_filled_in)?;
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
            let title = format!("{}: {label}", one_line(question.display_name()));
            properties.insert(own_answer_name(at), json!({ "type": "string", "title": title }));
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
    Some(HostForm { message, schema })
}

/// Returns the name of a field. Some hosts sort fields by name.
fn field_name(at: usize) -> String {
    format!("q{:02}", at + 1)
}

fn own_answer_name(at: usize) -> String {
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
    match &question.kind {
        QuestionKind::Choice(choice) if choice.other => {
            Some(describe_answer::own_answer_name(choice, rules, Lang::En))
        }
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
    let mut field = match &question.kind {
        QuestionKind::Choice(choice) => choice_field(choice, shown, wording)?,
        QuestionKind::Text(_) => json!({ "type": "string" }),
        QuestionKind::Confirm(confirm) => confirm_field(question, confirm, wording),
        QuestionKind::Rating(RatingQuestion { min, max, .. }) => {
            json!({ "type": "integer", "minimum": min, "maximum": max })
        }
        QuestionKind::Number(_) => json!({ "type": "number" }),
        QuestionKind::Date => json!({ "type": "string", "format": "date" }),
        // No host has a field for a time of day, or for a date and time without an offset.
        QuestionKind::Time | QuestionKind::Datetime => return None,
    };
    let object = field.as_object_mut()?;
    let can_count = wording.checkboxes(question).is_none() && can_count_picks(&question.kind);
    for demand in question.constraints.iter().flat_map(Constraint::requirements) {
        add_constraint(object, demand, &question.kind, can_count)?;
    }
    object.insert("title".to_owned(), json!(field_title(question)));
    let mut about: Vec<_> = question.detail.iter().flat_map(|detail| display::escape_lines(detail)).collect();
    if let QuestionKind::Rating(rating) = &question.kind {
        about.extend(
            rating.annotations.iter().map(|(step, note)| format!("{step}: {}", one_line(note)).into()),
        );
    }
    if !about.is_empty() {
        object.insert("description".to_owned(), json!(about.join("\n")));
    }
    Some(field)
}

fn choice_field(choice: &ChoiceQuestion, shown: &ShownValues<'_>, wording: ChoiceEncoding) -> Option<Value> {
    if choice.options.iter().any(|option| option.preview.is_some()) || choice.options.is_empty() {
        return None;
    }
    let picks = choice_encoding::option_titles(&choice.options, shown);
    Some(if choice.multi { list_schema(picks) } else { wording.single_pick(picks) })
}

fn confirm_field(question: &Question, confirm: &ConfirmQuestion, wording: ChoiceEncoding) -> Value {
    if confirm.yes.is_none() && confirm.no.is_none() {
        return json!({ "type": "boolean" });
    }
    let pick =
        |yes: bool| (yes.to_string(), one_line(&describe_answer::describe_confirm(question, yes, Lang::En)));
    wording.single_pick([true, false].into_iter().map(pick))
}

/// Adds a constraint to the field, or returns `None` if the field can't express it.
fn add_constraint(
    field: &mut Map<String, Value>,
    demand: &Requirement,
    kind: &QuestionKind,
    can_count: bool,
) -> Option<()> {
    let (name, value) = match demand {
        // These only carry the message for invalid input.
        Requirement::Answered | Requirement::MatchesKind => return Some(()),
        Requirement::MinPicks(count) if can_count => ("minItems", json!(count)),
        Requirement::MaxPicks(count) if can_count => ("maxItems", json!(count)),
        Requirement::MinLength(length) => ("minLength", json!(length)),
        Requirement::MaxLength(length) => ("maxLength", json!(length)),
        Requirement::Min(value) if matches!(kind, QuestionKind::Number(_)) => {
            ("minimum", json!(Number::parse(&value.to_string())?))
        }
        Requirement::Max(value) if matches!(kind, QuestionKind::Number(_)) => {
            ("maximum", json!(Number::parse(&value.to_string())?))
        }
        Requirement::MinPicks(_)
        | Requirement::MaxPicks(_)
        | Requirement::Pattern(_)
        | Requirement::Min(_)
        | Requirement::Max(_)
        | Requirement::MultipleOf(_) => return None,
    };
    if value.is_string() {
        return None;
    }
    field.insert(name.to_owned(), value);
    Some(())
}

/// Returns whether constraints on the number of picks can be expressed: an own answer counts as a pick, but is in
/// another field.
const fn can_count_picks(kind: &QuestionKind) -> bool {
    matches!(kind, QuestionKind::Choice(ChoiceQuestion { multi: true, other: false, .. }))
}

/// Returns the filled-in values as answers in the `sayso` dialect.
pub(crate) fn parse_answers(
    questionnaire: &Questionnaire,
    content: &Map<String, Value>,
) -> Vec<(QuestionId, Value)> {
    let mut answers = Vec::new();
    for (at, question) in questionnaire.questions.iter().enumerate() {
        let filled = |name: &str| content.get(name).filter(|value| !is_empty(value));
        let (given, typed) = (
            filled(&field_name(at)),
            filled(&own_answer_name(at))
                .filter(|_| own_answer_label(question, &questionnaire.rules).is_some()),
        );
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
    match &question.kind {
        QuestionKind::Choice(choice) => {
            let picked: Vec<_> = match given {
                Some(Value::Array(list)) => list.clone(),
                Some(one) => vec![one.clone()],
                None => Vec::new(),
            };
            let own = typed.map(|typed| json!({ "other": typed }));
            match (picked.is_empty(), own) {
                (true, None) => None,
                (_, None) => Some(Value::Array(picked)),
                // Only one of both was asked for; text next to a pick is a note on it.
                (false, Some(_)) if !choice.multi => Some(json!({ "answer": picked, "note": typed })),
                (_, Some(own)) => Some(picked.into_iter().chain([own]).collect()),
            }
        }
        QuestionKind::Confirm(_) => given.map(|given| match given.as_str() {
            Some("true") => json!(true),
            Some("false") => json!(false),
            _ => given.clone(),
        }),
        _ => given.cloned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sayso_dialects::{Dialect, DialectLimits};

    fn questionnaire(request: &Value) -> Questionnaire {
        Dialect::Sayso.read(&request.to_string(), &DialectLimits::default()).unwrap().questionnaire
    }

    #[test]
    fn simple_questions_become_a_form() {
        let asked = questionnaire(&json!({"title": "T", "context": "Why.", "questions": [
            {"id": "db", "prompt": "Which?", "options": [{"id": "pg", "label": "Postgres", "description": "big"},
                {"id": "my", "label": "MySQL"}], "other": true},
            {"id": "tags", "prompt": "Tags?", "options": [{"id": "a", "label": "A"}], "multi": true,
                "constraints": [{"max_picks": 1}]},
            {"id": "sure", "prompt": "Sure?", "kind": "confirm", "yes": "Go"},
            {"id": "n", "prompt": "How many?", "kind": "number", "constraints": [{"min": 1, "max": 2.5}]},
            {"id": "day", "prompt": "When?", "kind": "date", "required": false},
        ]}));
        let form = from_questionnaire(&asked, ChoiceEncoding::OneOfTitles).unwrap();
        assert_eq!(form.message, "T\nWhy.");
        assert_eq!(
            Value::Object(form.schema),
            json!({"type": "object", "properties": {
                "q01": {"type": "string", "oneOf": [{"const": "pg", "title": "Postgres: big"},
                    {"const": "my", "title": "MySQL"}], "title": "Which?"},
                "q01_other": {"type": "string", "title": "Which?: Other"},
                "q02": {"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}, "maxItems": 1,
                    "title": "Tags?"},
                "q03": {"type": "string", "oneOf": [{"const": "true", "title": "Yes (\"Go\")"},
                    {"const": "false", "title": "No"}], "title": "Sure?"},
                "q04": {"type": "number", "minimum": 1, "maximum": 2.5, "title": "How many?"},
                "q05": {"type": "string", "format": "date", "title": "When?"},
            }, "required": ["q02", "q03", "q04"]})
        );
        let content =
            json!({"q01": "pg", "q01_other": "but soon", "q02": ["a"], "q03": "true", "q04": 2, "q05": ""});
        let answers = parse_answers(&asked, content.as_object().unwrap());
        let answers: Map<_, _> = answers.into_iter().map(|(id, answer)| (id.to_string(), answer)).collect();
        let answers = json!({ "answers": answers }).to_string();
        let given = Dialect::Sayso.read_answers(&asked, &answers).unwrap();
        let sent = given.validate(&std::sync::Arc::new(asked)).unwrap();
        let notes: Vec<_> = sent.replies.values().filter_map(|reply| reply.note.as_deref()).collect();
        assert_eq!(notes, ["but soon"]);
        assert_eq!(sent.replies.values().filter(|reply| reply.answer().is_some()).count(), 4);
    }

    #[test]
    fn complex_questions_become_no_form() {
        let question = |more: Value| {
            let mut question = json!({"prompt": "A?"});
            question.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let forms = [ChoiceEncoding::EnumNames, ChoiceEncoding::OneOfTitles].map(|wording| {
                from_questionnaire(&questionnaire(&json!({ "questions": [question] })), wording)
            });
            forms.iter().all(Option::is_none)
        };
        assert!(!question(json!({})));
        for more in [
            json!({"kind": "time"}),
            json!({"kind": "datetime"}),
            json!({"children": [{"prompt": "B?"}]}),
            json!({"constraints": [{"pattern": "x"}]}),
            json!({"prefill": {"text": "x"}}),
            json!({"options": [{"label": "a", "preview": "long"}]}),
        ] {
            assert!(question(more.clone()), "{more}");
        }
        let sections = json!({"sections": [{"questions": [{"prompt": "A?"}]}]});
        assert!(from_questionnaire(&questionnaire(&sections), ChoiceEncoding::OneOfTitles).is_none());
        let action = json!({"action": {"tool": "sh", "act": {"shell": {"command": "ls"}}}, "questions": [{"prompt": "A?"}]});
        assert!(from_questionnaire(&questionnaire(&action), ChoiceEncoding::OneOfTitles).is_none());
        let many = |count: u8| {
            let options: Vec<_> = (0..count).map(|at| at.to_string()).collect();
            let tags = json!({"prompt": "Which?", "options": options, "multi": true});
            questionnaire(&json!({"questions": [{"prompt": "A?"}, tags]}))
        };
        assert!(from_questionnaire(&many(11), ChoiceEncoding::EnumNames).is_some());
        assert!(from_questionnaire(&many(12), ChoiceEncoding::EnumNames).is_none(), "each box is a field");
        assert!(from_questionnaire(&many(12), ChoiceEncoding::OneOfTitles).is_some());
        let counted = json!({"prompt": "Which?", "options": ["a", "b"], "multi": true, "constraints": [{"max_picks": 1}]});
        let counted = questionnaire(&json!({ "questions": [counted] }));
        assert!(from_questionnaire(&counted, ChoiceEncoding::EnumNames).is_none(), "boxes cannot be counted");
        assert!(from_questionnaire(&counted, ChoiceEncoding::OneOfTitles).is_some());
    }

    #[test]
    fn multiple_picks_become_checkboxes() {
        let asked = questionnaire(&json!({"title": "T", "questions": [
            {"id": "db", "prompt": "Which?", "options": [{"id": "pg", "label": "Postgres", "description": "big"},
                {"id": "my", "label": "MySQL"}]},
            {"id": "tags", "prompt": "Tags?", "detail": "All that fit.", "options": [{"id": "a", "label": "A"},
                {"id": "b", "label": "B"}, {"id": "c", "label": "C"}], "multi": true, "other": true},
            {"id": "sure", "prompt": "Sure?", "kind": "confirm", "yes": "Go"},
        ]}));
        let form = from_questionnaire(&asked, ChoiceEncoding::EnumNames).unwrap();
        assert_eq!(
            Value::Object(form.schema),
            json!({"type": "object", "properties": {
                "q01": {"type": "string", "enum": ["pg", "my"], "enumNames": ["Postgres: big", "MySQL"],
                    "title": "Which?"},
                "q02_01": {"type": "boolean", "title": "Tags?: A", "description": "All that fit."},
                "q02_02": {"type": "boolean", "title": "Tags?: B"},
                "q02_03": {"type": "boolean", "title": "Tags?: C"},
                "q02_other": {"type": "string", "title": "Tags?: Other"},
                "q03": {"type": "string", "enum": ["true", "false"], "enumNames": ["Yes (\"Go\")", "No"], "title": "Sure?"},
            }, "required": ["q01", "q03"]})
        );
        let filled = |content: Value| {
            let answers = parse_answers(&asked, content.as_object().unwrap());
            answers.into_iter().find(|(id, _)| id.as_str() == "tags").map(|(_, answer)| answer)
        };
        let ticked = json!({"q02_01": true, "q02_02": false, "q02_03": true, "q02_other": ""});
        assert_eq!(filled(ticked), Some(json!(["a", "c"])));
        assert_eq!(filled(json!({"q02_02": "true", "q02_other": "D"})), Some(json!(["b", {"other": "D"}])));
        assert_eq!(filled(json!({"q02_01": "yes"})), Some(json!(["yes"])), "which will be told to be wrong");
        assert_eq!(filled(json!({"q02_01": false, "q02_02": null, "q02_03": ""})), None);
    }
}
