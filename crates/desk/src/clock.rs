//! The one place where the desk reads the time and makes ids.

use jiff::Timestamp;
use sayso_core::{AskId, Digest};
use uuid::Uuid;

/// The time now.
#[expect(clippy::disallowed_methods, reason = "this is the desk's clock")]
pub(crate) fn now() -> Timestamp {
    let now = Timestamp::now();
    // Stores keep microseconds; an ask must be the same when it is read back.
    Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
}

/// A new id: one that begins with the time, or a random one.
#[expect(clippy::disallowed_methods, reason = "this is where the desk makes ids")]
pub(crate) fn new_id(random: bool) -> AskId {
    AskId::new(if random { Uuid::new_v4() } else { Uuid::now_v7() })
}

/// The id of whoever has an account: always the same, and nothing to be read from it.
pub(crate) fn id_of_account(account: &str) -> Uuid {
    let mut id = [0; 16];
    let digest = Digest::of(account.as_bytes());
    id.iter_mut().zip(digest.as_bytes()).for_each(|(byte, drawn)| *byte = *drawn);
    uuid::Builder::from_custom_bytes(id).into_uuid()
}
