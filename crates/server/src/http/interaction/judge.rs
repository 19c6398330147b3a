//! Background task in which the tool `questions_ask` judges submissions from any surface, whether or not a request
//! waits.

use crate::diagnostics::log_failure;
use crate::http::context::ServerContext;
use sayso_core::lifecycle::AskEvent;
use sayso_core::model::ask::AskPhase;
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{Actor, Ask, AskCommand, AskId, Problem};
use sayso_desk::{AskQuery, Desk as _, StoreDesk, WatchEvent};
use sayso_dialects::interaction::{QuestionsAsk, hook_feedback, to_user_response};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast::Receiver;
use tokio::time::sleep;

/// Delay before the desk is watched again after a failure.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Judges the submitted round of an ask and returns the ask; leaves asks of other tools unchanged.
///
/// # Errors
/// Fails if the desk fails, or the round has been judged meanwhile.
pub(super) fn judge(desk: &StoreDesk, ask: Ask) -> Result<Ask, Problem> {
    let AskPhase::Submitted { round, submission } = &ask.state.phase else { return Ok(ask) };
    let questionnaire = &ask.request.questionnaire;
    if !super::is_form(&ask) {
        return Ok(ask);
    }
    let Some(tool) = QuestionsAsk::from_stored(questionnaire) else { return Ok(ask) };
    let response = to_user_response(questionnaire, &submission.replies, submission.as_sent.as_ref());
    let round = *round;
    let command = match hook_feedback(questionnaire, &tool.handle_response(&response)) {
        None => AskCommand::Accept { round },
        Some(feedback) => AskCommand::Reprompt { round, feedback },
    };
    desk.act(&Actor::Asker(ask.request.asker.clone()), ask.id, None, command)
}

/// Judges submissions until shutdown, first those from before the start.
pub(in crate::http) async fn run_judge(context: Arc<ServerContext>) {
    while !context.closing.is_cancelled() {
        let notifier = context.change_notifier.clone();
        let desk_call = context.with_desk(move |desk| {
            let changes = notifier.listen()?;
            judge_all(desk)?;
            Ok(changes)
        });
        match desk_call.await {
            Ok(changes) => judge_from(&context, changes).await,
            Err(_) => _ = context.closing.run_until_cancelled(sleep(RETRY_DELAY)).await,
        }
    }
}

/// Judges submissions until the subscription may have missed one.
async fn judge_from(context: &ServerContext, mut changes: Receiver<Arc<WatchEvent>>) {
    while let Some(Ok(watch_event)) = context.closing.run_until_cancelled(changes.recv()).await {
        let WatchEvent::Change(change) = &*watch_event else { return };
        if change.events.iter().any(|event| matches!(event, AskEvent::Submitted { .. })) {
            let id = change.id;
            // Another task may have judged it already; the call logs its error.
            let _ = context.with_desk(move |desk| judge_one(desk, id)).await;
        }
    }
}

fn judge_one(desk: &StoreDesk, id: AskId) -> Result<(), Problem> {
    judge(desk, desk.get(id)?).map(|_| ())
}

fn judge_all(desk: &StoreDesk) -> Result<(), Problem> {
    let mut query = AskQuery { states: vec![AskStatus::Submitted], ..AskQuery::default() };
    loop {
        let page = desk.list(&query)?;
        for row in page.rows {
            // An ask that cannot be judged does not block the others.
            log_failure("judge a response", judge_one(desk, row.id));
        }
        match page.next {
            Some(next) => query.after = Some(next),
            None => return Ok(()),
        }
    }
}
