//! Forms that an agent shows a person (`elicitation/create`), as questionnaires: the desk judges the answers by the rules
//! of the form before the agent gets them.
//!
//! Agents have a second field for the own answer to a choice: `NAME_custom` of Claude, `NAME__other` of Codex. It becomes
//! the typed answer of that choice.

use super::{ThreadDecision, ThreadRequest, answer_in, text_of};
use serde_json::{Map, Value, json};

/// Endings of the names of fields for the own answer to another one.
const CUSTOM_FIELDS: [&str; 2] = ["_custom", "__other"];
/// Marks of an address by its format, as a pattern that JavaScript and we read alike.
const FORMATS: [(&str, &str); 2] =
    [("email", r"^[^\s@]+@[^\s@]+$"), ("uri", r"^[A-Za-z][A-Za-z0-9+.-]*:\S+$")];

/// Form as a questionnaire.
#[derive(Debug)]
pub(in crate::commands::agent) struct AgentForm {
    request: ThreadRequest,
    fields: Vec<FormField>,
}

#[derive(Debug)]
struct FormField {
    name: String,
    /// Values of the options, in their order.
    values: Vec<String>,
    /// True if the field is a list.
    is_list: bool,
    /// Field that takes the typed answer.
    custom_field: Option<String>,
}

impl AgentForm {
    /// Reads the parameters of a request.
    ///
    /// # Errors
    /// Returns the name of the first field that cannot be asked, or an empty text if it is no form.
    pub(in crate::commands::agent) fn parse(params: &Value) -> Result<Self, String> {
        let message = text_of(params, "message").unwrap_or_default();
        let is_form = text_of(params, "mode") == Some("form");
        let schema = if is_form { params.get("requestedSchema") } else { None };
        let properties = schema.and_then(|schema| schema.get("properties")).and_then(Value::as_object);
        let (Some(schema), Some(properties)) = (schema, properties) else { return Err(String::new()) };
        let required_names = schema.get("required").and_then(Value::as_array).map(Vec::as_slice);
        let required_names = required_names.unwrap_or_default();
        if let Some((name, _)) = properties.iter().find(|(_, property)| is_secret(property)) {
            return Err(name.clone());
        }
        let mut fields = Vec::new();
        let mut questions = Vec::new();
        for (name, property) in properties {
            if base_of(properties, name).is_some() {
                continue;
            }
            let Some((field, mut question)) = read_field(properties, name, property) else {
                return Err(name.clone());
            };
            let is_required = required_names.iter().any(|required_name| required_name == name)
                // The own answer is the other way to fill it.
                || field.custom_field.is_some();
            question.insert("id".to_owned(), format!("f{}", fields.len()).into());
            question.insert("required".to_owned(), is_required.into());
            fields.push(field);
            questions.push(question);
        }
        if questions.is_empty() {
            let prompt = if message.is_empty() { "?" } else { message };
            return Ok(Self::new(
                json!({ "questions": [{ "id": "f0", "prompt": prompt, "kind": "confirm" }] }),
                fields,
            ));
        }
        let mut request = Map::new();
        match questions.as_mut_slice() {
            // A form of one field has its question in the message, and a short title.
            [question] if !message.is_empty() => {
                let title = question.insert("prompt".to_owned(), message.into());
                if let Some(title) = title
                    && !question.contains_key("detail")
                {
                    question.insert("detail".to_owned(), title);
                }
            }
            _ if !message.is_empty() => drop(request.insert("context".to_owned(), message.into())),
            _ => {}
        }
        request.insert("questions".to_owned(), questions.into_iter().map(Value::Object).collect());
        Ok(Self::new(Value::Object(request), fields))
    }

    const fn new(request: Value, fields: Vec<FormField>) -> Self {
        Self { request: ThreadRequest::Dialect("sayso", request), fields }
    }

    /// Returns the request that asks the form.
    pub(in crate::commands::agent) const fn request(&self) -> &ThreadRequest {
        &self.request
    }

