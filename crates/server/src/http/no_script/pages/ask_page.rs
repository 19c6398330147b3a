//! Page of an ask: its questions as a form. Posting it saves the draft.

use super::receipt_page::show_receipt;
use crate::http::context::visible_ask;
use crate::http::middleware::call::ApiCall;
use crate::http::no_script::NoScriptState;
use crate::http::no_script::form::fields::{FieldValues, field_name};
use crate::http::no_script::form::form_data::FormData;
use crate::http::no_script::form::form_token::{FormStep, ShownState};
use crate::http::no_script::frame::{PageFrame, redirect, render};
use crate::http::no_script::view::action_view::ActionView;
use crate::http::no_script::view::agent_text::{lines, markdown, one_line};
use crate::http::no_script::view::ask_head::{AskHead, Notice};
use crate::http::no_script::view::question_view::{QuestionView, SectionView, ShownValues};
use crate::http::no_script::visit::{FormTicket, Visit, open_state};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use sayso_core::i18n::describe_answer;
use sayso_core::{
    Actor, Ask, AskCommand, AskId, ConsentQuestions, Lang, Message, Problem, ProblemCode, Question,
    QuestionId, Replies, Reply, Sheet,
};
use sayso_desk::DraftRev;
use serde::Deserialize;
use std::sync::Arc;

/// Page of an open ask.
#[derive(Debug, Template)]
#[template(path = "ask.html")]
struct AskPage {
    frame: PageFrame,
    head: AskHead,
    ticket: FormTicket,
    notices: Vec<Notice>,
    /// Problems of the answers, each with the name of its question.
    problems: Vec<(String, String)>,
    problem_count: String,
    action: Option<ActionView>,
    /// True if the action is shown above all questions, since none consents to it alone.
    is_action_first: bool,
    questions: Vec<QuestionView>,
    is_conditional: bool,
}

/// An open ask with its draft, and the state that its forms show.
pub(super) struct OpenAsk {
    pub(crate) ask: Ask,
    /// Replies that people typed.
    pub(crate) replies: Replies,
    pub(crate) state: ShownState,
}

/// An ask as it is now.
pub(super) enum ReadAsk {
    Open(Box<OpenAsk>),
    /// It has ended, or waits for its asker's verdict.
    Closed(Box<Ask>),
}

impl OpenAsk {
    /// Returns the sheet as it would be submitted.
    pub(crate) fn sheet(&self) -> Sheet {
        Sheet::new(self.ask.request.questionnaire.clone(), self.replies.clone())
    }

    fn saved_reply(&self, id: &QuestionId) -> Reply {
        self.replies.get(id).cloned().unwrap_or_default()
    }
}

/// Query parameters of the page.
#[derive(Debug, Default, Deserialize)]
pub(super) struct AskParams {
    /// The draft was just saved.
    saved: Option<String>,
    /// So many questions were added by it.
    more: Option<u32>,
    /// Missing answers are shown, too.
    check: Option<String>,
}

/// Form that was posted, and could not be saved as it is.
struct PostedForm<'f> {
    form: &'f FormData,
    notice: Notice,
}

impl Visit {
    /// Reads an ask with its draft.
    ///
    /// # Errors
    /// Fails if the ask does not exist.
    pub(super) async fn read_ask(&self, id: AskId) -> Result<ReadAsk, Problem> {
        let caller = self.caller.clone();
        let read = self.plain.context.with_desk(move |desk| {
            let ask = visible_ask(desk, &caller, id)?;
            Ok((ask, desk.draft(id)?))
        });
        let (ask, draft) = read.await?;
        let rev = draft.rev.0;
        Ok(match open_state(&ask, rev) {
            Some(state) => {
                let replies = draft.into_typed_replies().collect();
                ReadAsk::Open(Box::new(OpenAsk { ask, replies, state }))
            }
            None => ReadAsk::Closed(Box::new(ask)),
        })
    }
}

pub(crate) async fn show(plain: Arc<NoScriptState>, call: ApiCall) -> Result<Response, Problem> {
    Visit::show(&plain, &call, show_ask).await
}

