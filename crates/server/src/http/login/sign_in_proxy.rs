//! Sign-in of people whom a proxy in front of the server names in a header.
//!
//! **Invariant:** the headers count only on connections from the addresses that the operator named. On all others a
//! request that has one is refused, so that no one passes by the proxy with a name of their own choice.

use super::LoginState;
use super::browser::{check_same_origin, session_over};
use super::sign_in_attempt::{count_refusal, new_browser, signed_in};
use crate::diagnostics::log_event;
use crate::http::middleware::auth::single_text_header;
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
        if addresses.is_empty() {
            return Err(invalid_setting("addresses = []"));
        }
        Ok(Self {
            addresses,
            user_header: parse_header_name(user_header)?,
            groups_header: groups_header.map(parse_header_name).transpose()?,
        })
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
        if let Some(peer) = peer
            && self.addresses.contains(&peer)
        {
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
        let Some(user) = single_text_header(headers, &self.user_header)? else { return Ok(None) };
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
        let mut groups = BTreeSet::new();
        let list = single_text_header(headers, name)?.unwrap_or_default();
        for group in list.split(',').map(str::trim) {
            if !group.is_empty() {
                groups.insert(group.to_owned());
            }
        }
        if groups.len() > limits::PROXY_GROUPS {
            let message = Message::SignInProxyGroups.with([limits::PROXY_GROUPS]);
            return Err(Problem::new(ProblemCode::NotAllowed, message));
        }
        Ok(Some(groups))
    }
}

/// Returns the problem of a setting that says this.
fn invalid_setting(text: &str) -> Problem {
    Problem::new(ProblemCode::InvalidSetting, Message::SignInProxyWrong.with([own(text)]))
}

fn parse_header_name(name: &str) -> Result<HeaderName, Problem> {
    HeaderName::from_bytes(name.as_bytes()).map_err(|_| invalid_setting(name))
}

/// Signs in the browser of the user whom the proxy names. The session hangs on a token of its own whose text no one
/// has: it expires, is listed and is revoked like any other.
///
/// # Errors
/// Fails if the proxy names no one, a page elsewhere made the request, or the desk cannot store the session.
pub(super) async fn sign_in(logins: Arc<LoginState>, call: ApiCall, key: &str) -> Result<Response, Problem> {
    // The proxy adds its header to each request of a browser, whichever page caused it.
    check_same_origin(&Method::POST, call.host().unwrap_or_default(), call.headers())?;
    let Some(proxy) = &logins.sign_in_proxy else { return Err(no_user(&logins, &call)) };
    let Some(account) = proxy.account(call.headers())? else { return Err(no_user(&logins, &call)) };
    let groups = proxy.groups(call.headers())?;
    let browser = new_browser(&call, key)?;
    let member = TokenRequest {
        role: TokenRole::Person,
        account: account.clone(),
        expires_in: Some(SignedDuration::from_hours(limits::PROXY_SESSION_HOURS)),
        audience: TokenAudience::default(),
    };
    let desk_call = logins.context.with_desk(move |desk| {
        let sign_in = desk.sign_in_member(member, browser)?;
        if let Some(groups) = groups {
            set_groups(desk, &account, &groups)?;
        }
        Ok(sign_in)
    });
    // A token that was just made lets in.
    let Some((session, cookie)) = desk_call.await? else {
        return Err(session_over());
    };
    Ok(signed_in(&call, session, &cookie))
}

/// Counts a sign-in for which the proxy names no one, and returns its problem.
fn no_user(logins: &LoginState, call: &ApiCall) -> Problem {
    count_refusal(logins, call, Problem::new(ProblemCode::Unauthorized, Message::SignInProxyNone))
}

/// Makes these the groups of an account, except those whose names the desk uses otherwise.
///
/// # Errors
/// Fails if the desk cannot store them.
fn set_groups(desk: &StoreDesk, account: &str, groups: &BTreeSet<String>) -> Result<(), Problem> {
    let earlier_groups = desk.groups_of(account)?;
    for group in earlier_groups.symmetric_difference(groups) {
        let joins = groups.contains(group);
        if joins && (group == Audience::MEMBERS || check_account_name(group).is_err()) {
            continue;
        }
        match desk.change_group(GroupChange { group: group.clone(), account: account.to_owned(), joins }) {
            // An account has this name.
            Err(problem) if problem.code == ProblemCode::InvalidValue => {
                log_event!(WARN, Http, "a group of the sign-in proxy has the name of an account");
            }
            result => drop(result?),
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
