//! Reader of requests: the spec's schemas, with the messages of its Zod 4.

use super::limits::{Compat, Kept};
use super::{AuqLimits, OPTIONS_MIN};
use crate::judge::{self, Judge, Place};
use crate::loose::{self, Expected, List, Loose, members};
use crate::{Asking, Dialect, Read, javascript};
use sayso_core::limits;
use sayso_core::message::{Message, Text};
use sayso_core::questionnaire::Beside;
use sayso_core::rules::LengthUnit;
use sayso_core::{
    Choice, Code, Kind, Opt, OptionId, Path, Problem, Question, QuestionId, Questionnaire, Rules,
};

/// Message of the spec's schema for an empty title.
pub(super) const TITLE_MISSING: &str =
    "Question title is required. Provide a short summary like 'Language' or 'Framework'.";

const _: () = assert!(limits::QUESTIONS <= List::<Item>::KEPT && limits::OPTIONS <= List::<Entry>::KEPT);

#[derive(Default)]
struct Request {
    questions: Loose<List<Item>>,
    non_blocking: Loose<bool>,
}

#[derive(Default)]
struct Item {
    prompt: Loose<String>,
    title: Loose<String>,
    options: Loose<List<Entry>>,
    multi_select: Loose<bool>,
}

#[derive(Default)]
struct Entry {
    label: Loose<String>,
    description: Loose<String>,
}

members!(Request { "questions" => questions, "nonBlocking" => non_blocking });

members!(Item { "prompt" => prompt, "title" => title, "options" => options, "multiSelect" => multi_select });

members!(Entry { "label" => label, "description" => description });

/// Reads a request (the spec's "MCP parameters schema").
///
/// # Errors
/// Returns `missing_request`, `invalid_json`, or every issue of the schema in the order and the messages of Zod 4.
pub fn read(text: &str, limits: &AuqLimits) -> Result<Read, Vec<Problem>> {
    if text.trim().is_empty() {
        return Err(vec![Problem::new(Code::MissingRequest, Message::RequestEmpty)]);
    }
    let request = loose::read::<Request>(text).map_err(|problem| vec![problem])?;
    judged(request, limits)
}

/// Reads a request as the command `auq ask` does. The command's own checks come first, with its messages. A question
/// without `multiSelect` is one for a single option.
///
/// # Errors
/// Returns `invalid_json` with JavaScript's message, the first failed check of the command, or the problems of
/// [`read`].
pub fn read_command(text: &str, limits: &AuqLimits) -> Result<Read, Vec<Problem>> {
    let mut request = loose::read::<Request>(text).map_err(|problem| vec![in_javascript(problem, text)])?;
    if let Some(words) = missed(&request) {
        return Err(vec![Problem::new(Code::Required, Text::Verbatim(words))]);
    }
    if let Loose::Value(Request { questions: Loose::Value(list), .. }) = &mut request {
        for item in &mut list.items {
            if let Loose::Value(Item { multi_select: multi @ Loose::Missing, .. }) = item {
                *multi = Loose::Value(false);
            }
        }
    }
    judged(request, limits)
}

/// Replaces the message for invalid JSON by the one of a JavaScript program.
pub(super) fn in_javascript(problem: Problem, text: &str) -> Problem {
    match (problem.code, javascript::syntax_error(text)) {
        (Code::InvalidJson, Some(words)) => Problem::new(Code::InvalidJson, Text::Verbatim(words)),
        _ => problem,
    }
}

/// Returns the message of the first failed check of the command.
fn missed(request: &Loose<Request>) -> Option<String> {
    let questions = match request {
        Loose::Value(Request { questions: Loose::Value(list), .. }) if list.count > 0 => &list.items,
        _ => return Some("'questions' array is required and must not be empty.".to_owned()),
    };
    let is_text = |text: &Loose<String>| matches!(text, Loose::Value(text) if !text.is_empty());
    questions.iter().zip(1..).find_map(|(item, number): (_, usize)| match item {
        Loose::Value(item) if !is_text(&item.prompt) => {
            Some(format!("Question {number} missing 'prompt' field."))
        }
        Loose::Value(item) if !is_text(&item.title) => {
            Some(format!("Question {number} missing 'title' field."))
        }
        Loose::Value(Item { options: Loose::Value(list), .. }) if list.count >= OPTIONS_MIN => None,
        Loose::Value(_) => {
            Some(format!("Question {number} requires 'options' array with at least {OPTIONS_MIN} options."))
        }
        Loose::Missing | Loose::Wrong(_) => Some(format!("Question {number} missing 'prompt' field.")),
    })
}

