//! Descriptions of how an ask ended.

use super::ended_view::{EndedLine, ended_view};
use super::{brief, completion_lines, label_value, sentence_separator};
use sayso_core::i18n::own;
use sayso_core::model::actor::Surface;
use sayso_core::model::ask::AskPhase;
use sayso_core::model::outcome::{AskerVerdict, format_record_time};
use sayso_core::{Ask, Lang, Message, Outcome, Receipt};

/// Returns how an ask ended, or who holds it, if that was not this prompter. `None` while it is open.
pub(crate) fn end_elsewhere(ask: &Ask, lang: Lang) -> Option<String> {
    use Message::{AnsweredElsewhere, DeclinedElsewhere, SubmittedElsewhere};
    describe_end(ask, lang, [SubmittedElsewhere, AnsweredElsewhere, DeclinedElsewhere])
}

/// Returns how an ask ended, or who holds it, on any surface, and whether the asker never took the answer. `None` while
/// it is open.
pub(crate) fn end_anywhere(ask: &Ask, lang: Lang) -> Option<String> {
    use Message::{AnsweredBy, DeclinedBy, SubmittedBy};
    let end = describe_end(ask, lang, [SubmittedBy, AnsweredBy, DeclinedBy])?;
    let is_answered = matches!(ask.outcome(), Some(Outcome::Answered { .. }));
    if is_answered && !ask.is_delivered() {
        return Some([end.as_str(), Message::NotTaken.plain(lang)].join(sentence_separator(lang)));
    }
    Some(end)
}

fn describe_end(ask: &Ask, lang: Lang, [submitted, answered, declined]: [Message; 3]) -> Option<String> {
    Some(match &ask.state.phase {
        AskPhase::Open { .. } => return None,
        AskPhase::Submitted { submission, .. } => with_receipt(submitted, &submission.receipt, lang),
        AskPhase::Settled(Outcome::Answered { receipt, .. }) => {
            let message = match ask.approval() {
                Some(true) => Message::AllowedBy,
                Some(false) => Message::AnsweredNoBy,
                None => answered,
            };
            with_receipt(message, receipt, lang)
        }
        AskPhase::Settled(Outcome::Declined { receipt, .. }) => with_receipt(declined, receipt, lang),
        AskPhase::Settled(Outcome::Cancelled { reason: Some(reason), .. }) => {
            reason.sentence(&ask.request.shown_asker(), lang)
        }
        AskPhase::Settled(Outcome::Cancelled { reason: None, .. }) => {
            Message::AskCancelled.plain(lang).to_owned()
        }
        AskPhase::Settled(Outcome::Expired { .. }) => Message::AskExpired.plain(lang).to_owned(),
    })
}

/// Returns a message with who sent the answer, when and where.
fn with_receipt(message: Message, receipt: &Receipt, lang: Lang) -> String {
    let person = own(brief(&receipt.by));
    let time = own(format_record_time(receipt.at));
    let surface = own(surface_name(receipt.surface, lang));
    message.render_with(lang, [person, time, surface])
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

/// Returns the decision of a consent, and the confirmation for answers that were sent from here.
pub(crate) fn sent_sentences(ask: &Ask, is_awaited: bool, lang: Lang) -> String {
    let confirmation = sent_confirmation(ask, is_awaited, lang);
    let decision = match ask.approval() {
        Some(true) => Message::AllowedNow,
        Some(false) => Message::AnsweredNoNow,
        None => return confirmation.to_owned(),
    };
    [decision.plain(lang), confirmation].join(sentence_separator(lang))
}

/// Returns the receipt that the full screen leaves behind: the outcome, and the record of a consent or, for other
/// answers that were sent from here, what the asker's format shows after an answer. If no asker waited, it says so.
pub fn ask_receipt(ask: &Ask, elsewhere: bool, is_awaited: bool, lang: Lang) -> String {
    let text = match &ask.state.phase {
        AskPhase::Open { .. } | AskPhase::Submitted { .. } | AskPhase::Settled(Outcome::Answered { .. })
            if !elsewhere =>
        {
            sent_sentences(ask, is_awaited, lang)
        }
        AskPhase::Settled(Outcome::Declined { .. }) if !elsewhere => {
            Message::DeclinedNow.plain(lang).to_owned()
        }
        _ => end_elsewhere(ask, lang).unwrap_or_default(),
    };
    let first = label_value(ask.request.questionnaire.display_name(), &text);
    if ask.request.questionnaire.asks_consent() {
        // The first line of the record is the title.
        let record = ended_view(ask, lang).iter().skip(1).map(EndedLine::to_plain_text).collect::<String>();
        return format!("{first}\n{}", record.trim_end_matches('\n'));
    }
    let mut lines = vec![first];
    if !elsewhere {
        lines.extend(completion_lines(ask, lang));
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
        Surface::Page => Message::SurfacePage,
        Surface::Element => Message::SurfaceElement,
    }
    .plain(lang)
}
