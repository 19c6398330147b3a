//! Handlers for a person's threads: create, list, show, delete and follow. The spec calls a thread a session.

use super::history_event::HistoryEvent;
use super::stream::{self, PendingAsk};
use super::stream_framing::{StreamCursor, StreamFraming};
use super::{ThreadSpeaker, authenticate_speaker, decline_open_asks, note_shown, own_thread, respond};
use crate::http::context::find_ask;
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::response;
use crate::http::threads::agent::thread_agent::check_agent;
use crate::http::threads::error::ThreadError;
use crate::http::threads::thread_state::ThreadState;
use crate::http::threads::turn::active_turn::ActiveTurn;
use crate::http::threads::turn::open_asks::first_open_ask;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use sayso_core::wire::json;
use sayso_core::{AskId, Lang, Problem};
use sayso_desk::StoreDesk;
use sayso_desk::thread::{Thread, ThreadMessage, ThreadRecord};
use sayso_dialects::interrupt::{InterruptEvent, event_data};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// A thread to start.
#[derive(Default, Deserialize, JsonSchema)]
pub(in crate::http) struct NewThread {
    /// The agent's account; by default the only account with an asker's token.
    agent: Option<String>,
}

/// A new thread.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct NewThreadBody {
    /// The id.
    thread_id: String,
}

/// A thread in a list.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct ListedThread {
    /// The id.
    thread_id: String,
    /// Title.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// `interrupted` while the agent waits for an answer, `running` during a turn, else `idle`.
    status: &'static str,
    /// Time of its start.
    created_at: String,
    /// Time of the last message.
    updated_at: String,
}

/// A person's threads, the latest message first.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct ThreadList {
    sessions: Vec<ListedThread>,
}

/// Status of a thread.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct ThreadStatus {
    /// The id.
    thread_id: String,
    /// `idle`, `running` or `interrupted`.
    status: &'static str,
    /// True if a message waits for the agent, or the agent has not ended its turn.
    has_pending_tasks: bool,
    /// Data of the open interrupt.
    interrupt_info: Option<Value>,
    /// Number of messages in the agent's program: those in the record, messages that only call a tool, and tool
    /// results.
    message_count: u32,
}

/// A message.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct MessageBody {
    /// `user` or `assistant`.
    role: &'static str,
    /// The words.
    content: String,
}

/// Messages and events of a thread.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct ThreadHistory {
    /// The id.
    thread_id: String,
    /// Messages in order.
    messages: Vec<MessageBody>,
    /// Questions, decisions and tool runs, in order.
    events: Vec<HistoryEvent>,
}

/// A deleted thread.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct ThreadDeleted {
    /// `destroyed`.
    status: &'static str,
    /// The id.
    thread_id: String,
}

impl From<ThreadMessage> for MessageBody {
    fn from(message: ThreadMessage) -> Self {
        Self { role: if message.by_person { "user" } else { "assistant" }, content: message.content }
    }
}

fn json_response(body: &impl Serialize) -> Response {
    response::json(StatusCode::OK, json::write(body))
}

pub(in crate::http) async fn create(threads: Arc<ThreadState>, call: ApiCall) -> Result<Response, Problem> {
    respond(threads, call, |threads, call| async move {
        let speaker = authenticate_speaker(&call)?;
        let agent = call.parse_json::<NewThread>()?.agent;
        let caller = speaker.caller.clone();
        let now = (threads.context.now)();
        let desk_call = threads.context.with_desk(move |desk| {
            if let Some(agent) = &agent {
                check_agent(desk, &caller, agent, now)?;
            }
            desk.new_thread(&caller.account, agent)
        });
        let thread = desk_call.await?;
        Ok((json_response(&NewThreadBody { thread_id: thread.id }), speaker))
    })
    .await
}

fn list_entry(threads: &ThreadState, desk: &StoreDesk, thread: Thread) -> Result<ListedThread, Problem> {
    let is_interrupted = first_open_ask(desk, threads.registry.open_asks(&thread.id))?.is_some();
    Ok(ListedThread {
        status: status_word(threads, &thread.id, is_interrupted),
        thread_id: thread.id,
        title: thread.title,
        created_at: thread.created_at.to_string(),
        updated_at: thread.changed_at.to_string(),
    })
}

