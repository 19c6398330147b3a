//! Issuer: its addresses and keys, the way to it, and the persons that it names.

use super::account::is_account_of;
use super::claims::{ExtraClaims, IssuerClaims};
use super::config::OidcConfig;
use super::sign_in_cookie::{PendingSealer, PendingSignIn};
use super::transport::{IssuerTransport, TransportError};
use crate::http::net::public_url::PublicUrl;
use jiff::Timestamp;
use openidconnect::core::{
    CoreAuthDisplay, CoreAuthPrompt, CoreAuthenticationFlow, CoreClaimName, CoreClaimType,
    CoreClientAuthMethod, CoreErrorResponseType, CoreGenderClaim, CoreGrantType, CoreJsonWebKey,
    CoreJweContentEncryptionAlgorithm, CoreJweKeyManagementAlgorithm, CoreJwsSigningAlgorithm,
    CoreResponseMode, CoreResponseType, CoreRevocableToken, CoreRevocationErrorResponse,
    CoreSubjectIdentifierType, CoreTokenIntrospectionResponse, CoreTokenType,
};
use openidconnect::{
    AdditionalProviderMetadata, AuthType, AuthorizationCode, Client, ClientId, ClientSecret, CsrfToken,
    DiscoveryError, EmptyExtraTokenFields, EndpointMaybeSet, EndpointNotSet, EndpointSet, HttpRequest,
    IdTokenFields, IssuerUrl, Nonce, PkceCodeChallenge, PkceCodeVerifier, ProviderMetadata, RedirectUrl,
    RequestTokenError, Scope, StandardErrorResponse, StandardTokenResponse,
};
use sayso_core::{Message, Problem, ProblemCode, limits};
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// Path to which the issuer sends a browser back.
pub(super) const CALLBACK_PATH: &str = "/login/oidc/callback";

/// Further members of the metadata of an issuer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct IssuerExtras {
    /// True if each of its replies names it (RFC 9207).
    authorization_response_iss_parameter_supported: Option<bool>,
}

impl AdditionalProviderMetadata for IssuerExtras {}

/// Metadata of an issuer, with its keys.
type IssuerMetadata = ProviderMetadata<
    IssuerExtras,
    CoreAuthDisplay,
    CoreClientAuthMethod,
    CoreClaimName,
    CoreClaimType,
    CoreGrantType,
    CoreJweContentEncryptionAlgorithm,
    CoreJweKeyManagementAlgorithm,
    CoreJsonWebKey,
    CoreResponseMode,
    CoreResponseType,
    CoreSubjectIdentifierType,
>;

/// Fields of its tokens.
type IssuerTokenFields = IdTokenFields<
    ExtraClaims,
    EmptyExtraTokenFields,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJwsSigningAlgorithm,
>;

/// Tokens that it gives for a code.
pub(super) type IssuerTokens = StandardTokenResponse<IssuerTokenFields, CoreTokenType>;

/// This desk at the issuer.
pub(super) type IssuerClient = Client<
    ExtraClaims,
    CoreAuthDisplay,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJsonWebKey,
    CoreAuthPrompt,
    StandardErrorResponse<CoreErrorResponseType>,
    IssuerTokens,
    CoreTokenIntrospectionResponse,
    CoreRevocableToken,
    CoreRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

/// Metadata that was last read of an issuer.
#[derive(Default)]
struct KnownIssuer {
    metadata: Option<Arc<IssuerMetadata>>,
    /// Last time that it was read.
    read_at: Option<Instant>,
    /// Last time that it was read because a key was unknown.
    renewed_at: Option<Instant>,
    /// Problem of the last reading with its time, if it failed.
    failure: Option<(Problem, Instant)>,
}

/// Reason to read an issuer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadReason {
    /// The metadata may be too old.
    Age,
    /// A token has a key that is unknown.
    UnknownKey,
}

impl KnownIssuer {
    /// Returns what is known, if there is no reason to read it again.
    fn kept(&self, reason: ReadReason) -> Option<Result<Arc<IssuerMetadata>, Problem>> {
        let is_within = |since: Instant, seconds| since.elapsed() < Duration::from_secs(seconds);
        let failure = self.failure.as_ref();
        let failure = failure.filter(|(_, at)| is_within(*at, limits::ISSUER_RETRY_SECONDS));
        let Some(metadata) = &self.metadata else {
            return failure.map(|(problem, _)| Err(problem.clone()));
        };
        let is_fresh = match reason {
            ReadReason::Age => self.read_at.is_some_and(|at| is_within(at, limits::ISSUER_KEPT_SECONDS)),
            ReadReason::UnknownKey => {
                self.renewed_at.is_some_and(|at| is_within(at, limits::ISSUER_RETRY_SECONDS))
            }
        };
        (is_fresh || failure.is_some()).then(|| Ok(metadata.clone()))
    }
}

