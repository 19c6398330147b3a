//! `sayso desk`: checks the desk, backs it up, restores it and moves it.

mod copy;

use crate::cli::DeskCommand;
use crate::cli_session::CliSession;
use crate::config::DeskAddress;
use crate::output::console::{self, print_output};
use crate::output::exit::CommandExit;
use crate::output::progress_bar::ProgressBar;
use sayso_core::i18n::own;
use sayso_core::{Lang, Message, Problem, ProblemCode, display, wire};
use sayso_desk::StoreDesk;
use sayso_desk::maintenance::{self, CheckReport, CopyReport};
use std::fmt::Write as _;
use std::path::Path;

pub(super) fn run(session: &CliSession, args: DeskCommand) -> Result<CommandExit, Problem> {
    let lang = session.lang();
    if let DeskCommand::Copy { from, to, json } = &args {
        return copy::run(session, [from, to], *json);
    }
    let path = match (&session.settings.desk.value, &args) {
        (DeskAddress::Postgres(address), DeskCommand::Migrate) => {
            StoreDesk::migrate_database(&session.settings.password_files.apply(address)?)?;
            console::print_message(
                &Message::DatabaseReady.with([own(session.desk_access.name())]).render(lang),
            );
            return Ok(CommandExit::Done);
        }
        (DeskAddress::Postgres(_), _) => {
            let problem = Problem::new(ProblemCode::DeskUnsupported, Message::DatabaseHasTools);
            return Err(problem.with_hint(Message::DatabaseHasToolsHint));
        }
        (DeskAddress::Sqlite(_), DeskCommand::Migrate) => {
            return Err(Problem::new(ProblemCode::DeskUnsupported, Message::FileNeedsNoMigration));
        }
        (DeskAddress::Sqlite(path), _) => path,
        (DeskAddress::Http(_), _) => return Err(session.desk_access.remote_problem()),
    };
    match args {
        DeskCommand::Check { accept, json } => {
            require_desk_file(path)?;
            let findings = with_bar(|bar| maintenance::check(path, accept, bar))?;
            Ok(print_findings(&findings, json, lang))
        }
        DeskCommand::Backup { file, json } => {
            let report = with_bar(|bar| maintenance::backup(path, &file, bar))?;
            Ok(print_copy(&report, Message::BackedUp, json, lang))
        }
        DeskCommand::Migrate | DeskCommand::Copy { .. } => Ok(CommandExit::Done),
        DeskCommand::Restore { file, replace, json } => {
            let report = with_bar(|bar| maintenance::restore(path, &file, replace, bar))?;
            Ok(print_copy(&report, Message::Restored, json, lang))
        }
    }
}

/// Checks that the desk exists, as checking it must not create one.
fn require_desk_file(path: &Path) -> Result<(), Problem> {
    if path.try_exists().unwrap_or(true) {
        return Ok(());
    }
    let message = Message::NoDeskThere.with([own(path.display())]);
    Err(Problem::new(ProblemCode::DeskUnreachable, message).with_hint(Message::NoDeskThereHint))
}

/// Runs a long task with a progress bar.
fn with_bar<T>(work: impl FnOnce(&dyn Fn(u64, u64)) -> T) -> T {
    let bar = ProgressBar::default();
    let result = work(&|done, total| bar.show(done, total));
    bar.clear();
    result
}

fn print_findings(findings: &CheckReport, json: bool, lang: Lang) -> CommandExit {
    let exit = if findings.is_sound() {
        CommandExit::Done
    } else {
        CommandExit::from_code(ProblemCode::DeskDamaged)
    };
    if json {
        return print_output(&wire::json::write(findings)).then(exit);
    }
    if let Some(log) = &findings.kept_log {
        console::print_message(&Message::LogKept.render_with(lang, [own(log.display())]));
    }
    console::print_message(Message::CheckNotNoticed.plain(lang));
    if findings.is_sound() {
        return print_output(&Message::NothingDamaged.render_with(lang, [own(findings.asks)])).then(exit);
    }
    let mut text = String::new();
    let mut lines = Vec::new();
    if let Some(problem) = &findings.incomplete {
        lines.extend(problem.render_lines(lang));
    }
    for id in &findings.damaged_asks {
        lines.push(format!("{}  {}", id.short_id(), Message::AskDamaged.render_with(lang, [own(id)])));
    }
    lines.extend(findings.other.iter().chain(&findings.file).cloned());
    for line in lines {
        // Writing to a `String` can't fail.
        let _ = writeln!(text, "{}", display::escape_composed(&line));
    }
    let exit = print_output(&text).then(exit);
    if findings.incomplete.is_none() || !findings.damaged_asks.is_empty() {
        console::print_message(Message::RowDamagedHint.plain(lang));
    }
    exit
}

fn print_copy(report: &CopyReport, message: Message, json: bool, lang: Lang) -> CommandExit {
    if json {
        return print_output(&wire::json::write(report));
    }
    let file = report.file.display().to_string();
    let exit = print_output(&message.render_with(lang, [own(report.asks), own(file)]));
    if let Some(earlier_desk) = &report.kept {
        console::print_message(&Message::KeptNextToIt.render_with(lang, [own(earlier_desk.display())]));
    }
    exit
}
