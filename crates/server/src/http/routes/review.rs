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
    ReplyContent, Sheet, ShownValues, display, form_note,
};
use sayso_desk::Desk as _;
use sayso_dialects::Dialect;
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
    /// The note on the whole form.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// True if the asker's format has a place for notes; otherwise they stay at the desk.
    carries_notes: bool,
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

/// Returns the values that the asker receives for a choice, if they are shown.
fn sent_values(questionnaire: &Questionnaire, question: &Question, answer: &Answer) -> Option<String> {
    let Answer::Picks(picks) = answer else { return None };
    let shown_values = ShownValues::for_question(questionnaire, question);
    let mut values = Vec::new();
    for pick in picks {
        values.extend(shown_values.get_for_pick(pick).map(safe_text));
    }
    if values.is_empty() { None } else { Some(values.join(", ")) }
}

impl ReviewRow {
    fn new(questionnaire: &Questionnaire, question: &Question, reply: &Reply, lang: Lang) -> Self {
        let state = match reply.content {
            ReplyContent::Answered(_) => "answered",
            ReplyContent::Skipped => "skipped",
            ReplyContent::Unanswered => "unanswered",
            ReplyContent::NotAsked { .. } => "not_asked",
        };
        let mut row = Self {
            question: question.id.clone(),
            number: None,
            prompt: safe_text(question.display_name()),
            state,
            answer: None,
            sends: None,
            note: reply.note.as_deref().map(safe_text),
            because: None,
        };
        if let Some(answer) = reply.answer() {
            let words = answer.describe(question, lang);
            row.answer = Some(match answer {
                Answer::Text(_) | Answer::Picks(_) => safe_text(&words),
                // Its words are ours and quotations.
                _ => words.into_owned(),
            });
            row.sends = sent_values(questionnaire, question, answer);
        }
        row
    }
}

impl ReviewBody {
    /// Builds the review of a draft.
    fn from_draft(sheet: &Sheet, rev: u64, lang: Lang) -> Self {
        let questionnaire = sheet.questionnaire();
        let mut review = Self { rev, note: sheet.note().map(safe_text), ..Self::default() };
        for (at, question) in sheet.asked_questions() {
            let mut row = ReviewRow::new(questionnaire, question, &sheet.submitted_reply_at(at), lang);
            row.number = Some(sheet.number_of(at));
            review.rows.push(row);
        }
        for (at, question) in sheet.hidden_answered() {
            let mut row = ReviewRow::new(questionnaire, question, sheet.reply_at(at), lang);
            if let Some(deciding_question) = sheet.deciding_question(at) {
                row.because = Some(safe_text(deciding_question.display_name()));
            }
            review.unsent.push(row);
        }
        for (at, question) in sheet.asked_questions() {
            if let Some(own_answer) = &sheet.reply_at(at).unused_other {
                let mut row = ReviewRow::new(questionnaire, question, &Reply::unanswered(), lang);
                row.answer = Some(safe_text(own_answer));
                row.state = "answered";
                review.unsent.push(row);
            }
        }
        for problem in sheet.problems() {
            review.problems.push(Value::Object(problem::members(&map_to_replies(problem), lang)));
        }
        review.ready = review.problems.is_empty();
        review
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
        let mut review = Self { note: form_note(replies).map(safe_text), ..Self::default() };
        for question in &questionnaire.questions {
            let Some(reply) = replies.get(&question.id) else { continue };
            if !matches!(reply.content, ReplyContent::NotAsked { .. }) {
                review.rows.push(ReviewRow::new(questionnaire, question, reply, lang));
            }
        }
        review
    }
}

async fn review(context: Arc<ServerContext>, call: ApiCall) -> Result<Response, Problem> {
    let caller = call.caller()?.clone();
    let id = call.ask_id()?;
    let lang = call.lang;
    caller.to_person(PersonParams::default())?;
    let desk_call = context.with_desk(move |desk| {
        let ask = visible_ask(desk, &caller, id)?.localized(lang);
        let mut review = if matches!(ask.state.phase, AskPhase::Open { .. }) {
            let draft = desk.draft(id)?;
            let sheet = Sheet::new(ask.request.questionnaire.clone(), draft.replies);
            ReviewBody::from_draft(&sheet, draft.rev.0, lang)
        } else {
            ReviewBody::from_ask(&ask, lang)
        };
        review.carries_notes = Dialect::carries_notes(&ask);
        Ok(review)
    });
    Ok(response::json(StatusCode::OK, json::write(&desk_call.await?)))
}
