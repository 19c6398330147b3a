//! `sayso doctor`: reports the settings with their origins, and whether the desk works.

use crate::cli::DoctorArgs;
use crate::cli_session::CliSession;
use crate::cli_session::desk_opener::OpenedDesk;
use crate::cli_session::writability;
use crate::commands::setup::HostState;
use crate::config::table::{SETTINGS, THEME};
use crate::config::{DeskAddress, SettingFault, SettingOrigin, ignored_settings};
use crate::output::console::print_output;
use crate::output::exit::CommandExit;
use crate::ui::tty;
use sayso_core::i18n::own;
use sayso_core::{Lang, Message, Problem, ProblemCode};
use sayso_desk::{RemoteDesk, maintenance};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::path::Path;

/// Largest desk that is checked completely, which takes a second or two on a slow disk.
const CHECKED_BYTES: u64 = 256 << 20;

#[derive(Serialize)]
struct SettingLine {
    name: &'static str,
    /// Value, or `None` if it isn't set.
    value: Option<String>,
    from: ValueSource,
}

/// Origin of a value; for a file, whether it exists.
enum ValueSource {
    Set(SettingOrigin),
    File { exists: bool },
}

impl ValueSource {
    fn description(&self, lang: Lang) -> Cow<'_, str> {
        match self {
            Self::Set(SettingOrigin::Default) => Cow::Borrowed(Message::ByDefault.plain(lang)),
            Self::Set(origin) => Cow::Owned(origin.to_string()),
            Self::File { exists: true } => Cow::Borrowed(Message::SettingsThere.plain(lang)),
            Self::File { exists: false } => Cow::Borrowed(Message::SettingsAbsent.plain(lang)),
        }
    }
}

impl Serialize for ValueSource {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.description(Lang::En))
    }
}

#[derive(Serialize)]
struct DoctorReport {
    version: &'static str,
    settings: Vec<SettingLine>,
    /// Name of the desk in messages.
    #[serde(skip)]
    desk_name: String,
    desk: DeskHealth,
    /// Status of each token at a remote desk.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tokens: Vec<TokenLine>,
    /// Reason that the full screen can't be shown on any terminal.
    #[serde(skip_serializing_if = "Option::is_none")]
    screen: Option<Problem>,
    /// Agents' programs on this machine.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hosts: Vec<HostLine>,
    /// Invalid settings files and values, which stop other commands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    invalid_settings: Vec<Problem>,
    /// Unknown names and ignored values in settings files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    slips: Vec<Problem>,
    agent: Option<String>,
    terminal: bool,
}

#[derive(Serialize)]
struct DeskHealth {
    ok: bool,
    /// Existence of the desk file. The report doesn't create it.
    made: bool,
    wakeup: bool,
    waiting: Option<String>,
    problem: Option<Problem>,
    /// Faults of the set-up that an operator should change, though the desk works.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Problem>,
}

/// Identity of a token, without its text.
#[derive(Serialize)]
struct TokenLine {
    role: &'static str,
    account: Option<String>,
    /// Version of the program that serves the desk.
    version: Option<String>,
    problem: Option<Problem>,
}

/// Agent's program, and whether it asks at this desk.
#[derive(Serialize)]
struct HostLine {
    name: &'static str,
    connected: bool,
    working: bool,
    notes: Vec<String>,
    /// The same in the person's language.
    #[serde(skip)]
    sentences: Vec<String>,
}

pub(super) fn run(session: &CliSession, args: &DoctorArgs) -> Result<CommandExit, Problem> {
    let mut invalid_settings = Vec::new();
    for fault in &session.faults {
        // The fault of the desk is reported with the desk.
        if fault.setting != SettingFault::DESK {
            invalid_settings.push(fault.problem.clone());
        }
    }
    let report = DoctorReport {
        version: env!("CARGO_PKG_VERSION"),
        settings: setting_lines(session),
        desk_name: session.desk_access.name(),
        desk: desk_health(session),
        tokens: token_lines(session),
        screen: session.settings.ui.resolve_theme(&session.environment, session.lang()).err(),
        hosts: host_lines(session),
        invalid_settings,
        slips: ignored_settings::find_all(&session.settings),
        agent: session.agent.clone(),
        terminal: std::io::stdin().is_terminal(),
    };
    let exit = match report.first_problem() {
        Some(problem) => CommandExit::from_code(problem.code),
        None => CommandExit::Done,
    };
    let text =
        if args.json { sayso_core::wire::json::write(&report) } else { as_text(&report, session.lang()) };
    Ok(print_output(&text).then(exit))
}

