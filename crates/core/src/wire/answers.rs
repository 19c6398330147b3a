//! Reader of answers given as data, in one pass straight into the kinds of their questions.
//!
//! The input is `{"answers":{question id: answer}}`, or the JSON of an outcome that is an answer. An answer may be
//! typed by hand: a text, a date or a time is a string, a number or a rating a number, a confirmation `true` or
//! `false`. A choice is an option's id or label, an array of those, or `{"other":"text"}`. With a note it is
//! `{"answer":…,"note":…}`, and as a whole reply it has the form of outcomes:
//! `{"state":"answered","answer":{"text":"…"}}`. A `note` beside the answers is on the whole form; the JSON of an
//! outcome has it as the reply of the empty id.

mod answer;
pub(crate) mod pick;

use super::json::{self, JsonSource};
use super::version_problem;
use crate::i18n::spelling;
use crate::i18n::{LocalizedText, Message};
use crate::kinds::behavior::ReadResult;
use crate::kinds::is_answer_member;
use crate::limits;
use crate::model::answer::{Replies, Reply, ReplyContent};
use crate::model::document_path::DocumentPath;
use crate::model::id::QuestionId;
use crate::model::question::Question;
use crate::model::validation_rules::Rules;
use crate::problem::{Problem, ProblemCode};
use crate::rules::prepared_questionnaire::PreparedQuestionnaire;
use crate::sheet::unknown_question_problem;
use answer::{AnswerSeed, MaybeAnswerSeed, merge_answer, read_tagged, type_problem};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value as Json;
use std::borrow::Cow;
use std::fmt;

/// Reads answers to the questions of a form.
///
/// # Errors
/// Returns the problem of each answer to an unknown question and of each unreadable one, with its place.
pub fn read<'t>(
    form: &PreparedQuestionnaire,
    json: impl Into<JsonSource<'t>>,
) -> Result<Replies, Vec<Problem>> {
    let mut reader =
        AnswersReader { form, replies: Replies::new(), has_answers: false, problems: Vec::new() };
    json::read_seed(json, &mut reader)?;
    if !reader.has_answers && reader.problems.is_empty() {
        let problem = Problem::new(ProblemCode::Required, LocalizedText::Verbatim("Required".to_owned()));
        reader.problems.push(problem.at(DocumentPath::root().join("answers")));
    }
    if reader.problems.is_empty() { Ok(reader.replies) } else { Err(reader.problems) }
}

struct AnswersReader<'f> {
    form: &'f PreparedQuestionnaire,
    replies: Replies,
    /// Set once a member with answers was read.
    has_answers: bool,
    problems: Vec<Problem>,
}

impl AnswersReader<'_> {
    /// Reads the note on the whole form: a text, or a reply that is only a note.
    fn read_form_note(&mut self, value: Json, place: DocumentPath) {
        let note = match value {
            Json::String(note) => Some(note),
            Json::Null => None,
            reply => match serde_json::from_value::<Reply>(reply) {
                Ok(reply) if reply.is_unanswered() => reply.note,
                _ => {
                    let problem = Problem::new(ProblemCode::InvalidType, Message::WantsText);
                    return self.problem(problem.at(place));
                }
            },
        };
        let reply = Reply::unanswered().with_note(note);
        if self.replies.insert(QuestionId::FORM, reply).is_some() {
            let message = Message::DuplicateId.with(["note"]);
            self.problem(Problem::new(ProblemCode::DuplicateId, message).at(place));
        }
    }

    fn problem(&mut self, problem: Problem) {
        if self.problems.len() < limits::PROBLEMS {
            self.problems.push(problem);
        }
    }

    #[cold]
    fn no_such_question(&mut self, id: &str, place: &dyn Fn() -> DocumentPath) {
        // Bounds their number.
        if self.problems.len() < limits::PROBLEMS {
            let known_ids = self.form.questions().iter().map(|question| question.id.as_str());
            let problem = unknown_question_problem(&QuestionId::new(id)).at(place());
            self.problems.push(Problem { hint: spelling::suggestion(id, known_ids), ..problem });
        }
    }
}

impl<'de> DeserializeSeed<'de> for &mut AnswersReader<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(AnswersVisitor(self))
    }
}

struct AnswersVisitor<'r, 'f>(&'r mut AnswersReader<'f>);

