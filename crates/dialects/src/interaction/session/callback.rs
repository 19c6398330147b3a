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
        let title = self.schema_title.as_deref().unwrap_or_default().trim();
        let interaction_id = self.interaction_id.as_deref().unwrap_or_default();
        let answers = json::write(&self.answers);
        let attributes = [
            ("questionnaire-request-id", self.questionnaire_request_id.as_str()),
            ("tool-call-id", &self.tool_call_id),
            ("interaction-id", interaction_id),
            ("tool", &self.tool_name),
            ("schema-title", title),
            ("submitted-at", &self.submitted_at),
            ("answers-json", &answers),
        ];
        let mut text = TAG_START.to_owned();
        for (name, value) in attributes {
            let is_optional = ["interaction-id", "schema-title"].contains(&name);
            if is_optional && value.is_empty() {
                continue;
            }
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
        Some(Self {
            questionnaire_request_id: take_text(&mut attributes, "questionnaire-request-id")?,
            tool_call_id: take_text(&mut attributes, "tool-call-id")?,
            tool_name: take_text(&mut attributes, "tool")?,
            submitted_at: take_text(&mut attributes, "submitted-at")?,
            answers: json::read(&take_text(&mut attributes, "answers-json")?).ok()?,
            schema_title: take_text(&mut attributes, "schema-title"),
            interaction_id: take_text(&mut attributes, "interaction-id"),
        })
    }
}

/// Takes the value of an attribute; a blank one counts as none.
fn take_text(attributes: &mut HashMap<&str, String>, name: &str) -> Option<String> {
    let value = attributes.remove(name)?;
    let text = value.trim();
    if text.is_empty() { None } else { Some(text.to_owned()) }
}

/// Returns the attributes of an element, by name. A value cannot contain a quotation mark, so the next one ends it.
fn parse_attributes(mut text: &str) -> HashMap<&str, String> {
    let mut attributes = HashMap::new();
    while let Some((name, rest)) = text.split_once("=\"") {
        let Some((value, following)) = rest.split_once('"') else { break };
        let name = name.rsplit(|c: char| c != '-' && !c.is_ascii_lowercase()).next().unwrap_or_default();
        attributes.insert(name, decode_entities(value));
        text = following;
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
    while let Some((plain_text, rest)) = value.split_once('&') {
        text.push_str(plain_text);
        let (decoded, following) = decode_entity(rest).unwrap_or(('&', rest));
        text.push(decoded);
        value = following;
    }
    text.push_str(value);
    text
}

/// Returns the character of the entity whose rest, after its ampersand, begins a text, and what follows.
fn decode_entity(text: &str) -> Option<(char, &str)> {
    for (plain, entity) in ENTITIES {
        if let Some(following) = text.strip_prefix(entity.trim_start_matches('&')) {
            return Some((plain, following));
        }
    }
    None
}
