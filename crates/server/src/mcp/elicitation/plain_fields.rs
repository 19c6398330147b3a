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

/// Returns true if a host draws only such fields.
pub(super) fn are_all_of(host: Option<&str>) -> bool {
    host.is_some_and(|host| HOSTS.contains(&host))
}

impl EarlierEntries {
    /// Returns the texts that need not be entered again, by field.
    fn kept<'e>(&'e self, schema: &'e Map<String, Value>) -> impl Iterator<Item = (&'e String, &'e str)> {
        let is_wrong = |name: &str| self.wrong.iter().any(|wrong| name.starts_with(wrong.as_str()));
        let texts = self.values.iter().filter_map(|(name, value)| Some((name, value.as_str()?)));
        let fields = schema.get("properties");
        texts.filter(move |(name, text)| {
            let field = fields.and_then(|fields| fields.get(name.as_str()));
            !is_wrong(name) && !text.trim().is_empty() && field.is_some_and(is_text)
        })
    }

    /// Returns a line for each text that need not be entered again.
    pub(super) fn kept_lines(&self, schema: &Map<String, Value>) -> Vec<String> {
        let title = |name: &str| schema.get("properties")?.get(name)?.get("title")?.as_str();
        let line =
            |(name, text): (&String, &str)| format!("- {}: {}", title(name).unwrap_or(name), json!(text));
        self.kept(schema).map(line).collect()
    }

    /// Returns the input with the texts that were entered before.
    pub(super) fn complete(
        &self,
        schema: &Map<String, Value>,
        mut content: Map<String, Value>,
    ) -> Map<String, Value> {
        for (name, text) in self.kept(schema) {
            content.entry(name).or_insert(json!(text));
        }
        content
    }

    /// Returns the schema without the fields of these texts, with numbers as texts, and with the words of each default
    /// that the host does not show.
    pub(super) fn plain_schema(&self, schema: &Map<String, Value>) -> Map<String, Value> {
        let mut plain = schema.clone();
        let kept: Vec<&String> = self.kept(schema).map(|(name, _)| name).collect();
        if let Some(Value::Array(required)) = plain.get_mut("required") {
            required.retain(|name| !kept.iter().any(|kept| name == kept.as_str()));
        }
        let required = plain.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let Some(Value::Object(fields)) = plain.get_mut("properties") else { return plain };
        fields.retain(|name, _| !kept.contains(&name));
        for (name, field) in fields.iter_mut() {
            plain_field(field, self.values.get(name));
        }
        let can_be_empty =
            |(name, field): (&String, &Value)| is_text(field) && !required.iter().any(|it| it == name);
        if fields.iter().next_back().is_some_and(can_be_empty) {
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

fn plain_field(field: &mut Value, entered: Option<&Value>) {
    if !is_text(field) {
        return;
    }
    let Some(field) = field.as_object_mut() else { return };
    let bounds = ["minimum", "maximum"].map(|name| field.shift_remove(name));
    let default = field.shift_remove("default");
    let mut about: Vec<String> =
        field.get("description").and_then(Value::as_str).map(str::to_owned).into_iter().collect();
    match bounds {
        [Some(least), Some(most)] => about.push(format!("From {least} to {most}.")),
        [Some(least), None] => about.push(format!("At least {least}.")),
        [None, Some(most)] => about.push(format!("At most {most}.")),
        [None, None] => {}
    }
    match (entered, default) {
        (Some(entered), _) => about.push(format!("Entered: {entered}.")),
        (None, Some(default)) => about.push(format!("Suggested: {default}.")),
        (None, None) => {}
    }
    field.insert("type".to_owned(), json!("string"));
    if !about.is_empty() {
        field.insert("description".to_owned(), json!(about.join("\n")));
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
        assert_eq!(entered.kept_lines(&whole), ["- Why?: \"now\""]);
        let complete = entered.complete(&whole, object(&json!({ "q01": "3", "q03": "y" })));
        assert_eq!(Value::Object(complete), json!({ "q01": "3", "q03": "y", "q02": "now" }));
    }
}
