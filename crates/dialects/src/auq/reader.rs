//! Reader of requests: the spec's schemas, with the messages of its Zod 4.

use super::limits::AuqLimits;
use super::limits::{AuqCompat, AuqExtensions};
use super::messages;
use super::spec::OPTIONS_MIN;
use crate::auq::spec::NAME;
use crate::format::parsed_request::{AskOptions, ParsedRequest};
use crate::format::problem_list::verbatim;
use crate::javascript;
use crate::lenient::validator::{LazyPlace, RequestValidator};
use crate::lenient::wording;
use crate::lenient::{self, JsonShape, Lenient, LenientList, lenient_objects};
use sayso_core::FormatExtensions;
use sayso_core::LocalizedText;
use sayso_core::limits;
use sayso_core::model::validation_rules::LengthUnit;
use sayso_core::wire::json::JsonSource;
use sayso_core::{
    ChoiceOption, ChoiceQuestion, DocumentPath, OptionId, Problem, ProblemCode, Question, QuestionId,
    Questionnaire, Rules,
};

const _: () = assert!(
    limits::QUESTIONS <= LenientList::<AuqQuestionDocument>::MAX_KEPT
        && limits::OPTIONS <= LenientList::<AuqOptionDocument>::MAX_KEPT
);

lenient_objects! {
    AuqRequestDocument {
        questions: "questions" => LenientList<AuqQuestionDocument>,
        non_blocking: "nonBlocking" => bool,
    }

    AuqQuestionDocument {
        prompt: "prompt" => String,
        title: "title" => String,
        options: "options" => LenientList<AuqOptionDocument>,
        multi_select: "multiSelect" => bool,
    }

    AuqOptionDocument {
        label: "label" => String,
        description: "description" => String,
    }
}

/// Reads a request (the spec's "MCP parameters schema").
///
/// # Errors
/// Returns `missing_request`, `invalid_json`, or every issue of the schema in the order and the messages of Zod 4.
pub fn read<'t>(json: impl Into<JsonSource<'t>>, limits: &AuqLimits) -> Result<ParsedRequest, Vec<Problem>> {
    let request = lenient::read_request::<AuqRequestDocument>(json)?;
    read_document(request, limits)
}

/// Reads the arguments of the tool. Whether its call waits is no part of the questions, so that the same ones match with
/// and without it.
///
/// # Errors
/// As [`read`].
pub fn read_tool_call<'t>(
    json: impl Into<JsonSource<'t>>,
    limits: &AuqLimits,
) -> Result<ParsedRequest, Vec<Problem>> {
    let mut request = read(json, limits)?;
    if let Some(kept) = AuqExtensions::from_questionnaire(&request.questionnaire) {
        let kept = AuqExtensions { non_blocking: false, ..kept };
        request.questionnaire.extensions.insert(NAME.to_owned(), kept.as_json());
    }
    Ok(request)
}

/// Reads a request as the command `auq ask` does. The command's own checks come first, with its messages. A question
/// without `multiSelect` is one for a single option.
///
/// # Errors
/// Returns `invalid_json` with JavaScript's message, the first failed check of the command, or the problems of
/// [`read`].
pub fn read_command(text: &str, limits: &AuqLimits) -> Result<ParsedRequest, Vec<Problem>> {
    let mut request = lenient::read::<AuqRequestDocument>(text)
        .map_err(|problem| vec![with_javascript_message(problem, text)])?;
    if let Some(words) = failed_check(&request) {
        return Err(vec![verbatim(ProblemCode::Required, words)]);
    }
    if let Lenient::Value(AuqRequestDocument { questions: Lenient::Value(list), .. }) = &mut request {
        for item in &mut list.items {
            if let Lenient::Value(AuqQuestionDocument { multi_select: multi @ Lenient::Missing, .. }) = item {
                *multi = Lenient::Value(false);
            }
        }
    }
    read_document(request, limits)
}

/// Replaces the message for invalid JSON by the one of a JavaScript program.
pub(super) fn with_javascript_message(problem: Problem, text: &str) -> Problem {
    match (problem.code, javascript::syntax_error(text)) {
        (ProblemCode::InvalidJson, Some(words)) => verbatim(ProblemCode::InvalidJson, words),
        _ => problem,
    }
}

/// Returns the message of the first failed check of the command.
fn failed_check(request: &Lenient<AuqRequestDocument>) -> Option<String> {
    let questions = match request {
        Lenient::Value(AuqRequestDocument { questions: Lenient::Value(list), .. }) if list.count > 0 => {
            &list.items
        }
        _ => return Some(messages::QUESTIONS_MISSING.to_owned()),
    };
    let is_text = |text: &Lenient<String>| matches!(text, Lenient::Value(text) if !text.is_empty());
    questions.iter().zip(1..).find_map(|(item, number): (_, usize)| match item {
        Lenient::Value(item) if !is_text(&item.prompt) => Some(messages::question_lacks(number, "prompt")),
        Lenient::Value(item) if !is_text(&item.title) => Some(messages::question_lacks(number, "title")),
        Lenient::Value(AuqQuestionDocument { options: Lenient::Value(list), .. })
            if list.count >= OPTIONS_MIN =>
        {
            None
        }
        Lenient::Value(_) => Some(messages::question_lacks_options(number)),
        Lenient::Missing | Lenient::WrongType(_) => Some(messages::question_lacks(number, "prompt")),
    })
}

