//! Reader of requests: the spec's "input validation rules", with the messages of its Zod schema.

use super::manual::USAGE;
use crate::judge::{self, Judge, Place};
use crate::loose::{self, List, Loose, members};
use crate::told::Told;
use crate::{Read, javascript, names};
use sayso_core::display;
use sayso_core::limits;
use sayso_core::message::{Message, Text};
use sayso_core::rules::LengthUnit;
use sayso_core::{
    Choice, Code, Kind, Opt, OptionId, Path, Problem, Question, QuestionId, Questionnaire, Rules,
};

/// The fewest options of a question (the spec's "options").
pub(super) const OPTIONS_MIN: usize = 2;
/// The longest label, in UTF-16 code units (the spec's "option.label").
pub(super) const LABEL_LENGTH: usize = 50;
/// The longest description, in UTF-16 code units (the spec's "option.description").
pub(super) const DESCRIPTION_LENGTH: usize = 200;

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
    /// Only our own limits, for requests that are not judged.
    pub const NONE: Self = Self {
        questions: limits::QUESTIONS,
        options: limits::OPTIONS,
        header: limits::REQUEST_BYTES,
        question: limits::REQUEST_BYTES,
    };

    /// Environment variables that set the limits.
    pub const VARIABLES: [&str; 4] =
        ["ASK_MAX_QUESTIONS", "ASK_MAX_OPTIONS", "ASK_HEADER_MAX_LENGTH", "ASK_QUESTION_MAX_LENGTH"];

    /// Reads the limits from these variables. An unset variable, or one that is no whole number above 0, leaves its
    /// default; a value above our own limit is clamped to it.
    pub fn from_values(get: impl Fn(&str) -> Option<String>) -> Self {
        let usual = Self::default();
        let [questions, options, header, question] =
            Self::VARIABLES.map(|name| get(name).and_then(|value| positive(&value)));
        Self {
            questions: questions.unwrap_or(usual.questions).min(limits::QUESTIONS),
            options: options.unwrap_or(usual.options).min(limits::OPTIONS),
            header: header.unwrap_or(usual.header).min(Self::NONE.header),
            question: question.unwrap_or(usual.question).min(Self::NONE.question),
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

members!(Request { "questions" => questions });

members!(Item {
    "question" => question,
    "header" => header,
    "options" => options,
    "multiSelect" => multi_select,
});

members!(Entry { "label" => label, "description" => description });

/// Reads a request (the spec's "command input format").
///
/// # Errors
/// Returns `missing_request`, `invalid_json`, or every issue of the schema in the order and the messages of Zod 3.
pub fn read(text: &str, limits: &AskLimits) -> Result<Read, Vec<Problem>> {
    if javascript::trim(text).is_empty() {
        let said = Text::Verbatim("Missing JSON parameter".to_owned());
        return Err(vec![Problem::new(Code::MissingRequest, said).hint(Text::Verbatim(USAGE.to_owned()))]);
    }
    let request = loose::read::<Request>(text).map_err(|problem| vec![problem])?;
    let mut reading = Reading { limits, judge: Judge::new(judge::zod3) };
    let questions = reading.request(request);
    reading.judge.verdict()?;
    let warnings = same_headers(&questions);
    let questionnaire = Questionnaire { questions, rules: rules(), ..Questionnaire::default() };
    Ok(Read { warnings, ..Read::of(questionnaire) })
}

/// Returns the spec's rules for answers.
pub(super) fn rules() -> Rules {
    Rules {
        length_unit: LengthUnit::Utf16,
        trim_text: false,
        repeated_picks: true,
        other_alone: true,
        empty_other: true,
        ..Rules::default()
    }
}

/// Returns a warning for each question with the header of an earlier one: the later answer wins.
fn same_headers(questions: &[Question]) -> Vec<Problem> {
    let mut warnings = Told::default();
    for index in names::repeated(questions.iter().map(Question::name)) {
        if let Some(header) = questions.get(index).map(Question::name) {
            let path = || Path::root().then("questions").then(index).then("header");
            let said = || Message::SameHeader.with([display::line(header)]);
            warnings.add(|| Problem::new(Code::DuplicateId, said()).at(path()));
        }
    }
    warnings.all()
}

/// Reader of a request, in the order of the schema's members.
struct Reading<'l> {
    limits: &'l AskLimits,
    judge: Judge,
}

impl Reading<'_> {
    fn request(&mut self, request: Loose<Request>) -> Vec<Question> {
        let Some(request) = self.judge.expect(request, &Path::root) else { return Vec::new() };
        let place = || Path::root().then("questions");
        let questions = self.judge.list(request.questions, (1, self.limits.questions), &place);
        let question = |(index, item)| self.question(index, item, &|| place().then(index));
        questions.into_iter().enumerate().filter_map(question).collect()
    }

    fn question(&mut self, index: usize, item: Loose<Item>, place: Place<'_>) -> Option<Question> {
        let item = self.judge.expect(item, place)?;
        let prompt = self.text(item.question, self.limits.question, &|| place().then("question"));
        let header = self.text(item.header, self.limits.header, &|| place().then("header"));
        let options = || place().then("options");
        let entries = self.judge.list(item.options, (OPTIONS_MIN, self.limits.options), &options);
        let option = |(index, entry)| self.option(index, entry, &|| options().then(index));
        let options = entries.into_iter().enumerate().filter_map(option).collect();
        let multi = self.judge.expect(item.multi_select, &|| place().then("multiSelect"))?;
        let kind = Kind::Choice(Choice { options, multi, other: true, ..Choice::default() });
        Some(Question {
            label: Some(header),
            ..Question::new(QuestionId::numbered('q', index), prompt, kind)
        })
    }

    fn option(&mut self, index: usize, entry: Loose<Entry>, place: Place<'_>) -> Option<Opt> {
        let entry = self.judge.expect(entry, place)?;
        let label = self.text(entry.label, LABEL_LENGTH, &|| place().then("label"));
        let description = self.text(entry.description, DESCRIPTION_LENGTH, &|| place().then("description"));
        Some(Opt { description: Some(description), ..Opt::new(OptionId::numbered('o', index + 1), label) })
    }

    fn text(&mut self, value: Loose<String>, longest: usize, place: Place<'_>) -> String {
        let Some(text) = self.judge.expect(value, place) else { return String::new() };
        self.judge.length(&text, (1, longest), LengthUnit::Utf16, place);
        text
    }
}
