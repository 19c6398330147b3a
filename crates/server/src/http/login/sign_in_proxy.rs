//! Sign-in of people whom a proxy in front of the server names in a header.
//!
//! **Invariant:** the headers count only on connections from the addresses that the operator named. On all others a
//! request that has one is refused, so that no one passes by the proxy with a name of their own choice.

use super::LoginState;
use super::browser::check_same_origin;
use super::sign_in::{count_refusal, new_browser, signed_in};
use crate::diagnostics::log_event;
use crate::http::middleware::auth::{single_header_value, unreadable_header};
use crate::http::middleware::call::ApiCall;
use axum::http::Method;
use axum::http::header::{HeaderMap, HeaderName};
use axum::response::Response;
use jiff::SignedDuration;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sayso_core::i18n::own;
use sayso_core::{Audience, Message, Problem, ProblemCode, limits};
use sayso_desk::token::{TokenAudience, TokenRequest, TokenRole, check_account_name};
use sayso_desk::{GroupChange, StoreDesk};
use std::collections::BTreeSet;
use std::net::IpAddr;
use std::sync::Arc;

/// Characters that an account's name spells in percent: all but the unreserved ones of RFC 3986, and `@`. So two users
/// never look the same, and none has a slash, which marks the users of services.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'@');

/// Proxy that signs people in, and the headers in which it names them.
#[derive(Debug, Clone)]
pub struct SignInProxy {
    addresses: Vec<IpAddr>,
    user_header: HeaderName,
    groups_header: Option<HeaderName>,
}

impl SignInProxy {
    /// Creates the proxy at these addresses. Without a header of groups, the desk's own groups stay as they are.
    ///
    /// # Errors
    /// Fails if there is no address, or a header cannot have the name.
    pub fn new(
        addresses: Vec<IpAddr>,
        user_header: &str,
        groups_header: Option<&str>,
    ) -> Result<Self, Problem> {
        let invalid = |message| Problem::new(ProblemCode::InvalidSetting, message);
        if addresses.is_empty() {
            return Err(invalid(Message::SignInProxyWrong.with(["addresses = []"])));
        }
        let header = |name: &str| {
            HeaderName::from_bytes(name.as_bytes())
                .map_err(|_| invalid(Message::SignInProxyWrong.with([own(name)])))
        };
        let (user_header, groups_header) = (header(user_header)?, groups_header.map(header).transpose()?);
        Ok(Self { addresses, user_header, groups_header })
    }

    /// Returns the addresses from which it connects.
    pub fn addresses(&self) -> &[IpAddr] {
        &self.addresses
    }

    /// Checks that no one else sends its headers.
    ///
    /// # Errors
    /// Fails if a request with one of them came over a connection from another address.
    pub(in crate::http) fn check(&self, headers: &HeaderMap, peer: Option<IpAddr>) -> Result<(), Problem> {
        if peer.is_some_and(|peer| self.addresses.contains(&peer)) {
            return Ok(());
        }
        for name in std::iter::once(&self.user_header).chain(&self.groups_header) {
            if headers.contains_key(name) {
                log_event!(WARN, Http, "header of the sign-in proxy from another address");
                let message = Message::SignInProxyOther.with([own(name)]);
                let problem = Problem::new(ProblemCode::NotAllowed, message);
                return Err(problem.with_hint(Message::SignInProxyOtherHint));
            }
        }
        Ok(())
    }

    /// Returns the account of the user whom a request names, if it names one. [`check`](Self::check) comes first.
    ///
    /// # Errors
    /// Fails if the header is present twice, is not UTF-8, or no account can have the name.
    pub(super) fn account(&self, headers: &HeaderMap) -> Result<Option<String>, Problem> {
        let Some(user) = header_text(headers, &self.user_header)? else { return Ok(None) };
        let account = utf8_percent_encode(user, ENCODED).to_string();
        check_account_name(&account)?;
        Ok(Some(account))
    }

    /// Returns the groups that a request names, with commas between them; `None` if they are the desk's matter.
    ///
    /// # Errors
    /// Fails if the header is present twice or is not UTF-8, or they are too many.
    fn groups(&self, headers: &HeaderMap) -> Result<Option<BTreeSet<String>>, Problem> {
        let Some(name) = &self.groups_header else { return Ok(None) };
        let names = header_text(headers, name)?.unwrap_or_default().split(',').map(str::trim);
        let groups: BTreeSet<String> = names.filter(|name| !name.is_empty()).map(str::to_owned).collect();
        if groups.len() > limits::PROXY_GROUPS {
            let message = Message::SignInProxyGroups.with([limits::PROXY_GROUPS]);
            return Err(Problem::new(ProblemCode::NotAllowed, message));
        }
        Ok(Some(groups))
    }
}

