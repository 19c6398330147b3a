//! The tool `questions_ask` judges what was sent, on whatever surface: as long as the server runs, whoever waits or not.

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

/// How long to wait before a desk that cannot be watched is watched again.
const REST: Duration = Duration::from_secs(1);

/// The ask after the tool has judged the round that was sent, where it is the tool's to judge.
///
/// # Errors
/// When the desk fails, or somebody else has judged it meanwhile.
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

/// Judges what is sent until the server closes, and first what was sent while none ran.
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

/// Judges what is sent until something may have been missed.
async fn judge_from(app: &Arc<App>, mut live: Receiver<Arc<Heard>>) {
    while let Some(Ok(heard)) = app.closing.run_until_cancelled(live.recv()).await {
        let Heard::Changed(changed) = &*heard else { return };
        if changed.events.iter().any(|event| matches!(event, Event::Submitted { .. })) {
            let id = changed.id;
            // Whoever took it in may have judged it already.
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
            // One that cannot be judged keeps no other from it.
            let _ = judge_one(desk, row.id);
        }
        match page.next {
            Some(next) => query.after = Some(next),
            None => return Ok(()),
        }
    }
}