impl<'de> Visitor<'de> for AnswersVisitor<'_, '_> {
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
                "answers" => map.next_value_seed(AnswersSeed { reader: &mut *self.0, name: "answers" })?,
                "replies" => map.next_value_seed(AnswersSeed { reader: &mut *self.0, name: "replies" })?,
                "note" => {
                    let note: Json = map.next_value()?;
                    self.0.read_form_note(note, DocumentPath::root().join("note"));
                }
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
struct AnswersSeed<'r, 'f> {
    reader: &'r mut AnswersReader<'f>,
    name: &'static str,
}

impl<'de> DeserializeSeed<'de> for AnswersSeed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for AnswersSeed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of answers by question")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { reader, name } = self;
        reader.has_answers = true;
        let form = reader.form;
        let rules = &form.questionnaire().rules;
        // Answers mostly come in the order of their questions.
        let mut expected_index = 0;
        let mut is_answered = vec![false; form.questions().len()];
        while let Some(id) = map.next_key_seed(NameSeed)? {
            let place = || DocumentPath::root().join(name).join(id.as_ref());
            if id == QuestionId::FORM.as_str() {
                let reply: Json = map.next_value()?;
                reader.read_form_note(reply, place());
                continue;
            }
            let Some(index) = form.index_near(expected_index, &id) else {
                map.next_value::<IgnoredAny>()?;
                reader.no_such_question(&id, &place);
                continue;
            };
            let (Some(question), Some(is_answered)) =
                (form.questions().get(index), is_answered.get_mut(index))
            else {
                map.next_value::<IgnoredAny>()?;
                reader.no_such_question(&id, &place);
                continue;
            };
            expected_index = index + 1;
            if *is_answered {
                // A duplicate is ambiguous, so it is rejected.
                let message = Message::DuplicateId.with([&question.id]);
                reader.problem(Problem::new(ProblemCode::DuplicateId, message).at(place()));
            }
            *is_answered = true;
            match map.next_value_seed(ReplySeed(QuestionContext { question, rules }))? {
                Ok(reply) => drop(reader.replies.insert(question.id.clone(), reply)),
                Err(problem) => reader.problem(problem.at(place())),
            }
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

/// A question with the rules for its answers.
#[derive(Clone, Copy)]
struct QuestionContext<'q> {
    question: &'q Question,
    rules: &'q Rules,
}

/// Reads the reply to one question.
struct ReplySeed<'q>(QuestionContext<'q>);

impl<'de> DeserializeSeed<'de> for ReplySeed<'_> {
    type Value = ReadResult<Reply>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// Reads a bare value as an answer; an object may be a reply or an answer.
impl<'de> Visitor<'de> for ReplySeed<'_> {
    type Value = ReadResult<Reply>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an answer")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Ok(Reply::unanswered()))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        Ok(AnswerSeed(self.0).visit_bool(value)?.map(Reply::from_answer))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        Ok(AnswerSeed(self.0).visit_i64(value)?.map(Reply::from_answer))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        Ok(AnswerSeed(self.0).visit_u64(value)?.map(Reply::from_answer))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        Ok(AnswerSeed(self.0).visit_f64(value)?.map(Reply::from_answer))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Self::Value, E> {
        Ok(AnswerSeed(self.0).visit_str(value)?.map(Reply::from_answer))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, array: A) -> Result<Self::Value, A::Error> {
        Ok(AnswerSeed(self.0).visit_seq(array)?.map(Reply::from_answer))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        read_object(self.0, map)
    }
}

/// Reads an object that is a reply or an answer.
fn read_object<'de, A: MapAccess<'de>>(
    context: QuestionContext<'_>,
    mut map: A,
) -> Result<ReadResult<Reply>, A::Error> {
    let mut state = Json::Null;
    let mut answer = None;
    let mut note = Json::Null;
    let mut is_reply = false;
    let mut has_unknown_member = false;
    while let Some(name) = map.next_key_seed(NameSeed)? {
        is_reply |= matches!(name.as_ref(), "state" | "note" | "answer");
        match name.as_ref() {
            "state" => state = map.next_value()?,
            "note" => note = map.next_value()?,
            "answer" => {
                merge_answer(
                    context,
                    &mut answer,
                    map.next_value_seed(MaybeAnswerSeed(AnswerSeed(context)))?,
                );
            }
            name if is_answer_member(name) => {
                merge_answer(context, &mut answer, Some(read_tagged(context, name, &mut map)?));
            }
            _ => {
                has_unknown_member = true;
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
        _ => return Ok(Err(type_problem(context.question))),
    };
    let content = match (state, answer) {
        (None | Some("answered"), Some(Ok(answer))) => ReplyContent::Answered(answer),
        (None | Some("answered"), Some(Err(problem))) => return Ok(Err(problem)),
        (None, None) if has_unknown_member && !is_reply => return Ok(Err(type_problem(context.question))),
        (None | Some("unanswered" | "not_asked"), None) => ReplyContent::Unanswered,
        (Some("skipped"), None) => ReplyContent::Skipped,
        // Includes an answer next to a state without one: neither is dropped silently.
        (Some(_), _) => return Ok(Err(type_problem(context.question))),
    };
    Ok(Ok(Reply { content, ..Reply::default() }.with_note(note)))
}
