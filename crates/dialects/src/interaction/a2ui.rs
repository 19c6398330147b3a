//! Translation of a form into messages of A2UI 0.9 with its basic catalog (the spec's "A2UI Inspiration Mapping").

use super::answers::parse_answer;
use super::messages::REQUIRED;
use super::tool::writer;
use super::wire::FieldType;
use crate::{TranslatedRequest, TranslationLoss};
use sayso_core::wire::json;
use sayso_core::{
    Answer, ComparisonValue as Bound, Constraint, DocumentPath, Message, Problem, Question, QuestionKind,
    Questionnaire, Requirement,
};
use serde_json::{Map, Value, json};

/// Catalog that defines the components.
pub const A2UI_CATALOG: &str = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json";
/// Name of the action on the submit button.
pub const SUBMIT_ACTION: &str = "submit";

const SURFACE: &str = "questionnaire";
const CANCEL_ACTION: &str = "cancel";

/// Returns a form as an array of three messages of A2UI 0.9: `createSurface`, `updateComponents`, `updateDataModel`.
///
/// The component `root` is a column: the title, the context, the sections' headings, one component per question
/// (`field-0`, `field-1`, …) and a row of two buttons. The data model holds the values under `/answers`, keyed by the
/// asker's names of the questions. The submit button sends the action [`SUBMIT_ACTION`] with all values in its context;
/// [`input_from_a2ui`] reads them.
pub fn to_a2ui(questionnaire: &Questionnaire) -> Value {
    let mut surface = A2uiSurface::default();
    surface.add_text("title", questionnaire.title.as_deref(), "h2");
    surface.add_text("context", questionnaire.context.as_deref(), "body");
    let mut section = None;
    for (index, question) in questionnaire.questions.iter().enumerate() {
        if question.section != section {
            section.clone_from(&question.section);
            let place = questionnaire.sections.iter().position(|other| Some(&other.id) == section.as_ref());
            let heading = place.and_then(|at| Some((at, questionnaire.sections.get(at)?)));
            if let Some((at, heading)) = heading {
                surface.add_text(&format!("section-{at}"), heading.title.as_deref(), "h3");
                surface.add_text(&format!("section-{at}-detail"), heading.detail.as_deref(), "body");
            }
        }
        surface.add_question(index, question);
    }
    surface.add_buttons(questionnaire);
    surface.into_messages()
}

/// Translates a questionnaire of any dialect into A2UI and lists the losses. It first becomes a request of this
/// dialect, whose fields the spec's table maps to components.
///
/// # Errors
/// Returns the problems of the remaining request if none of it can be asked.
pub fn translate_to_a2ui(questionnaire: &Questionnaire) -> Result<TranslatedRequest, Vec<Problem>> {
    let TranslatedRequest { text, mut lost } = super::write_request(questionnaire);
    let form = super::read(&text)?.questionnaire;
    let mut lose = |path: DocumentPath, what: Message| {
        lost.push(TranslationLoss::new(path, what));
    };
    if questionnaire.completed.is_some() {
        lose(DocumentPath::root().join("completed"), Message::LostCompleted);
    }
    for (at, section) in questionnaire.sections.iter().enumerate() {
        let place = DocumentPath::root().join("sections").join(at);
        if section.optional {
            lose(place.join("optional"), Message::LostOptional);
        }
        if section.submit.is_some() {
            lose(place.join("submit"), Message::LostButton);
        }
    }
    for (question, place) in questionnaire.questions.iter().zip(questionnaire.question_paths()) {
        if question.placeholder.is_some() {
            lose(place.join("placeholder"), Message::LostPlaceholder);
        }
        if matches!(&question.kind, QuestionKind::Number(entry) if entry.step.is_some()) {
            lose(place.join("step"), Message::LostStep);
        }
    }
    Ok(TranslatedRequest { text: json::write(&to_a2ui(&form)), lost })
}

