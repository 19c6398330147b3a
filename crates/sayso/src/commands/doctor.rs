//! `sayso doctor`: reports the settings with their origins, and whether the desk works.

use crate::cli::Doctor;
use crate::console::print;
use crate::exit::Exit;
use crate::opening::Opened;
use crate::session::Session;
use crate::settings::{Address, Fault, Origin, slips};
use crate::tty;
use crate::writability;
use sayso_core::{Code, Lang, Message, Problem};
use sayso_desk::maintenance;
use sayso_desk::token::Role;
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::path::Path;

/// Largest desk that is checked completely, which takes a second or two on a slow disk.
const CHECKED_BYTES: u64 = 256 << 20;

#[derive(Serialize)]
struct Line {
    name: &'static str,
    /// Value, or `None` if it isn't set.
    value: Option<String>,
    from: From,
}

/// Origin of a value; for a file, whether it exists.
enum From {
    Set(Origin),
    File { is_there: bool },
}

impl From {
    fn words(&self, lang: Lang) -> Cow<'_, str> {
        match self {
            Self::Set(Origin::Default) => Cow::Borrowed(Message::ByDefault.plain(lang)),
            Self::Set(origin) => Cow::Owned(origin.to_string()),
            Self::File { is_there: true } => Cow::Borrowed(Message::SettingsThere.plain(lang)),
            Self::File { is_there: false } => Cow::Borrowed(Message::SettingsAbsent.plain(lang)),
        }
    }
}

impl Serialize for From {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.words(Lang::En))
    }
}

