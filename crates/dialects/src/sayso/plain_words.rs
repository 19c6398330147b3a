//! A question in plain words: the arguments of a command line, such as `"Which environment?" staging production`.

use crate::format::WireFormat;
use crate::format::parsed_request::ParsedRequest;
use crate::sayso::SaysoFormat;
use sayso_core::{Message, Problem, ProblemCode};
use serde_json::{Map, Value};

/// The dialect of an ask in plain words: its request is in our own format, and its answer is a plain value.
pub const NAME: &str = "words";

/// A question in words, with its options and their meaning.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlainQuestion {
    /// The question.
    pub prompt: String,
    /// The options of a choice. Without any it is a yes or no, or a text.
    pub options: Vec<String>,
    /// Several options may be picked.
    pub multi: bool,
    /// An own answer may be typed next to the options.
    pub other: bool,
    /// A text is to be typed.
    pub text: bool,
}

impl PlainQuestion {
    /// Reads it as a questionnaire.
    ///
    /// # Errors
    /// Returns its problem, such as a flag that needs options.
    pub fn read(&self) -> Result<ParsedRequest, Problem> {
        for (flag, is_set) in [("--multi", self.multi), ("--other", self.other)] {
            if is_set && self.options.is_empty() {
                let message = Message::WordsNeedOptions.with([flag]);
                let problem = Problem::new(ProblemCode::InvalidSetting, message);
                return Err(problem.with_hint(Message::WordsForText));
            }
        }
        let kind = match (self.text, self.options.is_empty()) {
            (true, _) => "text",
            (false, true) => "confirm",
            (false, false) => "choice",
        };
        let mut question = Map::new();
        question.insert("id".to_owned(), "answer".into());
        question.insert("kind".to_owned(), kind.into());
        question.insert("prompt".to_owned(), self.prompt.trim().into());
        if !self.options.is_empty() {
            let option = |label: &String| Value::from_iter([("label", label.as_str())]);
            question.insert("options".to_owned(), self.options.iter().map(option).collect());
            question.insert("multi".to_owned(), self.multi.into());
            question.insert("other".to_owned(), self.other.into());
        }
        let request = Value::from_iter([("questions", vec![Value::from(question)])]);
        SaysoFormat.read((&request).into()).map_err(Problem::from_request)
    }
}

/// Returns true if an argument is a question rather than the name of a file: it ends with a question mark, or has
/// several words and no look of a path.
pub fn is_question(text: &str) -> bool {
    let text = text.trim();
    let is_path = text.starts_with(['/', '.', '~']) || text.to_ascii_lowercase().ends_with(".json");
    text.ends_with(['?', '？', '؟']) || text.contains(char::is_whitespace) && !is_path
}

/// Returns true if JSON arrived in single quotes, or uses them for its texts.
pub fn is_single_quoted_json(text: &str) -> bool {
    let text = text.trim();
    let inner = text.trim_start_matches('\'').trim_start();
    let is_json = inner.starts_with(['{', '[']);
    is_json && (inner.len() < text.len() || inner.trim_start_matches(['{', '[', ' ']).starts_with('\''))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn question_is_told_from_file() {
        let rows = [
            ("Deploy now?", true),
            ("Deploy?", true),
            ("Deploy a/b?", true),
            ("Deploy the new version", true),
            ("现在部署吗？", true),
            ("request.json", false),
            ("my request.json", false),
            ("./my request", false),
            ("request", false),
        ];
        for (text, expected) in rows {
            assert_eq!(is_question(text), expected, "{text}");
        }
    }

    #[test]
    fn single_quotes_are_noticed() {
        let rows = [
            ("'{\"questions\":[]}'", true),
            ("{'questions':[{'prompt':'Ship?'}]}", true),
            ("[{'prompt':'Ship?'}]", true),
            ("{\"questions\":[]}", false),
            ("'Deploy now?'", false),
        ];
        for (text, expected) in rows {
            assert_eq!(is_single_quoted_json(text), expected, "{text}");
        }
    }
}
