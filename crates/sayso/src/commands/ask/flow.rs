//! Asking and waiting: on this terminal, for lines on a pipe, or at the desk.

use crate::cli_session::{self, CliSession};
use crate::output::console;
use crate::output::delivery::{self, OutcomeFormat};
use crate::output::exit::CommandExit;
use crate::ui::surface::{self, AnswerPlace, PromptMode};
use jiff::{SignedDuration, Timestamp};
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
    pub(crate) dialect: Dialect,
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
    /// Form of the outcome for the asker.
    pub(crate) outcome_format: OutcomeFormat<'static>,
}

/// Opens the ask, waits and prints the outcome.
///
/// # Errors
/// Fails if the request has problems or the desk fails.
pub(crate) fn ask(session: &CliSession, asking: &AskPlan) -> Result<CommandExit, Problem> {
    let desk = session.desk()?;
    let new = NewAsk {
        time_limit_ms: asking.time_limit_ms,
        process: asking.answer_place.is_some().then(process::current_process),
        program: (asking.asker.name == Asker::UNNAMED).then(process::parent_program).flatten(),
        random_id: asking.dialect.uses_short_ids(),
        audience: asking.audience.clone(),
        ..NewAsk::new(asking.questionnaire.clone(), asking.dialect.name(), asking.asker.clone())
    };
    let opened = desk.open(asking.key.as_deref(), new)?;
    let ask = opened.ask();
    let own_limit = own_limit(asking, &opened);
    if let OpenedAsk::Existing(ask) = &opened {
        print_earlier_limit(session, asking, ask, own_limit);
    }
    let Some(place) = asking.answer_place else {
        let id = ask.id.to_string();
        let pending_text = || asking.dialect.pending_output(ask.id, &ask.request.questionnaire).stdout;
        let data = if asking.prints_bare_id { id } else { pending_text() };
        return Ok(console::print_data(&data).err().unwrap_or(CommandExit::Done));
    };
    if ask.outcome().is_some() {
        return delivery::deliver(session, &asking.asker, ask, asking.outcome_format);
    }
    answer_or_wait(session, asking, ask, place, own_limit)
}

/// Prints the time limit of an earlier identical ask, if it differs from the one requested now.
fn print_earlier_limit(session: &CliSession, asking: &AskPlan, ask: &Ask, own_limit: Option<SignedDuration>) {
    let lang = session.lang();
    if own_limit.is_some() {
        let message = ask.request.time_limit_ms.map_or(Message::NoLimitStands, |_| Message::LimitStands);
        console::print_message(message.plain(lang));
    }
    let due = ask.due_at().filter(|_| asking.time_limit_ms.is_none() && ask.outcome().is_none());
    if let Some(due) = due {
        let left = short_form::short_remaining(due.duration_since(cli_session::now()));
        console::print_message(&Message::LimitOfBefore.render_with(lang, [left]));
    }
}

/// Returns the time after which this program stops waiting, if an earlier identical ask has another limit.
fn own_limit(asking: &AskPlan, opened: &OpenedAsk) -> Option<SignedDuration> {
    let earlier_limit = opened.ask().request.time_limit_ms;
    let differs = matches!(opened, OpenedAsk::Existing(_)) && earlier_limit != asking.time_limit_ms;
    asking.time_limit_ms.filter(|_| differs).map(SignedDuration::from_millis)
}

