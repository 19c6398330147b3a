//! Desk that is opened on first use. A server replies to its host before it reads the disk. A failure to open is
//! reported to the call that needed the desk, and the next call tries again.

use crate::cli_session::desk_loss::exit_on_loss;
use crate::cli_session::desk_opener::{DeskOpener, OpenedDesk};
use sayso_core::{
    Actor, Ask, AskCommand, AskId, Asker, LateSubmission, NewAsk, Person, Problem, QuestionId, Reply,
};
use sayso_desk::store_desk::CallerCount;
use sayso_desk::{
    AskPage, AskQuery, ChangeCursor, Desk, Draft, DraftRev, Interest, OnConflict, SaveReport, Watch,
};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Desk that may not be opened yet.
pub(crate) struct LazyDesk {
    opener: DeskOpener,
    desk: OnceLock<OpenedDesk>,
    /// Lock held while the desk is opened.
    open_lock: Mutex<()>,
}

impl LazyDesk {
    pub(crate) fn new(opening: DeskOpener) -> Self {
        Self { opener: opening, desk: OnceLock::new(), open_lock: Mutex::new(()) }
    }

    /// Returns the desk, if it is open.
    pub(crate) fn opened(&self) -> Option<&OpenedDesk> {
        self.desk.get()
    }

    /// Returns the address of the pages of the desk, if it is open and has any.
    pub(crate) fn announced_address(&self) -> Option<String> {
        match self.opened()? {
            OpenedDesk::Local(desk) => desk.announced_address().ok()?,
            OpenedDesk::Remote(_) => Some(self.opener.address().to_string()),
        }
    }

    fn desk(&self) -> Result<&dyn Desk, Problem> {
        if let Some(desk) = self.opened() {
            return Ok(desk.desk());
        }
        let _door = self.open_lock.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(desk) = self.opened() {
            return Ok(desk.desk());
        }
        let desk = self.opener.open(CallerCount::Many)?;
        if let OpenedDesk::Local(desk) = &desk {
            exit_on_loss(desk, self.opener.lang());
        }
        Ok(self.desk.get_or_init(|| desk).desk())
    }
}

impl Desk for LazyDesk {
    fn open(&self, key: Option<&str>, new: NewAsk) -> Result<sayso_desk::OpenedAsk, Problem> {
        self.desk()?.open(key, new)
    }

    fn find_by_key(&self, who: &Asker, key: &str) -> Result<Option<AskId>, Problem> {
        self.desk()?.find_by_key(who, key)
    }

    fn act(&self, who: &Actor, id: AskId, key: Option<&str>, command: AskCommand) -> Result<Ask, Problem> {
        self.desk()?.act(who, id, key, command)
    }

    fn save_with(
        &self,
        who: &Person,
        id: AskId,
        base: DraftRev,
        replies: Vec<(QuestionId, Reply)>,
        over: OnConflict,
    ) -> Result<SaveReport, Problem> {
        self.desk()?.save_with(who, id, base, replies, over)
    }

    fn draft(&self, id: AskId) -> Result<Draft, Problem> {
        self.desk()?.draft(id)
    }

    fn late_submissions(&self, id: AskId) -> Result<Vec<LateSubmission>, Problem> {
        self.desk()?.late_submissions(id)
    }

    fn get(&self, id: AskId) -> Result<Ask, Problem> {
        self.desk()?.get(id)
    }

    fn find(&self, given: &str) -> Result<AskId, Problem> {
        self.desk()?.find(given)
    }

    fn list(&self, query: &AskQuery) -> Result<AskPage, Problem> {
        self.desk()?.list(query)
    }

    fn offer(
        &self,
        who: &Asker,
        ask: &Ask,
        form: &str,
        render: &dyn Fn(&Ask) -> Vec<u8>,
    ) -> Result<Vec<u8>, Problem> {
        self.desk()?.offer(who, ask, form, render)
    }

    fn ack(&self, who: &Asker, id: AskId) -> Result<(), Problem> {
        self.desk()?.ack(who, id)
    }

    fn watch(&self, interest: Interest, since: Option<ChangeCursor>) -> Result<Box<dyn Watch>, Problem> {
        self.desk()?.watch(interest, since)
    }
}
