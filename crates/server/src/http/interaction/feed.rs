//! Events for one client of the dialect: forms that wait, then their changes.
//!
//! **Invariant:** the client's view of each open ask is tracked, so no event is sent twice. This holds for both
//! sources: the desk's state at the start and its log from then on.

use super::{asker_session, derived_id, is_form, round_id, tool_call};
use crate::http::context::{ServerContext, find_ask};
use crate::http::middleware::caller::{AccessKind, AuthenticatedCaller};
use sayso_core::lifecycle::AskEvent as Happened;
use sayso_core::model::ask::{AskPhase, RoundFeedback};
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
        let (tool_call_id, interaction_id) = (self.ask.id.to_string(), round_id(self.ask.id, round));
        self.push_event(
            what,
            &InteractionPayload::InteractionResponse { tool_call_id, interaction_id, response },
        );
    }
}

impl EventFeed {
    pub(super) fn new(context: Arc<ServerContext>, caller: AuthenticatedCaller) -> Self {
        let (regrouped, known) = (context.regrouped.subscribe(), HashMap::new());
        Self {
            context,
            caller,
            session: None,
            changes: None,
            regrouped,
            cursor: ChangeCursor::NONE,
            is_behind: false,
            known,
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
            Some(live) => tokio::select! {
                received = live.recv() => received,
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
            Ok(WatchEvent::Change(changed)) => self.frames_of_change(changed).await,
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
        for changed in &page {
            frames.extend(self.frames_of_change(changed).await?);
        }
        Ok(frames)
    }

    /// Returns the frames of a change, unless it has been processed before.
    async fn frames_of_change(&mut self, changed: &AskChange) -> Result<Vec<String>, Problem> {
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
        let is_visible = self.caller.reader.may_see(changed.account.as_deref(), changed.audience.as_ref());
        if !matters || !is_known || !is_visible {
            return Ok(Vec::new());
        }
        let id = changed.id;
        let Some(ask) = self.context.with_desk(move |desk| find_ask(desk, id)).await? else {
            return Ok(Vec::new());
        };
        Ok(if self.is_shown(&ask) { self.change_frames(&ask, changed) } else { Vec::new() })
    }

    fn is_shown(&self, ask: &Ask) -> bool {
        let is_of_session =
            self.session.as_deref().is_none_or(|session| session == asker_session(&ask.request.asker));
        is_form(ask) && is_of_session && self.caller.access_to(ask) == AccessKind::InAudience
    }

    fn frame_builder<'a>(&self, ask: &'a Ask) -> FrameBuilder<'a> {
        FrameBuilder { ask, timestamp: (self.context.now)().as_millisecond(), frames: Vec::new() }
    }

    /// Returns the frames of the events of a change.
    fn change_frames(&mut self, ask: &Ask, changed: &AskChange) -> Vec<String> {
        let mut builder = self.frame_builder(ask);
        let questionnaire = &ask.request.questionnaire;
        for event in &changed.events {
            match event {
                Happened::Opened { .. } if !self.known.contains_key(&ask.id) => {
                    self.known.insert(ask.id, KnownAsk { round: 1, ..KnownAsk::default() });
                    builder.push_pending(true);
                    builder.push_request(1, None);
                }
                Happened::Submitted { round, submission } => {
                    let Some(known) = self.known.get_mut(&ask.id) else { continue };
                    let (replies, as_sent) = (&submission.replies, submission.as_sent.as_ref());
                    known.sent = interaction::submitted_values(questionnaire, replies, as_sent);
                    if *round == known.round && !known.is_submitted {
                        known.is_submitted = true;
                        builder.push_response(
                            *round,
                            interaction::to_user_response(questionnaire, replies, as_sent),
                        );
                    }
                }
                Happened::Reprompted { round, feedback, .. } => {
                    let Some(known) = self.known.get_mut(&ask.id) else { continue };
                    if *round > known.round {
                        let sent = std::mem::take(&mut known.sent);
                        (known.round, known.is_submitted) = (*round, false);
                        builder.push_request(*round, Some((feedback, sent)));
                    }
                }
                Happened::Settled { .. } => self.push_settled(&mut builder),
                _ => {}
            }
        }
        builder.frames
    }

