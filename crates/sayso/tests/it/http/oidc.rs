//! Tests of the sign-in of members at an OpenID Connect issuer.

mod admins;
mod members;
mod refusals;
mod settings;