impl DoctorReport {
    /// Returns the problem that the exit code tells.
    fn first_problem(&self) -> Option<&Problem> {
        let token_problem = self.tokens.iter().find_map(|token| token.problem.as_ref());
        let desk_problem = self.desk.problem.as_ref().or(token_problem);
        desk_problem.or(self.screen.as_ref()).or(self.invalid_settings.first())
    }
}

fn setting_lines(session: &CliSession) -> Vec<SettingLine> {
    let settings = &session.settings;
    let mut lines = Vec::with_capacity(SETTINGS.len() + 2);
    for spec in SETTINGS {
        let (value, origin) = (spec.shown)(settings);
        lines.push(SettingLine { name: spec.name, value, from: ValueSource::Set(origin.clone()) });
    }
    lines.push(file_line("user file", &settings.user_file));
    if let Some(project_file) = &settings.project_file {
        lines.push(file_line("project file", project_file));
    }
    lines
}

fn file_line(name: &'static str, file: &Path) -> SettingLine {
    let from = ValueSource::File { exists: file.exists() };
    SettingLine { name, value: Some(file.display().to_string()), from }
}

fn desk_health(session: &CliSession) -> DeskHealth {
    let problem = match try_desk(session) {
        Ok(Some(health)) => return health,
        Ok(None) => None,
        Err(problem) => Some(problem),
    };
    DeskHealth {
        ok: problem.is_none(),
        made: !session.desk_access.is_missing(),
        wakeup: false,
        waiting: None,
        problem,
        warnings: Vec::new(),
    }
}

/// Opens the desk, reads and writes it; `None` if it does not exist yet.
fn try_desk(session: &CliSession) -> Result<Option<DeskHealth>, Problem> {
    if let Some(fault) = session.faults.iter().find(|fault| fault.setting == SettingFault::DESK) {
        return Err(fault.problem.clone());
    }
    session.desk_access.check_exists()?;
    if let DeskAddress::Sqlite(path) = &session.settings.desk.value {
        writability::check_writable(path)?;
    }
    if session.desk_access.is_missing() {
        return Ok(None);
    }
    let desk = session.desk()?;
    if let DeskAddress::Sqlite(path) = &session.settings.desk.value {
        check_damage(path)?;
    }
    let page = desk.list(&sayso_desk::AskQuery::default())?;
    let more = if page.next.is_some() { "+" } else { "" };
    let (wakeup, warnings) = match session.desk_access.opened()? {
        OpenedDesk::Local(desk) => {
            desk.try_write()?;
            (desk.has_wakeup(), desk.warnings()?)
        }
        OpenedDesk::Remote(desk) => (true, proxy_warning(desk).into_iter().collect()),
    };
    let waiting = Some(format!("{}{more}", page.rows.len()));
    Ok(Some(DeskHealth { ok: true, made: true, wakeup, waiting, problem: None, warnings }))
}

/// Returns the warning about a proxy on the way to the desk that its server does not know.
fn proxy_warning(desk: &RemoteDesk) -> Option<Problem> {
    // A token that does not work is reported with the tokens.
    let proxy = desk.roles().into_iter().find_map(|role| desk.account_info(role).ok()?.unnamed_proxy)?;
    let problem = Problem::new(ProblemCode::InvalidSetting, Message::ProxyUnnamed.with([own(proxy)]));
    Some(problem.with_hint(Message::ProxyUnnamedHint.with([own(proxy)])))
}

/// Checks the whole desk if that is quick; `sayso desk check` has no limit.
fn check_damage(path: &Path) -> Result<(), Problem> {
    if std::fs::metadata(path).is_ok_and(|file| file.len() > CHECKED_BYTES) {
        return Ok(());
    }
    let findings = maintenance::check(path, false, &|_, _| {})?;
    if findings.is_sound() {
        return Ok(());
    }
    let others = findings.other.len() + findings.file.len();
    let message = Message::DamageFound.with([own(findings.damaged_asks.len()), own(others)]);
    Err(Problem::new(ProblemCode::DeskDamaged, message).with_hint(Message::RowDamagedHint))
}

fn token_lines(session: &CliSession) -> Vec<TokenLine> {
    if session.desk_access.is_missing() {
        return Vec::new();
    }
    let Ok(OpenedDesk::Remote(desk)) = session.desk_access.opened() else { return Vec::new() };
    let mut lines = Vec::new();
    for role in desk.roles() {
        let mut line = TokenLine { role: role.as_str(), account: None, version: None, problem: None };
        match desk.account_info(role) {
            Ok(info) => {
                line.account = Some(info.account);
                line.version = Some(info.version);
            }
            Err(problem) => line.problem = Some(problem),
        }
        lines.push(line);
    }
    lines
}

