//! Answers given as data, in the format of results: the spec's `QuestionnaireResult`, read backwards.

use super::{CUSTOM_LABEL, CUSTOM_VALUE};
use crate::Given;
use crate::given::answer_place;
use crate::judge::{self, Judge};
use crate::loose::{self, Loose, Record, members};
use crate::told::Told;
use sayso_core::message::Message;
use sayso_core::{
    Answer, Choice, Code, Kind, OptionId, Path, Pick, Problem, Question, Questionnaire, Reply, spelling,
};
use serde_json::{Map, Value};
use std::collections::HashMap;

#[derive(Default)]
struct Document<'t> {
    answers: Loose<Record<'t, Value>>,
}

members!(Document<'t> { "answers" => answers });

/// Reads `{"answers":{id: answer}}` by the asker's ids. Redundant members of an answer, such as labels, may be left
/// out. An own answer has `wasCustom: true`, or the value `__custom__` with the text as its label. An answer that
/// cannot be read is a problem of its question.
///
/// # Errors
/// Fails if the text is not such a document.
pub fn read_answers(questionnaire: &Questionnaire, text: &str) -> Result<Given, Vec<Problem>> {
    let document = loose::read_answers::<Document<'_>>(text).map_err(|problem| vec![problem])?;
    let mut judge = Judge::new(judge::plain);
    let document = judge.expect(document, &Path::root).unwrap_or_default();
    let is_there = judge.is_clean();
    let answers =
        is_there.then(|| judge.expect(document.answers, &|| Path::root().then("answers"))).flatten();
    judge.verdict()?;
    let Record(answers) = answers.unwrap_or(Record(Vec::new()));
    let mut by_name: HashMap<&str, &Question> = HashMap::new();
    by_name.extend(questionnaire.questions.iter().map(|question| (question.id.as_str(), question)));
    by_name.extend(questionnaire.questions.iter().map(|question| (question.key(), question)));
    let (mut given, mut told) = (Given::default(), Told::default());
    for (name, answer) in answers {
        let Some(question) = by_name.get(name.as_ref()) else {
            told.add(|| no_such_question(questionnaire, &name));
            continue;
        };
        let Loose::Value(answer) = answer else { continue };
        match reply(question, &answer) {
            Ok(reply) => {
                given.replies.insert(question.id.clone(), reply);
            }
            Err(problem) => told.add(|| problem.at(answer_place(question.id.as_str()))),
        }
    }
    given.problems = told.all();
    Ok(given)
}

fn no_such_question(questionnaire: &Questionnaire, name: &str) -> Problem {
    let said = Message::NoSuchQuestion.with([name]);
    let problem = Problem::new(Code::NoSuchQuestion, said).at(answer_place(name));
    match spelling::nearest(name, questionnaire.questions.iter().map(Question::key)) {
        Some(nearest) => problem.hint(Message::DidYouMean.with([nearest])),
        None => problem,
    }
}

/// Parses the answer to a question. The sheet validates it later.
fn reply(question: &Question, answer: &Value) -> Result<Reply, Problem> {
    let misshapen = || misshapen(question);
    let members = answer.as_object().ok_or_else(misshapen)?;
    match &question.kind {
        Kind::Choice(choice) if choice.multi => several(choice, members, misshapen).map(Reply::picks),
        Kind::Choice(choice) => one(choice, members, misshapen).map(|pick| Reply::picks([pick])),
        Kind::Confirm(_) => {
            let confirmed = members.get("confirmed").and_then(Value::as_bool);
            confirmed.map(|confirmed| Reply::of(Answer::Confirm(confirmed))).ok_or_else(misshapen)
        }
        Kind::Rating(_) => {
            let number = members.get("value").and_then(whole);
            number.map(|number| Reply::of(Answer::Rating(number))).ok_or_else(misshapen)
        }
        // The spec has no other types.
        Kind::Text(_) | Kind::Number(_) | Kind::Date | Kind::Time | Kind::Datetime => {
            let text = members.get("text").and_then(Value::as_str);
            text.map(Reply::text).ok_or_else(misshapen)
        }
    }
}

/// Returns the problem that shows the expected format of an answer.
fn misshapen(question: &Question) -> Problem {
    let shape = match &question.kind {
        Kind::Choice(choice) if choice.multi => r#"{"values":["…"],"labels":["…"],"wasCustom":false}"#,
        Kind::Choice(_) => r#"{"value":"…","label":"…","wasCustom":false}"#,
        Kind::Confirm(_) => r#"{"confirmed":true,"label":"…"}"#,
        Kind::Rating(_) => r#"{"value":5,"annotation":"…"}"#,
        _ => r#"{"text":"…"}"#,
    };
    Problem::new(Code::InvalidType, Message::AnswerShape.with([shape]))
}

/// Reads a whole number by the rules of JavaScript.
fn whole(value: &Value) -> Option<i32> {
    let number = value.as_number()?;
    let mut judge = Judge::new(judge::plain);
    let whole = judge.whole(Loose::Value(number.clone()), &Path::root)?;
    Some(i32::try_from(whole).unwrap_or(if whole < 0 { i32::MIN } else { i32::MAX }))
}

/// Returns whether the answer has a typed part; `None` if the member has another type.
fn was_custom(members: &Map<String, Value>) -> Option<bool> {
    members.get("wasCustom").map_or(Some(false), Value::as_bool)
}

fn one(
    choice: &Choice,
    members: &Map<String, Value>,
    misshapen: impl Fn() -> Problem,
) -> Result<Pick, Problem> {
    let value = members.get("value").and_then(Value::as_str).ok_or_else(&misshapen)?;
    let label = members.get("label").map_or(Some(None), |label| label.as_str().map(Some));
    let (label, was_custom) = label.zip(was_custom(members)).ok_or_else(&misshapen)?;
    let options = Options::of(choice);
    if let Some(own) = options.typed_at_offer(value, label, was_custom) {
        return Ok(own);
    }
    if was_custom {
        return Ok(Pick::Other(value.to_owned()));
    }
    options.pick(value, label, 0).ok_or_else(|| options.no_such_option(value))
}

fn several(
    choice: &Choice,
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
    let options = Options::of(choice);
    let label_at = |at: usize| labels.get(at).copied();
    let own = if was_custom { options.typed(&values, label_at) } else { None };
    let mut counts: HashMap<(&str, Option<&str>), usize> = HashMap::new();
    let mut picks = Vec::with_capacity(values.len());
    for (at, value) in values.iter().copied().enumerate() {
        let label = label_at(at);
        let before = counts.entry((value, label)).or_default();
        let pick = match options.typed_at_offer(value, label, was_custom) {
            Some(own) => own,
            None if own == Some(at) => Pick::Other(value.to_owned()),
            None => options.pick(value, label, *before).ok_or_else(|| options.no_such_option(value))?,
        };
        *before += 1;
        picks.push(pick);
    }
    Ok(picks)
}

/// Index of a choice's options by the values that the asker gets; several options may have the same one.
#[derive(Default)]
struct Options<'c> {
    by_value: HashMap<&'c str, Vec<&'c OptionId>>,
    /// Options with the same value, told apart by their labels.
    by_label: HashMap<&'c str, HashMap<&'c str, Vec<&'c OptionId>>>,
}

