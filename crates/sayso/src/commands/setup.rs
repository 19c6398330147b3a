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
mod state;
mod summary;
mod toml_document;

use crate::cli::SetupArgs;
use crate::cli_session::CliSession;
use crate::output::console::{self, print_output};
use crate::output::exit::CommandExit;
use backup::BackupFolder;
use host::HostFolders;
pub(crate) use host::SetupHost;
use plan::SetupPlan;
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
pub(super) use state::HostState;
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

pub(super) fn run(session: &CliSession, args: &SetupArgs) -> Result<CommandExit, Problem> {
    let folders = HostFolders::from_environment(&session.environment)?;
    let backups = BackupFolder::new(session.settings.data_folder.join("setup"));
    let setup = Setup { session, args, folders: &folders, backups: &backups };
    if let Some(host) = args.host {
        return setup.set_up(host);
    }
    let hosts = folders.installed_hosts();
    if hosts.is_empty() {
        let names = SetupHost::ALL.map(SetupHost::name).join(", ");
        let problem = Problem::new(ProblemCode::InvalidSetting, Message::SetupNothingFound);
        return Err(problem.with_hint(Message::SetupNames.with([own(names)])));
    }
    let mut exit = CommandExit::Done;
    for host in hosts {
        // One host's broken file leaves the others as they are to be.
        let host_exit = match setup.set_up(host) {
            Ok(host_exit) => host_exit,
            Err(problem) => {
                console::print_problem(&problem, session.lang());
                CommandExit::from_code(problem.code)
            }
        };
        exit = exit.then(host_exit);
    }
    Ok(exit)
}

/// One run of the command.
struct Setup<'s> {
    session: &'s CliSession,
    args: &'s SetupArgs,
    folders: &'s HostFolders,
    backups: &'s BackupFolder,
}

impl Setup<'_> {
    /// Changes, checks or restores the files of one host.
    fn set_up(&self, host: SetupHost) -> Result<CommandExit, Problem> {
        let args = self.args;
        let lang = self.session.lang();
        if args.check {
            let state = HostState::read(host, self.folders)?;
            let exit = if state.is_working() { CommandExit::Done } else { CommandExit::Wrong };
            return Ok(print_output(&state.sentences(lang).join("\n")).then(exit));
        }
        loop {
            let plan = self.plan(host)?;
            if plan.is_empty() {
                let message = if args.undo { Message::SetupNothingToUndo } else { Message::SetupUpToDate };
                console::print_message(&message.render_with(lang, [host.display_name()]));
                return Ok(CommandExit::Done);
            }
            let diff = plan.diff();
            if args.print {
                return Ok(print_output(&diff));
            }
            console::print_untrusted(diff.trim_end());
            console::print_message(&format!("\n{}", summary::render(host, &plan, self.folders, lang)));
            if let Some(exit) = self.refusal(host) {
                return Ok(exit);
            }
            // The host may have written its own file while the question stood there.
            match plan.write(self.backups)? {
                None => break,
                Some(path) => {
                    let path = path.display().to_string();
                    console::print_message(&Message::SetupChangedMeanwhile.render_with(lang, [own(path)]));
                }
            }
        }
        let message = if args.undo { Message::SetupUndone } else { Message::SetupDone };
        console::print_message(&message.render_with(lang, [host.display_name()]));
        if !args.undo
            && let Some(next) = host.next_step()
        {
            console::print_message(next.plain(lang));
        }
        Ok(CommandExit::Done)
    }

    fn plan(&self, host: SetupHost) -> Result<SetupPlan, Problem> {
        if self.args.undo {
            SetupPlan::undo(host, self.folders, self.backups)
        } else {
            SetupPlan::install(host, self.folders)
        }
    }

    /// Asks whether to write, unless that is said already; returns the end of the command without a yes.
    fn refusal(&self, host: SetupHost) -> Option<CommandExit> {
        let lang = self.session.lang();
        if self.args.yes {
            return None;
        }
        if !io::stdin().is_terminal() || self.session.agent.is_some() {
            console::print_message(Message::SetupNeedsYes.plain(lang));
            return Some(CommandExit::Usage);
        }
        let question = if self.args.undo { Message::SetupConfirmUndo } else { Message::SetupConfirm };
        if !confirm(&question.render_with(lang, [host.display_name()])) {
            console::print_message(Message::SetupNothingWritten.plain(lang));
            return Some(CommandExit::Left);
        }
        None
    }
}

/// Asks on the terminal. Only a clear yes agrees.
fn confirm(question: &str) -> bool {
    let mut out = io::stderr().lock();
    // If the question can't be shown, no answer is a yes to it.
    if write!(out, "{question} [y/N] ").and_then(|()| out.flush()).is_err() {
        return false;
    }
    let mut line = String::new();
    let result = io::stdin().lock().read_line(&mut line);
    result.is_ok() && matches!(line.trim().to_lowercase().as_str(), "y" | "yes" | "是")
}
