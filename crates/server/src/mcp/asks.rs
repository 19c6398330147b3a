//! Client of the desk for one host. All its methods block: run them with [`blocking`].

use super::caller::Caller;
use super::form::{self, HostForm};
use super::given::Given;
use super::refusal::Refusal;
use super::seal::Seal;
use super::{DESK_THREADS, Setup, result, words};
use crate::due::left;
use crate::hub::{Hub, Ticket};
use sayso_core::ask::Presence;
use sayso_core::row::{self, Row, Standing};
use sayso_core::{
    Ask, AskId, Asker, Code, Command, Message, NewAsk, Outcome, Problem, Questionnaire, Who, limits,
};
use sayso_desk::{Opened, Query, process, unless_damaged};
use sayso_dialects::Dialect;
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;

/// States with an outcome that the asker must receive.
const SAID: [Standing; 3] = [Standing::Answered, Standing::Declined, Standing::Expired];

/// Client of the desk for the one host of this process.
pub(super) struct Asks {
    pub(super) setup: Setup,
    pub(super) hub: Arc<Hub>,
    /// Name that the host gave last. Newer hosts give it with each request, but need not.
    host: Mutex<Option<String>>,
    /// Seal, created on first use.
    seal: OnceLock<Option<Seal>>,
    /// State of the host's own dialogs.
    dialogs: Mutex<Dialogs>,
    /// Answers returned by tools that have no parameter to confirm them.
    pub(super) given: Given,
}

/// State of the dialogs of the one host that this process serves.
#[derive(Default)]
struct Dialogs {
    /// The host announced dialogs, but can't show any.
    has_none: bool,
    /// Asks whose form a person dismissed; it isn't shown again unasked.
    dismissed: HashSet<AskId>,
}

/// Ask to open, parsed from the arguments of a tool.
pub(super) struct Wanted {
    /// Dialect of the request.
    pub(super) dialect: Dialect,
    pub(super) questionnaire: Questionnaire,
    pub(super) key: Option<String>,
    pub(super) time_limit_ms: Option<i64>,
}

impl Asks {
    pub(super) fn new(setup: Setup) -> Self {
        let hub = Hub::new(setup.desk.clone());
        Self {
            setup,
            hub,
            seal: OnceLock::new(),
            host: Mutex::default(),
            dialogs: Mutex::default(),
            given: Given::default(),
        }
    }

    /// Returns the asker of a call. Each thread of a host is an asker of its own. A session with its own process
    /// isn't: a restarted one has another name, and must find the earlier asks.
    pub(super) fn asker(&self, caller: &Caller) -> Asker {
        let mut host = self.host.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(name) = &caller.host {
            *host = Some(name.chars().take(limits::NAME_CHARS).collect());
        }
        let name = self.setup.from.clone().or_else(|| host.clone());
        Asker {
            name: name.unwrap_or_else(|| Asker::UNNAMED_AGENT.to_owned()),
            folder: self.setup.folder.clone(),
            session: caller.thread.clone(),
            account: None,
        }
    }

    fn dialogs(&self) -> MutexGuard<'_, Dialogs> {
        self.dialogs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the seal for round state, if one can be created.
    pub(super) fn seal(&self) -> Option<&Seal> {
        self.seal.get_or_init(|| Seal::of(&self.setup.seal)).as_ref()
    }

    /// Records that the host answered a form as no person could.
    pub(super) fn note_cannot_ask(&self) {
        self.dialogs().has_none = true;
    }

    /// Records that a person dismissed the form of this ask.
    pub(super) fn note_dismissed(&self, id: AskId) {
        self.dialogs().dismissed.insert(id);
    }

    /// Returns the form of an ask, if the caller can show it and no one dismissed it.
    pub(super) fn form(&self, ask: &Ask, caller: &Caller) -> Option<HostForm> {
        let may_show = || {
            let dialogs = self.dialogs();
            !dialogs.has_none && !dialogs.dismissed.contains(&ask.id)
        };
        if caller.has_forms && may_show() {
            form::of(&ask.request.questionnaire, caller.wording)
        } else {
            None
        }
    }

