//! Issuers at which members sign in: a real one, and one that does wrong.

pub(crate) mod hostile_issuer;
pub(crate) mod issuer_visitor;
pub(crate) mod npm_issuer;
