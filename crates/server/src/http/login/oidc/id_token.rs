//! Checks of an ID token: whose it is, for whom, for which sign-in, until when, and with which key it is signed.

use super::claims::{ExtraClaims, IssuerClaims};
use super::issuer::{IssuerClient, IssuerTokens, OidcIssuer, ReadReason, refused};
use openidconnect::core::{CoreGenderClaim, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm};
use openidconnect::{
    AccessTokenHash, ClaimsVerificationError, HttpRequest, IdToken, IdTokenClaims, Nonce,
    OAuth2TokenResponse as _, SignatureVerificationError, TokenResponse as _, UserInfoClaims, UserInfoError,
};
use sayso_core::{Message, Problem};

/// ID token of an issuer.
type IssuerIdToken =
    IdToken<ExtraClaims, CoreGenderClaim, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm>;
/// Verified claims of an ID token.
type VerifiedClaims = IdTokenClaims<ExtraClaims, CoreGenderClaim>;

impl OidcIssuer {
    /// Verifies the ID token among these tokens, and returns the claims about the person. Blocks.
    ///
    /// # Errors
    /// Fails if the token is missing or not valid for this sign-in, or the issuer cannot be reached.
    pub(super) fn verify(
        &self,
        client: &IssuerClient,
        tokens: &IssuerTokens,
        nonce: &Nonce,
    ) -> Result<IssuerClaims, Problem> {
        let token = tokens.id_token().ok_or_else(|| refused(Message::IssuerNoToken))?;
        let is_unknown_key = |error: &ClaimsVerificationError| {
            let unknown = SignatureVerificationError::NoMatchingKey;
            *error == ClaimsVerificationError::SignatureVerification(unknown)
        };
        match verified(client, token, nonce) {
            // It may have exchanged its keys.
            Err(error) if is_unknown_key(&error) => {
                let client = self.client(ReadReason::UnknownKey)?;
                let claims = verified(&client, token, nonce).map_err(|error| token_problem(&error))?;
                self.person(&client, tokens, token, &claims)
            }
            claims => self.person(client, tokens, token, &claims.map_err(|error| token_problem(&error))?),
        }
    }

    /// Returns the claims about the person. What the token lacks comes from the issuer's page of the person.
    fn person(
        &self,
        client: &IssuerClient,
        tokens: &IssuerTokens,
        token: &IssuerIdToken,
        claims: &VerifiedClaims,
    ) -> Result<IssuerClaims, Problem> {
        if claims.authorized_party().is_some_and(|party| **party != self.config.client_id) {
            return Err(refused(Message::IssuerTokenAudience));
        }
        check_access_token(client, tokens, token, claims)?;
        let groups_claim = self.config.groups_claim.as_str();
        let mut person = IssuerClaims::new(
            claims.subject().as_str(),
            claims.email(),
            claims.email_verified(),
            claims.additional_claims(),
            groups_claim,
        );
        let needs_email = !self.config.members.domains.is_empty();
        if person.lacks(!groups_claim.is_empty(), needs_email) && client.user_info_url().is_some() {
            let found = self.user_info(client, tokens, claims)?;
            person.complete_with(IssuerClaims::new(
                found.subject().as_str(),
                found.email(),
                found.email_verified(),
                found.additional_claims(),
                groups_claim,
            ));
        }
        Ok(person)
    }

    /// Reads the issuer's page of the same person.
    fn user_info(
        &self,
        client: &IssuerClient,
        tokens: &IssuerTokens,
        claims: &VerifiedClaims,
    ) -> Result<UserInfoClaims<ExtraClaims, CoreGenderClaim>, Problem> {
        let request = client.user_info(tokens.access_token().clone(), Some(claims.subject().clone()));
        let request = request.map_err(|error| self.reply_problem(&error))?;
        let reply = request.request(&|request: HttpRequest| self.transport().send(request));
        reply.map_err(|error| match &error {
            UserInfoError::Request(error) => self.transport_problem(error),
            other => self.reply_problem(other),
        })
    }
}

fn verified(
    client: &IssuerClient,
    token: &IssuerIdToken,
    nonce: &Nonce,
) -> Result<VerifiedClaims, ClaimsVerificationError> {
    token.claims(&client.id_token_verifier(), nonce).cloned()
}

/// Checks that an access token came with the ID token, if that says with which.
///
/// # Errors
/// Fails if it came with another one.
fn check_access_token(
    client: &IssuerClient,
    tokens: &IssuerTokens,
    token: &IssuerIdToken,
    claims: &VerifiedClaims,
) -> Result<(), Problem> {
    let Some(expected) = claims.access_token_hash() else { return Ok(()) };
    let verifier = client.id_token_verifier();
    let key = || -> Result<_, SignatureVerificationError> {
        Ok((token.signing_alg()?, token.signing_key(&verifier)?))
    };
    let (algorithm, key) = key().map_err(|_| refused(Message::IssuerTokenKey))?;
    let found = AccessTokenHash::from_token(tokens.access_token(), algorithm, key);
    if found.is_ok_and(|found| found == *expected) {
        return Ok(());
    }
    Err(refused(Message::IssuerTokenWrong.with(["at_hash"])))
}

fn token_problem(error: &ClaimsVerificationError) -> Problem {
    refused(match error {
        ClaimsVerificationError::Expired(_) => Message::IssuerTokenExpired.into(),
        ClaimsVerificationError::InvalidNonce(_) => Message::IssuerTokenNonce.into(),
        ClaimsVerificationError::InvalidIssuer(_) => Message::IssuerTokenIssuer.into(),
        ClaimsVerificationError::InvalidAudience(_) => Message::IssuerTokenAudience.into(),
        ClaimsVerificationError::SignatureVerification(_) => Message::IssuerTokenKey.into(),
        other => Message::IssuerTokenWrong.with([other]),
    })
}
