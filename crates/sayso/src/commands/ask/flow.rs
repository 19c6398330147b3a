//! Asking and waiting: on this terminal, for lines on a pipe, or at the desk.

use super::stop_signals::StopSignals;
use crate::cli_session::{self, CliSession};
use crate::output::console;
use crate::output::delivery::{self, OutcomeFormat};
use crate::output::exit::CommandExit;
use crate::ui::surface::{self, AnswerPlace, PromptMode};
use jiff::{SignedDuration, Timestamp};
use sayso_core::i18n::own;
use sayso_core::model::ask::AskerPresence;
use sayso_core::{Actor, Ask, AskCommand, Asker, Audience, Message, NewAsk, Problem, Questionnaire};
use sayso_desk::{Interest, OpenedAsk, process};
use sayso_dialects::Dialect;
use sayso_terminal::{PromptOutcome, short_form};
use std::sync::Arc;
use std::time::Duration;

/// Ask to open, and how to wait for it.
pub(crate) struct AskPlan {
    pub(crate) questionnaire: Arc<Questionnaire>,
    /// Name of its dialect at the desk.
    pub(crate) dialect: &'static str,
    pub(crate) asker: Asker,
    /// Accounts and groups that see it; `None` for the usual ones.
    pub(crate) audience: Option<Audience>,
    pub(crate) key: Option<String>,
    pub(crate) time_limit_ms: Option<i64>,
    /// Place to answer from here; `None` leaves the ask at the desk without waiting.
    pub(crate) answer_place: Option<AnswerPlace>,
    /// An asker that doesn't wait gets the bare id, even if its dialect has another form for that.
    pub(crate) prints_bare_id: bool,
    pub(crate) prompt_mode: PromptMode,
    /// Treatment of the ask if this process leaves without an outcome.
    pub(crate) on_leave: OnLeave,
}

/// Fate of an ask whose asker leaves without an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnLeave {
    /// It stays open, with its draft.
    KeepOpen {
        /// Nothing is printed about waiting and leaving.
        is_quiet: bool,
    },
    /// It is cancelled: its answer would be of no use to another process.
    Cancel,
}

/// Result of asking and waiting.
pub(crate) enum AskEnd {
    /// The ask is settled.
    Settled(Box<Ask>),
    /// There is no outcome.
    Unsettled(CommandExit),
}

/// Opens the ask, waits and prints the outcome in a form.
///
/// # Errors
/// Fails if the request has problems or the desk fails.
pub(crate) fn ask(
    session: &CliSession,
    asking: &AskPlan,
    format: OutcomeFormat<'_>,
) -> Result<CommandExit, Problem> {
    match open_and_wait(session, asking)? {
        AskEnd::Settled(ask) => delivery::deliver(session, &asking.asker, &ask, format),
        AskEnd::Unsettled(exit) => Ok(exit),
    }
}

/// Opens the ask and waits for its outcome.
///
/// # Errors
/// Fails if the request has problems or the desk fails.
pub(crate) fn open_and_wait(session: &CliSession, asking: &AskPlan) -> Result<AskEnd, Problem> {
    let desk = session.desk()?;
    let dialect = Dialect::from_name(asking.dialect).unwrap_or(Dialect::Sayso);
    let new = NewAsk {
        time_limit_ms: asking.time_limit_ms,
        process: if asking.answer_place.is_some() { Some(process::current_process()) } else { None },
        program: if asking.asker.name == Asker::UNNAMED { process::parent_program() } else { None },
        random_id: dialect.uses_short_ids(),
        audience: asking.audience.clone(),
        ..NewAsk::new(asking.questionnaire.clone(), asking.dialect, asking.asker.clone())
    };
    let opened = desk.open(asking.key.as_deref(), new)?;
    let ask = opened.ask();
    let own_limit = own_limit(asking, &opened);
    if let OpenedAsk::Existing(ask) = &opened {
        print_earlier_limit(session, asking, ask, own_limit);
    }
    let Some(place) = asking.answer_place else {
        let data = if asking.prints_bare_id {
            ask.id.to_string()
        } else {
            dialect.pending_output(ask.id, &ask.request.questionnaire).stdout
        };
        return Ok(AskEnd::Unsettled(console::print_data(&data).err().unwrap_or(CommandExit::Done)));
    };
    if ask.outcome().is_some() {
        return Ok(AskEnd::Settled(Box::new(ask.clone())));
    }
    answer_or_wait(session, asking, ask, place, own_limit)
}

