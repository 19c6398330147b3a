//! Confirmations that may be answered with no. A checkbox that is required only takes yes, so where a questionnaire of
//! another dialect asks for either, both stand there to be picked.

use sayso_core::{Answer, Choice, Kind, Lang, Opt, OptionId, Pick, Question, Rules, words};
use std::borrow::Cow;

/// The question as it is asked: itself, or yes and no as the options of a choice.
pub(super) fn asked<'q>(question: &'q Question, rules: &Rules) -> Cow<'q, Question> {
    if !stands_as_choice(question, rules) {
        return Cow::Borrowed(question);
    }
    let option = |yes: bool| Opt::new(yes.to_string(), words::confirm(question, yes, Lang::En));
    let kind = Kind::Choice(Choice { options: [true, false].map(option).into(), ..Choice::default() });
    let picked = |answer: &Answer| match answer {
        Answer::Confirm(yes) => Answer::Picks(Pick::Option(OptionId::new(yes.to_string())).into()),
        other => other.clone(),
    };
    Cow::Owned(Question { prefill: question.prefill.as_ref().map(picked), kind, ..question.clone() })
}

/// Whether a question is a confirmation that must be answered, with either.
pub(super) fn stands_as_choice(question: &Question, rules: &Rules) -> bool {
    question.required && !rules.must_be_true && matches!(question.kind, Kind::Confirm(_))
}
