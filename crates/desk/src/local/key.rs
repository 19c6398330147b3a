//! Idempotency keys.

use crate::store::KeyUse;
use sayso_core::{Code, Digest, Message, Problem, Who, limits};

/// Checks the length of a key.
///
/// # Errors
/// If it is empty or too long.
pub fn must_be_key(key: &str) -> Result<(), Problem> {
    if key.is_empty() || key.len() > limits::KEY_BYTES {
        return Err(Problem::new(Code::InvalidValue, Message::KeyTooLong.with([limits::KEY_BYTES])));
    }
    Ok(())
}

/// Checks the length of a form's name.
///
/// # Errors
/// If it is empty or too long.
pub(super) fn must_be_form(form: &str) -> Result<(), Problem> {
    must_be_name("form", form, limits::FORM_CHARS)
}

/// Checks the length of a dialect's name. Any short name passes, because another desk may know more dialects.
///
/// # Errors
/// If it is empty or too long.
pub(super) fn must_be_dialect(dialect: &str) -> Result<(), Problem> {
    must_be_name("dialect", dialect, limits::DIALECT_CHARS)
}

fn must_be_name(member: &str, name: &str, chars: usize) -> Result<(), Problem> {
    if (1..=chars).contains(&name.chars().count()) {
        return Ok(());
    }
    Err(Problem::no_such_value(member, name))
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
