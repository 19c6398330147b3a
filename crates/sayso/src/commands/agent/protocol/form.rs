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
        let required: Vec<&str> = schema
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        if let Some((name, _)) = properties.iter().find(|(_, property)| is_secret(property)) {
            return Err(name.clone());
        }
        let (mut fields, mut questions) = (Vec::new(), Vec::new());
        let asked = properties.iter().filter(|(name, _)| base_of(properties, name).is_none());
        for (name, property) in asked {
            let (field, mut question) = read_field(properties, name, property).ok_or_else(|| name.clone())?;
            let is_required = required.contains(&name.as_str())
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
                let yes = answer_in(&outcome, "f0").and_then(|answer| answer.get("confirm")?.as_bool());
                if yes == Some(true) {
                    json!({ "action": "accept", "content": {} })
                } else {
                    json!({ "action": "decline" })
                }
            }
            Some("answered") => {
                let answers = self.fields.iter().enumerate();
                let filled =
                    answers.filter_map(|(at, field)| field.fill(answer_in(&outcome, &format!("f{at}"))?));
                json!({ "action": "accept", "content": filled.collect::<Map<_, _>>() })
            }
            Some("declined") => json!({ "action": "decline" }),
            _ => json!({ "action": "cancel" }),
        }
    }
}

/// Returns whether a field asks for a secret, for which the desk has no place.
fn is_secret(property: &Value) -> bool {
    let meta = |path: &str| property.pointer(path).and_then(Value::as_bool).unwrap_or_default();
    meta("/_meta/codex/isSecret") || text_of(property, "format") == Some("password")
}

/// Returns the field to which this one takes the own answer.
fn base_of<'n>(properties: &Map<String, Value>, name: &'n str) -> Option<&'n str> {
    let is_text = properties.get(name).and_then(|property| text_of(property, "type")) == Some("string");
    let base = CUSTOM_FIELDS.iter().find_map(|ending| name.strip_suffix(ending))?;
    let has_options =
        properties.get(base).is_some_and(|property| !options(property).unwrap_or_default().is_empty());
    (is_text && has_options).then_some(base)
}

/// Returns the options of a field; `None` if they are of a kind that cannot be asked.
fn options(property: &Value) -> Option<Vec<(String, Map<String, Value>)>> {
    let listed = |name: &str| property.get(name).and_then(Value::as_array);
    let Some(options) = listed("oneOf").or_else(|| listed("anyOf")) else {
        let names = listed("enumNames");
        let named = |at: usize| names.and_then(|names| names.get(at)).and_then(Value::as_str);
        let options = listed("enum").into_iter().flatten().enumerate();
        return options
            .map(|(at, value)| {
                let value = value.as_str()?;
                Some((value.to_owned(), labelled(named(at).unwrap_or(value))))
            })
            .collect();
    };
    let option = |option: &Value| {
        let value = option.get("const")?.as_str()?;
        let label = text_of(option, "title").unwrap_or(value);
        let mut shown = labelled(label);
        let about = text_of(option, "description");
        shown.extend(about.map(|about| ("description".to_owned(), about.into())));
        Some((value.to_owned(), shown))
    };
    options.iter().map(option).collect()
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
    let listed = options(if is_list { property.get("items")? } else { property })?;
    let mut question = Map::new();
    let mut set = |member: &str, value: Value| drop(question.insert(member.to_owned(), value));
    let title = text_of(property, "title").unwrap_or(name);
    set("prompt", title.into());
    if let Some(about) = text_of(property, "description") {
        set("detail", about.into());
    }
    let mut custom_field = None;
    match kind {
        "boolean" => {
            set("kind", "confirm".into());
            set("consent", false.into());
        }
        "number" | "integer" => set("kind", "number".into()),
        "string" if !listed.is_empty() => {
            let custom = CUSTOM_FIELDS.map(|ending| format!("{name}{ending}"));
            custom_field = custom.into_iter().find(|field| base_of(properties, field).is_some());
            set("other", custom_field.is_some().into());
        }
        "string" => match text_of(property, "format") {
            Some("date") => set("kind", "date".into()),
            Some("date-time") => set("kind", "datetime".into()),
            _ => set("kind", "text".into()),
        },
        "array" if !listed.is_empty() => set("multi", true.into()),
        _ => return None,
    }
    let values = listed.iter().map(|(value, _)| value.clone()).collect();
    if !listed.is_empty() {
        let numbered = listed.into_iter().enumerate().map(|(at, (value, mut option))| {
            option.insert("id".to_owned(), format!("o{at}").into());
            option.insert("value".to_owned(), value.into());
            Value::Object(option)
        });
        set("options", numbered.collect());
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
    let named = names.into_iter().filter_map(|(theirs, ours)| Some(json!({ ours: property.get(theirs)? })));
    let whole = (kind == "integer").then(|| json!({ "multiple_of": 1 }));
    let format =
        text_of(property, "format").and_then(|format| FORMATS.iter().find(|(name, _)| *name == format));
    let format = format.map(|(_, pattern)| json!({ "pattern": pattern }));
    named.chain(whole).chain(format).collect()
}

impl FormField {
    /// Returns the field that an answer fills, and its value.
    fn fill(&self, answer: &Value) -> Option<(String, Value)> {
        let (kind, value) = answer.as_object()?.iter().next()?;
        if kind != "picks" {
            // Long numbers are texts on our wire.
            let digits = if kind == "number" { value.as_str() } else { None };
            let number = digits.and_then(|digits| digits.parse().ok());
            return Some((self.name.clone(), number.map_or_else(|| value.clone(), Value::Number)));
        }
        let picks = value.as_array()?;
        if let Some(own) = picks.iter().find_map(|pick| pick.get("other")) {
            return Some((self.custom_field.clone()?, own.clone()));
        }
        let value_of = |pick: &Value| {
            let at = pick.get("option")?.as_str()?.strip_prefix('o')?.parse::<usize>().ok()?;
            self.values.get(at).cloned().map(Value::String)
        };
        let mut values: Vec<Value> = picks.iter().filter_map(value_of).collect();
        Some((self.name.clone(), if self.is_list { values.into() } else { values.pop()? }))
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
