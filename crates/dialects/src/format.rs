//! Ground of the formats: what each of them reads and writes, and what they share.

pub(crate) mod cli_output;
pub(crate) mod form_note;
pub(crate) mod parsed_request;
pub(crate) mod problem_list;
pub(crate) mod submitted_answers;

use crate::schema::PublishedSchemas;
use crate::schema::committed::CommittedFiles;
use cli_output::CliOutput;
use parsed_request::ParsedRequest;
use sayso_core::i18n::own;
use sayso_core::wire::json::JsonSource;
use sayso_core::{AskId, Lang, Message, Outcome, Problem, ProblemCode, Questionnaire, Replies};
use serde_json::Value;
use submitted_answers::SubmittedAnswers;

/// A wire format, with the limits of an operator if it has some. [`crate::Dialect`] has the table of all.
pub(crate) trait WireFormat {
    /// Reads a request.
    ///
    /// # Errors
    /// Returns all problems of the request, each with its place.
    fn read(&self, json: JsonSource<'_>) -> Result<ParsedRequest, Vec<Problem>>;

    /// Returns the output for an invalid request.
    fn refuse(&self, problems: &[Problem], lang: Lang) -> CliOutput;

    /// Returns the output for an outcome.
    fn write(&self, ask: AskId, questionnaire: &Questionnaire, outcome: &Outcome) -> CliOutput;

    /// Returns the output for an asker that does not wait.
    fn write_pending(&self, ask: AskId, _: &Questionnaire) -> CliOutput {
        CliOutput { stdout: ask.to_string(), ..CliOutput::default() }
    }

    /// Reads answers given as data. The sheet judges whether they suffice.
    ///
    /// # Errors
    /// Returns all problems if the text is not such a document.
    fn read_answers(
        &self,
        questionnaire: &Questionnaire,
        text: &str,
    ) -> Result<SubmittedAnswers, Vec<Problem>>;

    /// Returns whether answers are in a member `answers`, so that its content alone is understood too.
    fn has_answers_member(&self) -> bool {
        true
    }

    /// Returns whether the original answers match these replies, for a format whose askers get the original.
    fn matches_replies(&self, _: &Questionnaire, _: &Value, _: &Replies) -> bool {
        false
    }

    /// Returns the schemas.
    fn published(&self) -> PublishedSchemas;

    /// Returns the schemas as they are committed, unless an operator's limits change them.
    fn committed(&self) -> Option<&'static CommittedFiles>;
}

/// Wraps the problems of a request read in a format into one, or returns the only problem of a missing request.
pub(crate) fn request_problem(format: &str, problems: Vec<Problem>) -> Problem {
    let problem = Problem::from_request(problems);
    let is_one = matches!(problem.causes.as_slice(), [one] if one.code == ProblemCode::MissingRequest);
    if is_one && let Some(one) = problem.causes.first() {
        return one.clone();
    }
    if problem.causes.is_empty() {
        return problem;
    }
    let text = [own(problem.causes.len()), own(format)];
    Problem { message: Message::RequestReadAs.with(text), ..problem }
}
