//! Configuration of the sign-in at an issuer, and whom it lets in.

use super::claims::IssuerClaims;
use super::transport::is_secure_url;
use crate::http::net::public_url::PublicUrl;
use jiff::SignedDuration;
use sayso_core::{Message, Problem, ProblemCode, limits};
use sayso_desk::token::TokenRole;
use std::fmt;

/// Configuration of the sign-in at an issuer.
#[derive(Clone)]
pub struct OidcConfig {
    /// Address of the issuer, exactly as it writes it.
    pub issuer: String,
    /// Name of this desk at the issuer.
    pub client_id: String,
    /// Secret of this desk at the issuer.
    pub client_secret: String,
    /// Name of the issuer for people; its host if `None`.
    pub name: Option<String>,
    /// Scopes to ask for in addition to `openid`.
    pub scopes: Vec<String>,
    /// Claim with the groups of a person: the name of a member, or a JSON pointer. If empty, groups are not read, and
    /// those at the desk stay as they are.
    pub groups_claim: String,
    /// Rules of who is let in.
    pub members: MemberRules,
    /// Hours until a session ends.
    pub session_hours: u32,
}

impl fmt::Debug for OidcConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OidcConfig").field("issuer", &self.issuer).finish_non_exhaustive()
    }
}

/// Rules of who is a member, and who of the members is an admin.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemberRules {
    /// Groups whose persons are members.
    pub groups: Vec<String>,
    /// Subjects that are members.
    pub accounts: Vec<String>,
    /// Domains of members' e-mail addresses, which the issuer must have verified.
    pub domains: Vec<String>,
    /// Groups whose members are admins.
    pub admin_groups: Vec<String>,
}

impl MemberRules {
    /// Returns the role of a person; `None` if it is no member.
    pub(super) fn role_of(&self, claims: &IssuerClaims) -> Option<TokenRole> {
        let is_in = |groups: &[String]| groups.iter().any(|group| claims.has_group(group));
        let is_member = is_in(&self.groups)
            || self.accounts.contains(&claims.subject)
            || claims.verified_domain().is_some_and(|domain| {
                self.domains.iter().any(|known| known.trim_start_matches('@').eq_ignore_ascii_case(domain))
            });
        let role = if is_in(&self.admin_groups) { TokenRole::Admin } else { TokenRole::Person };
        is_member.then_some(role)
    }

    fn admits_none(&self) -> bool {
        let all = [&self.groups, &self.accounts, &self.domains];
        all.into_iter().flatten().all(|name| name.trim().is_empty())
    }
}

impl OidcConfig {
    /// Checks it for a server with this address.
    ///
    /// # Errors
    /// Fails if something is missing, lets no one in, or would send secrets in the clear.
    pub(super) fn check(&self, public_url: &PublicUrl) -> Result<(), Problem> {
        let invalid = |message| Problem::new(ProblemCode::InvalidSetting, message);
        for (member, value) in [("issuer", &self.issuer), ("client_id", &self.client_id)] {
            if value.trim().is_empty() {
                return Err(invalid(Message::IssuerLacks.with([member])));
            }
        }
        if self.client_secret.is_empty() {
            return Err(invalid(Message::IssuerLacks.with(["client_secret_file"])));
        }
        let is_plain = self.issuer.is_ascii() && !self.issuer.contains(['?', '#', '@', ' ']);
        if !is_plain || !self.issuer.parse().is_ok_and(|url| is_secure_url(&url)) {
            let problem = invalid(Message::IssuerAddressWrong.with([&self.issuer]));
            return Err(problem.with_hint(Message::IssuerAddressHint));
        }
        if self.members.admits_none() {
            return Err(invalid(Message::IssuerAdmitsNone.into()).with_hint(Message::IssuerAdmitsNoneHint));
        }
        if !(1..=limits::ISSUER_SESSION_HOURS).contains(&self.session_hours) {
            return Err(invalid(Message::IssuerHoursWrong.with([limits::ISSUER_SESSION_HOURS])));
        }
        if !public_url.to_string().parse().is_ok_and(|url| is_secure_url(&url)) {
            let problem = invalid(Message::IssuerInTheClear.with([public_url]));
            return Err(problem.with_hint(Message::IssuerInTheClearHint));
        }
        Ok(())
    }

