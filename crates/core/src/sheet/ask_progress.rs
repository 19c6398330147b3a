//! Progress of an ask as a list shows it, and its summary.

use super::{Sheet, SheetProgress};
use crate::i18n::plan_title;
use crate::model::action::ActSummary;
use crate::model::answer::{Replies, ReplyContent};
use crate::model::ask::{Ask, AskPhase, AskerPresence, AttentionState};
use crate::model::ask_summary::{AskStatus, AskSummary, list_title};
use crate::model::id::QuestionId;
use crate::model::outcome::Outcome;
use crate::model::questionnaire::Questionnaire;
use std::sync::Arc;

/// Counts the questions that a person's draft and the asker's prefill cause to be asked, and those of them that the
/// person answered.
pub fn draft_progress(questionnaire: &Arc<Questionnaire>, typed: Replies) -> SheetProgress {
    if typed.is_empty() && !questionnaire.is_conditional() {
        return SheetProgress { answered: 0, total: questionnaire.questions.len() };
    }
    Sheet::compute_progress(questionnaire.clone(), typed)
}

/// Counts the questions of an ask that are or were asked, without its draft. Before it is answered, the asker's
/// prefill decides that, and all conditions are evaluated.
pub fn count_asked(ask: &Ask) -> usize {
    match &ask.state.phase {
        AskPhase::Settled(Outcome::Answered { replies, .. }) => {
            // The note on the whole form is no question.
            let mut count = 0;
            for (id, reply) in replies {
                if *id != QuestionId::FORM && !matches!(reply.content, ReplyContent::NotAsked { .. }) {
                    count += 1;
                }
            }
            count
        }
        _ => draft_progress(&ask.request.questionnaire, Replies::new()).total,
    }
}

impl AskSummary {
    /// Builds the summary of an ask without its draft, which the store counts. `asked` is the result of
    /// [`count_asked`].
    pub fn from_ask(ask: &Ask, asked: usize) -> Self {
        let questionnaire = &ask.request.questionnaire;
        let count = |count| u32::try_from(count).unwrap_or(u32::MAX);
        let process = match ask.state.presence {
            AskerPresence::Attached { process } => process,
            AskerPresence::Detached { .. } => None,
        };
        Self {
            id: ask.id,
            state: AskStatus::from_phase(&ask.state.phase),
            title: plan_title(questionnaire).unwrap_or_else(|| list_title(questionnaire)),
            act: questionnaire.action.as_ref().map(|action| ActSummary {
                session: ask.request.asker.session.clone(),
                ..ActSummary::from(action)
            }),
            approved: ask.approval(),
            asker: ask.request.asker.name.clone(),
            account: ask.request.asker.account.clone(),
            program: ask.request.program.clone(),
            audience: ask.request.audience.clone(),
            folder: ask.request.asker.folder.clone(),
            dialect: ask.request.dialect.clone(),
            questions: count(questionnaire.questions.len()),
            asked: count(asked),
            answered: 0,
            drafted: false,
            seen: ask.state.attention == AttentionState::Seen,
            delivered: ask.is_delivered(),
            created_at: ask.request.created_at,
            changed_at: ask.state.changed_at,
            deadline: ask.due_at(),
            attached: matches!(ask.state.presence, AskerPresence::Attached { .. }),
            process,
            damaged: false,
        }
    }
}
