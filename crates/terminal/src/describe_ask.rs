//! Descriptions of askers, replies, ages, problems and outcomes.

use crate::short_form::{self, truncate_chars};
use sayso_core::actor::{ShownAsker, Surface};
use sayso_core::ask::AskPhase;
use sayso_core::outcome::{AskerVerdict, format_record_time};
use sayso_core::problem::PathStep;
use sayso_core::sheet::VisibilityChange;
use sayso_core::{
    Answer, Ask, Lang, LocalizedText, Message, Outcome, Pick, Problem, Question, QuestionId, Receipt, Reply,
    ReplyContent, Rules, Sheet, describe_answer, display,
};
use std::time::Duration;

/// Maximum length in characters of a name or an answer within a sentence of our own.
const BRIEF_MAX_CHARS: usize = 200;

/// Returns a text as part of a sentence: escaped, truncated and on one line.
pub(crate) fn brief(text: &str) -> String {
    display::escape_line(&truncate_chars(text, BRIEF_MAX_CHARS)).into_owned()
}

/// Returns the separator between two sentences.
pub(crate) const fn sentence_separator(lang: Lang) -> &'static str {
    match lang {
        Lang::En => " ",
        Lang::Zh => "",
    }
}

/// Returns the text with a full stop, unless it ends with punctuation.
pub(crate) fn end_sentence(text: &str, lang: Lang) -> String {
    let stop = match lang {
        Lang::En => ".",
        Lang::Zh => "。",
    };
    let text = brief(text);
    if text.ends_with(['.', '!', '?', ':', '。', '！', '？', '：', '…']) { text } else { text + stop }
}

/// Returns a name and its value, separated by a colon.
pub(crate) fn label_value(name: &str, what: &str) -> String {
    let name = brief(name);
    let colon = if name.ends_with(['?', '？', ':', '：']) { "" } else { ":" };
    format!("{name}{colon} {what}")
}

/// Returns a reply in full, so that it can be copied if it could not be saved.
pub(crate) fn full_answer(question: &Question, given: &Reply, rules: &Rules, lang: Lang) -> String {
    let words = match given.answer() {
        Some(Answer::Text(text)) => text.clone(),
        _ => reply_with_note(question, given, rules, lang),
    };
    label_value(question.display_name(), &words)
}

/// Returns the asker's name: the verified account before the claimed name, which `short` truncates.
pub(crate) fn asker_name(asker: &ShownAsker<'_>, short: impl FnOnce(&str) -> String, lang: Lang) -> String {
    asker.name(|name| short(&brief(name)), lang)
}

/// Returns the asker's folder, abbreviated relative to the person's `home`.
pub(crate) fn asker_folder(asker: &ShownAsker<'_>, home: &str) -> Option<String> {
    asker.folder(|folder| short_form::short_folder(folder, home)).map(|folder| brief(&folder))
}

/// Returns the asker and its folder as a list shows them.
pub fn asker_and_folder(asker: &ShownAsker<'_>, home: &str, lang: Lang) -> (String, Option<String>) {
    (asker_name(asker, str::to_owned, lang), asker_folder(asker, home))
}

/// Returns an age in its largest unit.
pub(crate) fn age_text(age: Duration, lang: Lang) -> String {
    let minutes = age.as_secs() / 60;
    let (one, many, count) = match minutes {
        0 => return Message::AgeNow.plain(lang).to_owned(),
        1..60 => (Message::AgeMinute, Message::AgeMinutes, minutes),
        60..1440 => (Message::AgeHour, Message::AgeHours, minutes / 60),
        _ => (Message::AgeDay, Message::AgeDays, minutes / 1440),
    };
    count_message(one, many, count, lang)
}

/// Returns the message for one, or the message for several with their count.
pub(crate) fn count_message<N: ToString + PartialEq + From<u8>>(
    one: Message,
    many: Message,
    count: N,
    lang: Lang,
) -> String {
    if count == N::from(1) { one.plain(lang).to_owned() } else { many.render_with(lang, [count]) }
}

/// Returns a reply on one line, with its note.
pub(crate) fn reply_with_note(question: &Question, reply: &Reply, rules: &Rules, lang: Lang) -> String {
    let words = reply_without_note(question, reply, rules, lang);
    match &reply.note {
        Some(note) => Message::WithNote.render_with(lang, [words, text_excerpt(note, rules, lang)]),
        None => words,
    }
}

/// Returns the sheet's reply to a question on one line, with its note.
pub(crate) fn reply_at(sheet: &Sheet, place: usize, question: &Question, lang: Lang) -> String {
    reply_with_note(question, sheet.reply_at(place), &sheet.questionnaire().rules, lang)
}

