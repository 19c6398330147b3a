//! Descriptions of askers, replies, ages, problems and outcomes.

use crate::short::{self, cut};
use sayso_core::ask::Phase;
use sayso_core::outcome::{Verdict, recorded_at};
use sayso_core::problem::Step;
use sayso_core::sheet::Effect;
use sayso_core::who::{ShownAsker, Surface};
use sayso_core::{
    Answer, Ask, Lang, Message, Outcome, Pick, Problem, Question, QuestionId, Receipt, Reply, Rules, Said,
    Sheet, Text, display, words,
};
use std::time::Duration;

/// Maximum length in characters of a name or an answer within a sentence of our own.
const BRIEF_CHARS: usize = 200;

/// Returns a text as part of a sentence: escaped, truncated and on one line.
pub(crate) fn brief(text: &str) -> String {
    display::line(&cut(text, BRIEF_CHARS)).into_owned()
}

/// Returns the separator between two sentences.
pub(crate) const fn between(lang: Lang) -> &'static str {
    match lang {
        Lang::En => " ",
        Lang::Zh => "",
    }
}

/// Returns the text with a full stop, unless it ends with punctuation.
pub(crate) fn sentence(text: &str, lang: Lang) -> String {
    let stop = match lang {
        Lang::En => ".",
        Lang::Zh => "。",
    };
    let text = brief(text);
    if text.ends_with(['.', '!', '?', ':', '。', '！', '？', '：', '…']) { text } else { text + stop }
}

/// Returns a name and its value, separated by a colon.
pub(crate) fn named(name: &str, what: &str) -> String {
    let name = brief(name);
    let colon = if name.ends_with(['?', '？', ':', '：']) { "" } else { ":" };
    format!("{name}{colon} {what}")
}

/// Returns a reply in full, so that it can be copied if it could not be saved.
pub(crate) fn in_full(question: &Question, given: &Reply, rules: &Rules, lang: Lang) -> String {
    let words = match given.answer() {
        Some(Answer::Text(text)) => text.clone(),
        _ => reply(question, given, rules, lang),
    };
    named(question.name(), &words)
}

/// Returns the asker's name: the verified account before the claimed name, which `short` truncates.
pub(crate) fn asker(asker: &ShownAsker<'_>, short: impl FnOnce(&str) -> String, lang: Lang) -> String {
    asker.name(|name| short(&brief(name)), lang)
}

/// Returns the asker's folder, abbreviated relative to the person's `home`.
pub(crate) fn folder(asker: &ShownAsker<'_>, home: &str) -> Option<String> {
    asker.folder(|folder| short::folder(folder, home)).map(|folder| brief(&folder))
}

/// Returns the asker and its folder as a list shows them.
pub fn asker_and_folder(asker: &ShownAsker<'_>, home: &str, lang: Lang) -> (String, Option<String>) {
    (self::asker(asker, str::to_owned, lang), folder(asker, home))
}

/// Returns an age in its largest unit.
pub(crate) fn age(age: Duration, lang: Lang) -> String {
    let minutes = age.as_secs() / 60;
    let (one, many, count) = match minutes {
        0 => return Message::AgeNow.plain(lang).to_owned(),
        1..60 => (Message::AgeMinute, Message::AgeMinutes, minutes),
        60..1440 => (Message::AgeHour, Message::AgeHours, minutes / 60),
        _ => (Message::AgeDay, Message::AgeDays, minutes / 1440),
    };
    counted(one, many, count, lang)
}

/// Returns the message for one, or the message for several with their count.
pub(crate) fn counted<N: ToString + PartialEq + From<u8>>(
    one: Message,
    many: Message,
    count: N,
    lang: Lang,
) -> String {
    if count == N::from(1) { one.plain(lang).to_owned() } else { many.say(lang, [count]) }
}

/// Returns a reply on one line, with its note.
pub(crate) fn reply(question: &Question, reply: &Reply, rules: &Rules, lang: Lang) -> String {
    let words = answered(question, reply, rules, lang);
    match &reply.note {
        Some(note) => Message::WithNote.say(lang, [words, text_words(note, rules, lang)]),
        None => words,
    }
}

/// Returns the sheet's reply to a question on one line, with its note.
pub(crate) fn reply_at(sheet: &Sheet, place: usize, question: &Question, lang: Lang) -> String {
    reply(question, sheet.reply_at(place), &sheet.questionnaire().rules, lang)
}