async fn show_ask(visit: &Visit, call: &ApiCall) -> Result<Response, Problem> {
    let (id, params) = (call.ask_id()?, call.parse_query::<AskParams>()?);
    let open = match visit.read_ask(id).await? {
        ReadAsk::Open(open) => open,
        ReadAsk::Closed(ask) => return show_receipt(visit, &ask, None),
    };
    let who = Actor::Person(visit.person.clone());
    visit.plain.context.with_desk(move |desk| desk.act(&who, id, None, AskCommand::MarkSeen)).await?;
    render(StatusCode::OK, &ask_page(visit, &open, &params, None))
}

pub(crate) async fn save(plain: Arc<NoScriptState>, call: ApiCall) -> Result<Response, Problem> {
    Visit::show(&plain, &call, save_form).await
}

async fn save_form(visit: &Visit, call: &ApiCall) -> Result<Response, Problem> {
    let (id, form) = (call.ask_id()?, FormData::parse(call.text()?)?);
    let open = match visit.read_ask(id).await? {
        ReadAsk::Open(open) => open,
        ReadAsk::Closed(ask) => return keep_late_text(visit, &ask, &form).await,
    };
    let shown = visit.shown_state(FormStep::Save, id, &form);
    let is_of_now = |shown: &ShownState| {
        shown.round == open.state.round && shown.digest == open.state.digest && shown.rev <= open.state.rev
    };
    let Some(shown) = shown.filter(is_of_now) else {
        return show_again(visit, &open, &form, Message::PlainFormUsed);
    };
    let changes = changed_replies(&open.ask, &open.replies, &form);
    let (person, base) = (visit.person.clone(), DraftRev(shown.rev));
    let saved =
        visit.plain.context.with_desk(move |desk| desk.save_unchanged(&person, id, base, changes)).await;
    match saved {
        Ok(_) => {}
        Err(problem) if problem.code == ProblemCode::DraftChanged => {
            return match visit.read_ask(id).await? {
                ReadAsk::Open(open) => show_again(visit, &open, &form, Message::PlainNotSaved),
                ReadAsk::Closed(ask) => show_receipt(visit, &ask, None),
            };
        }
        Err(problem) => return Err(problem),
    }
    match visit.read_ask(id).await? {
        ReadAsk::Open(open) => Ok(redirect(&next_page(&open, &form))),
        ReadAsk::Closed(ask) => show_receipt(visit, &ask, None),
    }
}

/// Returns where to go after a save: to the questions that it added, else to the page that the person wants.
fn next_page(open: &OpenAsk, form: &FormData) -> String {
    let (id, sheet) = (open.ask.id, open.sheet().with_prefill());
    let is_new = |at: &usize| form.find(&field_name(*at, "was")).is_none();
    let added: Vec<_> = sheet.asked_questions().map(|(at, _)| at).filter(is_new).collect();
    match (added.first(), form.text("next")) {
        (Some(first), _) => format!("/plain/asks/{id}?more={}#q{first}", added.len()),
        (None, "review") => format!("/plain/asks/{id}/review"),
        (None, _) => format!("/plain/asks/{id}?saved=yes"),
    }
}

/// Returns the replies that a form changes: those whose fields differ from what it showed as saved.
fn changed_replies(ask: &Ask, saved: &Replies, form: &FormData) -> Vec<(QuestionId, Reply)> {
    let questions = ask.request.questionnaire.questions.iter().enumerate();
    let changed = questions.filter_map(|(at, question)| {
        let (values, was) = FieldValues::from_form(form, at)?;
        let before = saved.get(&question.id).cloned().unwrap_or_default();
        (values.fingerprint() != was).then(|| (question.id.clone(), values.into_reply(question, &before)))
    });
    changed.collect()
}

