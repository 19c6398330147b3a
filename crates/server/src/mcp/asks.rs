//! The asks of one caller at the desk. Everything here blocks: it runs on threads of its own.

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

/// How the desk calls an asker whose host says no name.
/// The states in which something was said to the asker.
const SAID: [Standing; 3] = [Standing::Answered, Standing::Declined, Standing::Expired];

/// The desk as one process of a host uses it.
pub(super) struct Asks {
    pub(super) setup: Setup,
    pub(super) hub: Arc<Hub>,
    /// The name that the host said last. Newer hosts say it with each request, but need not.
    host: Mutex<Option<String>>,
    /// Made when it is first needed.
    seal: OnceLock<Option<Seal>>,
    /// What is known of the host's own dialogs.
    dialogs: Mutex<Dialogs>,
    /// The answers that were given to askers who do not say that they have them.
    pub(super) given: Given,
}

/// What is known of the dialogs of the one host that this process serves.
#[derive(Default)]
struct Dialogs {
    /// It said that it has them, and had none.
    has_none: bool,
    /// The asks whose form a person put away: it is not shown again by itself.
    dismissed: HashSet<AskId>,
}

/// What to ask, once it is understood.
pub(super) struct Wanted {
    /// The dialect that it came in.
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

    /// Who asks. A thread of the host is an asker of its own. A session that has a process of its own is not: when it
    /// begins anew, under another name, it must find what it asked.
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

    /// What seals rounds, where there can be such a thing.
    pub(super) fn seal(&self) -> Option<&Seal> {
        self.seal.get_or_init(|| Seal::of(&self.setup.seal)).as_ref()
    }

    /// The host answered a form as no person could have.
    pub(super) fn note_cannot_ask(&self) {
        self.dialogs().has_none = true;
    }

    /// A person put the form of this ask away.
    pub(super) fn note_dismissed(&self, id: AskId) {
        self.dialogs().dismissed.insert(id);
    }

    /// The form of an ask, where this caller can show it and nobody put it away.
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

