//! How an outcome is given in a form, at whatever desk: what was given before is given again, letter by letter.

use sayso_core::ask::Delivery;
use sayso_core::{Ask, Code, Message, Problem};

/// Gives an outcome. `stored` brings what it was rendered as before, `put` keeps a rendering and says what is kept:
/// another's, where that was faster.
///
/// # Errors
/// When the ask has not ended, or the desk fails.
pub(crate) fn offer(
    ask: &Ask,
    render: &dyn Fn(&Ask) -> Vec<u8>,
    stored: impl FnOnce() -> Result<Option<Vec<u8>>, Problem>,
    put: impl FnOnce(Vec<u8>) -> Result<Vec<u8>, Problem>,
) -> Result<Vec<u8>, Problem> {
    if ask.outcome().is_none() {
        return Err(Problem::new(Code::AskOpen, Message::AskOpen));
    }
    let stored = match ask.state.delivery {
        // Nobody has come for it: there is nothing to look for.
        Delivery::Ready => None,
        Delivery::Offered { .. } | Delivery::Acked { .. } | Delivery::Parked { .. } => stored()?,
    };
    match stored {
        Some(stored) if ask.is_delivered() => Ok(stored),
        Some(stored) => put(stored),
        None => put(render(ask)),
    }
}