/// Lets a person answer here, or waits at the desk if no one is here.
fn answer_or_wait(
    session: &CliSession,
    asking: &AskPlan,
    ask: &Ask,
    place: AnswerPlace,
    own_limit: Option<SignedDuration>,
) -> Result<CommandExit, Problem> {
    let (lang, asker, look) = (session.lang(), &asking.asker, asking.prompt_mode);
    // Lines that the spec allows as answers may never come.
    let pipe_may_stay_silent = place == AnswerPlace::Pipe && matches!(look, PromptMode::Spec { .. });
    if pipe_may_stay_silent {
        print_waiting(session, ask);
    }
    let ended = match place {
        AnswerPlace::Desk => PromptOutcome::InputEnded { any_line: false },
        AnswerPlace::Terminal | AnswerPlace::Pipe => surface::prompt_person(session, ask, place, look)?,
    };
    let leave = |exit: CommandExit, text: &str| {
        detach(session, ask)?;
        if !text.is_empty() {
            console::print_message(text);
        }
        Ok(exit)
    };
    // Piped input is a draft that no person sees.
    let nothing = match place {
        AnswerPlace::Pipe if ask.request.questionnaire.has_single_answer() => Message::LinesEnded,
        AnswerPlace::Pipe => Message::LinesEndedUnsent,
        AnswerPlace::Desk | AnswerPlace::Terminal => Message::NothingSent,
    };
    let message = nothing.render_with(lang, [ask.id.short_id()]);
    match (ended, look) {
        (PromptOutcome::Settled { ask, .. } | PromptOutcome::SettledElsewhere(ask), _) => {
            delivery::deliver(session, asker, &ask, asking.outcome_format)
        }
        (PromptOutcome::InputEnded { any_line: false }, _) => {
            if !pipe_may_stay_silent {
                print_waiting(session, ask);
            }
            if let Some(limit) = own_limit {
                console::print_message(
                    &Message::GivesUpAlone.render_with(lang, [short_form::short_duration(limit)]),
                );
            }
            let until = own_limit.and_then(|limit| cli_session::now().checked_add(limit).ok());
            match wait_until_settled(session, ask, until)? {
                Some(settled) => delivery::deliver(session, asker, &settled, asking.outcome_format),
                None => {
                    let left = print_gave_up(session, ask);
                    // For the caller of the spec's command the time is over, though the question stays open.
                    leave(
                        if matches!(look, PromptMode::Spec { .. }) { CommandExit::Expired } else { left },
                        "",
                    )
                }
            }
        }
        (
            PromptOutcome::InputEnded { any_line: true } | PromptOutcome::Interrupted,
            PromptMode::Spec { .. },
        ) => leave(CommandExit::Interrupted, sayso_dialects::ask_user_question::INTERRUPTED),
        (PromptOutcome::Interrupted, PromptMode::Full | PromptMode::Plain) => {
            leave(CommandExit::Interrupted, &message)
        }
        (PromptOutcome::InputEnded { any_line: true } | PromptOutcome::Left, _) => {
            leave(CommandExit::Left, &message)
        }
    }
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

/// Prints the desk at which the question waits, and that leaving cancels nothing.
pub(crate) fn print_waiting(session: &CliSession, ask: &Ask) {
    let is_consent = ask.request.questionnaire.asks_consent();
    let leaving = if is_consent { Message::StopWaitingConsent } else { Message::StopWaiting };
    for message in [Message::WaitingAtDesk, leaving] {
        console::print_message(
            &message.render_with(session.lang(), [ask.id.short_id(), session.desk_access.name()]),
        );
    }
}

/// Prints that the time to wait is over and the question stays open.
pub(crate) fn print_gave_up(session: &CliSession, ask: &Ask) -> CommandExit {
    console::print_message(
        &Message::GaveUp.render_with(session.lang(), [ask.id.short_id(), session.desk_access.name()]),
    );
    CommandExit::Left
}

/// Waits until an ask is settled, and returns it; `None` if the time to wait is over before.
///
/// # Errors
/// Fails if the desk can't be read.
pub(crate) fn wait_until_settled(
    session: &CliSession,
    ask: &Ask,
    deadline: Option<Timestamp>,
) -> Result<Option<Ask>, Problem> {
    let desk = session.desk()?;
    // Watch first, then read, so that no change in between is missed.
    let mut watch = desk.watch(Interest::Ask(ask.id), None)?;
    loop {
        let ask = desk.get(ask.id)?;
        if ask.outcome().is_some() {
            return Ok(Some(ask));
        }
        if deadline.is_some_and(|until| until <= cli_session::now()) {
            return Ok(None);
        }
        if ask.is_due(cli_session::now()) {
            // The desk's own clock decides whether the deadline has passed; poll it at its pace.
            watch.wait(watch.poll_interval())?;
            continue;
        }
        let until =
            |due: Timestamp| Duration::try_from(due.duration_since(cli_session::now())).unwrap_or_default();
        loop {
            let left = ask.due_at().into_iter().chain(deadline).min().map_or(Duration::MAX, until);
            if left.is_zero() || !watch.wait(left)?.is_empty() {
                break;
            }
        }
    }
}
