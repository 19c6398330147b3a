//! Delivery of an outcome to the asker: rendered once in the asker's own format, printed, flushed, and only then
//! acknowledged. If the process is killed in between, the next call gets the same bytes.

use crate::console;
use crate::exit::Exit;
use crate::session::Session;
use sayso_core::{Ask, Asker, Message, Problem};
use sayso_dialects::{Dialect, Written};

/// One of the forms that an asker can receive.
#[derive(Clone, Copy)]
pub(crate) struct Form<'f> {
    /// Name of the form at the desk, which stores it.
    pub(crate) name: &'f str,
    /// Renderer of a settled ask.
    pub(crate) write: &'f dyn Fn(&Ask) -> Written,
}

/// Form for command lines.
pub(crate) const COMMAND: Form<'static> = Form { name: Written::FORM, write: &Dialect::reply };

/// Prints the outcome of a settled ask and acknowledges it.
///
/// # Errors
/// Fails if the desk can't store the rendering or the acknowledgement.
pub(crate) fn deliver(session: &Session, asker: &Asker, ask: &Ask, form: Form<'_>) -> Result<Exit, Problem> {
    let desk = session.desk()?;
    let render = |ask: &Ask| (form.write)(ask).to_bytes();
    // A stored answer is delivered even if the desk can't be written.
    let offered = desk.offer(asker, ask, form.name, &render);
    let (bytes, trouble) = match offered {
        Ok(bytes) => (bytes, None),
        Err(problem) => (render(ask), Some(problem)),
    };
    // If another version stored an incompatible rendering, the outcome itself is still available.
    let written = Written::from_bytes(&bytes).unwrap_or_else(|| (form.write)(ask));
    if !written.stderr.is_empty() {
        console::say_safely(&written.stderr);
    }
    if let Err(exit) = console::data(&written.stdout) {
        return Ok(exit); // not delivered: no one read it
    }
    if let Some(problem) = trouble.or_else(|| desk.ack(asker, ask.id).err()) {
        let why = problem.message.render(session.lang());
        console::say(&Message::NotAcknowledged.say(session.lang(), [why]));
    }
    Ok(Exit::Prescribed(written.exit))
}
