//! Keys with which a repetition finds what was done.

use crate::store::KeyUse;
use sayso_core::{Code, Digest, Message, Problem, Who, limits};

/// Whether a key has a length that keys may have.
///
/// # Errors
/// When it has not.
pub(crate) fn must_be_key(key: &str) -> Result<(), Problem> {
    if key.is_empty() || key.len() > limits::KEY_BYTES {
        return Err(Problem::new(Code::InvalidValue, Message::KeyTooLong.with([limits::KEY_BYTES])));
    }
    Ok(())
}

pub(super) fn key_use(who: &Who, key: &str, request: Digest) -> Result<KeyUse, Problem> {
    must_be_key(key)?;
    Ok(KeyUse { owner: key_owner(who), key: key.to_owned(), request })
}

pub(super) fn key_owner(who: &Who) -> String {
    match who {
        Who::Asker(asker) => format!("asker\u{1f}{}", asker.identity()),
        Who::Person(person) => format!("person\u{1f}{}", person.name),
        Who::Desk => "desk".to_owned(),
    }
}
