//! `sayso group`: groups of accounts, which audiences of asks name.

use crate::cli::{GroupCommand, GroupMembersArgs};
use crate::cli_session::CliSession;
use crate::output::console::{self, print_output};
use crate::output::exit::CommandExit;
use sayso_core::i18n::own;
use sayso_core::wire::json;
use sayso_core::{Message, Problem, ProblemCode, display};
use sayso_desk::{GroupChange, Groups};
use serde::Serialize;
use std::fmt::Write as _;

#[derive(Serialize)]
struct GroupsJson {
    groups: Groups,
}

pub(crate) fn run(session: &CliSession, command: GroupCommand) -> Result<CommandExit, Problem> {
    match command {
        GroupCommand::Add(args) => change(session, args, true),
        GroupCommand::Remove(args) => change(session, args, false),
        GroupCommand::List { json } => list(session, json),
    }
}

fn change(session: &CliSession, args: GroupMembersArgs, joins: bool) -> Result<CommandExit, Problem> {
    // A group decides who answers.
    if let Some(agent) = &session.agent {
        return Err(Problem::new(ProblemCode::NotAllowed, Message::AgentGroup.with([own(agent)])));
    }
    let desk = session.desk_access.local()?;
    for account in args.accounts {
        desk.change_group(GroupChange { group: args.group.clone(), account, joins })?;
    }
    let accounts = desk.groups()?.remove(&args.group).unwrap_or_default();
    let accounts: Vec<_> = accounts.into_iter().collect();
    let message = if accounts.is_empty() { Message::GroupEmpty } else { Message::GroupHas };
    let parts = [args.group, accounts.join(", ")];
    console::print_untrusted(&message.render_with(session.lang(), parts.map(own)));
    Ok(CommandExit::Done)
}

fn list(session: &CliSession, json: bool) -> Result<CommandExit, Problem> {
    let groups = session.desk_access.local()?.groups()?;
    if json {
        return Ok(print_output(&json::write(&GroupsJson { groups })));
    }
    if groups.is_empty() {
        console::print_message(Message::NoGroups.plain(session.lang()));
        return Ok(CommandExit::Done);
    }
    let mut lines = String::new();
    for (group, accounts) in groups {
        let accounts: Vec<_> = accounts.into_iter().collect();
        // Writing to a `String` can't fail.
        let _ = writeln!(
            lines,
            "{}: {}",
            display::escape_line(&group),
            display::escape_line(&accounts.join(", "))
        );
    }
    Ok(print_output(&lines))
}