#[derive(Serialize)]
struct Report {
    version: &'static str,
    settings: Vec<Line>,
    /// Name of the desk in messages.
    #[serde(skip)]
    desk_name: String,
    desk: Health,
    /// Status of each token at a remote desk.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tokens: Vec<TokenLine>,
    /// Reason that the full screen can't be shown on any terminal.
    #[serde(skip_serializing_if = "Option::is_none")]
    screen: Option<Problem>,
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
struct Health {
    ok: bool,
    /// Existence of the desk file. The report doesn't create it.
    made: bool,
    wakeup: bool,
    waiting: Option<String>,
    problem: Option<Problem>,
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

pub(super) fn run(session: &Session, args: &Doctor) -> Result<Exit, Problem> {
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        settings: settings(session),
        desk_name: session.desk_name(),
        desk: health(session),
        tokens: tokens(session),
        screen: session.settings.look.theme(&session.environment, session.lang()).err(),
        invalid_settings: session
            .faults
            .iter()
            .filter(|fault| fault.setting != Fault::DESK)
            .map(|fault| fault.problem.clone())
            .collect(),
        slips: slips::of(&session.settings),
        agent: session.agent.clone(),
        terminal: std::io::stdin().is_terminal(),
    };
    let trouble = report.tokens.iter().find_map(|token| token.problem.as_ref());
    let trouble = report.desk.problem.as_ref().or(trouble).or(report.screen.as_ref());
    let trouble = trouble.or(report.invalid_settings.first());
    let exit = trouble.map_or(Exit::Done, |problem| Exit::of_problem(problem.code));
    let text =
        if args.json { sayso_core::wire::json::write(&report) } else { as_text(&report, session.lang()) };
    Ok(print(&text).then(exit))
}

fn settings(session: &Session) -> Vec<Line> {
    let settings = &session.settings;
    let perhaps = |name, value, origin: &Origin| Line { name, value, from: From::Set(origin.clone()) };
    let line = |name, value, origin: &Origin| perhaps(name, Some(value), origin);
    let limits = settings.auq.value;
    let auq = format!("{}, {} × {}", limits.compat().name(), limits.questions(), limits.options());
    let files: Vec<_> = settings.token_files.value.iter().map(|file| file.display().to_string()).collect();
    let files = files.join(", ");
    let mut lines = vec![
        line("desk", settings.desk.value.to_string(), &settings.desk.origin),
        perhaps("token_file", (!files.is_empty()).then_some(files), &settings.token_files.origin),
        line("language", settings.language.value.code().to_owned(), &settings.language.origin),
        perhaps(
            "dialect",
            settings.dialect.value.map(|dialect| dialect.name().to_owned()),
            &settings.dialect.origin,
        ),
        line("auq", auq, &settings.auq.origin),
        perhaps("from", settings.from.value.clone(), &settings.from.origin),
        line(
            "scripted_answers",
            settings.scripted_answers.value.to_string(),
            &settings.scripted_answers.origin,
        ),
        line(
            "retention.settled_days",
            settings.settled_days.value.to_string(),
            &settings.settled_days.origin,
        ),
        line("retention.draft_days", settings.draft_days.value.to_string(), &settings.draft_days.origin),
        line("server.kept_mib", settings.server.kept_mib.value.to_string(), &settings.server.kept_mib.origin),
        line(
            "server.asks_per_hour",
            settings.server.asks_per_hour.value.to_string(),
            &settings.server.asks_per_hour.origin,
        ),
        line(
            "server.turn_silence_seconds",
            settings.server.turn_silence_seconds.value.to_string(),
            &settings.server.turn_silence_seconds.origin,
        ),
    ];
    let look = &settings.look;
    lines.push(perhaps(THEME, look.theme.value.clone(), &look.theme.origin));
    lines.push(line("screen.plain", look.plain.value.to_string(), &look.plain.origin));
    lines.push(line("screen.mouse", look.mouse.value.to_string(), &look.mouse.origin));
    lines.push(perhaps("screen.notify", look.notify.value.clone(), &look.notify.origin));
    let file = |name, file: &Path| {
        let from = From::File { is_there: file.exists() };
        Line { name, value: Some(file.display().to_string()), from }
    };
    lines.push(file("user file", &settings.user_file));
    lines.extend(settings.project_file.as_ref().map(|project| file("project file", project)));
    lines
}

fn health(session: &Session) -> Health {
    let look = || -> Result<Option<(bool, String)>, Problem> {
        if let Some(fault) = session.faults.iter().find(|fault| fault.setting == Fault::DESK) {
            return Err(fault.problem.clone());
        }
        session.must_have_desk()?;
        if let Address::Sqlite(path) = &session.settings.desk.value {
            writability::check(path)?;
        }
        if session.has_no_desk() {
            return Ok(None);
        }
        let desk = session.desk()?;
        if let Address::Sqlite(path) = &session.settings.desk.value {
            look_for_damage(path)?;
        }
        let page = desk.list(&sayso_desk::Query::default())?;
        let more = if page.next.is_some() { "+" } else { "" };
        let wakeup = match session.opened()? {
            Opened::Local(desk) => desk.has_wakeup(),
            Opened::Remote(_) => true,
        };
        Ok(Some((wakeup, format!("{}{more}", page.rows.len()))))
    };
    let made = !session.has_no_desk();
    match look() {
        Ok(seen) => {
            let (wakeup, waiting) = seen.unzip();
            Health { ok: true, made, wakeup: wakeup.unwrap_or_default(), waiting, problem: None }
        }
        Err(problem) => Health { ok: false, made, wakeup: false, waiting: None, problem: Some(problem) },
    }
}

/// Checks the whole desk if that is quick; `sayso desk check` has no limit.
fn look_for_damage(path: &Path) -> Result<(), Problem> {
    if std::fs::metadata(path).is_ok_and(|file| file.len() > CHECKED_BYTES) {
        return Ok(());
    }
    let findings = maintenance::check(path, false, &|_, _| {})?;
    if findings.is_sound() {
        return Ok(());
    }
    let others = findings.other.len() + findings.file.len();
    let said = Message::DamageFound.with([findings.damaged_asks.len(), others]);
    Err(Problem::new(Code::DeskDamaged, said).hint(Message::RowDamagedHint))
}

fn tokens(session: &Session) -> Vec<TokenLine> {
    if session.has_no_desk() {
        return Vec::new();
    }
    let Ok(Opened::Remote(desk)) = session.opened() else { return Vec::new() };
    let line = |role: Role| {
        let (me, problem) = match desk.me(role) {
            Ok(me) => (Some(me), None),
            Err(problem) => (None, Some(problem)),
        };
        let (account, version) = me.map(|me| (me.account, me.version)).unzip();
        TokenLine { role: role.as_str(), account, version, problem }
    };
    desk.roles().into_iter().map(line).collect()
}

/// Setting that follows the terminal if it isn't set.
const THEME: &str = "screen.theme";

fn as_text(report: &Report, lang: Lang) -> String {
    let mut text = format!("sayso {}\n\n", report.version);
    // Writing to a `String` can't fail.
    for Line { name, value, from } in &report.settings {
        let unset = if *name == THEME { Message::AsTheTerminal } else { Message::NotSet };
        let value = value.as_deref().unwrap_or_else(|| unset.plain(lang));
        let line = format!("{name:<24} {value}  ({})", from.words(lang));
        let _ = writeln!(text, "{}", sayso_core::display::line(&line));
    }
    text.push('\n');
    match &report.desk {
        Health { problem: Some(problem), .. } => tell(&mut text, "✗", problem, lang),
        Health { made: false, .. } => {
            let _ = writeln!(text, "✓ {}", Message::DeskNotYet.say(lang, [&report.desk_name]));
        }
        Health { wakeup, waiting, .. } => {
            let details = [waiting.clone().unwrap_or_default(), report.desk_name.clone()];
            let _ = writeln!(text, "✓ {}", Message::DeskWorks.say(lang, details));
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
    for token in &report.tokens {
        let (mark, message) = match token {
            TokenLine { role, account: Some(account), version: Some(version), .. } => {
                ("✓", Message::TokenKnown.say(lang, [role, account.as_str(), version.as_str()]))
            }
            TokenLine { role, problem, .. } => {
                let why = problem.as_ref().map(|problem| problem.message.render(lang));
                ("✗", format!("{role}: {}", why.unwrap_or_default()))
            }
        };
        let _ = writeln!(text, "{mark} {}", sayso_core::display::line(&message));
    }
    report.invalid_settings.iter().for_each(|problem| tell(&mut text, "✗", problem, lang));
    report.screen.iter().for_each(|problem| tell(&mut text, "✗", problem, lang));
    report.slips.iter().for_each(|slip| tell(&mut text, "!", slip, lang));
    let message = match &report.agent {
        Some(agent) => Message::ShellOfAgent.say(lang, [agent, &report.desk_name]),
        None if !tty::is_there() => Message::NoTerminalHere.say(lang, [&report.desk_name]),
        None => Message::ShellOfPerson.plain(lang).to_owned(),
    };
    let _ = writeln!(text, "✓ {message}");
    if report.desk.problem.is_none() {
        let _ = writeln!(text, "  {}", Message::OtherDesks.plain(lang));
    }
    text
}

/// Appends a problem, with its hint below.
fn tell(text: &mut String, mark: &str, problem: &Problem, lang: Lang) {
    let lines = problem.lines(lang);
    // A message of the TOML parser has several lines.
    for (at, line) in lines.iter().flat_map(|line| line.lines()).enumerate() {
        let mark = if at == 0 { mark } else { " " };
        // Writing to a `String` can't fail.
        let _ = writeln!(text, "{mark} {}", sayso_core::display::line(line));
    }
}
