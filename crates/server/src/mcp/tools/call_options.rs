//! Arguments other than the questionnaire.

use crate::mcp::result::JsonMap;
use sayso_core::{DocumentPath, LocalizedText, Problem, ProblemCode};
use serde_json::Value;
use std::time::Duration;

/// Arguments other than the questionnaire.
#[derive(Debug, Default)]
pub(crate) struct CallOptions {
    pub(crate) key: Option<String>,
    pub(crate) timeout: Option<String>,
    pub(crate) max_wait: Option<Duration>,
    pub(crate) received: Vec<String>,
    pub(crate) ask_id: Option<String>,
    pub(crate) audience: Option<Vec<String>>,
}

impl CallOptions {
    /// Takes those arguments out of the others, if the tool's schema has them. Returns the valid ones and the
    /// problems of the rest.
    pub(crate) fn extract(schema: &JsonMap, arguments: &mut JsonMap) -> (Self, Vec<Problem>) {
        let members = schema.get("properties").and_then(Value::as_object);
        let mut reader = OptionReader { members, arguments, problems: Vec::new() };
        let options = Self {
            key: reader.take_text("key"),
            timeout: reader.take_text("timeout"),
            ask_id: reader.take_text("ask_id"),
            max_wait: reader.take_seconds("max_wait_s"),
            audience: reader.take_names("for", "This is a list of accounts and groups."),
            received: reader.take_names("received", "This is a list of ask_ids.").unwrap_or_default(),
        };
        (options, reader.problems)
    }
}

/// Reader that takes options out of the arguments of a call.
struct OptionReader<'a> {
    /// Members of the tool's schema.
    members: Option<&'a JsonMap>,
    arguments: &'a mut JsonMap,
    problems: Vec<Problem>,
}

impl OptionReader<'_> {
    fn take(&mut self, name: &str) -> Option<Value> {
        if !self.members?.contains_key(name) {
            return None;
        }
        match self.arguments.shift_remove(name)? {
            Value::Null => None,
            value => Some(value),
        }
    }

    fn take_text(&mut self, name: &str) -> Option<String> {
        if let Value::String(text) = self.take(name)? {
            return Some(text);
        }
        self.report(name, "This is a text.");
        None
    }

    fn take_seconds(&mut self, name: &str) -> Option<Duration> {
        if let Some(seconds) = self.take(name)?.as_f64()
            && let Ok(duration) = Duration::try_from_secs_f64(seconds)
        {
            return Some(duration);
        }
        self.report(name, "This is a number of seconds, 0 or more.");
        None
    }

    fn take_names(&mut self, name: &str, message: &str) -> Option<Vec<String>> {
        if let Ok(names) = serde_json::from_value(self.take(name)?) {
            return Some(names);
        }
        self.report(name, message);
        None
    }

    fn report(&mut self, name: &str, message: &str) {
        let problem = Problem::new(ProblemCode::InvalidType, LocalizedText::Verbatim(message.to_owned()));
        self.problems.push(problem.at(DocumentPath::root().join(name)));
    }
}
