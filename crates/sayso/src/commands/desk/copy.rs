//! `sayso desk copy`: moves a desk to another file or database.

use super::with_bar;
use crate::cli_session::CliSession;
use crate::config::{DeskAddress, parse_address};
use crate::output::console::{self, print_output};
use crate::output::exit::CommandExit;
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode, wire};
use sayso_desk::PostgresAddress;
use sayso_desk::maintenance::{self, DeskPlace};

/// Copies the first desk into the second one, and marks the first one as moved.
pub(super) fn run(session: &CliSession, names: [&String; 2], json: bool) -> Result<CommandExit, Problem> {
    let [from, to] = names.map(|name| resolve(session, name));
    let [from, to] = [from?, to?];
    let [source, target] = [place(&from)?, place(&to)?];
    let copied = with_bar(|bar| maintenance::copy_desk(&source, &target, bar))?;
    if json {
        return Ok(print_output(&wire::json::write(&copied)));
    }
    let parts = [copied.asks.to_string(), copied.rows.to_string(), copied.to, copied.from];
    let exit = print_output(&Message::DeskCopied.render_with(session.lang(), parts.map(own)));
    if let Some(kept) = &copied.kept {
        console::print_message(&Message::KeptNextToIt.render_with(session.lang(), [own(kept.display())]));
    }
    Ok(exit)
}

/// Parses an address, and adds the password of a database.
fn resolve(session: &CliSession, name: &str) -> Result<DeskAddress, Problem> {
    Ok(match parse_address(name)? {
        DeskAddress::Postgres(address) => {
            let with_password: PostgresAddress = session.settings.password_files.apply(&address)?;
            DeskAddress::Postgres(Box::new(with_password))
        }
        other => other,
    })
}

fn place(address: &DeskAddress) -> Result<DeskPlace<'_>, Problem> {
    match address {
        DeskAddress::Sqlite(path) => Ok(DeskPlace::File(path)),
        DeskAddress::Postgres(address) => Ok(DeskPlace::Database(address)),
        DeskAddress::Http(address) => {
            let message = Message::CopyWithinServer.with([own(address)]);
            Err(Problem::new(ProblemCode::DeskUnsupported, message).with_hint(Message::CopyKinds))
        }
    }
}
