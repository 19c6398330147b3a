//! Limits of a served desk, from the table `[server]` of the user's file.

use super::{Setting, SettingOrigin};
use sayso_core::limits;
use serde::Deserialize;
use std::path::Path;

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

impl ServerTable {
    pub(super) fn settings(self, file: &Path) -> ServerSettings {
        let origin =
            |is_set: bool| if is_set { SettingOrigin::File(file.to_owned()) } else { SettingOrigin::Default };
        ServerSettings {
            kept_mib: Setting {
                value: self.kept_mib.unwrap_or(limits::ACCOUNT_STORED_BYTES >> 20),
                origin: origin(self.kept_mib.is_some()),
            },
            asks_per_hour: Setting {
                value: self.asks_per_hour.unwrap_or(limits::ACCOUNT_ASKS_PER_HOUR),
                origin: origin(self.asks_per_hour.is_some()),
            },
            turn_silence_seconds: Setting {
                value: self.turn_silence_seconds.unwrap_or(limits::TURN_IDLE_SECONDS).max(1),
                origin: origin(self.turn_silence_seconds.is_some()),
            },
        }
    }
}
