//! Login of browsers: a code or a link, then a session with a cookie and a key.
//!
//! A signed-in browser has the role of a person and the name of its account. Codes, links and sessions are in the desk,
//! so a restart signs no one out. Services let in users of their own, in browsers and programs.

pub(super) mod browser;
pub(super) mod browser_sessions;
pub(super) mod links;
mod login_state;
pub(super) mod page;
pub(super) mod proof;
pub(super) mod service_logins;
pub(super) mod sign_in;
mod sign_in_attempt;
mod sign_in_proxy;

pub(super) use login_state::LoginState;
pub use sayso_desk::login_code::LoginCode;
pub use sign_in_proxy::SignInProxy;

use super::middleware::call::ApiCall;
use super::middleware::caller::{AuthenticatedCaller, PersonParams};
use sayso_core::Problem;
use std::fmt;

/// Terminal of a person, the only place that shows login codes.
pub struct LoginTerminal {
    /// Account that a code signs in.
    pub account: String,
    /// Shows a code. May block while the terminal is in use.
    pub show: Box<dyn Fn(&LoginCode) + Send + Sync>,
}

impl fmt::Debug for LoginTerminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terminal").field("account", &self.account).finish_non_exhaustive()
    }
}

/// Returns the caller of a route that is for persons.
///
/// # Errors
/// Fails if the caller may not act as a person.
fn signed_in_person(call: &ApiCall) -> Result<AuthenticatedCaller, Problem> {
    let caller = call.caller()?;
    caller.to_person(PersonParams::default())?;
    Ok(caller.clone())
}
