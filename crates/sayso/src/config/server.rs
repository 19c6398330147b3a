//! Limits of a served desk, from the table `[server]` of the user's file.

use super::Setting;
use super::sources::SettingSources;
use sayso_core::limits;
use serde::Deserialize;

/// Table `[server]` as written.
#[derive(Debug, Default, Deserialize)]
pub(super) struct ServerTable {
    kept_mib: Option<u64>,
    asks_per_hour: Option<u32>,
    turn_silence_seconds: Option<u32>,
}

/// Limits of one account.
#[derive(Debug, Clone)]
pub(crate) struct ServerSettings {
    /// Limit on the stored asks, in MiB; 0 for no limit.
    pub(crate) kept_mib: Setting<u64>,
    /// Limit on the asks opened in an hour; 0 for no limit.
    pub(crate) asks_per_hour: Setting<u32>,
    /// Seconds without a message of an agent until its turn ends with an error.
    pub(crate) turn_silence_seconds: Setting<u32>,
}

impl ServerSettings {
    /// Reads the settings from the table of the user's file.
    pub(super) fn read(sources: &SettingSources<'_>, table: &ServerTable) -> Self {
        let silence = table.turn_silence_seconds.map(|seconds| seconds.max(1));
        Self {
            kept_mib: sources.user_or(table.kept_mib, limits::ACCOUNT_STORED_BYTES >> 20),
            asks_per_hour: sources.user_or(table.asks_per_hour, limits::ACCOUNT_ASKS_PER_HOUR),
            turn_silence_seconds: sources.user_or(silence, limits::TURN_IDLE_SECONDS),
        }
    }
}
