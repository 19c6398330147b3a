//! Environment of the process, read once.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Environment variables at the start.
#[derive(Debug, Clone, Default)]
pub(crate) struct ProcessEnv {
    variables: BTreeMap<String, String>,
}

impl ProcessEnv {
    /// Reads the variables of this process. Those that aren't text are left out.
    pub(crate) fn read() -> Self {
        let mut variables = BTreeMap::new();
        for (name, value) in std::env::vars_os() {
            if let (Ok(name), Ok(value)) = (name.into_string(), value.into_string()) {
                variables.insert(name, value);
            }
        }
        Self { variables }
    }

    /// Returns a variable that is set and not empty.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Returns the user's name on this machine.
    pub(crate) fn user_name(&self) -> String {
        for variable in ["USER", "LOGNAME", "USERNAME"] {
            if let Some(name) = self.get(variable) {
                return name.to_owned();
            }
        }
        match account_name() {
            Some(name) => name,
            None => "someone".to_owned(),
        }
    }

    /// Returns the working folder.
    pub(crate) fn working_folder() -> Option<PathBuf> {
        std::env::current_dir().ok()
    }
}

/// Returns the name of the account that this process runs under, from `/etc/passwd`.
fn account_name() -> Option<String> {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::MetadataExt as _;
        let uid = std::fs::metadata("/proc/self").ok()?.uid();
        account_name_in(&std::fs::read_to_string("/etc/passwd").ok()?, uid)
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// Returns the name of an account in the text of a `passwd` file.
#[cfg(any(target_os = "linux", test))]
fn account_name_in(accounts: &str, uid: u32) -> Option<String> {
    accounts.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(uid)).then(|| name.to_owned())
    })
}

#[cfg(test)]
impl<const N: usize> From<[(&str, &str); N]> for ProcessEnv {
    fn from(pairs: [(&str, &str); N]) -> Self {
        Self {
            variables: pairs.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn account_is_found_by_number() {
        let accounts = "root:x:0:0:root:/root:/bin/sh\nbroken\nada:x:1000:1000::/home/ada:/bin/sh\n";
        assert_eq!(account_name_in(accounts, 1000).as_deref(), Some("ada"));
        assert_eq!(account_name_in(accounts, 7), None);
    }
}
