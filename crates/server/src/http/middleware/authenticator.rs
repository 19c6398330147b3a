//! Authenticator of requests, by token or browser session, for as long as a request lasts.

use super::auth::{SAYSO_OUTSIDE, SAYSO_ROLE, single_header, subprotocol_token, unauthorized};
use super::caller::AuthenticatedCaller;
use super::revocation::Credential;
use crate::http::context::ServerContext;
use crate::http::login::{LoginState, browser};
use axum::http::header::{self, HeaderMap};
use axum::http::request::Parts;
use jiff::Timestamp;
use sayso_core::i18n::{foreign, own};
use sayso_core::model::actor::Surface;
use sayso_core::{Message, Problem, ProblemCode};
use sayso_desk::StoreDesk;
use sayso_desk::token::{self, TokenRole};
use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

/// Interval of the credential check. Long-lived requests of a revoked credential end within a second, closing
/// handshake included.
const CREDENTIAL_CHECK_INTERVAL: Duration = Duration::from_millis(250);
/// Number of credentials of a kind up to which each is looked up by itself; beyond it, all are read at once.
const MAX_SINGLE_LOOKUPS: usize = 64;

/// Authenticator of requests, by the tokens of the desk and the sessions of browsers.
pub(crate) struct Authenticator {
    context: Arc<ServerContext>,
    logins: Arc<LoginState>,
}

impl Authenticator {
    pub(in crate::http) const fn new(context: Arc<ServerContext>, logins: Arc<LoginState>) -> Self {
        Self { context, logins }
    }

    /// Checks that only the sign-in proxy sends its headers.
    ///
    /// # Errors
    /// Fails if another address does.
    pub(crate) fn check_sign_in_headers(&self, parts: &Parts, peer: Option<IpAddr>) -> Result<(), Problem> {
        match &self.logins.sign_in_proxy {
            Some(proxy) => proxy.check(&parts.headers, peer),
            None => Ok(()),
        }
    }

    /// Authenticates a request by its token or its browser session.
    ///
    /// # Errors
    /// Fails if the token is missing or unknown, or the requested role is invalid.
    pub(crate) fn authenticate(&self, parts: &Parts) -> Result<AuthenticatedCaller, Problem> {
        let caller = self.find_caller(parts)?;
        self.record_use(&caller);
        Ok(caller)
    }

    /// Records that a person uses the desk.
    fn record_use(&self, caller: &AuthenticatedCaller) {
        if caller.is_person_in_use() {
            self.context.person_mark.record();
        }
    }

    fn find_caller(&self, parts: &Parts) -> Result<AuthenticatedCaller, Problem> {
        let Some(secret) = request_secret(&parts.headers)? else {
            let Some(caller) = browser::authenticate(&self.logins, parts)? else {
                return Err(unauthorized(Message::TokenMissing));
            };
            // The role of a session is that of a person.
            if opens_outside(parts)? {
                return Err(Problem::new(ProblemCode::NotAllowed, Message::OnlyAdmins));
            }
            return Ok(caller);
        };
        let acts_as = requested_role(&parts.headers)?;
        if token::is_user_secret(secret) {
            return self.find_service_user(secret);
        }
        // Takes a few microseconds on a connection of its own and no disk access; switching threads would cost more.
        let Some(token) = self.context.desk.verify_token(secret)? else {
            return Err(token::token_problem(secret));
        };
        let is_asker = acts_as == Some(TokenRole::Asker);
        let steps_outside = opens_outside(parts)? || is_asker;
        if steps_outside && !is_asker && token.role != TokenRole::Admin {
            return Err(Problem::new(ProblemCode::NotAllowed, Message::OnlyAdmins));
        }
        Ok(AuthenticatedCaller {
            reader: self.context.reader(&token.account, token.role)?,
            account: token.account,
            role: token.role,
            acts_as,
            credential: Credential::Token(token.id),
            surface: Surface::Http,
            audience: token.audience,
            steps_outside: steps_outside && token.role == TokenRole::Admin,
            proven_body: None,
        })
    }

    /// Authenticates a program of a service's user by the secret of its session.
    ///
    /// # Errors
    /// Fails if the session is unknown or has ended, or the desk cannot be read.
    fn find_service_user(&self, secret: &str) -> Result<AuthenticatedCaller, Problem> {
        let Some(session) = self.context.desk.user_session_by_secret(secret)? else {
            return Err(token::token_problem(secret));
        };
        browser::extend_session(&self.logins, &session);
        Ok(AuthenticatedCaller { surface: Surface::Http, ..browser::session_caller(&self.context, session)? })
    }

