//! Routes for the person in a thread: send a message, or decide an interrupt.

use super::live::Live;
use super::refusal::{self, Denied};
use super::stream;
use crate::http::app::{App, found};
use crate::http::call::Call;
use crate::http::caller::{By, Caller};
use crate::http::gate::unauthorized;
use crate::http::log;
use axum::response::Response;
use jiff::Timestamp;
use sayso_core::ask::Attention;
use sayso_core::{Ask, AskId, Code, Command, Digest, Message, Outcome, Person, Problem, Who};
use sayso_desk::thread::{Thread, Turn};
use sayso_desk::token::Role;
use sayso_desk::{Desk as _, LocalDesk, must_be_key};
use sayso_dialects::interrupt::{
    ChatRequest, Decision, Event, ResumeRequest, decision, ended, not_waiting, refused,
};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Maximum number of agents named in the error about an ambiguous agent.
const NAMED_AGENTS: usize = 10;

/// Authenticated person in a thread.
pub(super) struct Speaker {
    pub(super) caller: Caller,
    pub(super) person: Person,
}

/// Runs a handler, and renders errors as the spec's server does.
pub(super) async fn answer<F>(
    app: Arc<App>,
    call: Call,
    work: impl FnOnce(Arc<App>, Call) -> F,
) -> Result<Response, Problem>
where
    F: Future<Output = Result<(Response, Speaker), Denied>>,
{
    let lang = call.lang;
    Ok(match work(app.clone(), call).await {
        Ok((mut reply, Speaker { caller, .. })) => {
            let who = log::Caller { account: caller.account.as_str().into(), role: caller.role.as_str() };
            reply.extensions_mut().insert(who);
            reply
        }
        Err(denied) => refusal::reply(&app, denied, lang),
    })
}

/// Authenticates the person.
pub(super) fn speaker(call: &Call) -> Result<Speaker, Denied> {
    let missing = || Err(unauthorized(Message::TokenMissing));
    let caller = call.late.clone().unwrap_or_else(missing)?;
    let person = caller.person(By::default())?;
    Ok(Speaker { caller, person })
}

/// Returns the thread that the path names, if it belongs to the person.
pub(super) async fn own_thread(app: &Arc<App>, call: &Call, speaker: &Speaker) -> Result<Thread, Denied> {
    let id = call.part().to_owned();
    let found = app.at_desk(move |desk| desk.thread(&id)).await?;
    let own = found.filter(|thread| thread.owner == speaker.caller.account);
    own.ok_or_else(|| Denied::Thread(call.part().to_owned()))
}

fn body(call: &Call) -> Result<Value, Denied> {
    Ok(ResumeRequest::body(call.text()?)?)
}

/// Returns the ask, if it is open; a settled one may have been purged.
fn unsettled(desk: &LocalDesk, live: &Live, id: AskId) -> Result<Option<Ask>, Problem> {
    let ask = found(desk, id)?.filter(|ask| ask.outcome().is_none());
    if ask.is_none() {
        live.settled(id);
    }
    Ok(ask)
}

/// Returns the open asks among the candidates, in order.
fn open(desk: &LocalDesk, waiting: Vec<(Arc<Live>, AskId)>) -> Result<Vec<Ask>, Problem> {
    let mut open = Vec::new();
    for (live, id) in waiting {
        open.extend(unsettled(desk, &live, id)?);
    }
    Ok(open)
}

/// Records that the person was shown an ask; the desk stores it for the next process.
pub(super) fn note_shown(desk: &LocalDesk, live: &Live, person: &Person, ask: &Ask) {
    live.show(ask.id);
    if ask.state.attention != Attention::Seen {
        // If this fails, the ask is shown again.
        let _ = desk.act(&Who::Person(person.clone()), ask.id, None, Command::See);
    }
}

/// Declines the open asks of a thread; an ask answered meanwhile stays answered.
pub(super) fn decline(
    app: &App,
    desk: &LocalDesk,
    thread: &str,
    person: &Person,
    reason: Option<&str>,
) -> Result<(), Problem> {
    for ask in open(desk, app.threads.waiting(thread))? {
        let reason = reason.filter(|reason| !reason.trim().is_empty()).map(str::to_owned);
        let no = Command::Decline { reason, shown: ask.request.digest };
        if let Err(problem) = desk.act(&Who::Person(person.clone()), ask.id, None, no)
            && found(desk, ask.id)?.is_some_and(|ask| ask.outcome().is_none())
        {
            return Err(problem);
        }
    }
    Ok(())
}

