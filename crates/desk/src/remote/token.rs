//! Tokens with which a desk on the network authenticates its callers.
//!
//! **Invariant:** a token is never shown. It has no `Display`, and its `Debug` shows only the role.

use crate::own_file::is_open_to_others;
use crate::token::TokenRole;
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Token of one role.
#[derive(Clone, PartialEq, Eq)]
struct RoleToken {
    role: TokenRole,
    secret: String,
}

impl fmt::Debug for RoleToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token({}…)", self.role.prefix())
    }
}

impl RoleToken {
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
        let role = TokenRole::ALL.into_iter().find(|role| secret.starts_with(role.prefix()))?;
        if secret == role.prefix() || !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
            return None;
        }
        Some(Self { role, secret: secret.to_owned() })
    }
}

/// Tokens of this program: at most one for each role.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TokenSet(Vec<RoleToken>);

/// Role that a call needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallerRole {
    /// Asker.
    Asker,
    /// Person.
    Person,
    /// Any role that may read.
    Anyone,
    /// Exactly this role.
    Exactly(TokenRole),
}

/// Credentials of a call.
pub(super) struct CallCredentials<'t> {
    /// Value of the `Authorization` header.
    pub(super) authorization: String,
    /// Role as which an admin acts.
    pub(super) acts_as: Option<&'static str>,
    token: &'t RoleToken,
}

impl CallCredentials<'_> {
    /// Returns whether the call may name the person or asker it acts for.
    pub(super) fn vouches(&self) -> bool {
        self.token.role == TokenRole::Admin
    }
}

/// Reads a file that holds a secret.
///
/// # Errors
/// If it cannot be read, or if others can read it.
fn read_private(path: &Path) -> Result<String, Problem> {
    match read_unless_open(path) {
        Ok(Some(text)) => Ok(text),
        Ok(None) => {
            let message = Message::TokenFileOpen.with([own(path.display())]);
            Err(Problem::new(ProblemCode::InvalidSetting, message)
                .with_hint(Message::TokenFileOpenHint.with([own(path.display())])))
        }
        Err(error) => {
            let message = Message::UnreadableFile.with([own(path.display()), own(error)]);
            Err(Problem::new(ProblemCode::InvalidSetting, message).with_hint(Message::TokenFileHint))
        }
    }
}

/// Reads a file; `None` if others can read it.
fn read_unless_open(path: &Path) -> io::Result<Option<String>> {
    let file = File::open(path)?;
    if is_open_to_others(&file, path)? {
        return Ok(None);
    }
    io::read_to_string(file).map(Some)
}

impl TokenSet {
    /// Reads files with one token each. The first of each role counts.
    ///
    /// # Errors
    /// If a file cannot be read, can be read by others, or holds no token.
    pub fn read(files: &[PathBuf]) -> Result<Self, Problem> {
        let mut tokens = Self::default();
        for file in files {
            let text = read_private(file)?;
            let Some(token) = RoleToken::parse(&text) else {
                let message = Message::NoTokenInFile.with([own(file.display())]);
                return Err(
                    Problem::new(ProblemCode::InvalidSetting, message).with_hint(Message::TokenFileHint)
                );
            };
            if tokens.get(token.role).is_none() {
                tokens.0.push(token);
            }
        }
        Ok(tokens)
    }

    /// Returns the roles that have a token.
    pub fn roles(&self) -> Vec<TokenRole> {
        TokenRole::ALL.into_iter().filter(|role| self.get(*role).is_some()).collect()
    }

    fn get(&self, role: TokenRole) -> Option<&RoleToken> {
        self.0.iter().find(|token| token.role == role)
    }

    /// Returns the credentials for a call: the role's own token, or else an admin's, who vouches for others.
    ///
    /// # Errors
    /// If there is neither.
    pub(super) fn credentials_for(&self, caller: CallerRole) -> Result<CallCredentials<'_>, Problem> {
        let (roles, acts_as): (&[TokenRole], _) = match caller {
            CallerRole::Asker => (&[TokenRole::Asker, TokenRole::Admin], Some(TokenRole::Asker)),
            CallerRole::Person => (&[TokenRole::Person, TokenRole::Admin], Some(TokenRole::Person)),
            // The role that sees more comes first.
            CallerRole::Anyone => (&[TokenRole::Person, TokenRole::Admin, TokenRole::Asker], None),
            CallerRole::Exactly(role) => (&[role], None),
        };
        let Some(token) = roles.iter().find_map(|role| self.get(*role)) else {
            let first = roles.first().map_or("", |role| role.as_str());
            return Err(Problem::new(ProblemCode::Unauthorized, Message::NoToken.with([first]))
                .with_hint(Message::NoTokenHint.with([first])));
        };
        let acts_as = match acts_as {
            Some(role) if token.role == TokenRole::Admin => Some(role.as_str()),
            _ => None,
        };
        Ok(CallCredentials { authorization: format!("Bearer {}", token.secret), acts_as, token })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn role(text: &str) -> Option<TokenRole> {
        RoleToken::parse(text).map(|token| token.role)
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
            let token = RoleToken::parse(text).unwrap();
            assert_eq!((token.role, token.secret.as_str()), (TokenRole::Person, "sayso_p_abc"), "{text:?}");
        }
        assert_eq!(role("sayso_a_1"), Some(TokenRole::Asker));
        assert_eq!(role("sayso_x_1"), Some(TokenRole::Admin));
        for text in
            ["", "sayso_p_", "sayso_q_1", "Basic sayso_p_1", "Cookie: sayso_p_1", "sayso_p_a b", "sayso_p_ü"]
        {
            assert_eq!(role(text), None, "{text:?}");
        }
    }

    #[test]
    fn caller_uses_own_or_admin_token() {
        let tokens =
            |texts: &[&str]| TokenSet(texts.iter().filter_map(|text| RoleToken::parse(text)).collect());
        let shown = |tokens: &TokenSet, caller| {
            let shown = tokens.credentials_for(caller).ok()?;
            Some((shown.authorization.clone(), shown.acts_as, shown.vouches()))
        };
        let bearer = |text: &str| format!("Bearer {text}");
        let all = tokens(&["sayso_x_1", "sayso_s_1", "sayso_a_1", "sayso_p_1"]);
        assert_eq!(all.roles(), TokenRole::ALL);
        assert_eq!(shown(&all, CallerRole::Asker), Some((bearer("sayso_a_1"), None, false)));
        assert_eq!(shown(&all, CallerRole::Person), Some((bearer("sayso_p_1"), None, false)));
        assert_eq!(shown(&all, CallerRole::Anyone), Some((bearer("sayso_p_1"), None, false)));
        let admin = tokens(&["sayso_x_1"]);
        assert_eq!(shown(&admin, CallerRole::Person), Some((bearer("sayso_x_1"), Some("person"), true)));
        assert_eq!(shown(&admin, CallerRole::Anyone), Some((bearer("sayso_x_1"), None, true)));
        let asker = tokens(&["sayso_a_1"]);
        let problem = asker.credentials_for(CallerRole::Person).err().unwrap();
        assert_eq!(problem.code, ProblemCode::Unauthorized);
        assert!(problem.hint.unwrap().to_string().contains("sayso token new --role person"));
        assert!(!format!("{asker:?}").contains("sayso_a_1"));
    }
}
