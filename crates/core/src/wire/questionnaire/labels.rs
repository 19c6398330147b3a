//! Labels in place of option ids. An option without an id gets a number, which its author does not know: conditions and
//! prefills may therefore name it by its label.

use crate::model::answer::{Answer, Pick};
use crate::model::id::{IdMap, OptionId, QuestionId};
use crate::model::question::choice::ChoiceOption;
use crate::model::question::condition::{AnswerCheck, Condition};
use crate::model::question::kind::QuestionKind;
use crate::model::questionnaire::Questionnaire;
use crate::model::value::ComparisonValue;
use std::mem;

/// Replaces labels of options by their ids, in conditions and prefills. A label that is another option's id, or that
/// two options share, is not replaced.
pub(super) fn resolve(questionnaire: &mut Questionnaire) {
    for question in &mut questionnaire.questions {
        let Some(Answer::Picks(picks)) = &mut question.prefill else { continue };
        let options = options(&question.kind);
        let mut resolved_picks = Vec::new();
        for pick in picks.as_slice() {
            let id = match pick {
                Pick::Option(name) => id_of_label(options, name.as_str()),
                Pick::Other(_) => None,
            };
            resolved_picks.push(id.map_or_else(|| pick.clone(), |id| Pick::Option(id.clone())));
        }
        *picks = resolved_picks.into();
    }
    let is_unconditional = questionnaire.questions.iter().all(|question| question.show_if.is_none())
        && questionnaire.sections.iter().all(|section| section.show_if.is_none());
    if is_unconditional {
        return;
    }
    // Conditions leave their questions while these are borrowed for their options.
    let mut conditions: Vec<_> =
        questionnaire.questions.iter_mut().map(|question| mem::take(&mut question.show_if)).collect();
    let by_id: IdMap<&QuestionId, &[ChoiceOption]> =
        questionnaire.questions.iter().map(|question| (&question.id, options(&question.kind))).collect();
    for condition in conditions.iter_mut().flatten() {
        resolve_condition(condition, &by_id);
    }
    for section in &mut questionnaire.sections {
        if let Some(condition) = &mut section.show_if {
            resolve_condition(condition, &by_id);
        }
    }
    for (question, condition) in questionnaire.questions.iter_mut().zip(conditions) {
        question.show_if = condition;
    }
}

fn options(kind: &QuestionKind) -> &[ChoiceOption] {
    match kind.choice() {
        Some(choice) => &choice.options,
        None => &[],
    }
}

/// Returns the id of the only option with this label, unless it is the id of an option.
fn id_of_label<'o>(options: &'o [ChoiceOption], label: &str) -> Option<&'o OptionId> {
    if options.iter().any(|option| option.id.as_str() == label) {
        return None;
    }
    let mut matches = options.iter().filter(|option| option.label == label);
    let first = matches.next()?;
    if matches.next().is_none() { Some(&first.id) } else { None }
}

fn resolve_condition(condition: &mut Condition, by_id: &IdMap<&QuestionId, &[ChoiceOption]>) {
    match condition {
        Condition::All(parts) | Condition::Any(parts) => {
            for part in parts {
                resolve_condition(part, by_id);
            }
        }
        Condition::Not(part) => resolve_condition(part, by_id),
        Condition::Test(test) => {
            let options = by_id.get(&test.question).copied().unwrap_or_default();
            let values = match &mut test.check {
                AnswerCheck::Is(value) => std::slice::from_mut(value),
                AnswerCheck::AnyOf(values) | AnswerCheck::AllOf(values) | AnswerCheck::NoneOf(values) => {
                    values
                }
                AnswerCheck::Answered(_)
                | AnswerCheck::HasOther(_)
                | AnswerCheck::AtLeast(_)
                | AnswerCheck::AtMost(_) => return,
            };
            for value in values {
                if let ComparisonValue::Text(text) = value
                    && let Some(id) = id_of_label(options, text)
                {
                    *value = ComparisonValue::Text(id.as_str().into());
                }
            }
        }
    }
}
