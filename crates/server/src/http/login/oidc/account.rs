//! Name of the account of a person: the issuer and the subject that it gives.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sayso_core::{Digest, limits};

/// Characters of a subject that are escaped. The tilde marks a shortened name, and the slash ends the issuer.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'@');
/// Characters of the host in a shortened name.
const HOST_CHARS: usize = 60;
/// Characters of the digest in a shortened name: 128 bits.
const DIGEST_CHARS: usize = 32;

/// Returns the beginning of the names of an issuer's accounts.
fn prefix(issuer: &str) -> &str {
    issuer.strip_prefix("https://").unwrap_or(issuer)
}

/// Returns the beginning of the shortened names of an issuer's accounts.
fn short_prefix(issuer: &str) -> String {
    let host: String =
        prefix(issuer).split('/').next().unwrap_or_default().chars().take(HOST_CHARS).collect();
    format!("{host}/~")
}

/// Returns the name of an account. Two persons never have the same one; if it would be too long, a digest stands for
/// issuer and subject.
pub(super) fn account_name(issuer: &str, subject: &str) -> String {
    let whole = format!("{}/{}", prefix(issuer), utf8_percent_encode(subject, ESCAPED));
    if whole.len() <= limits::ACCOUNT_CHARS {
        return whole;
    }
    let digest = Digest::compute(format!("{issuer}\n{subject}").as_bytes()).to_string();
    let digest: String = digest.chars().take(DIGEST_CHARS).collect();
    format!("{}{digest}", short_prefix(issuer))
}

/// Returns whether a name is one of this issuer's accounts.
pub(super) fn is_account_of(issuer: &str, name: &str) -> bool {
    let rest = name.strip_prefix(prefix(issuer)).and_then(|rest| rest.strip_prefix('/'));
    rest.is_some_and(|subject| !subject.is_empty() && !subject.contains('/'))
        || name.strip_prefix(&short_prefix(issuer)).is_some_and(|digest| digest.len() == DIGEST_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sayso_desk::token::check_account_name;

    #[test]
    fn account_is_issuer_and_subject() {
        let issuer = "https://login.example.com";
        assert_eq!(account_name(issuer, "248289761001"), "login.example.com/248289761001");
        assert_eq!(account_name(issuer, "auth0|a/b c"), "login.example.com/auth0%7Ca%2Fb%20c");
        assert_eq!(account_name(issuer, "阿达"), "login.example.com/%E9%98%BF%E8%BE%BE");
        // The subject has no slash, so no two issuers share a name.
        assert_ne!(account_name("https://a/b", "c"), account_name("https://a", "b/c"));
        assert_ne!(account_name("http://localhost", "a"), account_name("https://localhost", "a"));
        for (issuer, subject) in [(issuer, "1"), (issuer, "\u{202e}x "), ("http://localhost:9", "~1")] {
            let name = account_name(issuer, subject);
            assert!(check_account_name(&name).is_ok() && is_account_of(issuer, &name), "{name}");
        }
    }

    #[test]
    fn long_name_is_shortened_by_digest() {
        let issuer = "https://login.example.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0";
        let names = ["A", "B"].map(|letter| account_name(issuer, &letter.repeat(43)));
        assert_ne!(names[0], names[1]);
        for name in &names {
            assert!(name.starts_with("login.example.com/~") && name.len() < 60, "{name}");
            assert!(check_account_name(name).is_ok() && is_account_of(issuer, name), "{name}");
        }
        for other in ["login.example.com/1/2", "login.example.com/", "login.example.com", "ada", "evil/1"] {
            assert!(!is_account_of("https://login.example.com", other), "{other}");
        }
    }
}
