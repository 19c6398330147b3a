//! Answers given as data, in the format of results: the spec's `QuestionnaireResult`, read backwards.

use super::messages::CUSTOM_LABEL;
use super::spec::CUSTOM_VALUE;
use crate::format::problem_list::ProblemList;
use crate::format::submitted_answers::SubmittedAnswers;
use crate::format::submitted_answers::answer_place;
use crate::lenient::validator::RequestValidator;
use crate::lenient::wording;
use crate::lenient::{self, Lenient, LenientRecord, lenient_objects};
use sayso_core::Message;
use sayso_core::i18n::foreign;
use sayso_core::{
    Answer, ChoiceQuestion, DocumentPath, OptionId, Pick, Problem, ProblemCode, Question, QuestionInput,
    Questionnaire, Reply, i18n::spelling,
};
use serde_json::{Map, Value};
use std::collections::HashMap;

lenient_objects! {
    QuestionnaireAnswersInput<'t> {
        answers: "answers" => LenientRecord<'t, Value>,
    }
}

/// Reads `{"answers":{id: answer}}` by the asker's ids. Redundant members of an answer, such as labels, may be left
/// out. An own answer has `wasCustom: true`, or the value `__custom__` with the text as its label. An answer that
/// cannot be read is a problem of its question.
///
/// # Errors
/// Fails if the text is not such a document.
pub fn read_answers(questionnaire: &Questionnaire, text: &str) -> Result<SubmittedAnswers, Vec<Problem>> {
    let document =
        lenient::read_answers::<QuestionnaireAnswersInput<'_>>(text).map_err(|problem| vec![problem])?;
    let mut judge = RequestValidator::new(wording::own_wording);
    let document = judge.required(document, &DocumentPath::root).unwrap_or_default();
    let is_object = judge.is_clean();
    let answers = is_object
        .then(|| judge.required(document.answers, &|| DocumentPath::root().join("answers")))
        .flatten();
    judge.finish()?;
    let LenientRecord(answers) = answers.unwrap_or(LenientRecord(Vec::new()));
    let mut by_name: HashMap<&str, &Question> = HashMap::new();
    by_name.extend(questionnaire.questions.iter().map(|question| (question.id.as_str(), question)));
    by_name.extend(questionnaire.questions.iter().map(|question| (question.asker_key(), question)));
    let (mut given, mut report) = (SubmittedAnswers::default(), ProblemList::default());
    for (name, answer) in answers {
        let Some(question) = by_name.get(name.as_ref()) else {
            report.add(|| unknown_question(questionnaire, &name));
            continue;
        };
        let Lenient::Value(answer) = answer else { continue };
        match parse_reply(question, &answer) {
            Ok(reply) => {
                given.replies.insert(question.id.clone(), reply);
            }
            Err(problem) => report.add(|| problem.at(answer_place(question.id.as_str()))),
        }
    }
    given.problems = report.into_problems();
    Ok(given)
}

fn unknown_question(questionnaire: &Questionnaire, name: &str) -> Problem {
    let message = Message::NoSuchQuestion.with([foreign(name)]);
    let problem = Problem::new(ProblemCode::NoSuchQuestion, message).at(answer_place(name));
    match spelling::nearest_word(name, questionnaire.questions.iter().map(Question::asker_key)) {
        Some(nearest) => problem.with_hint(Message::DidYouMean.with([foreign(nearest)])),
        None => problem,
    }
}

/// Parses the answer to a question. The sheet validates it later.
fn parse_reply(question: &Question, answer: &Value) -> Result<Reply, Problem> {
    let misshapen = || shape_problem(question);
    let members = answer.as_object().ok_or_else(misshapen)?;
    match question.input() {
        QuestionInput::Options(choice) if choice.multi => {
            parse_picks(choice, members, misshapen).map(Reply::from_picks)
        }
        QuestionInput::Options(choice) => {
            parse_pick(choice, members, misshapen).map(|pick| Reply::from_picks([pick]))
        }
        QuestionInput::Toggle(_) => {
            let confirmed = members.get("confirmed").and_then(Value::as_bool);
            confirmed.map(|confirmed| Reply::from_answer(Answer::Confirm(confirmed))).ok_or_else(misshapen)
        }
        QuestionInput::Scale(_) => {
            let number = members.get("value").and_then(whole_number);
            number.map(|number| Reply::from_answer(Answer::Rating(number))).ok_or_else(misshapen)
        }
        // The spec has no other types.
        QuestionInput::Line(_) => {
            let text = members.get("text").and_then(Value::as_str);
            text.map(Reply::from_text).ok_or_else(misshapen)
        }
    }
}

