//! Events for one client of the dialect: forms that wait, then their changes.
//!
//! **Invariant:** the client's view of each open ask is tracked, so no event is sent twice. This holds for both
//! sources: the desk's state at the start and its log from then on.

use super::{call_of, id_within, is_form, round_id, session_of};
use crate::http::app::{App, found};
use crate::http::caller::Caller;
use sayso_core::ask::{Feedback, Phase};
use sayso_core::lifecycle::Event as Happened;
use sayso_core::row::Standing;
use sayso_core::{Ask, AskId, Problem};
use sayso_desk::{Changed, Cursor, Desk as _, Heard, LocalDesk, Query, unless_damaged};
use sayso_dialects::Dialect;
use sayso_dialects::interaction::{self, Event, Payload, ServerFrame};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};
use std::future::pending;
use std::sync::Arc;
use tokio::sync::broadcast::{Receiver, error::RecvError};

/// Maximum number of forms sent at the start, oldest first.
const SHOWN: usize = 1_000;
/// Page size when reading the log.
const PAGE: usize = 256;

/// Source of the events for one client.
pub(super) struct Feed {
    app: Arc<App>,
    caller: Caller,
    session: Option<String>,
    live: Option<Receiver<Arc<Heard>>>,
    /// Position after the last change that was processed.
    cursor: Cursor,
    /// Set if the log may hold changes that have not been processed.
    is_behind: bool,
    known: HashMap<AskId, Known>,
}

/// The client's view of an ask that is not settled.
#[derive(Default)]
struct Known {
    round: u32,
    is_submitted: bool,
    /// Values sent in the last round.
    sent: Map<String, Value>,
}

/// Frames about one ask.
struct Telling<'a> {
    ask: &'a Ask,
    timestamp: i64,
    frames: Vec<String>,
}

impl Telling<'_> {
    /// Adds an event. `what` names it within the ask; the event's id derives from it, so it is the same for every
    /// client and on every repetition.
    fn tell(&mut self, what: &str, payload: &Payload) {
        let id = id_within(self.ask.id, what);
        let session_id = session_of(&self.ask.request.asker);
        let event = Event {
            id: &id,
            timestamp: self.timestamp,
            session_id,
            turn_id: None,
            response_id: None,
            payload,
        };
        self.frames.push(ServerFrame::ChatEvent { session_id, event }.text());
    }

    fn pending(&mut self, pending: bool) {
        let payload = interaction::pending(&call_of(self.ask), &self.ask.request.questionnaire, pending);
        self.tell(if pending { "waits" } else { "waits no more" }, &payload);
    }

    fn asked(&mut self, round: u32, again: Option<(&Feedback, Map<String, Value>)>) {
        let (call, id) = (call_of(self.ask), round_id(self.ask.id, round));
        let payload = interaction::asked(&call, &self.ask.request.questionnaire, &id, again);
        self.tell(&format!("asked {round}"), &payload);
    }

    fn responded(&mut self, round: u32, response: interaction::UserResponse) {
        self.answered(&format!("responded {round}"), round, response);
    }

    fn answered(&mut self, what: &str, round: u32, response: interaction::UserResponse) {
        let (tool_call_id, interaction_id) = (self.ask.id.to_string(), round_id(self.ask.id, round));
        self.tell(what, &Payload::InteractionResponse { tool_call_id, interaction_id, response });
    }
}

impl Feed {
    pub(super) fn new(app: Arc<App>, caller: Caller) -> Self {
        let (live, cursor, known) = (None, Cursor::NOWHERE, HashMap::new());
        Self { app, caller, session: None, live, cursor, is_behind: false, known }
    }

    /// Starts the feed, and returns the frames of the forms that wait.
    ///
    /// # Errors
    /// Fails if the desk cannot be read.
    pub(super) async fn begin(&mut self, session: Option<String>) -> Result<Vec<String>, Problem> {
        self.session = session;
        self.read_anew().await
    }