/// Keeps what was typed for an ask that has ended, and shows how it ended.
async fn keep_late_text(visit: &Visit, ask: &Ask, form: &FormData) -> Result<Response, Problem> {
    let id = ask.id;
    // Only a form that this session got may change the draft.
    let Some(shown) = visit.shown_state(FormStep::Save, id, form) else {
        return show_receipt(visit, ask, None);
    };
    let draft = visit.plain.context.with_desk(move |desk| desk.draft(id)).await?;
    let changes = changed_replies(ask, &draft.replies, form);
    let kept = KeptText::from_replies(ask, &changes, visit.lang);
    let (person, base) = (visit.person.clone(), DraftRev(shown.rev));
    let saved = visit.plain.context.with_desk(move |desk| desk.save_unchanged(&person, id, base, changes));
    match saved.await {
        // Of the same form, or of another one: the page shows the text in any case.
        Err(problem) if problem.code == ProblemCode::DraftChanged => {}
        saved => drop(saved?),
    }
    show_receipt(visit, ask, Some(kept))
}

/// Shows a form again with everything that was typed into it.
fn show_again(visit: &Visit, open: &OpenAsk, form: &FormData, words: Message) -> Result<Response, Problem> {
    let posted = PostedForm { form, notice: Notice::problem(words.plain(visit.lang).to_owned()) };
    render(StatusCode::CONFLICT, &ask_page(visit, open, &AskParams::default(), Some(posted)))
}

/// Shows the form of an ask with what was typed before the sign-in.
///
/// # Errors
/// Fails if the ask does not exist.
pub(super) async fn show_typed_again(visit: &Visit, id: AskId, form: &FormData) -> Result<Response, Problem> {
    match visit.read_ask(id).await? {
        ReadAsk::Open(open) => show_again(visit, &open, form, Message::PlainTypedHere),
        ReadAsk::Closed(ask) => show_receipt(visit, &ask, None),
    }
}

fn ask_page(visit: &Visit, open: &OpenAsk, params: &AskParams, posted: Option<PostedForm<'_>>) -> AskPage {
    let (ask, lang) = (&open.ask, visit.lang);
    let questionnaire = &ask.request.questionnaire;
    let mut sheet = open.sheet().with_prefill();
    let form = posted.as_ref().map(|posted| posted.form);
    for (at, question) in questionnaire.questions.iter().enumerate() {
        if let Some((values, _)) = form.and_then(|form| FieldValues::from_form(form, at)) {
            sheet.set_reply_at(at, values.into_reply(question, &open.saved_reply(&question.id)));
        }
    }
    let questions =
        QuestionList { open, sheet: &sheet, form, checks_all: params.check.is_some(), lang }.views();
    let problems: Vec<_> = questions
        .iter()
        .filter(|_| params.check.is_some())
        .flat_map(|view| view.problems.iter().map(|problem| (view.name.clone(), problem.clone())))
        .collect();
    let is_action_first = !questions.iter().any(|view| view.has_action);
    AskPage {
        frame: PageFrame { has_problem: posted.is_some() || !problems.is_empty(), ..visit.frame() },
        head: AskHead::new(ask, lang),
        ticket: visit.form_ticket(FormStep::Save, open.state),
        notices: notices(visit, open, params, posted.map(|posted| posted.notice)),
        problem_count: count_problems(problems.len(), lang),
        problems,
        action: questionnaire.action.as_ref().map(|action| ActionView::new(action, lang)),
        is_action_first,
        questions,
        is_conditional: questionnaire.is_conditional(),
    }
}

/// Counts problems in words.
pub(super) fn count_problems(count: usize, lang: Lang) -> String {
    match count {
        1 => Message::ProblemCountOne.plain(lang).to_owned(),
        _ => Message::ProblemCount.render_with(lang, [count]),
    }
}

fn notices(visit: &Visit, open: &OpenAsk, params: &AskParams, failure: Option<Notice>) -> Vec<Notice> {
    let lang = visit.lang;
    let mut notices: Vec<_> = failure.into_iter().collect();
    if params.saved.is_some() {
        notices.push(Notice::new(Message::PlainSaved.plain(lang).to_owned()));
    }
    if let Some(count) = params.more {
        notices.push(Notice::new(Message::PlainMoreAsked.render_with(lang, [count])));
    }
    if let Some(feedback) = open.ask.feedback() {
        let agent = open.ask.request.shown_asker().name(one_line, lang);
        let words = feedback.summary.iter().chain(feedback.errors.iter().map(|(_, words)| words));
        let quotation = words.map(|words| lines(words)).collect::<Vec<_>>().join("\n");
        notices.push(Notice {
            quotation,
            ..Notice::problem(Message::PageAskedAgain.render_with(lang, [agent]))
        });
    }
    notices
}