/// Returns a reply on one line, without its note.
pub(crate) fn answered(question: &Question, reply: &Reply, rules: &Rules, lang: Lang) -> String {
    match &reply.said {
        Said::Nothing => Message::NotAnswered.plain(lang).to_owned(),
        Said::NotAsked { .. } => Message::WasNotAsked.plain(lang).to_owned(),
        Said::Skipped => Message::PassedOver.plain(lang).to_owned(),
        Said::Answer(Answer::Text(text)) => text_words(text, rules, lang),
        Said::Answer(Answer::Picks(picks)) => {
            let words: Vec<_> = picks.iter().map(|pick| pick_words(question, pick, rules, lang)).collect();
            words.join(", ")
        }
        Said::Answer(answer) => brief(&words::answer(question, answer, lang)),
    }
}

fn pick_words(question: &Question, pick: &Pick, rules: &Rules, lang: Lang) -> String {
    match pick {
        Pick::Other(text) => Message::OwnAnswer.say(lang, [text_words(text, rules, lang)]),
        Pick::Option(_) => labelled(words::pick(question, pick), words::sent_beside(question, pick), lang),
    }
}

/// Returns an option's label, followed by its value if that differs.
pub fn labelled(label: &str, sent: Option<&str>, lang: Lang) -> String {
    words::labelled(&brief(label), sent.map(brief).as_deref(), lang).into_owned()
}

/// Returns a short text unchanged; of a longer one the beginning and the size.
fn text_words(text: &str, rules: &Rules, lang: Lang) -> String {
    let first = text.lines().next().unwrap_or_default();
    if first.len() == text.len() && text.chars().count() <= BRIEF_CHARS {
        return brief(text);
    }
    let first: String = first.chars().take(BRIEF_CHARS / 4).collect();
    format!("{}… ({})", brief(&first), size(text, rules, lang))
}

/// Returns a text's size, counted as the asker's constraints count it, line breaks included.
fn size(text: &str, rules: &Rules, lang: Lang) -> String {
    let (lines, characters) = (rules.clean(text).split('\n').count(), length(text, rules));
    match lines {
        1 => Message::LineCountOne.say(lang, [characters]),
        _ => Message::LineCount.say(lang, [lines, characters]),
    }
}

/// Returns a text's length as the constraints count it.
pub(crate) fn length(text: &str, rules: &Rules) -> usize {
    rules.length_unit.count(rules.clean(text))
}

/// Returns the announcement of a recorded reply.
pub(crate) fn recorded(question: &Question, reply: &Reply, rules: &Rules, lang: Lang) -> String {
    match &reply.said {
        Said::Nothing | Said::NotAsked { .. } => Message::ClearedNow.plain(lang).to_owned(),
        Said::Skipped => Message::SkippedNow.plain(lang).to_owned(),
        Said::Answer(Answer::Text(text)) if question.is_long_text() => {
            Message::Recorded.say(lang, [size(text, rules, lang)])
        }
        Said::Answer(_) => Message::Recorded.say(lang, [answered(question, reply, rules, lang)]),
    }
}

/// Returns sentences for the questions that a reply made active or inactive; none if it changed nothing. It names the
/// removed ones too: if two went and one came, "added" alone contradicts the count.
pub(crate) fn changed(sheet: &Sheet, effect: &Effect, lang: Lang) -> Vec<String> {
    let (came, went) = (effect.appeared.len(), effect.vanished.len());
    let had_answer = effect.vanished.iter().any(|place| sheet.reply_at(*place).is_given());
    let (one, many) = if had_answer {
        (Message::VanishedOne, Message::Vanished)
    } else {
        (Message::RemovedOne, Message::Removed)
    };
    let said = [(Message::AppearedOne, Message::Appeared, came), (one, many, went)];
    let said = said.into_iter().filter(|(.., count)| *count > 0);
    said.map(|(one, many, count)| counted(one, many, count as u64, lang)).collect()
}

/// Returns the index of the question that a problem is about.
pub(crate) fn place_of(sheet: &Sheet, problem: &Problem) -> Option<usize> {
    let Some(Step::Key(id)) = problem.path.0.get(1) else { return None };
    sheet.place(&QuestionId::new(id.as_str()))
}

/// Returns a problem as part of a sentence; also the asker's own message is short and on one line.
pub(crate) fn problem(problem: &Problem, lang: Lang) -> String {
    match &problem.message {
        Text::Verbatim(words) => brief(words),
        Text::Said(..) => problem.message.render(lang),
    }
}

