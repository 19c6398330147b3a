//! Random bytes: the only place where the desk draws randomness.

use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};

/// Returns random bytes from the operating system.
///
/// # Errors
/// If it has none.
pub fn random_bytes<const N: usize>() -> Result<[u8; N], Problem> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)
        .map_err(|error| Problem::new(ProblemCode::DeskFailed, Message::DeskFailed.with([own(error)])))?;
    Ok(bytes)
}