fn header_text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<Option<&'h str>, Problem> {
    let Some(value) = single_header_value(headers, name)? else { return Ok(None) };
    str::from_utf8(value.as_bytes()).map(Some).map_err(|_| unreadable_header(name))
}

/// Signs in the browser of the user whom the proxy names. The session hangs on a token of its own whose text no one
/// has: it expires, is listed and is revoked like any other.
///
/// # Errors
/// Fails if the proxy names no one, a page elsewhere made the request, or the desk cannot store the session.
pub(super) async fn sign_in(logins: Arc<LoginState>, call: ApiCall, key: &str) -> Result<Response, Problem> {
    // The proxy adds its header to each request of a browser, whichever page caused it.
    check_same_origin(&Method::POST, call.host().unwrap_or_default(), call.headers())?;
    let none =
        || count_refusal(&logins, &call, Problem::new(ProblemCode::Unauthorized, Message::SignInProxyNone));
    let proxy = logins.sign_in_proxy.as_ref().ok_or_else(none)?;
    let account = proxy.account(call.headers())?.ok_or_else(none)?;
    let groups = proxy.groups(call.headers())?;
    let browser = new_browser(&call, key)?;
    let member = TokenRequest {
        role: TokenRole::Person,
        account: account.clone(),
        expires_in: Some(SignedDuration::from_hours(limits::PROXY_SESSION_HOURS)),
        audience: TokenAudience::default(),
    };
    let started = logins.context.with_desk(move |desk| {
        let started = desk.sign_in_member(member, browser)?;
        if let Some(groups) = groups {
            set_groups(desk, &account, &groups)?;
        }
        Ok(started)
    });
    // A token that was just made lets in.
    let (session, cookie) =
        started.await?.ok_or_else(|| Problem::new(ProblemCode::Unauthorized, Message::SessionOver))?;
    Ok(signed_in(&call, session, &cookie))
}

/// Makes these the groups of an account, except those whose names the desk uses otherwise.
///
/// # Errors
/// Fails if the desk cannot store them.
fn set_groups(desk: &StoreDesk, account: &str, wanted: &BTreeSet<String>) -> Result<(), Problem> {
    let known = desk.groups_of(account)?;
    for group in known.symmetric_difference(wanted) {
        let joins = wanted.contains(group);
        if joins && (group == Audience::MEMBERS || check_account_name(group).is_err()) {
            continue;
        }
        match desk.change_group(GroupChange { group: group.clone(), account: account.to_owned(), joins }) {
            // An account has this name.
            Err(problem) if problem.code == ProblemCode::InvalidValue => {
                log_event!(WARN, Http, "a group of the sign-in proxy has the name of an account");
            }
            changed => drop(changed?),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn proxy() -> SignInProxy {
        let address = "192.0.2.1".parse().unwrap();
        SignInProxy::new(vec![address], "Remote-User", Some("Remote-Groups")).unwrap()
    }

    fn headers(users: &[&[u8]]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for user in users {
            headers.append("remote-user", HeaderValue::from_bytes(user).unwrap());
        }
        headers
    }

    #[test]
    fn user_has_one_spelling() {
        for (user, account) in [
            ("ada", "ada"),
            ("Ada@example.com", "Ada@example.com"),
            ("a b", "a%20b"),
            ("a%20b", "a%2520b"),
            ("shop/ada", "shop%2Fada"),
            ("caf\u{e9}", "caf%C3%A9"),
            ("cafe\u{301}", "cafe%CC%81"),
            ("\u{202e}ada", "%E2%80%AEada"),
        ] {
            let found = proxy().account(&headers(&[user.as_bytes()])).unwrap();
            assert_eq!(found.as_deref(), Some(account), "{user}");
        }
        assert_eq!(proxy().account(&HeaderMap::new()).unwrap(), None);
    }

    #[test]
    fn unclear_user_is_refused() {
        let long = "a".repeat(101);
        for users in [
            &[&b"ada"[..], b"ada"] as &[&[u8]],
            &[b""],
            &[b"\xff"],
            &[long.as_bytes()],
            &["\u{963f}".repeat(12).as_bytes()],
        ] {
            assert!(proxy().account(&headers(users)).is_err(), "{users:?}");
        }
    }

    #[test]
    fn only_named_addresses_send_headers() {
        let named = headers(&[b"ada"]);
        for (peer, may) in [(Some("192.0.2.1"), true), (Some("127.0.0.1"), false), (None, false)] {
            let peer = peer.map(|peer| peer.parse().unwrap());
            assert_eq!(proxy().check(&named, peer).is_ok(), may, "{peer:?}");
            assert!(proxy().check(&HeaderMap::new(), peer).is_ok());
        }
    }
}