pub(in crate::http) async fn list(threads: Arc<ThreadState>, call: ApiCall) -> Result<Response, Problem> {
    respond(threads, call, |threads, call| async move {
        let speaker = authenticate_speaker(&call)?;
        let owner = speaker.caller.account.clone();
        let state = threads.clone();
        let desk_call = threads.context.with_desk(move |desk| {
            let mut sessions = Vec::new();
            for thread in desk.threads_owned_by(&owner)? {
                sessions.push(list_entry(&state, desk, thread)?);
            }
            Ok(sessions)
        });
        let sessions = desk_call.await?;
        Ok((json_response(&ThreadList { sessions }), speaker))
    })
    .await
}

pub(in crate::http) async fn show(threads: Arc<ThreadState>, call: ApiCall) -> Result<Response, Problem> {
    respond(threads, call, |threads, call| async move {
        let speaker = authenticate_speaker(&call)?;
        let thread = own_thread(&threads, &call, &speaker).await?;
        let state = threads.clone();
        let entry = threads.context.with_desk(move |desk| list_entry(&state, desk, thread)).await?;
        Ok((json_response(&entry), speaker))
    })
    .await
}

fn status_word(threads: &ThreadState, thread: &str, is_interrupted: bool) -> &'static str {
    match (is_interrupted, threads.registry.turns(thread).is_empty()) {
        (true, _) => "interrupted",
        (false, false) => "running",
        (false, true) => "idle",
    }
}

pub(in crate::http) async fn status(threads: Arc<ThreadState>, call: ApiCall) -> Result<Response, Problem> {
    respond(threads, call, |threads, call| async move {
        let speaker = authenticate_speaker(&call)?;
        let thread = own_thread(&threads, &call, &speaker).await?;
        let state = threads.clone();
        let person = speaker.person.clone();
        let lang = call.lang;
        let desk_call = threads.context.with_desk(move |desk| {
            let mut interrupt_info = None;
            if let Some((live, ask)) = first_open_ask(desk, state.registry.open_asks(&thread.id))? {
                note_shown(desk, &live, &person, &ask);
                interrupt_info = Some(event_data(&ask.request.questionnaire, lang));
            }
            Ok(ThreadStatus {
                status: status_word(&state, &thread.id, interrupt_info.is_some()),
                has_pending_tasks: !state.registry.turns(&thread.id).is_empty(),
                message_count: desk.message_count(&thread.id)?,
                interrupt_info,
                thread_id: thread.id,
            })
        });
        Ok((json_response(&desk_call.await?), speaker))
    })
    .await
}

pub(in crate::http) async fn history(threads: Arc<ThreadState>, call: ApiCall) -> Result<Response, Problem> {
    respond(threads, call, |threads, call| async move {
        let speaker = authenticate_speaker(&call)?;
        let thread = own_thread(&threads, &call, &speaker).await?;
        Ok((json_response(&load_history(&threads, thread.id, call.lang).await?), speaker))
    })
    .await
}

pub(crate) async fn load_history(
    threads: &Arc<ThreadState>,
    thread_id: String,
    lang: Lang,
) -> Result<ThreadHistory, Problem> {
    let desk_call = threads.context.with_desk(move |desk| {
        let ThreadRecord { messages, events: stored_events } = desk.thread_record(&thread_id)?;
        let messages = messages.into_iter().map(MessageBody::from).collect();
        let mut events = Vec::new();
        for event in stored_events {
            events.push(HistoryEvent::load(desk, event, lang)?);
        }
        Ok(ThreadHistory { thread_id, messages, events })
    });
    desk_call.await
}

pub(in crate::http) async fn delete(threads: Arc<ThreadState>, call: ApiCall) -> Result<Response, Problem> {
    respond(threads, call, |threads, call| async move {
        let speaker = authenticate_speaker(&call)?;
        let thread_id = own_thread(&threads, &call, &speaker).await?.id;
        let id = thread_id.clone();
        let person = speaker.person.clone();
        let state = threads.clone();
        let desk_call = threads.context.with_desk(move |desk| {
            decline_open_asks(&state, desk, &id, &person, None)?;
            desk.delete_thread(&id)?;
            state.registry.remove_thread(&id);
            Ok(())
        });
        desk_call.await?;
        Ok((json_response(&ThreadDeleted { status: "destroyed", thread_id }), speaker))
    })
    .await
}

