//! A turn while it goes on: what its agent has published, for those who read it, and with whom it is.

use super::care::Care;
use axum::body::Bytes;
use sayso_core::{AskId, Code, Message, Path, Problem, limits};
use sayso_desk::LocalDesk;
use sayso_desk::thread::{Progress, Turn};
use sayso_dialects::interrupt::Event;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::mem::take;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How long an agent may say nothing before its turn may be taken by another.
const LEASE: Duration = Duration::from_secs(limits::TURN_LEASE_SECONDS);

/// How long nothing may come before its person is told why.
const NOTICE: Duration = Duration::from_secs(2);

/// How often a turn that waits for its person is looked at again.
const LOOK_AGAIN: Duration = Duration::from_secs(5);

/// Something that an agent tells those who read its thread.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Published {
    /// A piece of text.
    Text(String),
    /// A tool of this name begins to run.
    ToolStart(String),
    /// A tool of this name has run.
    ToolEnd(String),
    /// What the thread is called from now on.
    Title(String),
    /// Something went wrong. The turn goes on until it is ended.
    Error(String),
}

impl Published {
    fn event(&self) -> Event {
        match self {
            Self::Text(text) => Event::text(text),
            Self::ToolStart(tool) => Event::tool_start(tool),
            Self::ToolEnd(tool) => Event::tool_end(tool),
            Self::Title(title) => Event::title(title),
            Self::Error(message) => Event::error(message),
        }
    }
}

/// One thing in the stream of a turn.
#[derive(Clone)]
pub(super) enum Entry {
    /// An event as it is sent.
    Said(Bytes),
    /// The thread waits for this ask.
    Interrupt(AskId),
    /// The turn has ended.
    Ended,
    /// The turn has ended without its agent.
    Failed,
}

/// With whom a turn is.
#[derive(Clone)]
pub(super) struct With {
    secret: String,
    worker: String,
    until: Instant,
    /// When this process was last seen waiting for a next turn while it had this one.
    polled_at: Option<Instant>,
}

impl With {
    fn new(secret: String, worker: String) -> Self {
        Self { secret, worker, until: Instant::now() + LEASE, polled_at: None }
    }
}

struct State {
    entries: Vec<Entry>,
    /// Bytes of the entries.
    bytes: usize,
    asks: Vec<AskId>,
    /// Those of them that are known to be settled, which is for good.
    settled: HashSet<AskId>,
    /// Those that the person of the thread was shown.
    shown: HashSet<AskId>,
    /// The place after the interrupt of an ask.
    after: HashMap<AskId, usize>,
    with: Option<With>,
    /// What the agent is saying.
    text: String,
    /// What it has said and is not stored yet.
    said: Vec<String>,
    title: Option<String>,
    /// When its agent was last heard, or its person last did something.
    heard_at: Instant,
    /// When it was last looked whether it waits for its person.
    looked_at: Option<Instant>,
    /// How often it was given out since something came of it.
    tries: u32,
    /// Requests of its agent that wait for a decision.
    requests: usize,
    /// What its person was last told about why nothing comes.
    status: Option<&'static str>,
}

impl State {
    fn new(with: Option<With>) -> Self {
        Self {
            entries: Vec::new(),
            bytes: 0,
            asks: Vec::new(),
            settled: HashSet::new(),
            shown: HashSet::new(),
            after: HashMap::new(),
            tries: u32::from(with.is_some()),
            with,
            text: String::new(),
            said: Vec::new(),
            title: None,
            heard_at: Instant::now(),
            looked_at: None,
            requests: 0,
            status: None,
        }
    }

    fn waits(&self) -> bool {
        self.asks.iter().any(|ask| !self.settled.contains(ask))
    }

    fn tell_status(&mut self, status: &'static str) {
        self.status = Some(status);
        self.push(Entry::Said(Event::status(status).sse().into()));
    }