    /// Returns the response for a decision.
    pub(in crate::commands::agent) fn response(&self, decision: Option<&ThreadDecision>) -> Value {
        let outcome = decision.map(ThreadDecision::outcome).unwrap_or_default();
        match text_of(&outcome, "outcome") {
            // A form without fields is a yes or no.
            Some("answered") if self.fields.is_empty() => {
                let consent = answer_in(&outcome, "f0").and_then(|answer| answer.get("confirm")?.as_bool());
                if consent == Some(true) {
                    json!({ "action": "accept", "content": {} })
                } else {
                    json!({ "action": "decline" })
                }
            }
            Some("answered") => {
                let mut content = Map::new();
                for (index, field) in self.fields.iter().enumerate() {
                    if let Some(answer) = answer_in(&outcome, &format!("f{index}")) {
                        content.extend(field.fill(answer));
                    }
                }
                json!({ "action": "accept", "content": content })
            }
            Some("declined") => json!({ "action": "decline" }),
            _ => json!({ "action": "cancel" }),
        }
    }
}

/// Returns whether a field asks for a secret, for which the desk has no place.
fn is_secret(property: &Value) -> bool {
    let is_marked = property.pointer("/_meta/codex/isSecret").and_then(Value::as_bool).unwrap_or_default();
    is_marked || text_of(property, "format") == Some("password")
}

/// Returns the field to which this one takes the own answer.
fn base_of<'n>(properties: &Map<String, Value>, name: &'n str) -> Option<&'n str> {
    if text_of(properties.get(name)?, "type") != Some("string") {
        return None;
    }
    let base = CUSTOM_FIELDS.iter().find_map(|ending| name.strip_suffix(ending))?;
    if options(properties.get(base)?)?.is_empty() { None } else { Some(base) }
}

/// Returns the options of a field; `None` if they are of a kind that cannot be asked.
fn options(property: &Value) -> Option<Vec<(String, Map<String, Value>)>> {
    let list = |name: &str| property.get(name).and_then(Value::as_array);
    let mut options = Vec::new();
    if let Some(schemas) = list("oneOf").or(list("anyOf")) {
        for schema in schemas {
            let value = schema.get("const")?.as_str()?;
            let mut option = labelled(text_of(schema, "title").unwrap_or(value));
            if let Some(description) = text_of(schema, "description") {
                option.insert("description".to_owned(), description.into());
            }
            options.push((value.to_owned(), option));
        }
        return Some(options);
    }
    let labels = list("enumNames").map(Vec::as_slice).unwrap_or_default();
    for (index, value) in list("enum").into_iter().flatten().enumerate() {
        let value = value.as_str()?;
        let label = labels.get(index).and_then(Value::as_str).unwrap_or(value);
        options.push((value.to_owned(), labelled(label)));
    }
    Some(options)
}

fn labelled(label: &str) -> Map<String, Value> {
    Map::from_iter([("label".to_owned(), label.into())])
}

/// Reads a field as a question.
fn read_field(
    properties: &Map<String, Value>,
    name: &str,
    property: &Value,
) -> Option<(FormField, Map<String, Value>)> {
    let kind = text_of(property, "type")?;
    let is_list = kind == "array";
    let options = options(if is_list { property.get("items")? } else { property })?;
    let mut question = Map::new();
    let mut set = |member: &str, value: Value| drop(question.insert(member.to_owned(), value));
    let title = text_of(property, "title").unwrap_or(name);
    set("prompt", title.into());
    if let Some(description) = text_of(property, "description") {
        set("detail", description.into());
    }
    let mut custom_field = None;
    match kind {
        "boolean" => {
            set("kind", "confirm".into());
            set("consent", false.into());
        }
        "number" | "integer" => set("kind", "number".into()),
        "string" if !options.is_empty() => {
            let custom_names = CUSTOM_FIELDS.map(|ending| format!("{name}{ending}"));
            custom_field = custom_names.into_iter().find(|field| base_of(properties, field).is_some());
            set("other", custom_field.is_some().into());
        }
        "string" => match text_of(property, "format") {
            Some("date") => set("kind", "date".into()),
            Some("date-time") => set("kind", "datetime".into()),
            _ => set("kind", "text".into()),
        },
        "array" if !options.is_empty() => set("multi", true.into()),
        _ => return None,
    }
    let mut values = Vec::with_capacity(options.len());
    let mut items = Vec::with_capacity(options.len());
    for (index, (value, mut option)) in options.into_iter().enumerate() {
        option.insert("id".to_owned(), format!("o{index}").into());
        option.insert("value".to_owned(), value.clone().into());
        items.push(Value::Object(option));
        values.push(value);
    }
    if !items.is_empty() {
        set("options", items.into());
    }
    let constraints = constraints(property, kind);
    if !constraints.is_empty() {
        set("constraints", constraints.into());
    }
    Some((FormField { name: name.to_owned(), values, is_list, custom_field }, question))
}