#[derive(Default)]
struct A2uiSurface {
    components: Vec<Value>,
    children: Vec<String>,
    answers: Map<String, Value>,
    context: Map<String, Value>,
}

impl A2uiSurface {
    fn add(&mut self, id: &str, component: Value) {
        self.children.push(id.to_owned());
        self.components.push(component);
    }

    fn add_text(&mut self, id: &str, text: Option<&str>, variant: &str) {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            self.add(id, json!({ "id": id, "component": "Text", "text": text, "variant": variant }));
        }
    }

    fn add_question(&mut self, index: usize, question: &Question) {
        let id = format!("field-{index}");
        let key = question.asker_key();
        let place = json!({ "path": data_model_path(key) });
        let mut component = field_component(question, &place);
        if let Some(members) = component.as_object_mut() {
            members.insert("id".to_owned(), Value::from(id.as_str()));
            members.insert("label".to_owned(), Value::from(question.prompt.as_str()));
            let checks =
                if question.validates_on_submit { Vec::new() } else { client_checks(question, &place) };
            if !checks.is_empty() {
                members.insert("checks".to_owned(), Value::Array(checks));
            }
        }
        self.add_text(&format!("{id}-detail"), question.detail.as_deref(), "caption");
        self.add(&id, component);
        self.answers.insert(key.to_owned(), initial_value(question));
        self.context.insert(key.to_owned(), place);
    }

    fn add_buttons(&mut self, questionnaire: &Questionnaire) {
        let submit = questionnaire.submit.as_deref().unwrap_or("Submit");
        let cancel = questionnaire.cancel.as_deref().unwrap_or("Cancel");
        let context = Value::Object(std::mem::take(&mut self.context));
        self.components.extend([
            json!({ "id": "cancel-label", "component": "Text", "text": cancel }),
            json!({ "id": "cancel", "component": "Button", "child": "cancel-label",
                "action": { "event": { "name": CANCEL_ACTION } } }),
            json!({ "id": "submit-label", "component": "Text", "text": submit }),
            json!({ "id": "submit", "component": "Button", "child": "submit-label", "variant": "primary",
                "action": { "event": { "name": SUBMIT_ACTION, "context": context } } }),
        ]);
        let row = json!({ "id": "buttons", "component": "Row", "justify": "end", "children": ["cancel", "submit"] });
        self.add("buttons", row);
    }

    fn into_messages(mut self) -> Value {
        let root = json!({ "id": "root", "component": "Column", "children": self.children });
        self.components.insert(0, root);
        json!([
            { "version": "v0.9", "createSurface": { "surfaceId": SURFACE, "catalogId": A2UI_CATALOG } },
            { "version": "v0.9", "updateComponents": { "surfaceId": SURFACE, "components": self.components } },
            { "version": "v0.9", "updateDataModel": {
                "surfaceId": SURFACE, "path": "/", "value": { "answers": self.answers } } },
        ])
    }
}

