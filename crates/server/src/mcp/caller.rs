//! What a request says about who calls: its host, what that can do, and the names it has for calls and threads. Asked anew
//! for each request, since newer hosts have no session that could remember it.

use super::boxes::Wording;
use rmcp::RoleServer;
use rmcp::model::{ProgressToken, ProtocolVersion};
use rmcp::service::RequestContext;
use serde_json::Value;
use std::time::Duration;

/// How long a call waits where nothing else is said: every host bears a minute.
const HOLD: Duration = Duration::from_secs(50);
/// How long it waits where progress is known to keep the call alive. At two minutes such hosts move calls to the
/// background, and disown what comes from there.
const LONG_HOLD: Duration = Duration::from_secs(110);
/// The hosts whose limit progress is known to extend.
const PATIENT: &[&str] = &["claude-code", "copilot-cli", "opencode"];

/// The hosts that give a person all the time there is while their dialog is open.
const UNTIMED: &[&str] = &["claude-code", "codex-mcp-client", "Visual Studio Code"];
/// All the time there is.
const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Who calls.
#[derive(Debug, Clone)]
pub(super) struct Caller {
    /// The host's name, where it says one.
    pub(super) host: Option<String>,
    /// Whether the request is of a version in which servers send no requests.
    pub(super) is_modern: bool,
    /// Whether it says that it can show a form.
    pub(super) has_forms: bool,
    /// What such a form may say.
    pub(super) wording: Wording,
    /// The host's own name for this call of a tool.
    pub(super) call: Option<String>,
    /// The host's own name for the thread that calls.
    pub(super) thread: Option<String>,
    /// What progress is reported with.
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
            // The older words are known to all, but later versions advise against them.
            wording: if is_from(ProtocolVersion::V_2025_11_25) { Wording::Titles } else { Wording::Names },
            call: text("claudecode/toolUseId"),
            thread: text("threadId"),
            progress: context.meta.get_progress_token(),
        }
    }

    /// How long a call of this host may wait, and does when it does not say.
    pub(super) fn hold(&self, set: Option<Duration>, wanted: Option<Duration>) -> Duration {
        let is_patient =
            self.progress.is_some() && self.host.as_deref().is_some_and(|host| PATIENT.contains(&host));
        let limit = set.unwrap_or(if is_patient { LONG_HOLD } else { HOLD });
        wanted.map_or(limit, |wanted| wanted.min(limit))
    }

    /// How long a dialog of this host may stay open.
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
    fn a_call_waits_as_long_as_its_host_is_known_to_bear() {
        let seconds = |caller: &Caller| caller.hold(None, None).as_secs();
        assert_eq!(seconds(&caller("claude-code", true)), 110);
        assert_eq!(seconds(&caller("claude-code", false)), 50, "without progress nothing extends the limit");
        assert_eq!(seconds(&caller("somebody", true)), 50);
    }

    #[test]
    fn a_caller_may_want_less_and_not_more_and_a_setting_stands_above_the_table() {
        let second = Duration::from_secs(1);
        assert_eq!(caller("x", true).hold(None, Some(second)), second);
        assert_eq!(caller("x", true).hold(None, Some(second * 3_600)), HOLD);
        assert_eq!(caller("claude-code", true).hold(Some(second * 5), None), second * 5);
        assert_eq!(caller("x", false).hold(Some(second * 500), Some(second * 400)), second * 400);
    }
}