/// Returns a problem in our own words. The asker's message is shown behind the gutter at the question.
pub(crate) fn problem_as_ours(problem: &Problem, lang: Lang) -> String {
    match &problem.message {
        Text::Verbatim(_) => Message::AskersRuleBroken.plain(lang).to_owned(),
        Text::Said(..) => self::problem(problem, lang),
    }
}

/// Returns the problems of a sheet, each with the number and the name of its question.
pub(crate) fn problems(sheet: &Sheet, problems: &[Problem], lang: Lang) -> Vec<String> {
    let words = |problem: &Problem| {
        let said = self::problem(problem, lang);
        let place = place_of(sheet, problem);
        place.and_then(|index| Some((index, sheet.questions().get(index)?))).map_or(
            said.clone(),
            |(index, question)| {
                let number = sheet.number(index).to_string();
                Message::ProblemAt.say(lang, [number, brief(question.name()), said])
            },
        )
    };
    problems.iter().map(words).collect()
}

/// Returns how an ask ended, or who holds it, if that was not this prompter. `None` while it is open.
pub(crate) fn ending(ask: &Ask, lang: Lang) -> Option<String> {
    use Message::{AnsweredElsewhere, DeclinedElsewhere, SubmittedElsewhere};
    ended(ask, lang, [SubmittedElsewhere, AnsweredElsewhere, DeclinedElsewhere])
}

/// Returns how an ask ended, or who holds it, on any surface. `None` while it is open.
pub(crate) fn ended_by(ask: &Ask, lang: Lang) -> Option<String> {
    use Message::{AnsweredBy, DeclinedBy, SubmittedBy};
    ended(ask, lang, [SubmittedBy, AnsweredBy, DeclinedBy])
}

fn ended(ask: &Ask, lang: Lang, [submitted, answered, declined]: [Message; 3]) -> Option<String> {
    let by = |message: Message, receipt: &Receipt| {
        message.say(
            lang,
            [brief(&receipt.by), recorded_at(receipt.at), surface(receipt.surface, lang).to_owned()],
        )
    };
    Some(match &ask.state.phase {
        Phase::Open { .. } => return None,
        Phase::Submitted { submission, .. } => by(submitted, &submission.receipt),
        Phase::Settled(Outcome::Answered { receipt, .. }) => by(answered, receipt),
        Phase::Settled(Outcome::Declined { receipt, .. }) => by(declined, receipt),
        Phase::Settled(Outcome::Cancelled { .. }) => Message::AskCancelled.plain(lang).to_owned(),
        Phase::Settled(Outcome::Expired { .. }) => Message::AskExpired.plain(lang).to_owned(),
    })
}

/// Returns the first question that the asker wants changed.
pub(crate) fn to_mend(ask: &Ask, sheet: &Sheet) -> Option<usize> {
    sheet.first_of(ask.feedback()?.errors.iter().map(|(id, _)| id))
}

/// Returns the heading of the asker's general objection. It names the person whose answers were refused if the sheet
/// has other answers now.
pub(crate) fn wants_changes(ask: &Ask, sheet: &Sheet, lang: Lang) -> String {
    match ask.refused().filter(|_| sheet.asked().any(|(at, _)| is_another(ask, sheet, at))) {
        Some(refused) => Message::AskerWantsChangesOf.say(lang, [brief(&refused.receipt.by)]),
        None => Message::AskerWantsChanges.plain(lang).to_owned(),
    }
}

/// Returns the heading of the asker's objection to one question, with the refused answer.
pub(crate) fn says_here(ask: &Ask, sheet: &Sheet, at: usize, lang: Lang) -> String {
    let refused = ask.refused().filter(|_| is_another(ask, sheet, at));
    let about = refused.zip(sheet.questions().get(at)).and_then(|(refused, question)| {
        let reply = refused.replies.get(&question.id)?;
        let words = answered(question, reply, &sheet.questionnaire().rules, lang);
        Some(Message::AskerSaysOf.say(lang, [brief(&refused.receipt.by), words]))
    });
    about.unwrap_or_else(|| Message::AskerSaysHere.plain(lang).to_owned())
}

