//! Access to a route.

/// Access to a route. Core and the handler decide further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RouteAccess {
    /// Any caller, without a token.
    Open,
    /// Any caller with a token.
    Any,
    /// Any caller with a token, checked by the handler after the body, as a spec requires.
    Deferred,
    Asker,
    Person,
    Admin,
    /// The token of a service, which opens no other route but those that are open to all.
    Service,
}
