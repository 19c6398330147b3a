//! Requests: the spec's "input validation rules", judged and worded as its Zod schema does.

use super::manual::USAGE;
use crate::loose::{self, Expected, List, Loose, Members};
use crate::{Read, javascript};
use sayso_core::display;
use sayso_core::limits;
use sayso_core::message::{Message, Text};
use sayso_core::rules::LengthUnit;
use sayso_core::{Choice, Code, Kind, Opt, Path, Problem, Question, Questionnaire, Rules};
use serde::de::MapAccess;
use std::collections::HashSet;

/// The fewest options of a question (the spec's "options").
const OPTIONS_MIN: usize = 2;
/// The longest label, in UTF-16 code units (the spec's "option.label").
const LABEL_LENGTH: usize = 50;
/// The longest description, in UTF-16 code units (the spec's "option.description").
const DESCRIPTION_LENGTH: usize = 200;
/// How many issues are told one by one; the others are counted.
const ISSUES_MAX: usize = 1_000;

const _: () = assert!(limits::QUESTIONS <= List::<Item>::KEPT && limits::OPTIONS <= List::<Entry>::KEPT);

/// The limits that the environment may set (the spec's "environment variables").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskLimits {
    /// The most questions in a call: `ASK_MAX_QUESTIONS`.
    pub questions: usize,
    /// The most options of a question: `ASK_MAX_OPTIONS`.
    pub options: usize,
    /// The longest header, in UTF-16 code units: `ASK_HEADER_MAX_LENGTH`.
    pub header: usize,
    /// The longest question, in UTF-16 code units: `ASK_QUESTION_MAX_LENGTH`.
    pub question: usize,
}

impl Default for AskLimits {
    fn default() -> Self {
        Self { questions: 4, options: 4, header: 12, question: 500 }
    }
}

impl AskLimits {
    /// None but our own, for where a request itself is not judged.
    pub const NONE: Self = Self {
        questions: limits::QUESTIONS,
        options: limits::OPTIONS,
        header: limits::REQUEST_BYTES,
        question: limits::REQUEST_BYTES,
    };

    /// The variables that set them.
    pub const VARIABLES: [&str; 4] =
        ["ASK_MAX_QUESTIONS", "ASK_MAX_OPTIONS", "ASK_HEADER_MAX_LENGTH", "ASK_QUESTION_MAX_LENGTH"];

    /// The limits that these variables set. One that is unset, no whole number or not above 0 leaves its default; one
    /// above our own limits counts as those.
    pub fn from_values(get: impl Fn(&str) -> Option<String>) -> Self {
        let usual = Self::default();
        let [questions, options, header, question] =
            Self::VARIABLES.map(|name| get(name).and_then(|value| positive(&value)));
        Self {
            questions: questions.unwrap_or(usual.questions).min(limits::QUESTIONS),
            options: options.unwrap_or(usual.options).min(limits::OPTIONS),
            header: header.unwrap_or(usual.header),
            question: question.unwrap_or(usual.question),
        }
    }
}

fn positive(value: &str) -> Option<usize> {
    let value = value.trim();
    let digits = value.strip_prefix('+').unwrap_or(value);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(digits.parse().unwrap_or(usize::MAX)).filter(|number| *number > 0)
}

#[derive(Default)]
struct Request {
    questions: Loose<List<Item>>,
}

#[derive(Default)]
struct Item {
    question: Loose<String>,
    header: Loose<String>,
    options: Loose<List<Entry>>,
    multi_select: Loose<bool>,
}

#[derive(Default)]
struct Entry {
    label: Loose<String>,
    description: Loose<String>,
}

