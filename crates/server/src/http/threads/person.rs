//! Routes for the person in a thread: send a message, or decide an interrupt.

mod history_event;
pub(super) mod person_threads;
mod stream;
mod stream_framing;

use super::error::{self, ThreadError};
use super::turn::active_turn::ActiveTurn;

use super::agent::thread_agent::only_agent;
use super::thread_state::ThreadState;
use crate::diagnostics::{LoggedCaller, log_failure};
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
            let who = LoggedCaller { account: caller.account.as_str().into(), role: caller.role.as_str() };
            reply.extensions_mut().insert(who);
            reply
        }
        Err(denied) => error::error_response(&threads, denied, lang),
    })
}

/// Authenticates the person.
pub(super) fn authenticate_speaker(call: &ApiCall) -> Result<ThreadSpeaker, ThreadError> {
    let missing = || Err(unauthorized(Message::TokenMissing));
    let caller = call.deferred_caller.clone().unwrap_or_else(missing)?;
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
    let found = threads.context.with_desk(move |desk| desk.thread(&id)).await?;
    let own = found.filter(|thread| thread.owner == speaker.caller.account);
    own.ok_or_else(|| ThreadError::Thread(call.path_param().to_owned()))
}

fn parse_body(call: &ApiCall) -> Result<Value, ThreadError> {
    Ok(ResumeRequest::parse_body(call.text()?)?)
}

/// Returns the ask, if it is open; a settled one may have been purged.
fn get_unsettled(desk: &StoreDesk, live: &ActiveTurn, id: AskId) -> Result<Option<Ask>, Problem> {
    let ask = find_ask(desk, id)?.filter(|ask| ask.outcome().is_none());
    if ask.is_none() {
        live.mark_settled(id);
    }
    Ok(ask)
}

/// Returns the open asks among the candidates, in order.
fn open_asks(desk: &StoreDesk, waiting: Vec<(Arc<ActiveTurn>, AskId)>) -> Result<Vec<Ask>, Problem> {
    let mut open = Vec::new();
    for (live, id) in waiting {
        open.extend(get_unsettled(desk, &live, id)?);
    }
    Ok(open)
}

/// Records that the person was shown an ask; the desk stores it for the next process.
pub(super) fn note_shown(desk: &StoreDesk, live: &ActiveTurn, person: &Person, ask: &Ask) {
    live.mark_shown(ask.id);
    if ask.state.attention != AttentionState::Seen {
        // If this fails, the ask is shown again.
        let seen = desk.act(&Actor::Person(person.clone()), ask.id, None, AskCommand::MarkSeen);
        log_failure("mark an ask as seen", seen);
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
        let reason = reason.filter(|reason| !reason.trim().is_empty()).map(str::to_owned);
        let no = AskCommand::Decline { reason, shown: ask.request.digest };
        if let Err(problem) = desk.act(&Actor::Person(person.clone()), ask.id, None, no)
            && find_ask(desk, ask.id)?.is_some_and(|ask| ask.outcome().is_none())
        {
            return Err(problem);
        }
    }
    Ok(())
}