/// Returns a reply on one line, without its note.
pub(crate) fn reply_without_note(question: &Question, reply: &Reply, rules: &Rules, lang: Lang) -> String {
    match &reply.content {
        ReplyContent::Unanswered => Message::NotAnswered.plain(lang).to_owned(),
        ReplyContent::NotAsked { .. } => Message::WasNotAsked.plain(lang).to_owned(),
        ReplyContent::Skipped => Message::PassedOver.plain(lang).to_owned(),
        ReplyContent::Answered(Answer::Text(text)) => text_excerpt(text, rules, lang),
        ReplyContent::Answered(Answer::Picks(picks)) => {
            let words: Vec<_> = picks.iter().map(|pick| pick_text(question, pick, rules, lang)).collect();
            words.join(", ")
        }
        ReplyContent::Answered(answer) => brief(&describe_answer::describe(question, answer, lang)),
    }
}

fn pick_text(question: &Question, pick: &Pick, rules: &Rules, lang: Lang) -> String {
    match pick {
        Pick::Other(text) => Message::OwnAnswer.render_with(lang, [text_excerpt(text, rules, lang)]),
        Pick::Option(_) => label_with_value(
            describe_answer::describe_pick(question, pick),
            describe_answer::distinct_pick_value(question, pick),
            lang,
        ),
    }
}

/// Returns an option's label, followed by its value if that differs.
pub fn label_with_value(label: &str, sent: Option<&str>, lang: Lang) -> String {
    describe_answer::label_with_value(&brief(label), sent.map(brief).as_deref(), lang).into_owned()
}

/// Returns a short text unchanged; of a longer one the beginning and the size.
fn text_excerpt(text: &str, rules: &Rules, lang: Lang) -> String {
    let first = text.lines().next().unwrap_or_default();
    if first.len() == text.len() && text.chars().count() <= BRIEF_MAX_CHARS {
        return brief(text);
    }
    let first: String = first.chars().take(BRIEF_MAX_CHARS / 4).collect();
    format!("{}… ({})", brief(&first), text_size(text, rules, lang))
}

/// Returns a text's size, counted as the asker's constraints count it, line breaks included.
fn text_size(text: &str, rules: &Rules, lang: Lang) -> String {
    let (lines, characters) = (rules.trimmed(text).split('\n').count(), text_length(text, rules));
    match lines {
        1 => Message::LineCountOne.render_with(lang, [characters]),
        _ => Message::LineCount.render_with(lang, [lines, characters]),
    }
}

/// Returns a text's length as the constraints count it.
pub(crate) fn text_length(text: &str, rules: &Rules) -> usize {
    rules.length_unit.count(rules.trimmed(text))
}

/// Returns the announcement of a recorded reply.
pub(crate) fn recorded_notice(question: &Question, reply: &Reply, rules: &Rules, lang: Lang) -> String {
    match &reply.content {
        ReplyContent::Unanswered | ReplyContent::NotAsked { .. } => {
            Message::ClearedNow.plain(lang).to_owned()
        }
        ReplyContent::Skipped => Message::SkippedNow.plain(lang).to_owned(),
        ReplyContent::Answered(Answer::Text(text)) if question.is_long_text() => {
            Message::Recorded.render_with(lang, [text_size(text, rules, lang)])
        }
        ReplyContent::Answered(_) => {
            Message::Recorded.render_with(lang, [reply_without_note(question, reply, rules, lang)])
        }
    }
}

/// Returns sentences for the questions that a reply made active or inactive; none if it changed nothing. It names the
/// removed ones too: if two went and one came, "added" alone contradicts the count.
pub(crate) fn question_changes(sheet: &Sheet, effect: &VisibilityChange, lang: Lang) -> Vec<String> {
    let (came, went) = (effect.appeared.len(), effect.vanished.len());
    let had_answer = effect.vanished.iter().any(|place| sheet.reply_at(*place).has_input());
    let (one, many) = if had_answer {
        (Message::VanishedOne, Message::Vanished)
    } else {
        (Message::RemovedOne, Message::Removed)
    };
    let said = [(Message::AppearedOne, Message::Appeared, came), (one, many, went)];
    let said = said.into_iter().filter(|(.., count)| *count > 0);
    said.map(|(one, many, count)| count_message(one, many, count as u64, lang)).collect()
}

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
        let said = problem_text(problem, lang);
        let place = question_index(sheet, problem);
        place.and_then(|index| Some((index, sheet.questions().get(index)?))).map_or(
            said.clone(),
            |(index, question)| {
                let number = sheet.number_of(index).to_string();
                Message::ProblemAt.render_with(lang, [number, brief(question.display_name()), said])
            },
        )
    };
    problems.iter().map(words).collect()
}

