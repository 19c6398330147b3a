//! Proxy that signs people in, from the table `[server.sign_in_proxy]` of the user's file.

use crate::cli_session::CliSession;
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use sayso_server::http::login::SignInProxy;
use serde::Deserialize;
use std::net::IpAddr;

/// Table `[server.sign_in_proxy]` as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SignInProxyTable {
    addresses: Vec<IpAddr>,
    user_header: String,
    groups_header: Option<String>,
}

/// Returns the proxy of the settings, if there is one.
///
/// # Errors
/// Fails if the table has an unknown member or lacks one, or names no address or a header that cannot be.
pub(super) fn configure(session: &CliSession) -> Result<Option<SignInProxy>, Problem> {
    let Some(table) = session.settings.server.sign_in_proxy.value.clone() else { return Ok(None) };
    let SignInProxyTable { addresses, user_header, groups_header } =
        table.try_into().map_err(|error: toml::de::Error| {
            let message = Message::SignInProxyWrong.with([own(error.message())]);
            Problem::new(ProblemCode::InvalidSetting, message)
        })?;
    SignInProxy::new(addresses, &user_header, groups_header.as_deref()).map(Some)
}

/// Adds its addresses to those of the proxies of the options.
pub(super) fn with_addresses(mut proxies: Vec<IpAddr>, proxy: Option<&SignInProxy>) -> Vec<IpAddr> {
    proxies.extend(proxy.map(SignInProxy::addresses).unwrap_or_default());
    proxies
}
