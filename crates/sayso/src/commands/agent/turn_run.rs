//! Run of one turn in the session of its thread.
//!
//! **Invariant:** a turn ends, unless the bridge does or the turn is another's. A program that fails is started again a
//! few times, and the person is told each time; the next one starts once all processes of the one before have ended.

use super::bridge::Bridge;
use super::decision::{AskedCalls, is_over};
use super::failure::AgentFailure;
use super::session::{AgentSession, MessageSink, SessionMessage};
use crate::output::console;
use sayso_core::i18n::{foreign, own};
use sayso_core::{Message, Problem, ProblemCode, limits};
use sayso_desk::remote::AgentTurn;
use serde_json::{Value, json};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Interval at which a turn is kept, and checked for its end.
const KEEP_INTERVAL: Duration = Duration::from_secs(2);
/// Longest time until a turn that is over is noticed, after it was found.
const TICK: Duration = Duration::from_millis(250);
/// Time that an agent has to end a prompt that was cancelled.
const CANCEL_TIME: Duration = Duration::from_secs(5);
/// Most messages of a program in one publication.
const BATCH: usize = 64;
/// Most bytes of the events in one publication, unless one alone has more.
const BATCH_BYTES: usize = 256 << 10;

/// Result of one attempt.
enum AttemptEnd {
    /// The agent has ended its work, or given up for this reason.
    Ended(Option<String>),
    /// The program failed.
    Failed(AgentFailure),
    /// The turn is not this process's any more.
    Over,
}

/// Run of a turn.
pub(super) struct TurnRun {
    pub(super) bridge: Arc<Bridge>,
    pub(super) turn: AgentTurn,
    /// True once the desk said that the turn is over.
    is_over: AtomicBool,
    /// Number of requests that wait for a decision.
    waiting: AtomicUsize,
}

/// Runs a turn to its end.
pub(super) fn run_turn(bridge: &Arc<Bridge>, turn: AgentTurn) {
    let run = Arc::new(TurnRun {
        bridge: bridge.clone(),
        turn,
        is_over: AtomicBool::new(false),
        waiting: AtomicUsize::new(0),
    });
    // The channel closes when the run returns.
    let (_run_guard, run_end) = mpsc::channel::<()>();
    let keeper = run.clone();
    thread::spawn(move || keeper.keep(&run_end));
    run.run();
}

impl TurnRun {
    /// Keeps the turn until its run ends.
    fn keep(&self, run_end: &Receiver<()>) {
        while run_end.recv_timeout(KEEP_INTERVAL) == Err(RecvTimeoutError::Timeout) {
            // The run notices it, and reports other problems with its next event.
            let _ = self.publish(&[]);
        }
    }

    fn run(self: &Arc<Self>) {
        let slot = self.bridge.slot(&self.turn.thread_id);
        // A run of this thread that has lost its turn ends its program first.
        let mut slot = slot.lock();
        let calls = AskedCalls::default();
        let mut attempt = 1;
        let error = loop {
            let failure = match self.attempt(&mut slot, &calls) {
                AttemptEnd::Over => return,
                AttemptEnd::Ended(error) => break error,
                AttemptEnd::Failed(failure) => failure,
            };
            let words = failure.describe(self.bridge.lang);
            console::print_untrusted(&format!("{}: {words}", self.turn.thread_id));
            if attempt >= limits::TURN_ATTEMPTS || !failure.is_worth_a_retry() {
                break Some(words);
            }
            attempt += 1;
            let counts = [words, attempt.to_string(), limits::TURN_ATTEMPTS.to_string()];
            let message = Message::AgentStartsAgain.render_with(self.bridge.lang, counts.map(own));
            if self.publish(&[json!({ "error": message })]).is_err_and(|problem| is_over(&problem)) {
                return;
            }
        };
        // A turn that is over by now needs no end.
        let _ = self.bridge.persist(|client| client.end(&self.turn, error.as_deref()));
    }

    /// Publishes events; without any it only keeps the turn.
    pub(super) fn publish(&self, events: &[Value]) -> Result<(), Problem> {
        let result = self.bridge.persist(|client| client.publish(&self.turn, events));
        if result.as_ref().is_err_and(is_over) {
            self.is_over.store(true, Ordering::Relaxed);
        }
        result
    }

