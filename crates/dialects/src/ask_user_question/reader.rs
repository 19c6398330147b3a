//! Reader of requests: the spec's "input validation rules", with the messages of its Zod schema.

use super::messages::{MISSING_PARAMETER, USAGE};
use crate::format::parsed_request::ParsedRequest;
use crate::format::problem_list::{ProblemList, verbatim};
use crate::javascript;
use crate::lenient::validator::{LazyPlace, RequestValidator};
use crate::lenient::wording;
use crate::lenient::{self, Lenient, LenientList, lenient_objects};
use crate::names;
use sayso_core::i18n::foreign;
use sayso_core::limits;
use sayso_core::model::validation_rules::LengthUnit;
use sayso_core::wire::json::JsonSource;
use sayso_core::{
    ChoiceOption, ChoiceQuestion, DocumentPath, OptionId, Problem, ProblemCode, Question, QuestionId,
    Questionnaire, Rules,
};
use sayso_core::{LocalizedText, Message};

/// The fewest options of a question (the spec's "options").
pub(super) const OPTIONS_MIN: usize = 2;
/// The longest label, in UTF-16 code units (the spec's "option.label").
pub(super) const LABEL_LENGTH: usize = 50;
/// The longest description, in UTF-16 code units (the spec's "option.description").
pub(super) const DESCRIPTION_LENGTH: usize = 200;

const _: () = assert!(
    limits::QUESTIONS <= LenientList::<AskUserQuestionItem>::MAX_KEPT
        && limits::OPTIONS <= LenientList::<AskUserQuestionOption>::MAX_KEPT
);

/// The limits that the environment may set (the spec's "environment variables").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskUserQuestionLimits {
    /// The most questions in a call: `ASK_MAX_QUESTIONS`.
    pub questions: usize,
    /// The most options of a question: `ASK_MAX_OPTIONS`.
    pub options: usize,
    /// The longest header, in UTF-16 code units: `ASK_HEADER_MAX_LENGTH`.
    pub header: usize,
    /// The longest question, in UTF-16 code units: `ASK_QUESTION_MAX_LENGTH`.
    pub question: usize,
}

impl Default for AskUserQuestionLimits {
    fn default() -> Self {
        Self { questions: 4, options: 4, header: 12, question: 500 }
    }
}

impl AskUserQuestionLimits {
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
        let [questions, options, header, question] = Self::VARIABLES.map(|name| positive(&get(name)?));
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
    // The digits are only too many if they do not parse.
    let number = digits.parse().unwrap_or(usize::MAX);
    if number > 0 { Some(number) } else { None }
}

lenient_objects! {
    AskUserQuestionRequest {
        questions: "questions" => LenientList<AskUserQuestionItem>,
    }

    AskUserQuestionItem {
        question: "question" => String,
        header: "header" => String,
        options: "options" => LenientList<AskUserQuestionOption>,
        multi_select: "multiSelect" => bool,
    }

    AskUserQuestionOption {
        label: "label" => String,
        description: "description" => String,
    }
}

/// Reads a request (the spec's "command input format").
///
/// # Errors
/// Returns `missing_request`, `invalid_json`, or every issue of the schema in the order and the messages of Zod 3.
pub(crate) fn read<'t>(
    json: impl Into<JsonSource<'t>>,
    limits: &AskUserQuestionLimits,
) -> Result<ParsedRequest, Vec<Problem>> {
    let json = json.into();
    if let JsonSource::Text(text) = json
        && javascript::trim(text).is_empty()
    {
        let missing = verbatim(ProblemCode::MissingRequest, MISSING_PARAMETER);
        return Err(vec![missing.with_hint(LocalizedText::Verbatim(USAGE.to_owned()))]);
    }
    let request = lenient::read::<AskUserQuestionRequest>(json)?;
    let mut reading = AskUserQuestionReader { limits, judge: RequestValidator::new(wording::zod3) };
    let questions = reading.request(request);
    reading.judge.finish()?;
    let warnings = duplicate_header_warnings(&questions);
    let questionnaire = Questionnaire { questions, rules: rules(), ..Questionnaire::default() };
    Ok(ParsedRequest { warnings, ..ParsedRequest::from_questionnaire(questionnaire) })
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
fn duplicate_header_warnings(questions: &[Question]) -> Vec<Problem> {
    let mut warnings = ProblemList::default();
    for index in names::repeated_indexes(questions.iter().map(Question::display_name)) {
        if let Some(header) = questions.get(index).map(Question::display_name) {
            warnings.add(|| {
                let path = DocumentPath::root().join("questions").join(index).join("header");
                Problem::new(ProblemCode::DuplicateId, Message::SameHeader.with([foreign(header)])).at(path)
            });
        }
    }
    warnings.into_problems()
}

/// Reader of a request, in the order of the schema's members.
struct AskUserQuestionReader<'l> {
    limits: &'l AskUserQuestionLimits,
    judge: RequestValidator,
}

impl AskUserQuestionReader<'_> {
    fn request(&mut self, request: Lenient<AskUserQuestionRequest>) -> Vec<Question> {
        let Some(request) = self.judge.required(request, LazyPlace::Root) else { return Vec::new() };
        let place = LazyPlace::Root.member("questions");
        let items = self.judge.required_list(request.questions, (1, self.limits.questions), place);
        let mut questions = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            questions.extend(self.question(index, item, place.element(index)));
        }
        questions
    }

    fn question(
        &mut self,
        index: usize,
        item: Lenient<AskUserQuestionItem>,
        place: LazyPlace<'_>,
    ) -> Option<Question> {
        let item = self.judge.required(item, place)?;
        let prompt = self.text(item.question, self.limits.question, place.member("question"));
        let header = self.text(item.header, self.limits.header, place.member("header"));
        let options_place = place.member("options");
        let bounds = (OPTIONS_MIN, self.limits.options);
        let entries = self.judge.required_list(item.options, bounds, options_place);
        let mut options = Vec::with_capacity(entries.len());
        for (index, entry) in entries.into_iter().enumerate() {
            options.extend(self.option(index, entry, options_place.element(index)));
        }
        let multi = self.judge.required(item.multi_select, place.member("multiSelect"))?;
        let kind = ChoiceQuestion { options, multi, other: true, ..ChoiceQuestion::default() };
        Some(Question {
            label: Some(header),
            ..Question::new(QuestionId::numbered('q', index), prompt, kind)
        })
    }

    fn option(
        &mut self,
        index: usize,
        entry: Lenient<AskUserQuestionOption>,
        place: LazyPlace<'_>,
    ) -> Option<ChoiceOption> {
        let entry = self.judge.required(entry, place)?;
        let label = self.text(entry.label, LABEL_LENGTH, place.member("label"));
        let description = self.text(entry.description, DESCRIPTION_LENGTH, place.member("description"));
        Some(ChoiceOption {
            description: Some(description),
            ..ChoiceOption::new(OptionId::numbered('o', index + 1), label)
        })
    }

    fn text(&mut self, value: Lenient<String>, longest: usize, place: LazyPlace<'_>) -> String {
        let Some(text) = self.judge.required(value, place) else { return String::new() };
        self.judge.check_length(&text, (1, longest), LengthUnit::Utf16, place);
        text
    }
}
