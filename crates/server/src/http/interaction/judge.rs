//! Background task in which the tool `questions_ask` judges submissions from any surface, whether or not a request
//! waits.

use crate::http::app::App;
use sayso_core::ask::Phase;
use sayso_core::lifecycle::Event;
use sayso_core::row::Standing;
use sayso_core::{Ask, AskId, Command, Problem, Who};
use sayso_desk::{Desk as _, Heard, LocalDesk, Query};
use sayso_dialects::interaction::{QuestionsAsk, feedback, responded};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast::Receiver;
use tokio::time::sleep;

/// Delay before the desk is watched again after a failure.
const REST: Duration = Duration::from_secs(1);

/// Judges the submitted round of an ask and returns the ask; leaves asks of other tools unchanged.
///
/// # Errors
/// Fails if the desk fails, or the round has been judged meanwhile.
pub(super) fn judge(desk: &LocalDesk, ask: Ask) -> Result<Ask, Problem> {
    let Phase::Submitted { round, submission } = &ask.state.phase else { return Ok(ask) };
    let questionnaire = &ask.request.questionnaire;
    let Some(tool) = QuestionsAsk::that_asked(questionnaire).filter(|_| super::is_form(&ask)) else {
        return Ok(ask);
    };
    let response = responded(questionnaire, &submission.replies, submission.as_sent.as_ref());
    let round = *round;
    let command = match feedback(questionnaire, &tool.responded(&response)) {
        None => Command::Accept { round },
        Some(feedback) => Command::Reprompt { round, feedback },
    };
    desk.act(&Who::Asker(ask.request.asker.clone()), ask.id, None, command)
}

/// Judges submissions until shutdown, first those from before the start.
pub(in crate::http) async fn keep_judging(app: Arc<App>) {
    while !app.closing.is_cancelled() {
        let hub = app.hub.clone();
        let begun = app.at_desk(move |desk| {
            let live = hub.listen()?;
            judge_all(desk)?;
            Ok(live)
        });
        match begun.await {
            Ok(live) => judge_from(&app, live).await,
            Err(_) => _ = app.closing.run_until_cancelled(sleep(REST)).await,
        }
    }
}

/// Judges submissions until the subscription may have missed one.
async fn judge_from(app: &Arc<App>, mut live: Receiver<Arc<Heard>>) {
    while let Some(Ok(heard)) = app.closing.run_until_cancelled(live.recv()).await {
        let Heard::Changed(changed) = &*heard else { return };
        if changed.events.iter().any(|event| matches!(event, Event::Submitted { .. })) {
            let id = changed.id;
            // Another task may have judged it already.
            let _ = app.at_desk(move |desk| judge_one(desk, id)).await;
        }
    }
}

fn judge_one(desk: &LocalDesk, id: AskId) -> Result<(), Problem> {
    judge(desk, desk.get(id)?).map(|_| ())
}

fn judge_all(desk: &LocalDesk) -> Result<(), Problem> {
    let mut query = Query { states: vec![Standing::Submitted], ..Query::default() };
    loop {
        let page = desk.list(&query)?;
        for row in page.rows {
            // An ask that cannot be judged does not block the others.
            let _ = judge_one(desk, row.id);
        }
        match page.next {
            Some(next) => query.after = Some(next),
            None => return Ok(()),
        }
    }
}
