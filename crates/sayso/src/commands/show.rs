//! `sayso show ID`: prints an ask with its action, answers, draft, late submissions and receipt.

use super::list;
use crate::ages;
use crate::cli::Show;
use crate::console::print;
use crate::exit::Exit;
use crate::session::{self, Session};
use sayso_core::ask::{Phase, Submission};
use sayso_core::outcome::recorded_at;
use sayso_core::row::Standing;
use sayso_core::who::Assurance;
use sayso_core::{
    Answer, Ask, Code, Kind, Lang, Late, Message, Offer, Outcome, Problem, Question, Receipt, Reply, Said,
    Sheet, display, words,
};
use sayso_desk::Draft;
use sayso_dialects::Dialect;
use serde_json::json;
use std::fmt::Write as _;

pub(super) fn run(session: &Session, args: &Show) -> Result<Exit, Problem> {
    let desk = session.desk()?;
    let ask = desk.get(desk.find(&args.id)?)?;
    let draft = for_people(desk.draft(ask.id))?;
    let late = for_people(desk.late(ask.id))?;
    if args.json {
        return Ok(print(&as_json(&ask, &draft, &late)));
    }
    Ok(print(&as_text(session, &ask, &draft, &late)))
}

/// Returns an empty value if the caller may not read it: an asker sees only its ask and what people sent.
fn for_people<T: Default>(read: Result<T, Problem>) -> Result<T, Problem> {
    match read {
        Err(problem) if matches!(problem.code, Code::Unauthorized | Code::NotAllowed) => Ok(T::default()),
        read => read,
    }
}

fn as_json(ask: &Ask, draft: &Draft, late: &[Late]) -> String {
    let mut value = sayso_core::wire::ask::to_value(ask);
    if let Some(members) = value.as_object_mut() {
        members.insert("state".to_owned(), json!(Standing::of(&ask.state.phase)));
        members.insert("draft".to_owned(), json!({ "rev": draft.rev.0, "replies": draft.replies }));
        if !late.is_empty() {
            members.insert("late".to_owned(), json!(late));
        }
        if ask.outcome().is_some() {
            members.insert("reply".to_owned(), json!(Dialect::reply(ask)));
        }
    }
    value.to_string()
}

fn as_text(session: &Session, ask: &Ask, draft: &Draft, late: &[Late]) -> String {
    let lang = session.lang();
    let now = session::now();
    let home = session.environment.get("HOME").unwrap_or_default();
    let questionnaire = &ask.request.questionnaire;
    let mut text = String::new();
    // Writing to a `String` can't fail.
    let _ = writeln!(text, "{}", display::line(questionnaire.name()));
    let (name, folder) = sayso_terminal::asker_and_folder(&ask.request.shown_asker(), home, lang);
    let age = ages::since(ask.request.created_at, now);
    let asked = match folder {
        Some(folder) => Message::AskedBy.say(lang, [name, folder, age, ask.id.to_string()]),
        None => Message::AskedByNowhere.say(lang, [name, age, ask.id.to_string()]),
    };
    let _ = writeln!(text, "{}", display::line(&asked));
    let _ = writeln!(text, "{}", display::line(&standing(ask, lang)));
    if let Some(action) = &questionnaire.action {
        let _ = writeln!(text, "\n{}", sayso_terminal::action_text(action, lang));
    }
    let (replies, from_draft) = match &ask.state.phase {
        Phase::Settled(Outcome::Answered { replies, .. }) => (replies, false),
        Phase::Submitted { submission, .. } => (&submission.replies, false),
        Phase::Open { .. } | Phase::Settled(_) => (&draft.replies, true),
    };
    let unanswered = Reply::unanswered();
    // Before the answers are sent, only the sheet knows which questions are asked.
    let sheet = from_draft.then(|| Sheet::new(questionnaire.clone(), draft.replies.clone()));
    for (at, question) in questionnaire.questions.iter().enumerate() {
        let shown = replies.get(&question.id).unwrap_or(&unanswered);
        let mark = if from_draft && shown.answer().is_some() { Message::InDraft.plain(lang) } else { "" };
        let _ = writeln!(text, "\n{}", display::line(&question.prompt));
        if matches!(ask.state.phase, Phase::Open { .. }) {
            let offered = offered(question, &ask.request.dialect, lang);
            offered.iter().for_each(|offered| _ = writeln!(text, "  {offered}"));
        }
        let is_asked = sheet.as_ref().is_none_or(|sheet| sheet.is_asked(at));
        let said = match is_asked || shown.is_given() {
            true => answer(question, shown, lang),
            false => Message::WasNotAsked.plain(lang).to_owned(),
        };
        for part in display::lines(said.trim_end()) {
            let _ = writeln!(text, "  {part}{mark}");
        }
        // A draft that was not sent is kept, and shown next to the answers.
        let is_shown_below =
            |typed: &Reply| late.iter().any(|late| late.replies.get(&question.id) == Some(typed));
        let unsent = draft
            .replies
            .get(&question.id)
            .filter(|typed| !from_draft && typed.is_given() && *typed != shown && !is_shown_below(typed));
        // Answers are trimmed when they are sent.
        let unsent =
            unsent.map(|typed| answer(question, typed, lang)).filter(|typed| typed.trim() != said.trim());
        for part in unsent.iter().flat_map(|typed| typed.trim_end().lines()) {
            let _ = writeln!(text, "  {}", display::line(&Message::NotSentDraft.say(lang, [part])));
        }
    }
    late.iter().for_each(|late| add_late(&mut text, ask, late, lang));
    text
}

