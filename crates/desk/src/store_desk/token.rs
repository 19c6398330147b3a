//! Tokens of a desk over a store.

use super::{StoreDesk, service_names};
use crate::token::{self, NewToken, TokenAudience, TokenRecord, TokenRequest, TokenRole, TokenSecret};
use jiff::{SignedDuration, Timestamp};
use sayso_core::i18n::spelling::nearest_word;
use sayso_core::i18n::{foreign, own};
use sayso_core::{Audience, Digest, DocumentPath, Message, Problem, ProblemCode, limits};

impl StoreDesk {
    /// Creates a token. Only this call returns its text.
    ///
    /// # Errors
    /// If a name is invalid or the account has the name of a group, the lifetime is zero or too long, the desk has
    /// too many tokens, or cannot store it.
    pub fn create_token(&self, request: TokenRequest) -> Result<(TokenRecord, TokenSecret), Problem> {
        let secret = TokenSecret::generate(request.role)?;
        let token = self.add_token(request, secret.hash(), false)?;
        Ok((token, secret))
    }

    /// Returns every token, including expired and revoked ones, oldest first.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn tokens(&self) -> Result<Vec<TokenRecord>, Problem> {
        self.store.tokens()
    }

    /// Returns the token with this id, even if expired or revoked.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn token(&self, id: &str) -> Result<Option<TokenRecord>, Problem> {
        self.store.token(id)
    }

    /// Revokes a token: once this returns, no process accepts it. A second revocation changes nothing.
    ///
    /// # Errors
    /// If no token has this id, or the desk cannot store it.
    pub fn revoke_token(&self, id: &str) -> Result<TokenRecord, Problem> {
        match self.store.revoke_token(id)? {
            Some(token) => Ok(token),
            None => Err(unknown_token(id, &self.tokens()?)),
        }
    }

    /// Returns the token with this text, if it is valid now. Each call reads the desk, so that a revocation takes
    /// effect immediately.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn verify_token(&self, text: &str) -> Result<Option<TokenRecord>, Problem> {
        if !token::is_well_formed(text) {
            return Ok(None);
        }
        self.store.find_valid_token(token::hash(text), self.store.now())
    }

    /// Returns whether an account is that of a service, even of one whose tokens have ended.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn is_service(&self, account: &str) -> Result<bool, Problem> {
        self.store.has_service(account)
    }

    /// Creates a token whose asks have the default audience.
    ///
    /// # Errors
    /// Same as [`create_token`](Self::create_token).
    pub fn new_token(
        &self,
        role: TokenRole,
        account: &str,
        expires_in: Option<SignedDuration>,
    ) -> Result<(TokenRecord, TokenSecret), Problem> {
        let audience = TokenAudience::default();
        self.create_token(TokenRequest { role, account: account.to_owned(), expires_in, audience })
    }
}

impl StoreDesk {
    /// Stores a token under this hash.
    pub(super) fn add_token(
        &self,
        request: TokenRequest,
        hash: Digest,
        is_sign_in: bool,
    ) -> Result<TokenRecord, Problem> {
        request.check()?;
        service_names::check_token(&*self.store, &request)?;
        let TokenRequest { role, account, expires_in, audience } = request;
        // An audience names accounts and groups alike.
        if account == Audience::MEMBERS || self.store.groups()?.contains_key(&account) {
            let message = Message::NameOfGroup.with([foreign(&account)]);
            return Err(
                Problem::new(ProblemCode::InvalidValue, message).at(DocumentPath::root().join("account"))
            );
        }
        let created_at = self.store.now();
        let expires_at = match expires_in {
            Some(life) => Some(expiry(created_at, life)?),
            None => None,
        };
        let token = TokenRecord {
            id: token::new_id()?,
            role,
            account,
            created_at,
            expires_at,
            revoked_at: None,
            audience,
        };
        self.store.add_token(NewToken { token: token.clone(), hash, is_sign_in })?;
        Ok(token)
    }
}

fn expiry(created_at: Timestamp, life: SignedDuration) -> Result<Timestamp, Problem> {
    let longest = SignedDuration::from_secs(limits::TOKEN_SECONDS);
    if life.is_positive()
        && life <= longest
        && let Ok(end) = created_at.checked_add(life)
        // Stores keep microseconds; the returned time must equal the stored one.
        && let Ok(end) = Timestamp::from_microsecond(end.as_microsecond())
    {
        return Ok(end);
    }
    let message = Message::TokenLife.with([limits::TOKEN_SECONDS / (24 * 60 * 60)]);
    Err(Problem::new(ProblemCode::InvalidValue, message).at(DocumentPath::root().join("expires_in_ms")))
}

fn unknown_token(id: &str, tokens: &[TokenRecord]) -> Problem {
    // A caller that passes the token itself must not find it in a log.
    if id.contains("sayso_") {
        return Problem::new(ProblemCode::InvalidValue, Message::TokenNotId).with_hint(Message::SeeTokens);
    }
    let message = Message::NoSuchToken.with([foreign(id)]);
    let nearest_id = nearest_word(id, tokens.iter().map(|token| token.id.as_str()));
    Problem::new(ProblemCode::InvalidValue, message).with_hint(match nearest_id {
        Some(id) => Message::DidYouMean.with([own(id)]),
        None => Message::SeeTokens.into(),
    })
}