/// Returns true if the sheet's reply differs from the one that the asker refused.
fn is_another(ask: &Ask, sheet: &Sheet, at: usize) -> bool {
    let question = sheet.questions().get(at);
    let refused = ask.refused().zip(question).and_then(|(refused, asked)| refused.replies.get(&asked.id));
    refused.is_some_and(|refused| sheet.sent_at(at).said != refused.said)
}

/// Returns the confirmation for answers that were sent from here.
pub(crate) fn sent(ask: &Ask, is_awaited: bool, lang: Lang) -> &'static str {
    let message = match &ask.state.phase {
        Phase::Submitted { .. } => Message::SentForVerdict,
        Phase::Open { .. } => Message::SentRefused,
        Phase::Settled(Outcome::Answered { verdict: Some(Verdict::Accepted), .. }) => Message::SentAccepted,
        Phase::Settled(_) if is_awaited => Message::SentNow,
        Phase::Settled(_) => Message::SentAndKept,
    };
    message.plain(lang)
}

/// Returns the summary that the full screen leaves behind: the outcome and the answers. If they were sent from here
/// and no asker waited, it says so.
pub fn receipt(ask: &Ask, elsewhere: bool, is_awaited: bool, lang: Lang) -> String {
    let title = brief(ask.request.questionnaire.name());
    let said = match &ask.state.phase {
        Phase::Open { .. } | Phase::Submitted { .. } | Phase::Settled(Outcome::Answered { .. })
            if !elsewhere =>
        {
            sent(ask, is_awaited, lang).to_owned()
        }
        Phase::Settled(Outcome::Declined { .. }) if !elsewhere => Message::DeclinedNow.plain(lang).to_owned(),
        _ => ending(ask, lang).unwrap_or_default(),
    };
    named(&title, &said)
}

/// Returns a summary of a finished ask and its answers, line by line.
pub(crate) fn settled(ask: &Ask, lang: Lang) -> String {
    let mut lines = vec![brief(ask.request.questionnaire.name())];
    let rules = &ask.request.questionnaire.rules;
    let replies = match &ask.state.phase {
        Phase::Settled(Outcome::Answered { replies, .. }) => Some(replies),
        Phase::Submitted { submission, .. } => Some(&submission.replies),
        Phase::Settled(Outcome::Declined { reason: Some(reason), .. }) => {
            lines.push(text_words(reason, rules, lang));
            None
        }
        Phase::Open { .. } | Phase::Settled(_) => None,
    };
    lines.push(String::new());
    let sheet = Sheet::new(ask.request.questionnaire.clone(), replies.cloned().unwrap_or_default());
    for (at, question) in ask.request.questionnaire.questions.iter().enumerate() {
        let unanswered = if sheet.is_asked(at) { Message::NotAnswered } else { Message::WasNotAsked };
        let words = replies
            .and_then(|replies| replies.get(&question.id))
            .map_or_else(|| unanswered.plain(lang).to_owned(), |said| whole(question, said, rules, lang));
        lines.push(named(question.name(), &words));
    }
    lines.join("\n")
}

/// Returns a reply with its note; typed text is shown in full.
fn whole(question: &Question, reply: &Reply, rules: &Rules, lang: Lang) -> String {
    let words = match reply.answer() {
        Some(Answer::Text(text)) if text.contains('\n') => format!("\n{text}"),
        Some(Answer::Text(text)) => text.clone(),
        _ => answered(question, reply, rules, lang),
    };
    match &reply.note {
        Some(note) => Message::WithNote.say(lang, [words, note.clone()]),
        None => words,
    }
}

fn surface(surface: Surface, lang: Lang) -> &'static str {
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
            assert_eq!(age(Duration::from_secs(seconds), Lang::En), words);
        }
    }

    #[test]
    fn verified_account_precedes_claims() {
        let said = |name: &str, account: Option<&str>| {
            let asking =
                ShownAsker { name, folder: Some("/home/ada/x"), account, program: Some("deploy.sh") };
            let name = asker(&asking, |name| name.chars().take(8).collect(), Lang::En);
            format!("{name} in {}", folder(&asking, "/home/ada").unwrap())
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
        assert_eq!(text_words("one\ntwo", &Rules::default(), Lang::En), "one… (2 lines, 7 characters)");
        let utf16 = Rules { length_unit: LengthUnit::Utf16, ..Rules::default() };
        assert_eq!(text_words("😀\n\n😀\n", &utf16, Lang::En), "😀… (3 lines, 6 characters)");
        assert_eq!(text_words("one", &Rules::default(), Lang::En), "one");
    }
}
