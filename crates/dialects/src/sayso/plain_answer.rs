//! Answers in plain forms for shells and scripts, whatever the dialect of the request.

use crate::format::WireFormat;
use crate::format::cli_output::CliOutput;
use crate::sayso::SaysoFormat;
use sayso_core::i18n::own;
use sayso_core::wire::json;
use sayso_core::{
    Answer, Ask, ChoiceOption, Message, Outcome, Pick, Problem, ProblemCode, Question, Questionnaire,
    Replies, Reply,
};
use serde_json::{Map, Value};
use std::collections::HashSet;

/// Plain form of an answer on standard output. What is no answer prints nothing there, except as JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlainAnswer {
    /// The answer of the only question: yes or no, or its text; several picks have a line each.
    Value,
    /// A JSON object of the questions' names and values, without those that have no answer.
    Answers,
    /// The outcome as JSON, as our own dialect has it.
    Json,
    /// A line for a shell's `eval` with each answer in a variable.
    Env,
    /// Nothing: the exit code suffices.
    Quiet,
}

impl PlainAnswer {
    /// Returns the name of the form at the desk.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Answers => "answers",
            Self::Json => "json",
            Self::Env => "env",
            Self::Quiet => "quiet",
        }
    }

    /// Checks that the form can express every answer to a questionnaire.
    ///
    /// # Errors
    /// Fails if a value would not show its question, or if two variables would have the same name.
    pub fn check(self, questionnaire: &Questionnaire) -> Result<(), Problem> {
        let questions = &questionnaire.questions;
        if self == Self::Value && questions.len() != 1 {
            let message = Message::OutputValueOfOne.with([questions.len()]);
            return Err(Problem::new(ProblemCode::InvalidSetting, message).with_hint(Message::OutputForForms));
        }
        if self == Self::Env {
            let mut names = HashSet::new();
            for question in questions {
                let name = variable_name(questionnaire, question);
                if !names.insert(name.clone()) {
                    let message = Message::OutputSameVariable.with([own(name)]);
                    return Err(
                        Problem::new(ProblemCode::InvalidSetting, message).with_hint(Message::OutputForForms)
                    );
                }
            }
        }
        Ok(())
    }

    /// Returns the output for a settled ask, with the exit codes of our own dialect.
    pub fn write(self, ask: &Ask) -> CliOutput {
        let questionnaire = &ask.request.questionnaire;
        let Some(outcome) = ask.outcome() else { return CliOutput { exit: 1, ..CliOutput::default() } };
        let output = SaysoFormat.write(ask.id, questionnaire, outcome);
        let stdout = match (self, outcome) {
            (Self::Quiet, _) => return CliOutput { exit: output.exit, ..CliOutput::default() },
            (Self::Json, _) => return output,
            (_, Outcome::Answered { replies, .. }) => self.write_replies(questionnaire, replies),
            (_, Outcome::Declined { .. } | Outcome::Cancelled { .. } | Outcome::Expired { .. }) => {
                String::new()
            }
        };
        CliOutput { stdout, ..output }
    }

    fn write_replies(self, questionnaire: &Questionnaire, replies: &Replies) -> String {
        if self == Self::Answers {
            return json::write(&plain_answers(questionnaire, replies));
        }
        let mut lines = Vec::with_capacity(questionnaire.questions.len());
        for question in &questionnaire.questions {
            let text = match replies.get(&question.id).and_then(Reply::answer) {
                Some(answer) => plain_text(&answer_value(question, answer)),
                None => String::new(),
            };
            lines.push(if self == Self::Env {
                // A question without an answer sets its variable too: one of an earlier run must not stay.
                let quoted_text = text.replace('\'', r"'\''");
                format!("{}='{quoted_text}'", variable_name(questionnaire, question))
            } else {
                text
            });
        }
        lines.join("\n")
    }
}

/// Returns the name of a question's variable. It begins with a word of ours: no form can set `PATH`.
fn variable_name(questionnaire: &Questionnaire, question: &Question) -> String {
    if questionnaire.questions.len() == 1 {
        return "ANSWER".to_owned();
    }
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    format!("ANSWER_{}", question.asker_key().chars().map(letter).collect::<String>())
}

fn plain_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Array(values) => values.iter().map(plain_text).collect::<Vec<_>>().join("\n"),
        other => other.to_string(),
    }
}

/// Returns the answers as data, by the asker's names of their questions. A question without an answer has none.
pub fn plain_answers(questionnaire: &Questionnaire, replies: &Replies) -> Map<String, Value> {
    let mut answers = Map::new();
    for question in &questionnaire.questions {
        if let Some(answer) = replies.get(&question.id).and_then(Reply::answer) {
            answers.insert(question.asker_key().to_owned(), answer_value(question, answer));
        }
    }
    answers
}

/// Returns an answer as data in the asker's own words: one value for a single choice, a list for a multiple choice.
pub fn answer_value(question: &Question, answer: &Answer) -> Value {
    match (answer, question.choice()) {
        (Answer::Picks(picks), Some(choice)) => {
            let mut values = Vec::with_capacity(picks.len());
            for pick in picks.iter() {
                values.push(match pick {
                    Pick::Other(text) => text.as_str(),
                    Pick::Option(id) => choice.option(id).map_or(id.as_str(), ChoiceOption::asker_value),
                });
            }
            match values.as_slice() {
                [value] if !choice.multi => Value::from(*value),
                values => Value::from(values),
            }
        }
        (Answer::Picks(picks), _) => serde_json::json!(picks),
        (Answer::Text(text), _) => Value::from(text.as_str()),
        (Answer::Confirm(is_confirmed), _) => Value::from(*is_confirmed),
        (Answer::Rating(step), _) => Value::from(*step),
        (Answer::Number(number), _) => serde_json::json!(number),
        (Answer::Date(date), _) => serde_json::json!(date),
        (Answer::Time(time), _) => serde_json::json!(time),
        (Answer::Datetime(moment), _) => serde_json::json!(moment),
    }
}
