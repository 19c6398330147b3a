//! Events for one client of the dialect: forms that wait, then their changes.
//!
//! **Invariant:** the client's view of each open ask is tracked, so no event is sent twice. This holds for both
//! sources: the desk's state at the start and its log from then on.

use super::{asker_session, derived_id, is_form, round_id, tool_call};
use crate::http::context::{ServerContext, find_ask};
use crate::http::middleware::caller::{AccessKind, AuthenticatedCaller};
use sayso_core::lifecycle::AskEvent;
use sayso_core::model::ask::{AskPhase, RoundFeedback, Submission};
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{Ask, AskId, AskReader, Departures, Problem};
use sayso_desk::{AskChange, AskQuery, ChangeCursor, Desk as _, StoreDesk, WatchEvent, skip_damaged};
use sayso_dialects::Dialect;
use sayso_dialects::interaction::{self, InteractionEvent, InteractionPayload, ServerFrame};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};
use std::future::pending;
use std::sync::Arc;
use tokio::sync::broadcast::{Receiver, error::RecvError};
use tokio::sync::watch;

/// Maximum number of forms sent at the start, oldest first.
const MAX_INITIAL_FORMS: usize = 1_000;
/// Page size when reading the log.
const PAGE: usize = 256;

/// Source of the events for one client.
pub(super) struct EventFeed {
    context: Arc<ServerContext>,
    caller: AuthenticatedCaller,
    session: Option<String>,
    changes: Option<Receiver<Arc<WatchEvent>>>,
    /// Signal that a group of accounts has changed.
    regrouped: watch::Receiver<Arc<Departures>>,
    /// Position after the last change that was processed.
    cursor: ChangeCursor,
    /// Set if the log may hold changes that have not been processed.
    is_behind: bool,
    known: HashMap<AskId, KnownAsk>,
}

/// The client's view of an ask that is not settled.
#[derive(Default)]
struct KnownAsk {
    round: u32,
    is_submitted: bool,
    /// Values sent in the last round.
    sent: Map<String, Value>,
}

impl KnownAsk {
    fn begin_round(&mut self, round: u32) {
        self.round = round;
        self.is_submitted = false;
    }
}

/// Frames about one ask.
struct FrameBuilder<'a> {
    ask: &'a Ask,
    timestamp: i64,
    frames: Vec<String>,
}

impl FrameBuilder<'_> {
    /// Adds an event. `what` names it within the ask; the event's id derives from it, so it is the same for every
    /// client and on every repetition.
    fn push_event(&mut self, what: &str, payload: &InteractionPayload) {
        let id = derived_id(self.ask.id, what);
        let session_id = asker_session(&self.ask.request.asker);
        let event = InteractionEvent {
            id: &id,
            timestamp: self.timestamp,
            session_id,
            turn_id: None,
            response_id: None,
            payload,
        };
        self.frames.push(ServerFrame::ChatEvent { session_id, event }.to_json());
    }

    fn push_pending(&mut self, pending: bool) {
        let payload =
            interaction::pending_event(&tool_call(self.ask), &self.ask.request.questionnaire, pending);
        self.push_event(if pending { "waits" } else { "waits no more" }, &payload);
    }

    fn push_request(&mut self, round: u32, again: Option<(&RoundFeedback, Map<String, Value>)>) {
        let (call, id) = (tool_call(self.ask), round_id(self.ask.id, round));
        let payload = interaction::request_event(&call, &self.ask.request.questionnaire, &id, again);
        self.push_event(&format!("asked {round}"), &payload);
    }

    fn push_response(&mut self, round: u32, response: interaction::UserResponse) {
        self.push_named_response(&format!("responded {round}"), round, response);
    }

    fn push_named_response(&mut self, what: &str, round: u32, response: interaction::UserResponse) {
        let payload = InteractionPayload::InteractionResponse {
            tool_call_id: self.ask.id.to_string(),
            interaction_id: round_id(self.ask.id, round),
            response,
        };
        self.push_event(what, &payload);
    }
}

impl EventFeed {
    pub(super) fn new(context: Arc<ServerContext>, caller: AuthenticatedCaller) -> Self {
        Self {
            caller,
            session: None,
            changes: None,
            regrouped: context.regrouped.subscribe(),
            context,
            cursor: ChangeCursor::NONE,
            is_behind: false,
            known: HashMap::new(),
        }
    }

    /// Starts the feed, and returns the frames of the forms that wait.
    ///
    /// # Errors
    /// Fails if the desk cannot be read.
    pub(super) async fn start(&mut self, session: Option<String>) -> Result<Vec<String>, Problem> {
        self.session = session;
        self.resync().await
    }