    fn push(&mut self, entry: Entry) {
        if let Entry::Said(bytes) = &entry {
            self.bytes += bytes.len();
        }
        self.entries.push(entry);
    }

    fn interrupt(&mut self, ask: AskId) {
        self.push(Entry::Interrupt(ask));
        self.after.insert(ask, self.entries.len());
        self.asks.push(ask);
        self.tries = self.tries.min(1);
    }

    fn finish_text(&mut self) {
        if !self.text.is_empty() {
            self.said.push(take(&mut self.text));
        }
    }
}

/// A turn that has not ended.
pub(super) struct Live {
    pub(super) turn: i64,
    pub(super) thread: String,
    pub(super) message: String,
    state: Mutex<State>,
    /// Held while something of it is being stored, so that nothing is stored twice.
    storing: Mutex<()>,
    grown: watch::Sender<usize>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Live {
    /// A turn as the desk knows it. Whoever had it before has it still.
    pub(super) fn of(turn: Turn) -> Arc<Self> {
        let mut state = State::new(turn.holder.map(|holder| With::new(holder.secret, holder.worker)));
        turn.asks.into_iter().for_each(|ask| state.interrupt(ask));
        Arc::new(Self {
            turn: turn.number,
            thread: turn.thread,
            message: turn.message,
            state: Mutex::new(state),
            storing: Mutex::default(),
            grown: watch::Sender::new(0),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Whether an agent may take it.
    pub(super) fn is_free(&self, now: Instant) -> bool {
        let state = self.state();
        state.with.as_ref().is_none_or(|with| with.until <= now) && state.tries < limits::TURN_TRIES
    }

    /// Gives it to whoever has this secret from now on; with whom it was before.
    pub(super) fn give(&self, secret: String, worker: String) -> Option<With> {
        let mut state = self.state();
        let before = state.with.replace(With::new(secret, worker));
        // While it waits for its person, an agent that begins again has failed at nothing.
        state.tries += u32::from(!state.waits());
        state.heard_at = Instant::now();
        if before.is_some() {
            state.tell_status("retrying");
            self.wake(state);
        }
        before
    }

    /// Notes that this process of its agent waits for a next turn while it has this one.
    pub(super) fn note_polling(&self, worker: &str) {
        if let Some(with) = self.state().with.as_mut().filter(|with| with.worker == worker) {
            with.polled_at = Some(Instant::now());
        }
    }

    /// Notes that its agent was heard, or that its person did something.
    pub(super) fn touch(&self, now: Instant) {
        self.state().heard_at = now;
    }

    /// Says what is to be done for it, and tells its person why nothing comes. `polls` says of a process of its agent
    /// whether it waits for a next turn.
    pub(super) fn look_after(
        &self,
        now: Instant,
        silence: Duration,
        polls: impl Fn(&str) -> bool,
    ) -> Option<Care> {
        let mut state = self.state();
        if let Some(with) = state.with.as_mut().filter(|with| polls(&with.worker)) {
            with.polled_at = Some(now);
        }
        if state.requests > 0 {
            state.heard_at = now;
            return None;
        }
        let quiet = now.saturating_duration_since(state.heard_at);
        let since = |then: Instant| now.saturating_duration_since(then);
        let status = match &state.with {
            None => (quiet >= NOTICE).then_some("no_agent"),
            Some(with) => {
                let is_left = with.polled_at.is_some_and(|then| since(then) >= NOTICE) && quiet >= NOTICE;
                (is_left || now >= with.until + NOTICE).then_some("agent_stopped")
            }
        };
        let is_free = state.with.as_ref().is_some_and(|with| with.until <= now);
        let ended = if is_free && state.tries >= limits::TURN_TRIES {
            Some(Care::EndFailed)
        } else {
            (quiet >= silence).then_some(Care::EndSilent)
        };
        let status = status.filter(|status| state.status != Some(status));
        if ended.is_none() && status.is_none() {
            return None;
        }
        if state.waits() {
            let is_due = state.looked_at.is_none_or(|then| since(then) >= LOOK_AGAIN);
            return is_due.then(|| {
                state.looked_at = Some(now);
                Care::LookForAsk
            });
        }
        if let Some(status) = status {
            state.tell_status(status);
            self.wake(state);
        }
        ended
    }

    /// A request of its agent waits for a decision as long as this lives.
    pub(super) fn begin_request(self: &Arc<Self>) -> AgentRequest {
        self.state().requests += 1;
        AgentRequest(self.clone())
    }

    /// Takes it back from whoever has this secret: it is with whom it was before. Whether it was with them still.
    pub(super) fn take_back(&self, secret: &str, before: Option<With>) -> bool {
        let mut state = self.state();
        let is_theirs = state.with.as_ref().is_some_and(|with| with.secret == secret);
        if is_theirs {
            state.with = before;
        }
        is_theirs
    }

    /// Lets it be taken again, if it is with this process.
    pub(super) fn free_from(&self, worker: &str) {
        if let Some(with) = &mut self.state().with
            && with.worker == worker
        {
            with.until = Instant::now();
        }
    }

    /// Whether it is with whoever has this secret, who keeps it by asking.
    pub(super) fn is_with(&self, secret: &str) -> bool {
        let mut state = self.state();
        let state = &mut *state;
        match &mut state.with {
            Some(with) if with.secret == secret => {
                with.until = Instant::now() + LEASE;
                state.heard_at = Instant::now();
                state.status = None;
                true
            }
            Some(_) | None => false,
        }
    }

    /// What was asked in it, in its order.
    pub(super) fn asks(&self) -> Vec<AskId> {
        self.state().asks.clone()
    }

    /// Those of them that may wait for an answer, in their order.
    pub(super) fn waiting(&self) -> Vec<AskId> {
        let state = self.state();
        state.asks.iter().filter(|ask| !state.settled.contains(ask)).copied().collect()
    }

    /// The same, each with its turn.
    pub(super) fn may_wait(self: &Arc<Self>) -> impl Iterator<Item = (Arc<Self>, AskId)> + use<> {
        let live = self.clone();
        self.waiting().into_iter().map(move |ask| (live.clone(), ask))
    }

    /// This ask will not wait any more.
    pub(super) fn settled(&self, ask: AskId) {
        let mut state = self.state();
        if state.settled.insert(ask) {
            (state.heard_at, state.tries, state.looked_at) = (Instant::now(), state.tries.min(1), None);
        }
    }

    /// The person of the thread is shown what this ask asks.
    pub(super) fn show(&self, ask: AskId) {
        self.state().shown.insert(ask);
    }

    /// Whether they were shown it: nothing else can be decided in the thread.
    pub(super) fn was_shown(&self, ask: AskId) -> bool {
        self.state().shown.contains(&ask)
    }

    /// Tells those who read it.
    ///
    /// # Errors
    /// When it has told too much.
    pub(super) fn publish(&self, events: &[Published]) -> Result<(), Problem> {
        let told: Vec<_> = events.iter().map(|event| event.event().sse()).collect();
        let mut state = self.state();
        if state.bytes.saturating_add(told.iter().map(String::len).sum()) > limits::TURN_BYTES {
            let said = Message::TurnFull.with([limits::TURN_BYTES]);
            return Err(Problem::new(Code::TooLarge, said).at(Path::root().then("events")));
        }
        for (event, told) in events.iter().zip(told) {
            match event {
                Published::Text(text) => state.text.push_str(text),
                Published::ToolStart(_) => state.finish_text(),
                Published::Title(title) => state.title = Some(title.clone()),
                Published::ToolEnd(_) | Published::Error(_) => {}
            }
            state.push(Entry::Said(told.into()));
        }
        self.wake(state);
        Ok(())
    }

    fn wake(&self, state: MutexGuard<'_, State>) {
        let length = state.entries.len();
        drop(state);
        // Nobody may be reading.
        self.grown.send_replace(length);
    }

    /// Stores what came of it, with these asks, whose interrupts are told then.
    ///
    /// # Errors
    /// When the turn has ended, or the desk cannot store it.
    pub(super) fn interrupt(&self, desk: &LocalDesk, asks: &[AskId]) -> Result<(), Problem> {
        let _storing = lock(&self.storing);
        let known = self.asks();
        let new: Vec<_> = asks.iter().copied().filter(|ask| !known.contains(ask)).collect();
        if new.is_empty() {
            return Ok(());
        }
        self.keep(desk, new.clone(), false)?;
        let mut state = self.state();
        new.into_iter().for_each(|ask| state.interrupt(ask));
        self.wake(state);
        Ok(())
    }

    /// Ends it.
    ///
    /// # Errors
    /// When it has ended before, or the desk cannot store it.
    pub(super) fn end(&self, desk: &LocalDesk) -> Result<(), Problem> {
        let _storing = lock(&self.storing);
        self.keep(desk, Vec::new(), true)?;
        self.close();
        Ok(())
    }

    /// Ends it without its agent.
    ///
    /// # Errors
    /// When it has ended before, or the desk cannot store it.
    pub(super) fn fail(&self, desk: &LocalDesk, why: &str) -> Result<(), Problem> {
        let _storing = lock(&self.storing);
        self.keep(desk, Vec::new(), true)?;
        let mut state = self.state();
        state.push(Entry::Said(Event::error(why).sse().into()));
        state.push(Entry::Failed);
        self.wake(state);
        Ok(())
    }

    fn keep(&self, desk: &LocalDesk, asks: Vec<AskId>, has_ended: bool) -> Result<(), Problem> {
        let (said, title) = {
            let mut state = self.state();
            state.finish_text();
            (state.said.clone(), state.title.clone())
        };
        let count = said.len();
        let thread = self.thread.clone();
        desk.keep_progress(Progress { turn: self.turn, thread, said, title, asks, has_ended })?;
        self.state().said.drain(..count);
        Ok(())
    }

    /// Nothing more will come.
    pub(super) fn close(&self) {
        let mut state = self.state();
        state.push(Entry::Ended);
        self.wake(state);
    }

    /// Reads it from its beginning.
    pub(super) fn read(self: &Arc<Self>) -> Reader {
        self.read_from(None)
    }

    /// Reads from the interrupt of an ask on, or all of it.
    pub(super) fn read_from(self: &Arc<Self>, ask: Option<AskId>) -> Reader {
        let after = ask.and_then(|ask| self.state().after.get(&ask).copied()).unwrap_or_default();
        Reader { at: after.saturating_sub(1), grown: self.grown.subscribe(), live: self.clone() }
    }

    /// Reads what comes after an ask was settled.
    pub(super) fn read_after(self: &Arc<Self>, ask: AskId) -> Reader {
        let at = self.state().after.get(&ask).copied().unwrap_or_default();
        Reader { at, grown: self.grown.subscribe(), live: self.clone() }
    }
}

/// A request of an agent that waits for a decision in its turn.
pub(super) struct AgentRequest(Arc<Live>);

impl Drop for AgentRequest {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.requests = state.requests.saturating_sub(1);
        state.heard_at = Instant::now();
    }
}

/// One who reads a turn.
pub(super) struct Reader {
    pub(super) live: Arc<Live>,
    at: usize,
    grown: watch::Receiver<usize>,
}

impl Reader {
    /// The next entry, as soon as there is one.
    pub(super) async fn next(&mut self) -> Entry {
        loop {
            let next = self.live.state().entries.get(self.at).cloned();
            if let Some(entry) = next {
                self.at += 1;
                return entry;
            }
            // The sender lives as long as the turn that this holds.
            let _ = self.grown.changed().await;
        }
    }
}
