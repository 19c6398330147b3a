//! Opening of asks: checks, content identity, and the change that opens one.

use super::LocalDesk;
use super::key::{key_use, must_be_dialect};
use crate::clock;
use crate::desk::Opened;
use crate::store::{Committed, Decide, KeyUse, Target, Together};
use sayso_core::questionnaire::Canonical;
use sayso_core::wire::json;
use sayso_core::{Asker, Code, Command, Digest, Message, NewAsk, Problem, Who, lifecycle, limits};
use serde_json::value::RawValue;
use std::sync::Arc;

/// Ask to open, prepared before the transaction begins.
pub(super) struct ToOpen {
    new: NewAsk,
    canonical: Arc<RawValue>,
    digest: Digest,
    content: Digest,
    draft_key: Option<Digest>,
    key: Option<KeyUse>,
}

impl ToOpen {
    /// Prepares an ask.
    ///
    /// # Errors
    /// If the asker's fields are too long, or the key is invalid.
    pub(super) fn of(key: Option<&str>, new: NewAsk) -> Result<Self, Problem> {
        within_limits(&new.asker)?;
        must_be_dialect(&new.dialect)?;
        let Canonical { json: canonical, digest } = new.questionnaire.canonical();
        let content = content_of(&new, digest);
        let key = key.map(|key| key_use(&Who::Asker(new.asker.clone()), key, content)).transpose()?;
        let draft_key = draft_key_of(&new);
        Ok(Self { new, canonical, digest, content, draft_key, key })
    }

    pub(super) fn change(&self) -> Together {
        let quota = self.new.asker.account.clone().zip(self.new.quota);
        Together {
            target: Target::Open {
                content: self.content,
                process: self.new.process,
                canonical: self.canonical.clone(),
                quota,
                draft_key: self.draft_key,
            },
            key: self.key.clone(),
            decide: ask_or_find(self.new.clone(), self.digest),
        }
    }
}

/// Converts a commit to the result of opening.
pub(super) fn opened(done: Committed) -> Opened {
    if done.is_new { Opened::New(done.ask) } else { Opened::Same(done.ask) }
}

impl LocalDesk {
    /// Opens each ask with its key, or finds the ask on which its key was used, all in one transaction.
    ///
    /// # Errors
    /// The index and the problem of the first refused one. Then none was opened, and all keys are unchanged.
    pub fn open_all(&self, all: Vec<(String, NewAsk)>) -> Result<Vec<Opened>, Box<(usize, Problem)>> {
        let change = |(at, (key, new)): (usize, (String, NewAsk))| {
            ToOpen::of(Some(&key), new).map(|ask| ask.change()).map_err(|problem| Box::new((at, problem)))
        };
        let changes = all.into_iter().enumerate().map(change).collect::<Result<_, _>>()?;
        let done = self.store.change_all(changes).map_err(|problem| Box::new((0, problem)))??;
        Ok(done.into_iter().map(opened).collect())
    }
}

/// Checks the asker's fields, because lists show them.
fn within_limits(asker: &Asker) -> Result<(), Problem> {
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

/// Returns the digest that makes two requests the same: asker, dialect and questions.
fn content_of(new: &NewAsk, questionnaire: Digest) -> Digest {
    let parts = (new.asker.identity(), &new.dialect, new.judged, questionnaire);
    Digest::of(json::write(&parts).as_bytes())
}

/// Returns the draft key of one asker, in any session. It includes the account, so no one continues a draft of
/// another account.
fn draft_key_of(new: &NewAsk) -> Option<Digest> {
    let key = new.draft_key.as_ref()?;
    let Asker { account, name, folder, .. } = &new.asker;
    Some(Digest::of(json::write(&(account, name, folder, &new.dialect, key)).as_bytes()))
}

/// Opens an ask if none exists; an existing one first runs what is due.
fn ask_or_find(new: NewAsk, digest: Digest) -> Decide {
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