    /// Opens an ask, or finds an earlier one: by the caller's key, by its host's id of the call, or by the questions.
    ///
    /// # Errors
    /// Fails if the desk can't store it.
    pub(super) fn open(&self, asker: Asker, call: Option<&str>, wanted: &Wanted) -> Result<Ask, Problem> {
        let desk = &self.setup.desk;
        let new = |asker: Asker| NewAsk {
            time_limit_ms: wanted.time_limit_ms,
            process: Some(process::this()),
            program: (asker.name == Asker::UNNAMED_AGENT).then(process::program_above).flatten(),
            random_id: wanted.dialect.names_asks_by_their_beginning(),
            ..NewAsk::new(Arc::new(wanted.questionnaire.clone()), wanted.dialect.name(), asker)
        };
        if let Some(key) = &wanted.key {
            // A key is the caller's own name of an ask: it is valid in each of its sessions.
            let asker = Asker { session: None, ..asker };
            return desk.open(Some(key), new(asker)).map(Opened::into_ask);
        }
        let Some(call) = call.map(|call| format!("call:{call}")).filter(|it| it.len() <= limits::KEY_BYTES)
        else {
            let asker = self.in_whose_name(asker, &wanted.questionnaire);
            return desk.open(None, new(asker)).map(Opened::into_ask);
        };
        if let Some(id) = desk.keyed(&asker, &call)? {
            let found = desk.get(id)?;
            if found.request.questionnaire.as_ref() == &wanted.questionnaire {
                return Ok(found);
            }
        }
        let opened = desk.open(None, new(asker.clone()))?.into_ask();
        // The call id is only an additional way to find the ask, so a failure is ignored.
        let _ = desk.act(&Who::Asker(asker), opened.id, Some(&call), attach());
        Ok(opened)
    }

    /// Returns the asker to ask as. A restarted host has another thread: its ask continues under the thread of the
    /// ended one, so that a person sees it once.
    fn in_whose_name(&self, asker: Asker, questionnaire: &Questionnaire) -> Asker {
        if asker.session.is_none() {
            return asker;
        }
        let (title, count) = (row::title(questionnaire), questionnaire.questions.len());
        // Only asks that look alike in the list are read.
        let alike = |row: &Row| row.title == title && usize::try_from(row.questions) == Ok(count);
        let known =
            [self.said(&asker, alike), self.listed(&asker, &[], alike)].into_iter().flatten().flatten();
        let is_same = |ask: &Ask| {
            let request = &ask.request;
            ask.is_live() && request.asker.session.is_some() && *request.questionnaire == *questionnaire
        };
        let mut same = known.filter(is_same).map(|ask| ask.request.asker.clone()).collect::<Vec<_>>();
        if same.contains(&asker) { asker } else { same.pop().unwrap_or(asker) }
    }

    /// Returns the caller's ask with this id.
    ///
    /// # Errors
    /// Fails if there is none.
    pub(super) fn own(&self, asker: &Asker, given: &str) -> Result<Ask, Problem> {
        // Only whole ids: resolving a prefix would reveal asks of others.
        let missing = || Problem::new(Code::AskNotFound, Message::AskNotFound.with([given]));
        let ask = self.setup.desk.get(AskId::parse(given).ok_or_else(missing)?)?;
        if is_of(&ask.request.asker, asker) { Ok(ask) } else { Err(missing()) }
    }

