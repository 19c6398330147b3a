//! Interrupts: a thread stops for a decision or for answers, and is resumed with an action or with a list of strings.
//!
//! `reader` reads the three forms of a request. `approval` is the question for an interrupt without questions, `actions`
//! the tool calls as actions, and `extensions` what only this format has. `translation` is the way back, with its
//! `losses`, and `translation/typed_answer` for questions of other kinds; `interrupt_data` the data for an agent's calls. `resume` is a client's decision, `chat` its message, and
//! `json_errors` the errors for a body that is not JSON. `writer` and `event` produce what the asker and the stream get,
//! `python_repr` formats values as the original does; `messages` has its texts, `schema` is published.

mod actions;
mod approval;
mod chat;
mod event;
mod extensions;
mod interrupt_data;
mod json_errors;
mod messages;
mod python_repr;
mod reader;
mod resume;
mod schema;
pub(crate) mod spec;
mod translation;
mod writer;

pub use chat::ChatRequest;
pub use event::{InterruptEvent, end_events, interrupt_events, rejection_events};
pub use interrupt_data::{
    call_info, data_from_call, drop_derived_words, event_data, is_ask_user_interrupt, split_requests,
    task_name,
};
pub use resume::{
    InterruptBodyError, InterruptBodyIssue, ResumeAction, ResumeDecision, ResumeRequest, not_waiting_problem,
    resolve_decision,
};
pub use spec::ASK_USER;
pub use translation::losses::TranslationLoss;
pub use translation::{TranslatedRequest, write_request};
pub use writer::{InterruptDecision, decision, is_approval, tool_result};

use crate::format::WireFormat;
use crate::format::cli_output::CliOutput;
use crate::format::parsed_request::ParsedRequest;
use crate::format::submitted_answers::SubmittedAnswers;
use crate::schema::PublishedSchemas;
use crate::schema::committed::{CommittedFiles, committed_files};
use sayso_core::wire::json::JsonSource;
use sayso_core::{AskId, Lang, Outcome, Problem, Questionnaire};

/// The format.
pub(crate) struct InterruptFormat;

impl WireFormat for InterruptFormat {
    fn read(&self, json: JsonSource<'_>) -> Result<ParsedRequest, Vec<Problem>> {
        reader::read(json)
    }

    fn refuse(&self, problems: &[Problem], lang: Lang) -> CliOutput {
        // The spec has no format for it.
        CliOutput::from_problems(spec::NAME, problems, lang)
    }

    fn write(&self, _: AskId, questionnaire: &Questionnaire, outcome: &Outcome) -> CliOutput {
        writer::write(questionnaire, outcome)
    }

    fn has_answers_member(&self) -> bool {
        false
    }

    fn read_answers(
        &self,
        questionnaire: &Questionnaire,
        text: &str,
    ) -> Result<SubmittedAnswers, Vec<Problem>> {
        resume::read_answers(questionnaire, text)
    }

    fn published(&self) -> PublishedSchemas {
        schema::published()
    }

    fn committed(&self) -> Option<&'static CommittedFiles> {
        Some(committed_files!("interrupt", None))
    }
}
