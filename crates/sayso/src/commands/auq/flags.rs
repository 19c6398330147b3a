//! The arguments of AUQ's commands: `--flag`, `--flag value`, and the rest in its order.

use super::Stop;
use std::collections::BTreeMap;

/// Arguments taken apart.
pub(super) struct Flags {
    set: BTreeMap<String, Option<String>>,
    rest: Vec<String>,
}

impl Flags {
    /// Takes arguments apart: `bare` flags stand by themselves, those `with_value` take what follows unless that is a
    /// flag too.
    pub(super) fn read(args: Vec<String>, bare: &[&str], with_value: &[&str]) -> Result<Self, Stop> {
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
                None => return Err(Stop::Usage(format!("Unknown option: {arg}"))),
            };
            set.insert(name.to_owned(), value);
        }
        Ok(Self { set, rest })
    }

    /// Whether a flag is there.
    pub(super) fn has(&self, name: &str) -> bool {
        self.set.contains_key(name)
    }

    /// The value of a flag.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.set.get(name)?.as_deref().filter(|value| !value.is_empty())
    }

    /// The argument at a place among those that are no flags.
    pub(super) fn argument(&self, place: usize) -> Option<&str> {
        self.rest.get(place).map(String::as_str).filter(|argument| !argument.is_empty())
    }
}