    /// Asks, or finds what was asked before: by the caller's key, by its host's name for the call, or by the questions.
    ///
    /// # Errors
    /// When the desk cannot keep it.
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
            // A key is a caller's own word for an ask: it holds in each of its sessions.
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
        // The name of the call is noted beside what finds the ask anyway: nothing is lost where it cannot be.
        let _ = desk.act(&Who::Asker(asker), opened.id, Some(&call), attach());
        Ok(opened)
    }

    /// Who asks this. A host that was ended begins anew with another thread: what the ended one asked is asked on in the name
    /// of that thread, so that a person sees it once.
    fn in_whose_name(&self, asker: Asker, questionnaire: &Questionnaire) -> Asker {
        if asker.session.is_none() {
            return asker;
        }
        let (title, count) = (row::title(questionnaire), questionnaire.questions.len());
        // Only what looks alike in the list is read.
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

    /// The caller's ask with this id.
    ///
    /// # Errors
    /// When there is none.
    pub(super) fn own(&self, asker: &Asker, given: &str) -> Result<Ask, Problem> {
        // Only whole ids: what another begins with would be told apart by looking at asks of others.
        let missing = || Problem::new(Code::AskNotFound, Message::AskNotFound.with([given]));
        let ask = self.setup.desk.get(AskId::parse(given).ok_or_else(missing)?)?;
        if is_of(&ask.request.asker, asker) { Ok(ask) } else { Err(missing()) }
    }

    /// The caller has these answers. Gives what to say of those that it cannot have.
    ///
    /// # Errors
    /// When the desk cannot be read, or cannot note it.
    pub(super) fn confirm(&self, asker: &Asker, received: &[String]) -> Result<Vec<String>, Problem> {
        let mut ignored = Vec::new();
        for (at, given) in received.iter().enumerate() {
            match self.own(asker, given) {
                Ok(ask) if ask.outcome().is_none() => {
                    ignored.push(format!("received[{at}]: {}", words::NOT_YET));
                }
                Ok(ask) => self.delivered(&ask)?,
                // What was never the caller's cannot have been received.
                Err(problem) if problem.code == Code::AskNotFound => {
                    ignored.push(format!("received[{at}]: {}", words::NO_SUCH_ASK));
                }
                Err(problem) => return Err(problem),
            }
        }
        Ok(ignored)
    }

    /// The asker has what became of its ask, where something did.
    ///
    /// # Errors
    /// When the desk cannot note it.
    pub(super) fn delivered(&self, ask: &Ask) -> Result<(), Problem> {
        if ask.outcome().is_none() || ask.is_delivered() {
            return Ok(());
        }
        self.setup.desk.ack(&ask.request.asker, ask.id)
    }

    /// A settled ask as it is given to the caller: the same bytes each time.
    pub(super) fn deliver(&self, ask: &Ask) -> Map<String, Value> {
        let offered = self.setup.desk.offer(&ask.request.asker, ask, result::FORM, &result::bytes);
        // An answer that is kept gets through also when nothing more can be.
        let bytes = offered.unwrap_or_else(|_| result::bytes(ask));
        serde_json::from_slice(&bytes).unwrap_or_else(|_| result::of(ask))
    }

    /// An ask as it stands, without noting that it was given.
    pub(super) fn shown(&self, ask: &Ask) -> Map<String, Value> {
        if ask.outcome().is_some() { self.deliver(ask) } else { result::of(ask) }
    }

    /// Begins to wait for these asks: whoever looks at them sees that their asker is here.
    ///
    /// # Errors
    /// When the desk cannot be watched.
    pub(super) fn attend(&self, ids: Vec<AskId>) -> Result<Ticket, Problem> {
        let here = Presence::Attached { process: Some(process::this()) };
        for ask in ids.iter().filter_map(|id| self.setup.desk.get(*id).ok()) {
            if ask.outcome().is_none() && ask.state.presence != here {
                let asker = Who::Asker(ask.request.asker.clone());
                // Waiting does not depend on it.
                let _ = self.setup.desk.act(&asker, ask.id, None, attach());
            }
        }
        self.hub.wait_for(ids)
    }

    /// The first of these asks that is settled, or else the first, and how long until one of them changes by itself.
    ///
    /// # Errors
    /// When the desk cannot be read.
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

    /// Takes a question back. Whoever was faster has the word.
    ///
    /// # Errors
    /// When there is no such ask or the desk cannot note it.
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

    /// What the caller has open, the longest waiting first.
    ///
    /// # Errors
    /// When the desk cannot be read.
    pub(super) fn open_asks(&self, asker: &Asker) -> Result<Vec<Ask>, Problem> {
        self.listed(asker, &[], |_| true)
    }

    /// What was said to the caller and is not confirmed, the oldest first.
    ///
    /// # Errors
    /// When the desk cannot be read.
    pub(super) fn unconfirmed(&self, asker: &Asker) -> Result<Vec<Ask>, Problem> {
        self.said(asker, |_| true)
    }

    /// What the caller has to hear of: what was said and is not confirmed, and then what is open.
    ///
    /// # Errors
    /// When the desk cannot be read.
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

    /// The asker's asks in these states that fit, without those that it has confirmed.
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
                // Whoever else still runs comes for its own answers.
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

/// Whether somebody else who still runs waits for it: another process, or another thread of this one.
fn belongs_elsewhere(ask: &Ask, asker: &Asker) -> bool {
    match ask.state.presence {
        Presence::Attached { process: Some(waiter) } if waiter == process::this() => {
            ask.request.asker.session.is_some() && ask.request.asker.session != asker.session
        }
        presence => presence.waits(process::is_alive),
    }
}

/// Whether it is this process that waits for it.
pub(super) fn is_asked_here(ask: &Ask) -> bool {
    ask.state.presence == Presence::Attached { process: Some(process::this()) }
}

fn attach() -> Command {
    Command::Attach { process: Some(process::this()) }
}

/// Whether these are the same asker, in whatever session.
pub(super) fn is_of(one: &Asker, other: &Asker) -> bool {
    one.name == other.name && one.folder == other.folder
}

/// Ids of asks.
pub(super) fn ids(asks: &[Ask]) -> Vec<AskId> {
    asks.iter().map(|ask| ask.id).collect()
}

/// Runs what blocks on a thread of its own.
///
/// # Errors
/// What the work itself says.
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
