//! Labels in place of option ids. An option without an id gets a number, which its author does not know: conditions and
//! prefills may therefore name it by its label.

use crate::kinds::Answer;
use crate::kinds::QuestionKind;
use crate::kinds::choice::ChoiceOption;
use crate::model::answer::Pick;
use crate::model::answer::Picks;
use crate::model::condition::{AnswerCheck, Condition};
use crate::model::id::{IdMap, OptionId, QuestionId};
use crate::model::question::Question;
use crate::model::questionnaire::Questionnaire;
use crate::model::value::ComparisonValue;
use std::mem;

/// Replaces labels of options by their ids, in conditions and prefills. A label that is another option's id, or that
/// two options share, is not replaced.
pub(super) fn resolve(questionnaire: &mut Questionnaire) {
    for question in &mut questionnaire.questions {
        let Some(Answer::Picks(picks)) = &mut question.prefill else { continue };
        let options = options(&question.kind);
        let resolved = picks.as_slice().iter().cloned().map(|pick| match pick {
            Pick::Option(named) => {
                Pick::Option(id_of_label(options, named.as_str()).cloned().unwrap_or(named))
            }
            Pick::Other(own) => Pick::Other(own),
        });
        *picks = resolved.collect::<Picks>();
    }
    let has_conditions = |question: &Question| question.show_if.is_some();
    if !questionnaire.questions.iter().any(has_conditions)
        && questionnaire.sections.iter().all(|section| section.show_if.is_none())
    {
        return;
    }
    let mut conditions: Vec<_> =
        questionnaire.questions.iter_mut().map(|question| mem::take(&mut question.show_if)).collect();
    let by_id: IdMap<&QuestionId, &[ChoiceOption]> =
        questionnaire.questions.iter().map(|question| (&question.id, options(&question.kind))).collect();
    let in_sections = questionnaire.sections.iter_mut().filter_map(|section| section.show_if.as_mut());
    for condition in conditions.iter_mut().flatten().chain(in_sections) {
        resolve_condition(condition, &by_id);
    }
    for (question, condition) in questionnaire.questions.iter_mut().zip(conditions) {
        question.show_if = condition;
    }
}

fn options(kind: &QuestionKind) -> &[ChoiceOption] {
    kind.choice().map(|choice| choice.options.as_slice()).unwrap_or_default()
}

/// Returns the id of the only option with this label, unless it is the id of an option.
fn id_of_label<'o>(options: &'o [ChoiceOption], label: &str) -> Option<&'o OptionId> {
    if options.iter().any(|option| option.id.as_str() == label) {
        return None;
    }
    let mut named = options.iter().filter(|option| option.label == label).map(|option| &option.id);
    let first = named.next();
    if named.next().is_none() { first } else { None }
}

fn resolve_condition(condition: &mut Condition, by_id: &IdMap<&QuestionId, &[ChoiceOption]>) {
    match condition {
        Condition::All(parts) | Condition::Any(parts) => {
            parts.iter_mut().for_each(|part| resolve_condition(part, by_id));
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
