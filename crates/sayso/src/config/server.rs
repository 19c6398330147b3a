//! Address and limits of a served desk, from the table `[server]` of the user's file.

use super::Setting;
use super::sources::SettingSources;
use sayso_core::{Audience, limits};
use serde::Deserialize;

/// Table `[server]` as written.
#[derive(Debug, Default, Deserialize)]
pub(super) struct ServerTable {
    public_url: Option<String>,
    embedded_consent: Option<Vec<String>>,
    audience: Option<Vec<String>>,
    kept_mib: Option<u64>,
    asks_per_hour: Option<u32>,
    service_logins_per_hour: Option<u32>,
    service_sessions: Option<u32>,
    session_days: Option<u32>,
    turn_silence_seconds: Option<u32>,
    sign_in_proxy: Option<toml::Table>,
}

/// Address of the server, and limits of one account.
#[derive(Debug, Clone)]
pub(crate) struct ServerSettings {
    /// Address at which browsers open the pages.
    pub(crate) public_url: Setting<Option<String>>,
    /// Accounts of askers to which an embedded element may give consent.
    pub(crate) embedded_consent: Setting<Vec<String>>,
    /// Accounts and groups that see asks which name no audience; the members if empty.
    pub(crate) audience: Setting<Vec<String>>,
    /// Limit on the stored asks, in MiB; 0 for no limit.
    pub(crate) kept_mib: Setting<u64>,
    /// Limit on the asks opened in an hour; 0 for no limit.
    pub(crate) asks_per_hour: Setting<u32>,
    /// Limit on the users that a service lets in within an hour; 0 for no limit.
    pub(crate) service_logins_per_hour: Setting<u32>,
    /// Limit on the sessions of a service's users; 0 for no limit.
    pub(crate) service_sessions: Setting<u32>,
    /// Days without a request after which a browser is signed out.
    pub(crate) session_days: Setting<u32>,
    /// Seconds without a message of an agent until its turn ends with an error.
    pub(crate) turn_silence_seconds: Setting<u32>,
    /// Proxy that signs people in, as written: only the server judges it.
    pub(crate) sign_in_proxy: Setting<Option<toml::Table>>,
}

impl ServerSettings {
    /// Reads the settings from the table of the user's file.
    pub(super) fn read(sources: &SettingSources<'_>, table: &ServerTable) -> Self {
        let days = table.session_days.map(|days| days.clamp(1, limits::SESSION_MOST_DAYS));
        let silence = table.turn_silence_seconds.map(|seconds| seconds.max(1));
        Self {
            public_url: sources.user_or(table.public_url.clone().map(Some), None),
            embedded_consent: sources.user_or(table.embedded_consent.clone(), Vec::new()),
            audience: sources.user_or(table.audience.clone(), vec![Audience::MEMBERS.to_owned()]),
            kept_mib: sources.user_or(table.kept_mib, limits::ACCOUNT_STORED_BYTES >> 20),
            asks_per_hour: sources.user_or(table.asks_per_hour, limits::ACCOUNT_ASKS_PER_HOUR),
            service_logins_per_hour: sources
                .user_or(table.service_logins_per_hour, limits::SERVICE_LOGINS_PER_HOUR),
            service_sessions: sources.user_or(table.service_sessions, limits::SERVICE_SESSIONS),
            session_days: sources.user_or(days, limits::SESSION_DAYS),
            turn_silence_seconds: sources.user_or(silence, limits::TURN_IDLE_SECONDS),
            sign_in_proxy: sources.user_or(table.sign_in_proxy.clone().map(Some), None),
        }
    }
}
