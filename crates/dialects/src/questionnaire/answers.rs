//! Answers given as data, in the format of results: the spec's `QuestionnaireResult`, read backwards.

use super::messages::CUSTOM_LABEL;
use super::spec::CUSTOM_VALUE;
use crate::format::problem_list::ProblemList;
use crate::format::submitted_answers::SubmittedAnswers;
use crate::format::submitted_answers::answer_place;
use crate::lenient::validator::{LazyPlace, RequestValidator};
use crate::lenient::wording;
use crate::lenient::{self, Lenient, LenientRecord, lenient_objects};
use sayso_core::Message;
use sayso_core::i18n::foreign;
use sayso_core::{
    Answer, ChoiceQuestion, OptionId, Pick, Problem, ProblemCode, Question, QuestionInput, Questionnaire,
    Reply, i18n::spelling,
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
pub(crate) fn read_answers(
    questionnaire: &Questionnaire,
    text: &str,
) -> Result<SubmittedAnswers, Vec<Problem>> {
    let document = lenient::read_answers::<QuestionnaireAnswersInput<'_>>(text)?;
    let mut judge = RequestValidator::new(wording::own_wording);
    let mut answers = LenientRecord(Vec::new());
    if let Some(document) = judge.required(document, LazyPlace::Root)
        && let Some(record) = judge.required(document.answers, LazyPlace::Root.member("answers"))
    {
        answers = record;
    }
    judge.finish()?;
    let by_name = questions_by_name(questionnaire);
    let mut submitted = SubmittedAnswers::default();
    let mut problems = ProblemList::default();
    for (name, answer) in answers.0 {
        let Some(question) = by_name.get(name.as_ref()) else {
            problems.add(|| unknown_question(questionnaire, &name));
            continue;
        };
        let Lenient::Value(answer) = answer else { continue };
        match parse_reply(question, &answer) {
            Ok(reply) => {
                submitted.replies.insert(question.id.clone(), reply);
            }
            Err(problem) => problems.add(|| problem.at(answer_place(question.id.as_str()))),
        }
    }
    submitted.problems = problems.into_problems();
    Ok(submitted)
}

/// Returns the questions by their ids and by the asker's names, which win.
fn questions_by_name(questionnaire: &Questionnaire) -> HashMap<&str, &Question> {
    let mut by_name = HashMap::new();
    by_name.extend(questionnaire.questions.iter().map(|question| (question.id.as_str(), question)));
    by_name.extend(questionnaire.questions.iter().map(|question| (question.asker_key(), question)));
    by_name
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
    let Some(members) = answer.as_object() else { return Err(shape_problem(question)) };
    let reply = match question.input() {
        QuestionInput::Options(choice) if choice.multi => {
            parse_picks(choice, members)?.map(Reply::from_picks)
        }
        QuestionInput::Options(choice) => parse_pick(choice, members)?.map(|pick| Reply::from_picks([pick])),
        QuestionInput::Toggle(_) => {
            let is_confirmed = members.get("confirmed").and_then(Value::as_bool);
            is_confirmed.map(Answer::Confirm).map(Reply::from_answer)
        }
        QuestionInput::Scale(_) => {
            let number = members.get("value").and_then(whole_number);
            number.map(Answer::Rating).map(Reply::from_answer)
        }
        // The spec has no other types.
        QuestionInput::Line(_) => members.get("text").and_then(Value::as_str).map(Reply::from_text),
    };
    match reply {
        Some(reply) => Ok(reply),
        None => Err(shape_problem(question)),
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
    let whole = judge.optional_integer(Lenient::Value(number.clone()), LazyPlace::Root)?;
    Some(i32::try_from(whole).unwrap_or(if whole < 0 { i32::MIN } else { i32::MAX }))
}

/// Returns whether the answer has a typed part; `None` if the member has another type.
fn was_custom(members: &Map<String, Value>) -> Option<bool> {
    members.get("wasCustom").map_or(Some(false), Value::as_bool)
}

/// Parses the answer to a single choice; `None` if a member has another type.
///
/// # Errors
/// Returns the problem of an unknown option.
fn parse_pick(choice: &ChoiceQuestion, members: &Map<String, Value>) -> Result<Option<Pick>, Problem> {
    let Some(value) = members.get("value").and_then(Value::as_str) else { return Ok(None) };
    let label = match members.get("label") {
        None => None,
        Some(Value::String(label)) => Some(label.as_str()),
        Some(_) => return Ok(None),
    };
    let Some(was_custom) = was_custom(members) else { return Ok(None) };
    let options = OptionIndex::from_choice(choice);
    if let Some(own_answer) = options.custom_answer(value, label, was_custom) {
        return Ok(Some(own_answer));
    }
    if was_custom {
        return Ok(Some(Pick::Other(value.to_owned())));
    }
    match options.pick(value, label, 0) {
        Some(pick) => Ok(Some(pick)),
        None => Err(options.unknown_option(value)),
    }
}

/// Parses the answer to a multiple choice; `None` if a member has another type.
///
/// # Errors
/// Returns the problem of the first unknown option.
fn parse_picks(choice: &ChoiceQuestion, members: &Map<String, Value>) -> Result<Option<Vec<Pick>>, Problem> {
    let Some(values) = members.get("values").and_then(texts) else { return Ok(None) };
    let labels = match members.get("labels") {
        None => Vec::new(),
        Some(labels) => match texts(labels) {
            Some(labels) => labels,
            None => return Ok(None),
        },
    };
    let Some(was_custom) = was_custom(members) else { return Ok(None) };
    let options = OptionIndex::from_choice(choice);
    let typed_index = if was_custom { options.typed_index(&values, &labels) } else { None };
    let mut counts: HashMap<(&str, Option<&str>), usize> = HashMap::new();
    let mut picks = Vec::with_capacity(values.len());
    for (at, value) in values.into_iter().enumerate() {
        let label = labels.get(at).copied();
        let count = counts.entry((value, label)).or_default();
        let pick = if let Some(own_answer) = options.custom_answer(value, label, was_custom) {
            own_answer
        } else if typed_index == Some(at) {
            Pick::Other(value.to_owned())
        } else if let Some(pick) = options.pick(value, label, *count) {
            pick
        } else {
            return Err(options.unknown_option(value));
        };
        *count += 1;
        picks.push(pick);
    }
    Ok(Some(picks))
}

/// Returns the elements of a list that has only texts.
fn texts(value: &Value) -> Option<Vec<&str>> {
    value.as_array()?.iter().map(Value::as_str).collect()
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
            let value = option.sent_value();
            let label = option.label.as_str();
            options.by_value.entry(value).or_default().push(&option.id);
            options.by_label.entry(value).or_default().entry(label).or_default().push(&option.id);
        }
        options
    }

    /// Returns the options with this value, and with this label if one of them has it.
    fn matching(&self, value: &str, label: Option<&str>) -> Option<&[&'c OptionId]> {
        if let Some(label) = label
            && let Some(options) = self.by_label.get(value)?.get(label)
        {
            return Some(options);
        }
        self.by_value.get(value).map(Vec::as_slice)
    }

    /// Returns the option with this value, given the number of equal ones before it.
    fn pick(&self, value: &str, label: Option<&str>, count_before: usize) -> Option<Pick> {
        let options = self.matching(value, label)?;
        let option = options.get(count_before).or(options.first())?;
        Some(Pick::Option((*option).clone()))
    }

    /// Returns an own answer that is written as the option for one, with the text as its label. The person may also
    /// have typed exactly those words.
    fn custom_answer(&self, value: &str, label: Option<&str>, was_custom: bool) -> Option<Pick> {
        if value != CUSTOM_VALUE || self.by_value.contains_key(value) {
            return None;
        }
        let label = label.unwrap_or_default();
        let is_text = label != CUSTOM_LABEL && (was_custom || label != CUSTOM_VALUE);
        Some(Pick::Other(if is_text { label.to_owned() } else { String::new() }))
    }

    /// Returns the index of the typed one among several values: the last that fits the first rule that any fits.
    ///
    /// 1. It is no option's value.
    /// 2. Its label is not that of an option with its value.
    /// 3. It occurs more often than options with its value and label.
    /// 4. It occurs more often than options with its value.
    /// 5. Its label is missing or equals the value.
    fn typed_index(&self, values: &[&str], labels: &[&str]) -> Option<usize> {
        let mut unknown_value = None;
        let mut unknown_label = None;
        let mut beyond_label = None;
        let mut beyond_value = None;
        let mut no_other_label = None;
        let mut counts: HashMap<(&str, Option<&str>), usize> = HashMap::new();
        let mut value_counts: HashMap<&str, usize> = HashMap::new();
        for (at, value) in values.iter().copied().enumerate() {
            let label = labels.get(at).copied();
            if !self.by_value.contains_key(value) {
                unknown_value = Some(at);
            }
            if let Some(label) = label
                && !self.by_label.get(value).is_some_and(|options| options.contains_key(label))
            {
                unknown_label = Some(at);
            }
            let count = counts.entry((value, label)).or_default();
            *count += 1;
            if *count > self.matching(value, label).map_or(0, <[_]>::len) {
                beyond_label = Some(at);
            }
            let value_count = value_counts.entry(value).or_default();
            *value_count += 1;
            if *value_count > self.matching(value, None).map_or(0, <[_]>::len) {
                beyond_value = Some(at);
            }
            if label.is_none_or(|label| label == value) {
                no_other_label = Some(at);
            }
        }
        unknown_value.or(unknown_label).or(beyond_label).or(beyond_value).or(no_other_label)
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