/// Prints the time limit of an earlier identical ask, if it differs from the one requested now.
fn print_earlier_limit(session: &CliSession, asking: &AskPlan, ask: &Ask, own_limit: Option<SignedDuration>) {
    let lang = session.lang();
    if own_limit.is_some() {
        let has_limit = ask.request.time_limit_ms.is_some();
        let message = if has_limit { Message::LimitStands } else { Message::NoLimitStands };
        console::print_message(message.plain(lang));
    }
    let is_earlier_limit = asking.time_limit_ms.is_none() && ask.outcome().is_none();
    if is_earlier_limit && let Some(deadline) = ask.due_at() {
        let time_left = short_form::short_remaining(deadline.duration_since(cli_session::now()));
        console::print_message(&Message::LimitOfBefore.render_with(lang, [own(time_left)]));
    }
}

/// Returns the time after which this program stops waiting, if an earlier identical ask has another limit.
fn own_limit(asking: &AskPlan, opened: &OpenedAsk) -> Option<SignedDuration> {
    let earlier_limit = opened.ask().request.time_limit_ms;
    let differs = matches!(opened, OpenedAsk::Existing(_)) && earlier_limit != asking.time_limit_ms;
    if differs { asking.time_limit_ms.map(SignedDuration::from_millis) } else { None }
}

/// Lets a person answer here, or waits at the desk if no one is here.
fn answer_or_wait(
    session: &CliSession,
    asking: &AskPlan,
    ask: &Ask,
    place: AnswerPlace,
    own_limit: Option<SignedDuration>,
) -> Result<AskEnd, Problem> {
    let mode = asking.prompt_mode;
    let is_spec = matches!(mode, PromptMode::Spec { .. });
    // Lines that the spec allows as answers may never come.
    let pipe_may_stay_silent = place == AnswerPlace::Pipe && is_spec;
    let stop_spec = if is_spec { Some(StopSignals::register_interrupt()) } else { None };
    let on_ready = || {
        if pipe_may_stay_silent {
            print_waiting(session, ask);
        }
    };
    let outcome = match place {
        AnswerPlace::Desk => PromptOutcome::InputEnded { any_line: false },
        AnswerPlace::Terminal | AnswerPlace::Pipe => {
            surface::prompt_person(session, ask, place, mode, &on_ready)?
        }
    };
    // Piped input is a draft that no person sees.
    let message = match place {
        AnswerPlace::Pipe if ask.request.questionnaire.has_single_answer() => Message::LinesEnded,
        AnswerPlace::Pipe => Message::LinesEndedUnsent,
        AnswerPlace::Desk | AnswerPlace::Terminal => Message::NothingSent,
    };
    let message = message.render_with(session.lang(), [own(ask.id.short_id())]);
    match (outcome, mode) {
        (PromptOutcome::Settled { ask, .. } | PromptOutcome::SettledElsewhere(ask), _) => {
            Ok(AskEnd::Settled(Box::new(ask)))
        }
        (PromptOutcome::InputEnded { any_line: false }, _) => {
            // The handlers come first: the message names Ctrl-C.
            let stop_run = match asking.on_leave {
                OnLeave::Cancel => Some(StopSignals::register()),
                OnLeave::KeepOpen { .. } => None,
            };
            if !pipe_may_stay_silent {
                asking.on_leave.print_waiting(session, ask);
            }
            wait_at_desk(session, asking, ask, own_limit, stop_run.as_ref().or(stop_spec.as_ref()))
        }
        (
            PromptOutcome::InputEnded { any_line: true } | PromptOutcome::Interrupted,
            PromptMode::Spec { .. },
        ) => leave(
            session,
            asking,
            ask,
            CommandExit::Interrupted,
            sayso_dialects::ask_user_question::INTERRUPTED,
        ),
        (PromptOutcome::Interrupted, PromptMode::Full | PromptMode::Plain) => {
            leave(session, asking, ask, CommandExit::Interrupted, &message)
        }
        (PromptOutcome::InputEnded { any_line: true } | PromptOutcome::Left, _) => {
            leave(session, asking, ask, CommandExit::Left, &message)
        }
    }
}

/// Waits for another surface to answer.
fn wait_at_desk(
    session: &CliSession,
    asking: &AskPlan,
    ask: &Ask,
    own_limit: Option<SignedDuration>,
    stop: Option<&StopSignals>,
) -> Result<AskEnd, Problem> {
    if let Some(limit) = own_limit {
        let limit = short_form::short_duration(limit);
        console::print_message(&Message::GivesUpAlone.render_with(session.lang(), [own(limit)]));
    }
    let until = own_limit.and_then(|limit| cli_session::now().checked_add(limit).ok());
    match wait_until_settled(session, ask, until, stop)? {
        Some(ask) => Ok(AskEnd::Settled(Box::new(ask))),
        None if stop.is_some_and(StopSignals::is_received) => {
            let text = sayso_dialects::ask_user_question::INTERRUPTED;
            leave(session, asking, ask, CommandExit::Interrupted, text)
        }
        None => {
            let exit = print_gave_up(session, ask);
            // For the caller of the spec's command the time is over, though the question stays open.
            let is_spec = matches!(asking.prompt_mode, PromptMode::Spec { .. });
            leave(session, asking, ask, if is_spec { CommandExit::Expired } else { exit }, "")
        }
    }
}