impl<'c> Options<'c> {
    fn of(choice: &'c Choice) -> Self {
        let mut options = Self::default();
        for option in &choice.options {
            let (value, label) = (option.sent(), option.label.as_str());
            options.by_value.entry(value).or_default().push(&option.id);
            options.by_label.entry(value).or_default().entry(label).or_default().push(&option.id);
        }
        options
    }

    /// Returns the options with this value, and with this label if one of them has it.
    fn alike(&self, value: &str, label: Option<&str>) -> Option<&[&'c OptionId]> {
        let labelled = label.and_then(|label| self.by_label.get(value)?.get(label));
        labelled.or_else(|| self.by_value.get(value)).map(Vec::as_slice)
    }

    /// Returns the option with this value, given the number of equal ones before it.
    fn pick(&self, value: &str, label: Option<&str>, before: usize) -> Option<Pick> {
        let alike = self.alike(value, label)?;
        let option = alike.get(before).or(alike.first())?;
        Some(Pick::Option((*option).clone()))
    }

    /// Returns an own answer that is written as the option for one, with the text as its label. The person may also
    /// have typed exactly those words.
    fn typed_at_offer(&self, value: &str, label: Option<&str>, was_custom: bool) -> Option<Pick> {
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
    fn typed<'v>(&self, values: &[&'v str], label_at: impl Fn(usize) -> Option<&'v str>) -> Option<usize> {
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
                let alike = self.alike(value, label_of(at)).map_or(0, <[_]>::len);
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

    fn no_such_option(&self, value: &str) -> Problem {
        let problem = Problem::new(Code::NoSuchOption, Message::NoSuchOption.with([value]));
        let mut values: Vec<&str> = self.by_value.keys().copied().collect();
        values.sort_unstable();
        match spelling::nearest(value, values.into_iter()) {
            Some(nearest) => problem.hint(Message::DidYouMean.with([nearest])),
            None => problem,
        }
    }
}