    fn push_settled(&mut self, builder: &mut FrameBuilder<'_>) {
        let ask = builder.ask;
        let (Some(known), Some(outcome)) = (self.known.remove(&ask.id), ask.outcome()) else { return };
        if let Some(response) = interaction::final_response(&ask.request.questionnaire, outcome) {
            builder.push_named_response("settled", known.round, response);
        }
        builder.push_pending(false);
    }

    /// Subscribes, and returns the frames of the desk's state that the client does not know.
    async fn resync(&mut self) -> Result<Vec<String>, Problem> {
        let notifier = self.context.change_notifier.clone();
        self.caller.reader = self.context.reader_again(&self.caller)?;
        let reader = self.caller.reader.clone();
        let known: Vec<AskId> = self.known.keys().copied().collect();
        let (live, cursor, asks) = self
            .context
            .with_desk(move |desk| {
                let live = notifier.listen()?;
                let (cursor, _) = desk.resume_cursor(None)?;
                Ok((live, cursor, waiting_asks(desk, reader, known)?))
            })
            .await?;
        (self.changes, self.cursor, self.is_behind) = (Some(live), cursor, false);
        let mut frames = Vec::new();
        let shown: Vec<_> = asks.iter().filter(|ask| self.is_shown(ask)).collect();
        self.known.retain(|id, _| shown.iter().any(|ask| ask.id == *id));
        for ask in shown {
            let mut builder = self.frame_builder(ask);
            self.push_state(&mut builder);
            frames.append(&mut builder.frames);
        }
        Ok(frames)
    }

    /// Adds the events of an ask's state that the client does not know.
    fn push_state(&mut self, builder: &mut FrameBuilder<'_>) {
        let ask = builder.ask;
        let questionnaire = &ask.request.questionnaire;
        let round = match &ask.state.phase {
            AskPhase::Open { round, .. } | AskPhase::Submitted { round, .. } => *round,
            AskPhase::Settled(_) => return self.push_settled(builder),
        };
        let is_new = !self.known.contains_key(&ask.id);
        let known = self.known.entry(ask.id).or_default();
        if is_new {
            builder.push_pending(true);
        }
        if known.round < round {
            let again = match &ask.state.phase {
                AskPhase::Open { feedback: Some(feedback), refused, .. } => {
                    let sent = refused.as_ref().map(|refused| {
                        interaction::submitted_values(
                            questionnaire,
                            &refused.replies,
                            refused.as_sent.as_ref(),
                        )
                    });
                    Some((feedback, sent.unwrap_or_default()))
                }
                _ => None,
            };
            (known.round, known.is_submitted) = (round, false);
            builder.push_request(round, again);
        }
        if let (AskPhase::Submitted { submission, .. }, false) = (&ask.state.phase, known.is_submitted) {
            known.is_submitted = true;
            let (replies, as_sent) = (&submission.replies, submission.as_sent.as_ref());
            known.sent = interaction::submitted_values(questionnaire, replies, as_sent);
            builder.push_response(round, interaction::to_user_response(questionnaire, replies, as_sent));
        }
    }
}

/// Returns the forms that wait, and those that the client knows.
fn waiting_asks(desk: &StoreDesk, reader: AskReader, known: Vec<AskId>) -> Result<Vec<Ask>, Problem> {
    let states = vec![AskStatus::Open, AskStatus::Submitted];
    let dialect = Some(Dialect::Interaction.name().to_owned());
    let mut query = AskQuery { states, reader, dialect, ..AskQuery::default() };
    let mut ids = known;
    let mut seen: HashSet<AskId> = ids.iter().copied().collect();
    loop {
        let page = desk.list(&query)?;
        ids.extend(page.rows.iter().map(|row| row.id).filter(|id| seen.insert(*id)));
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