    /// Cancels long-lived requests whose credential was revoked, and tells them of changed groups and of accounts that
    /// have gone, by any process.
    pub(crate) async fn watch_credentials(self: Arc<Self>) {
        let mut last_groups = None;
        let mut ticks = tokio::time::interval(CREDENTIAL_CHECK_INTERVAL);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
        loop {
            ticks.tick().await;
            let credentials = self.context.revocations.credentials();
            if !credentials.is_empty() {
                self.revoke_invalid(credentials).await;
            }
            let desk_call = self.context.with_desk(|desk| {
                let groups = desk.groups()?;
                let departures = desk.departures(&groups)?;
                Ok((groups, departures))
            });
            // The desk has logged its error; the next check repeats it.
            let Ok((groups, departures)) = desk_call.await else { continue };
            let have_groups_changed = last_groups.is_some_and(|last_groups| last_groups != groups);
            last_groups = Some(groups);
            if have_groups_changed || **self.context.regrouped.borrow() != departures {
                self.context.regrouped.send_replace(Arc::new(departures));
            }
        }
    }

    /// Cancels the long-lived requests of those credentials that are no longer valid.
    pub(crate) async fn revoke_invalid(&self, credentials: Vec<Credential>) {
        let now = (self.context.now)();
        let desk_call = self.context.with_desk(move |desk| invalid_credentials(desk, credentials, now));
        // The desk has logged its error; the next check repeats it.
        let Ok(invalid) = desk_call.await else { return };
        self.context.revocations.revoke(&invalid);
    }
}

/// Returns the secret that a program sends, if it sends one.
///
/// # Errors
/// Fails if it is in no form that we know.
fn request_secret(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    let authorization = single_header(headers, &header::AUTHORIZATION)?;
    let subprotocol_token = subprotocol_token(headers)?;
    let Some(text) = authorization else { return Ok(subprotocol_token) };
    let (scheme, secret) = text.split_once(' ').unwrap_or((text, ""));
    let secret = secret.trim();
    if scheme.eq_ignore_ascii_case("bearer") && !secret.is_empty() {
        Ok(Some(secret))
    } else {
        Err(unauthorized(Message::TokenMissing))
    }
}

/// Returns the role that an admin acts in, if the request names one.
///
/// # Errors
/// Fails if the header has another word.
fn requested_role(headers: &HeaderMap) -> Result<Option<TokenRole>, Problem> {
    match single_header(headers, &SAYSO_ROLE)? {
        None => Ok(None),
        Some("asker") => Ok(Some(TokenRole::Asker)),
        Some("person") => Ok(Some(TokenRole::Person)),
        Some(other) => {
            let message = Message::HeaderWords.with([own(SAYSO_ROLE), foreign(other)]);
            let hint = Message::OneOf.with(["asker, person"]);
            Err(Problem::new(ProblemCode::BadHeader, message).with_hint(hint))
        }
    }
}

/// Returns whether an admin asks to open an ask whose audience it is not in.
///
/// # Errors
/// Fails if the header says something else.
fn opens_outside(parts: &Parts) -> Result<bool, Problem> {
    match single_header(&parts.headers, &SAYSO_OUTSIDE)? {
        None => Ok(false),
        Some("open") => Ok(true),
        Some(other) => {
            let message = Message::HeaderWords.with([own(SAYSO_OUTSIDE), foreign(other)]);
            Err(Problem::new(ProblemCode::BadHeader, message).with_hint(Message::OneOf.with(["open"])))
        }
    }
}

/// Returns those of the credentials whose session has ended, or whose token is no longer valid.
fn invalid_credentials(
    desk: &StoreDesk,
    credentials: Vec<Credential>,
    now: Timestamp,
) -> Result<HashSet<Credential>, Problem> {
    let mut valid_tokens = None;
    let mut valid_sessions = None;
    let mut tokens = 0;
    for credential in &credentials {
        tokens += usize::from(matches!(credential, Credential::Token(_)));
    }
    if tokens > MAX_SINGLE_LOOKUPS {
        valid_tokens = Some(valid_token_ids(desk, now)?);
    }
    if credentials.len() - tokens > MAX_SINGLE_LOOKUPS {
        let sessions = desk.browser_sessions()?;
        valid_sessions = Some(sessions.into_iter().map(|session| session.id).collect::<HashSet<_>>());
    }
    let mut invalid = HashSet::new();
    for credential in credentials {
        let is_valid = match &credential {
            Credential::Token(id) => match &valid_tokens {
                Some(ids) => ids.contains(id),
                None => desk.token(id)?.is_some_and(|token| token.is_valid(now)),
            },
            Credential::BrowserSession(id) | Credential::ServiceSession(id) => match &valid_sessions {
                Some(ids) => ids.contains(id),
                None => desk.browser_session(id)?.is_some(),
            },
        };
        if !is_valid {
            invalid.insert(credential);
        }
    }
    Ok(invalid)
}

fn valid_token_ids(desk: &StoreDesk, now: Timestamp) -> Result<HashSet<String>, Problem> {
    let mut ids = HashSet::new();
    for token in desk.tokens()? {
        if token.is_valid(now) {
            ids.insert(token.id);
        }
    }
    Ok(ids)
}
