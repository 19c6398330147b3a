//! Asks of hosts' hooks, from the table `[hooks]` of the user's file.

use super::Setting;
use super::sources::SettingSources;
use jiff::SignedDuration;
use sayso_dialects::hook;
use serde::Deserialize;

/// Entry of the list of tools that stands for every tool that does more than read.
const EVERY_TOOL: &str = "*";

/// Table `[hooks]` as written.
#[derive(Debug, Default, Deserialize)]
pub(super) struct HooksTable {
    tools: Option<Vec<String>>,
    present_minutes: Option<u32>,
    give_way_seconds: Option<u32>,
    kept_days: Option<u32>,
}

/// Settings of the asks of hosts' hooks.
#[derive(Debug, Clone)]
pub(crate) struct HookSettings {
    /// Tools whose permissions come to the desk.
    pub(crate) tools: Setting<Vec<String>>,
    /// Minutes after which a person who used the desk counts as gone.
    pub(crate) present_minutes: Setting<u32>,
    /// Seconds after which a host that shows nothing meanwhile asks by itself.
    pub(crate) give_way_seconds: Setting<u32>,
    /// Days that a settled ask of a hook is kept: the arguments of a tool may hold secrets.
    pub(crate) kept_days: Setting<u32>,
}

impl HookSettings {
    /// Reads the settings from the table of the user's file.
    pub(super) fn read(sources: &SettingSources<'_>, table: HooksTable) -> Self {
        Self {
            tools: sources.user_or(table.tools, vec![EVERY_TOOL.to_owned()]),
            present_minutes: sources.user_or(table.present_minutes, 5),
            give_way_seconds: sources.user_or(table.give_way_seconds, 60),
            kept_days: sources.user_or(table.kept_days, 7),
        }
    }

    /// Returns true if the permissions of a tool come to the desk. One that only reads must be named.
    pub(crate) fn includes_tool(&self, tool: &str) -> bool {
        let is_named = |name: &String| name.eq_ignore_ascii_case(tool);
        let tools = &self.tools.value;
        tools.iter().any(is_named) || !hook::reads_only(tool) && tools.iter().any(|name| name == EVERY_TOOL)
    }

    /// Returns the time after which a person counts as gone.
    pub(crate) fn present_time(&self) -> SignedDuration {
        SignedDuration::from_mins(i64::from(self.present_minutes.value))
    }

    /// Returns the time after which the host asks by itself.
    pub(crate) fn give_way_time(&self) -> SignedDuration {
        SignedDuration::from_secs(i64::from(self.give_way_seconds.value))
    }
}