fn host_lines(session: &CliSession) -> Vec<HostLine> {
    let mut lines = Vec::new();
    for state in HostState::read_all(session) {
        lines.push(HostLine {
            name: state.name,
            connected: state.is_connected,
            working: state.is_working(),
            notes: state.sentences(Lang::En),
            sentences: state.sentences(session.lang()),
        });
    }
    lines
}

fn as_text(report: &DoctorReport, lang: Lang) -> String {
    let mut text = format!("sayso {}\n\n", report.version);
    // Writing to a `String` can't fail.
    for SettingLine { name, value, from } in &report.settings {
        let default = if *name == THEME.name { Message::AsTheTerminal } else { Message::NotSet };
        let value = value.as_deref().unwrap_or(default.plain(lang));
        let line = format!("{name:<24} {value}  ({})", from.description(lang));
        let _ = writeln!(text, "{}", sayso_core::display::escape_composed(&line));
    }
    text.push('\n');
    match &report.desk {
        DeskHealth { problem: Some(problem), .. } => append_problem(&mut text, "✗", problem, lang),
        DeskHealth { made: false, .. } => {
            let _ = writeln!(text, "✓ {}", Message::DeskNotYet.render_with(lang, [own(&report.desk_name)]));
        }
        DeskHealth { wakeup, waiting, .. } => {
            let details = [waiting.clone().unwrap_or_default(), report.desk_name.clone()];
            let _ = writeln!(text, "✓ {}", Message::DeskWorks.render_with(lang, details.map(own)));
            let message = if !report.tokens.is_empty() {
                Message::EventsHeard
            } else if *wakeup {
                Message::WakeupWorks
            } else {
                Message::WakeupMissing
            };
            let _ = writeln!(text, "{} {}", if *wakeup { "✓" } else { "!" }, message.plain(lang));
        }
    }
    for warning in &report.desk.warnings {
        append_problem(&mut text, "!", warning, lang);
    }
    for token in &report.tokens {
        let (mark, message) = match token {
            TokenLine { role, account: Some(account), version: Some(version), .. } => (
                "✓",
                Message::TokenKnown
                    .render_with(lang, [own(role), own(account.as_str()), own(version.as_str())]),
            ),
            TokenLine { role, problem, .. } => {
                let why = problem.as_ref().map(|problem| problem.message.render(lang));
                ("✗", format!("{role}: {}", why.unwrap_or_default()))
            }
        };
        let _ = writeln!(text, "{mark} {}", sayso_core::display::escape_composed(&message));
    }
    for host in &report.hosts {
        append_host(&mut text, host);
    }
    for problem in report.invalid_settings.iter().chain(&report.screen) {
        append_problem(&mut text, "✗", problem, lang);
    }
    for slip in &report.slips {
        append_problem(&mut text, "!", slip, lang);
    }
    let message = match &report.agent {
        Some(agent) => Message::ShellOfAgent.render_with(lang, [own(agent), own(&report.desk_name)]),
        None if !tty::is_available() => Message::NoTerminalHere.render_with(lang, [own(&report.desk_name)]),
        None => Message::ShellOfPerson.plain(lang).to_owned(),
    };
    let _ = writeln!(text, "✓ {message}");
    if report.desk.problem.is_none() {
        let _ = writeln!(text, "  {}", Message::OtherDesks.plain(lang));
    }
    text
}

/// Appends a host, with what keeps it from the desk below.
fn append_host(text: &mut String, host: &HostLine) {
    let mark = if host.working { "✓" } else { "!" };
    for (at, sentence) in host.sentences.iter().enumerate() {
        let mark = if at == 0 { mark } else { " " };
        // Writing to a `String` can't fail.
        let _ = writeln!(text, "{mark} {}", sayso_core::display::escape_composed(sentence));
    }
    if !host.connected {
        let _ = writeln!(text, "  sayso setup {}", host.name);
    }
}

/// Appends a problem, with its hint below.
fn append_problem(text: &mut String, mark: &str, problem: &Problem, lang: Lang) {
    let lines = problem.render_lines(lang);
    // A message of the TOML parser has several lines.
    for (at, line) in lines.iter().flat_map(|line| line.lines()).enumerate() {
        let mark = if at == 0 { mark } else { " " };
        // Writing to a `String` can't fail.
        let _ = writeln!(text, "{mark} {}", sayso_core::display::escape_composed(line));
    }
}
