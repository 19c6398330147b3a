//! A questionnaire that came in another dialect, as a call of the tool within the limits of its generation.

use super::limits::Kept;
use super::read::rules;
use super::{AskUserQuestionsParameters, AuqLimits, Compat, OPTIONS_MIN, OptionInput, QuestionInput};
use crate::translate::{Can, Says, cut};
use crate::{Dialect, Lost, Translated};
use sayso_core::message::{Message, Text};
use sayso_core::rules::LengthUnit;
use sayso_core::wire::json;
use sayso_core::{Choice, Kind, Path, Question, QuestionId, Questionnaire};
use std::collections::HashMap;

/// The longest title that the spec recommends, in characters: only a title that is made up here is cut to it.
const TITLE_CHARS: usize = 12;

fn can(compat: Compat) -> Can {
    Can {
        dialect: Dialect::Auq,
        title: false,
        context: false,
        action: |_, _| false,
        sections: false,
        section_conditions: false,
        buttons: false,
        completed: false,
        question_ids: false,
        option_values: false,
        follow_ups: false,
        condition: |_, _, _| false,
        label: true,
        detail: false,
        placeholder: |_| false,
        prefill: false,
        unchecked: false,
        required: Says::Never,
        own_answer: Says::Always,
        own_label: false,
        own_place: false,
        description: true,
        constraint: |_, _| false,
        kind: |_| Vec::new(),
        refuses: match compat {
            Compat::Spec => |question| refuses(question, AuqLimits::spec().options()),
            Compat::V3_4 => |question| refuses(question, AuqLimits::v3_4().options()),
        },
        rules: rules(),
    }
}

/// Why the spec has no words for a question.
fn refuses(question: &Question, most: usize) -> Option<Text> {
    let Kind::Choice(choice) = &question.kind else {
        return Some(Message::LostKind.with([question.kind.name()]));
    };
    let count = choice.options.len();
    if !(OPTIONS_MIN..=most).contains(&count) {
        return Some(Message::LostOptionCount.with([count, OPTIONS_MIN, most]));
    }
    question.prompt.is_empty().then(|| Message::LostEmpty.into())
}

/// A questionnaire as a request: the first questions that the spec has words for, as many as a call may have in the
/// generation that it was asked in.
pub fn request(questionnaire: &Questionnaire) -> Translated {
    let kept = Kept::of(questionnaire);
    let compat = Compat::of(questionnaire);
    let (mut asked, mut lost) = can(compat).translate(questionnaire);
    if kept.is_none() && questionnaire.beside.contains_key(Dialect::Auq.name()) {
        let path = Path::root().then("beside").then(Dialect::Auq.name());
        lost.push(Lost { path, what: Message::LostBeside.with([Dialect::Auq.name()]), instead: None });
    }
    let places = Places::of(questionnaire);
    let most = AuqLimits::of(compat).questions();
    for question in asked.drain(most.min(asked.len())..) {
        lost.push(Lost {
            path: places.of_question(question),
            what: Message::LostBeyond.with([most]),
            instead: Some(Message::LeftOut.into()),
        });
    }
    let questions = asked.into_iter().map(|question| input(question, &places, &mut lost)).collect();
    let non_blocking = kept.is_some_and(|kept| kept.non_blocking);
    Translated { text: json::write(&AskUserQuestionsParameters { questions, non_blocking }), lost }
}

/// Where the questions stand.
struct Places<'q>(HashMap<&'q QuestionId, Path>);

impl<'q> Places<'q> {
    fn of(questionnaire: &'q Questionnaire) -> Self {
        let ids = questionnaire.questions.iter().map(|question| &question.id);
        Self(ids.zip(questionnaire.places()).collect())
    }

    fn of_question(&self, question: &Question) -> Path {
        self.0.get(&question.id).cloned().unwrap_or_default()
    }
}

fn input(question: &Question, places: &Places<'_>, lost: &mut Vec<Lost>) -> QuestionInput {
    let title = match question.label.as_deref().filter(|label| !label.is_empty()) {
        Some(label) => label.to_owned(),
        None => {
            let path = places.of_question(question).then("label");
            let instead = Some(Message::PromptStands.into());
            lost.push(Lost { path, what: Message::LostNoName.into(), instead });
            cut(&question.prompt, TITLE_CHARS, LengthUnit::Scalar, &Path::root, &mut Vec::new()).into_owned()
        }
    };
    let (options, multi_select) = match &question.kind {
        Kind::Choice(Choice { options, multi, .. }) => (options.as_slice(), *multi),
        _ => (&[][..], false),
    };
    let option = |option: &sayso_core::Opt| OptionInput {
        label: option.label.clone(),
        description: option.description.clone(),
    };
    let options = options.iter().map(option).collect();
    QuestionInput { prompt: question.prompt.clone(), title, options, multi_select }
}
