//! Confirmations that may be answered with no. A required checkbox only accepts yes; so if a questionnaire of another
//! dialect accepts either, it is asked as a choice of yes and no.

use sayso_core::{
    Answer, ChoiceOption, ChoiceQuestion, Lang, OptionId, Pick, Question, QuestionKind, Rules,
    i18n::describe_answer,
};
use std::borrow::Cow;

/// Returns the question to ask: the original, or a choice of yes and no.
pub(crate) fn to_asked_question<'q>(question: &'q Question, rules: &Rules) -> Cow<'q, Question> {
    if !is_asked_as_choice(question, rules) {
        return Cow::Borrowed(question);
    }
    let option = |yes: bool| {
        ChoiceOption::new(yes.to_string(), describe_answer::describe_confirm(question, yes, Lang::En))
    };
    let kind = QuestionKind::Choice(ChoiceQuestion {
        options: [true, false].map(option).into(),
        ..ChoiceQuestion::default()
    });
    let picked = |answer: &Answer| match answer {
        Answer::Confirm(yes) => Answer::Picks(Pick::Option(OptionId::new(yes.to_string())).into()),
        other => other.clone(),
    };
    Cow::Owned(Question { prefill: question.prefill.as_ref().map(picked), kind, ..question.clone() })
}

/// Returns whether a question is a confirmation that must be answered, with either.
pub(crate) fn is_asked_as_choice(question: &Question, rules: &Rules) -> bool {
    question.required && !rules.must_be_true && matches!(question.kind, QuestionKind::Confirm(_))
}