/// Issuer at which members sign in.
pub struct OidcIssuer {
    pub(super) config: OidcConfig,
    url: IssuerUrl,
    redirect_url: RedirectUrl,
    transport: IssuerTransport,
    pub(super) sealer: PendingSealer,
    known: Mutex<KnownIssuer>,
    /// Permits for requests to it, so that a slow issuer does not take the threads of the desk.
    pub(super) permits: Semaphore,
}

impl fmt::Debug for OidcIssuer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.config.fmt(f)
    }
}

impl OidcIssuer {
    /// Creates the issuer of a server with this address. Asks the issuer nothing.
    ///
    /// # Errors
    /// Fails if the configuration is incomplete, lets no one in, or would send secrets in the clear.
    pub fn new(config: OidcConfig, public_url: &PublicUrl) -> Result<Self, Problem> {
        config.check(public_url)?;
        let wrong = |_| {
            let message = Message::IssuerAddressWrong.with([&config.issuer]);
            Problem::new(ProblemCode::InvalidSetting, message).with_hint(Message::IssuerAddressHint)
        };
        let url = IssuerUrl::new(config.issuer.clone()).map_err(wrong)?;
        let redirect_url = RedirectUrl::new(format!("{public_url}{CALLBACK_PATH}")).map_err(wrong)?;
        Ok(Self {
            url,
            redirect_url,
            transport: IssuerTransport::new(&config.issuer),
            sealer: PendingSealer::new(&config.issuer, &config.client_id, &config.client_secret)?,
            known: Mutex::default(),
            permits: Semaphore::new(limits::ISSUER_CALLS),
            config,
        })
    }

    /// Reads what the issuer says of itself. Blocks for ten seconds at most.
    ///
    /// # Errors
    /// Fails if it cannot be reached, or is another one than was set up.
    pub fn connect(&self) -> Result<(), Problem> {
        self.metadata(ReadReason::Age).map(drop)
    }

