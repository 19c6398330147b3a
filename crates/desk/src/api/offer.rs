//! Offer of an outcome at any desk: a repeated offer gives the same bytes.

use sayso_core::model::ask::DeliveryState;
use sayso_core::{Ask, Message, Problem, ProblemCode};

/// Offers an outcome. `stored` reads an earlier rendering; `put` stores one and returns the stored bytes, which are
/// another caller's if that was faster.
///
/// # Errors
/// If the ask has not ended, or the desk fails.
pub(crate) fn offer(
    ask: &Ask,
    render: &dyn Fn(&Ask) -> Vec<u8>,
    stored: impl FnOnce() -> Result<Option<Vec<u8>>, Problem>,
    put: impl FnOnce(Vec<u8>) -> Result<Vec<u8>, Problem>,
) -> Result<Vec<u8>, Problem> {
    if ask.outcome().is_none() {
        return Err(Problem::new(ProblemCode::AskOpen, Message::AskOpen));
    }
    let stored = match ask.state.delivery {
        // No one has fetched it, so no rendering is stored.
        DeliveryState::Ready => None,
        DeliveryState::Offered { .. } | DeliveryState::Acked { .. } | DeliveryState::Parked { .. } => {
            stored()?
        }
    };
    match stored {
        Some(stored) if ask.is_delivered() => Ok(stored),
        Some(stored) => put(stored),
        None => put(render(ask)),
    }
}
