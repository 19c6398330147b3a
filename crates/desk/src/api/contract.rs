//! Test suite that every desk must pass, wherever it stores its asks. It uses nothing but [`Desk`].
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test says what is wrong by panicking")]

mod database_server;
mod delivery;
mod departures;
mod drafts;
mod finding;
mod hooks;
mod listing;
mod opening;
mod outcomes;
mod service_sessions;
mod turns;
#[cfg(test)]
mod upkeep;
mod watches;

pub use database_server::{DatabaseClient, DatabaseServer};
pub use departures::{check_departures, check_sign_ins};
pub use service_sessions::check_service_sessions;
pub use turns::check_turn_log;
#[cfg(test)]
pub(crate) use upkeep::run_upkeep_contract;

use crate::desk::Desk;
use crate::draft::DraftRev;
use crate::watch::{AskChange, Watch, WatchEvent};
use sayso_core::lifecycle::AskEvent;
use sayso_core::model::actor::{AssuranceLevel, Surface};
use sayso_core::{
    Actor, Ask, AskCommand, AskId, Asker, CancelReason, NewAsk, OptionId, Outcome, Person, Pick, Problem,
    ProblemCode, QuestionId, Questionnaire, Replies, Reply,
};
use sayso_core::{ChoiceOption, ChoiceQuestion, Question, QuestionKind, TextQuestion};
use std::sync::Arc;
use std::time::Duration;

/// Fixture for one desk under test.
pub trait DeskFixture {
    /// Returns a new handle on the desk. Each call gives another one, as another process would have it.
    fn desk(&self) -> Box<dyn Desk>;

    /// Returns the assurance that this desk records for a claimed one. A desk on the network trusts a person no more
    /// than the caller that claims it.
    fn recorded_assurance(&self, claimed: AssuranceLevel) -> AssuranceLevel {
        claimed
    }
}

/// Test of the suite.
type ContractTest = fn(&dyn DeskFixture);

macro_rules! tests {
    ($($module:ident: $($name:ident,)*;)*) => {
        const TESTS: &[(&str, ContractTest)] =
            &[$($((concat!(stringify!($module), "::", stringify!($name)), $module::$name),)*)*];
    };
}

tests! {
    opening:
        same_content_finds_undelivered_ask,
        given_consent_needs_its_key,
        keyless_request_finds_no_keyed_ask,
        any_difference_opens_another_ask,
        key_finds_its_ask_forever,
        key_has_one_use,
        returning_asker_is_attached,
        bad_requests_store_nothing,
        unknown_ask_is_not_found,
    ;
    drafts:
        replies_merge_by_question,
        note_on_the_form_is_merged_as_a_reply,
        save_reports_overwritten_questions,
        list_counts_visible_questions,
        list_counts_prefilled_conditions,
        submitted_replies_become_the_draft,
        draft_outlives_its_ask,
        invalid_draft_is_reported_and_kept,
        unknown_question_saves_nothing,
        saving_leaves_ask_unchanged,
        conflicting_save_can_be_refused,
        repeated_save_is_no_conflict,
        newer_draft_refuses_submission,
    ;
    outcomes:
        first_answer_wins_second_is_kept,
        late_submissions_are_kept_once,
        late_text_is_kept,
        cancelling_twice_changes_nothing,
        deadline_expires_in_every_handle,
        unobserved_deadline_still_expires,
        roles_are_never_mixed,
        changed_question_is_not_answered,
        invalid_answer_is_reported_and_kept,
        replies_to_hidden_questions_are_dropped,
        judging_asker_may_reprompt,
    ;
    delivery:
        offer_before_outcome_is_refused,
        outcome_is_rendered_once_per_form,
        acknowledged_outcome_is_offered_again,
        parked_outcome_is_still_offered,
    ;
    finding:
        ask_is_found_by_id_prefix,
        pending_asks_win_ambiguous_lookups,
        random_id_is_found_by_prefix,
        unmatched_text_is_not_found,
    ;
    listing:
        pending_oldest_first_ended_newest_first,
        asker_lists_its_undelivered_asks,
        pages_follow_without_gaps,
        row_has_all_fields,
        each_state_can_be_listed,
        words_are_found_in_every_field,
        short_words_are_searched,
        search_finds_ids,
        next_search_finds_newer_asks,
        any_search_text_is_valid,
    ;
    hooks:
        every_page_of_hook_asks_is_cancelled,
    ;
    watches:
        other_handle_sees_changes_in_order,
        single_ask_can_be_watched,
        watch_begins_now,
        draft_event_has_no_text,
        repeated_key_changes_nothing,
        watch_resumes_at_cursor,
        cursor_of_another_desk_is_gap,
    ;
}

/// Runs the suite, each test against its own fixture. The thread name of a failed test is the test's name.
pub fn run_contract(make: &(dyn Fn() -> Box<dyn DeskFixture> + Sync)) {
    std::thread::scope(|scope| {
        for (name, test) in TESTS {
            std::thread::Builder::new()
                .name((*name).to_owned())
                .spawn_scoped(scope, move || test(&*make()))
                .unwrap();
        }
    });
}

