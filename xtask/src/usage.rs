//! Arguments of a chore.

use std::fmt;

/// Error in the command line itself: answered with the usage text and exit code 2.
#[derive(Debug)]
pub struct Usage(pub String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Returns whether the only switch of a command was given; anything else is a usage error.
///
/// # Errors
/// Fails for any other argument.
pub fn switch(arguments: &[String], name: &str) -> Result<bool, Usage> {
    match arguments.iter().find(|argument| *argument != name) {
        Some(other) => Err(Usage(format!("`{other}` is not understood here"))),
        None => Ok(!arguments.is_empty()),
    }
}

/// Refuses arguments for a command that takes none.
///
/// # Errors
/// Fails for the first argument.
pub fn no_arguments(arguments: &[String]) -> Result<(), Usage> {
    match arguments.first() {
        Some(other) => Err(Usage(format!("`{other}` is not understood here"))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::switch;

    #[test]
    fn switch_is_given_or_not() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert!(!switch(&[], "--check").unwrap());
        assert!(switch(&words("--check"), "--check").unwrap());
        assert!(switch(&words("--check --other"), "--check").is_err());
    }
}
