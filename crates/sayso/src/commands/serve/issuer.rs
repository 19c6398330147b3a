//! Issuer at which members sign in.

use crate::cli::OidcArgs;
use crate::cli_session::CliSession;
use crate::config::oidc::{OidcOptions, oidc_config};
use crate::output::console;
use sayso_core::Problem;
use sayso_server::http::PublicUrl;
use sayso_server::http::login::oidc::OidcIssuer;
use std::sync::Arc;

/// Returns the issuer of the options and the settings, if there is one.
///
/// # Errors
/// Fails if its configuration is incomplete, lets no one in, or would send secrets in the clear.
pub(super) fn configure(
    session: &CliSession,
    args: OidcArgs,
    public_url: &PublicUrl,
) -> Result<Option<Arc<OidcIssuer>>, Problem> {
    let OidcArgs { issuer, client_id, secret_file, groups } = args;
    let options = OidcOptions { issuer, client_id, secret_file, groups };
    let settings = &session.settings;
    let config = oidc_config(settings.server.oidc.value.as_ref(), options, &settings.user_file)?;
    config.map(|config| OidcIssuer::new(config, public_url).map(Arc::new)).transpose()
}

/// Tells the operator if the issuer cannot be reached. The server starts all the same: others sign in by other ways.
pub(super) fn report_if_unreachable(session: &CliSession, issuer: Option<Arc<OidcIssuer>>) {
    let (Some(issuer), lang) = (issuer, session.lang()) else { return };
    std::thread::spawn(move || {
        if let Err(problem) = issuer.connect() {
            console::print_warning(&problem, lang);
        }
    });
}