/// Returns a choice of red, blue or another answer, and an optional note.
fn questionnaire(title: &str) -> Questionnaire {
    let option = |id: &str| ChoiceOption::new(id, id);
    let question = |id: &str, prompt: &str, required, kind: QuestionKind| Question {
        required,
        ..Question::new(id, prompt, kind)
    };
    let colors = ChoiceQuestion {
        options: vec![option("red"), option("blue")],
        other: true,
        ..ChoiceQuestion::default()
    };
    let questions = vec![
        question("color", "Which color?", true, colors.into()),
        question("note", "Anything else?", false, TextQuestion::default().into()),
    ];
    Questionnaire { title: Some(title.to_owned()), questions, ..Questionnaire::default() }
}

pub(crate) fn asker() -> Asker {
    Asker { name: "painter".to_owned(), folder: Some("/house".to_owned()), session: None, account: None }
}

pub(crate) fn new_ask(title: &str) -> NewAsk {
    NewAsk::new(Arc::new(questionnaire(title)), "sayso", asker())
}

pub(crate) fn person(name: &str) -> Person {
    Person {
        name: name.to_owned(),
        surface: Surface::Prompter,
        assurance: AssuranceLevel::Terminal,
        access: None,
    }
}

pub(crate) fn as_person(name: &str) -> Actor {
    Actor::Person(person(name))
}

pub(crate) fn as_asker() -> Actor {
    Actor::Asker(asker())
}

pub(crate) fn pick(id: &str) -> (QuestionId, Reply) {
    (QuestionId::new("color"), Reply::from_picks([Pick::Option(OptionId::new(id))]))
}

pub(crate) fn note(text: &str) -> (QuestionId, Reply) {
    (QuestionId::new("note"), Reply::from_text(text))
}

pub(crate) fn submit(ask: &Ask, replies: impl IntoIterator<Item = (QuestionId, Reply)>) -> AskCommand {
    AskCommand::Submit {
        replies: replies.into_iter().collect(),
        as_sent: None,
        shown: ask.request.digest.into(),
    }
}

fn decline(ask: &Ask) -> AskCommand {
    AskCommand::Decline { reason: Some("not now".to_owned()), shown: ask.request.digest }
}

/// Opens a new ask.
pub(crate) fn open(desk: &dyn Desk, title: &str) -> Ask {
    desk.open(None, new_ask(title)).unwrap().ask().clone()
}

/// Opens an ask that expires immediately, and waits until it has.
fn open_expired(desk: &dyn Desk, title: &str) -> Ask {
    let mut watch = desk.watch(crate::Interest::All, None).unwrap();
    let ask = desk.open(None, NewAsk { time_limit_ms: Some(1), ..new_ask(title) }).unwrap().ask().clone();
    for _ in 0..100 {
        let now = desk.get(ask.id).unwrap();
        if now.outcome().is_some() {
            return now;
        }
        watch.wait(Duration::from_millis(10)).unwrap();
    }
    panic!("it does not expire: {:?}", desk.get(ask.id))
}

/// Acts without an idempotency key.
pub(crate) fn act(desk: &dyn Desk, who: &Actor, ask: &Ask, command: AskCommand) -> Result<Ask, Problem> {
    desk.act(who, ask.id, None, command)
}

/// Submits the answer "red" to an ask, as the person ada.
pub(crate) fn answer(desk: &dyn Desk, ask: &Ask) -> Ask {
    act(desk, &as_person("ada"), ask, submit(ask, [pick("red")])).unwrap()
}

/// Delivers and acknowledges the outcome.
pub(crate) fn deliver(desk: &dyn Desk, ask: &Ask) {
    let ask = desk.get(ask.id).unwrap();
    desk.offer(&asker(), &ask, "plain", &|_| b"outcome".to_vec()).unwrap();
    desk.ack(&asker(), ask.id).unwrap();
}

pub(crate) fn draft_of(desk: &dyn Desk, ask: &Ask) -> Replies {
    desk.draft(ask.id).unwrap().replies
}

/// Collects the events of a watch until this many changes arrive, for half a minute at most.
fn collect_changes(watch: &mut dyn Watch, changes: usize) -> Vec<(AskId, Vec<AskEvent>)> {
    let mut reply = Vec::new();
    for _ in 0..30 {
        reply.extend(watch.wait(Duration::from_secs(1)).unwrap().into_iter().map(events));
        if reply.len() >= changes {
            break;
        }
    }
    reply
}

/// Returns the ask and its events.
pub(crate) fn events(event: WatchEvent) -> (AskId, Vec<AskEvent>) {
    let WatchEvent::Change(AskChange { id, events, .. }) = event else { panic!("a gap") };
    (id, events)
}

pub(crate) fn code<T: std::fmt::Debug>(result: Result<T, Problem>) -> ProblemCode {
    result.unwrap_err().code
}