/// Returns the possible answers to a choice or a confirmation: text, and the value if it differs.
pub(super) fn offered(question: &Question, dialect: &str, lang: Lang) -> Option<String> {
    let words: Vec<String> = match &question.kind {
        Kind::Choice(choice) => {
            // The dialect's prompt has a number for it.
            let is_own_apart = dialect == Dialect::AskUserQuestion.name();
            let numbered = (1..).zip(choice.offers()).map(|(number, offer)| match offer {
                Offer::Own if is_own_apart => words::other(choice, lang).to_owned(),
                Offer::Own => format!("{number} {}", words::other(choice, lang)),
                Offer::Option(option) => {
                    format!("{number} {}", words::labelled(&option.label, option.sent_beside(), lang))
                }
            });
            numbered.collect()
        }
        Kind::Confirm(_) => [true, false].map(|yes| words::confirm(question, yes, lang).into_owned()).into(),
        _ => return None,
    };
    let words: Vec<_> = words.iter().map(|words| display::line(words)).collect();
    Some(Message::OptionsAre.say(lang, [words.join(" · ")]))
}

/// Appends a late submission.
fn add_late(text: &mut String, ask: &Ask, late: &Late, lang: Lang) {
    let said = [late.by.clone(), assured(late.assurance, lang).to_owned(), recorded_at(late.at)];
    let _ = writeln!(text, "\n{}", display::line(&Message::CameTooLate.say(lang, said)));
    for question in &ask.request.questionnaire.questions {
        let Some(reply) = late.replies.get(&question.id).filter(|reply| reply.is_given()) else { continue };
        let _ = writeln!(text, "  {}", display::line(&question.prompt));
        for part in display::lines(&answer(question, reply, lang)) {
            let _ = writeln!(text, "    {part}");
        }
    }
    for part in late.reason.iter().flat_map(|reason| display::lines(reason)) {
        let _ = writeln!(text, "  {part}");
    }
}

fn assured(assurance: Assurance, lang: Lang) -> &'static str {
    match assurance {
        Assurance::Scripted => Message::SaidByScript,
        Assurance::Relayed => Message::SaidByRelay,
        Assurance::Token => Message::SaidByToken,
        Assurance::BrowserSession => Message::SaidInBrowser,
        Assurance::Terminal => Message::SaidAtTerminal,
    }
    .plain(lang)
}

fn standing(ask: &Ask, lang: Lang) -> String {
    let state = list::state(Standing::of(&ask.state.phase)).plain(lang);
    let by = |receipt: &Receipt| format!("{} · {} · ", receipt.by, assured(receipt.assurance, lang));
    match &ask.state.phase {
        Phase::Open { .. } => state.to_owned(),
        Phase::Submitted { submission: Submission { receipt, .. }, .. } => {
            format!("{state}: {}{}", by(receipt), recorded_at(receipt.at))
        }
        Phase::Settled(outcome) => {
            let by = outcome.receipt().map(by).unwrap_or_default();
            let mut line = format!("{state}: {by}{}", recorded_at(outcome.at()));
            if let Outcome::Declined { reason: Some(reason), .. } = outcome {
                line.push_str(&format!(" · {reason}"));
            }
            line
        }
    }
}

fn answer(question: &Question, reply: &Reply, lang: Lang) -> String {
    let said = match &reply.said {
        Said::Answer(Answer::Picks(picks)) => {
            let labelled =
                |pick| words::labelled(words::pick(question, pick), words::sent_beside(question, pick), lang);
            picks.iter().map(labelled).collect::<Vec<_>>().join(", ")
        }
        Said::Answer(answer) => words::answer(question, answer, lang).into_owned(),
        Said::NotAsked { .. } => Message::WasNotAsked.plain(lang).to_owned(),
        Said::Nothing => Message::NotAnswered.plain(lang).to_owned(),
        Said::Skipped => Message::PassedOver.plain(lang).to_owned(),
    };
    match &reply.note {
        Some(note) => Message::WithNote.say(lang, [said, note.clone()]),
        None => said,
    }
}
