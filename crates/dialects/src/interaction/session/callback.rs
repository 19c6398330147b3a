//! Answers for an asker that did not wait, as the text of a message to it.

use sayso_core::wire::json;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// Answers to a questionnaire whose asker did not wait.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct InteractionCallback {
    /// Id of the questionnaire.
    pub questionnaire_request_id: String,
    /// Id of the tool call that asked.
    pub tool_call_id: String,
    /// Name of that tool.
    pub tool_name: String,
    /// Title of the form; a blank one counts as none.
    pub schema_title: Option<String>,
    /// Values by field.
    pub answers: Map<String, Value>,
    /// Id of the round that was answered.
    pub interaction_id: Option<String>,
    /// Time of submission, in ISO 8601.
    pub submitted_at: String,
}

const TAG_START: &str = "<questionnaire-response";
const TAG_END: &str = "/>";

impl InteractionCallback {
    /// Returns one element without content; all data is in its attributes.
    pub fn to_text(&self) -> String {
        let title = self.schema_title.as_deref().map(str::trim);
        let answers = json::write(&self.answers);
        let attributes = [
            ("questionnaire-request-id", Some(self.questionnaire_request_id.as_str())),
            ("tool-call-id", Some(&self.tool_call_id)),
            ("interaction-id", self.interaction_id.as_deref().filter(|id| !id.is_empty())),
            ("tool", Some(&self.tool_name)),
            ("schema-title", title.filter(|title| !title.is_empty())),
            ("submitted-at", Some(&self.submitted_at)),
            ("answers-json", Some(&answers)),
        ];
        let mut text = TAG_START.to_owned();
        for (name, value) in attributes.into_iter().filter_map(|(name, value)| Some((name, value?))) {
            text.push_str(&format!(" {name}=\"{}\"", encode_entities(value)));
        }
        text.push(' ');
        text.push_str(TAG_END);
        text
    }

    /// Parses the text that [`Self::to_text`] writes; `None` if it is malformed or incomplete.
    pub fn parse(text: &str) -> Option<Self> {
        let inside = text.trim().strip_prefix(TAG_START)?.strip_suffix(TAG_END)?;
        if !inside.starts_with(char::is_whitespace) {
            return None;
        }
        let mut attributes = parse_attributes(inside);
        let mut take = |name| attributes.remove(name).map(|value| value.trim().to_owned());
        let mut whole = |name| take(name).filter(|value| !value.is_empty());
        let (schema_title, interaction_id) = (whole("schema-title"), whole("interaction-id"));
        Some(Self {
            questionnaire_request_id: whole("questionnaire-request-id")?,
            tool_call_id: whole("tool-call-id")?,
            tool_name: whole("tool")?,
            submitted_at: whole("submitted-at")?,
            answers: json::read(&whole("answers-json")?).ok()?,
            schema_title,
            interaction_id,
        })
    }
}

/// Returns the attributes of an element, by name. A value cannot contain a quotation mark, so the next one ends it.
fn parse_attributes(mut text: &str) -> HashMap<&str, String> {
    let mut attributes = HashMap::new();
    while let Some((name, rest)) = text.split_once("=\"") {
        let Some((value, after)) = rest.split_once('"') else { break };
        let name = name.rsplit(|c: char| c != '-' && !c.is_ascii_lowercase()).next().unwrap_or_default();
        attributes.insert(name, decode_entities(value));
        text = after;
    }
    attributes
}

const ENTITIES: [(char, &str); 5] =
    [('&', "&amp;"), ('"', "&quot;"), ('\'', "&apos;"), ('<', "&lt;"), ('>', "&gt;")];

fn encode_entities(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for c in value.chars() {
        match ENTITIES.iter().find(|(plain, _)| *plain == c) {
            Some((_, entity)) => text.push_str(entity),
            None => text.push(c),
        }
    }
    text
}

fn decode_entities(mut value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    while let Some((before, from)) = value.find('&').and_then(|at| value.split_at_checked(at)) {
        text.push_str(before);
        let entity = ENTITIES.iter().find_map(|(plain, entity)| Some((*plain, from.strip_prefix(entity)?)));
        let mut rest = from.chars();
        let (plain, after) = entity.unwrap_or_else(|| (rest.next().unwrap_or('&'), rest.as_str()));
        text.push(plain);
        value = after;
    }
    text.push_str(value);
    text
}
