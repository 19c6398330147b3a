//! Routes for the person in a thread: send a message, or decide an interrupt.

mod history_event;
pub(super) mod person_threads;
mod stream;
mod stream_framing;

use super::agent::thread_agent::only_agent;
use super::error::{self, ThreadError};
use super::thread_state::ThreadState;
use super::turn::active_turn::ActiveTurn;
use super::turn::open_asks::{first_open_ask, open_asks};
use crate::diagnostics::log_failure;
use crate::http::context::find_ask;
use crate::http::middleware::auth::unauthorized;
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::caller::{AuthenticatedCaller, PersonParams};
use axum::response::Response;
use sayso_core::i18n::foreign;
use sayso_core::model::ask::AttentionState;
use sayso_core::{
    Actor, Ask, AskCommand, AskId, Digest, Lang, Message, Outcome, Person, Problem, ProblemCode, limits,
};
use sayso_desk::thread::{PendingTurn, Thread};
use sayso_desk::{Desk as _, StoreDesk, check_key};
use sayso_dialects::interrupt::{
    ChatRequest, InterruptEvent, ResumeDecision, ResumeRequest, end_events, not_waiting_problem,
    rejection_events, resolve_decision,
};
use serde_json::Value;
use std::sync::Arc;
use stream_framing::StreamFraming;

/// Authenticated person in a thread.
pub(super) struct ThreadSpeaker {
    pub(super) caller: AuthenticatedCaller,
    pub(super) person: Person,
}

/// Runs a handler, and renders errors as the spec's server does.
pub(super) async fn respond<F>(
    threads: Arc<ThreadState>,
    call: ApiCall,
    work: impl FnOnce(Arc<ThreadState>, ApiCall) -> F,
) -> Result<Response, Problem>
where
    F: Future<Output = Result<(Response, ThreadSpeaker), ThreadError>>,
{
    let lang = call.lang;
    if let Err(problem) = threads.catch_up().await {
        return Ok(error::error_response(&threads, problem.into(), lang));
    }
    Ok(match work(threads.clone(), call).await {
        Ok((mut reply, ThreadSpeaker { caller, .. })) => {
            reply.extensions_mut().insert(caller.logged());
            reply
        }
        Err(error) => error::error_response(&threads, error, lang),
    })
}

/// Authenticates the person.
pub(super) fn authenticate_speaker(call: &ApiCall) -> Result<ThreadSpeaker, ThreadError> {
    let Some(authentication) = call.deferred_caller.clone() else {
        return Err(unauthorized(Message::TokenMissing).into());
    };
    let caller = authentication?;
    let person = caller.to_person(PersonParams::default())?;
    Ok(ThreadSpeaker { caller, person })
}

/// Returns the thread that the path names, if it belongs to the person.
pub(super) async fn own_thread(
    threads: &Arc<ThreadState>,
    call: &ApiCall,
    speaker: &ThreadSpeaker,
) -> Result<Thread, ThreadError> {
    let id = call.path_param().to_owned();
    match threads.context.with_desk(move |desk| desk.thread(&id)).await? {
        Some(thread) if thread.owner == speaker.caller.account => Ok(thread),
        _ => Err(ThreadError::Thread(call.path_param().to_owned())),
    }
}

fn parse_body(call: &ApiCall) -> Result<Value, ThreadError> {
    Ok(ResumeRequest::parse_body(call.text()?)?)
}

/// Records that the person was shown an ask; the desk stores it for the next process.
pub(super) fn note_shown(desk: &StoreDesk, live: &ActiveTurn, person: &Person, ask: &Ask) {
    live.mark_shown(ask.id);
    if ask.state.attention != AttentionState::Seen {
        // If this fails, the ask is shown again.
        let result = desk.act(&Actor::Person(person.clone()), ask.id, None, AskCommand::MarkSeen);
        log_failure("mark an ask as seen", result);
    }
}

/// Declines the open asks of a thread; an ask answered meanwhile stays answered.
pub(super) fn decline_open_asks(
    threads: &ThreadState,
    desk: &StoreDesk,
    thread: &str,
    person: &Person,
    reason: Option<&str>,
) -> Result<(), Problem> {
    for ask in open_asks(desk, threads.registry.open_asks(thread))? {
        let command = AskCommand::Decline { reason: given_reason(reason), shown: ask.request.digest };
        if let Err(problem) = desk.act(&Actor::Person(person.clone()), ask.id, None, command)
            && let Some(ask) = find_ask(desk, ask.id)?
            && ask.outcome().is_none()
        {
            return Err(problem);
        }
    }
    Ok(())
}

/// Returns a reason, unless it has no words.
fn given_reason(reason: Option<&str>) -> Option<String> {
    let reason = reason?;
    if reason.trim().is_empty() { None } else { Some(reason.to_owned()) }
}

