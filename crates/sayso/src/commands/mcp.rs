//! `sayso mcp`: agents ask as a tool. The desk is opened in this process; what is asked there outlives it.

use crate::ages;
use crate::cli::Mcp;
use crate::environment::Environment;
use crate::exit::Exit;
use crate::session::{self, Session};
use sayso_core::Problem;
use sayso_server::mcp::{self, Setup, ToolSet};
use std::time::Duration;

pub(super) fn run(session: &Session, args: Mcp) -> Result<Exit, Problem> {
    let hold = args.hold.as_deref().map(ages::parse_limit).transpose()?;
    let setup = Setup {
        desk: session.shared_desk()?,
        from: args.from.or_else(|| session.settings.from.value.clone()),
        folder: Environment::folder().map(|folder| folder.to_string_lossy().into_owned()),
        hold: hold.and_then(|hold| u64::try_from(hold).ok()).map(Duration::from_millis),
        person: session.environment.user(),
        scripted: session.settings.scripted_answers.value,
        seal: session.beside_desk(".seal"),
        tools: ToolSet::default(),
        time_limit: ages::parse_limit,
        now: session::now,
    };
    mcp::serve(setup)?;
    Ok(Exit::Done)
}
