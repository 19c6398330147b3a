//! The Questionnaire API: five types of question, follow-up questions, answers keyed by the asker's ids.
//!
//! `reader` reads a request with its `constraints` and `show_if`. `outcome` is what the asker gets over HTTP and on a command line, `result` the answers in it; `answers` reads answers given as
//! data; `text` formats a result for a model. `persistence` is the key under
//! which a client stores a draft; `messages` has the spec's texts, `schema` and `openapi` are published.

mod answers;
mod constraints;
mod messages;
mod openapi;
pub(crate) mod outcome;
mod persistence;
pub(crate) mod reader;
mod result;
mod schema;
mod show_if;
pub(crate) mod spec;
mod text;

pub(crate) use openapi::openapi;
pub use outcome::{QuestionnaireResponse, refusal_response, respond};
pub use persistence::persistence_key;
pub use text::result_text;

use crate::format::WireFormat;
use crate::format::cli_output::CliOutput;
use crate::format::parsed_request::ParsedRequest;
use crate::format::submitted_answers::SubmittedAnswers;
use crate::schema::PublishedSchemas;
use crate::schema::committed::{CommittedFiles, committed_file, committed_files};
use sayso_core::wire::json::JsonSource;
use sayso_core::{AskId, Lang, Outcome, Problem, Questionnaire};

/// The format.
pub(crate) struct QuestionnaireFormat;

impl WireFormat for QuestionnaireFormat {
    fn read(&self, json: JsonSource<'_>) -> Result<ParsedRequest, Vec<Problem>> {
        reader::read(json)
    }

    fn refuse(&self, problems: &[Problem], lang: Lang) -> CliOutput {
        CliOutput::from_problems(spec::NAME, problems, lang)
    }

    fn write(&self, _: AskId, questionnaire: &Questionnaire, outcome: &Outcome) -> CliOutput {
        outcome::write(questionnaire, outcome)
    }

    fn read_answers(
        &self,
        questionnaire: &Questionnaire,
        text: &str,
    ) -> Result<SubmittedAnswers, Vec<Problem>> {
        answers::read_answers(questionnaire, text)
    }

    fn published(&self) -> PublishedSchemas {
        schema::published()
    }

    fn committed(&self) -> Option<&'static CommittedFiles> {
        Some(committed_files!("questionnaire", Some(committed_file!("questionnaire", "openapi.json"))))
    }
}