    /// Returns what the issuer says of itself. One that failed just now is not asked again.
    ///
    /// # Errors
    /// Same as [`connect`](Self::connect).
    fn metadata(&self, reason: ReadReason) -> Result<Arc<IssuerMetadata>, Problem> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = known.kept(reason) {
            return kept;
        }
        let found = IssuerMetadata::discover(&self.url, &|request: HttpRequest| self.transport.send(request));
        let now = Instant::now();
        if reason == ReadReason::UnknownKey {
            known.renewed_at = Some(now);
        }
        match found {
            Ok(metadata) => {
                let metadata = Arc::new(metadata);
                (known.metadata, known.read_at, known.failure) = (Some(metadata.clone()), Some(now), None);
                Ok(metadata)
            }
            Err(error) => {
                let problem = self.discovery_problem(&error);
                known.failure = Some((problem.clone(), now));
                // Keys that were good an hour ago are better than none.
                known.metadata.clone().ok_or(problem)
            }
        }
    }

    /// Returns this desk at the issuer.
    ///
    /// # Errors
    /// Same as [`connect`](Self::connect).
    pub(super) fn client(&self, reason: ReadReason) -> Result<IssuerClient, Problem> {
        let metadata = self.metadata(reason)?;
        let (id, secret) = (self.config.client_id.clone(), self.config.client_secret.clone());
        let posts_secret = metadata.token_endpoint_auth_methods_supported().is_some_and(|methods| {
            !methods.contains(&CoreClientAuthMethod::ClientSecretBasic)
                && methods.contains(&CoreClientAuthMethod::ClientSecretPost)
        });
        // Signatures by a shared secret need no key of the issuer, so they are not taken.
        let algorithms = metadata.id_token_signing_alg_values_supported().iter();
        let asymmetric = algorithms.filter(|algorithm| !is_symmetric(algorithm)).cloned().collect();
        let metadata = (*metadata).clone().set_id_token_signing_alg_values_supported(asymmetric);
        let client: IssuerClient =
            Client::from_provider_metadata(metadata, ClientId::new(id), Some(ClientSecret::new(secret)));
        let client = client.set_redirect_uri(self.redirect_url.clone());
        Ok(if posts_secret { client.set_auth_type(AuthType::RequestBody) } else { client })
    }

    /// Returns the name of the issuer for people.
    pub(in crate::http) fn shown_name(&self) -> String {
        self.config.shown_name()
    }

    /// Returns whether an account is one that signs in here.
    pub(in crate::http) fn owns(&self, account: &str) -> bool {
        is_account_of(&self.config.issuer, account)
    }

    /// Begins a sign-in: returns the address at the issuer to which its browser goes. Blocks.
    ///
    /// # Errors
    /// Fails if the issuer cannot be reached.
    pub(super) fn begin(&self, key: String, now: Timestamp) -> Result<(String, PendingSignIn), Problem> {
        let client = self.client(ReadReason::Age)?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let (url, state, nonce) = client
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                CsrfToken::new_random,
                Nonce::new_random,
            )
            .add_scopes(self.config.scopes.iter().cloned().map(Scope::new))
            .set_pkce_challenge(challenge)
            .url();
        let secrets = (state.into_secret(), nonce.secret().clone(), verifier.into_secret());
        Ok((url.to_string(), PendingSignIn::new(secrets, key, now)))
    }

    /// Checks which issuer a reply says that it comes from.
    ///
    /// # Errors
    /// Fails if it is another one, or one that names itself in each reply and does not in this one.
    pub(super) fn check_sender(&self, named: Option<&str>) -> Result<(), Problem> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let always_names = known.metadata.as_ref().is_some_and(|metadata| {
            metadata.additional_metadata().authorization_response_iss_parameter_supported == Some(true)
        });
        match named {
            Some(issuer) if issuer == self.config.issuer => Ok(()),
            None if !always_names => Ok(()),
            _ => Err(refused(Message::IssuerMixedUp)),
        }
    }

    /// Exchanges a code, and returns the claims about the person. Blocks.
    ///
    /// # Errors
    /// Fails if the issuer cannot be reached or does not accept the code, or its token is not valid for this sign-in.
    pub(super) fn finish(&self, code: String, pending: &PendingSignIn) -> Result<IssuerClaims, Problem> {
        let client = self.client(ReadReason::Age)?;
        let request = client.exchange_code(AuthorizationCode::new(code));
        let request = request.map_err(|error| self.reply_problem(&error))?;
        let tokens = request
            .set_pkce_verifier(PkceCodeVerifier::new(pending.verifier.clone()))
            .request(&|request: HttpRequest| self.transport.send(request))
            .map_err(|error| self.exchange_problem(&error))?;
        self.verify(&client, &tokens, &Nonce::new(pending.nonce.clone()))
    }

    /// Returns the transport.
    pub(super) const fn transport(&self) -> &IssuerTransport {
        &self.transport
    }

    fn discovery_problem(&self, error: &DiscoveryError<TransportError>) -> Problem {
        match error {
            DiscoveryError::Request(error) => self.transport_problem(error),
            DiscoveryError::Response(status, ..) => self.unreachable(&format!("HTTP {}", status.as_u16())),
            other => self.reply_problem(other),
        }
    }

    fn exchange_problem(
        &self,
        error: &RequestTokenError<TransportError, StandardErrorResponse<CoreErrorResponseType>>,
    ) -> Problem {
        match error {
            RequestTokenError::ServerResponse(reply) => {
                refused(Message::IssuerCodeRefused.with([reply.error().as_ref()]))
            }
            RequestTokenError::Request(error) => self.transport_problem(error),
            other => self.reply_problem(other),
        }
    }

    pub(super) fn transport_problem(&self, error: &TransportError) -> Problem {
        self.unreachable(&error.to_string())
    }

    fn unreachable(&self, why: &str) -> Problem {
        let message = Message::IssuerUnreachable.with([self.config.issuer.as_str(), why]);
        Problem::new(ProblemCode::IssuerFailed, message).with_hint(Message::IssuerUnreachableHint)
    }

    /// Returns the problem of a reply that the protocol does not allow, with the causes of the error.
    pub(super) fn reply_problem(&self, error: &dyn Error) -> Problem {
        let (mut why, mut cause) = (error.to_string(), error.source());
        while let Some(inner) = cause {
            why = format!("{why}: {inner}");
            cause = inner.source();
        }
        let message = Message::IssuerRepliesWrong.with([&self.config.issuer, &why]);
        Problem::new(ProblemCode::IssuerFailed, message).with_hint(Message::IssuerUnreachableHint)
    }
}

/// Returns whether a signature of this kind is made with the secret of the client.
const fn is_symmetric(algorithm: &CoreJwsSigningAlgorithm) -> bool {
    use CoreJwsSigningAlgorithm::{HmacSha256, HmacSha384, HmacSha512, None};
    matches!(algorithm, HmacSha256 | HmacSha384 | HmacSha512 | None)
}

/// Returns the problem of a sign-in that is refused.
pub(super) fn refused(message: impl Into<sayso_core::LocalizedText>) -> Problem {
    Problem::new(ProblemCode::Unauthorized, message).with_hint(Message::IssuerSignInAgain)
}
