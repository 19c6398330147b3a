//! Arguments of AUQ's commands: `--flag`, `--flag value`, and positional arguments.

use super::AuqError;
use std::collections::BTreeMap;

/// Parsed arguments.
pub(super) struct AuqFlags {
    values: BTreeMap<String, Option<String>>,
    positional: Vec<String>,
}

impl AuqFlags {
    /// Parses arguments: `bare` flags have no value, those `with_value` take the next argument unless it is a flag.
    pub(super) fn parse(args: Vec<String>, bare: &[&str], with_value: &[&str]) -> Result<Self, AuqError> {
        let (mut set, mut rest) = (BTreeMap::new(), Vec::new());
        let mut args = args.into_iter().peekable();
        while let Some(arg) = args.next() {
            let Some(flag) = arg.strip_prefix("--") else {
                rest.push(arg);
                continue;
            };
            let (name, joined) = match flag.split_once('=') {
                Some((name, value)) if with_value.contains(&name) => (name, Some(value.to_owned())),
                _ => (flag, None),
            };
            let value = match joined {
                Some(value) => Some(value),
                None if with_value.contains(&name) => args.next_if(|next| !next.starts_with("--")),
                None if bare.contains(&name) => None,
                None => return Err(AuqError::Usage(format!("Unknown option: {arg}"))),
            };
            set.insert(name.to_owned(), value);
        }
        Ok(Self { values: set, positional: rest })
    }

    /// Returns whether a flag is set.
    pub(super) fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Returns the value of a flag.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.values.get(name)?.as_deref().filter(|value| !value.is_empty())
    }

    /// Returns a positional argument.
    pub(super) fn positional_argument(&self, place: usize) -> Option<&str> {
        self.positional.get(place).map(String::as_str).filter(|argument| !argument.is_empty())
    }
}
