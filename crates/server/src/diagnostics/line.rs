//! Format of log lines, as text and as JSON.

use super::fields::{FieldList, MESSAGE};
use super::target::LogTarget;
use jiff::Timestamp;
use sayso_core::wire::json;
use serde_json::{Map, Value};
use std::fmt::Write as _;
use tracing::Level;

/// Format of the lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// Text for people.
    Text,
    /// JSON for programs, one object per line.
    Json,
}

/// Line of the log.
#[derive(Debug)]
pub(super) struct LogLine<'a> {
    pub(super) time: Timestamp,
    pub(super) level: Level,
    pub(super) target: LogTarget,
    pub(super) fields: &'a FieldList,
    /// Number of lines dropped before this one.
    pub(super) lines_lost: u64,
}

impl LogLine<'_> {
    /// Returns the line without its line break.
    pub(super) fn render(&self, format: LogFormat) -> String {
        match format {
            LogFormat::Text => self.to_text(),
            LogFormat::Json => json::write(&self.to_json()),
        }
    }

    fn level_name(&self) -> &'static str {
        match self.level {
            Level::ERROR => "error",
            Level::WARN => "warn",
            Level::INFO => "info",
            Level::DEBUG => "debug",
            Level::TRACE => "trace",
        }
    }

    fn time(&self) -> String {
        format!("{:.3}", self.time)
    }

    fn to_json(&self) -> Value {
        let mut line = Map::new();
        line.insert("time".to_owned(), self.time().into());
        line.insert("level".to_owned(), self.level_name().into());
        if self.target == LogTarget::Request {
            // A request without a response has no status.
            for name in ["method", "route", "status"] {
                line.insert(name.to_owned(), self.fields.get(name).cloned().unwrap_or_default());
            }
        } else {
            line.insert("target".to_owned(), self.target.name().into());
            line.insert(MESSAGE.to_owned(), self.fields.text(MESSAGE).into());
        }
        for (name, value) in self.fields.details() {
            line.insert(name.to_owned(), value.clone());
        }
        if self.lines_lost > 0 {
            line.insert("lines_lost".to_owned(), self.lines_lost.into());
        }
        Value::Object(line)
    }

    fn to_text(&self) -> String {
        let mut line = format!("{} {:5} ", self.time(), self.level_name());
        match self.target {
            LogTarget::Request => self.write_request(&mut line),
            target => self.write_event(&mut line, target),
        }
        if self.lines_lost > 0 {
            push_field(&mut line, "lines_lost", &self.lines_lost.to_string());
        }
        line
    }

    /// Writes the fields of a request, of which the account is quoted.
    fn write_request(&self, line: &mut String) {
        let [method, route] = ["method", "route"].map(|name| self.fields.text(name));
        let [status, ms] = ["status", "ms"].map(|name| self.fields.get(name).and_then(Value::as_u64));
        let status = match status {
            Some(status) => status.to_string(),
            None => "gone".to_owned(),
        };
        let ms = ms.unwrap_or_default();
        line.push_str(&format!("{method} {route} {status} {ms} ms"));
        push_field(line, "request_id", self.fields.text("request_id"));
        if let Some(account) = self.fields.get("account") {
            push_field(line, "account", &json::write(account));
            push_field(line, "role", self.fields.text("role"));
        }
    }

    fn write_event(&self, line: &mut String, target: LogTarget) {
        line.push_str(target.name());
        line.push_str(": ");
        line.push_str(self.fields.text(MESSAGE));
        for (name, value) in self.fields.details() {
            match value {
                Value::String(text) => push_field(line, name, text),
                other => push_field(line, name, &other.to_string()),
            }
        }
    }
}

fn push_field(line: &mut String, name: &str, value: &str) {
    // Writing to a string cannot fail.
    let _ = write!(line, " {name}={value}");
}