    /// Waits for the next change, or for the need to read the log. Never returns before the feed has started.
    pub(super) async fn next(&mut self) -> Result<Arc<WatchEvent>, RecvError> {
        match &mut self.changes {
            Some(_) if self.is_behind => Err(RecvError::Lagged(0)),
            Some(changes) => tokio::select! {
                change = changes.recv() => change,
                // The caller may see other asks now.
                Ok(()) = self.regrouped.changed() => Err(RecvError::Closed),
            },
            None => pending().await,
        }
    }

    /// Returns the frames of a change.
    ///
    /// # Errors
    /// Fails if the desk cannot be read.
    pub(super) async fn frames_after(
        &mut self,
        event: Result<Arc<WatchEvent>, RecvError>,
    ) -> Result<Vec<String>, Problem> {
        match event.as_deref() {
            Ok(WatchEvent::Change(change)) => self.frames_of_change(change).await,
            // Lagged behind the broadcast: read from the log.
            Err(RecvError::Lagged(_)) => self.read_page().await,
            Ok(WatchEvent::Gap) | Err(RecvError::Closed) => self.resync().await,
        }
    }

    /// Returns the frames of one page of the log. No more than a page is buffered for a slow client.
    async fn read_page(&mut self) -> Result<Vec<String>, Problem> {
        let place = self.cursor;
        let page = self.context.with_desk(move |desk| desk.changes_after(place, PAGE)).await?;
        self.is_behind = page.len() == PAGE;
        let mut frames = Vec::new();
        for change in &page {
            frames.extend(self.frames_of_change(change).await?);
        }
        Ok(frames)
    }

    /// Returns the frames of a change, unless it has been processed before.
    async fn frames_of_change(&mut self, change: &AskChange) -> Result<Vec<String>, Problem> {
        if !change.cursor.is_after(self.cursor) {
            return Ok(Vec::new());
        }
        self.cursor = change.cursor;
        let is_visible = self.caller.reader.may_see(change.account.as_deref(), change.audience.as_ref());
        if !self.has_frames(change) || !is_visible {
            return Ok(Vec::new());
        }
        let id = change.id;
        match self.context.with_desk(move |desk| find_ask(desk, id)).await? {
            Some(ask) if self.is_shown(&ask) => Ok(self.change_frames(&ask, change)),
            _ => Ok(Vec::new()),
        }
    }

    /// Returns whether a change has an event that the client gets: a new ask, or what happens to a form that it has.
    fn has_frames(&self, change: &AskChange) -> bool {
        let is_known = self.known.contains_key(&change.id);
        change.events.iter().any(|event| match event {
            AskEvent::Opened { .. } => true,
            AskEvent::Submitted { .. } | AskEvent::Reprompted { .. } | AskEvent::Settled { .. } => is_known,
            _ => false,
        })
    }

    fn is_shown(&self, ask: &Ask) -> bool {
        let is_of_session = match &self.session {
            Some(session) => session == asker_session(&ask.request.asker),
            None => true,
        };
        is_form(ask) && is_of_session && self.caller.access_to(ask) == AccessKind::InAudience
    }

