//! Forms in hosts that draw only texts, yes or no, and one pick. Codex (0.171.0) shows a form with a number as a bare
//! approval, whose yes sends nothing. It shows a text field without its default, and Enter in an empty one does nothing:
//! so what was entered well is not asked for again, and a form ends with a field that takes Enter.

use serde_json::{Map, Value, json};

/// Names of these hosts.
const HOSTS: [&str; 1] = ["codex-mcp-client"];
/// Name of the field that takes Enter at the end of a form. Some hosts sort fields by name.
const SEND_FIELD: &str = "send";

/// Entries of an earlier round.
#[derive(Debug, Clone, Default)]
pub(super) struct EarlierEntries {
    /// Values by field.
    pub(super) values: Map<String, Value>,
    /// Beginnings of the names of fields with a problem.
    pub(super) wrong: Vec<String>,
}

/// Text that need not be entered again, with the name of its field and the field.
struct EarlierText<'e> {
    name: &'e str,
    text: &'e str,
    field: &'e Value,
}

/// Returns true if a host draws only such fields.
pub(super) fn are_all_of(host: Option<&str>) -> bool {
    matches!(host, Some(name) if HOSTS.contains(&name))
}

impl EarlierEntries {
    /// Returns the texts that need not be entered again, by field.
    fn texts<'e>(&'e self, schema: &'e Map<String, Value>) -> Vec<EarlierText<'e>> {
        let mut texts = Vec::new();
        let Some(Value::Object(fields)) = schema.get("properties") else { return texts };
        for (name, value) in &self.values {
            if let (Some(field), Some(text)) = (fields.get(name), value.as_str())
                && is_text(field)
                && !text.trim().is_empty()
                && !self.wrong.iter().any(|wrong| name.starts_with(wrong.as_str()))
            {
                texts.push(EarlierText { name, text, field });
            }
        }
        texts
    }

    /// Returns a line for each text that need not be entered again.
    pub(super) fn lines(&self, schema: &Map<String, Value>) -> Vec<String> {
        let mut lines = Vec::new();
        for EarlierText { name, text, field } in self.texts(schema) {
            let title = field.get("title").and_then(Value::as_str).unwrap_or(name);
            lines.push(format!("- {title}: {}", json!(text)));
        }
        lines
    }

    /// Adds the texts that were entered before to the input.
    pub(super) fn add_texts(&self, schema: &Map<String, Value>, content: &mut Map<String, Value>) {
        for EarlierText { name, text, .. } in self.texts(schema) {
            content.entry(name).or_insert(json!(text));
        }
    }

    /// Returns the schema without the fields of these texts, with numbers as texts, and with the words of each default
    /// that the host does not show.
    pub(super) fn plain_schema(&self, schema: &Map<String, Value>) -> Map<String, Value> {
        let mut plain = schema.clone();
        let texts = self.texts(schema);
        let is_entered = |name: &str| texts.iter().any(|text| text.name == name);
        let mut required = Vec::new();
        if let Some(Value::Array(names)) = plain.get_mut("required") {
            names.retain(|name| !name.as_str().is_some_and(is_entered));
            required.clone_from(names);
        }
        let Some(Value::Object(fields)) = plain.get_mut("properties") else { return plain };
        fields.retain(|name, _| !is_entered(name));
        for (name, field) in fields.iter_mut() {
            plain_field(field, self.values.get(name));
        }
        if let Some((name, field)) = fields.iter().next_back()
            && is_text(field)
            && !required.contains(&json!(name))
        {
            let send = json!({ "type": "string", "enum": ["Send"], "default": "Send", "title": "Send these answers?" });
            fields.insert(SEND_FIELD.to_owned(), send);
        }
        plain
    }
}

/// Returns true if the host has a field for text in its place.
fn is_text(field: &Value) -> bool {
    let kind = field.get("type").and_then(Value::as_str);
    matches!(kind, Some("string" | "number" | "integer")) && field.get("enum").is_none()
}

fn plain_field(field: &mut Value, earlier_entry: Option<&Value>) {
    if !is_text(field) {
        return;
    }
    let Some(field) = field.as_object_mut() else { return };
    let bounds = ["minimum", "maximum"].map(|name| field.shift_remove(name));
    let default = field.shift_remove("default");
    let mut lines = Vec::new();
    if let Some(Value::String(description)) = field.get("description") {
        lines.push(description.clone());
    }
    match bounds {
        [Some(least), Some(most)] => lines.push(format!("From {least} to {most}.")),
        [Some(least), None] => lines.push(format!("At least {least}.")),
        [None, Some(most)] => lines.push(format!("At most {most}.")),
        [None, None] => {}
    }
    match (earlier_entry, default) {
        (Some(entry), _) => lines.push(format!("Entered: {entry}.")),
        (None, Some(default)) => lines.push(format!("Suggested: {default}.")),
        (None, None) => {}
    }
    field.insert("type".to_owned(), json!("string"));
    if !lines.is_empty() {
        field.insert("description".to_owned(), json!(lines.join("\n")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(value: &Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn fields_become_texts() {
        let whole = object(&json!({ "type": "object", "required": ["q01", "q02"], "properties": {
            "q01": { "type": "integer", "minimum": 1, "maximum": 5, "title": "How many?" },
            "q02": { "type": "string", "default": "soon", "description": "A sentence.", "title": "Why?" },
            "q03": { "type": "string", "enum": ["x", "y"], "default": "y" },
            "q03_other": { "type": "string", "title": "Other" },
        } }));
        let first = EarlierEntries::default().plain_schema(&whole);
        let fields = json!({
            "q01": { "type": "string", "title": "How many?", "description": "From 1 to 5." },
            "q02": { "type": "string", "description": "A sentence.\nSuggested: \"soon\".", "title": "Why?" },
            "q03": { "type": "string", "enum": ["x", "y"], "default": "y" },
            "q03_other": { "type": "string", "title": "Other" },
            "send": { "type": "string", "enum": ["Send"], "default": "Send", "title": "Send these answers?" },
        });
        assert_eq!(first["properties"], fields);
        let values = object(&json!({ "q01": "9", "q02": "now", "q03": "x" }));
        let entered = EarlierEntries { values, wrong: vec!["q01".to_owned()] };
        let again = entered.plain_schema(&whole);
        let names: Vec<_> = again["properties"].as_object().unwrap().keys().collect();
        assert_eq!(names, ["q01", "q03", "q03_other", "send"], "a good text is not asked for again");
        assert_eq!(again["required"], json!(["q01"]));
        assert_eq!(again["properties"]["q01"]["description"], "From 1 to 5.\nEntered: \"9\".");
        assert_eq!(entered.lines(&whole), ["- Why?: \"now\""]);
        let mut content = object(&json!({ "q01": "3", "q03": "y" }));
        entered.add_texts(&whole, &mut content);
        assert_eq!(Value::Object(content), json!({ "q01": "3", "q03": "y", "q02": "now" }));
    }
}
