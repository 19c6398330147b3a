//! Delivery of an outcome to the asker: rendered once in the asker's own format, printed, flushed, and only then
//! acknowledged. If the process is killed in between, the next call gets the same bytes.

use crate::cli_session::CliSession;
use crate::output::console;
use crate::output::exit::CommandExit;
use sayso_core::i18n::own;
use sayso_core::{Ask, Asker, Message, Problem};
use sayso_dialects::{CliOutput, Dialect};

/// Format in which an asker receives an outcome.
#[derive(Clone, Copy)]
pub(crate) struct OutcomeFormat<'f> {
    /// Name of the format at the desk, which stores what it rendered.
    pub(crate) name: &'f str,
    /// Renderer of a settled ask.
    pub(crate) render: &'f dyn Fn(&Ask) -> CliOutput,
}

/// Format for command lines.
pub(crate) const COMMAND_FORMAT: OutcomeFormat<'static> =
    OutcomeFormat { name: CliOutput::FORMAT, render: &Dialect::settled_output };

/// Prints the outcome of a settled ask and acknowledges it.
///
/// # Errors
/// Fails if the desk can't store the rendering or the acknowledgement.
pub(crate) fn deliver(
    session: &CliSession,
    asker: &Asker,
    ask: &Ask,
    format: OutcomeFormat<'_>,
) -> Result<CommandExit, Problem> {
    match print_offered(session, asker, ask, format)? {
        Printed::NotRead(exit) => Ok(exit), // not delivered: no one read it
        Printed::Read { exit, trouble } => {
            let problem = match trouble {
                Some(problem) => Some(problem),
                None => session.desk().and_then(|desk| desk.ack(asker, ask.id)).err(),
            };
            if let Some(problem) = problem {
                let why = problem.message.render(session.lang());
                console::print_message(&Message::NotAcknowledged.render_with(session.lang(), [own(why)]));
            }
            Ok(CommandExit::Prescribed(exit))
        }
    }
}

/// Result of printing an outcome.
pub(crate) enum Printed {
    /// The output is closed.
    NotRead(CommandExit),
    /// It is printed, with this exit code; the desk may have failed to store the rendering.
    Read {
        /// Exit code.
        exit: u8,
        /// Failure of the desk.
        trouble: Option<Problem>,
    },
}

/// Prints the outcome of a settled ask, which someone else acknowledges.
///
/// # Errors
/// Fails if the desk cannot be opened.
pub(crate) fn print_offered(
    session: &CliSession,
    asker: &Asker,
    ask: &Ask,
    format: OutcomeFormat<'_>,
) -> Result<Printed, Problem> {
    let desk = session.desk()?;
    let render = |ask: &Ask| (format.render)(ask).to_bytes();
    // A stored answer is delivered even if the desk can't be written.
    let (bytes, trouble) = match desk.offer(asker, ask, format.name, &render) {
        Ok(bytes) => (bytes, None),
        Err(problem) => (render(ask), Some(problem)),
    };
    // If another version stored an incompatible rendering, the outcome itself is still available.
    let reply = CliOutput::from_bytes(&bytes).unwrap_or_else(|| (format.render)(ask));
    if !reply.stderr.is_empty() {
        console::print_untrusted(&reply.stderr);
    }
    Ok(match console::print_data(&reply.stdout) {
        Err(exit) => Printed::NotRead(exit),
        Ok(()) => Printed::Read { exit: reply.exit, trouble },
    })
}
