//! Asks of turns that the desk has open: those a person is to decide, and their end with the turn.

use super::active_turn::ActiveTurn;
use crate::http::context::find_ask;
use sayso_core::{Actor, Ask, AskCommand, AskId, Problem};
use sayso_desk::{Desk as _, StoreDesk};
use std::sync::Arc;

/// Returns the first open ask among the candidates, with its turn.
pub(in crate::http::threads) fn first_open_ask(
    desk: &StoreDesk,
    candidates: Vec<(Arc<ActiveTurn>, AskId)>,
) -> Result<Option<(Arc<ActiveTurn>, Ask)>, Problem> {
    for (live, id) in candidates {
        if let Some(ask) = get_unsettled(desk, &live, id)? {
            return Ok(Some((live, ask)));
        }
    }
    Ok(None)
}

/// Returns the open asks among the candidates, in order.
pub(in crate::http::threads) fn open_asks(
    desk: &StoreDesk,
    candidates: Vec<(Arc<ActiveTurn>, AskId)>,
) -> Result<Vec<Ask>, Problem> {
    let mut open_asks = Vec::new();
    for (live, id) in candidates {
        open_asks.extend(get_unsettled(desk, &live, id)?);
    }
    Ok(open_asks)
}

/// Returns the ask, if it is open; a settled one may have been purged.
fn get_unsettled(desk: &StoreDesk, live: &ActiveTurn, id: AskId) -> Result<Option<Ask>, Problem> {
    match find_ask(desk, id)? {
        Some(ask) if ask.outcome().is_none() => Ok(Some(ask)),
        _ => {
            live.mark_settled(id);
            Ok(None)
        }
    }
}

/// Cancels the agent's open asks and acknowledges settled ones.
pub(in crate::http::threads) fn settle_asks(desk: &StoreDesk, live: &ActiveTurn) -> Result<(), Problem> {
    for id in live.asks() {
        let Some(ask) = find_ask(desk, id)? else { continue };
        let asker = Actor::Asker(ask.request.asker.clone());
        if ask.outcome().is_none() {
            desk.act(&asker, id, None, AskCommand::CANCEL)?;
        } else if !ask.is_delivered() {
            desk.ack(&ask.request.asker, id)?;
        }
    }
    Ok(())
}
