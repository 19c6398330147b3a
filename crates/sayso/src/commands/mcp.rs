//! `sayso mcp`: lets agents ask with tools. The desk is opened in this process; its asks outlive the process.

use crate::ages;
use crate::cli::{Mcp, ToolsArg};
use crate::console;
use crate::environment::Environment;
use crate::exit::Exit;
use crate::opening::Opened;
use crate::session::{self, Session};
use sayso_core::{Message, Problem};
use sayso_server::mcp::{self, Setup, ToolSet};
use std::io::IsTerminal as _;
use std::sync::Arc;
use std::time::Duration;

pub(super) fn run(session: &Session, args: Mcp) -> Result<Exit, Problem> {
    if std::io::stdin().is_terminal() {
        console::say(Message::McpByHand.plain(session.lang()));
    }
    let hold = args.hold.as_deref().map(ages::parse_span).transpose()?;
    let desk = Arc::new(session.later_desk());
    let setup = Setup {
        desk: desk.clone(),
        desk_name: session.desk_name(),
        from: args.from.or_else(|| session.settings.from.value.clone()),
        folder: Environment::folder().map(|folder| folder.to_string_lossy().into_owned()),
        hold: hold.and_then(|hold| u64::try_from(hold).ok()).map(Duration::from_millis),
        person: session.environment.user(),
        scripted: session.settings.scripted_answers.value,
        seal: session.beside_desk(".seal"),
        tools: match args.tools {
            ToolsArg::Ask => ToolSet::Ask,
            ToolsArg::Auq => ToolSet::Auq,
            ToolsArg::AskUser => ToolSet::AskUser,
            ToolsArg::All => ToolSet::All,
        },
        auq: session.settings.auq.value,
        time_limit: ages::parse_limit,
        now: session::now,
    };
    mcp::serve(setup)?;
    // No call waits any more.
    if let Some(Opened::Local(desk)) = desk.opened() {
        let _ = desk.tidy_up(session.settings.retention());
    }
    Ok(Exit::Done)
}