/// Leaves an ask without an outcome.
fn leave(
    session: &CliSession,
    asking: &AskPlan,
    ask: &Ask,
    exit: CommandExit,
    text: &str,
) -> Result<AskEnd, Problem> {
    match asking.on_leave {
        OnLeave::KeepOpen { is_quiet } => {
            detach(session, ask)?;
            if !text.is_empty() && !is_quiet {
                console::print_message(text);
            }
        }
        OnLeave::Cancel => {
            // If a person answered in the same moment, this process does not use the answer.
            let asker = Actor::Asker(ask.request.asker.clone());
            if let Err(problem) = session.desk()?.act(&asker, ask.id, None, AskCommand::CANCEL) {
                console::print_problem(&problem, session.lang());
            }
            console::print_message(Message::CommandNotRun.plain(session.lang()));
        }
    }
    Ok(AskEnd::Unsettled(exit))
}

/// Detaches this process from the ask, if it is the one that waits. Another process keeps waiting.
///
/// # Errors
/// Fails if the desk can't be read or written.
pub(crate) fn detach(session: &CliSession, ask: &Ask) -> Result<(), Problem> {
    let desk = session.desk()?;
    let presence = desk.get(ask.id)?.state.presence;
    let waiter = if let AskerPresence::Attached { process } = presence { process } else { None };
    if waiter.is_none_or(|waiter| waiter == process::current_process()) {
        desk.act(&Actor::Asker(ask.request.asker.clone()), ask.id, None, AskCommand::Detach)?;
    }
    Ok(())
}

impl OnLeave {
    fn print_waiting(self, session: &CliSession, ask: &Ask) {
        match self {
            Self::KeepOpen { is_quiet: true } => {}
            Self::KeepOpen { is_quiet: false } => print_waiting(session, ask),
            Self::Cancel => print_waiting_and(session, ask, Message::StopWaitingRun),
        }
    }
}

/// Prints the desk at which the question waits, and that leaving cancels nothing.
pub(crate) fn print_waiting(session: &CliSession, ask: &Ask) {
    let is_consent = ask.request.questionnaire.asks_consent();
    let leave_message = if is_consent { Message::StopWaitingConsent } else { Message::StopWaiting };
    print_waiting_and(session, ask, leave_message);
}

fn print_waiting_and(session: &CliSession, ask: &Ask, leave_message: Message) {
    for message in [Message::WaitingAtDesk, leave_message] {
        let details = [own(ask.id.short_id()), own(session.desk_access.name())];
        console::print_message(&message.render_with(session.lang(), details));
    }
}

/// Prints that the time to wait is over and the question stays open.
pub(crate) fn print_gave_up(session: &CliSession, ask: &Ask) -> CommandExit {
    let details = [own(ask.id.short_id()), own(session.desk_access.name())];
    console::print_message(&Message::GaveUp.render_with(session.lang(), details));
    CommandExit::Left
}

/// Waits until an ask is settled, and returns it; `None` if the time to wait is over before, or a signal stops it.
///
/// # Errors
/// Fails if the desk can't be read.
pub(crate) fn wait_until_settled(
    session: &CliSession,
    ask: &Ask,
    deadline: Option<Timestamp>,
    stop: Option<&StopSignals>,
) -> Result<Option<Ask>, Problem> {
    let is_stopped = || stop.is_some_and(StopSignals::is_received);
    let desk = session.desk()?;
    // Watch first, then read, so that no change in between is missed.
    let mut watch = desk.watch(Interest::Ask(ask.id), None)?;
    loop {
        let ask = desk.get(ask.id)?;
        if ask.outcome().is_some() {
            return Ok(Some(ask));
        }
        if is_stopped() || deadline.is_some_and(|until| until <= cli_session::now()) {
            return Ok(None);
        }
        if ask.is_due(cli_session::now()) {
            // The desk's own clock decides whether the deadline has passed; poll it at its pace.
            watch.wait(watch.poll_interval())?;
            continue;
        }
        loop {
            let wait_time = wait_time(&ask, deadline, stop.is_some());
            if wait_time.is_zero() || !watch.wait(wait_time)?.is_empty() || is_stopped() {
                break;
            }
        }
    }
}

/// Returns the time until the ask or this wait ends, or until signals are looked at.
fn wait_time(ask: &Ask, deadline: Option<Timestamp>, has_signals: bool) -> Duration {
    let first_end = ask.due_at().into_iter().chain(deadline).min();
    let time_left = match first_end {
        Some(end) => Duration::try_from(end.duration_since(cli_session::now())).unwrap_or_default(),
        None => Duration::MAX,
    };
    if has_signals { time_left.min(StopSignals::CHECK) } else { time_left }
}