impl Members for Request {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, object: &mut A) -> Result<bool, A::Error> {
        match name {
            "questions" => self.questions = object.next_value()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Members for Item {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, object: &mut A) -> Result<bool, A::Error> {
        match name {
            "question" => self.question = object.next_value()?,
            "header" => self.header = object.next_value()?,
            "options" => self.options = object.next_value()?,
            "multiSelect" => self.multi_select = object.next_value()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Members for Entry {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, object: &mut A) -> Result<bool, A::Error> {
        match name {
            "label" => self.label = object.next_value()?,
            "description" => self.description = object.next_value()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// Reads a request (the spec's "command input format").
///
/// # Errors
/// `missing_request`, `invalid_json`, or every issue of the schema in the order and the words of Zod 3.
pub fn read(text: &str, limits: &AskLimits) -> Result<Read, Vec<Problem>> {
    if javascript::trim(text).is_empty() {
        let said = Text::Verbatim("Missing JSON parameter".to_owned());
        return Err(vec![Problem::new(Code::MissingRequest, said).hint(Text::Verbatim(USAGE.to_owned()))]);
    }
    let request = loose::read::<Request>(text).map_err(|problem| vec![problem])?;
    let mut judge = Judge { limits, issues: Vec::new(), untold: 0 };
    let questions = judge.request(request);
    judge.verdict()?;
    let rules = Rules {
        length_unit: LengthUnit::Utf16,
        trim_text: false,
        repeated_picks: true,
        other_alone: true,
        empty_other: true,
        ..Rules::default()
    };
    let warnings = same_headers(&questions);
    Ok(Read { questionnaire: Questionnaire { questions, rules, ..Questionnaire::default() }, warnings })
}

/// A warning for each question whose header an earlier one has: the later answer wins.
fn same_headers(questions: &[Question]) -> Vec<Problem> {
    let mut seen = HashSet::new();
    let mut warnings = Vec::new();
    for (index, header) in questions.iter().map(Question::name).enumerate() {
        if !seen.insert(header) {
            let path = Path::root().then("questions").then(index).then("header");
            let said = Message::SameHeader.with([display::line(header)]);
            warnings.push(Problem::new(Code::DuplicateId, said).at(path));
        }
    }
    warnings
}

/// Where in the request; worked out only when there is something to say about the place.
type Place<'p> = &'p dyn Fn() -> Path;

/// Goes through a request in the order of the schema's members and notes what is wrong. What it returns counts only
/// when nothing is.
struct Judge<'l> {
    limits: &'l AskLimits,
    issues: Vec<Problem>,
    untold: usize,
}

impl Judge<'_> {
    fn verdict(mut self) -> Result<(), Vec<Problem>> {
        if self.issues.is_empty() {
            return Ok(());
        }
        if self.untold > 0 {
            let said = Message::MoreProblems.with([self.untold]);
            self.issues.push(Problem::new(Code::TooBig, said));
        }
        Err(self.issues)
    }

    fn issue(&mut self, code: Code, words: String, place: Place<'_>) {
        if self.issues.len() < ISSUES_MAX {
            self.issues.push(Problem::new(code, Text::Verbatim(words)).at(place()));
        } else {
            self.untold += 1;
        }
    }

    fn request(&mut self, request: Loose<Request>) -> Vec<Question> {
        let Some(request) = self.expect(request, &Path::root) else { return Vec::new() };
        let place = || Path::root().then("questions");
        let questions = self.list(request.questions, 1, self.limits.questions, &place);
        let question = |(index, item)| self.question(index, item, &|| place().then(index));
        questions.into_iter().enumerate().filter_map(question).collect()
    }

    fn question(&mut self, index: usize, item: Loose<Item>, place: Place<'_>) -> Option<Question> {
        let item = self.expect(item, place)?;
        let prompt = self.text(item.question, self.limits.question, &|| place().then("question"));
        let header = self.text(item.header, self.limits.header, &|| place().then("header"));
        let options = || place().then("options");
        let entries = self.list(item.options, OPTIONS_MIN, self.limits.options, &options);
        let option = |(index, entry)| self.option(index, entry, &|| options().then(index));
        let options = entries.into_iter().enumerate().filter_map(option).collect();
        let multi = self.expect(item.multi_select, &|| place().then("multiSelect"))?;
        Some(Question {
            label: Some(header),
            ..Question::new(
                format!("q{index}"),
                prompt,
                Kind::Choice(Choice { options, multi, other: true, other_label: None }),
            )
        })
    }

    fn option(&mut self, index: usize, entry: Loose<Entry>, place: Place<'_>) -> Option<Opt> {
        let entry = self.expect(entry, place)?;
        let label = self.text(entry.label, LABEL_LENGTH, &|| place().then("label"));
        let description = self.text(entry.description, DESCRIPTION_LENGTH, &|| place().then("description"));
        Some(Opt { description: Some(description), ..Opt::new(format!("o{}", index + 1), label) })
    }

    fn expect<T: Expected>(&mut self, value: Loose<T>, place: Place<'_>) -> Option<T> {
        match value {
            Loose::Value(value) => return Some(value),
            Loose::Missing => self.issue(Code::Required, "Required".to_owned(), place),
            Loose::Wrong(found) => {
                let words = format!("Expected {}, received {found}", T::NAME);
                self.issue(Code::InvalidType, words, place);
            }
        }
        None
    }

    fn text(&mut self, value: Loose<String>, longest: usize, place: Place<'_>) -> String {
        let Some(text) = self.expect(value, place) else { return String::new() };
        let length = LengthUnit::Utf16.count(&text);
        if length == 0 {
            let words = "String must contain at least 1 character(s)".to_owned();
            self.issue(Code::TooSmall, words, place);
        } else if length > longest {
            let words = format!("String must contain at most {longest} character(s)");
            self.issue(Code::TooBig, words, place);
        }
        text
    }

    fn list<T: Expected>(
        &mut self,
        value: Loose<List<T>>,
        fewest: usize,
        most: usize,
        place: Place<'_>,
    ) -> Vec<Loose<T>> {
        let Some(list) = self.expect(value, place) else { return Vec::new() };
        if list.count < fewest {
            let words = format!("Array must contain at least {fewest} element(s)");
            self.issue(Code::TooSmall, words, place);
        }
        if list.count > most {
            let words = format!("Array must contain at most {most} element(s)");
            self.issue(Code::TooBig, words, place);
        }
        list.items
    }
}