/// Returns how an ask ended, or who holds it, if that was not this prompter. `None` while it is open.
pub(crate) fn end_elsewhere(ask: &Ask, lang: Lang) -> Option<String> {
    use Message::{AnsweredElsewhere, DeclinedElsewhere, SubmittedElsewhere};
    describe_end(ask, lang, [SubmittedElsewhere, AnsweredElsewhere, DeclinedElsewhere])
}

/// Returns how an ask ended, or who holds it, on any surface. `None` while it is open.
pub(crate) fn end_anywhere(ask: &Ask, lang: Lang) -> Option<String> {
    use Message::{AnsweredBy, DeclinedBy, SubmittedBy};
    describe_end(ask, lang, [SubmittedBy, AnsweredBy, DeclinedBy])
}

fn describe_end(ask: &Ask, lang: Lang, [submitted, answered, declined]: [Message; 3]) -> Option<String> {
    let by = |message: Message, receipt: &Receipt| {
        message.render_with(
            lang,
            [
                brief(&receipt.by),
                format_record_time(receipt.at),
                surface_name(receipt.surface, lang).to_owned(),
            ],
        )
    };
    Some(match &ask.state.phase {
        AskPhase::Open { .. } => return None,
        AskPhase::Submitted { submission, .. } => by(submitted, &submission.receipt),
        AskPhase::Settled(Outcome::Answered { receipt, .. }) => by(answered, receipt),
        AskPhase::Settled(Outcome::Declined { receipt, .. }) => by(declined, receipt),
        AskPhase::Settled(Outcome::Cancelled { .. }) => Message::AskCancelled.plain(lang).to_owned(),
        AskPhase::Settled(Outcome::Expired { .. }) => Message::AskExpired.plain(lang).to_owned(),
    })
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
        Some(refused) => Message::AskerWantsChangesOf.render_with(lang, [brief(&refused.receipt.by)]),
        None => Message::AskerWantsChanges.plain(lang).to_owned(),
    }
}

