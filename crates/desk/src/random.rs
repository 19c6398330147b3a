//! Random bytes: the only place where the desk draws randomness.

use sayso_core::{Code, Message, Problem};

/// Returns random bytes from the operating system.
///
/// # Errors
/// If it has none.
pub fn bytes<const N: usize>() -> Result<[u8; N], Problem> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)
        .map_err(|error| Problem::new(Code::DeskFailed, Message::DeskFailed.with([error])))?;
    Ok(bytes)
}
