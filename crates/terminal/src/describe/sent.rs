//! Line about what went to whom, after an ask was sent or declined.

use super::ended_view::shows_answers;
use super::reply::{quoted_excerpt, reply_in_sentence};
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
    if let Some(replies) = replies.filter(|_| shows_answers(questionnaire)) {
        let answered = questionnaire.questions.iter().filter_map(|question| {
            let reply = replies.get(&question.id).filter(|reply| reply.answer().is_some())?;
            Some(reply_in_sentence(questionnaire, question, reply, lang).render(lang).into_owned())
        });
        let answers: Vec<_> = answered.collect();
        let left_out = answers.len().saturating_sub(SHOWN_ANSWERS);
        parts.extend(answers.into_iter().take(SHOWN_ANSWERS));
        parts.extend((left_out > 0).then(|| format!("+{left_out}")));
    }
    let asker = ask.request.shown_asker().name_in_sentence(lang);
    Message::SentTo.render_with(lang, [own(asker), own(parts.join(" · "))])
}