    /// Waits for the next change, or for the need to read the log. Never returns before the feed has started.
    pub(super) async fn next(&mut self) -> Result<Arc<Heard>, RecvError> {
        match &mut self.live {
            Some(_) if self.is_behind => Err(RecvError::Lagged(0)),
            Some(live) => live.recv().await,
            None => pending().await,
        }
    }

    /// Returns the frames of a change.
    ///
    /// # Errors
    /// Fails if the desk cannot be read.
    pub(super) async fn tell(
        &mut self,
        heard: Result<Arc<Heard>, RecvError>,
    ) -> Result<Vec<String>, Problem> {
        match heard.as_deref() {
            Ok(Heard::Changed(changed)) => self.tell_of(changed).await,
            // Lagged behind the broadcast: read from the log.
            Err(RecvError::Lagged(_)) => self.read_on().await,
            Ok(Heard::Gap) | Err(RecvError::Closed) => self.read_anew().await,
        }
    }

    /// Returns the frames of one page of the log. No more than a page is buffered for a slow client.
    async fn read_on(&mut self) -> Result<Vec<String>, Problem> {
        let place = self.cursor;
        let page = self.app.at_desk(move |desk| desk.changes_after(place, PAGE)).await?;
        self.is_behind = page.len() == PAGE;
        let mut frames = Vec::new();
        for changed in &page {
            frames.extend(self.tell_of(changed).await?);
        }
        Ok(frames)
    }

    /// Returns the frames of a change, unless it has been processed before.
    async fn tell_of(&mut self, changed: &Changed) -> Result<Vec<String>, Problem> {
        if !changed.cursor.is_after(self.cursor) {
            return Ok(Vec::new());
        }
        self.cursor = changed.cursor;
        let is_new = changed.events.iter().any(|event| matches!(event, Happened::Opened { .. }));
        let matters = changed.events.iter().any(|event| {
            matches!(
                event,
                Happened::Opened { .. }
                    | Happened::Submitted { .. }
                    | Happened::Reprompted { .. }
                    | Happened::Settled { .. }
            )
        });
        let is_known = is_new || self.known.contains_key(&changed.id);
        if !matters || !is_known || !self.caller.may_see(changed.account.as_deref()) {
            return Ok(Vec::new());
        }
        let id = changed.id;
        let Some(ask) = self.app.at_desk(move |desk| found(desk, id)).await? else { return Ok(Vec::new()) };
        Ok(if self.shows(&ask) { self.changes(&ask, changed) } else { Vec::new() })
    }

    fn shows(&self, ask: &Ask) -> bool {
        let is_of_session =
            self.session.as_deref().is_none_or(|session| session == session_of(&ask.request.asker));
        is_form(ask) && is_of_session && self.caller.may_see(ask.request.asker.account.as_deref())
    }

