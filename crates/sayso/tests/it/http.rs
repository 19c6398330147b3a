//! Tests of `sayso serve`.

mod access;
mod errors;
mod events;
pub(crate) mod load;
mod oidc;
mod questionnaire;
mod questionnaire_vectors;
mod routes;
mod schemathesis;
mod shutdown;
mod sse_decoder;
mod waits;
