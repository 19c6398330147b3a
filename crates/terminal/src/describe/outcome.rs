//! Descriptions of how an ask ended.

use super::reply::{full_reply, text_excerpt};
use super::{brief, label_value};
use sayso_core::model::actor::Surface;
use sayso_core::model::ask::AskPhase;
use sayso_core::model::outcome::{AskerVerdict, format_record_time};
use sayso_core::{Ask, Lang, Message, Outcome, Receipt, Sheet};

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

fn surface_name(surface: Surface, lang: Lang) -> &'static str {
    match surface {
        Surface::Prompter => Message::SurfacePrompter,
        Surface::Inbox => Message::SurfaceInbox,
        Surface::Command => Message::SurfaceCommand,
        Surface::Pipe => Message::SurfacePipe,
        Surface::Dialog => Message::SurfaceDialog,
        Surface::Http => Message::SurfaceHttp,
        Surface::Element => Message::SurfaceElement,
    }
    .plain(lang)
}