/// Questions of a form.
struct QuestionList<'l> {
    open: &'l OpenAsk,
    sheet: &'l Sheet,
    form: Option<&'l FormData>,
    /// True if missing answers are problems already.
    checks_all: bool,
    lang: Lang,
}

impl QuestionList<'_> {
    fn views(&self) -> Vec<QuestionView> {
        let questionnaire = self.sheet.questionnaire();
        let consent = ConsentQuestions::for_questionnaire(questionnaire);
        let (mut section, mut has_action) = (None, questionnaire.action.is_none());
        let mut views = Vec::new();
        for (at, question) in self.sheet.questions().iter().enumerate() {
            let posted = self.form.and_then(|form| FieldValues::from_form(form, at));
            // The typed text stays, also if other answers hide its question now.
            if !self.sheet.is_asked(at) && posted.is_none() {
                continue;
            }
            let mut view = self.view(at, question, posted);
            if question.section != section {
                section.clone_from(&question.section);
                let begun = section.as_ref().and_then(|id| questionnaire.section(id));
                view.section = begun.map(|section| SectionView {
                    title: section.title.as_deref().map(one_line).unwrap_or_default(),
                    detail: section.detail.as_deref().map(markdown).unwrap_or_default(),
                    is_optional: section.optional,
                });
            }
            if !has_action && consent.includes(question) {
                (has_action, view.has_action) = (true, true);
            }
            views.push(view);
        }
        views
    }

    fn view(&self, at: usize, question: &Question, posted: Option<(FieldValues, &str)>) -> QuestionView {
        let saved_reply = self.open.saved_reply(&question.id);
        let saved = FieldValues::from_reply(question, &saved_reply);
        let was_changed = posted.as_ref().is_some_and(|(_, was)| *was != saved.fingerprint());
        let shown = match posted {
            Some((values, _)) => values,
            None => FieldValues::from_reply(question, self.sheet.reply_at(at)),
        };
        let theirs = was_changed.then(|| answer_text(question, &saved_reply, self.lang));
        let values = ShownValues { shown, saved, are_prefilled: self.sheet.is_prefilled(at) };
        let mut view = QuestionView::new(self.sheet, at, question, values, self.lang);
        let problems =
            if self.checks_all { self.sheet.blocking_problems_at(at) } else { self.sheet.problems_at(at) };
        let asker_errors = self.open.ask.feedback().into_iter().flat_map(|feedback| &feedback.errors);
        let theirs_here = asker_errors.filter(|(id, _)| *id == question.id).map(|(_, words)| lines(words));
        let own = problems.iter().map(|problem| lines(&problem.message.render(self.lang)));
        view.problems = own.chain(theirs_here).collect();
        QuestionView { theirs, ..view }
    }
}

/// Describes a reply in words; says so if there is no answer.
fn answer_text(question: &Question, reply: &Reply, lang: Lang) -> String {
    match reply.answer() {
        Some(answer) => lines(&describe_answer::describe(question, answer, lang)),
        None => Message::PageNotProvided.plain(lang).to_owned(),
    }
}

/// Text that was typed for an ask that had ended.
#[derive(Debug)]
pub(super) struct KeptText {
    pub(crate) prompt: String,
    pub(crate) text: String,
}

impl KeptText {
    fn from_replies(ask: &Ask, replies: &[(QuestionId, Reply)], lang: Lang) -> Vec<Self> {
        let question = |id| ask.request.questionnaire.question(id);
        let kept = replies.iter().filter_map(|(id, reply)| {
            let question = question(id)?;
            let note = reply.note.as_deref().map(lines);
            let text = [Some(answer_text(question, reply, lang)), note].into_iter().flatten();
            let text = text.collect::<Vec<_>>().join("\n");
            Some(Self { prompt: one_line(question.display_name()), text })
        });
        kept.collect()
    }
}