/// Returns the problem that shows the expected format of an answer.
fn shape_problem(question: &Question) -> Problem {
    let shape = match question.input() {
        QuestionInput::Options(choice) if choice.multi => {
            r#"{"values":["…"],"labels":["…"],"wasCustom":false}"#
        }
        QuestionInput::Options(_) => r#"{"value":"…","label":"…","wasCustom":false}"#,
        QuestionInput::Toggle(_) => r#"{"confirmed":true,"label":"…"}"#,
        QuestionInput::Scale(_) => r#"{"value":5,"annotation":"…"}"#,
        QuestionInput::Line(_) => r#"{"text":"…"}"#,
    };
    Problem::new(ProblemCode::InvalidType, Message::AnswerShape.with([shape]))
}

/// Reads a whole number by the rules of JavaScript.
fn whole_number(value: &Value) -> Option<i32> {
    let number = value.as_number()?;
    let mut judge = RequestValidator::new(wording::own_wording);
    let whole = judge.optional_integer(Lenient::Value(number.clone()), &DocumentPath::root)?;
    Some(i32::try_from(whole).unwrap_or(if whole < 0 { i32::MIN } else { i32::MAX }))
}

/// Returns whether the answer has a typed part; `None` if the member has another type.
fn was_custom(members: &Map<String, Value>) -> Option<bool> {
    members.get("wasCustom").map_or(Some(false), Value::as_bool)
}

fn parse_pick(
    choice: &ChoiceQuestion,
    members: &Map<String, Value>,
    misshapen: impl Fn() -> Problem,
) -> Result<Pick, Problem> {
    let value = members.get("value").and_then(Value::as_str).ok_or_else(&misshapen)?;
    let label = members.get("label").map_or(Some(None), |label| label.as_str().map(Some));
    let (label, was_custom) = label.zip(was_custom(members)).ok_or_else(&misshapen)?;
    let options = OptionIndex::from_choice(choice);
    if let Some(own) = options.custom_answer(value, label, was_custom) {
        return Ok(own);
    }
    if was_custom {
        return Ok(Pick::Other(value.to_owned()));
    }
    options.pick(value, label, 0).ok_or_else(|| options.unknown_option(value))
}

fn parse_picks(
    choice: &ChoiceQuestion,
    members: &Map<String, Value>,
    misshapen: impl Fn() -> Problem,
) -> Result<Vec<Pick>, Problem> {
    let texts = |name: &str| -> Option<Option<Vec<&str>>> {
        let Some(list) = members.get(name) else { return Some(None) };
        list.as_array()?.iter().map(Value::as_str).collect::<Option<Vec<_>>>().map(Some)
    };
    let values = texts("values").flatten().ok_or_else(&misshapen)?;
    let labels = texts("labels").ok_or_else(&misshapen)?.unwrap_or_default();
    let was_custom = was_custom(members).ok_or_else(&misshapen)?;
    let options = OptionIndex::from_choice(choice);
    let label_at = |at: usize| labels.get(at).copied();
    let own = if was_custom { options.typed_index(&values, label_at) } else { None };
    let mut counts: HashMap<(&str, Option<&str>), usize> = HashMap::new();
    let mut picks = Vec::with_capacity(values.len());
    for (at, value) in values.iter().copied().enumerate() {
        let label = label_at(at);
        let before = counts.entry((value, label)).or_default();
        let pick = match options.custom_answer(value, label, was_custom) {
            Some(own) => own,
            None if own == Some(at) => Pick::Other(value.to_owned()),
            None => options.pick(value, label, *before).ok_or_else(|| options.unknown_option(value))?,
        };
        *before += 1;
        picks.push(pick);
    }
    Ok(picks)
}

