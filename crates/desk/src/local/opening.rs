//! What is asked: whether it may be, what makes two requests the same, and what opening it means.

use crate::clock;
use crate::store::Decide;
use sayso_core::wire::json;
use sayso_core::{Asker, Code, Command, Digest, Message, NewAsk, Problem, Who, lifecycle, limits};

/// Lists show who asks and from where, so neither can be of any length.
pub(super) fn within_limits(asker: &Asker) -> Result<(), Problem> {
    if asker.name.chars().count() > limits::NAME_CHARS {
        return Err(Problem::new(Code::TooBig, Message::NameTooLong.with([limits::NAME_CHARS])));
    }
    for (value, said) in [(&asker.folder, Message::FolderTooLong), (&asker.session, Message::SessionTooLong)]
    {
        if value.as_ref().is_some_and(|value| value.len() > limits::PLACE_BYTES) {
            return Err(Problem::new(Code::TooBig, said.with([limits::PLACE_BYTES])));
        }
    }
    Ok(())
}

/// What makes two requests the same: who asks what, in which dialect.
pub(super) fn content_of(new: &NewAsk, questionnaire: Digest) -> Digest {
    let parts = (new.asker.identity(), &new.dialect, new.judged, questionnaire);
    Digest::of(json::write(&parts).as_bytes())
}

/// Opens an ask where there is none; on the one that is there, whatever is due happens first.
pub(super) fn ask_or_find(new: NewAsk, digest: Digest) -> Decide {
    let id = clock::new_id(new.random_id);
    Box::new(move |found, now| match found {
        Some(ask) if ask.is_due(now) => lifecycle::apply(ask, &Who::Desk, Command::Tick, now),
        Some(ask) => {
            let process = new.process;
            let waits = new.waits || process.is_some();
            let command = if waits { Command::Attach { process } } else { Command::Tick };
            lifecycle::apply(ask, &Who::Asker(new.asker.clone()), command, now)
        }
        None => lifecycle::open_digested(id, new.clone(), digest, now),
    })
}
