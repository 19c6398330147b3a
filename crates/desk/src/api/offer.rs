//! Offer of an outcome at any desk: a repeated offer gives the same bytes.

use sayso_core::model::ask::DeliveryState;
use sayso_core::{Ask, Asker, Message, Problem, ProblemCode};

/// Desk that keeps renderings of outcomes.
pub(crate) trait Renderings {
    /// Returns an earlier rendering of this ask in this form.
    fn read_rendering(&self, ask: &Ask, form: &str) -> Result<Option<Vec<u8>>, Problem>;

    /// Stores a rendering, and returns the stored bytes, which are another caller's if that was faster.
    fn store_rendering(&self, who: &Asker, ask: &Ask, form: &str, body: Vec<u8>) -> Result<Vec<u8>, Problem>;
}

/// Offers an outcome to its asker.
///
/// # Errors
/// If the ask has not ended, or the desk fails.
pub(crate) fn offer(
    desk: &impl Renderings,
    (who, ask): (&Asker, &Ask),
    form: &str,
    render: &dyn Fn(&Ask) -> Vec<u8>,
) -> Result<Vec<u8>, Problem> {
    if ask.outcome().is_none() {
        return Err(Problem::new(ProblemCode::AskOpen, Message::AskOpen));
    }
    let rendering = match ask.state.delivery {
        // No one has fetched it, so no rendering is stored.
        DeliveryState::Ready => None,
        DeliveryState::Offered { .. } | DeliveryState::Acked { .. } | DeliveryState::Parked { .. } => {
            desk.read_rendering(ask, form)?
        }
    };
    match rendering {
        Some(body) if ask.is_delivered() => Ok(body),
        Some(body) => desk.store_rendering(who, ask, form, body),
        None => desk.store_rendering(who, ask, form, render(ask)),
    }
}