/// Returns the path of a question's value in the data model, as a JSON pointer.
fn data_model_path(key: &str) -> String {
    format!("/answers/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// Returns the component that the spec's table assigns to a question's type.
fn field_component(question: &Question, value: &Value) -> Value {
    let text = |variant: &str| json!({ "component": "TextField", "variant": variant, "value": value });
    let date = |date: bool, time: bool| json!({ "component": "DateTimeInput", "enableDate": date, "enableTime": time, "value": value });
    match parse_answer::field_type(&question.kind) {
        FieldType::Text => text("shortText"),
        FieldType::Textarea => text("longText"),
        FieldType::Number => text("number"),
        FieldType::Boolean | FieldType::Checkbox => json!({ "component": "CheckBox", "value": value }),
        FieldType::Select | FieldType::Radio => choice_picker(question, "mutuallyExclusive", value),
        FieldType::Multiselect => choice_picker(question, "multipleSelection", value),
        FieldType::Date => date(true, false),
        FieldType::Time => date(false, true),
        FieldType::Datetime => date(true, true),
    }
}

fn choice_picker(question: &Question, variant: &str, value: &Value) -> Value {
    let options = super::translation::field_options(question);
    json!({ "component": "ChoicePicker", "variant": variant, "options": options, "value": value })
}

/// Returns the initial value of a question, in the type that its component binds to.
fn initial_value(question: &Question) -> Value {
    let prefill = question.prefill.as_ref().map(|answer| (answer, writer::answer_value(question, answer)));
    match (&question.kind, prefill) {
        (QuestionKind::Choice(_) | QuestionKind::Rating(_), prefill) => match prefill {
            Some((_, Value::Array(picked))) => Value::Array(picked),
            Some((Answer::Rating(step), _)) => json!([step.to_string()]),
            Some((_, picked)) => json!([picked]),
            None => json!([]),
        },
        (QuestionKind::Confirm(_), prefill) => prefill.map_or(Value::Bool(false), |(_, value)| value),
        (QuestionKind::Number(_), Some((_, value))) => Value::from(value.to_string()),
        (_, Some((_, value))) => value,
        (_, None) => Value::from(""),
    }
}

/// Returns the checks that the client runs itself, with the messages that it shows.
fn client_checks(question: &Question, value: &Value) -> Vec<Value> {
    let mut checks = Vec::new();
    let mut check = |call: &str, arguments: Value, message: &str| {
        let mut args = json!({ "value": value });
        if let (Some(args), Value::Object(arguments)) = (args.as_object_mut(), arguments) {
            args.extend(arguments);
        }
        checks.push(json!({ "condition": { "call": call, "args": args }, "message": message }));
    };
    let words = |constraint: &Constraint, demand: &Requirement| {
        constraint.message.as_deref().map_or_else(|| demand.default_message().to_string(), str::to_owned)
    };
    let demands = question.constraints.iter().flat_map(|constraint| {
        constraint.requirements().map(move |demand| (demand, words(constraint, demand)))
    });
    let demands: Vec<_> = demands.collect();
    if question.required {
        let own = demands.iter().find(|(demand, _)| **demand == Requirement::Answered);
        check("required", json!({}), own.map_or(REQUIRED, |(_, words)| words));
    }
    for (demand, words) in &demands {
        match demand {
            Requirement::MinLength(least) => check("length", json!({ "min": least }), words),
            Requirement::MaxLength(most) => check("length", json!({ "max": most }), words),
            Requirement::Pattern(pattern) => check("regex", json!({ "pattern": pattern.source() }), words),
            Requirement::Min(Bound::Number(least)) => check("numeric", json!({ "min": least }), words),
            Requirement::Max(Bound::Number(most)) => check("numeric", json!({ "max": most }), words),
            _ => {}
        }
    }
    checks
}

/// Converts the values of a submit's context to the input of a response. A single-choice picker's list becomes its one
/// value, a number is parsed from its text, and empty values are left out.
pub fn input_from_a2ui(questionnaire: &Questionnaire, context: &Map<String, Value>) -> Map<String, Value> {
    let value = |question: &Question| {
        let value = context.get(question.asker_key())?;
        let is_single = matches!(&question.kind, QuestionKind::Choice(choice) if !choice.multi)
            || matches!(question.kind, QuestionKind::Rating(_));
        let value = match (&question.kind, value) {
            (_, Value::Array(picked)) if is_single => picked.first()?.clone(),
            (QuestionKind::Number(_), Value::String(text)) => {
                let number = text.trim().parse::<serde_json::Number>();
                number.map_or_else(|_| value.clone(), Value::Number)
            }
            _ => value.clone(),
        };
        let is_empty = value == "" || value.is_null() || value == json!([]);
        (!is_empty).then(|| (question.asker_key().to_owned(), value))
    };
    questionnaire.questions.iter().filter_map(value).collect()
}