/// Index of a choice's options by the values that the asker gets; several options may have the same one.
#[derive(Default)]
struct OptionIndex<'c> {
    by_value: HashMap<&'c str, Vec<&'c OptionId>>,
    /// Options with the same value, told apart by their labels.
    by_label: HashMap<&'c str, HashMap<&'c str, Vec<&'c OptionId>>>,
}

impl<'c> OptionIndex<'c> {
    fn from_choice(choice: &'c ChoiceQuestion) -> Self {
        let mut options = Self::default();
        for option in &choice.options {
            let (value, label) = (option.sent_value(), option.label.as_str());
            options.by_value.entry(value).or_default().push(&option.id);
            options.by_label.entry(value).or_default().entry(label).or_default().push(&option.id);
        }
        options
    }

    /// Returns the options with this value, and with this label if one of them has it.
    fn matching(&self, value: &str, label: Option<&str>) -> Option<&[&'c OptionId]> {
        let labelled = label.and_then(|label| self.by_label.get(value)?.get(label));
        labelled.or_else(|| self.by_value.get(value)).map(Vec::as_slice)
    }

    /// Returns the option with this value, given the number of equal ones before it.
    fn pick(&self, value: &str, label: Option<&str>, before: usize) -> Option<Pick> {
        let alike = self.matching(value, label)?;
        let option = alike.get(before).or(alike.first())?;
        Some(Pick::Option((*option).clone()))
    }

    /// Returns an own answer that is written as the option for one, with the text as its label. The person may also
    /// have typed exactly those words.
    fn custom_answer(&self, value: &str, label: Option<&str>, was_custom: bool) -> Option<Pick> {
        let is_offer = value == CUSTOM_VALUE && !self.by_value.contains_key(value);
        let is_text = |label: &&str| *label != CUSTOM_LABEL && (was_custom || *label != CUSTOM_VALUE);
        is_offer.then(|| Pick::Other(label.filter(is_text).unwrap_or_default().to_owned()))
    }

    /// Returns the index of the typed one among several values: the last that fits the first rule that any fits.
    ///
    /// 1. It is no option's value.
    /// 2. Its label is not that of an option with its value.
    /// 3. It occurs more often than options with its value and label.
    /// 4. It occurs more often than options with its value.
    /// 5. Its label is missing or equals the value.
    fn typed_index<'v>(
        &self,
        values: &[&'v str],
        label_at: impl Fn(usize) -> Option<&'v str>,
    ) -> Option<usize> {
        let last = |is: &dyn Fn(usize, &str) -> bool| {
            values.iter().enumerate().rev().find(|(at, value)| is(*at, value)).map(|(at, _)| at)
        };
        let is_label_strange = |at: usize, value: &str| {
            label_at(at)
                .is_some_and(|label| !self.by_label.get(value).is_some_and(|by| by.contains_key(label)))
        };
        let mut seen: HashMap<(&str, Option<&str>), usize> = HashMap::new();
        let mut beyond = |label_of: &dyn Fn(usize) -> Option<&'v str>| {
            seen.clear();
            let mut beyond = None;
            for (at, value) in values.iter().copied().enumerate() {
                let count = seen.entry((value, label_of(at))).or_default();
                *count += 1;
                let alike = self.matching(value, label_of(at)).map_or(0, <[_]>::len);
                beyond = if *count > alike { Some(at) } else { beyond };
            }
            beyond
        };
        let (beyond_alike, beyond_value) = (beyond(&label_at), beyond(&|_| None));
        last(&|_, value| !self.by_value.contains_key(value))
            .or_else(|| last(&is_label_strange))
            .or(beyond_alike)
            .or(beyond_value)
            .or_else(|| last(&|at, value| label_at(at).is_none_or(|label| label == value)))
    }

    fn unknown_option(&self, value: &str) -> Problem {
        let problem = Problem::new(ProblemCode::NoSuchOption, Message::NoSuchOption.with([foreign(value)]));
        let mut values: Vec<&str> = self.by_value.keys().copied().collect();
        values.sort_unstable();
        match spelling::nearest_word(value, values.into_iter()) {
            Some(nearest) => problem.with_hint(Message::DidYouMean.with([foreign(nearest)])),
            None => problem,
        }
    }
}
