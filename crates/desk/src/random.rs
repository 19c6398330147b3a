//! The one place where the desk draws randomness.

use sayso_core::{Code, Message, Problem};

/// Random bytes from the operating system.
///
/// # Errors
/// When it has none to give.
pub fn bytes<const N: usize>() -> Result<[u8; N], Problem> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)
        .map_err(|error| Problem::new(Code::DeskFailed, Message::DeskFailed.with([error])))?;
    Ok(bytes)
}
