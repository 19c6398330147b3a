//! Authenticator of requests, by token or browser session, for as long as a request lasts.

use super::auth::{SAYSO_OUTSIDE, SAYSO_ROLE, single_header, subprotocol_token, unauthorized};
use super::caller::AuthenticatedCaller;
use super::revocation::Credential;
use crate::http::context::ServerContext;
use crate::http::login::{LoginState, browser};
use axum::http::header;
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
/// Number of tokens up to which each is looked up by itself; beyond it, all are read at once.
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
        let headers = &parts.headers;
        let missing = || unauthorized(Message::TokenMissing);
        let secret = match (single_header(headers, &header::AUTHORIZATION)?, subprotocol_token(headers)?) {
            (Some(text), _) => {
                let (scheme, secret) = text.split_once(' ').unwrap_or((text, ""));
                let is_bearer = scheme.eq_ignore_ascii_case("bearer") && !secret.trim().is_empty();
                is_bearer.then_some(secret).ok_or_else(missing)?
            }
            (None, Some(secret)) => secret,
            (None, None) => {
                let caller = browser::authenticate(&self.logins, parts)?.ok_or_else(missing)?;
                // The role of a session is that of a person.
                if opens_outside(parts)? {
                    return Err(Problem::new(ProblemCode::NotAllowed, Message::OnlyAdmins));
                }
                return Ok(caller);
            }
        };
        let acts_as = match single_header(headers, &SAYSO_ROLE)? {
            None => None,
            Some("asker") => Some(TokenRole::Asker),
            Some("person") => Some(TokenRole::Person),
            Some(other) => {
                let message = Message::HeaderWords.with([own(SAYSO_ROLE), foreign(other)]);
                return Err(Problem::new(ProblemCode::BadHeader, message)
                    .with_hint(Message::OneOf.with(["asker, person"])));
            }
        };
        let secret = secret.trim();
        if token::is_user_secret(secret) {
            return self.find_service_user(secret);
        }
        // Takes a few microseconds on a connection of its own and no disk access; switching threads would cost more.
        let token = self.context.desk.verify_token(secret)?.ok_or_else(|| token::token_problem(secret))?;
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
        let found = self.context.desk.user_session_by_secret(secret)?;
        let session = found.ok_or_else(|| token::token_problem(secret))?;
        browser::extend_session(&self.logins, &session);
        Ok(AuthenticatedCaller { surface: Surface::Http, ..browser::session_caller(&self.context, session)? })
    }

    /// Cancels long-lived requests whose credential was revoked, and tells them of changed groups and of accounts that
    /// have gone, by any process.
    pub(crate) async fn watch_credentials(self: Arc<Self>) {
        let mut groups = None;
        let mut ticks = tokio::time::interval(CREDENTIAL_CHECK_INTERVAL);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
        loop {
            ticks.tick().await;
            let credentials = self.context.revocations.credentials();
            if !credentials.is_empty() {
                self.revoke_invalid(credentials).await;
            }
            let read = |desk: &StoreDesk| {
                let groups = desk.groups()?;
                let departures = desk.departures(&groups)?;
                Ok((groups, departures))
            };
            // The desk has logged its error; the next check repeats it.
            if let Ok((found, departures)) = self.context.with_desk(read).await {
                let is_same = groups.as_ref().is_none_or(|groups| *groups == found);
                groups = Some(found);
                if !is_same || **self.context.regrouped.borrow() != departures {
                    self.context.regrouped.send_replace(Arc::new(departures));
                }
            }
        }
    }

    /// Cancels the long-lived requests of those credentials that are no longer valid.
    pub(crate) async fn revoke_invalid(&self, credentials: Vec<Credential>) {
        let now = (self.context.now)();
        let found = self.context.with_desk(move |desk| {
            let (mut tokens, mut sessions) = (Vec::new(), Vec::new());
            for credential in credentials {
                match credential {
                    Credential::Token(id) => tokens.push(id),
                    Credential::BrowserSession(ref id) | Credential::ServiceSession(ref id) => {
                        sessions.push((id.clone(), credential));
                    }
                }
            }
            let mut ended = ended_sessions(desk, sessions)?;
            if !tokens.is_empty() {
                ended.extend(invalid_tokens(desk, tokens, now)?.into_iter().map(Credential::Token));
            }
            Ok(ended)
        });
        // The desk has logged its error; the next check repeats it.
        let Ok(ended) = found.await else { return };
        self.context.revocations.revoke(&ended);
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

/// Returns those of the credentials whose session has ended.
fn ended_sessions(
    desk: &StoreDesk,
    sessions: Vec<(String, Credential)>,
) -> Result<HashSet<Credential>, Problem> {
    let all = (sessions.len() > MAX_SINGLE_LOOKUPS).then(|| desk.browser_sessions()).transpose()?;
    let all: Option<HashSet<String>> = all.map(|all| all.into_iter().map(|session| session.id).collect());
    let mut ended = HashSet::new();
    for (id, credential) in sessions {
        let lasts = match &all {
            Some(all) => all.contains(&id),
            None => desk.browser_session(&id)?.is_some(),
        };
        if !lasts {
            ended.insert(credential);
        }
    }
    Ok(ended)
}

/// Returns those of the ids whose token is no longer valid.
fn invalid_tokens(desk: &StoreDesk, ids: Vec<String>, now: Timestamp) -> Result<Vec<String>, Problem> {
    if ids.len() > MAX_SINGLE_LOOKUPS {
        let valid: HashSet<String> =
            desk.tokens()?.into_iter().filter(|token| token.is_valid(now)).map(|token| token.id).collect();
        return Ok(ids.into_iter().filter(|id| !valid.contains(id)).collect());
    }
    let mut invalid = Vec::new();
    for id in ids {
        if !desk.token(&id)?.is_some_and(|token| token.is_valid(now)) {
            invalid.push(id);
        }
    }
    Ok(invalid)
}