    /// Returns the lifetime of a session.
    pub(super) fn session_life(&self) -> SignedDuration {
        SignedDuration::from_hours(self.session_hours.into())
    }

    /// Returns the name of the issuer for people.
    pub(super) fn shown_name(&self) -> String {
        let host = || {
            let (_, rest) = self.issuer.split_once("://").unwrap_or_default();
            rest.split('/').next().unwrap_or_default().to_owned()
        };
        self.name.clone().unwrap_or_else(host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> OidcConfig {
        OidcConfig {
            issuer: "https://login.example.com/realms/a".to_owned(),
            client_id: "sayso".to_owned(),
            client_secret: "secret".to_owned(),
            name: None,
            scopes: Vec::new(),
            groups_claim: "groups".to_owned(),
            members: MemberRules { groups: vec!["desk".to_owned()], ..MemberRules::default() },
            session_hours: 12,
        }
    }

    fn refusal(change: impl FnOnce(&mut OidcConfig)) -> String {
        let mut config = config();
        change(&mut config);
        let url = PublicUrl::parse("https://desk.example.com").unwrap();
        config.check(&url).map_or_else(|problem| problem.to_string(), |()| String::new())
    }

    #[test]
    fn incomplete_config_is_refused() {
        assert_eq!((refusal(|_| ()), config().shown_name()), (String::new(), "login.example.com".to_owned()));
        assert!(refusal(|config| config.client_id.clear()).contains("client_id"));
        assert!(refusal(|config| config.client_secret.clear()).contains("client_secret_file"));
        assert!(refusal(|config| config.members = MemberRules::default()).contains("no one"));
        let admins = vec!["boss".to_owned()];
        let only_admins = MemberRules { admin_groups: admins, ..MemberRules::default() };
        assert!(refusal(|config| config.members = only_admins).contains("no one"));
        assert!(refusal(|config| config.session_hours = 13).contains("from 1 to 12"));
        for wrong in
            ["http://login.example.com", "login.example.com", "https://a/?b=c", "https://u@a", "ftp://a"]
        {
            assert!(refusal(|config| wrong.clone_into(&mut config.issuer)).contains("cannot be"), "{wrong}");
        }
        let url = PublicUrl::parse("http://desk.example.com").unwrap();
        assert!(config().check(&url).unwrap_err().to_string().contains("in the clear"));
        assert!(config().check(&PublicUrl::parse("http://localhost:7207").unwrap()).is_ok());
    }

    #[test]
    fn members_are_named_in_three_ways() {
        let rules = MemberRules {
            groups: vec!["desk".to_owned()],
            accounts: vec!["42".to_owned()],
            domains: vec!["Example.com".to_owned()],
            admin_groups: vec!["boss".to_owned()],
        };
        let role = |subject: &str, email: Option<&str>, verified, groups: &[&str]| {
            rules.role_of(&IssuerClaims::sample(subject, email, verified, groups))
        };
        let (person, admin) = (Some(TokenRole::Person), Some(TokenRole::Admin));
        assert_eq!(role("1", None, false, &["desk"]), person);
        assert_eq!(role("42", None, false, &[]), person);
        assert_eq!(role("1", Some("ada@example.COM"), true, &[]), person);
        assert_eq!(role("1", None, false, &["desk", "boss"]), admin);
        // A group of admins lets no one in by itself, and an address counts only if the issuer verified it.
        assert_eq!(role("1", None, false, &["boss"]), None);
        assert_eq!(role("1", Some("ada@example.com"), false, &[]), None);
        for other in ["ada@sub.example.com", "example.com", "ada@example.com@evil.example"] {
            assert_eq!(role("1", Some(other), true, &["Desk"]), None, "{other}");
        }
    }
}
