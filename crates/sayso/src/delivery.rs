//! Hands an outcome to the asker: rendered once in the asker's own format, printed, flushed, and only then
//! acknowledged. Whoever is killed in between gets the same bytes again.

use crate::console;
use crate::exit::Exit;
use crate::session::Session;
use sayso_core::{Ask, Asker, Message, Problem};
use sayso_dialects::{Dialect, Written};

/// What an asker gets, in one of the forms that it can have.
#[derive(Clone, Copy)]
pub(crate) struct Form<'f> {
    /// Its name at the desk, where it is kept.
    pub(crate) name: &'f str,
    /// What it says of a settled ask.
    pub(crate) write: &'f dyn Fn(&Ask) -> Written,
}

/// What command lines get.
pub(crate) const COMMAND: Form<'static> = Form { name: Written::FORM, write: &Dialect::reply };

/// Prints the outcome of a settled ask and acknowledges it.
///
/// # Errors
/// When the desk cannot store the rendering or the acknowledgement.
pub(crate) fn deliver(session: &Session, asker: &Asker, ask: &Ask, form: Form<'_>) -> Result<Exit, Problem> {
    let desk = session.desk()?;
    let render = |ask: &Ask| (form.write)(ask).to_bytes();
    // An answer that is stored gets through also when nothing more can be.
    let offered = desk.offer(asker, ask, form.name, &render);
    let (bytes, trouble) = match offered {
        Ok(bytes) => (bytes, None),
        Err(problem) => (render(ask), Some(problem)),
    };
    // Where another version wrote it otherwise, the outcome itself is still there.
    let written = Written::from_bytes(&bytes).unwrap_or_else(|| (form.write)(ask));
    if !written.stderr.is_empty() {
        console::say_safely(&written.stderr);
    }
    if let Err(exit) = console::data(&written.stdout) {
        return Ok(exit); // nobody read it, so it is not delivered
    }
    if let Some(problem) = trouble.or_else(|| desk.ack(asker, ask.id).err()) {
        let why = problem.message.render(session.lang());
        console::say(&Message::NotAcknowledged.say(session.lang(), [why]));
    }
    Ok(Exit::Prescribed(written.exit))
}