fn judged(request: Loose<Request>, limits: &AuqLimits) -> Result<Read, Vec<Problem>> {
    let mut reading = Reading { limits, judge: Judge::new(judge::zod4) };
    let (questions, non_blocking) = reading.request(request);
    reading.judge.verdict()?;
    let mut beside = Beside::new();
    if limits.compat() == Compat::V3_4 {
        let kept = Kept { compat: limits.compat(), non_blocking };
        beside.insert(Dialect::Auq.name().to_owned(), kept.as_json());
    }
    let questionnaire = Questionnaire { questions, rules: rules(), beside, ..Questionnaire::default() };
    let asking = Asking { waits: !non_blocking, ..Asking::default() };
    Ok(Read { asking, ..Read::of(questionnaire) })
}

/// Returns the spec's rules for answers ("response validation"): any existing labels, repeated at will, at any
/// question.
pub(super) fn rules() -> Rules {
    Rules {
        trim_text: false,
        repeated_picks: true,
        empty_picks: true,
        loose_single: true,
        blank_text: true,
        some_answer: true,
        ..Rules::default()
    }
}

/// Reader of a request, in the order of the schema's members.
struct Reading<'l> {
    limits: &'l AuqLimits,
    judge: Judge,
}

impl Reading<'_> {
    fn request(&mut self, request: Loose<Request>) -> (Vec<Question>, bool) {
        let Some(request) = self.judge.expect(request, &Path::root) else { return (Vec::new(), false) };
        let place = || Path::root().then("questions");
        let bounds = (1, self.limits.questions());
        let questions = self.list(request.questions, bounds, &place, |reading, index, item| {
            reading.question(index, item, &|| place().then(index))
        });
        let non_blocking = match self.limits.compat() {
            Compat::Spec => None,
            Compat::V3_4 => self.judge.allow(request.non_blocking, &|| Path::root().then("nonBlocking")),
        };
        (questions, non_blocking.unwrap_or_default())
    }

    fn question(&mut self, index: usize, item: Loose<Item>, place: Place<'_>) -> Option<Question> {
        let item = self.judge.expect(item, place)?;
        let prompt = self.judge.expect(item.prompt, &|| place().then("prompt"));
        if let Some(prompt) = &prompt {
            self.judge.length(prompt, (1, usize::MAX), LengthUnit::Scalar, &|| place().then("prompt"));
        }
        let title = self.judge.expect(item.title, &|| place().then("title"));
        if title.as_deref() == Some("") {
            let words = Text::Verbatim(TITLE_MISSING.to_owned());
            self.judge.note(Code::TooSmall, words, &|| place().then("title"));
        }
        let options = || place().then("options");
        let bounds = (OPTIONS_MIN, self.limits.options());
        let options = self.list(item.options, bounds, &options, |reading, index, entry| {
            reading.option(index, entry, &|| options().then(index))
        });
        let multi = self.judge.expect(item.multi_select, &|| place().then("multiSelect"))?;
        let kind = Kind::Choice(Choice { options, multi, other: true, ..Choice::default() });
        // The asker learns which questions have answers.
        let question = Question::new(QuestionId::numbered('q', index), prompt?, kind);
        Some(Question { label: title, required: false, ..question })
    }

    fn option(&mut self, index: usize, entry: Loose<Entry>, place: Place<'_>) -> Option<Opt> {
        let entry = self.judge.expect(entry, place)?;
        let label = self.judge.expect(entry.label, &|| place().then("label"));
        let description = self.judge.allow(entry.description, &|| place().then("description"));
        Some(Opt { description, ..Opt::new(OptionId::numbered('o', index + 1), label?) })
    }

    /// Reads a required array. Problems with its elements are reported before a problem with their number.
    fn list<'t, T: Expected<'t>, U>(
        &mut self,
        value: Loose<List<T>>,
        bounds: (usize, usize),
        place: Place<'_>,
        mut each: impl FnMut(&mut Self, usize, Loose<T>) -> Option<U>,
    ) -> Vec<U> {
        let Some(list) = self.judge.expect(value, place) else { return Vec::new() };
        let items = list.items.into_iter().enumerate();
        let read = items.filter_map(|(index, item)| each(self, index, item)).collect();
        self.judge.bounds(list.count, bounds, place);
        read
    }
}
