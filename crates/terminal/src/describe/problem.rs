//! Descriptions of problems with an answer, and of an asker's objections to it.

use super::{brief, excerpt, reply_in_sentence};
use sayso_core::i18n::{foreign, own};
use sayso_core::model::document_path::PathStep;
use sayso_core::{Ask, Lang, LocalizedText, Message, Problem, QuestionId, Sheet};

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
    let words = |problem: &Problem| {
        let message = problem_text(problem, lang);
        let place = question_index(sheet, problem);
        place.and_then(|index| Some((index, sheet.questions().get(index)?))).map_or(
            message.clone(),
            |(index, question)| {
                let number = sheet.number_of(index).to_string();
                Message::ProblemAt
                    .render_with(lang, [own(number), foreign(excerpt(question.display_name())), own(message)])
            },
        )
    };
    problems.iter().map(words).collect()
}

/// Returns the first question that the asker wants changed.
pub(crate) fn first_requested_change(ask: &Ask, sheet: &Sheet) -> Option<usize> {
    sheet.first_asked_of(ask.feedback()?.errors.iter().map(|(id, _)| id))
}

/// Returns the heading of the asker's general objection. It names the person whose answers were refused if the sheet
/// has other answers now.
pub(crate) fn changes_heading(ask: &Ask, sheet: &Sheet, lang: Lang) -> String {
    match ask
        .refused_submission()
        .filter(|_| sheet.asked_questions().any(|(at, _)| differs_from_refused(ask, sheet, at)))
    {
        Some(refused) => Message::AskerWantsChangesOf.render_with(lang, [own(brief(&refused.receipt.by))]),
        None => Message::AskerWantsChanges.plain(lang).to_owned(),
    }
}

/// Returns the heading of the asker's objection to one question, with the refused answer.
pub(crate) fn objection_heading(ask: &Ask, sheet: &Sheet, at: usize, lang: Lang) -> String {
    let refused = ask.refused_submission().filter(|_| differs_from_refused(ask, sheet, at));
    let about = refused.zip(sheet.questions().get(at)).and_then(|(refused, question)| {
        let reply = refused.replies.get(&question.id)?;
        let words = reply_in_sentence(sheet.questionnaire(), question, reply, lang);
        Some(Message::AskerSaysOf.render_with(lang, [own(brief(&refused.receipt.by)), words]))
    });
    about.unwrap_or_else(|| Message::AskerSaysHere.plain(lang).to_owned())
}

/// Returns true if the sheet's reply differs from the one that the asker refused.
fn differs_from_refused(ask: &Ask, sheet: &Sheet, at: usize) -> bool {
    let question = sheet.questions().get(at);
    let refused =
        ask.refused_submission().zip(question).and_then(|(refused, asked)| refused.replies.get(&asked.id));
    refused.is_some_and(|refused| sheet.submitted_reply_at(at).content != refused.content)
}
