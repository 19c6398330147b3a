//! Descriptions of problems with an answer, and of an asker's objections to it.

use super::{brief, excerpt, reply_in_sentence};
use sayso_core::i18n::{foreign, own};
use sayso_core::model::ask::Submission;
use sayso_core::model::document_path::PathStep;
use sayso_core::{Ask, Lang, LocalizedText, Message, Problem, Question, QuestionId, Reply, Sheet};

/// Returns the index of the question that a problem is about.
pub(crate) fn question_index(sheet: &Sheet, problem: &Problem) -> Option<usize> {
    let Some(PathStep::Key(id)) = problem.path.0.get(1) else { return None };
    sheet.index_of(&QuestionId::new(id.as_str()))
}

/// Returns a problem as part of a sentence; also the asker's own message is short and on one line.
pub(crate) fn problem_text(problem: &Problem, lang: Lang) -> String {
    match &problem.message {
        LocalizedText::Verbatim(words) => brief(words),
        LocalizedText::Message(..) => problem.message.render(lang),
    }
}

/// Returns a problem in our own words. The asker's message is shown behind the gutter at the question.
pub(crate) fn own_problem_text(problem: &Problem, lang: Lang) -> String {
    match &problem.message {
        LocalizedText::Verbatim(_) => Message::AskersRuleBroken.plain(lang).to_owned(),
        LocalizedText::Message(..) => problem_text(problem, lang),
    }
}

/// Returns the problems of a sheet, each with the number and the name of its question.
pub(crate) fn sheet_problems(sheet: &Sheet, problems: &[Problem], lang: Lang) -> Vec<String> {
    let mut lines = Vec::new();
    for problem in problems {
        let mut line = problem_text(problem, lang);
        if let Some(index) = question_index(sheet, problem)
            && let Some(question) = sheet.questions().get(index)
        {
            let number = own(sheet.number_of(index));
            let name = foreign(excerpt(question.display_name()));
            line = Message::ProblemAt.render_with(lang, [number, name, own(line)]);
        }
        lines.push(line);
    }
    lines
}

/// Returns the first question that the asker wants changed.
pub(crate) fn first_requested_change(ask: &Ask, sheet: &Sheet) -> Option<usize> {
    sheet.first_asked_of(ask.feedback()?.errors.iter().map(|(id, _)| id))
}

/// Returns the heading of the asker's general objection. It names the person whose answers were refused if the sheet
/// has other answers now.
pub(crate) fn changes_heading(ask: &Ask, sheet: &Sheet, lang: Lang) -> String {
    if let Some(submission) = ask.refused_submission()
        && sheet.asked_questions().any(|(place, _)| refused_reply(submission, sheet, place).is_some())
    {
        return Message::AskerWantsChangesOf.render_with(lang, [own(brief(&submission.receipt.by))]);
    }
    Message::AskerWantsChanges.plain(lang).to_owned()
}

/// Returns the heading of the asker's objection to one question, with the refused answer.
pub(crate) fn objection_heading(ask: &Ask, sheet: &Sheet, place: usize, lang: Lang) -> String {
    if let Some(submission) = ask.refused_submission()
        && let Some((question, reply)) = refused_reply(submission, sheet, place)
    {
        let person = own(brief(&submission.receipt.by));
        let answer = reply_in_sentence(sheet.questionnaire(), question, reply, lang);
        return Message::AskerSaysOf.render_with(lang, [person, answer]);
    }
    Message::AskerSaysHere.plain(lang).to_owned()
}

/// Returns the reply that the asker refused, with its question, if the sheet has another one now.
fn refused_reply<'s>(
    submission: &'s Submission,
    sheet: &'s Sheet,
    place: usize,
) -> Option<(&'s Question, &'s Reply)> {
    let question = sheet.questions().get(place)?;
    let reply = submission.replies.get(&question.id)?;
    let has_changed = sheet.submitted_reply_at(place).content != reply.content;
    if has_changed { Some((question, reply)) } else { None }
}
