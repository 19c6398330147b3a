//! Table of all settings: the name of each in flags, variables and files, and its value in a report.

use super::{Setting, SettingOrigin, Settings};

/// Value as text, if there is one, and its origin.
type ShownSetting<'s> = (Option<String>, &'s SettingOrigin);

/// Names of one setting. Sources are in the order of their priority: flag, variables, the user's file, the project's.
pub(crate) struct SettingSpec {
    /// Name in the user's file, after its table and a dot, and in reports.
    pub(crate) name: &'static str,
    /// Members, if the setting is a table that is judged as a whole.
    members: &'static [&'static str],
    pub(super) flag: Option<&'static str>,
    pub(super) variables: &'static [&'static str],
    /// True if a project's file may set it.
    pub(super) in_project: bool,
    /// Returns the value to report, with its origin.
    pub(crate) shown: for<'s> fn(&'s Settings) -> ShownSetting<'s>,
}

/// All settings, in the order of reports.
pub(crate) const SETTINGS: [&SettingSpec; 30] = [
    &DESK,
    &TOKEN_FILE,
    &LANGUAGE,
    &FORMAT,
    &AUQ,
    &FROM,
    &SCRIPTED_ANSWERS,
    &SETTLED_DAYS,
    &DRAFT_DAYS,
    &PUBLIC_URL,
    &EMBEDDED_CONSENT,
    &AUDIENCE,
    &KEPT_MIB,
    &ASKS_PER_HOUR,
    &SERVICE_LOGINS,
    &SERVICE_SESSIONS,
    &SESSION_DAYS,
    &TURN_SILENCE,
    &SIGN_IN_PROXY,
    &HOOK_TOOLS,
    &HOOK_PRESENT,
    &HOOK_GIVE_WAY,
    &HOOK_KEPT,
    &MCP_TASKS,
    &MCP_FORMS,
    &THEME,
    &PLAIN,
    &MOUSE,
    &SUBMIT,
    &NOTIFY,
];

pub(super) const DESK: SettingSpec = SettingSpec {
    flag: Some("--desk"),
    variables: &["SAYSO_DESK"],
    ..in_file("desk", |all| shown_value(&all.desk))
};
pub(super) const TOKEN_FILE: SettingSpec = SettingSpec {
    variables: &["SAYSO_TOKEN_FILE"],
    ..in_file("token_file", |all| {
        let files: Vec<_> = all.token_files.value.iter().map(|file| file.display().to_string()).collect();
        ((!files.is_empty()).then(|| files.join(", ")), &all.token_files.origin)
    })
};
pub(super) const LANGUAGE: SettingSpec = SettingSpec {
    flag: Some("--lang"),
    variables: &["SAYSO_LANG"],
    ..in_file("language", |all| (Some(all.language.value.code().to_owned()), &all.language.origin))
};
pub(super) const FORMAT: SettingSpec = SettingSpec {
    variables: &["SAYSO_FORMAT"],
    in_project: true,
    ..in_file("format", |all| {
        (all.dialect.value.map(|dialect| dialect.name().to_owned()), &all.dialect.origin)
    })
};
pub(super) const AUQ: SettingSpec = SettingSpec {
    members: &["compat", "max_questions", "max_options"],
    in_project: true,
    ..in_file("auq", |all| {
        let limits = all.auq.value;
        let text = format!("{}, {} × {}", limits.compat().name(), limits.questions(), limits.options());
        (Some(text), &all.auq.origin)
    })
};
pub(super) const FROM: SettingSpec = SettingSpec {
    variables: &["SAYSO_FROM"],
    ..in_file("from", |all| (all.from.value.clone(), &all.from.origin))
};
const SCRIPTED_ANSWERS: SettingSpec = in_file("scripted_answers", |all| shown_value(&all.scripted_answers));
const SETTLED_DAYS: SettingSpec = in_file("retention.settled_days", |all| shown_value(&all.settled_days));
const DRAFT_DAYS: SettingSpec = in_file("retention.draft_days", |all| shown_value(&all.draft_days));
const PUBLIC_URL: SettingSpec =
    in_file("server.public_url", |all| (all.server.public_url.value.clone(), &all.server.public_url.origin));
const EMBEDDED_CONSENT: SettingSpec = in_file("server.embedded_consent", |all| {
    let accounts = &all.server.embedded_consent;
    ((!accounts.value.is_empty()).then(|| accounts.value.join(", ")), &accounts.origin)
});
const AUDIENCE: SettingSpec = in_file("server.audience", |all| {
    let names = &all.server.audience;
    (Some(names.value.join(", ")), &names.origin)
});
const KEPT_MIB: SettingSpec = in_file("server.kept_mib", |all| shown_value(&all.server.kept_mib));
const ASKS_PER_HOUR: SettingSpec =
    in_file("server.asks_per_hour", |all| shown_value(&all.server.asks_per_hour));
