//! Issuer at which members sign in, from the table `[server.oidc]` of the user's file and the options of `sayso serve`.

use sayso_core::{Message, Problem, ProblemCode, limits};
use sayso_desk::own_file;
use sayso_server::http::login::oidc::{MemberRules, OidcConfig};
use serde::Deserialize;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use toml::Table;

/// Claim with the groups of a person, if the file names none.
const USUAL_GROUPS_CLAIM: &str = "groups";

/// Table `[server.oidc]` as written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct OidcTable {
    issuer: Option<String>,
    client_id: Option<String>,
    client_secret_file: Option<PathBuf>,
    name: Option<String>,
    #[serde(default)]
    scopes: Vec<String>,
    groups_claim: Option<String>,
    #[serde(default)]
    groups: Vec<String>,
    #[serde(default)]
    accounts: Vec<String>,
    #[serde(default)]
    domains: Vec<String>,
    #[serde(default)]
    admin_groups: Vec<String>,
    session_hours: Option<u32>,
}

/// Options of `sayso serve` that override the table.
#[derive(Debug, Clone, Default)]
pub(crate) struct OidcOptions {
    pub(crate) issuer: Option<String>,
    pub(crate) client_id: Option<String>,
    pub(crate) secret_file: Option<PathBuf>,
    pub(crate) groups: Vec<String>,
}

impl OidcOptions {
    const fn is_empty(&self) -> bool {
        self.issuer.is_none()
            && self.client_id.is_none()
            && self.secret_file.is_none()
            && self.groups.is_empty()
    }
}

/// Returns the configuration of the issuer; `None` if there is none. A relative file begins at the folder of the user's
/// file.
///
/// # Errors
/// Fails if the table has an unknown member or lacks one, or the secret cannot be read or is open to others.
pub(crate) fn oidc_config(
    table: Option<&Table>,
    options: OidcOptions,
    user_file: &Path,
) -> Result<Option<OidcConfig>, Problem> {
    if table.is_none() && options.is_empty() {
        return Ok(None);
    }
    let invalid = |message| Problem::new(ProblemCode::InvalidSetting, message);
    let read = table.map_or(Ok(OidcTable::default()), |table| table.clone().try_into());
    let table: OidcTable =
        read.map_err(|error: toml::de::Error| invalid(Message::IssuerTableWrong.with([error.message()])))?;
    let lacks = |member: &str| invalid(Message::IssuerLacks.with([member]));
    let folder = user_file.parent().unwrap_or(Path::new(""));
    let in_folder = table.client_secret_file.map(|file| folder.join(file));
    let secret_file = options.secret_file.or(in_folder).ok_or_else(|| lacks("client_secret_file"))?;
    let groups = if options.groups.is_empty() { table.groups } else { options.groups };
    Ok(Some(OidcConfig {
        issuer: options.issuer.or(table.issuer).ok_or_else(|| lacks("issuer"))?,
        client_id: options.client_id.or(table.client_id).ok_or_else(|| lacks("client_id"))?,
        client_secret: read_secret(&secret_file)?,
        name: table.name,
        scopes: table.scopes,
        groups_claim: table.groups_claim.unwrap_or_else(|| USUAL_GROUPS_CLAIM.to_owned()),
        members: MemberRules {
            groups,
            accounts: table.accounts,
            domains: table.domains,
            admin_groups: table.admin_groups,
        },
        session_hours: table.session_hours.unwrap_or(limits::ISSUER_SESSION_HOURS),
    }))
}

/// Reads a file that holds nothing but a secret.
///
/// # Errors
/// Fails if it cannot be read, is empty, or others can read it.
fn read_secret(path: &Path) -> Result<String, Problem> {
    let named = path.display().to_string();
    let invalid =
        |message| Problem::new(ProblemCode::InvalidSetting, message).with_hint(Message::IssuerSecretHint);
    let unreadable =
        |error: io::Error| invalid(Message::UnreadableFile.with([named.clone(), error.to_string()]));
    let file = File::open(path).map_err(unreadable)?;
    if own_file::is_open_to_others(&file, path).map_err(unreadable)? {
        return Err(invalid(Message::IssuerSecretOpen.with([&named])));
    }
    let text = io::read_to_string(file).map_err(unreadable)?;
    let secret = text.trim_end_matches(['\r', '\n']);
    if secret.is_empty() {
        return Err(invalid(Message::IssuerSecretEmpty.with([&named])));
    }
    Ok(secret.to_owned())
}
