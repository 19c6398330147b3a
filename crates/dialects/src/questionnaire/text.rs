//! Result as text for a model.

use super::result::{Said, answers};
use super::{CUSTOM_LABEL, DECLINED};
use crate::Written;
use sayso_core::{Outcome, Questionnaire};

/// Formats an outcome as text for a model: one line per answer, `label: answer`.
///
/// A choice is its label, or `(自定义) text` for an own answer. Several picks are their labels, followed by
/// ` · (自定义)` if one is an own answer. Other answers are the typed text, the label of the button, or a step with its
/// annotation. Line breaks within an answer become spaces.
pub fn text(questionnaire: &Questionnaire, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Answered { replies, .. } => {
            let lines = answers(questionnaire, replies).0.into_iter().map(|(question, answer)| {
                let line = format!("{}: {}", question.name(), words(&answer));
                line.split(['\r', '\n']).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
            });
            lines.collect::<Vec<_>>().join("\n")
        }
        Outcome::Declined { reason: Some(reason), .. } => format!("{DECLINED}: {reason}"),
        Outcome::Declined { reason: None, .. } => DECLINED.to_owned(),
        Outcome::Cancelled { .. } | Outcome::Expired { .. } => Written::in_words(outcome).stderr,
    }
}

fn words(answer: &Said<'_>) -> String {
    match answer {
        Said::Select { label, was_custom: true, .. } => format!("({CUSTOM_LABEL}) {label}"),
        Said::Select { label, .. } | Said::Confirm { label, .. } => (*label).to_owned(),
        Said::MultiSelect { labels, was_custom, .. } => {
            let custom = if *was_custom { format!(" · ({CUSTOM_LABEL})") } else { String::new() };
            format!("{}{custom}", labels.join(", "))
        }
        Said::Text { text } => text.clone().into_owned(),
        Said::Rating { value, annotation: "" } => value.to_string(),
        Said::Rating { value, annotation } => format!("{value} ({annotation})"),
    }
}
