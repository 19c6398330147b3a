//! Idempotency keys.

use super::AskRows;
use crate::store::api::KeyUse;
use sayso_core::i18n::{foreign, own};
use sayso_core::{Message, Problem, ProblemCode};

/// Finds the ask on which a key was used, or returns a problem if it was used for another request.
pub(super) fn find_use<T: AskRows>(tx: &T, key: &KeyUse) -> Result<Option<i64>, T::Error> {
    let Some(((seq, id), request)) = tx.find_key(key)? else { return Ok(None) };
    if request != key.request.as_bytes() {
        let message = Message::KeyOfAsk.with([foreign(&key.key), own(id)]);
        return Err(Problem::new(ProblemCode::KeyReused, message).with_hint(Message::UseAnotherKey).into());
    }
    Ok(Some(seq))
}
