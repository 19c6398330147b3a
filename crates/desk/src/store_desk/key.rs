//! Idempotency keys.

use crate::store::api::KeyUse;
use crate::{clock, process};
use sayso_core::model::actor::ProcessId;
use sayso_core::{Actor, Digest, Message, Problem, ProblemCode, Questionnaire, limits};

/// Checks the length of a key.
///
/// # Errors
/// If it is empty or too long.
pub fn check_key(key: &str) -> Result<(), Problem> {
    if key.is_empty() || key.len() > limits::IDEMPOTENCY_KEY_BYTES {
        return Err(Problem::new(
            ProblemCode::InvalidValue,
            Message::KeyTooLong.with([limits::IDEMPOTENCY_KEY_BYTES]),
        ));
    }
    Ok(())
}

/// Returns the key under which a request from the network is opened: its own, or a random one if it asks for consent
/// and no process of this machine waits for it. No other request finds it then, so that one yes never serves two.
pub fn unshared_key(
    key: Option<String>,
    questionnaire: &Questionnaire,
    process: Option<ProcessId>,
) -> Option<String> {
    let is_shared = process.is_some_and(process::is_of_this_machine) || !questionnaire.asks_consent();
    if key.is_some() || is_shared {
        return key;
    }
    Some(clock::new_id(true).to_string())
}

/// Checks the length of a form's name.
///
/// # Errors
/// If it is empty or too long.
pub(super) fn check_form_name(form: &str) -> Result<(), Problem> {
    check_name("form", form, limits::FORM_CHARS)
}

/// Checks the length of a dialect's name. Any short name passes, because another desk may know more dialects.
///
/// # Errors
/// If it is empty or too long.
pub(super) fn check_dialect_name(dialect: &str) -> Result<(), Problem> {
    check_name("dialect", dialect, limits::DIALECT_CHARS)
}

fn check_name(member: &str, name: &str, chars: usize) -> Result<(), Problem> {
    if (1..=chars).contains(&name.chars().count()) {
        return Ok(());
    }
    Err(Problem::invalid_value(member, name))
}

pub(super) fn key_use(who: &Actor, key: &str, request: Digest) -> Result<KeyUse, Problem> {
    check_key(key)?;
    Ok(KeyUse { owner: key_owner(who), key: key.to_owned(), request })
}

pub(super) fn key_owner(who: &Actor) -> String {
    match who {
        Actor::Asker(asker) => format!("asker\u{1f}{}", asker.identity_key()),
        Actor::Person(person) => format!("person\u{1f}{}", person.name),
        Actor::Desk => "desk".to_owned(),
    }
}
