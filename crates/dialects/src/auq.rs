//! AUQ, the `ask_user_questions` tool: one to four questions of two to four options each, always with an own answer.
//! Answers are text for a model.
//!
//! `limits` has the generations, `wire` the spec's types, `reader` and `refusal` its requests. `answers`
//! and `answer_text` are its answers, `messages` the original's sentences, `writer` the output for an asker.
//! `schema` describes the tool to a model, and `fetch` is the tool that returns answers later. `command` has the
//! format's own commands, with its sessions and their history.

mod answer_text;
mod answers;
mod command;
mod fetch;
pub(crate) mod limits;
mod messages;
mod reader;
mod refusal;
mod schema;
pub(crate) mod spec;
mod wire;
mod writer;

pub use answer_text::format_answers;
pub use answers::validate_answers;
pub use command::{AuqAnswersRefusal, AuqSession, AuqSessionSummary, read_command_answers, write_command};
pub use fetch::{AuqFetchRequest, FETCH_TOOL, fetch_error, fetch_tool, pending_text, read_fetch};
pub use limits::{AuqCompat, AuqLimits};
pub use messages::{
    elaborate_request, own_note, rejection_text, rephrase_request, session_line, submitted_text,
};
pub use reader::{read_command, read_tool_call};
pub use refusal::arguments_error;
use refusal::tool_arguments_error;
pub use schema::tool;
pub use spec::TOOL;
pub use wire::{AskUserQuestionsParameters, OptionInput, QuestionInput, UserAnswer};
pub use writer::{fetch_answers_text, fetch_status_text, outcome_text, tool_result};

use crate::format::WireFormat;
use crate::format::cli_output::CliOutput;
use crate::format::parsed_request::ParsedRequest;
use crate::format::submitted_answers::SubmittedAnswers;
use crate::schema::PublishedSchemas;
use crate::schema::committed::{CommittedFiles, committed_files};
use sayso_core::wire::json::JsonSource;
use sayso_core::{AskId, Lang, Outcome, Problem, Questionnaire};

/// The spec's `OptionSchema`.
pub type OptionSchema = OptionInput;
/// The spec's `QuestionSchema`, of which `QuestionInput` is the type.
pub type QuestionSchema = QuestionInput;
/// The spec's `QuestionsSchema`.
pub type QuestionsSchema = Vec<QuestionInput>;
/// The spec's `AskUserQuestionsParametersSchema`.
pub type AskUserQuestionsParametersSchema = AskUserQuestionsParameters;

/// The format, with its limits.
pub(crate) struct AuqFormat(pub(crate) AuqLimits);

impl WireFormat for AuqFormat {
    fn read(&self, json: JsonSource<'_>) -> Result<ParsedRequest, Vec<Problem>> {
        reader::read(json, &self.0)
    }

    fn refuse(&self, problems: &[Problem], _: Lang) -> CliOutput {
        refusal::refuse(problems)
    }

    fn write(&self, ask: AskId, questionnaire: &Questionnaire, outcome: &Outcome) -> CliOutput {
        CliOutput { stdout: tool_result(ask, questionnaire, outcome), ..CliOutput::from_outcome(outcome) }
    }

    fn write_pending(&self, ask: AskId, questionnaire: &Questionnaire) -> CliOutput {
        CliOutput { stdout: submitted_text(ask, questionnaire.questions.len()), ..CliOutput::default() }
    }

    fn read_answers(
        &self,
        questionnaire: &Questionnaire,
        text: &str,
    ) -> Result<SubmittedAnswers, Vec<Problem>> {
        answers::read_answers(questionnaire, text)
    }

    fn published(&self) -> PublishedSchemas {
        schema::published(&self.0)
    }

    fn committed(&self) -> Option<&'static CommittedFiles> {
        (self.0 == AuqLimits::default()).then_some(committed_files!("auq", None))
    }
}
