//! Assignment of ids: from drafts with the asker's names to the questionnaire.

use crate::format::problem_list::{self, ProblemList};
use crate::lenient::CowText;
use crate::names;
use crate::questionnaire::show_if;
use crate::questionnaire::spec::spec_rules;
use sayso_core::Message;
use sayso_core::i18n::foreign;
use sayso_core::{Condition, Problem, ProblemCode, Question, Questionnaire};

/// Question before ids are assigned: it and its options have the asker's names as ids.
pub(super) struct QuestionDraft<'t> {
    pub(super) question: Question,
    pub(super) parent: Option<usize>,
    pub(super) show_if: Option<CowText<'t>>,
    pub(super) origins: Vec<Option<usize>>,
}

/// Builds the questionnaire from these drafts, with a warning for each `showIf` that never holds.
pub(super) fn assign_ids(drafts: Vec<QuestionDraft<'_>>, warnings: &mut ProblemList) -> Questionnaire {
    let mut ids = names::assign_ids(drafts.iter().map(|draft| draft.question.id.as_str()), 'q', 0, []);
    let mut compared_texts: Vec<(usize, CowText<'_>)> = Vec::new();
    for draft in &drafts {
        compared_texts.extend(draft.parent.zip(draft.show_if.clone()));
    }
    compared_texts.sort_by_key(|(parent, _)| *parent);
    let mut questions: Vec<Question> = Vec::with_capacity(drafts.len());
    let mut impossible = Vec::new();
    for draft in drafts {
        let mut question = draft.question;
        if let Some(id) = ids.next_id() {
            let name = std::mem::replace(&mut question.id, id.into());
            question.key = Some(name.to_string());
        }
        if let Some(choice) = question.kind.choice_mut() {
            // No id equals a value that a `showIf` compares with.
            names::assign_option_ids(&mut choice.options, compared_values(&compared_texts, questions.len()));
        }
        if let Some(parent_index) = draft.parent
            && let Some(parent) = questions.get(parent_index)
        {
            question.parent = Some(parent.id.clone());
            if let Some(value) = draft.show_if {
                let condition = show_if::parse_condition(parent, &value);
                if condition.is_none() {
                    let value = value.into_owned();
                    impossible.push(ImpossibleShowIf { at: questions.len(), parent: parent_index, value });
                }
                question.show_if = Some(condition.unwrap_or_else(Condition::always_false));
            }
        }
        questions.push(question);
    }
    let questionnaire = Questionnaire { questions, rules: spec_rules(), ..Questionnaire::default() };
    if !impossible.is_empty() {
        warn_of_impossible(&questionnaire, &impossible, warnings);
    }
    questionnaire
}

/// A `showIf` that never holds: the indices of its question and of the parent, and its value.
struct ImpossibleShowIf {
    at: usize,
    parent: usize,
    value: String,
}

/// Warns of each `showIf` that never holds, at its value.
fn warn_of_impossible(
    questionnaire: &Questionnaire,
    impossible: &[ImpossibleShowIf],
    warnings: &mut ProblemList,
) {
    let places = questionnaire.question_paths();
    for ImpossibleShowIf { at, parent, value } in impossible {
        let Some(parent) = questionnaire.questions.get(*parent) else { continue };
        warnings.add(|| {
            let names =
                [parent.asker_key(), value.as_str()].map(|name| foreign(problem_list::short_name(name)));
            let place = places.get(*at).cloned().unwrap_or_default().join("showIf").join("value");
            Problem::new(ProblemCode::BadCondition, Message::ShowIfNeverHolds.with(names)).at(place)
        });
    }
}

/// Returns the values that are compared with the answer to the question at this index; they are adjacent.
fn compared_values<'c>(compared: &'c [(usize, CowText<'_>)], at: usize) -> impl Iterator<Item = &'c str> {
    let first = compared.partition_point(|(parent, _)| *parent < at);
    let values = compared.iter().skip(first).take_while(move |(parent, _)| *parent == at);
    values.map(|(_, value)| value.as_ref())
}