    /// Acknowledges these answers. Returns messages about the ids that the caller can't confirm.
    ///
    /// # Errors
    /// Fails if the desk can't be read or can't store the acknowledgement.
    pub(super) fn confirm(&self, asker: &Asker, received: &[String]) -> Result<Vec<String>, Problem> {
        let mut ignored = Vec::new();
        for (at, given) in received.iter().enumerate() {
            match self.own(asker, given) {
                Ok(ask) if ask.outcome().is_none() => {
                    ignored.push(format!("received[{at}]: {}", words::NOT_YET));
                }
                Ok(ask) => self.delivered(&ask)?,
                // An ask that isn't the caller's can't have been received.
                Err(problem) if problem.code == Code::AskNotFound => {
                    ignored.push(format!("received[{at}]: {}", words::NO_SUCH_ASK));
                }
                Err(problem) => return Err(problem),
            }
        }
        Ok(ignored)
    }

    /// Acknowledges the outcome of an ask, if it has one.
    ///
    /// # Errors
    /// Fails if the desk can't store the acknowledgement.
    pub(super) fn delivered(&self, ask: &Ask) -> Result<(), Problem> {
        if ask.outcome().is_none() || ask.is_delivered() {
            return Ok(());
        }
        self.setup.desk.ack(&ask.request.asker, ask.id)
    }

    /// Offers a settled ask, and returns the same bytes each time.
    pub(super) fn deliver(&self, ask: &Ask) -> Map<String, Value> {
        let offered = self.setup.desk.offer(&ask.request.asker, ask, result::FORM, &result::bytes);
        // A stored answer is returned even if the desk can't be written.
        let bytes = offered.unwrap_or_else(|_| result::bytes(ask));
        serde_json::from_slice(&bytes).unwrap_or_else(|_| result::of(ask))
    }

    /// Returns an ask in its present state. Only a settled one is offered.
    pub(super) fn shown(&self, ask: &Ask) -> Map<String, Value> {
        if ask.outcome().is_some() { self.deliver(ask) } else { result::of(ask) }
    }

    /// Subscribes to these asks, and attaches this process, so that people see that the asker waits.
    ///
    /// # Errors
    /// Fails if the desk can't be watched.
    pub(super) fn attend(&self, ids: Vec<AskId>) -> Result<Ticket, Problem> {
        let here = Presence::Attached { process: Some(process::this()) };
        for ask in ids.iter().filter_map(|id| self.setup.desk.get(*id).ok()) {
            if ask.outcome().is_none() && ask.state.presence != here {
                let asker = Who::Asker(ask.request.asker.clone());
                // Waiting works without it.
                let _ = self.setup.desk.act(&asker, ask.id, None, attach());
            }
        }
        self.hub.wait_for(ids)
    }

    /// Returns the first settled ask, or else the first one, with the time until one of them changes by itself.
    ///
    /// # Errors
    /// Fails if the desk can't be read.
    pub(super) fn stand(&self, ids: &[AskId]) -> Result<(Ask, Option<Duration>), Refusal> {
        self.hub.keep_watching()?;
        let now = (self.setup.now)();
        let (mut first, mut due) = (None, None);
        for id in ids {
            let ask = self.setup.desk.get(*id)?;
            if ask.outcome().is_some() {
                return Ok((ask, None));
            }
            due = [due, left(ask.due_at(), now)].into_iter().flatten().min();
            first.get_or_insert(ask);
        }
        first.map(|ask| (ask, due)).ok_or(Refusal::Nothing(words::NOTHING, Vec::new()))
    }

    /// Cancels an ask. If it was settled before, its outcome is kept.
    ///
    /// # Errors
    /// Fails if there is no such ask or the desk can't store it.
    pub(super) fn cancel(&self, asker: &Asker, given: &str) -> Result<Ask, Problem> {
        let ask = self.own(asker, given)?;
        match self.setup.desk.act(&Who::Asker(asker.clone()), ask.id, None, Command::Cancel) {
            Ok(ask) => Ok(ask),
            Err(problem) => {
                let now = self.setup.desk.get(ask.id)?;
                if now.outcome().is_some() { Ok(now) } else { Err(problem) }
            }
        }
    }

    /// Returns the caller's open asks, the longest waiting first.
    ///
    /// # Errors
    /// Fails if the desk can't be read.
    pub(super) fn open_asks(&self, asker: &Asker) -> Result<Vec<Ask>, Problem> {
        self.listed(asker, &[], |_| true)
    }

