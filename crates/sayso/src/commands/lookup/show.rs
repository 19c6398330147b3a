//! `sayso show ID`: prints an ask with its action, answers, draft, late submissions and receipt.

use super::list;
use crate::cli::ShowArgs;
use crate::cli::durations;
use crate::cli_session::{self, CliSession};
use crate::output::console::print_output;
use crate::output::exit::CommandExit;
use sayso_core::i18n::{foreign, own};
use sayso_core::model::actor::{AssuranceLevel, Surface};
use sayso_core::model::ask::{AskPhase, AskRequest, Submission};
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::model::outcome::format_record_time;
use sayso_core::{
    Answer, Ask, AskAccess, Lang, LateSubmission, Message, Outcome, Problem, ProblemCode, Question,
    Questionnaire, Receipt, Reply, ReplyContent, Sheet, ShownValues, display, form_note, i18n::answer_words,
};
use sayso_desk::Draft;
use sayso_dialects::Dialect;
use serde_json::json;
use std::fmt::Write as _;

pub(crate) fn run(session: &CliSession, args: &ShowArgs) -> Result<CommandExit, Problem> {
    let desk = session.desk()?;
    let ask = desk.get(desk.find(&args.id)?)?;
    let draft = or_default_if_hidden(desk.draft(ask.id))?;
    let late = or_default_if_hidden(desk.late_submissions(ask.id))?;
    if args.json {
        return Ok(print_output(&as_json(&ask, &draft, &late)));
    }
    let person = session.list_scope(false)?.person;
    let request = &ask.request;
    let is_for_person = person.may_see(request.asker.account.as_deref(), request.audience.as_ref());
    let for_whom = list::audience_note(request.audience.as_ref(), is_for_person, session.lang());
    Ok(print_output(&as_text(session, &ask.localized(session.lang()), for_whom, &draft, &late)))
}

/// Returns an empty value if the caller may not read it: an asker sees only its ask and what people sent.
fn or_default_if_hidden<T: Default>(result: Result<T, Problem>) -> Result<T, Problem> {
    match result {
        Err(problem) if matches!(problem.code, ProblemCode::Unauthorized | ProblemCode::NotAllowed) => {
            Ok(T::default())
        }
        result => result,
    }
}

fn as_json(ask: &Ask, draft: &Draft, late: &[LateSubmission]) -> String {
    let mut value = sayso_core::wire::ask::to_value(ask);
    if let Some(members) = value.as_object_mut() {
        members.insert("state".to_owned(), json!(AskStatus::from_phase(&ask.state.phase)));
        members.insert("draft".to_owned(), json!({ "rev": draft.rev.0, "replies": draft.replies }));
        if !late.is_empty() {
            members.insert("late".to_owned(), json!(late));
        }
        if ask.outcome().is_some() {
            members.insert("reply".to_owned(), json!(Dialect::settled_output(ask)));
        }
    }
    value.to_string()
}

fn as_text(
    session: &CliSession,
    ask: &Ask,
    for_whom: Option<String>,
    draft: &Draft,
    late: &[LateSubmission],
) -> String {
    let lang = session.lang();
    let now = cli_session::now();
    let home = session.environment.get("HOME").unwrap_or_default();
    let questionnaire = &ask.request.questionnaire;
    let mut text = String::new();
    // Writing to a `String` can't fail.
    text.push_str(&sayso_terminal::title_text(questionnaire, lang));
    let asker = ask.request.shown_asker();
    let name = asker.name_in_sentence(lang);
    let age = durations::format_age(ask.request.created_at, now);
    let asker_line = match sayso_terminal::folder_in_sentence(&asker, home) {
        Some(folder) => Message::AskedBy
            .render_with(lang, [own(name), foreign(folder.into_owned()), own(age), own(ask.id)]),
        None => Message::AskedByNowhere.render_with(lang, [own(name), own(age), own(ask.id)]),
    };
    let _ = writeln!(text, "{}", display::escape_composed(&asker_line));
    let _ = writeln!(text, "{}", display::escape_composed(&status_line(ask, lang)));
    if let Some(for_whom) = for_whom {
        let _ = writeln!(text, "{}", display::escape_composed(&for_whom));
    }
    for line in sayso_terminal::asker_claims(&asker, None, lang) {
        let _ = writeln!(text, "{line}");
    }
    text.push_str(&sayso_terminal::request_text(questionnaire, lang));
    if let Some(summary) = sayso_terminal::summary_lines(ask, lang) {
        let _ = write!(text, "\n{summary}");
    }
    match sayso_terminal::hidden_answers(ask, lang) {
        Some(note) => _ = writeln!(text, "\n{note}"),
        None => append_questions(&mut text, ask, draft, late, lang),
    }
    for submission in late {
        append_late(&mut text, ask, submission, lang);
    }
    text
}

