//! Users of a service: a back end that has a token of its own, and whose word is taken for who its users are.
//!
//! **Invariant:** each user of each service has one account, and no two share one. A service's name has no slash, and
//! every byte of a user's name is percent-encoded unless RFC 3986 calls it unreserved.

use crate::limits;
use std::fmt::Write as _;

/// User of a service, as the service names them. The name is a claim of the service.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ServiceUser {
    service: String,
    user: String,
}

/// Part of a service's user that has an invalid name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidServiceUser {
    /// No service can have this name: it is empty or too long, or has other characters than ASCII letters, digits,
    /// dots, dashes and underscores.
    Service,
    /// The user's name is empty or too long.
    User,
}

impl ServiceUser {
    /// Creates the user of a service.
    ///
    /// # Errors
    /// If no service can have this name, or the user's name is empty or too long.
    pub fn new(service: &str, user: &str) -> Result<Self, InvalidServiceUser> {
        Self::check_service(service)?;
        if user.is_empty() || user.len() > limits::SERVICE_USER_BYTES {
            return Err(InvalidServiceUser::User);
        }
        Ok(Self { service: service.to_owned(), user: user.to_owned() })
    }

    /// Checks the name of a service.
    ///
    /// # Errors
    /// If it is empty or too long, or has other characters than ASCII letters, digits, dots, dashes and underscores.
    pub fn check_service(name: &str) -> Result<(), InvalidServiceUser> {
        if is_service_name(name) { Ok(()) } else { Err(InvalidServiceUser::Service) }
    }

    /// Returns the part of a name that would be its service, if it has the form `service/user`.
    pub fn service_of(name: &str) -> Option<&str> {
        name.split_once('/').map(|(service, _)| service).filter(|service| is_service_name(service))
    }

    /// Parses `service/user` with a percent-encoded user, in any spelling of the encoding.
    pub fn parse(name: &str) -> Option<Self> {
        let (service, encoded) = name.split_once('/')?;
        Self::new(service, &decode(encoded)?).ok()
    }

    /// Returns the name of the service.
    pub fn service(&self) -> &str {
        &self.service
    }

    /// Returns the user's name, as the service gives it. It is not escaped for display.
    pub fn user(&self) -> &str {
        &self.user
    }

    /// Returns the account: `service/user`, in ASCII.
    pub fn account(&self) -> String {
        let mut account = format!("{}/", self.service);
        for byte in self.user.bytes() {
            if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                account.push(char::from(byte));
            } else {
                // Writing to a `String` cannot fail.
                let _ = write!(account, "%{byte:02X}");
            }
        }
        account
    }
}

fn is_service_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    (1..=limits::SERVICE_CHARS).contains(&name.len()) && name.bytes().all(is_plain)
}

/// Decodes a percent-encoded name. A slash, or a percent sign that begins no byte, shows that it was not encoded.
fn decode(encoded: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'/' => return None,
            b'%' => (hex_digit(rest.next()?)? << 4) | hex_digit(rest.next()?)?,
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{any, prop_assert_eq, proptest};

    fn account(user: &str) -> String {
        ServiceUser::new("shop", user).unwrap().account()
    }

    #[test]
    fn similar_users_have_own_accounts() {
        for (user, expected) in [
            ("ada", "shop/ada"),
            ("a/b", "shop/a%2Fb"),
            ("a%2Fb", "shop/a%252Fb"),
            ("a%2fb", "shop/a%252fb"),
            ("caf\u{e9}", "shop/caf%C3%A9"),
            ("cafe\u{301}", "shop/cafe%CC%81"),
            ("\u{430}da", "shop/%D0%B0da"),
            ("ada, members", "shop/ada%2C%20members"),
            ("\u{202e}ada\n", "shop/%E2%80%AEada%0A"),
            ("..", "shop/.."),
        ] {
            assert_eq!(account(user), expected);
            assert_eq!(ServiceUser::parse(expected).unwrap().user(), user);
        }
    }

    #[test]
    fn spellings_of_one_user_agree() {
        // JavaScript's encodeURIComponent leaves more characters than Python's quote.
        for spelling in
            ["shop/O%27Hara%20(7)", "shop/O'Hara%20%287%29", "shop/O'Hara (7)", "shop/%4f'Hara (7)"]
        {
            assert_eq!(ServiceUser::parse(spelling).unwrap().account(), "shop/O%27Hara%20%287%29");
        }
        for raw in
            ["shop", "shop/", "shop/a/b", "shop/100%", "shop/%2", "shop/%+1", "shop/%FF", "/a", "a b/c"]
        {
            assert_eq!(ServiceUser::parse(raw), None, "{raw}");
        }
    }

    #[test]
    fn long_names_are_refused() {
        assert!(ServiceUser::new("shop", &"x".repeat(limits::SERVICE_USER_BYTES)).is_ok());
        let long = "s".repeat(limits::SERVICE_CHARS + 1);
        for (service, user, invalid) in [
            ("shop", String::new(), InvalidServiceUser::User),
            ("shop", "x".repeat(limits::SERVICE_USER_BYTES + 1), InvalidServiceUser::User),
            ("", "ada".to_owned(), InvalidServiceUser::Service),
            ("https:", "ada".to_owned(), InvalidServiceUser::Service),
            ("the shop", "ada".to_owned(), InvalidServiceUser::Service),
            (long.as_str(), "ada".to_owned(), InvalidServiceUser::Service),
        ] {
            assert_eq!(ServiceUser::new(service, &user), Err(invalid));
        }
        assert_eq!(ServiceUser::service_of("https://issuer.example/7"), None);
        assert_eq!(ServiceUser::service_of("shop/a/b"), Some("shop"));
    }

    proptest! {
        #[test]
        fn account_names_one_user(user in "\\PC{1,40}", other in any::<[u8; 4]>()) {
            let parsed = ServiceUser::parse(&account(&user)).unwrap();
            prop_assert_eq!(parsed.user(), user.as_str());
            let other = String::from_utf8_lossy(&other).into_owned();
            prop_assert_eq!(account(&user) == account(&other), user == other);
        }
    }
}