/// Returns the rules of a field.
fn constraints(property: &Value, kind: &str) -> Vec<Value> {
    let names = [
        ("minLength", "min_length"),
        ("maxLength", "max_length"),
        ("minimum", "min"),
        ("maximum", "max"),
        ("multipleOf", "multiple_of"),
        ("pattern", "pattern"),
        ("minItems", "min_picks"),
        ("maxItems", "max_picks"),
    ];
    let mut constraints = Vec::new();
    for (name, own_name) in names {
        if let Some(value) = property.get(name) {
            constraints.push(json!({ own_name: value }));
        }
    }
    if kind == "integer" {
        constraints.push(json!({ "multiple_of": 1 }));
    }
    let format = text_of(property, "format").unwrap_or_default();
    if let Some((_, pattern)) = FORMATS.iter().find(|(name, _)| *name == format) {
        constraints.push(json!({ "pattern": pattern }));
    }
    constraints
}

impl FormField {
    /// Returns the field that an answer fills, and its value.
    fn fill(&self, answer: &Value) -> Option<(String, Value)> {
        let (kind, value) = answer.as_object()?.iter().next()?;
        if kind != "picks" {
            // Long numbers are texts on our wire.
            if kind == "number"
                && let Some(digits) = value.as_str()
                && let Ok(number) = digits.parse()
            {
                return Some((self.name.clone(), Value::Number(number)));
            }
            return Some((self.name.clone(), value.clone()));
        }
        let picks = value.as_array()?;
        if let Some(own_answer) = picks.iter().find_map(|pick| pick.get("other")) {
            return Some((self.custom_field.clone()?, own_answer.clone()));
        }
        let mut values: Vec<String> = picks.iter().filter_map(|pick| self.picked_value(pick)).collect();
        Some((self.name.clone(), if self.is_list { values.into() } else { values.pop()?.into() }))
    }

