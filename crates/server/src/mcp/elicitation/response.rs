//! Effect of a host's reply to a form. A host that answers faster than a person can read can't ask one: its reply is
//! ignored.

use super::form::{self, HostForm};
use crate::mcp::McpConfig;
use crate::mcp::error::CallError;
use crate::mcp::result::JsonMap;
use rmcp::model::{ElicitResult, ElicitationAction};
use sayso_core::i18n::{foreign, own};
use sayso_core::model::actor::{AssuranceLevel, Surface};
use sayso_core::model::document_path::PathStep;
use sayso_core::sheet::answer_path;
use sayso_core::{
    Actor, Ask, AskAccess, AskCommand, DocumentPath, Lang, LocalizedText, Message, Person,
    PreparedQuestionnaire, Problem, ProblemCode, Question, Questionnaire, display, wire,
};
use sayso_dialects::SubmittedAnswers;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// Least time that a person needs to read a form and answer it.
pub(crate) const HUMAN_REPLY_MIN: Duration = Duration::from_secs(1);

/// Effect of a reply to a form.
#[derive(Debug)]
pub(crate) enum ElicitationOutcome {
    /// The ask has its outcome.
    Settled(Box<Ask>),
    /// The input is invalid.
    Invalid(InvalidInput),
    /// A person dismissed the form. The question stays open.
    Dismissed,
    /// The host cannot ask a person.
    CannotAsk,
}

/// Invalid input of a form.
#[derive(Debug, Default)]
pub(crate) struct InvalidInput {
    /// The reasons.
    pub(crate) reasons: Vec<String>,
    /// The values of the fields.
    pub(crate) entries: JsonMap,
    /// Indexes of the questions whose values are invalid.
    pub(crate) wrong: Vec<usize>,
}

impl InvalidInput {
    /// Returns the form to show next: with the reasons above it, and with what was entered.
    pub(crate) fn next_form(&self, form: &HostForm) -> HostForm {
        let mut next = form.clone().with_entries(&self.entries, &self.wrong);
        if !self.reasons.is_empty() {
            next.message = format!("{}\n\n{}", self.reasons.join("\n"), form.message);
        }
        next
    }
}

/// Applies the reply of a host, which took this long. One that came within [`HUMAN_REPLY_MIN`] is no person's: it
/// counts only if it accepts and scripts may answer.
///
/// # Errors
/// Fails if the desk can't be read or written.
pub(crate) fn apply_reply(
    setup: &McpConfig,
    ask: &Ask,
    reply: ElicitResult,
    elapsed: Duration,
) -> Result<ElicitationOutcome, CallError> {
    let is_quick = elapsed < HUMAN_REPLY_MIN;
    let may_be_script = setup.allows_scripts && matches!(reply.action, ElicitationAction::Accept);
    if is_quick && !may_be_script {
        return Ok(ElicitationOutcome::CannotAsk);
    }
    let digest = ask.request.digest;
    let mut entries = JsonMap::new();
    let command = match reply.action {
        ElicitationAction::Accept => {
            let Some(Value::Object(content)) = reply.content else {
                return Ok(ElicitationOutcome::CannotAsk);
            };
            let questionnaire = &ask.request.questionnaire;
            match read_input(questionnaire, &content).into_replies(questionnaire) {
                Ok((replies, _)) => {
                    entries = content;
                    AskCommand::Submit { replies, as_sent: None, shown: digest.into() }
                }
                Err(problem) => return Ok(invalid_input(questionnaire, &problem.causes, content)),
            }
        }
        ElicitationAction::Decline => AskCommand::Decline { reason: None, shown: digest },
        _ => return Ok(ElicitationOutcome::Dismissed),
    };
    let assurance = if is_quick { AssuranceLevel::Scripted } else { AssuranceLevel::Relayed };
    let access = Some(AskAccess::DeskFile);
    let who = Person { name: setup.user.clone(), surface: Surface::Dialog, assurance, access };
    match setup.desk.act(&Actor::Person(who), ask.id, None, command) {
        Ok(ask) => Ok(ElicitationOutcome::Settled(Box::new(ask))),
        Err(problem) if problem.code == ProblemCode::InvalidAnswers => {
            Ok(invalid_input(&ask.request.questionnaire, &problem.causes, entries))
        }
        Err(problem) => {
            let current = setup.desk.get(ask.id)?;
            if current.outcome().is_some() {
                Ok(ElicitationOutcome::Settled(Box::new(current)))
            } else {
                Err(problem.into())
            }
        }
    }
}

/// Reads the input. Each answer is read by itself, so that one that can't be read doesn't hide the problems of the
/// others.
fn read_input(questionnaire: &Arc<Questionnaire>, content: &JsonMap) -> SubmittedAnswers {
    let prepared = PreparedQuestionnaire::new(questionnaire.clone());
    let mut answers = SubmittedAnswers::default();
    for (id, answer) in form::parse_answers(questionnaire, content) {
        match wire::answers::read(&prepared, &json!({ "answers": { id.as_str(): answer } })) {
            Ok(replies) => answers.replies.extend(replies),
            Err(problems) => {
                for problem in problems {
                    answers.problems.push(problem.at(answer_path(&id)));
                }
            }
        }
    }
    answers
}

/// Returns the problems with the question of each: a form has several, and its host knows only the fields.
fn invalid_input(
    questionnaire: &Questionnaire,
    problems: &[Problem],
    entries: JsonMap,
) -> ElicitationOutcome {
    let mut input = InvalidInput { entries, ..InvalidInput::default() };
    for problem in problems {
        // The asker's own message may be among them.
        let mut text = match &problem.message {
            LocalizedText::Verbatim(words) => display::escape_line(words).into_owned(),
            message @ LocalizedText::Message(..) => message.render(Lang::En),
        };
        if let Some((at, question)) = question_at(questionnaire, &problem.path) {
            input.wrong.push(at);
            let words = [own(at + 1), foreign(&question.prompt), own(text)];
            text = Message::WrongAtQuestion.render_with(Lang::En, words);
        }
        input.reasons.push(format!("- {}", display::escape_composed(&text)));
    }
    ElicitationOutcome::Invalid(input)
}

/// Returns the question that a path refers to, with its index.
fn question_at<'q>(questionnaire: &'q Questionnaire, path: &DocumentPath) -> Option<(usize, &'q Question)> {
    let [_, PathStep::Key(id), ..] = path.0.as_slice() else { return None };
    questionnaire.questions.iter().enumerate().find(|(_, question)| question.id.as_str() == id)
}