/// Appends the questions, each with its answer or draft.
fn append_questions(text: &mut String, ask: &Ask, draft: &Draft, late: &[LateSubmission], lang: Lang) {
    let questionnaire = &ask.request.questionnaire;
    let (replies, is_draft) = match &ask.state.phase {
        AskPhase::Settled(Outcome::Answered { replies, .. }) => (replies, false),
        AskPhase::Submitted { submission, .. } => (&submission.replies, false),
        AskPhase::Open { .. } | AskPhase::Settled(_) => (&draft.replies, true),
    };
    let unanswered = Reply::unanswered();
    // Before the answers are sent, only the sheet knows which questions are asked.
    let sheet = if is_draft { Some(Sheet::new(questionnaire.clone(), draft.replies.clone())) } else { None };
    for (at, question) in questionnaire.questions.iter().enumerate() {
        let reply = replies.get(&question.id).unwrap_or(&unanswered);
        text.push('\n');
        text.push_str(&sayso_terminal::prompt_text(questionnaire, question, lang));
        if let Some(detail) = &question.detail {
            text.push_str(&sayso_terminal::quote_markdown(detail));
        }
        if let Some(offers) = offers_line(question, questionnaire, &ask.request.dialect, lang) {
            let _ = writeln!(text, "  {offers}");
        }
        let is_asked = sheet.as_ref().is_none_or(|sheet| sheet.is_asked(at));
        let text_of_reply = match is_asked || reply.has_input() {
            true => answer_text(questionnaire, question, reply, lang),
            false => Message::WasNotAsked.plain(lang).to_owned(),
        };
        let mark = if is_draft && reply.answer().is_some() { Message::InDraft.plain(lang) } else { "" };
        append_marked(text, mark, &text_of_reply);
        // A draft that was not sent is kept, and shown next to the answers.
        let Some(draft_reply) = draft.replies.get(&question.id) else { continue };
        let is_late = late.iter().any(|late| late.replies.get(&question.id) == Some(draft_reply));
        if is_draft || is_late || draft_reply == reply || !draft_reply.has_input() {
            continue;
        }
        let draft_text = answer_text(questionnaire, question, draft_reply, lang);
        // Answers are trimmed when they are sent.
        if draft_text.trim() != text_of_reply.trim() {
            append_marked(text, Message::NotSentDraft.plain(lang), &draft_text);
        }
    }
    let sent_note = form_note(replies);
    if let Some(note) = sent_note {
        let mark = if is_draft { Message::InDraft.plain(lang) } else { "" };
        append_form_note(text, mark, note, lang);
    }
    if let Some(note) = form_note(&draft.replies)
        && !is_draft
        && sent_note != Some(note.trim())
        && !late.iter().any(|late| form_note(&late.replies) == Some(note.trim()))
    {
        append_form_note(text, Message::NotSentDraft.plain(lang), note, lang);
    }
}

/// Appends a note on the whole form.
fn append_form_note(text: &mut String, mark: &str, note: &str, lang: Lang) {
    let _ = writeln!(text, "\n{}", Message::FormNoteHead.plain(lang));
    append_marked(text, mark, &safe_text(note));
}

/// Appends an answer of one or more lines behind a mark. Further lines begin below the first, so that they read as
/// one answer.
fn append_marked(text: &mut String, mark: &str, answer: &str) {
    let space = if mark.is_empty() { "" } else { " " };
    // Our marks are ASCII, or Chinese in full width.
    let columns: usize = mark.chars().map(|letter| if letter.is_ascii() { 1 } else { 2 }).sum();
    let indent = " ".repeat(columns + space.len());
    for (at, part) in display::escape_composed_lines(answer.trim_end()).enumerate() {
        // Writing to a `String` can't fail.
        let _ = match at {
            0 => writeln!(text, "  {mark}{space}{part}"),
            _ => writeln!(text, "  {indent}{part}"),
        };
    }
}

/// Returns the possible answers to a question. The prompt of AskUserQuestion has a number of its own for the own answer.
pub(crate) fn offers_line(
    question: &Question,
    questionnaire: &Questionnaire,
    dialect: &str,
    lang: Lang,
) -> Option<String> {
    let is_own_numbered = dialect != Dialect::AskUserQuestion.name();
    sayso_terminal::offers_line(question, questionnaire, is_own_numbered, lang)
}

