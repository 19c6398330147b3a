//! Commands, one file each.

mod answer;
mod ask;
mod ask_user_question;
mod auq;
mod cancel;
mod check;
mod completions;
mod convert;
mod desk;
mod doctor;
mod inbox;
mod list;
mod mcp;
mod schema;
mod serve;
mod show;
mod token;
mod wait;

use crate::cli::{Answer, Ask, Check, Cli, Command};
use crate::console::{self, print};
use crate::environment::Environment;
use crate::exit::Exit;
use crate::help;
use crate::session::Session;
use crate::settings::{self, Flags};
use clap::Parser as _;
use sayso_core::{Code, Lang, Message, Problem};
use std::ffi::OsString;
use std::path::Path;

/// Command with a command line of its own.
type Program = fn(&Session, Vec<OsString>) -> Result<Exit, Problem>;

/// Runs the command that the arguments name, or the one that the program's name selects.
pub(crate) fn run(args: Vec<OsString>) -> Exit {
    let name = args.first().and_then(|arg| Path::new(arg).file_stem()).and_then(|stem| stem.to_str());
    let own_program = match name {
        Some(sayso_dialects::ask_user_question::NAME) => Some(ask_user_question::run as Program),
        Some(auq::NAME) => Some(auq::run as Program),
        _ => None,
    };
    if let Some(program) = own_program {
        let rest = args.into_iter().skip(1).collect();
        let flags = Flags::default();
        return in_session(Session::begin(Environment::read(), &flags), &flags, |session| {
            program(session, rest)
        });
    }
    match Cli::try_parse_from(args) {
        Ok(cli) => {
            let flags = Flags { desk: cli.desk, lang: cli.lang };
            let environment = Environment::read();
            let begun = match &cli.command {
                // It checks the settings, and reports what is invalid.
                Some(Command::Doctor(_)) => Session::begin_despite_faults(environment, &flags),
                _ => Session::begin(environment, &flags),
            };
            if let (Err(problem), Some(Command::Check(Check { json: true, .. }))) = (&begun, &cli.command) {
                let lang = settings::spoken(&Environment::read(), &flags);
                return said(check::unchecked(problem, lang), lang);
            }
            in_session(begun, &flags, |session| dispatch(session, cli.command, cli.plain))
        }
        Err(error) => {
            // Help and version are data; errors go to standard error.
            let (text, is_wrong) = help::instead(error);
            if is_wrong {
                console::say_safely(text.trim_end());
                return Exit::Usage;
            }
            said(print(&text), settings::spoken(&Environment::read(), &Flags::default()))
        }
    }
}

fn in_session(
    begun: Result<Session, Problem>,
    flags: &Flags,
    work: impl FnOnce(&Session) -> Result<Exit, Problem>,
) -> Exit {
    let session = match begun {
        Ok(session) => session,
        Err(problem) => {
            console::complain(&problem, settings::spoken(&Environment::read(), flags));
            return Exit::of_problem(problem.code);
        }
    };
    let exit = work(&session).unwrap_or_else(|problem| {
        console::complain(&problem, session.lang());
        if problem.code == Code::AskNotFound {
            console::say(&format!("  {}", Message::DeskIs.say(session.lang(), [session.desk_name()])));
        }
        Exit::of_problem(problem.code)
    });
    session.end();
    said(exit, session.lang())
}

/// Prints a message if data could not be written: standard error may still be read.
fn said(exit: Exit, lang: Lang) -> Exit {
    if exit == Exit::Unwritten {
        console::say(Message::DataUnwritten.plain(lang));
    }
    exit
}

/// Runs a command. `plain` comes from before the command, and applies to those with a full screen.
fn dispatch(session: &Session, command: Option<Command>, plain: bool) -> Result<Exit, Problem> {
    let looks = |command: &Command| {
        matches!(
            command,
            Command::List(_) | Command::Show(_) | Command::Wait(_) | Command::Cancel(_) | Command::Answer(_)
        )
    };
    if command.as_ref().is_some_and(looks) {
        session.must_have_desk()?;
    }
    match command {
        Some(Command::Ask(args)) => ask::run(session, Ask { plain: plain || args.plain, ..args }),
        Some(Command::Wait(args)) => wait::run(session, &args),
        Some(Command::Cancel(args)) => cancel::run(session, &args.id),
        Some(Command::Answer(args)) => answer::run(session, Answer { plain: plain || args.plain, ..args }),
        Some(Command::List(args)) => list::run(session, &args),
        Some(Command::Show(args)) => show::run(session, &args),
        Some(Command::Check(args)) => check::run(session, &args),
        Some(Command::Convert(args)) => convert::run(session, &args),
        Some(Command::Schema(args)) => schema::run(session, &args),
        Some(Command::Doctor(args)) => doctor::run(session, &args),
        Some(Command::Mcp(args)) => mcp::run(session, args),
        Some(Command::Serve(args)) => serve::run(session, args),
        Some(Command::Desk(args)) => desk::run(session, args),
        Some(Command::Token(args)) => token::run(session, args),
        Some(Command::Completions { shell }) => completions::run(shell, session.lang()),
        Some(Command::AskUserQuestion { args }) => ask_user_question::run(session, args),
        Some(Command::Auq { args }) => auq::run(session, args),
        Some(Command::Inbox { plain: after }) => inbox::run(session, plain || after),
        None => inbox::run(session, plain),
    }
}
