//! Sign-in of members at an OpenID Connect issuer: authorization code with PKCE, bound to the browser by state and nonce.
//!
//! **Invariant:** an account is the issuer with the subject that it gives, and never an e-mail address.
//!
//! **Invariant:** a sign-in that is under way lies in its browser alone, in a cookie that each server of the desk can
//! open. What a server keeps of the issuer are its addresses and public keys.

mod account;
mod admission;
mod claims;
mod config;
mod id_token;
mod issuer;
mod routes;
mod sign_in_cookie;
mod transport;

pub use config::{MemberRules, OidcConfig};
pub use issuer::OidcIssuer;
pub(in crate::http) use routes::ROUTES;