const SERVICE_LOGINS: SettingSpec =
    in_file("server.service_logins_per_hour", |all| shown_value(&all.server.service_logins_per_hour));
const SERVICE_SESSIONS: SettingSpec =
    in_file("server.service_sessions", |all| shown_value(&all.server.service_sessions));
const SESSION_DAYS: SettingSpec = in_file("server.session_days", |all| shown_value(&all.server.session_days));
const TURN_SILENCE: SettingSpec =
    in_file("server.turn_silence_seconds", |all| shown_value(&all.server.turn_silence_seconds));
const SIGN_IN_PROXY: SettingSpec = in_file("server.sign_in_proxy", |all| {
    let proxy = &all.server.sign_in_proxy;
    let header = proxy.value.as_ref().map(|table| table.get("user_header").and_then(toml::Value::as_str));
    (header.map(|header| header.unwrap_or("?").to_owned()), &proxy.origin)
});

fn shown_value<T: ToString>(setting: &Setting<T>) -> ShownSetting<'_> {
    (Some(setting.value.to_string()), &setting.origin)
}

const HOOK_TOOLS: SettingSpec =
    in_file("hooks.tools", |all| (Some(all.hooks.tools.value.join(", ")), &all.hooks.tools.origin));
const HOOK_PRESENT: SettingSpec =
    in_file("hooks.present_minutes", |all| shown_value(&all.hooks.present_minutes));
const HOOK_GIVE_WAY: SettingSpec =
    in_file("hooks.give_way_seconds", |all| shown_value(&all.hooks.give_way_seconds));
const HOOK_KEPT: SettingSpec = in_file("hooks.kept_days", |all| shown_value(&all.hooks.kept_days));
const MCP_TASKS: SettingSpec = in_file("mcp.tasks", |all| shown_value(&all.mcp.tasks));
const MCP_FORMS: SettingSpec = in_file("mcp.forms", |all| shown_value(&all.mcp.forms));
/// Without a value it follows the terminal.
pub(crate) const THEME: SettingSpec = SettingSpec {
    variables: &["SAYSO_THEME", NO_COLOR],
    ..in_file("screen.theme", |all| (all.ui.theme.value.clone(), &all.ui.theme.origin))
};
pub(super) const PLAIN: SettingSpec = SettingSpec {
    variables: &["SAYSO_PLAIN", "ACCESSIBLE"],
    ..in_file("screen.plain", |all| shown_value(&all.ui.plain))
};
const MOUSE: SettingSpec = in_file("screen.mouse", |all| shown_value(&all.ui.mouse));
const SUBMIT: SettingSpec =
    in_file("screen.submit", |all| (Some(all.ui.submit.value.name().to_owned()), &all.ui.submit.origin));
const NOTIFY: SettingSpec =
    in_file("screen.notify", |all| (all.ui.notify.value.clone(), &all.ui.notify.origin));

/// Variable that asks every program for no colours, whatever its value.
pub(super) const NO_COLOR: &str = "NO_COLOR";

/// Returns the names of a setting that only the user's file sets.
const fn in_file(name: &'static str, shown: for<'s> fn(&'s Settings) -> ShownSetting<'s>) -> SettingSpec {
    SettingSpec { name, members: &[], flag: None, variables: &[], in_project: false, shown }
}

impl SettingSpec {
    /// Returns the names in a file, each after its table; `""` is the top level.
    fn names_in_file(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let single = self.members.is_empty().then(|| self.name.split_once('.').unwrap_or(("", self.name)));
        single.into_iter().chain(self.members.iter().map(|member| (self.name, *member)))
    }
}

/// Returns the names in a settings file, each after its table. The top level, with the tables, comes first.
pub(super) fn names_in_file(is_project: bool) -> Vec<(&'static str, &'static str)> {
    let specs = SETTINGS.iter().filter(|spec| spec.in_project || !is_project);
    let (mut top, inner): (Vec<_>, Vec<_>) =
        specs.flat_map(|spec| spec.names_in_file()).partition(|(table, _)| table.is_empty());
    for (table, _) in &inner {
        if !top.contains(&("", *table)) {
            top.push(("", table));
        }
    }
    top.extend(inner);
    top
}