pub(in crate::http) async fn chat(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    answer(app, call, |app, call| async move {
        let body = body(&call)?;
        let speaker = speaker(&call)?;
        let ChatRequest { message } = ChatRequest::of(&body)?;
        let thread = own_thread(&app, &call, &speaker).await?;
        let (person, here, key) = (speaker.person.clone(), app.clone(), call.key()?);
        let heard = move |desk: &LocalDesk| hear(&here, desk, thread, &person, message, key.as_deref());
        let reply = match app.at_desk(heard).await? {
            Some(live) => stream::of(&app, &speaker, live.read(), Event::end(None)),
            None => stream::told(&[Event::end(None)]),
        };
        Ok((reply, speaker))
    })
    .await
}

/// Returns the agent for a thread without one: the only account that may ask at this desk.
fn only_agent(desk: &LocalDesk, now: Timestamp) -> Result<String, Problem> {
    let tokens = desk.tokens()?;
    let asks = tokens.iter().filter(|token| token.role == Role::Asker && token.is_valid(now));
    let agents: BTreeSet<&str> = asks.map(|token| token.account.as_str()).collect();
    match (agents.first(), agents.len()) {
        (None, _) => Err(Problem::new(Code::NoAgent, Message::NoAgentYet)),
        (Some(only), 1) => Ok((*only).to_owned()),
        _ => {
            let names: Vec<_> = agents.iter().take(NAMED_AGENTS).copied().collect();
            Err(Problem::new(Code::NoAgent, Message::WhichAgent.with([names.join(", ")])))
        }
    }
}

/// Stores a message, and returns its turn. A repeated key returns the first message's turn, or `None` if that has
/// ended.
fn hear(
    app: &App,
    desk: &LocalDesk,
    thread: Thread,
    person: &Person,
    message: String,
    key: Option<&str>,
) -> Result<Option<Arc<Live>>, Problem> {
    key.map(must_be_key).transpose()?;
    let _one = key.map(|_| app.threads.one_keyed());
    if let Some(key) = key
        && let Some(before) = desk.message_keyed(&thread.id, key)?
    {
        if before.message != message {
            return Err(Problem::new(Code::KeyReused, Message::KeyReused.with([key])));
        }
        return Ok(app.threads.turns(&thread.id).into_iter().find(|live| live.turn == before.turn));
    }
    let agent = match &thread.agent {
        Some(agent) => agent.clone(),
        None => only_agent(desk, (app.now)())?,
    };
    // Only a stored message declines open asks, never a refused one.
    let number = desk.say(&thread.id, &message, key, Some(agent.clone()))?;
    // If this fails, the asks stay open for the person to decide.
    let _ = decline(app, desk, &thread.id, person, Some(&message));
    let (thread, agent) = (thread.id, Some(agent));
    Ok(Some(app.threads.add(Turn { number, thread, agent, message, holder: None, asks: Vec::new() })))
}

/// Returns the first open ask among the candidates, with its turn.
pub(super) fn first_open(
    desk: &LocalDesk,
    waiting: Vec<(Arc<Live>, AskId)>,
) -> Result<Option<(Arc<Live>, Ask)>, Problem> {
    for (live, id) in waiting {
        if let Some(ask) = unsettled(desk, &live, id)? {
            return Ok(Some((live, ask)));
        }
    }
    Ok(None)
}

/// Result of a decision.
enum Decided {
    /// The agent continues this turn after this ask.
    Goes { live: Arc<Live>, ask: AskId, end: Event },
    /// No change.
    Not(Vec<Event>),
}

pub(in crate::http) async fn resume(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    answer(app, call, |app, call| async move {
        let body = body(&call)?;
        let speaker = speaker(&call)?;
        let request = ResumeRequest::of(&body)?;
        let thread = own_thread(&app, &call, &speaker).await?;
        request.action()?;
        let (person, here, key) = (speaker.person.clone(), app.clone(), call.key()?);
        let decided =
            move |desk: &LocalDesk| resumed(&here, desk, &thread, &person, &request, key.as_deref());
        let decided = app.at_desk(decided).await?;
        let reply = match decided {
            Decided::Goes { live, ask, end } => stream::of(&app, &speaker, live.read_after(ask), end),
            Decided::Not(events) => stream::told(&events),
        };
        Ok((reply, speaker))
    })
    .await
}