    /// Returns outcomes that the caller hasn't confirmed, the oldest first.
    ///
    /// # Errors
    /// Fails if the desk can't be read.
    pub(super) fn unconfirmed(&self, asker: &Asker) -> Result<Vec<Ask>, Problem> {
        self.said(asker, |_| true)
    }

    /// Returns unconfirmed outcomes, followed by open asks.
    ///
    /// # Errors
    /// Fails if the desk can't be read.
    pub(super) fn unheard(&self, asker: &Asker) -> Result<Vec<Ask>, Problem> {
        let mut asks = self.unconfirmed(asker)?;
        asks.extend(self.open_asks(asker)?);
        Ok(asks)
    }

    fn said(&self, asker: &Asker, fits: impl Fn(&Row) -> bool) -> Result<Vec<Ask>, Problem> {
        let mut asks = self.listed(asker, &SAID, fits)?;
        asks.sort_by_key(|ask| ask.outcome().map(Outcome::at));
        Ok(asks)
    }

    /// Lists the asker's asks in these states that match the filter and that it hasn't confirmed.
    fn listed(
        &self,
        asker: &Asker,
        states: &[Standing],
        fits: impl Fn(&Row) -> bool,
    ) -> Result<Vec<Ask>, Problem> {
        let desk = &self.setup.desk;
        let mut asks = Vec::new();
        let mut query = Query {
            states: states.to_vec(),
            asker: Some(asker.clone()),
            undelivered: true,
            ..Query::default()
        };
        loop {
            let page = desk.list(&query)?;
            for row in page.rows.iter().filter(|row| fits(row)) {
                let Some(ask) = unless_damaged(desk.get(row.id))? else { continue };
                let is_same_thread = asker.session.is_some() && ask.request.asker.session == asker.session;
                // Another asker that still runs fetches its own answers.
                if is_same_thread || !belongs_elsewhere(&ask, asker) {
                    asks.push(ask);
                }
            }
            query.after = page.next;
            if query.after.is_none() || asks.len() >= limits::LIST_ROWS {
                return Ok(asks);
            }
        }
    }
}

/// Returns whether another running asker waits for it: another process, or another thread of this one.
fn belongs_elsewhere(ask: &Ask, asker: &Asker) -> bool {
    match ask.state.presence {
        Presence::Attached { process: Some(waiter) } if waiter == process::this() => {
            ask.request.asker.session.is_some() && ask.request.asker.session != asker.session
        }
        presence => presence.waits(process::is_alive),
    }
}

/// Returns whether this process waits for it.
pub(super) fn is_asked_here(ask: &Ask) -> bool {
    ask.state.presence == Presence::Attached { process: Some(process::this()) }
}

fn attach() -> Command {
    Command::Attach { process: Some(process::this()) }
}

/// Returns whether both are the same asker, regardless of the session.
pub(super) fn is_of(one: &Asker, other: &Asker) -> bool {
    one.name == other.name && one.folder == other.folder
}

/// Returns the ids of asks.
pub(super) fn ids(asks: &[Ask]) -> Vec<AskId> {
    asks.iter().map(|ask| ask.id).collect()
}

/// Runs blocking work on the blocking pool, at most [`DESK_THREADS`] at a time.
///
/// # Errors
/// Returns the error of the work itself.
pub(super) async fn blocking<T, E>(work: impl FnOnce() -> Result<T, E> + Send + 'static) -> Result<T, Refusal>
where
    T: Send + 'static,
    E: Into<Refusal> + Send + 'static,
{
    static THREADS: Semaphore = Semaphore::const_new(DESK_THREADS);
    let Ok(thread) = THREADS.acquire().await else { return Err(Refusal::Gone) };
    let work = move || {
        let _thread = thread;
        work()
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done.map_err(Into::into),
        Err(_) => Err(Refusal::Gone),
    }
}