    fn telling<'a>(&self, ask: &'a Ask) -> Telling<'a> {
        Telling { ask, timestamp: (self.app.now)().as_millisecond(), frames: Vec::new() }
    }

    /// Returns the frames of the events of a change.
    fn changes(&mut self, ask: &Ask, changed: &Changed) -> Vec<String> {
        let mut telling = self.telling(ask);
        let questionnaire = &ask.request.questionnaire;
        for event in &changed.events {
            match event {
                Happened::Opened { .. } if !self.known.contains_key(&ask.id) => {
                    self.known.insert(ask.id, Known { round: 1, ..Known::default() });
                    telling.pending(true);
                    telling.asked(1, None);
                }
                Happened::Submitted { round, submission } => {
                    let Some(known) = self.known.get_mut(&ask.id) else { continue };
                    let (replies, as_sent) = (&submission.replies, submission.as_sent.as_ref());
                    known.sent = interaction::values(questionnaire, replies, as_sent);
                    if *round == known.round && !known.is_submitted {
                        known.is_submitted = true;
                        telling.responded(*round, interaction::responded(questionnaire, replies, as_sent));
                    }
                }
                Happened::Reprompted { round, feedback, .. } => {
                    let Some(known) = self.known.get_mut(&ask.id) else { continue };
                    if *round > known.round {
                        let sent = std::mem::take(&mut known.sent);
                        (known.round, known.is_submitted) = (*round, false);
                        telling.asked(*round, Some((feedback, sent)));
                    }
                }
                Happened::Settled { .. } => self.settled(&mut telling),
                _ => {}
            }
        }
        telling.frames
    }

    fn settled(&mut self, telling: &mut Telling<'_>) {
        let ask = telling.ask;
        let (Some(known), Some(outcome)) = (self.known.remove(&ask.id), ask.outcome()) else { return };
        if let Some(response) = interaction::settled(&ask.request.questionnaire, outcome) {
            telling.answered("settled", known.round, response);
        }
        telling.pending(false);
    }

    /// Subscribes, and returns the frames of the desk's state that the client does not know.
    async fn read_anew(&mut self) -> Result<Vec<String>, Problem> {
        let hub = self.app.hub.clone();
        let account = self.caller.sees_its_own_alone().then(|| self.caller.account.clone());
        let known: Vec<AskId> = self.known.keys().copied().collect();
        let (live, cursor, asks) = self
            .app
            .at_desk(move |desk| {
                let live = hub.listen()?;
                let (cursor, _) = desk.place(None)?;
                Ok((live, cursor, waiting(desk, account, known)?))
            })
            .await?;
        (self.live, self.cursor, self.is_behind) = (Some(live), cursor, false);
        let mut frames = Vec::new();
        for ask in asks.iter().filter(|ask| self.shows(ask)).collect::<Vec<_>>() {
            let mut telling = self.telling(ask);
            self.stands(&mut telling);
            frames.append(&mut telling.frames);
        }
        Ok(frames)
    }

    /// Adds the events of an ask's state that the client does not know.
    fn stands(&mut self, telling: &mut Telling<'_>) {
        let ask = telling.ask;
        let questionnaire = &ask.request.questionnaire;
        let round = match &ask.state.phase {
            Phase::Open { round, .. } | Phase::Submitted { round, .. } => *round,
            Phase::Settled(_) => return self.settled(telling),
        };
        let is_new = !self.known.contains_key(&ask.id);
        let known = self.known.entry(ask.id).or_default();
        if is_new {
            telling.pending(true);
        }
        if known.round < round {
            let again = match &ask.state.phase {
                Phase::Open { feedback: Some(feedback), refused, .. } => {
                    let sent = refused.as_ref().map(|refused| {
                        interaction::values(questionnaire, &refused.replies, refused.as_sent.as_ref())
                    });
                    Some((feedback, sent.unwrap_or_default()))
                }
                _ => None,
            };
            (known.round, known.is_submitted) = (round, false);
            telling.asked(round, again);
        }
        if let (Phase::Submitted { submission, .. }, false) = (&ask.state.phase, known.is_submitted) {
            known.is_submitted = true;
            let (replies, as_sent) = (&submission.replies, submission.as_sent.as_ref());
            known.sent = interaction::values(questionnaire, replies, as_sent);
            telling.responded(round, interaction::responded(questionnaire, replies, as_sent));
        }
    }
}

/// Returns the forms that wait, and those that the client knows.
fn waiting(desk: &LocalDesk, account: Option<String>, known: Vec<AskId>) -> Result<Vec<Ask>, Problem> {
    let states = vec![Standing::Open, Standing::Submitted];
    let dialect = Some(Dialect::Interaction.name().to_owned());
    let mut query = Query { states, account, dialect, ..Query::default() };
    let mut ids = known;
    let mut seen: HashSet<AskId> = ids.iter().copied().collect();
    loop {
        let page = desk.list(&query)?;
        ids.extend(page.rows.iter().map(|row| row.id).filter(|id| seen.insert(*id)));
        match page.next {
            Some(next) if ids.len() < SHOWN => query.after = Some(next),
            Some(_) | None => break,
        }
    }
    let mut asks = Vec::with_capacity(ids.len());
    for id in ids {
        if let Some(Some(ask)) = unless_damaged(found(desk, id))? {
            asks.push(ask);
        }
    }
    Ok(asks)
}