/// Decides the thread's interrupt, once per idempotency key; a repeated key returns the first decision, even after
/// the turn has ended.
fn resumed(
    app: &App,
    desk: &LocalDesk,
    thread: &Thread,
    person: &Person,
    request: &ResumeRequest,
    key: Option<&str>,
) -> Result<Decided, Problem> {
    let Some(key) = key else { return decide(app, desk, thread, person, request, None) };
    must_be_key(key)?;
    // Key scoped to the thread, independent of the person's other keys.
    let own_key = format!("resume {}", Digest::of(format!("{}\u{1f}{key}", thread.id).as_bytes()));
    let _one = app.threads.one_keyed();
    let Some(id) = desk.acted_on(person, &own_key)? else {
        return decide(app, desk, thread, person, request, Some(&own_key));
    };
    let reused = || Problem::new(Code::KeyReused, Message::KeyReused.with([key]));
    let Some(ask) = found(desk, id)? else {
        return Ok(Decided::Not(vec![Event::end(Some(&request.action))]));
    };
    // The desk compares the request with the first one of this key.
    let command = command(&ask, request).map_err(|_| reused())?;
    let ask = desk
        .act(&Who::Person(person.clone()), id, Some(&own_key), command)
        .map_err(|problem| if problem.code == Code::KeyReused { reused() } else { problem })?;
    let end = ask.outcome().map(|outcome| end_of(&ask, outcome, request));
    let end = end.unwrap_or_else(|| Event::end(Some(&request.action)));
    let live = app.threads.turns(&thread.id).into_iter().find(|live| live.asks().contains(&id));
    Ok(match live {
        Some(live) => Decided::Goes { live, ask: id, end },
        None => Decided::Not(vec![end]),
    })
}

/// Returns the event that ends the stream of a decision.
fn end_of(ask: &Ask, outcome: &Outcome, request: &ResumeRequest) -> Event {
    let end = ended(&ask.request.questionnaire, outcome).pop();
    end.unwrap_or_else(|| Event::end(Some(&request.action)))
}

/// Decides the first open ask of a thread, if the person was shown it. Otherwise shows it: the ask they mean may have
/// ended meanwhile, and the agent asked another.
fn decide(
    app: &App,
    desk: &LocalDesk,
    thread: &Thread,
    person: &Person,
    request: &ResumeRequest,
    key: Option<&str>,
) -> Result<Decided, Problem> {
    let Some((live, ask)) = first_open(desk, app.threads.waiting(&thread.id))? else {
        return Ok(Decided::Not(not_asked(app, desk, thread, request)?));
    };
    if !live.was_shown(ask.id) {
        note_shown(desk, &live, person, &ask);
        let mut told = refused(&not_waiting(request));
        told.insert(told.len().saturating_sub(1), Event::interrupt(&ask.request.questionnaire));
        return Ok(Decided::Not(told));
    }
    let command = match command(&ask, request) {
        Ok(command) => command,
        Err(problem) => return Ok(Decided::Not(refused(&problem))),
    };
    let after = match desk.act(&Who::Person(person.clone()), ask.id, key, command) {
        Ok(after) => after,
        // Another surface decided first: nothing is open any more.
        Err(_) if found(desk, ask.id)?.is_none_or(|ask| ask.outcome().is_some()) => {
            return Ok(Decided::Not(not_asked(app, desk, thread, request)?));
        }
        Err(problem) => return Ok(Decided::Not(refused(&problem))),
    };
    live.settled(ask.id);
    let Some(outcome) = after.outcome() else { return Ok(Decided::Not(refused(&not_waiting(request)))) };
    let end = end_of(&after, outcome, request);
    Ok(Decided::Goes { live, ask: ask.id, end })
}

/// Converts a decision to a command.
fn command(ask: &Ask, request: &ResumeRequest) -> Result<Command, Problem> {
    let shown = ask.request.digest;
    Ok(match decision(&ask.request.questionnaire, request)? {
        Decision::Answer(given) => Command::Submit { replies: given.replies, as_sent: given.as_sent, shown },
        Decision::Decline => Command::Decline { reason: None, shown },
    })
}

/// Returns the events for a decision without an open ask.
fn not_asked(
    app: &App,
    desk: &LocalDesk,
    thread: &Thread,
    request: &ResumeRequest,
) -> Result<Vec<Event>, Problem> {
    let last = app.threads.turns(&thread.id).iter().rev().find_map(|live| live.asks().last().copied());
    let last = last.map(|id| found(desk, id)).transpose()?.flatten();
    Ok(match last.as_ref().and_then(|ask| ask.outcome().map(|how| (ask, how))) {
        Some((ask, how @ Outcome::Expired { .. })) => ended(&ask.request.questionnaire, how),
        _ => refused(&not_waiting(request)),
    })
}