fn read_document(
    request: Lenient<AuqRequestDocument>,
    limits: &AuqLimits,
) -> Result<ParsedRequest, Vec<Problem>> {
    let mut reading = AuqRequestReader { limits, judge: RequestValidator::new(wording::zod4) };
    let (questions, non_blocking) = reading.request(request);
    reading.judge.finish()?;
    let mut beside = FormatExtensions::new();
    if limits.compat() == AuqCompat::V3_4 {
        let kept = AuqExtensions { compat: limits.compat(), non_blocking };
        beside.insert(NAME.to_owned(), kept.as_json());
    }
    let questionnaire =
        Questionnaire { questions, rules: rules(), extensions: beside, ..Questionnaire::default() };
    let asking = AskOptions { is_waiting: !non_blocking, ..AskOptions::default() };
    Ok(ParsedRequest { options: asking, ..ParsedRequest::from_questionnaire(questionnaire) })
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
struct AuqRequestReader<'l> {
    limits: &'l AuqLimits,
    judge: RequestValidator,
}

impl AuqRequestReader<'_> {
    fn request(&mut self, request: Lenient<AuqRequestDocument>) -> (Vec<Question>, bool) {
        let Some(request) = self.judge.required(request, &DocumentPath::root) else {
            return (Vec::new(), false);
        };
        let place = || DocumentPath::root().join("questions");
        let bounds = (1, self.limits.questions());
        let questions = self.list(request.questions, bounds, &place, |reading, index, item| {
            reading.question(index, item, &|| place().join(index))
        });
        let non_blocking = match self.limits.compat() {
            AuqCompat::Spec => None,
            AuqCompat::V3_4 => {
                self.judge.optional(request.non_blocking, &|| DocumentPath::root().join("nonBlocking"))
            }
        };
        (questions, non_blocking.unwrap_or_default())
    }

    fn question(
        &mut self,
        index: usize,
        item: Lenient<AuqQuestionDocument>,
        place: LazyPlace<'_>,
    ) -> Option<Question> {
        let item = self.judge.required(item, place)?;
        let prompt = self.judge.required(item.prompt, &|| place().join("prompt"));
        if let Some(prompt) = &prompt {
            self.judge.check_length(prompt, (1, usize::MAX), LengthUnit::Scalar, &|| place().join("prompt"));
        }
        let title = self.judge.required(item.title, &|| place().join("title"));
        if title.as_deref() == Some("") {
            let words = LocalizedText::Verbatim(messages::TITLE_MISSING.to_owned());
            self.judge.report(ProblemCode::TooSmall, words, &|| place().join("title"));
        }
        let options = || place().join("options");
        let bounds = (OPTIONS_MIN, self.limits.options());
        let options = self.list(item.options, bounds, &options, |reading, index, entry| {
            reading.option(index, entry, &|| options().join(index))
        });
        let multi = self.judge.required(item.multi_select, &|| place().join("multiSelect"))?;
        let kind = ChoiceQuestion { options, multi, other: true, ..ChoiceQuestion::default() };
        // The asker learns which questions have answers.
        let question = Question::new(QuestionId::numbered('q', index), prompt?, kind);
        Some(Question { label: title, required: false, ..question })
    }

    fn option(
        &mut self,
        index: usize,
        entry: Lenient<AuqOptionDocument>,
        place: LazyPlace<'_>,
    ) -> Option<ChoiceOption> {
        let entry = self.judge.required(entry, place)?;
        let label = self.judge.required(entry.label, &|| place().join("label"));
        let description = self.judge.optional(entry.description, &|| place().join("description"));
        Some(ChoiceOption { description, ..ChoiceOption::new(OptionId::numbered('o', index + 1), label?) })
    }

    /// Reads a required array. Problems with its elements are reported before a problem with their number.
    fn list<'t, T: JsonShape<'t>, U>(
        &mut self,
        value: Lenient<LenientList<T>>,
        bounds: (usize, usize),
        place: LazyPlace<'_>,
        mut each: impl FnMut(&mut Self, usize, Lenient<T>) -> Option<U>,
    ) -> Vec<U> {
        let Some(list) = self.judge.required(value, place) else { return Vec::new() };
        let items = list.items.into_iter().enumerate();
        let read = items.filter_map(|(index, item)| each(self, index, item)).collect();
        self.judge.check_count(list.count, bounds, place);
        read
    }
}
