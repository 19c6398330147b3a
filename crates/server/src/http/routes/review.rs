//! Route that shows a draft as it would be submitted, or what was submitted, in words.

use super::person::map_to_replies;
use crate::http::context::{ServerContext, visible_ask};
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::caller::PersonParams;
use crate::http::middleware::response;
use crate::http::openapi::schemas::{self, ProblemBody};
use crate::http::route::{BodySpec, ContentSpec, ROLE, Route, RouteAccess, RouteMethod, ok, run};
use axum::http::StatusCode;
use axum::response::Response;
use sayso_core::model::ask::AskPhase;
use sayso_core::wire::{json, problem};
use sayso_core::{
    Answer, Ask, Lang, Outcome, Problem, ProblemCode, Question, QuestionId, Questionnaire, Replies, Reply,
    ReplyContent, Sheet, ShownValues, display,
};
use sayso_desk::Desk as _;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

pub(crate) const ROUTES: &[Route] = &[Route {
    method: RouteMethod::Get,
    path: "/v1/asks/{id}/review",
    name: "review_ask",
    summary: "Shows the draft as it would be submitted, or the submitted answers: each question with its answer in \
        words, the replies that would not be sent, and the problems that block the submission. Its texts are safe \
        to display.",
    access: RouteAccess::Person,
    parameters: &[ROLE],
    body: BodySpec::None,
    max_body_bytes: 0,
    responses: &[ok("The review.", ContentSpec::json(schemas::schema_of::<ReviewBody>))],
    problems: &[ProblemCode::AskNotFound],
    handler: run!(review),
}];

/// The draft as it would be submitted, or the submitted answers, in words.
#[derive(Debug, Default, Serialize, JsonSchema)]
struct ReviewBody {
    /// Revision of the draft.
    rev: u64,
    /// True if it can be submitted.
    ready: bool,
    /// The questions that are asked.
    rows: Vec<ReviewRow>,
    /// The replies that are not sent because their question is not asked or the own answer is not picked.
    unsent: Vec<ReviewRow>,
    /// The problems that block the submission.
    #[schemars(with = "Vec<ProblemBody>")]
    problems: Vec<Value>,
}

/// A question with its answer in words.
#[derive(Debug, Serialize, JsonSchema)]
struct ReviewRow {
    /// The question.
    question: QuestionId,
    /// Its number among the questions that are asked, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    /// Its text.
    prompt: String,
    /// State of the reply.
    state: &'static str,
    /// The answer in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
    /// The value that the asker receives, if shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    sends: Option<String>,
    /// The note to the asker.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// The question whose answer decided that this one is not asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
}

fn safe_text(text: &str) -> String {
    display::escape_lines(text).collect::<Vec<_>>().join("\n")
}

fn sent_values(asked: &Questionnaire, question: &Question, answer: &Answer) -> Option<String> {
    let Answer::Picks(picks) = answer else { return None };
    let shown = ShownValues::for_question(asked, question);
    let values: Vec<_> = picks.iter().filter_map(|pick| shown.get_for_pick(pick)).map(safe_text).collect();
    (!values.is_empty()).then(|| values.join(", "))
}

impl ReviewRow {
    fn new(asked: &Questionnaire, question: &Question, reply: &Reply, lang: Lang) -> Self {
        let state = match reply.content {
            ReplyContent::Answered(_) => "answered",
            ReplyContent::Skipped => "skipped",
            ReplyContent::Unanswered => "unanswered",
            ReplyContent::NotAsked { .. } => "not_asked",
        };
        let answer = reply.answer();
        Self {
            question: question.id.clone(),
            number: None,
            prompt: safe_text(question.display_name()),
            state,
            answer: answer.map(|answer| match answer {
                Answer::Text(_) | Answer::Picks(_) => safe_text(&answer.describe(question, lang)),
                // Its words are ours and quotations.
                _ => answer.describe(question, lang).into_owned(),
            }),
            sends: answer.and_then(|answer| sent_values(asked, question, answer)),
            note: reply.note.as_deref().map(safe_text),
            because: None,
        }
    }
}

impl ReviewBody {
    /// Builds the review of a draft.
    fn from_draft(sheet: &Sheet, rev: u64, lang: Lang) -> Self {
        let asked = sheet.questionnaire();
        let row = |(at, question): (usize, &Question)| ReviewRow {
            number: Some(sheet.number_of(at)),
            ..ReviewRow::new(asked, question, &sheet.submitted_reply_at(at), lang)
        };
        let hidden = sheet.hidden_answered().map(|(at, question)| ReviewRow {
            because: sheet.deciding_question(at).map(|decides| safe_text(decides.display_name())),
            ..ReviewRow::new(asked, question, sheet.reply_at(at), lang)
        });
        let unpicked = sheet.asked_questions().filter_map(|(at, question)| {
            let own = sheet.reply_at(at).unused_other.as_deref()?;
            Some(ReviewRow {
                answer: Some(safe_text(own)),
                state: "answered",
                ..ReviewRow::new(asked, question, &Reply::unanswered(), lang)
            })
        });
        let problems = sheet.problems();
        Self {
            rev,
            ready: problems.is_empty(),
            rows: sheet.asked_questions().map(row).collect(),
            unsent: hidden.chain(unpicked).collect(),
            problems: problems
                .into_iter()
                .map(|found| Value::Object(problem::members(&map_to_replies(found), lang)))
                .collect(),
        }
    }

    /// Builds the review of an ask that is not open: what was submitted.
    fn from_ask(ask: &Ask, lang: Lang) -> Self {
        match &ask.state.phase {
            AskPhase::Submitted { submission, .. } => Self::from_submission(ask, &submission.replies, lang),
            AskPhase::Settled(Outcome::Answered { replies, .. }) => Self::from_submission(ask, replies, lang),
            AskPhase::Open { .. } | AskPhase::Settled(_) => Self::default(),
        }
    }

    fn from_submission(ask: &Ask, replies: &Replies, lang: Lang) -> Self {
        let questionnaire = &ask.request.questionnaire;
        let asked = questionnaire.questions.iter().filter_map(|question| {
            let reply = replies.get(&question.id)?;
            let is_asked = !matches!(reply.content, ReplyContent::NotAsked { .. });
            is_asked.then(|| ReviewRow::new(questionnaire, question, reply, lang))
        });
        Self { rows: asked.collect(), ..Self::default() }
    }
}

async fn review(context: Arc<ServerContext>, call: ApiCall) -> Result<Response, Problem> {
    let (caller, id, lang) = (call.caller()?.clone(), call.ask_id()?, call.lang);
    caller.to_person(PersonParams::default())?;
    let body = context
        .with_desk(move |desk| {
            let ask = visible_ask(desk, &caller, id)?.localized(lang);
            Ok(match &ask.state.phase {
                AskPhase::Open { .. } => {
                    let draft = desk.draft(id)?;
                    let sheet = Sheet::new(ask.request.questionnaire.clone(), draft.replies);
                    ReviewBody::from_draft(&sheet, draft.rev.0, lang)
                }
                _ => ReviewBody::from_ask(&ask, lang),
            })
        })
        .await?;
    Ok(response::json(StatusCode::OK, json::write(&body)))
}