    fn attempt(self: &Arc<Self>, slot: &mut Option<AgentSession>, calls: &AskedCalls) -> AttemptEnd {
        let mut session = match self.session(slot.take()) {
            Ok(session) => session,
            Err(failure) => return AttemptEnd::Failed(failure),
        };
        if std::mem::take(&mut session.has_forgotten) {
            let message = Message::AgentForgot.plain(self.bridge.lang);
            if let Err(problem) = self.publish(&[json!({ "error": message })]) {
                return self.ended_by(&problem);
            }
        }
        calls.begin_attempt();
        let messages = session.prompt(&self.turn.message);
        let end = self.read_messages(&session, &messages, calls);
        match end {
            Ok(Some(Ok(reason))) if matches!(reason.as_str(), "end_turn" | "cancelled" | "") => {
                session.sink.close();
                session.last_used = Instant::now();
                *slot = Some(session);
                AttemptEnd::Ended(None)
            }
            Ok(Some(Ok(reason))) => {
                AttemptEnd::Ended(Some(Message::AgentGaveUp.render_with(self.bridge.lang, [foreign(reason)])))
            }
            Ok(Some(Err(failure))) => AttemptEnd::Failed(failure),
            Ok(None) => AttemptEnd::Failed(session.exit_failure()),
            Err(problem) => {
                session.cancel();
                let deadline = Instant::now() + CANCEL_TIME;
                // Its later questions get no decision. It is ended if it does not obey.
                while let Ok(message) =
                    messages.recv_timeout(deadline.saturating_duration_since(Instant::now()))
                {
                    match message {
                        SessionMessage::Ask(_, respond) => respond(None),
                        SessionMessage::Ended(_) => break,
                        SessionMessage::Event(_) => {}
                    }
                }
                self.ended_by(&problem)
            }
        }
    }

    /// Returns the thread's session: the one of the last turn if its program runs, else a new one.
    fn session(&self, last_session: Option<AgentSession>) -> Result<AgentSession, AgentFailure> {
        if let Some(mut session) = last_session
            && session.is_running()
        {
            return Ok(session);
        }
        let bridge = &self.bridge;
        let sink = MessageSink::default();
        let questions = match bridge.questions.admit(sink.clone()) {
            Ok(questions) => questions,
            Err(problem) => {
                let error = io::Error::other(problem.message.render(bridge.lang));
                return Err(AgentFailure::NotStarted(error));
            }
        };
        AgentSession::start(&bridge.settings, &bridge.store.thread(&self.turn.thread_id), sink, questions)
    }

    /// Returns how an attempt ends with a problem of its turn.
    fn ended_by(&self, problem: &Problem) -> AttemptEnd {
        if is_over(problem) {
            AttemptEnd::Over
        } else {
            AttemptEnd::Ended(Some(problem.message.render(self.bridge.lang)))
        }
    }

    /// Passes on what the agent does until its prompt ends; returns the end, or `None` if its program ended.
    fn read_messages(
        self: &Arc<Self>,
        session: &AgentSession,
        messages: &Receiver<SessionMessage>,
        calls: &AskedCalls,
    ) -> Result<Option<Result<String, AgentFailure>>, Problem> {
        let mut heard_at = Instant::now();
        loop {
            let first = match messages.recv_timeout(TICK) {
                Ok(message) => message,
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {
                    self.check_silence(session, &mut heard_at)?;
                    continue;
                }
            };
            heard_at = Instant::now();
            let mut events = Vec::new();
            let mut bytes = 0;
            for message in std::iter::once(first).chain(messages.try_iter().take(BATCH)) {
                match message {
                    SessionMessage::Event(event) => {
                        bytes += event.to_string().len();
                        if bytes > BATCH_BYTES {
                            self.publish_batch(&mut events)?;
                            bytes = 0;
                        }
                        events.push(event);
                    }
                    SessionMessage::Ask(request, respond) => {
                        self.publish_batch(&mut events)?;
                        let id = calls.next_id(&request);
                        self.waiting.fetch_add(1, Ordering::Relaxed);
                        let run = self.clone();
                        let calls = calls.clone();
                        thread::spawn(move || {
                            respond(calls.decide(&run, id, &request).as_ref());
                            run.waiting.fetch_sub(1, Ordering::Relaxed);
                        });
                    }
                    SessionMessage::Ended(end) => {
                        self.publish_batch(&mut events)?;
                        return Ok(Some(end));
                    }
                }
            }
            self.publish_batch(&mut events)?;
        }
    }

    fn publish_batch(&self, events: &mut Vec<Value>) -> Result<(), Problem> {
        let batch = std::mem::take(events);
        if batch.is_empty() { Ok(()) } else { self.publish(&batch) }
    }

    /// Ends a turn that is over, or whose agent says nothing although it runs no tool and waits for no one.
    fn check_silence(&self, session: &AgentSession, heard_at: &mut Instant) -> Result<(), Problem> {
        if self.is_over.load(Ordering::Relaxed) {
            return Err(Problem::new(ProblemCode::TurnOver, Message::TurnOver));
        }
        if self.waiting.load(Ordering::Relaxed) > 0 || session.runs_tool() {
            *heard_at = Instant::now();
        }
        if heard_at.elapsed() < self.bridge.silence {
            return Ok(());
        }
        let message = Message::TurnSilent.with([own(self.bridge.silence.as_secs())]);
        Err(Problem::new(ProblemCode::DeskFailed, message))
    }
}