pub(in crate::http) async fn chat(threads: Arc<ThreadState>, call: ApiCall) -> Result<Response, Problem> {
    respond(threads, call, |threads, call| async move {
        let body = parse_body(&call)?;
        let speaker = authenticate_speaker(&call)?;
        let ChatRequest { message } = ChatRequest::from_body(&body)?;
        let thread = own_thread(&threads, &call, &speaker).await?;
        let framing = StreamFraming::from_call(&call)?;
        let (person, here, key) = (speaker.person.clone(), threads.clone(), call.idempotency_key()?);
        let receive =
            move |desk: &StoreDesk| receive_message(&here, desk, thread, &person, message, key.as_deref());
        let reply = match threads.context.with_desk(receive).await? {
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
    key.map(check_key).transpose()?;
    let _one = key.map(|_| threads.registry.lock_keyed());
    if let Some(key) = key
        && let Some(before) = desk.find_message_by_key(&thread.id, key)?
    {
        if before.message != message {
            return Err(Problem::new(ProblemCode::KeyReused, Message::KeyReused.with([foreign(key)])));
        }
        return Ok(threads.registry.turns(&thread.id).into_iter().find(|live| live.number == before.turn));
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
    let (person_account, thread, agent) = (thread.owner, thread.id, Some(agent));
    let (holder, asks, attempts) = (None, Vec::new(), 0);
    let turn = PendingTurn { number, thread, agent, message, holder, asks, attempts };
    Ok(Some(threads.registry.add_from(&person_account, turn)))
}

/// Returns the first open ask among the candidates, with its turn.
pub(super) fn first_open_ask(
    desk: &StoreDesk,
    waiting: Vec<(Arc<ActiveTurn>, AskId)>,
) -> Result<Option<(Arc<ActiveTurn>, Ask)>, Problem> {
    for (live, id) in waiting {
        if let Some(ask) = get_unsettled(desk, &live, id)? {
            return Ok(Some((live, ask)));
        }
    }
    Ok(None)
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
        let (person, here, key) = (speaker.person.clone(), threads.clone(), call.idempotency_key()?);
        let lang = call.lang;
        let decided = move |desk: &StoreDesk| {
            decide_once(&here, desk, &thread, &person, (&request, lang), key.as_deref())
        };
        let decided = threads.context.with_desk(decided).await?;
        let reply = match decided {
            ResumeResult::Continues { live, ask, end } => {
                stream::turn_stream(&threads, &speaker, live.read_after(ask), end, framing)?
            }
            ResumeResult::Unchanged(events) => stream::fixed_stream(&events, &framing),
        };
        Ok((reply, speaker))
    })
    .await
}

/// Decides the thread's interrupt, once per idempotency key; a repeated key returns the first decision, even after
/// the turn has ended.
fn decide_once(
    threads: &ThreadState,
    desk: &StoreDesk,
    thread: &Thread,
    person: &Person,
    (request, lang): (&ResumeRequest, Lang),
    key: Option<&str>,
) -> Result<ResumeResult, Problem> {
    let Some(key) = key else { return decide(threads, desk, thread, person, (request, lang), None) };
    check_key(key)?;
    // Key scoped to the thread, independent of the person's other keys.
    let own_key = format!("resume {}", Digest::compute(format!("{}\u{1f}{key}", thread.id).as_bytes()));
    let _one = threads.registry.lock_keyed();
    let Some(id) = desk.find_by_person_key(person, &own_key)? else {
        return decide(threads, desk, thread, person, (request, lang), Some(&own_key));
    };
    let reused = || Problem::new(ProblemCode::KeyReused, Message::KeyReused.with([foreign(key)]));
    let Some(ask) = find_ask(desk, id)? else {
        return Ok(ResumeResult::Unchanged(vec![InterruptEvent::end(Some(&request.action))]));
    };
    // The desk compares the request with the first one of this key.
    let command = to_command(&ask, request).map_err(|_| reused())?;
    let ask = desk
        .act(&Actor::Person(person.clone()), id, Some(&own_key), command)
        .map_err(|problem| if problem.code == ProblemCode::KeyReused { reused() } else { problem })?;
    let end = ask.outcome().map(|outcome| end_event(&ask, outcome, request));
    let end = end.unwrap_or_else(|| InterruptEvent::end(Some(&request.action)));
    let live = threads.registry.turns(&thread.id).into_iter().find(|live| live.asks().contains(&id));
    Ok(match live {
        Some(live) => ResumeResult::Continues { live, ask: id, end },
        None => ResumeResult::Unchanged(vec![end]),
    })
}

/// Returns the event that ends the stream of a decision.
fn end_event(ask: &Ask, outcome: &Outcome, request: &ResumeRequest) -> InterruptEvent {
    let end = end_events(&ask.request.questionnaire, outcome).pop();
    end.unwrap_or_else(|| InterruptEvent::end(Some(&request.action)))
}

/// Decides the first open ask of a thread, if the person was shown it. Otherwise shows it: the ask they mean may have
/// ended meanwhile, and the agent asked another.
fn decide(
    threads: &ThreadState,
    desk: &StoreDesk,
    thread: &Thread,
    person: &Person,
    (request, lang): (&ResumeRequest, Lang),
    key: Option<&str>,
) -> Result<ResumeResult, Problem> {
    let Some((live, ask)) = first_open_ask(desk, threads.registry.open_asks(&thread.id))? else {
        return Ok(ResumeResult::Unchanged(not_waiting_events(threads, desk, thread, (request, lang))?));
    };
    // It may have been shown by another node.
    let is_seen = threads.registry.is_shared() && ask.state.attention == AttentionState::Seen;
    if !is_seen && !live.was_shown(ask.id) {
        note_shown(desk, &live, person, &ask);
        let mut events = rejection_events(&not_waiting_problem(request), lang);
        events.insert(
            events.len().saturating_sub(1),
            InterruptEvent::interrupt(&ask.request.questionnaire, lang),
        );
        return Ok(ResumeResult::Unchanged(events));
    }
    let command = match to_command(&ask, request) {
        Ok(command) => command,
        Err(problem) => return Ok(ResumeResult::Unchanged(rejection_events(&problem, lang))),
    };
    let who = Actor::Person(person.clone());
    if let Err(problem) = threads.context.embedded_consent.check(&who, &ask, &command) {
        return Ok(ResumeResult::Unchanged(rejection_events(&problem, lang)));
    }
    let after = match desk.act(&who, ask.id, key, command) {
        Ok(after) => after,
        // Another surface decided first: nothing is open any more.
        Err(_) if find_ask(desk, ask.id)?.is_none_or(|ask| ask.outcome().is_some()) => {
            return Ok(ResumeResult::Unchanged(not_waiting_events(threads, desk, thread, (request, lang))?));
        }
        Err(problem) => return Ok(ResumeResult::Unchanged(rejection_events(&problem, lang))),
    };
    live.mark_settled(ask.id);
    let Some(outcome) = after.outcome() else {
        return Ok(ResumeResult::Unchanged(rejection_events(&not_waiting_problem(request), lang)));
    };
    let end = end_event(&after, outcome, request);
    Ok(ResumeResult::Continues { live, ask: ask.id, end })
}

/// Converts a decision to a command.
fn to_command(ask: &Ask, request: &ResumeRequest) -> Result<AskCommand, Problem> {
    let shown = ask.request.digest;
    Ok(match resolve_decision(&ask.request.questionnaire, request)? {
        ResumeDecision::Answer(given) => {
            AskCommand::Submit { replies: given.replies, as_sent: given.as_sent, shown: shown.into() }
        }
        ResumeDecision::Decline => {
            let reason = request.reason.clone().filter(|reason| !reason.trim().is_empty());
            AskCommand::Decline { reason, shown }
        }
    })
}

/// Returns the events for a decision without an open ask.
fn not_waiting_events(
    threads: &ThreadState,
    desk: &StoreDesk,
    thread: &Thread,
    (request, lang): (&ResumeRequest, Lang),
) -> Result<Vec<InterruptEvent>, Problem> {
    let last = threads.registry.streams(&thread.id).iter().rev().find_map(|live| live.asks().last().copied());
    let last = last.map(|id| find_ask(desk, id)).transpose()?.flatten();
    Ok(match last.as_ref().and_then(|ask| ask.outcome().map(|how| (ask, how))) {
        Some((ask, how @ Outcome::Expired { .. })) => end_events(&ask.request.questionnaire, how),
        _ => rejection_events(&not_waiting_problem(request), lang),
    })
}
