//! Caller of a request: its host, the host's capabilities, and its ids of calls and threads. Read from each request,
//! since newer hosts have no session.

use super::boxes::Wording;
use rmcp::RoleServer;
use rmcp::model::{ProgressToken, ProtocolVersion};
use rmcp::service::RequestContext;
use serde_json::Value;
use std::time::Duration;

/// Default wait of a call: every host allows a minute.
const HOLD: Duration = Duration::from_secs(50);
/// Wait of a call that progress is known to keep alive. At two minutes such hosts move calls to the background, and
/// discard what comes from there.
const LONG_HOLD: Duration = Duration::from_secs(110);
/// Hosts whose timeout is extended by progress.
const PATIENT: &[&str] = &["claude-code", "copilot-cli", "opencode"];

/// Hosts without a timeout while their dialog is open.
const UNTIMED: &[&str] = &["claude-code", "codex-mcp-client", "Visual Studio Code"];
/// Longest wait in a dialog.
const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Caller of a request.
#[derive(Debug, Clone)]
pub(super) struct Caller {
    /// Name of the host, if it gives one.
    pub(super) host: Option<String>,
    /// Protocol version without requests from the server.
    pub(super) is_modern: bool,
    /// The host announces that it can show forms.
    pub(super) has_forms: bool,
    /// Encoding of choices in its forms.
    pub(super) wording: Wording,
    /// The host's own id of this tool call.
    pub(super) call: Option<String>,
    /// The host's own id of the calling thread.
    pub(super) thread: Option<String>,
    /// Token for progress notifications.
    pub(super) progress: Option<ProgressToken>,
}

impl Caller {
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Self {
        let capabilities = context.client_capabilities().unwrap_or_default();
        let elicitation = capabilities.elicitation.as_ref();
        let text = |name: &str| context.meta.get(name).and_then(Value::as_str).map(str::to_owned);
        let version = context.protocol_version();
        let is_from = |first: ProtocolVersion| version.as_ref().is_some_and(|it| *it >= first);
        Self {
            host: context.client_info().map(|info| info.name).filter(|name| !name.trim().is_empty()),
            is_modern: is_from(ProtocolVersion::V_2026_07_28),
            // A bare `{}` means forms.
            has_forms: elicitation.is_some_and(|it| it.form.is_some() || it.url.is_none()),
            // All hosts know the older encoding, but later versions deprecate it.
            wording: if is_from(ProtocolVersion::V_2025_11_25) { Wording::Titles } else { Wording::Names },
            call: text("claudecode/toolUseId"),
            thread: text("threadId"),
            progress: context.meta.get_progress_token(),
        }
    }

    /// Returns the longest wait of a call: the setting or the host's limit, or less if the caller asks for less.
    pub(super) fn hold(&self, set: Option<Duration>, wanted: Option<Duration>) -> Duration {
        let is_patient =
            self.progress.is_some() && self.host.as_deref().is_some_and(|host| PATIENT.contains(&host));
        let limit = set.unwrap_or(if is_patient { LONG_HOLD } else { HOLD });
        wanted.map_or(limit, |wanted| wanted.min(limit))
    }

    /// Returns the longest time that a dialog of this host may stay open.
    pub(super) fn dialog_hold(&self, set: Option<Duration>, wanted: Option<Duration>) -> Duration {
        if self.host.as_deref().is_some_and(|host| UNTIMED.contains(&host)) {
            return wanted.or(set).unwrap_or(A_DAY).min(A_DAY);
        }
        self.hold(set, wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::NumberOrString;

    fn caller(host: &str, has_token: bool) -> Caller {
        Caller {
            host: Some(host.to_owned()),
            is_modern: false,
            has_forms: false,
            wording: Wording::Names,
            call: None,
            thread: None,
            progress: has_token.then_some(ProgressToken(NumberOrString::Number(1))),
        }
    }

    #[test]
    fn wait_depends_on_host() {
        let seconds = |caller: &Caller| caller.hold(None, None).as_secs();
        assert_eq!(seconds(&caller("claude-code", true)), 110);
        assert_eq!(seconds(&caller("claude-code", false)), 50, "without progress nothing extends the limit");
        assert_eq!(seconds(&caller("somebody", true)), 50);
    }

    #[test]
    fn caller_may_wait_less_only() {
        let second = Duration::from_secs(1);
        assert_eq!(caller("x", true).hold(None, Some(second)), second);
        assert_eq!(caller("x", true).hold(None, Some(second * 3_600)), HOLD);
        assert_eq!(caller("claude-code", true).hold(Some(second * 5), None), second * 5);
        assert_eq!(caller("x", false).hold(Some(second * 500), Some(second * 400)), second * 400);
    }
}