/// Appends a late submission.
fn append_late(text: &mut String, ask: &Ask, late: &LateSubmission, lang: Lang) {
    let at = format_record_time(late.at);
    // A hook's host tells of its own dialog only what it went on with.
    let is_of_host = ask.request.dialect == AskRequest::HOOK_DIALECT && late.surface == Surface::Dialog;
    let message = if is_of_host {
        Message::HostWentOnWith
            .render_with(lang, [own(ask.request.shown_asker().name_in_sentence(lang)), own(at)])
    } else {
        let who = [late.by.clone(), assurance_text(late.assurance, lang).to_owned()];
        Message::CameTooLate.render_with(lang, who.into_iter().chain([at]).map(own))
    };
    let _ = writeln!(text, "\n{}", display::escape_composed(&message));
    let questionnaire = &ask.request.questionnaire;
    for question in &questionnaire.questions {
        let Some(reply) = late.replies.get(&question.id) else { continue };
        if !reply.has_input() {
            continue;
        }
        let _ = writeln!(text, "  {}", display::escape_line(&display::join_lines(&question.prompt)));
        for part in display::escape_composed_lines(&answer_text(questionnaire, question, reply, lang)) {
            let _ = writeln!(text, "    {part}");
        }
    }
    if let Some(note) = form_note(&late.replies) {
        let _ = writeln!(text, "  {}", Message::FormNoteHead.plain(lang));
        for part in display::escape_composed_lines(&safe_text(note)) {
            let _ = writeln!(text, "    {part}");
        }
    }
    for part in late.reason.iter().flat_map(|reason| display::escape_lines(reason)) {
        let _ = writeln!(text, "  {part}");
    }
}

fn assurance_text(assurance: AssuranceLevel, lang: Lang) -> &'static str {
    match assurance {
        AssuranceLevel::Scripted => Message::SaidByScript,
        AssuranceLevel::Embedded => Message::SaidInElement,
        AssuranceLevel::Relayed => Message::SaidByRelay,
        AssuranceLevel::ServiceSession => Message::SaidInService,
        AssuranceLevel::Token => Message::SaidByToken,
        AssuranceLevel::BrowserSession => Message::SaidInBrowser,
        AssuranceLevel::Terminal => Message::SaidAtTerminal,
    }
    .plain(lang)
}

fn status_line(ask: &Ask, lang: Lang) -> String {
    let state = list::status_name(AskStatus::from_phase(&ask.state.phase), ask.approval()).plain(lang);
    match &ask.state.phase {
        AskPhase::Open { .. } => state.to_owned(),
        AskPhase::Submitted { submission: Submission { receipt, .. }, .. } => {
            format!("{state}: {}{}", person_text(receipt, lang), format_record_time(receipt.at))
        }
        AskPhase::Settled(outcome) => {
            let mut line = format!("{state}: ");
            if let Some(receipt) = outcome.receipt() {
                line.push_str(&person_text(receipt, lang));
            }
            line.push_str(&format_record_time(outcome.ended_at()));
            if matches!(outcome, Outcome::Answered { .. }) && !ask.is_delivered() {
                line.push_str(&format!(" · {}", Message::IsNotTaken.plain(lang)));
            }
            if let Some(lines) = outcome.receipt().and_then(|receipt| receipt.seen) {
                let message = Message::LinesSeen.render_with(lang, [lines.shown, lines.total]);
                line.push_str(&format!(" · {message}"));
            }
            if let Outcome::Declined { reason: Some(reason), .. } = outcome {
                line.push_str(&format!(" · {reason}"));
            }
            if let Outcome::Cancelled { reason: Some(reason), .. } = outcome {
                let message = reason.sentence(&ask.request.shown_asker(), lang);
                line.push_str(&format!(" · {message}"));
            }
            line
        }
    }
}

/// Returns the person of a receipt with the assurance and the access, each with a separator behind it.
fn person_text(receipt: &Receipt, lang: Lang) -> String {
    let mut text = format!("{} · {} · ", receipt.by, assurance_text(receipt.assurance, lang));
    let access = match receipt.access {
        Some(AskAccess::DeskFile) => Message::AccessByDeskFile,
        Some(AskAccess::OutsideAudience) => Message::AccessOutsideAudience,
        None => return text,
    };
    text.push_str(&format!("{} · ", access.plain(lang)));
    text
}

fn safe_text(text: &str) -> String {
    display::escape_lines(text).collect::<Vec<_>>().join("\n")
}

fn answer_text(questionnaire: &Questionnaire, question: &Question, reply: &Reply, lang: Lang) -> String {
    let text = match &reply.content {
        ReplyContent::Answered(Answer::Picks(picks)) => {
            let values = ShownValues::for_question(questionnaire, question);
            let mut texts = Vec::with_capacity(picks.len());
            for pick in picks {
                let label = safe_text(answer_words::describe_pick(question, pick));
                let value = values.get_for_pick(pick);
                texts.push(answer_words::label_with_value(&label, value, lang).into_owned());
            }
            texts.join(", ")
        }
        ReplyContent::Answered(Answer::Text(text)) => safe_text(text),
        ReplyContent::Answered(answer) => answer.describe(question, lang).into_owned(),
        ReplyContent::NotAsked { .. } => Message::WasNotAsked.plain(lang).to_owned(),
        ReplyContent::Unanswered => Message::NotAnswered.plain(lang).to_owned(),
        ReplyContent::Skipped => Message::PassedOver.plain(lang).to_owned(),
    };
    match &reply.note {
        Some(note) => Message::WithNote.render_with(lang, [own(text), foreign(note)]),
        None => text,
    }
}