pub(in crate::http) async fn chat(threads: Arc<ThreadState>, call: ApiCall) -> Result<Response, Problem> {
    respond(threads, call, |threads, call| async move {
        let body = parse_body(&call)?;
        let speaker = authenticate_speaker(&call)?;
        let ChatRequest { message } = ChatRequest::from_body(&body)?;
        let thread = own_thread(&threads, &call, &speaker).await?;
        let framing = StreamFraming::from_call(&call)?;
        let key = call.idempotency_key()?;
        let person = speaker.person.clone();
        let state = threads.clone();
        let desk_call = threads
            .context
            .with_desk(move |desk| receive_message(&state, desk, thread, &person, message, key.as_deref()));
        let reply = match desk_call.await? {
            Some(live) => {
                stream::turn_stream(&threads, &speaker, live.read(), InterruptEvent::end(None), framing)?
            }
            None => stream::fixed_stream(&[InterruptEvent::end(None)], &framing),
        };
        Ok((reply, speaker))
    })
    .await
}

/// Stores a message, and returns its turn. A repeated key returns the first message's turn, or `None` if that has
/// ended.
fn receive_message(
    threads: &ThreadState,
    desk: &StoreDesk,
    thread: Thread,
    person: &Person,
    message: String,
    key: Option<&str>,
) -> Result<Option<Arc<ActiveTurn>>, Problem> {
    let _key_guard = match key {
        Some(key) => {
            check_key(key)?;
            Some(threads.registry.lock_keyed())
        }
        None => None,
    };
    if let Some(key) = key
        && let Some(earlier_message) = desk.find_message_by_key(&thread.id, key)?
    {
        if earlier_message.message != message {
            return Err(key_reused(key));
        }
        let turns = threads.registry.turns(&thread.id);
        return Ok(turns.into_iter().find(|live| live.number == earlier_message.turn));
    }
    if threads.registry.pending_turns(&thread.owner) >= limits::ACCOUNT_PENDING_TURNS {
        let message = Message::AccountTurnsFull.with([limits::ACCOUNT_PENDING_TURNS]);
        return Err(Problem::new(ProblemCode::TooManyRequests, message));
    }
    let agent = match &thread.agent {
        Some(agent) => agent.clone(),
        None => only_agent(desk, &thread.owner, (threads.context.now)())?,
    };
    // Only a stored message declines open asks, never a refused one.
    let number = desk.post_message(&thread.id, &message, key, Some(agent.clone()))?;
    // If this fails, the asks stay open for the person to decide.
    log_failure("decline open asks", decline_open_asks(threads, desk, &thread.id, person, Some(&message)));
    let turn = PendingTurn {
        number,
        thread: thread.id,
        agent: Some(agent),
        message,
        holder: None,
        asks: Vec::new(),
        attempts: 0,
    };
    Ok(Some(threads.registry.add_from(&thread.owner, turn)))
}

/// Result of a decision.
enum ResumeResult {
    /// The agent continues this turn after this ask.
    Continues { live: Arc<ActiveTurn>, ask: AskId, end: InterruptEvent },
    /// No change.
    Unchanged(Vec<InterruptEvent>),
}

pub(in crate::http) async fn resume(threads: Arc<ThreadState>, call: ApiCall) -> Result<Response, Problem> {
    respond(threads, call, |threads, call| async move {
        let body = parse_body(&call)?;
        let speaker = authenticate_speaker(&call)?;
        let request = ResumeRequest::from_body(&body)?;
        let thread = own_thread(&threads, &call, &speaker).await?;
        request.action()?;
        let framing = StreamFraming::from_call(&call)?;
        let key = call.idempotency_key()?;
        let lang = call.lang;
        let person = speaker.person.clone();
        let state = threads.clone();
        let desk_call = threads.context.with_desk(move |desk| {
            let decision = PersonDecision {
                threads: &state,
                desk,
                thread: &thread,
                person: &person,
                request: &request,
                lang,
            };
            decision.decide_once(key.as_deref())
        });
        let reply = match desk_call.await? {
            ResumeResult::Continues { live, ask, end } => {
                stream::turn_stream(&threads, &speaker, live.read_after(ask), end, framing)?
            }
            ResumeResult::Unchanged(events) => stream::fixed_stream(&events, &framing),
        };
        Ok((reply, speaker))
    })
    .await
}

/// Decision of a person in a thread, to be made at the desk.
struct PersonDecision<'a> {
    threads: &'a ThreadState,
    desk: &'a StoreDesk,
    thread: &'a Thread,
    person: &'a Person,
    request: &'a ResumeRequest,
    lang: Lang,
}

