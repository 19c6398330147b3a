//! The process's environment, read once.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// The environment variables at the start, and where the process runs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Environment {
    variables: BTreeMap<String, String>,
}

impl Environment {
    /// What this process was started with. Variables that are not text are left out.
    pub(crate) fn read() -> Self {
        let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        Self { variables: std::env::vars_os().filter_map(text).collect() }
    }

    /// A variable that is set and not empty.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// The user's name on this machine.
    pub(crate) fn user(&self) -> String {
        let named = self.get("USER").or_else(|| self.get("LOGNAME")).or_else(|| self.get("USERNAME"));
        named.unwrap_or("someone").to_owned()
    }

    /// The working folder.
    pub(crate) fn folder() -> Option<PathBuf> {
        std::env::current_dir().ok()
    }
}

#[cfg(test)]
impl<const N: usize> From<[(&str, &str); N]> for Environment {
    fn from(pairs: [(&str, &str); N]) -> Self {
        Self {
            variables: pairs.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        }
    }
}
