//! Caller of a request: its host, the host's capabilities, and its ids of calls and threads. Read from each request,
//! since newer hosts have no session.

mod asker_presence;
pub(super) mod asker_session;

use super::HostFeatures;
use super::elicitation::choice_encoding::ChoiceEncoding;
use super::resources::apps;
use rmcp::RoleServer;
use rmcp::model::{ProgressToken, ProtocolVersion};
use rmcp::service::RequestContext;
use serde_json::Value;
use std::time::Duration;

/// Default wait of a call: every host allows a minute.
const DEFAULT_WAIT: Duration = Duration::from_secs(50);
/// Wait of a call that progress is known to keep alive. At two minutes such hosts move calls to the background, and
/// discard what comes from there.
const PROGRESS_WAIT: Duration = Duration::from_secs(110);
/// Hosts whose timeout is extended by progress.
const PROGRESS_HOSTS: &[&str] = &["claude-code", "copilot-cli", "opencode"];

/// Hosts without a timeout while their dialog is open.
const UNTIMED_HOSTS: &[&str] = &["claude-code", "codex-mcp-client", "Visual Studio Code"];
/// Longest wait in a dialog.
pub(super) const DIALOG_WAIT_MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// Caller of a request.
#[derive(Debug, Clone)]
pub(super) struct McpCaller {
    /// Name of the host, if it gives one.
    pub(super) host_name: Option<String>,
    /// Protocol version without requests from the server.
    pub(super) is_modern: bool,
    /// The host announces that it can show forms.
    pub(super) has_forms: bool,
    /// The host announces that it can open an address.
    pub(super) has_pages: bool,
    /// The host announces that it shows pages in the conversation.
    pub(super) has_apps: bool,
    /// The host announces that it polls tasks.
    pub(super) has_tasks: bool,
    /// Encoding of choices in its forms.
    pub(super) choice_encoding: ChoiceEncoding,
    /// The host's own id of this tool call.
    pub(super) call_id: Option<String>,
    /// The host's own id of the calling thread.
    pub(super) thread_id: Option<String>,
    /// Token for progress notifications.
    pub(super) progress_token: Option<ProgressToken>,
}

impl McpCaller {
    pub(super) fn from_context(context: &RequestContext<RoleServer>) -> Self {
        let capabilities = context.client_capabilities().unwrap_or_default();
        let version = context.protocol_version();
        // A request without a version is of an old host.
        let is_modern = version >= Some(ProtocolVersion::V_2026_07_28);
        let mut has_forms = false;
        let mut has_pages = false;
        if let Some(elicitation) = &capabilities.elicitation {
            has_pages = elicitation.url.is_some();
            // A bare `{}` means forms.
            has_forms = elicitation.form.is_some() || !has_pages;
        }
        let mut host_name = context.client_info().map(|info| info.name);
        host_name.take_if(|name| name.trim().is_empty());
        Self {
            host_name,
            is_modern,
            has_forms,
            has_pages,
            has_apps: apps::has_pages(&capabilities),
            // Tasks are an extension of the versions without sessions.
            has_tasks: is_modern && capabilities.supports_tasks(),
            // All hosts know the older encoding, but later versions deprecate it.
            choice_encoding: if version >= Some(ProtocolVersion::V_2025_11_25) {
                ChoiceEncoding::OneOfTitles
            } else {
                ChoiceEncoding::EnumNames
            },
            call_id: meta_text(context, "claudecode/toolUseId"),
            thread_id: meta_text(context, "threadId"),
            progress_token: context.meta.get_progress_token(),
        }
    }

    /// Returns this caller with the features that the settings allow.
    pub(super) fn with_allowed_features(mut self, features: HostFeatures) -> Self {
        let can_show = !self.is_modern || features.has_unclosable_forms;
        self.has_forms &= can_show;
        self.has_pages &= can_show;
        self.has_tasks &= features.has_tasks;
        self
    }

    /// Returns this caller for a tool whose result is a text, neither a page in the conversation nor a task.
    pub(super) fn with_text_results(&self) -> Self {
        Self { has_apps: false, has_tasks: false, ..self.clone() }
    }

    /// Returns this caller for a wait for an ask that the host may already show as a page in the conversation: a form
    /// or a link would be the second one.
    pub(super) fn without_second_form(&self) -> Self {
        let mut caller = self.with_text_results();
        if self.has_apps {
            caller.has_forms = false;
            caller.has_pages = false;
        }
        caller
    }

    /// Returns the longest wait of a call: the setting or the host's limit, or less if the caller asks for less.
    pub(super) fn wait_limit(&self, configured: Option<Duration>, requested: Option<Duration>) -> Duration {
        let is_patient = self.progress_token.is_some() && self.is_one_of(PROGRESS_HOSTS);
        let limit = configured.unwrap_or(if is_patient { PROGRESS_WAIT } else { DEFAULT_WAIT });
        match requested {
            Some(wait) => wait.min(limit),
            None => limit,
        }
    }

    fn is_one_of(&self, hosts: &[&str]) -> bool {
        matches!(&self.host_name, Some(name) if hosts.contains(&name.as_str()))
    }

    /// Returns the longest time that a dialog of this host may stay open.
    pub(super) fn dialog_wait_limit(
        &self,
        configured: Option<Duration>,
        requested: Option<Duration>,
    ) -> Duration {
        if self.is_one_of(UNTIMED_HOSTS) {
            return requested.or(configured).unwrap_or(DIALOG_WAIT_MAX).min(DIALOG_WAIT_MAX);
        }
        self.wait_limit(configured, requested)
    }
}

fn meta_text(context: &RequestContext<RoleServer>, name: &str) -> Option<String> {
    context.meta.get(name).and_then(Value::as_str).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::NumberOrString;

    fn caller(host: &str, has_token: bool) -> McpCaller {
        McpCaller {
            host_name: Some(host.to_owned()),
            is_modern: false,
            has_forms: false,
            has_pages: false,
            has_apps: false,
            has_tasks: false,
            choice_encoding: ChoiceEncoding::EnumNames,
            call_id: None,
            thread_id: None,
            progress_token: has_token.then_some(ProgressToken(NumberOrString::Number(1))),
        }
    }

    #[test]
    fn wait_depends_on_host() {
        let seconds = |caller: &McpCaller| caller.wait_limit(None, None).as_secs();
        assert_eq!(seconds(&caller("claude-code", true)), 110);
        assert_eq!(seconds(&caller("claude-code", false)), 50, "without progress nothing extends the limit");
        assert_eq!(seconds(&caller("somebody", true)), 50);
    }

    #[test]
    fn caller_may_wait_less_only() {
        let second = Duration::from_secs(1);
        assert_eq!(caller("x", true).wait_limit(None, Some(second)), second);
        assert_eq!(caller("x", true).wait_limit(None, Some(second * 3_600)), DEFAULT_WAIT);
        assert_eq!(caller("claude-code", true).wait_limit(Some(second * 5), None), second * 5);
        assert_eq!(caller("x", false).wait_limit(Some(second * 500), Some(second * 400)), second * 400);
    }
}
