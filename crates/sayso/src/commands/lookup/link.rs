//! `sayso link ID`: prints the link of an ask for a browser, with a QR code for a phone.

use crate::cli_session::CliSession;
use crate::output::console::{self, print_output};
use crate::output::exit::CommandExit;
use crate::ui::surface;
use sayso_core::qr_code::QrMatrix;
use sayso_core::{AskId, Problem};

pub(crate) fn run(session: &CliSession, id: &str) -> Result<CommandExit, Problem> {
    let desk = session.desk()?;
    let link = ask_link(session, desk.find(id)?)?;
    if surface::is_stderr_terminal() {
        QrMatrix::encode(&link)?.to_half_blocks().iter().for_each(|line| console::print_message(line));
    }
    Ok(print_output(&link))
}

/// Returns the address of an ask's page. It holds no word of the ask, and signs no one in.
///
/// # Errors
/// Fails if the desk is not served.
fn ask_link(session: &CliSession, id: AskId) -> Result<String, Problem> {
    Ok(format!("{}/a/{id}", session.desk_access.page_address(&session.settings)?))
}
