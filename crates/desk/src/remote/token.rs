//! Tokens with which a desk on the network authenticates its callers.
//!
//! **Invariant:** a token is never shown. It has no `Display`, and its `Debug` shows only the role.

use crate::own_file::is_open_to_others;
use crate::token::Role;
use sayso_core::{Code, Message, Problem};
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Token of one role.
#[derive(Clone, PartialEq, Eq)]
struct Token {
    role: Role,
    secret: String,
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token({}…)", self.role.prefix())
    }
}

impl Token {
    /// Parses a token, or an `Authorization` header as in a file for `curl -H @file`.
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let value = match text.split_once(':') {
            Some((name, value)) if name.trim().eq_ignore_ascii_case("authorization") => value.trim(),
            Some(_) => return None,
            None => text,
        };
        let secret = match value.split_once(' ') {
            Some((scheme, secret)) if scheme.eq_ignore_ascii_case("bearer") => secret.trim(),
            Some(_) => return None,
            None => value,
        };
        let role = Role::ALL.into_iter().find(|role| secret.starts_with(role.prefix()))?;
        let is_whole = secret.len() > role.prefix().len() && secret.bytes().all(|b| b.is_ascii_graphic());
        is_whole.then(|| Self { role, secret: secret.to_owned() })
    }
}

/// Tokens of this program: at most one for each role.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tokens(Vec<Token>);

/// Role that a call needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Caller {
    /// Asker.
    Asker,
    /// Person.
    Person,
    /// Any role that may read.
    Anyone,
    /// Exactly this role.
    Only(Role),
}

/// Credentials of a call.
pub(super) struct Shown<'t> {
    /// Value of the `Authorization` header.
    pub(super) authorization: String,
    /// Role as which an admin acts.
    pub(super) acts_as: Option<&'static str>,
    token: &'t Token,
}

impl Shown<'_> {
    /// Returns whether the call may name the person or asker it acts for.
    pub(super) fn vouches(&self) -> bool {
        self.token.role == Role::Admin
    }
}

/// Reads a file that holds a secret.
///
/// # Errors
/// If it cannot be read, or if others can read it.
fn read_private(path: &Path) -> Result<String, Problem> {
    let named = path.display().to_string();
    let unreadable = |error: io::Error| {
        let said = Message::UnreadableFile.with([named.clone(), error.to_string()]);
        Problem::new(Code::InvalidSetting, said).hint(Message::TokenFileHint)
    };
    let file = File::open(path).map_err(unreadable)?;
    if is_open_to_others(&file, path).map_err(unreadable)? {
        return Err(Problem::new(Code::InvalidSetting, Message::TokenFileOpen.with([&named]))
            .hint(Message::TokenFileOpenHint.with([&named])));
    }
    io::read_to_string(file).map_err(unreadable)
}

impl Tokens {
    /// Reads files with one token each. The first of each role counts.
    ///
    /// # Errors
    /// If a file cannot be read, can be read by others, or holds no token.
    pub fn read(files: &[PathBuf]) -> Result<Self, Problem> {
        let mut tokens = Self::default();
        for file in files {
            let named = file.display().to_string();
            let text = read_private(file)?;
            let token = Token::parse(&text).ok_or_else(|| {
                Problem::new(Code::InvalidSetting, Message::NoTokenInFile.with([named]))
                    .hint(Message::TokenFileHint)
            })?;
            if tokens.of(token.role).is_none() {
                tokens.0.push(token);
            }
        }
        Ok(tokens)
    }

    /// Returns the roles that have a token.
    pub fn roles(&self) -> Vec<Role> {
        let mut roles: Vec<_> = self.0.iter().map(|token| token.role).collect();
        roles.sort_unstable_by_key(|role| Role::ALL.iter().position(|known| known == role));
        roles
    }

    fn of(&self, role: Role) -> Option<&Token> {
        self.0.iter().find(|token| token.role == role)
    }

    /// Returns the credentials for a call: the role's own token, or else an admin's, who vouches for others.
    ///
    /// # Errors
    /// If there is neither.
    pub(super) fn show(&self, caller: Caller) -> Result<Shown<'_>, Problem> {
        let (roles, acts_as): (&[Role], _) = match caller {
            Caller::Asker => (&[Role::Asker, Role::Admin], Some(Role::Asker)),
            Caller::Person => (&[Role::Person, Role::Admin], Some(Role::Person)),
            // The role that sees more comes first.
            Caller::Anyone => (&[Role::Person, Role::Admin, Role::Asker], None),
            Caller::Only(role) => (&[role], None),
        };
        let token = roles.iter().find_map(|role| self.of(*role)).ok_or_else(|| {
            let wanted = roles.first().map_or("", |role| role.as_str());
            Problem::new(Code::Unauthorized, Message::NoToken.with([wanted]))
                .hint(Message::NoTokenHint.with([wanted]))
        })?;
        Ok(Shown {
            authorization: format!("Bearer {}", token.secret),
            acts_as: acts_as.filter(|_| token.role == Role::Admin).map(Role::as_str),
            token,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn role(text: &str) -> Option<Role> {
        Token::parse(text).map(|token| token.role)
    }

    #[test]
    fn token_parses_bare_or_as_header() {
        for text in [
            "sayso_p_abc",
            "  sayso_p_abc\r\n",
            "Authorization: Bearer sayso_p_abc\n",
            "authorization:bearer  sayso_p_abc",
            "Bearer sayso_p_abc",
        ] {
            let token = Token::parse(text).unwrap();
            assert_eq!((token.role, token.secret.as_str()), (Role::Person, "sayso_p_abc"), "{text:?}");
        }
        assert_eq!(role("sayso_a_1"), Some(Role::Asker));
        assert_eq!(role("sayso_x_1"), Some(Role::Admin));
        for text in
            ["", "sayso_p_", "sayso_q_1", "Basic sayso_p_1", "Cookie: sayso_p_1", "sayso_p_a b", "sayso_p_ü"]
        {
            assert_eq!(role(text), None, "{text:?}");
        }
    }

    #[test]
    fn caller_uses_own_or_admin_token() {
        let tokens = |texts: &[&str]| Tokens(texts.iter().filter_map(|text| Token::parse(text)).collect());
        let shown = |tokens: &Tokens, caller| {
            let shown = tokens.show(caller).ok()?;
            Some((shown.authorization.clone(), shown.acts_as, shown.vouches()))
        };
        let bearer = |text: &str| format!("Bearer {text}");
        let all = tokens(&["sayso_x_1", "sayso_a_1", "sayso_p_1"]);
        assert_eq!(all.roles(), Role::ALL);
        assert_eq!(shown(&all, Caller::Asker), Some((bearer("sayso_a_1"), None, false)));
        assert_eq!(shown(&all, Caller::Person), Some((bearer("sayso_p_1"), None, false)));
        assert_eq!(shown(&all, Caller::Anyone), Some((bearer("sayso_p_1"), None, false)));
        let admin = tokens(&["sayso_x_1"]);
        assert_eq!(shown(&admin, Caller::Person), Some((bearer("sayso_x_1"), Some("person"), true)));
        assert_eq!(shown(&admin, Caller::Anyone), Some((bearer("sayso_x_1"), None, true)));
        let asker = tokens(&["sayso_a_1"]);
        let problem = asker.show(Caller::Person).err().unwrap();
        assert_eq!(problem.code, Code::Unauthorized);
        assert!(problem.hint.unwrap().to_string().contains("sayso token new --role person"));
        assert!(!format!("{asker:?}").contains("sayso_a_1"));
    }
}
