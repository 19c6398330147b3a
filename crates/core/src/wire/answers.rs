//! Reader of answers given as data, in one pass straight into the kinds of their questions.
//!
//! The input is `{"answers":{question id: answer}}`, or the JSON of an outcome that is an answer. An answer may be
//! typed by hand: a text, a date or a time is a string, a number or a rating a number, a confirmation `true` or
//! `false`. A choice is an option's id or label, an array of those, or `{"other":"text"}`. With a note it is
//! `{"answer":…,"note":…}`, and as a whole reply it has the form of outcomes:
//! `{"state":"answered","answer":{"text":"…"}}`.

mod answer;
mod pick;

pub use pick::no_such_option;

use super::{json, version_problem};
use crate::i18n::spelling;
use crate::i18n::{LocalizedText, Message};
use crate::limits;
use crate::model::answer::{Answer, Reply, ReplyContent};
use crate::model::id::QuestionId;
use crate::model::problem::{DocumentPath, Problem, ProblemCode};
use crate::model::question::{Question, QuestionKind};
use crate::pattern::StepBudget;
use crate::rules::Rules;
use crate::rules::prepared_questionnaire::PreparedQuestionnaire;
use crate::sheet::{QuestionSlot, Sheet, unknown_question_problem};
use answer::{
    AnswerSeed, MaybeAnswerSeed, TAGS, answer_from_text, merge_answer, read_tagged, single_pick, type_problem,
};
use pick::find_option;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value as Json;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Reads answers to the questions of a form; returns one entry a question, `None` if it has no answer.
///
/// # Errors
/// Returns the problem of each answer to an unknown question and of each unreadable one, with its place.
pub fn read(form: &PreparedQuestionnaire, text: &str) -> Result<Vec<Option<Reply>>, Vec<Problem>> {
    let mut replies = vec![None; form.questions().len()];
    read_into(form, text, |at, reply, _| {
        if let Some(slot) = replies.get_mut(at) {
            *slot = Some(reply);
        }
    })?;
    Ok(replies)
}

/// Reads answers onto a sheet and judges each as it is read. One pass over a long form suffices for both.
///
/// # Errors
/// As [`read`].
// Keeps a size-optimized caller from inlining it.
#[inline(never)]
pub fn read_sheet(form: &Arc<PreparedQuestionnaire>, text: &str) -> Result<Sheet, Vec<Problem>> {
    let questions = form.questions();
    let mut slots = Vec::new();
    slots.resize_with(questions.len(), QuestionSlot::default);
    let rules = &form.questionnaire().rules;
    let mut steps = StepBudget::default();
    read_into(form, text, |at, reply, picked| {
        if let (Some(slot), Some(question)) = (slots.get_mut(at), questions.get(at)) {
            slot.set_reply(question, rules, reply, picked, &mut steps);
        }
    })?;
    Ok(Sheet::from_slots(form.clone(), slots, steps))
}

fn read_into(form: &PreparedQuestionnaire, text: &str, put: impl ReplySink) -> Result<(), Vec<Problem>> {
    let mut reading = AnswersReader { form, put, found: None, problems: Vec::new() };
    json::read_seed(text, &mut reading).map_err(|problem| vec![problem])?;
    if reading.found.is_none() && reading.problems.is_empty() {
        let problem = Problem::new(ProblemCode::Required, LocalizedText::Verbatim("Required".to_owned()));
        reading.problems.push(problem.at(DocumentPath::root().join("answers")));
    }
    if reading.problems.is_empty() { Ok(()) } else { Err(reading.problems) }
}

/// Sink for the reply to the question at an index, with the index of its picked option if known. It is called at the
/// place that builds the reply: returning it through several functions would copy it each time, which takes longer than
/// reading it.
trait ReplySink: FnMut(usize, Reply, Option<usize>) {}

impl<P: FnMut(usize, Reply, Option<usize>)> ReplySink for P {}

struct AnswersReader<'f, P> {
    form: &'f PreparedQuestionnaire,
    put: P,
    /// Member that held the answers.
    found: Option<&'static str>,
    problems: Vec<Problem>,
}