/// Returns the heading of the asker's objection to one question, with the refused answer.
pub(crate) fn objection_heading(ask: &Ask, sheet: &Sheet, at: usize, lang: Lang) -> String {
    let refused = ask.refused_submission().filter(|_| differs_from_refused(ask, sheet, at));
    let about = refused.zip(sheet.questions().get(at)).and_then(|(refused, question)| {
        let reply = refused.replies.get(&question.id)?;
        let words = reply_without_note(question, reply, &sheet.questionnaire().rules, lang);
        Some(Message::AskerSaysOf.render_with(lang, [brief(&refused.receipt.by), words]))
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

/// Returns the confirmation for answers that were sent from here.
pub(crate) fn sent_confirmation(ask: &Ask, is_awaited: bool, lang: Lang) -> &'static str {
    let message = match &ask.state.phase {
        AskPhase::Submitted { .. } => Message::SentForVerdict,
        AskPhase::Open { .. } => Message::SentRefused,
        AskPhase::Settled(Outcome::Answered { verdict: Some(AskerVerdict::Accepted), .. }) => {
            Message::SentAccepted
        }
        AskPhase::Settled(_) if is_awaited => Message::SentNow,
        AskPhase::Settled(_) => Message::SentAndKept,
    };
    message.plain(lang)
}

/// Returns the summary that the full screen leaves behind: the outcome and the answers. If they were sent from here
/// and no asker waited, it says so.
pub fn ask_receipt(ask: &Ask, elsewhere: bool, is_awaited: bool, lang: Lang) -> String {
    let title = brief(ask.request.questionnaire.display_name());
    let said = match &ask.state.phase {
        AskPhase::Open { .. } | AskPhase::Submitted { .. } | AskPhase::Settled(Outcome::Answered { .. })
            if !elsewhere =>
        {
            sent_confirmation(ask, is_awaited, lang).to_owned()
        }
        AskPhase::Settled(Outcome::Declined { .. }) if !elsewhere => {
            Message::DeclinedNow.plain(lang).to_owned()
        }
        _ => end_elsewhere(ask, lang).unwrap_or_default(),
    };
    label_value(&title, &said)
}

/// Returns a summary of a finished ask and its answers, line by line.
pub(crate) fn settled_summary(ask: &Ask, lang: Lang) -> String {
    let mut lines = vec![brief(ask.request.questionnaire.display_name())];
    let rules = &ask.request.questionnaire.rules;
    let replies = match &ask.state.phase {
        AskPhase::Settled(Outcome::Answered { replies, .. }) => Some(replies),
        AskPhase::Submitted { submission, .. } => Some(&submission.replies),
        AskPhase::Settled(Outcome::Declined { reason: Some(reason), .. }) => {
            lines.push(text_excerpt(reason, rules, lang));
            None
        }
        AskPhase::Open { .. } | AskPhase::Settled(_) => None,
    };
    lines.push(String::new());
    let sheet = Sheet::new(ask.request.questionnaire.clone(), replies.cloned().unwrap_or_default());
    for (at, question) in ask.request.questionnaire.questions.iter().enumerate() {
        let unanswered = if sheet.is_asked(at) { Message::NotAnswered } else { Message::WasNotAsked };
        let words = replies.and_then(|replies| replies.get(&question.id)).map_or_else(
            || unanswered.plain(lang).to_owned(),
            |said| full_reply(question, said, rules, lang),
        );
        lines.push(label_value(question.display_name(), &words));
    }
    lines.join("\n")
}

/// Returns a reply with its note; typed text is shown in full.
fn full_reply(question: &Question, reply: &Reply, rules: &Rules, lang: Lang) -> String {
    let words = match reply.answer() {
        Some(Answer::Text(text)) if text.contains('\n') => format!("\n{text}"),
        Some(Answer::Text(text)) => text.clone(),
        _ => reply_without_note(question, reply, rules, lang),
    };
    match &reply.note {
        Some(note) => Message::WithNote.render_with(lang, [words, note.clone()]),
        None => words,
    }
}

fn surface_name(surface: Surface, lang: Lang) -> &'static str {
    match surface {
        Surface::Prompter => Message::SurfacePrompter,
        Surface::Inbox => Message::SurfaceInbox,
        Surface::Command => Message::SurfaceCommand,
        Surface::Pipe => Message::SurfacePipe,
        Surface::Dialog => Message::SurfaceDialog,
        Surface::Http => Message::SurfaceHttp,
    }
    .plain(lang)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sayso_core::rules::LengthUnit;

    #[test]
    fn ages_use_the_largest_unit() {
        let cases = [
            (0, "just now"),
            (59, "just now"),
            (60, "1 minute ago"),
            (150, "2 minutes ago"),
            (3_600, "1 hour ago"),
            (7_300, "2 hours ago"),
            (86_400, "1 day ago"),
            (400_000, "4 days ago"),
        ];
        for (seconds, words) in cases {
            assert_eq!(age_text(Duration::from_secs(seconds), Lang::En), words);
        }
    }

    #[test]
    fn verified_account_precedes_claims() {
        let said = |name: &str, account: Option<&str>| {
            let asking =
                ShownAsker { name, folder: Some("/home/ada/x"), account, program: Some("deploy.sh") };
            let name = asker_name(&asking, |name| name.chars().take(8).collect(), Lang::En);
            format!("{name} in {}", asker_folder(&asking, "/home/ada").unwrap())
        };
        assert_eq!(said("claude", None), "claude in ~/x");
        assert_eq!(said("claude", Some("claude")), "claude in \"/home/ada/x\"");
        let claimed = "ci⟦U+001B⟧ (says it is \"the oper\") in \"/home/ada/x\"";
        assert_eq!(said("the operations team", Some("ci\u{1b}")), claimed);
        assert_eq!(said("a\"b", Some("ci")), "ci (says it is \"a'b\") in \"/home/ada/x\"");
        for unnamed in [" ", "a program", "an agent"] {
            assert_eq!(said(unnamed, None), "deploy.s (a guess) in ~/x");
            assert_eq!(said(unnamed, Some("ci")), "ci in \"/home/ada/x\"");
        }
    }

    #[test]
    fn long_text_is_cut_to_line() {
        let shown = brief(&"ab\n".repeat(1_000));
        assert!(shown.ends_with('…') && !shown.contains('\n'), "{shown}");
        assert_eq!(text_excerpt("one\ntwo", &Rules::default(), Lang::En), "one… (2 lines, 7 characters)");
        let utf16 = Rules { length_unit: LengthUnit::Utf16, ..Rules::default() };
        assert_eq!(text_excerpt("😀\n\n😀\n", &utf16, Lang::En), "😀… (3 lines, 6 characters)");
        assert_eq!(text_excerpt("one", &Rules::default(), Lang::En), "one");
    }
}
