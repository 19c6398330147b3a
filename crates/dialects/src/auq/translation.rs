//! Translation of a questionnaire from another dialect to a call of the tool, within the limits of its generation.

use super::command::options;
use super::limits::AuqExtensions;
use super::reader::rules;
use super::{AskUserQuestionsParameters, AuqLimits, OPTIONS_MIN, OptionInput, QuestionInput};
use crate::translation::places::QuestionPlaces;
use crate::translation::{DialectCapabilities, RuleSupport};
use crate::{Dialect, TranslatedRequest, TranslationLoss};
use sayso_core::rules::LengthUnit;
use sayso_core::wire::json;
use sayso_core::{LocalizedText, Message};
use sayso_core::{Question, Questionnaire};

/// Longest title that the spec recommends, in characters. Only generated titles are cut to it.
const TITLE_CHARS: usize = 12;

/// Returns the reason that the spec cannot express a question.
fn untranslatable(question: &Question, most: usize) -> Option<LocalizedText> {
    let Some(choice) = question.choice() else {
        return Some(Message::LostKind.with([question.kind.name()]));
    };
    let count = choice.options.len();
    if !(OPTIONS_MIN..=most).contains(&count) {
        return Some(Message::LostOptionCount.with([count, OPTIONS_MIN, most]));
    }
    question.prompt.is_empty().then(|| Message::LostEmpty.into())
}

/// Writes a questionnaire as a request: the first expressible questions, as many as a call may have. One that was asked
/// in 3.4 is written in 3.4, within its default limits if the given ones are for the spec's generation.
pub fn write_request(questionnaire: &Questionnaire, limits: &AuqLimits) -> TranslatedRequest {
    let kept = AuqExtensions::from_questionnaire(questionnaire);
    let limits = match kept {
        Some(kept) if kept.compat != limits.compat() => AuqLimits::from_compat(kept.compat),
        _ => *limits,
    };
    let can = DialectCapabilities::choices_only(Dialect::Auq, RuleSupport::Never, rules());
    let refuses = |question: &Question| untranslatable(question, limits.options());
    let (asked, mut lost) = can.translate(questionnaire, &refuses, limits.questions());
    if kept.is_none() && questionnaire.extensions.contains_key(Dialect::Auq.name()) {
        lost.push(TranslationLoss::of_extensions(Dialect::Auq.name()));
    }
    let places = QuestionPlaces::from_questionnaire(questionnaire);
    let questions = asked.into_iter().map(|question| input(question, &places, &mut lost)).collect();
    let non_blocking = kept.is_some_and(|kept| kept.non_blocking);
    TranslatedRequest { text: json::write(&AskUserQuestionsParameters { questions, non_blocking }), lost }
}

fn input(question: &Question, places: &QuestionPlaces<'_>, lost: &mut Vec<TranslationLoss>) -> QuestionInput {
    let title = match question.label.as_deref().filter(|label| !label.is_empty()) {
        Some(label) => label.to_owned(),
        None => places.generated_name(question, TITLE_CHARS, LengthUnit::Scalar, lost).into_owned(),
    };
    let (options, multi_select) = options(question);
    let option = |option: &sayso_core::ChoiceOption| OptionInput {
        label: option.label.clone(),
        description: option.description.clone(),
    };
    let options = options.iter().map(option).collect();
    QuestionInput { prompt: question.prompt.clone(), title, options, multi_select }
}