/// Follows a thread: streams what its history does not have yet. This is the active turn from its last or open ask
/// on, then the turns queued behind it.
pub(in crate::http) async fn follow(threads: Arc<ThreadState>, call: ApiCall) -> Result<Response, Problem> {
    respond(threads, call, |threads, call| async move {
        let speaker: ThreadSpeaker = authenticate_speaker(&call)?;
        let thread = own_thread(&threads, &call, &speaker).await?;
        let framing = StreamFraming::from_call(&call)?;
        let reply = follow_stream(&threads, &speaker, &thread.id, framing).await?;
        Ok::<_, ThreadError>((reply, speaker))
    })
    .await
}

/// Follows a thread for a browser, which reconnects by itself with the id of the last event. It is told by 204 that
/// there is nothing more.
pub(in crate::http) async fn stream_events(
    threads: Arc<ThreadState>,
    call: ApiCall,
) -> Result<Response, Problem> {
    respond(threads, call, |threads, call| async move {
        let speaker: ThreadSpeaker = authenticate_speaker(&call)?;
        let thread = own_thread(&threads, &call, &speaker).await?;
        let framing = StreamFraming::of_browser(&call)?;
        let Some(cursor) = StreamCursor::from_call(&call) else {
            let reply = follow_stream(&threads, &speaker, &thread.id, framing).await?;
            return Ok::<_, ThreadError>((reply, speaker));
        };
        let Some((live, position)) = find_rest(&threads, &thread.id, &cursor) else {
            return Ok((StatusCode::NO_CONTENT.into_response(), speaker));
        };
        let pending_ask = match live.ask_before(position) {
            Some(ask) => subscribe_if_open(&threads, ask).await?,
            None => None,
        };
        let reader = live.read_at(position);
        Ok((stream::stream_after_ask(&threads, &speaker, reader, framing, pending_ask)?, speaker))
    })
    .await
}

/// Returns the first turn of which a browser has not read everything, with the position to read from.
fn find_rest(threads: &ThreadState, thread: &str, cursor: &StreamCursor) -> Option<(Arc<ActiveTurn>, usize)> {
    for live in threads.registry.streams(thread) {
        let position = match cursor.place {
            Some(place) if live.number == cursor.turn => live.position_after(place),
            _ => 0,
        };
        if live.number >= cursor.turn && !live.has_ended_at(position) {
            return Some((live, position));
        }
    }
    None
}

/// Returns an ask with its changes, if it is not decided yet.
async fn subscribe_if_open(threads: &ThreadState, ask: AskId) -> Result<Option<PendingAsk>, Problem> {
    let notifier = threads.context.change_notifier.clone();
    let desk_call = threads.context.with_desk(move |desk| {
        // Subscribing before reading misses nothing.
        let changes = notifier.subscribe(vec![ask])?;
        match find_ask(desk, ask)? {
            Some(found_ask) if found_ask.outcome().is_none() => Ok(Some((ask, changes))),
            _ => Ok(None),
        }
    });
    desk_call.await
}

async fn follow_stream(
    threads: &Arc<ThreadState>,
    speaker: &ThreadSpeaker,
    thread: &str,
    framing: StreamFraming,
) -> Result<Response, ThreadError> {
    let end = InterruptEvent::end(None);
    let Some(live) = threads.registry.turns(thread).first().cloned() else {
        // The failure of the last turn is for readers that come later, too.
        return Ok(match threads.registry.streams(thread).last().and_then(ActiveTurn::read_failure) {
            Some(reader) => stream::turn_stream(threads, speaker, reader, end, framing)?,
            None => stream::fixed_stream(&[end], &framing),
        });
    };
    let last_ask = live.asks().last().copied();
    let candidates = live.open_asks_with_turn().collect();
    let open_ask = threads.context.with_desk(move |desk| first_open_ask(desk, candidates)).await?;
    let start = match open_ask {
        Some((_, ask)) => Some(ask.id),
        None => last_ask,
    };
    Ok(stream::thread_stream(threads, speaker, live.read_from(start), end, framing)?)
}
