//! Commands, one file each.

mod access;
mod agent;
mod answer;
mod ask;
mod auq;
mod completions;
mod desk;
mod doctor;
mod formats;
mod hook;
mod inbox;
mod lookup;
mod mcp;
mod serve;
pub(crate) mod setup;

use crate::cli::{AnswerArgs, CheckArgs, Cli, CliCommand, HookArgs};
use crate::cli::{help, help_topics};
use crate::cli_session::CliSession;
use crate::config::environment::ProcessEnv;
use crate::config::{self, GlobalFlags};
use crate::output::console::{self, print_output};
use crate::output::exit::CommandExit;
use clap::Parser as _;
use sayso_core::i18n::own;
use sayso_core::{Lang, Message, Problem, ProblemCode};
use std::ffi::OsString;
use std::path::Path;

/// Command with a command line of its own.
type ProgramFn = fn(&CliSession, Vec<OsString>) -> Result<CommandExit, Problem>;

/// Runs the command that the arguments name, or the one that the program's name selects.
pub(crate) fn run(args: Vec<OsString>) -> CommandExit {
    let name = args.first().and_then(|arg| Path::new(arg).file_stem()).and_then(|stem| stem.to_str());
    let own_program = match name {
        Some(sayso_dialects::ask_user_question::NAME) => Some(ask::ask_user_question::run as ProgramFn),
        Some(auq::PROGRAM_NAME) => Some(auq::run as ProgramFn),
        _ => None,
    };
    if let Some(program) = own_program {
        let rest = args.into_iter().skip(1).collect();
        let flags = GlobalFlags::default();
        return run_in_session(CliSession::new(ProcessEnv::read(), &flags), &flags, |session| {
            program(session, rest)
        });
    }
    // Programs start these; no one types them.
    if let [_, command, rest @ ..] = args.as_slice() {
        if command == agent::keeper::NAME {
            return agent::keeper::run(rest);
        }
        if command == agent::questions::RELAY_NAME {
            return agent::questions::relay();
        }
    }
    // A hook runs for each call of an agent. clap alone would take a third of its time.
    if let Some(args) = HookArgs::read_plain(&args) {
        return hook::run(&args, &GlobalFlags::default());
    }
    if let Some(text) = help_topics::find(&args) {
        return report_unwritten(print_output(&text), Lang::En);
    }
    match Cli::try_parse_from(args) {
        Ok(cli) => {
            let flags = GlobalFlags { desk: cli.desk, lang: cli.lang };
            // It begins a session only for the few calls that concern the desk.
            if let Some(CliCommand::Hook(args)) = &cli.command {
                return hook::run(args, &flags);
            }
            let environment = ProcessEnv::read();
            let begun = match &cli.command {
                // It checks the settings, and reports what is invalid.
                Some(CliCommand::Doctor(_)) => CliSession::new_despite_faults(environment, &flags),
                _ => CliSession::new(environment, &flags),
            };
            if let (Err(problem), Some(CliCommand::Check(CheckArgs { json: true, .. }))) =
                (&begun, &cli.command)
            {
                let lang = config::resolve_leniently(&ProcessEnv::read(), &flags);
                return report_unwritten(formats::check::print_unchecked(problem, lang), lang);
            }
            run_in_session(begun, &flags, |session| dispatch(session, cli.command, cli.plain))
        }
        Err(error) => {
            // Help and version are data; errors go to standard error.
            let (text, is_error) = help::text_for(error);
            if is_error {
                console::print_untrusted(text.trim_end());
                return CommandExit::Usage;
            }
            report_unwritten(
                print_output(&text),
                config::resolve_leniently(&ProcessEnv::read(), &GlobalFlags::default()),
            )
        }
    }
}

fn run_in_session(
    begun: Result<CliSession, Problem>,
    flags: &GlobalFlags,
    work: impl FnOnce(&CliSession) -> Result<CommandExit, Problem>,
) -> CommandExit {
    let session = match begun {
        Ok(session) => session,
        Err(problem) => {
            console::print_problem(&problem, config::resolve_leniently(&ProcessEnv::read(), flags));
            return CommandExit::from_code(problem.code);
        }
    };
    let exit = work(&session).unwrap_or_else(|problem| {
        console::print_problem(&problem, session.lang());
        if problem.code == ProblemCode::AskNotFound {
            console::print_message(&format!(
                "  {}",
                Message::DeskIs.render_with(session.lang(), [own(session.desk_access.name())])
            ));
        }
        CommandExit::from_code(problem.code)
    });
    session.finish();
    report_unwritten(exit, session.lang())
}

/// Prints a message if data could not be written: standard error may still be read.
fn report_unwritten(exit: CommandExit, lang: Lang) -> CommandExit {
    if exit == CommandExit::Unwritten {
        console::print_message(Message::DataUnwritten.plain(lang));
    }
    exit
}

/// Runs a command. `plain` comes from before the command, and applies to those with a full screen.
fn dispatch(session: &CliSession, command: Option<CliCommand>, plain: bool) -> Result<CommandExit, Problem> {
    // These look for asks, which only a desk that exists has.
    if let Some(
        CliCommand::List(_)
        | CliCommand::Show(_)
        | CliCommand::Link(_)
        | CliCommand::Wait(_)
        | CliCommand::Cancel(_)
        | CliCommand::Answer(_),
    ) = &command
    {
        session.desk_access.check_exists()?;
    }
    match command {
        Some(CliCommand::Ask(mut args)) => {
            args.asking.plain |= plain;
            ask::run(session, args)
        }
        Some(CliCommand::Run(mut args)) => {
            args.asking.plain |= plain;
            ask::run_command::run(session, args)
        }
        Some(CliCommand::Wait(args)) => ask::wait::run(session, &args),
        Some(CliCommand::Cancel(args)) => ask::cancel::run(session, &args.id),
        Some(CliCommand::Answer(args)) => {
            answer::run(session, AnswerArgs { plain: plain || args.plain, ..args })
        }
        Some(CliCommand::List(args)) => lookup::list::run(session, &args),
        Some(CliCommand::Show(args)) => lookup::show::run(session, &args),
        Some(CliCommand::Link(args)) => lookup::link::run(session, &args.id),
        Some(CliCommand::Check(args)) => formats::check::run(session, &args),
        Some(CliCommand::Schema(args)) => formats::schema::run(session, &args),
        Some(CliCommand::Doctor(args)) => doctor::run(session, &args),
        Some(CliCommand::Mcp(args)) => mcp::run(session, args),
        Some(CliCommand::Setup(args)) => setup::run(session, &args),
        // It ran before the session began.
        Some(CliCommand::Hook(_)) => Ok(CommandExit::Done),
        Some(CliCommand::Serve(args)) => serve::run(session, *args),
        Some(CliCommand::Agent(args)) => agent::run(session, args),
        Some(CliCommand::Desk(args)) => desk::run(session, args),
        Some(CliCommand::Token(args)) => access::token::run(session, args),
        Some(CliCommand::Group(args)) => access::group::run(session, args),
        Some(CliCommand::Completions { shell }) => completions::run(shell, session.lang()),
        Some(CliCommand::AskUserQuestion { args }) => ask::ask_user_question::run(session, args),
        Some(CliCommand::Auq { args }) => auq::run(session, args),
        Some(CliCommand::Inbox { plain: after, all }) => inbox::run(session, plain || after, all),
        None => inbox::run(session, plain, false),
    }
}
