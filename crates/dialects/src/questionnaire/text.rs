//! Result as text for a model.

use super::messages::{CUSTOM_LABEL, DECLINED_MESSAGE};
use super::result::{QuestionnaireAnswer, result_answers};
use crate::format::cli_output::CliOutput;
use sayso_core::{Outcome, Questionnaire};

/// Formats an outcome as text for a model: one line per answer, `label: answer`.
///
/// A choice is its label, or `(自定义) text` for an own answer. Several picks are their labels, followed by
/// ` · (自定义)` if one is an own answer. Other answers are the typed text, the label of the button, or a step with its
/// annotation. Line breaks within an answer become spaces.
pub fn result_text(questionnaire: &Questionnaire, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Answered { replies, .. } => {
            let mut lines = Vec::new();
            for (question, answer) in result_answers(questionnaire, replies).0 {
                let line = format!("{}: {}", question.display_name(), answer_text(&answer));
                lines.push(join_parts(&line));
            }
            lines.join("\n")
        }
        Outcome::Declined { reason: Some(reason), .. } => format!("{DECLINED_MESSAGE}: {reason}"),
        Outcome::Declined { reason: None, .. } => DECLINED_MESSAGE.to_owned(),
        Outcome::Cancelled { .. } | Outcome::Expired { .. } => CliOutput::from_outcome(outcome).stderr,
    }
}

/// Joins the lines of a text by spaces, without empty ones.
fn join_parts(text: &str) -> String {
    let parts: Vec<_> = text.split(['\r', '\n']).filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

fn answer_text(answer: &QuestionnaireAnswer<'_>) -> String {
    match answer {
        QuestionnaireAnswer::Select { label, was_custom: true, .. } => format!("({CUSTOM_LABEL}) {label}"),
        QuestionnaireAnswer::Select { label, .. } | QuestionnaireAnswer::Confirm { label, .. } => {
            (*label).to_owned()
        }
        QuestionnaireAnswer::MultiSelect { labels, was_custom, .. } => {
            let custom = if *was_custom { format!(" · ({CUSTOM_LABEL})") } else { String::new() };
            format!("{}{custom}", labels.join(", "))
        }
        QuestionnaireAnswer::Text { text } => text.clone().into_owned(),
        QuestionnaireAnswer::Rating { value, annotation: "" } => value.to_string(),
        QuestionnaireAnswer::Rating { value, annotation } => format!("{value} ({annotation})"),
    }
}
