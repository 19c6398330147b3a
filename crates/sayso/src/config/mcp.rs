//! Features of hosts that MCP uses, from the table `[mcp]` of the user's file.

use super::Setting;
use super::sources::SettingSources;
use sayso_server::mcp::HostFeatures;
use serde::Deserialize;

/// Table `[mcp]` as written.
#[derive(Debug, Default, Deserialize)]
pub(super) struct McpTable {
    tasks: Option<bool>,
    forms: Option<bool>,
}

/// Settings of the tools of MCP.
#[derive(Debug, Clone)]
pub(crate) struct McpSettings {
    /// A host that announces tasks gets one instead of a call that waits.
    pub(crate) tasks: Setting<bool>,
    /// Forms of MCP 2026-07-28, which nothing closes from our side.
    pub(crate) forms: Setting<bool>,
}

impl McpSettings {
    /// Reads the settings from the table of the user's file.
    pub(super) fn read(sources: &SettingSources<'_>, table: &McpTable) -> Self {
        Self { tasks: sources.user_or(table.tasks, false), forms: sources.user_or(table.forms, false) }
    }

    /// Returns the features that are allowed.
    pub(crate) fn host_features(&self) -> HostFeatures {
        HostFeatures { has_tasks: self.tasks.value, has_unclosable_forms: self.forms.value }
    }
}