impl<P> AnswersReader<'_, P> {
    fn problem(&mut self, problem: Problem) {
        if self.problems.len() < limits::PROBLEMS {
            self.problems.push(problem);
        }
    }

    #[cold]
    fn no_such_question(&mut self, id: &str, place: &dyn Fn() -> DocumentPath) {
        // Bounds their number.
        if self.problems.len() < limits::PROBLEMS {
            let known = self.form.questions().iter().map(|question| question.id.as_str());
            let problem = unknown_question_problem(&QuestionId::new(id)).at(place());
            self.problems.push(Problem { hint: spelling::suggestion(id, known), ..problem });
        }
    }
}

impl<'de, P: ReplySink> DeserializeSeed<'de> for &mut AnswersReader<'_, P> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(AnswersVisitor(self))
    }
}

struct AnswersVisitor<'r, 'f, P>(&'r mut AnswersReader<'f, P>);

impl<'de, P: ReplySink> Visitor<'de> for AnswersVisitor<'_, '_, P> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with answers")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key_seed(NameSeed)? {
            match name.as_ref() {
                "sayso" => {
                    let version: Json = map.next_value()?;
                    self.0.problems.extend(version_problem(version.as_u64()));
                }
                "outcome" => {
                    let outcome: Json = map.next_value()?;
                    self.0.problems.extend(outcome_problem(&outcome));
                }
                "answers" => map.next_value_seed(AnswersSeed { reading: &mut *self.0, name: "answers" })?,
                "replies" => map.next_value_seed(AnswersSeed { reading: &mut *self.0, name: "replies" })?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

fn outcome_problem(outcome: &Json) -> Option<Problem> {
    if *outcome == "answered" {
        return None;
    }
    let words = LocalizedText::Verbatim(format!("Expected \"answered\", received {outcome}"));
    Some(Problem::new(ProblemCode::InvalidValue, words).at(DocumentPath::root().join("outcome")))
}

/// Answers by the ids of their questions.
struct AnswersSeed<'r, 'f, P> {
    reading: &'r mut AnswersReader<'f, P>,
    name: &'static str,
}

impl<'de, P: ReplySink> DeserializeSeed<'de> for AnswersSeed<'_, '_, P> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, P: ReplySink> Visitor<'de> for AnswersSeed<'_, '_, P> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of answers by question")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { reading, name } = self;
        reading.found = Some(name);
        let form = reading.form;
        let mut near = 0;
        let mut answered = vec![false; form.questions().len()];
        while let Some(id) = map.next_key_seed(NameSeed)? {
            let place = || DocumentPath::root().join(name).join(id.as_ref());
            let at = form.index_near(near, &id);
            let Some((at, question)) = at.and_then(|at| Some((at, form.questions().get(at)?))) else {
                map.next_value::<IgnoredAny>()?;
                reading.no_such_question(&id, &place);
                continue;
            };
            near = at + 1;
            if answered.get_mut(at).is_some_and(|answered| std::mem::replace(answered, true)) {
                // A duplicate is ambiguous, so it is rejected.
                let message = Message::DuplicateId.with([question.id.as_str()]);
                reading.problem(Problem::new(ProblemCode::DuplicateId, message).at(place()));
            }
            let asked = QuestionContext { question, rules: &form.questionnaire().rules };
            map.next_value_seed(ReplySeed { asked, at, place: &place, reading: &mut *reading })?;
        }
        Ok(())
    }
}

/// Name of a member, copied only if the text escapes it.
struct NameSeed;

impl<'de> DeserializeSeed<'de> for NameSeed {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Cow<'de, str>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for NameSeed {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Borrowed(name))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Owned(name.to_owned()))
    }
}

/// Value read so far. A value of a wrong kind is a problem of its own and does not stop the reader.
type ReadResult<T> = Result<T, Box<Problem>>;

/// A question with the rules for its answers.
#[derive(Clone, Copy)]
struct QuestionContext<'q> {
    question: &'q Question,
    rules: &'q Rules,
}

/// Reads the reply to one question into the sink.
struct ReplySeed<'r, 'f, P> {
    asked: QuestionContext<'f>,
    at: usize,
    /// Its place in the text.
    place: &'r dyn Fn() -> DocumentPath,
    reading: &'r mut AnswersReader<'f, P>,
}

