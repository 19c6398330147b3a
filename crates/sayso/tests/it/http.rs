//! Tests of `sayso serve`.

mod access;
mod errors;
mod events;
pub(crate) mod load;
mod questionnaire;
mod questionnaire_vectors;
mod routes;
mod schemathesis;
mod shutdown;
mod sign_in_proxy;
mod sse_decoder;
mod waits;