    fn frame_builder<'a>(&self, ask: &'a Ask) -> FrameBuilder<'a> {
        FrameBuilder { ask, timestamp: (self.context.now)().as_millisecond(), frames: Vec::new() }
    }

    /// Returns the frames of the events of a change.
    fn change_frames(&mut self, ask: &Ask, change: &AskChange) -> Vec<String> {
        let mut builder = self.frame_builder(ask);
        for event in &change.events {
            match event {
                AskEvent::Opened { .. } if !self.known.contains_key(&ask.id) => {
                    self.known.insert(ask.id, KnownAsk { round: 1, ..KnownAsk::default() });
                    builder.push_pending(true);
                    builder.push_request(1, None);
                }
                AskEvent::Submitted { round, submission } => {
                    let Some(view) = self.known.get_mut(&ask.id) else { continue };
                    view.sent = submitted_values(ask, submission);
                    if *round == view.round && !view.is_submitted {
                        view.is_submitted = true;
                        builder.push_response(*round, user_response(ask, submission));
                    }
                }
                AskEvent::Reprompted { round, feedback, .. } => {
                    let Some(view) = self.known.get_mut(&ask.id) else { continue };
                    if *round > view.round {
                        let last_values = std::mem::take(&mut view.sent);
                        view.begin_round(*round);
                        builder.push_request(*round, Some((feedback, last_values)));
                    }
                }
                AskEvent::Settled { .. } => self.push_settled(&mut builder),
                _ => {}
            }
        }
        builder.frames
    }

    fn push_settled(&mut self, builder: &mut FrameBuilder<'_>) {
        let ask = builder.ask;
        let (Some(view), Some(outcome)) = (self.known.remove(&ask.id), ask.outcome()) else { return };
        if let Some(response) = interaction::final_response(&ask.request.questionnaire, outcome) {
            builder.push_named_response("settled", view.round, response);
        }
        builder.push_pending(false);
    }

    /// Subscribes, and returns the frames of the desk's state that the client does not know.
    async fn resync(&mut self) -> Result<Vec<String>, Problem> {
        let notifier = self.context.change_notifier.clone();
        self.caller.reader = self.context.reader_again(&self.caller)?;
        let reader = self.caller.reader.clone();
        let known_ids: Vec<AskId> = self.known.keys().copied().collect();
        let desk_call = self.context.with_desk(move |desk| {
            let changes = notifier.listen()?;
            let (cursor, _) = desk.resume_cursor(None)?;
            Ok((changes, cursor, waiting_asks(desk, reader, known_ids)?))
        });
        let (changes, cursor, mut asks) = desk_call.await?;
        self.changes = Some(changes);
        self.cursor = cursor;
        self.is_behind = false;
        asks.retain(|ask| self.is_shown(ask));
        self.known.retain(|id, _| asks.iter().any(|ask| ask.id == *id));
        let mut frames = Vec::new();
        for ask in &asks {
            let mut builder = self.frame_builder(ask);
            self.push_state(&mut builder);
            frames.append(&mut builder.frames);
        }
        Ok(frames)
    }

    /// Adds the events of an ask's state that the client does not know.
    fn push_state(&mut self, builder: &mut FrameBuilder<'_>) {
        let ask = builder.ask;
        let round = match &ask.state.phase {
            AskPhase::Open { round, .. } | AskPhase::Submitted { round, .. } => *round,
            AskPhase::Settled(_) => return self.push_settled(builder),
        };
        let is_new = !self.known.contains_key(&ask.id);
        let view = self.known.entry(ask.id).or_default();
        if is_new {
            builder.push_pending(true);
        }
        if view.round < round {
            view.begin_round(round);
            builder.push_request(round, last_round(ask));
        }
        if let AskPhase::Submitted { submission, .. } = &ask.state.phase
            && !view.is_submitted
        {
            view.is_submitted = true;
            view.sent = submitted_values(ask, submission);
            builder.push_response(round, user_response(ask, submission));
        }
    }
}

/// Returns the values that a person sent.
fn submitted_values(ask: &Ask, submission: &Submission) -> Map<String, Value> {
    let as_sent = submission.as_sent.as_ref();
    interaction::submitted_values(&ask.request.questionnaire, &submission.replies, as_sent)
}

fn user_response(ask: &Ask, submission: &Submission) -> interaction::UserResponse {
    let as_sent = submission.as_sent.as_ref();
    interaction::to_user_response(&ask.request.questionnaire, &submission.replies, as_sent)
}

/// Returns why the last round of an open ask was refused, and the values that were sent in it.
fn last_round(ask: &Ask) -> Option<(&RoundFeedback, Map<String, Value>)> {
    let AskPhase::Open { feedback: Some(feedback), refused, .. } = &ask.state.phase else { return None };
    let values = match refused {
        Some(submission) => submitted_values(ask, submission),
        None => Map::new(),
    };
    Some((feedback, values))
}

/// Returns the forms that wait, and those that the client knows.
fn waiting_asks(desk: &StoreDesk, reader: AskReader, known_ids: Vec<AskId>) -> Result<Vec<Ask>, Problem> {
    let states = vec![AskStatus::Open, AskStatus::Submitted];
    let dialect = Some(Dialect::Interaction.name().to_owned());
    let mut query = AskQuery { states, reader, dialect, ..AskQuery::default() };
    let mut distinct_ids: HashSet<AskId> = known_ids.iter().copied().collect();
    let mut ids = known_ids;
    loop {
        let page = desk.list(&query)?;
        for row in &page.rows {
            if distinct_ids.insert(row.id) {
                ids.push(row.id);
            }
        }
        match page.next {
            Some(next) if ids.len() < MAX_INITIAL_FORMS => query.after = Some(next),
            Some(_) | None => break,
        }
    }
    let mut asks = Vec::with_capacity(ids.len());
    for id in ids {
        if let Some(Some(ask)) = skip_damaged(find_ask(desk, id))? {
            asks.push(ask);
        }
    }
    Ok(asks)
}
