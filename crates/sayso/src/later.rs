//! Desk that is opened on first use. A server replies to its host before it reads the disk. A failure to open is
//! reported to the call that needed the desk, and the next call tries again.

use crate::opening::{Opened, Opening};
use crate::stopping::stop_when_disk_fails;
use sayso_core::{Ask, AskId, Asker, Command, Late, NewAsk, Person, Problem, QuestionId, Reply, Who};
use sayso_desk::local::Callers;
use sayso_desk::{Cursor, Desk, Draft, DraftRev, Interest, Over, Page, Query, Saved, Watch};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Desk that may not be opened yet.
pub(crate) struct LaterDesk {
    opening: Opening,
    desk: OnceLock<Opened>,
    /// Lock held while the desk is opened.
    door: Mutex<()>,
}

impl LaterDesk {
    pub(crate) fn new(opening: Opening) -> Self {
        Self { opening, desk: OnceLock::new(), door: Mutex::new(()) }
    }

    /// Returns the desk, if it is open.
    pub(crate) fn opened(&self) -> Option<&Opened> {
        self.desk.get()
    }

    fn desk(&self) -> Result<&dyn Desk, Problem> {
        if let Some(desk) = self.opened() {
            return Ok(desk.desk());
        }
        let _door = self.door.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(desk) = self.opened() {
            return Ok(desk.desk());
        }
        let desk = self.opening.open(Callers::Many)?;
        if let Opened::Local(desk) = &desk {
            stop_when_disk_fails(desk, self.opening.lang());
        }
        Ok(self.desk.get_or_init(|| desk).desk())
    }
}

impl Desk for LaterDesk {
    fn open(&self, key: Option<&str>, new: NewAsk) -> Result<sayso_desk::Opened, Problem> {
        self.desk()?.open(key, new)
    }

    fn keyed(&self, who: &Asker, key: &str) -> Result<Option<AskId>, Problem> {
        self.desk()?.keyed(who, key)
    }

    fn act(&self, who: &Who, id: AskId, key: Option<&str>, command: Command) -> Result<Ask, Problem> {
        self.desk()?.act(who, id, key, command)
    }

    fn save_over(
        &self,
        who: &Person,
        id: AskId,
        base: DraftRev,
        replies: Vec<(QuestionId, Reply)>,
        over: Over,
    ) -> Result<Saved, Problem> {
        self.desk()?.save_over(who, id, base, replies, over)
    }

    fn draft(&self, id: AskId) -> Result<Draft, Problem> {
        self.desk()?.draft(id)
    }

    fn late(&self, id: AskId) -> Result<Vec<Late>, Problem> {
        self.desk()?.late(id)
    }

    fn get(&self, id: AskId) -> Result<Ask, Problem> {
        self.desk()?.get(id)
    }

    fn find(&self, given: &str) -> Result<AskId, Problem> {
        self.desk()?.find(given)
    }

    fn list(&self, query: &Query) -> Result<Page, Problem> {
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

    fn watch(&self, interest: Interest, since: Option<Cursor>) -> Result<Box<dyn Watch>, Problem> {
        self.desk()?.watch(interest, since)
    }
}
