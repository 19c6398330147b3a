//! Line about what went to whom, after an ask was sent or declined.

use super::ended_view::shows_answers;
use super::reply::{form_note, quoted_excerpt, reply_in_sentence};
use super::title;
use sayso_core::i18n::{action_words, own, quote_escaped};
use sayso_core::model::action::ActSummary;
use sayso_core::model::ask::AskPhase;
use sayso_core::{Ask, Lang, Message, Outcome};

/// Maximum number of answers on the line.
const SHOWN_ANSWERS: usize = 3;

/// Returns whom an ask was sent to, its act or title and the first answers, or the reason to decline it.
pub(crate) fn sent_summary(ask: &Ask, lang: Lang) -> String {
    let questionnaire = &ask.request.questionnaire;
    let name = match &questionnaire.action {
        Some(action) => action_words::act_phrase(&ActSummary::from(action), lang),
        None => title(questionnaire.display_name()),
    };
    let mut parts = vec![quote_escaped(&name, lang)];
    let replies = match &ask.state.phase {
        AskPhase::Submitted { submission, .. } => Some(&submission.replies),
        AskPhase::Settled(Outcome::Answered { replies, .. }) => Some(replies),
        AskPhase::Settled(Outcome::Declined { reason: Some(reason), .. }) => {
            parts.push(quoted_excerpt(reason, &questionnaire.rules, lang));
            None
        }
        AskPhase::Open { .. } | AskPhase::Settled(_) => None,
    };
    // A form that does not show its answers afterwards does not do so here either.
    if let Some(replies) = replies
        && shows_answers(questionnaire)
    {
        let mut others = 0;
        for question in &questionnaire.questions {
            let Some(reply) = replies.get(&question.id) else { continue };
            if reply.answer().is_none() {
                continue;
            }
            if parts.len() > SHOWN_ANSWERS {
                others += 1;
            } else {
                let answer = reply_in_sentence(questionnaire, question, reply, lang);
                parts.push(answer.render(lang).into_owned());
            }
        }
        if others > 0 {
            parts.push(format!("+{others}"));
        }
        if let Some(note) = sayso_core::form_note(replies) {
            parts.push(form_note(questionnaire, note, lang).text);
        }
    }
    let asker = ask.request.shown_asker().name_in_sentence(lang);
    Message::SentTo.render_with(lang, [own(asker), own(parts.join(" · "))])
}
