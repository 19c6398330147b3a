//! Opening of asks: checks, content identity, and the change that opens one.

use super::key::{check_dialect_name, key_use};
use crate::desk::OpenedAsk;
use crate::store::api::{BatchChange, ChangeTarget, CommittedChange, DecideFn, KeyUse};
use crate::{clock, process};
use sayso_core::wire::json;
use sayso_core::wire::questionnaire::CanonicalForm;
use sayso_core::{
    Actor, Ask, AskCommand, Asker, Audience, Digest, Message, NewAsk, Problem, ProblemCode, lifecycle, limits,
};
use serde::Serialize;
use serde_json::value::RawValue;
use std::sync::Arc;

/// Ask to open, prepared before the transaction begins.
pub(super) struct OpenRequest {
    new: NewAsk,
    canonical: Arc<RawValue>,
    digest: Digest,
    content: Digest,
    draft_key: Option<Digest>,
    key: Option<KeyUse>,
}

impl OpenRequest {
    /// Prepares an ask.
    ///
    /// # Errors
    /// If the asker's fields are too long, or the key is invalid.
    pub(super) fn prepare(key: Option<&str>, new: NewAsk) -> Result<Self, Problem> {
        check_asker(&new.asker)?;
        check_dialect_name(&new.dialect)?;
        let CanonicalForm { json: canonical, digest } = new.questionnaire.canonical();
        let content = content_digest(&new, digest);
        let key = match key {
            Some(key) => Some(key_use(&Actor::Asker(new.asker.clone()), key, content)?),
            None => None,
        };
        let draft_key = draft_key(&new);
        Ok(Self { new, canonical, digest, content, draft_key, key })
    }

    pub(super) fn change(&self) -> BatchChange {
        let process = self.new.process;
        // No request without a key finds what was opened with one.
        let content = if self.key.is_none() { Some(self.content) } else { None };
        let quota = self.new.asker.account.clone().zip(self.new.quota);
        BatchChange {
            target: ChangeTarget::Open {
                content,
                is_reusable: Box::new(move |ask: &Ask| ask.is_reusable_by(process, process::is_known_alive)),
                canonical: self.canonical.clone(),
                quota,
                draft_key: self.draft_key,
            },
            key: self.key.clone(),
            decide: open_decision(self.new.clone(), self.digest),
        }
    }
}

/// Converts a commit to the result of opening.
pub(super) fn into_opened_ask(change: CommittedChange) -> OpenedAsk {
    if change.is_new { OpenedAsk::New(change.ask) } else { OpenedAsk::Existing(change.ask) }
}

/// Checks the asker's fields, because lists show them.
fn check_asker(asker: &Asker) -> Result<(), Problem> {
    if asker.name.chars().count() > limits::NAME_CHARS {
        return Err(Problem::new(ProblemCode::TooBig, Message::NameTooLong.with([limits::NAME_CHARS])));
    }
    for (value, text) in [(&asker.folder, Message::FolderTooLong), (&asker.session, Message::SessionTooLong)]
    {
        if value.as_ref().is_some_and(|value| value.len() > limits::ASKER_PLACE_BYTES) {
            return Err(Problem::new(ProblemCode::TooBig, text.with([limits::ASKER_PLACE_BYTES])));
        }
    }
    Ok(())
}

/// Returns the digest that makes two requests the same: asker, audience, dialect and questions.
fn content_digest(new: &NewAsk, questionnaire: Digest) -> Digest {
    let parts = (new.asker.identity_key(), &new.dialect, new.needs_verdict, questionnaire);
    digest_with_audience(&parts, new)
}

/// Returns the draft key of one asker, in any session. It includes account and audience, so no one continues a draft
/// of another account or for others.
fn draft_key(new: &NewAsk) -> Option<Digest> {
    let key = new.draft_key.as_ref()?;
    let Asker { account, name, folder, .. } = &new.asker;
    let parts = (account, name, folder, &new.dialect, key);
    Some(digest_with_audience(&parts, new))
}

/// Computes the digest of these parts and the audience of an ask, unless it is the usual one.
fn digest_with_audience(parts: &impl Serialize, new: &NewAsk) -> Digest {
    let text = match distinct_audience(new) {
        None => json::write(parts),
        audience => json::write(&(parts, audience)),
    };
    Digest::compute(text.as_bytes())
}

/// Returns the audience that tells a request from the same one for others. The members count as none: older asks have
/// none, and theirs are the same requests.
fn distinct_audience(new: &NewAsk) -> Option<&Audience> {
    new.audience.as_ref().filter(|audience| !audience.is_members())
}

/// Opens an ask if none exists; an existing one first runs what is due.
fn open_decision(new: NewAsk, digest: Digest) -> DecideFn {
    let id = clock::new_id(new.random_id);
    Box::new(move |ask, now| match ask {
        Some(ask) if ask.is_due(now) => lifecycle::apply_command(ask, &Actor::Desk, AskCommand::Tick, now),
        Some(ask) => {
            let process = new.process;
            let waits = new.is_waiting || process.is_some();
            let command = if waits { AskCommand::Attach { process } } else { AskCommand::Tick };
            lifecycle::apply_command(ask, &Actor::Asker(new.asker.clone()), command, now)
        }
        None => lifecycle::open_ask_with_digest(id, new.clone(), digest, now),
    })
}