impl<P: ReplySink> ReplySeed<'_, '_, P> {
    fn put(self, found: ReadResult<Reply>) {
        match found {
            Ok(reply) => (self.reading.put)(self.at, reply, None),
            Err(problem) => self.reading.problem(problem.at((self.place)())),
        }
    }

    fn put_answer(self, found: ReadResult<Answer>) {
        self.put(found.map(Reply::from_answer));
    }
}

impl<'de, P: ReplySink> DeserializeSeed<'de> for ReplySeed<'_, '_, P> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// Reads a bare value as an answer; an object may be a reply or an answer.
impl<'de, P: ReplySink> Visitor<'de> for ReplySeed<'_, '_, P> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an answer")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.put(Ok(Reply::unanswered()));
        Ok(())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        let found = AnswerSeed(self.asked).visit_bool(value)?;
        self.put_answer(found);
        Ok(())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        let found = AnswerSeed(self.asked).visit_i64(value)?;
        self.put_answer(found);
        Ok(())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        let found = AnswerSeed(self.asked).visit_u64(value)?;
        self.put_answer(found);
        Ok(())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        let found = AnswerSeed(self.asked).visit_f64(value)?;
        self.put_answer(found);
        Ok(())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        // Most answers are an option or a text.
        match &self.asked.question.kind {
            QuestionKind::Choice(choice) => match find_option(choice, value) {
                Ok((place, option)) => {
                    (self.reading.put)(self.at, Reply::from_answer(single_pick(option)), Some(place));
                }
                Err(problem) => self.put(Err(problem)),
            },
            QuestionKind::Text(_) => (self.reading.put)(self.at, Reply::from_text(value), None),
            _ => {
                let found = answer_from_text(self.asked, value);
                self.put_answer(found);
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, array: A) -> Result<(), A::Error> {
        let found = AnswerSeed(self.asked).visit_seq(array)?;
        self.put_answer(found);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        let found = read_object(self.asked, map)?;
        self.put(found);
        Ok(())
    }
}

/// Reads an object that is a reply or an answer.
fn read_object<'de, A: MapAccess<'de>>(
    asked: QuestionContext<'_>,
    mut map: A,
) -> Result<ReadResult<Reply>, A::Error> {
    let (mut state, mut answer, mut note) = (Json::Null, None, Json::Null);
    let (mut says_something, mut is_strange) = (false, false);
    while let Some(name) = map.next_key_seed(NameSeed)? {
        says_something |= matches!(name.as_ref(), "state" | "note" | "answer");
        match name.as_ref() {
            "state" => state = map.next_value()?,
            "note" => note = map.next_value()?,
            "answer" => {
                merge_answer(asked, &mut answer, map.next_value_seed(MaybeAnswerSeed(AnswerSeed(asked)))?);
            }
            name if TAGS.contains(&name) => {
                merge_answer(asked, &mut answer, Some(read_tagged(asked, name, &mut map)?));
            }
            _ => {
                is_strange = true;
                map.next_value::<IgnoredAny>()?;
            }
        }
    }
    let note = match note {
        Json::Null => None,
        Json::String(note) => Some(note),
        _ => return Ok(Err(Box::new(Problem::new(ProblemCode::InvalidType, Message::WantsText)))),
    };
    let state = match &state {
        Json::Null => None,
        Json::String(state) => Some(state.as_str()),
        _ => return Ok(Err(type_problem(asked.question))),
    };
    let content = match (state, answer) {
        (None | Some("answered"), Some(Ok(answer))) => ReplyContent::Answered(answer),
        (None | Some("answered"), Some(Err(problem))) => return Ok(Err(problem)),
        (None, None) if is_strange && !says_something => return Ok(Err(type_problem(asked.question))),
        (None | Some("unanswered" | "not_asked"), None) => ReplyContent::Unanswered,
        (Some("skipped"), None) => ReplyContent::Skipped,
        // Includes an answer next to a state without one: neither is dropped silently.
        (Some(_), _) => return Ok(Err(type_problem(asked.question))),
    };
    Ok(Ok(Reply { content, ..Reply::default() }.with_note(note)))
}