    fn picked_value(&self, pick: &Value) -> Option<String> {
        let index: usize = text_of(pick, "option")?.strip_prefix('o')?.parse().ok()?;
        self.values.get(index).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sayso_dialects::{Dialect, DialectLimits};

    fn form(schema: &Value) -> Result<AgentForm, String> {
        AgentForm::parse(&json!({ "mode": "form", "message": "Choose.", "requestedSchema": schema }))
    }

    fn request(form: &AgentForm) -> Value {
        let ThreadRequest::Dialect("sayso", request) = form.request() else { panic!("{form:?}") };
        Dialect::Sayso
            .read(request, &DialectLimits::NONE)
            .unwrap_or_else(|error| panic!("{request}: {error:?}"));
        request.clone()
    }

    fn response(form: &AgentForm, answers: &Value) -> Value {
        let mut replies = Map::new();
        for (question, answer) in answers.as_object().unwrap() {
            replies.insert(question.clone(), json!({ "state": "answered", "answer": answer }));
        }
        let result = json!({ "outcome": "answered", "replies": replies }).to_string();
        form.response(Some(&ThreadDecision { action: "answer".to_owned(), result: Some(result) }))
    }

    #[test]
    fn own_answer_fills_its_field() {
        for (base, custom) in [("question_0", "question_0_custom"), ("db", "db__other")] {
            let form = form(&json!({ "type": "object", "properties": {
                base: { "type": "string", "title": "DB", "oneOf": [
                    { "const": "pg", "title": "Postgres", "description": "Rows" }, { "const": "mongo", "title": "Mongo" }] },
                custom: { "type": "string", "title": "Other" },
            } }))
            .unwrap();
            let expected = json!({ "questions": [{ "prompt": "Choose.", "other": true, "id": "f0", "required": true,
                "options": [{ "label": "Postgres", "description": "Rows", "id": "o0", "value": "pg" },
                    { "label": "Mongo", "id": "o1", "value": "mongo" }],
                "detail": "DB" }] });
            assert_eq!(request(&form), expected);
            let pick = |pick: Value| response(&form, &json!({ "f0": { "picks": [pick] } }));
            assert_eq!(
                pick(json!({ "option": "o1" })),
                json!({ "action": "accept", "content": { base: "mongo" } })
            );
            assert_eq!(pick(json!({ "other": "Redis" }))["content"], json!({ custom: "Redis" }));
        }
    }

    #[test]
    fn blank_value_is_an_option() {
        let values = json!([{ "const": "", "title": "None" }, { "const": "pg", "title": "Postgres" }]);
        let property = json!({ "type": "string", "oneOf": values });
        let form = form(&json!({ "type": "object", "properties": { "db": property } })).unwrap();
        let answer = response(&form, &json!({ "f0": { "picks": [{ "option": "o0" }] } }));
        assert_eq!(answer, json!({ "action": "accept", "content": { "db": "" } }));
    }

    #[test]
    fn form_keeps_order_kinds_and_rules() {
        let form = form(&json!({ "type": "object", "required": ["yes", "n"], "properties": {
            "yes": { "type": "boolean" },
            "checks": { "type": "array", "maxItems": 2, "items": { "type": "string", "enum": ["lint", "unit"] } },
            "n": { "type": "integer", "minimum": 1 },
            "mail": { "type": "string", "format": "email", "minLength": 3 },
            "day": { "type": "string", "format": "date" },
            "at": { "type": "string", "format": "date-time" },
        } }))
        .unwrap();
        let asked = request(&form);
        let member = |at: usize, name: &str| asked["questions"][at][name].clone();
        let prompts: Vec<Value> = (0..6).map(|at| member(at, "prompt")).collect();
        assert_eq!(prompts, ["yes", "checks", "n", "mail", "day", "at"]);
        assert_eq!(
            (&asked["context"], member(2, "required"), member(3, "required")),
            (&json!("Choose."), json!(true), json!(false))
        );
        assert_eq!(member(2, "constraints"), json!([{ "min": 1 }, { "multiple_of": 1 }]));
        assert_eq!(
            member(3, "constraints"),
            json!([{ "min_length": 3 }, { "pattern": r"^[^\s@]+@[^\s@]+$" }])
        );
        let answers = json!({ "f0": { "confirm": false }, "f1": { "picks": [{ "option": "o1" }, { "option": "o0" }] },
            "f2": { "number": 3 }, "f4": { "date": "2026-11-28" } });
        let content = json!({ "yes": false, "checks": ["unit", "lint"], "n": 3, "day": "2026-11-28" });
        assert_eq!(response(&form, &answers), json!({ "action": "accept", "content": content }));
        let declined = ThreadDecision {
            action: "cancel".to_owned(),
            result: Some(json!({ "outcome": "declined" }).to_string()),
        };
        assert_eq!(form.response(Some(&declined)), json!({ "action": "decline" }));
        assert_eq!(form.response(None), json!({ "action": "cancel" }));
    }

    #[test]
    fn empty_form_is_a_yes_or_no() {
        let form = form(&json!({ "type": "object", "properties": {} })).unwrap();
        assert_eq!(request(&form)["questions"][0]["kind"], "confirm");
        assert_eq!(
            response(&form, &json!({ "f0": { "confirm": true } })),
            json!({ "action": "accept", "content": {} })
        );
        assert_eq!(response(&form, &json!({ "f0": { "confirm": false } })), json!({ "action": "decline" }));
    }

    #[test]
    fn unclear_field_is_refused() {
        let secret = json!({ "type": "string", "_meta": { "codex": { "isSecret": true } } });
        for (field, property) in [
            ("file", json!({ "type": "object" })),
            ("names", json!({ "type": "array", "items": { "type": "string" } })),
            ("level", json!({ "type": "string", "enum": [1, 2] })),
            ("token", secret),
            ("word", json!({ "type": "string", "format": "password" })),
        ] {
            let refused = form(&json!({ "type": "object", "properties": { field: property } }));
            assert_eq!(refused.unwrap_err(), field);
        }
        assert_eq!(AgentForm::parse(&json!({ "mode": "url", "url": "https://a" })).unwrap_err(), "");
    }
}
