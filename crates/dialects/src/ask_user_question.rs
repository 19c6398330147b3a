//! The `AskUserQuestion` shell command: choices of two to four options, always with an own answer. Answers are keyed by
//! the short headers of the questions.
//!
//! `reader` and `refusal` hold the spec's input rules and error texts, `writer` and `answers` its output format.
//! `messages` has the spec's texts, `screen` is its terminal prompter, `manual` its help, `schema` its schemas, `route` the lookup by a shell.

mod answers;
mod manual;
mod messages;
pub(crate) mod reader;
mod refusal;
pub(crate) mod route;
mod schema;
mod screen;
pub(crate) mod spec;
mod writer;

pub use manual::manual;
pub use messages::{CUSTOM_PROMPT, INTERRUPTED, USAGE};
pub use reader::AskUserQuestionLimits;
pub use route::{CommandRoute, NAME, json_argument, route};
pub use screen::{AskUserQuestionChoice, default_choice_notice, parse_answer, render_question};

use crate::format::WireFormat;
use crate::format::cli_output::CliOutput;
use crate::format::parsed_request::ParsedRequest;
use crate::format::submitted_answers::SubmittedAnswers;
use crate::schema::PublishedSchemas;
use crate::schema::committed::{CommittedFiles, committed_files};
use sayso_core::wire::json::JsonSource;
use sayso_core::{AskId, Lang, Outcome, Problem, Questionnaire};

/// The format, with its limits.
pub(crate) struct AskUserQuestionFormat(pub(crate) AskUserQuestionLimits);

impl WireFormat for AskUserQuestionFormat {
    fn read(&self, json: JsonSource<'_>) -> Result<ParsedRequest, Vec<Problem>> {
        reader::read(json, &self.0)
    }

    fn refuse(&self, problems: &[Problem], lang: Lang) -> CliOutput {
        refusal::refuse(problems, lang)
    }

    fn write(&self, _: AskId, questionnaire: &Questionnaire, outcome: &Outcome) -> CliOutput {
        writer::write(questionnaire, outcome)
    }

    fn read_answers(
        &self,
        questionnaire: &Questionnaire,
        text: &str,
    ) -> Result<SubmittedAnswers, Vec<Problem>> {
        answers::read_answers(questionnaire, text).map(SubmittedAnswers::from_replies)
    }

    fn published(&self) -> PublishedSchemas {
        schema::published(&self.0)
    }

    fn committed(&self) -> Option<&'static CommittedFiles> {
        (self.0 == AskUserQuestionLimits::default()).then_some(committed_files!("ask_user_question", None))
    }
}
