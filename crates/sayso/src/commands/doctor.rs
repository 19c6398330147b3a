//! `sayso doctor`: the settings with where they come from, and whether the desk works.

use super::print;
use crate::cli::Doctor;
use crate::exit::Exit;
use crate::session::Session;
use sayso_core::{Lang, Problem};
use sayso_desk::Desk as _;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::IsTerminal as _;

#[derive(Serialize)]
struct Line {
    name: &'static str,
    value: String,
    from: String,
}

#[derive(Serialize)]
struct Report {
    version: &'static str,
    settings: Vec<Line>,
    desk: Health,
    agent: Option<String>,
    terminal: bool,
}

#[derive(Serialize)]
struct Health {
    ok: bool,
    bell: bool,
    waiting: Option<String>,
    problem: Option<Problem>,
}

pub(super) fn run(session: &Session, args: &Doctor) -> Result<Exit, Problem> {
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        settings: settings(session),
        desk: health(session),
        agent: session.agent.clone(),
        terminal: std::io::stdin().is_terminal(),
    };
    let exit = report.desk.problem.as_ref().map_or(Exit::Done, |problem| Exit::of_problem(problem.code));
    print(&if args.json { sayso_core::wire::json::write(&report) } else { as_text(&report, session.lang()) });
    Ok(exit)
}

fn settings(session: &Session) -> Vec<Line> {
    let settings = &session.settings;
    let line = |name, value: String, from: &dyn ToString| Line { name, value, from: from.to_string() };
    let none = || "-".to_owned();
    let retention = settings.retention.value;
    let limits = settings.auq.value;
    let auq = format!("{}, {} × {}", limits.compat().name(), limits.questions(), limits.options());
    let language = if settings.language.value == Lang::Zh { "zh" } else { "en" };
    let mut lines = vec![
        line("desk", settings.desk.value.to_string(), &settings.desk.origin),
        line("language", language.to_owned(), &settings.language.origin),
        line(
            "dialect",
            settings.dialect.value.map_or_else(none, |dialect| dialect.name().to_owned()),
            &settings.dialect.origin,
        ),
        line("auq", auq, &settings.auq.origin),
        line("from", settings.from.value.clone().unwrap_or_else(none), &settings.from.origin),
        line(
            "scripted_answers",
            settings.scripted_answers.value.to_string(),
            &settings.scripted_answers.origin,
        ),
        line("retention.settled_days", retention.settled_days.to_string(), &settings.retention.origin),
        line("retention.draft_days", retention.draft_days.to_string(), &settings.retention.origin),
    ];
    lines.push(line("user file", settings.user_file.display().to_string(), &"-"));
    if let Some(file) = &settings.project_file {
        lines.push(line("project file", file.display().to_string(), &"-"));
    }
    lines
}

fn health(session: &Session) -> Health {
    let look = || -> Result<(bool, String), Problem> {
        let desk = session.desk()?;
        let page = desk.list(&sayso_desk::Query::default())?;
        let more = if page.next.is_some() { "+" } else { "" };
        Ok((desk.hears_bell(), format!("{}{more}", page.rows.len())))
    };
    match look() {
        Ok((bell, waiting)) => Health { ok: true, bell, waiting: Some(waiting), problem: None },
        Err(problem) => Health { ok: false, bell: false, waiting: None, problem: Some(problem) },
    }
}

fn as_text(report: &Report, lang: Lang) -> String {
    use sayso_core::Message;
    let mut text = format!("sayso {}\n\n", report.version);
    // Writing to a String cannot fail.
    for Line { name, value, from } in &report.settings {
        let line = format!("{name:<24} {value}  ({from})");
        let _ = writeln!(text, "{}", sayso_core::display::line(&line));
    }
    text.push('\n');
    match &report.desk {
        Health { problem: Some(problem), .. } => {
            for line in problem.lines(lang) {
                let _ = writeln!(text, "✗ {}", sayso_core::display::line(&line));
            }
        }
        Health { bell, waiting, .. } => {
            let _ =
                writeln!(text, "✓ {}", Message::DeskWorks.say(lang, [waiting.clone().unwrap_or_default()]));
            let said = if *bell { Message::BellHeard } else { Message::BellUnheard };
            let _ = writeln!(text, "{} {}", if *bell { "✓" } else { "!" }, said.plain(lang));
        }
    }
    let said = match &report.agent {
        Some(agent) => Message::ShellOfAgent.say(lang, [agent]),
        None => Message::ShellOfPerson.plain(lang).to_owned(),
    };
    let _ = writeln!(text, "✓ {said}");
    text
}