impl PersonDecision<'_> {
    /// Decides the thread's interrupt, once per idempotency key; a repeated key returns the first decision, even after
    /// the turn has ended.
    fn decide_once(&self, key: Option<&str>) -> Result<ResumeResult, Problem> {
        let Some(key) = key else { return self.decide(None) };
        check_key(key)?;
        // Key scoped to the thread, independent of the person's other keys.
        let own_key =
            format!("resume {}", Digest::compute(format!("{}\u{1f}{key}", self.thread.id).as_bytes()));
        let _key_guard = self.threads.registry.lock_keyed();
        let Some(id) = self.desk.find_by_person_key(self.person, &own_key)? else {
            return self.decide(Some(&own_key));
        };
        let Some(ask) = find_ask(self.desk, id)? else {
            return Ok(ResumeResult::Unchanged(vec![InterruptEvent::end(Some(&self.request.action))]));
        };
        let Ok(command) = to_command(&ask, self.request) else { return Err(key_reused(key)) };
        // The desk compares the request with the first one of this key.
        let ask = match self.desk.act(&Actor::Person(self.person.clone()), id, Some(&own_key), command) {
            Ok(ask) => ask,
            Err(problem) if problem.code == ProblemCode::KeyReused => return Err(key_reused(key)),
            Err(problem) => return Err(problem),
        };
        let end = end_event(&ask, self.request);
        for live in self.threads.registry.turns(&self.thread.id) {
            if live.asks().contains(&id) {
                return Ok(ResumeResult::Continues { live, ask: id, end });
            }
        }
        Ok(ResumeResult::Unchanged(vec![end]))
    }

    /// Decides the first open ask of a thread, if the person was shown it. Otherwise shows it: the ask they mean may
    /// have ended meanwhile, and the agent asked another.
    fn decide(&self, key: Option<&str>) -> Result<ResumeResult, Problem> {
        let Some((live, ask)) = first_open_ask(self.desk, self.threads.registry.open_asks(&self.thread.id))?
        else {
            return Ok(ResumeResult::Unchanged(self.not_waiting_events()?));
        };
        // It may have been shown by another node.
        let is_seen = self.threads.registry.is_shared() && ask.state.attention == AttentionState::Seen;
        if !is_seen && !live.was_shown(ask.id) {
            note_shown(self.desk, &live, self.person, &ask);
            let mut events = rejection_events(&not_waiting_problem(self.request), self.lang);
            // The last event ends the stream.
            let last = events.len().saturating_sub(1);
            events.insert(last, InterruptEvent::interrupt(&ask.request.questionnaire, self.lang));
            return Ok(ResumeResult::Unchanged(events));
        }
        let command = match to_command(&ask, self.request) {
            Ok(command) => command,
            Err(problem) => return Ok(self.refusal(&problem)),
        };
        let who = Actor::Person(self.person.clone());
        if let Err(problem) = self.threads.context.embedded_consent.check(&who, &ask, &command) {
            return Ok(self.refusal(&problem));
        }
        let settled_ask = match self.desk.act(&who, ask.id, key, command) {
            Ok(ask) => ask,
            // Another surface decided first: nothing is open any more.
            Err(_) if find_ask(self.desk, ask.id)?.is_none_or(|ask| ask.outcome().is_some()) => {
                return Ok(ResumeResult::Unchanged(self.not_waiting_events()?));
            }
            Err(problem) => return Ok(self.refusal(&problem)),
        };
        live.mark_settled(ask.id);
        if settled_ask.outcome().is_none() {
            return Ok(self.refusal(&not_waiting_problem(self.request)));
        }
        let end = end_event(&settled_ask, self.request);
        Ok(ResumeResult::Continues { live, ask: ask.id, end })
    }

    /// Returns the result of a decision that the desk did not take, for this reason.
    fn refusal(&self, problem: &Problem) -> ResumeResult {
        ResumeResult::Unchanged(rejection_events(problem, self.lang))
    }

    /// Returns the events for a decision without an open ask.
    fn not_waiting_events(&self) -> Result<Vec<InterruptEvent>, Problem> {
        let streams = self.threads.registry.streams(&self.thread.id);
        let last_ask = streams.iter().rev().find_map(|live| live.asks().last().copied());
        if let Some(id) = last_ask
            && let Some(ask) = find_ask(self.desk, id)?
            && let Some(outcome @ Outcome::Expired { .. }) = ask.outcome()
        {
            return Ok(end_events(&ask.request.questionnaire, outcome));
        }
        Ok(rejection_events(&not_waiting_problem(self.request), self.lang))
    }
}

fn key_reused(key: &str) -> Problem {
    Problem::new(ProblemCode::KeyReused, Message::KeyReused.with([foreign(key)]))
}

/// Returns the event that ends the stream of a decision.
fn end_event(ask: &Ask, request: &ResumeRequest) -> InterruptEvent {
    if let Some(outcome) = ask.outcome()
        && let Some(end) = end_events(&ask.request.questionnaire, outcome).pop()
    {
        return end;
    }
    InterruptEvent::end(Some(&request.action))
}

/// Converts a decision to a command.
fn to_command(ask: &Ask, request: &ResumeRequest) -> Result<AskCommand, Problem> {
    let shown = ask.request.digest;
    Ok(match resolve_decision(&ask.request.questionnaire, request)? {
        ResumeDecision::Answer(answer) => {
            AskCommand::Submit { replies: answer.replies, as_sent: answer.as_sent, shown: shown.into() }
        }
        ResumeDecision::Decline => {
            AskCommand::Decline { reason: given_reason(request.reason.as_deref()), shown }
        }
    })
}
