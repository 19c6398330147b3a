//! Address of the desk in the settings.

use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use sayso_desk::PostgresAddress;
use sayso_desk::remote::RemoteAddress;
use std::fmt;
use std::path::PathBuf;

/// Address of a desk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DeskAddress {
    /// Desk file on this machine.
    Sqlite(PathBuf),
    /// Desk in a database, which this program shares with other nodes.
    Postgres(Box<PostgresAddress>),
    /// Desk on the network.
    Http(RemoteAddress),
}

impl fmt::Display for DeskAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Self::Postgres(address) => address.fmt(f),
            Self::Http(address) => address.fmt(f),
        }
    }
}

/// Files with the password of a database, of which the first that is set counts.
#[derive(Debug, Clone, Default)]
pub(crate) struct PasswordFiles {
    /// File with nothing but the password.
    pub(crate) own: Option<PathBuf>,
    /// File of libpq with passwords by host, port, database and user.
    pub(crate) pgpass: Option<PathBuf>,
}

impl PasswordFiles {
    /// Adds the password to an address.
    ///
    /// # Errors
    /// Fails if the file can't be read.
    pub(crate) fn apply(&self, address: &PostgresAddress) -> Result<PostgresAddress, Problem> {
        match (&self.own, &self.pgpass) {
            (Some(file), _) => address.clone().with_password_file(file),
            (None, Some(file)) => address.clone().with_pgpass_file(file),
            (None, None) => Ok(address.clone()),
        }
    }
}

/// Parses the address of a desk: `sqlite:PATH`, a path, `postgres://…`, `https://…`.
///
/// # Errors
/// Fails if it names no desk that this program can open.
pub(crate) fn parse_address(text: &str) -> Result<DeskAddress, Problem> {
    if PostgresAddress::is_url(text) {
        return PostgresAddress::parse(text).map(|address| DeskAddress::Postgres(Box::new(address)));
    }
    if RemoteAddress::is_url(text) {
        return RemoteAddress::parse(text).map(DeskAddress::Http);
    }
    match text.split_once(':') {
        Some(("sqlite", path)) if !path.is_empty() => Ok(DeskAddress::Sqlite(PathBuf::from(path))),
        _ if is_path(text) => Ok(DeskAddress::Sqlite(PathBuf::from(text))),
        _ => {
            let message = Message::DeskUnsupported.with([own(mask_login(text))]);
            Err(Problem::new(ProblemCode::DeskUnsupported, message).with_hint(Message::DeskKinds))
        }
    }
}

/// Returns an address with `…` for the part before an `@`, which may have a password.
fn mask_login(text: &str) -> String {
    let Some((login, rest)) = text.rsplit_once('@') else { return text.to_owned() };
    let scheme = login.split_once("://").map(|(scheme, _)| format!("{scheme}://")).unwrap_or_default();
    format!("{scheme}…@{rest}")
}

/// Returns whether a text can only be a path. A bare word may be the name of a host.
fn is_path(text: &str) -> bool {
    ["/", "./", "../"].iter().any(|start| text.starts_with(start))
        || text.ends_with(".db") && !text.contains(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_parsed_or_refused() {
        assert_eq!(
            parse_address("sqlite:/tmp/x.db").unwrap(),
            DeskAddress::Sqlite(PathBuf::from("/tmp/x.db"))
        );
        for path in ["/tmp/x.db", "./x", "../x.sqlite", "x.db", "/tmp/a:b"] {
            assert_eq!(parse_address(path).unwrap(), DeskAddress::Sqlite(PathBuf::from(path)));
        }
        let remote = parse_address("https://desk.example/tools/").unwrap();
        assert_eq!(remote.to_string(), "https://desk.example/tools");
        for other in
            ["postgres://host", "http://desk.example", "sqlite:", "desk.example", "sqlite3:/tmp/x.db", ""]
        {
            let problem = parse_address(other).unwrap_err();
            assert_eq!(problem.code, ProblemCode::DeskUnsupported);
            assert!(problem.hint.is_some());
        }
    }

    #[test]
    fn refusal_repeats_no_password() {
        for (given, text) in [("mysql://secret@host", "mysql://…@host"), ("ada:pass@host", "…@host")] {
            let problem = parse_address(given).unwrap_err().to_string();
            assert!(
                problem.contains(text) && !problem.contains("pass") && !problem.contains("secret"),
                "{problem}"
            );
        }
        for given in ["postgres://ada:hidden@host/db", "postgres://ada:hid@den@host/db"] {
            let problem = parse_address(given).unwrap_err().to_string();
            assert!(!problem.contains("hid") && !problem.contains("den@"), "{problem}");
        }
    }
}
