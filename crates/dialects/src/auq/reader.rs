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
use crate::lenient::{self, Lenient, LenientList, lenient_objects};
use sayso_core::FormatExtensions;
use sayso_core::LocalizedText;
use sayso_core::limits;
use sayso_core::model::validation_rules::LengthUnit;
use sayso_core::wire::json::JsonSource;
use sayso_core::{
    ChoiceOption, ChoiceQuestion, OptionId, Problem, ProblemCode, Question, QuestionId, Questionnaire, Rules,
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
pub(crate) fn read<'t>(
    json: impl Into<JsonSource<'t>>,
    limits: &AuqLimits,
) -> Result<ParsedRequest, Vec<Problem>> {
    let request = lenient::read_request::<AuqRequestDocument>(json)?;
    read_document(request, limits)
}

/// Reads the arguments of the tool. Whether its call waits is no part of the questions, so that the same ones match with
/// and without it.
///
/// # Errors
/// Returns `missing_request`, `invalid_json`, or every issue of the schema, in the words of Zod 4.
pub fn read_tool_call<'t>(
    json: impl Into<JsonSource<'t>>,
    limits: &AuqLimits,
) -> Result<ParsedRequest, Vec<Problem>> {
    let mut request = read(json, limits)?;
    if let Some(extensions) = AuqExtensions::from_questionnaire(&request.questionnaire) {
        let extensions = AuqExtensions { non_blocking: false, ..extensions };
        request.questionnaire.extensions.insert(NAME.to_owned(), extensions.as_json());
    }
    Ok(request)
}

/// Reads a request as the command `auq ask` does. The command's own checks come first, with its messages. A question
/// without `multiSelect` is one for a single option.
///
/// # Errors
/// Returns `invalid_json` with JavaScript's message, the first failed check of the command, or every issue of
/// the schema.
pub fn read_command(text: &str, limits: &AuqLimits) -> Result<ParsedRequest, Vec<Problem>> {
    let mut request = match lenient::read::<AuqRequestDocument>(text) {
        Ok(request) => request,
        Err(problem) => return Err(vec![with_javascript_message(problem, text)]),
    };
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
    for (index, item) in questions.iter().enumerate() {
        let number = index + 1;
        let Lenient::Value(item) = item else { return Some(messages::question_lacks(number, "prompt")) };
        if !is_text(&item.prompt) {
            return Some(messages::question_lacks(number, "prompt"));
        }
        if !is_text(&item.title) {
            return Some(messages::question_lacks(number, "title"));
        }
        if !matches!(&item.options, Lenient::Value(list) if list.count >= OPTIONS_MIN) {
            return Some(messages::question_lacks_options(number));
        }
    }
    None
}

fn is_text(text: &Lenient<String>) -> bool {
    matches!(text, Lenient::Value(text) if !text.is_empty())
}

fn read_document(
    request: Lenient<AuqRequestDocument>,
    limits: &AuqLimits,
) -> Result<ParsedRequest, Vec<Problem>> {
    let mut reading = AuqRequestReader { limits, judge: RequestValidator::new(wording::zod4) };
    let (questions, non_blocking) = reading.request(request);
    reading.judge.finish()?;
    let mut extensions = FormatExtensions::new();
    if limits.compat() == AuqCompat::V3_4 {
        let own_extensions = AuqExtensions { compat: limits.compat(), non_blocking };
        extensions.insert(NAME.to_owned(), own_extensions.as_json());
    }
    let questionnaire = Questionnaire { questions, rules: rules(), extensions, ..Questionnaire::default() };
    let options = AskOptions { is_waiting: !non_blocking, ..AskOptions::default() };
    Ok(ParsedRequest { options, ..ParsedRequest::from_questionnaire(questionnaire) })
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
        let Some(request) = self.judge.required(request, LazyPlace::Root) else {
            return (Vec::new(), false);
        };
        let place = LazyPlace::Root.member("questions");
        let mut questions = Vec::new();
        if let Some(list) = self.judge.required(request.questions, place) {
            for (index, item) in list.items.into_iter().enumerate() {
                questions.extend(self.question(index, item, place.element(index)));
            }
            // Zod 4 reports the problems of the elements before one with their number.
            self.judge.check_count(list.count, (1, self.limits.questions()), place);
        }
        let non_blocking = match self.limits.compat() {
            AuqCompat::Spec => None,
            AuqCompat::V3_4 => {
                self.judge.optional(request.non_blocking, LazyPlace::Root.member("nonBlocking"))
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
        let prompt = self.judge.required(item.prompt, place.member("prompt"));
        if let Some(prompt) = &prompt {
            self.judge.check_length(prompt, (1, usize::MAX), LengthUnit::Scalar, place.member("prompt"));
        }
        let title = self.judge.required(item.title, place.member("title"));
        if title.as_deref() == Some("") {
            let words = LocalizedText::Verbatim(messages::TITLE_MISSING.to_owned());
            self.judge.report(ProblemCode::TooSmall, words, place.member("title"));
        }
        let options_place = place.member("options");
        let mut options = Vec::new();
        if let Some(list) = self.judge.required(item.options, options_place) {
            for (index, entry) in list.items.into_iter().enumerate() {
                options.extend(self.option(index, entry, options_place.element(index)));
            }
            self.judge.check_count(list.count, (OPTIONS_MIN, self.limits.options()), options_place);
        }
        let multi = self.judge.required(item.multi_select, place.member("multiSelect"))?;
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
        let label = self.judge.required(entry.label, place.member("label"));
        let description = self.judge.optional(entry.description, place.member("description"));
        Some(ChoiceOption { description, ..ChoiceOption::new(OptionId::numbered('o', index + 1), label?) })
    }
}
