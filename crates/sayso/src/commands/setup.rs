//! `sayso setup HOST`: connects an agent's program with the desk, by editing that program's own files.
//!
//! **Invariant:** a file that can't be read or parsed is left as it is, and then no other file is changed either. The
//! bytes of each changed file are kept, so that `--undo` brings them back.

mod backup;
mod change;
mod diff;
mod host;
mod json_document;
mod plan;
mod toml_document;

use crate::cli::SetupArgs;
use crate::cli_session::CliSession;
use crate::output::console::{self, print_output};
use crate::output::exit::CommandExit;
use backup::BackupFolder;
use host::HostFolders;
pub(crate) use host::SetupHost;
use plan::SetupPlan;
use sayso_core::{Message, Problem, ProblemCode};
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

pub(super) fn run(session: &CliSession, args: &SetupArgs) -> Result<CommandExit, Problem> {
    let folders = HostFolders::from_environment(&session.environment)?;
    let backups = BackupFolder::new(session.settings.data_folder.join("setup"));
    let hosts = match args.host {
        Some(host) => vec![host],
        None => folders.installed_hosts(),
    };
    if hosts.is_empty() {
        let names = SetupHost::ALL.map(SetupHost::name).join(", ");
        let nothing = Problem::new(ProblemCode::InvalidSetting, Message::SetupNothingFound);
        return Err(nothing.with_hint(Message::SetupNames.with([names])));
    }
    let mut exit = CommandExit::Done;
    for host in hosts {
        exit = exit.then(set_up(session, args, &folders, &backups, host)?);
    }
    Ok(exit)
}

/// Changes, checks or restores the files of one host.
fn set_up(
    session: &CliSession,
    args: &SetupArgs,
    folders: &HostFolders,
    backups: &BackupFolder,
    host: SetupHost,
) -> Result<CommandExit, Problem> {
    let lang = session.lang();
    let plan =
        if args.undo { SetupPlan::undo(host, folders, backups)? } else { SetupPlan::install(host, folders)? };
    if args.check {
        return Ok(report_check(session, host, &plan));
    }
    if plan.is_empty() {
        let nothing = if args.undo { Message::SetupNothingToUndo } else { Message::SetupUpToDate };
        console::print_message(&nothing.render_with(lang, [host.display_name()]));
        return Ok(CommandExit::Done);
    }
    let diff = plan.diff();
    if args.print {
        return Ok(print_output(&diff));
    }
    console::print_untrusted(diff.trim_end());
    if !args.yes {
        if !io::stdin().is_terminal() || session.agent.is_some() {
            console::print_message(Message::SetupNeedsYes.plain(lang));
            return Ok(CommandExit::Usage);
        }
        if !confirm(&Message::SetupConfirm.render_with(lang, [host.display_name()])) {
            console::print_message(Message::SetupNothingWritten.plain(lang));
            return Ok(CommandExit::Left);
        }
    }
    plan.write(backups)?;
    let done = if args.undo { Message::SetupUndone } else { Message::SetupDone };
    console::print_message(&done.render_with(lang, [host.display_name()]));
    if let Some(next) = host.next_step().filter(|_| !args.undo) {
        console::print_message(next.plain(lang));
    }
    Ok(CommandExit::Done)
}

/// Prints the state of each file.
fn report_check(session: &CliSession, host: SetupHost, plan: &SetupPlan) -> CommandExit {
    let lang = session.lang();
    let lines: Vec<_> = plan
        .missing_files()
        .map(|(path, is_new)| {
            let message = if is_new { Message::SetupMissing } else { Message::SetupOutdated };
            message.render_with(lang, [host.display_name().to_owned(), path.display().to_string()])
        })
        .collect();
    if lines.is_empty() {
        return print_output(&Message::SetupUpToDate.render_with(lang, [host.display_name()]));
    }
    print_output(&lines.join("\n")).then(CommandExit::Wrong)
}

/// Asks on the terminal. Only a clear yes agrees.
fn confirm(question: &str) -> bool {
    let mut out = io::stderr().lock();
    // If the question can't be shown, no answer is a yes to it.
    if write!(out, "{question} [y/N] ").and_then(|()| out.flush()).is_err() {
        return false;
    }
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line);
    read.is_ok() && matches!(line.trim().to_lowercase().as_str(), "y" | "yes" | "是")
}
