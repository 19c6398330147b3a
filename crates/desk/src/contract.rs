//! Test suite that every desk must pass, wherever it stores its asks. It uses nothing but [`Desk`].
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test says what is wrong by panicking")]

mod delivery;
mod drafts;
mod finding;
mod listing;
mod opening;
mod outcomes;
mod watching;

use crate::desk::Desk;
use crate::draft::DraftRev;
use crate::watch::{Changed, Heard, Watch};
use sayso_core::lifecycle::Event;
use sayso_core::question::{Choice, Kind, Opt, Question, TextEntry};
use sayso_core::who::{Assurance, Surface};
use sayso_core::{
    Ask, AskId, Asker, Code, Command, NewAsk, OptionId, Outcome, Person, Pick, Problem, QuestionId,
    Questionnaire, Replies, Reply, Who,
};
use std::sync::Arc;
use std::time::Duration;

/// Fixture for one desk under test.
pub trait Bench {
    /// Returns a new handle on the desk. Each call gives another one, as another process would have it.
    fn desk(&self) -> Box<dyn Desk>;

    /// Returns the assurance that this desk records for a claimed one. A desk on the network trusts a person no more
    /// than the caller that claims it.
    fn recorded(&self, claimed: Assurance) -> Assurance {
        claimed
    }
}

macro_rules! tests {
    ($($module:ident: $($name:ident,)*;)*) => {
        const TESTS: &[(&str, fn(&dyn Bench))] =
            &[$($((concat!(stringify!($module), "::", stringify!($name)), $module::$name),)*)*];
    };
}

tests! {
    opening:
        the_same_content_finds_the_ask_until_it_is_delivered,
        consent_that_was_given_is_found_by_its_key_alone,
        whatever_differs_is_another_ask,
        a_key_finds_its_ask_for_ever,
        a_key_is_good_for_one_thing,
        an_asker_that_returns_is_attached,
        bad_requests_leave_nothing_behind,
        an_ask_that_is_not_there_is_not_found,
    ;
    drafts:
        replies_merge_by_question,
        what_was_overwritten_is_told,
        a_list_counts_what_is_asked,
        a_list_counts_what_the_asker_filled_in,
        submitted_replies_become_the_draft,
        a_draft_outlives_its_ask,
        wrong_replies_are_told_of_and_kept,
        a_question_that_is_not_asked_saves_nothing,
        saving_leaves_the_ask_as_it_is,
        what_somebody_saved_since_can_be_left_alone,
        saving_the_same_once_more_is_no_conflict,
    ;
    outcomes:
        the_first_answer_wins_and_the_second_is_kept,
        all_that_comes_too_late_is_kept_once,
        whoever_comes_after_the_end_keeps_their_text,
        cancelling_twice_is_cancelling_once,
        a_deadline_passes_wherever_the_desk_is_opened,
        a_deadline_that_nobody_looked_at_passes_all_the_same,
        roles_are_never_mixed,
        another_question_than_the_one_shown_is_not_answered,
        wrong_answers_are_told_of_and_kept,
        replies_to_questions_that_are_not_asked_are_dropped,
        an_asker_that_judges_may_ask_again,
    ;
    delivery:
        nothing_is_offered_before_the_outcome,
        an_outcome_is_rendered_once_for_each_form,
        an_outcome_is_given_again_after_it_was_acknowledged,
        an_outcome_offered_too_often_is_still_given,
    ;
    finding:
        an_ask_is_found_by_its_id_and_its_beginnings,
        pending_asks_come_first_where_several_fit,
        a_random_id_is_told_apart_by_its_first_digits,
        what_fits_nothing_is_not_found,
    ;
    listing:
        pending_asks_wait_in_line_and_others_come_newest_first,
        an_asker_lists_what_it_asked_and_has_not_heard_of,
        pages_follow_one_another_without_gaps,
        a_row_says_what_is_known,
        every_state_can_be_listed_by_itself,
        words_are_found_wherever_they_stand,
        short_words_count_too,
        a_search_finds_ids_too,
        what_is_asked_after_a_search_is_found_by_the_next,
        no_search_is_an_error,
    ;
    watching:
        another_handle_hears_every_change_in_order,
        one_ask_can_be_watched_by_itself,
        a_watch_begins_now,
        a_draft_is_heard_of_without_its_text,
        a_repetition_with_the_same_key_changes_nothing,
        a_watch_goes_on_where_an_earlier_one_was,
        a_place_of_another_desk_is_a_gap,
    ;
}

/// Runs the suite, each test against its own fixture. The thread name of a failed test is the test's name.
pub fn check(make: &(dyn Fn() -> Box<dyn Bench> + Sync)) {
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
    let option = |id: &str| Opt::new(id, id);
    let question =
        |id: &str, prompt: &str, required, kind| Question { required, ..Question::new(id, prompt, kind) };
    let colors = Choice { options: vec![option("red"), option("blue")], other: true, ..Choice::default() };
    let questions = vec![
        question("color", "Which color?", true, Kind::Choice(colors)),
        question("note", "Anything else?", false, Kind::Text(TextEntry::default())),
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
    Person { name: name.to_owned(), surface: Surface::Prompter, assurance: Assurance::Terminal }
}

pub(crate) fn as_person(name: &str) -> Who {
    Who::Person(person(name))
}

pub(crate) fn as_asker() -> Who {
    Who::Asker(asker())
}

pub(crate) fn pick(id: &str) -> (QuestionId, Reply) {
    (QuestionId::new("color"), Reply::picks([Pick::Option(OptionId::new(id))]))
}

pub(crate) fn note(text: &str) -> (QuestionId, Reply) {
    (QuestionId::new("note"), Reply::text(text))
}

pub(crate) fn submit(ask: &Ask, replies: impl IntoIterator<Item = (QuestionId, Reply)>) -> Command {
    Command::Submit { replies: replies.into_iter().collect(), as_sent: None, shown: ask.request.digest }
}

fn decline(ask: &Ask) -> Command {
    Command::Decline { reason: Some("not now".to_owned()), shown: ask.request.digest }
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
pub(crate) fn act(desk: &dyn Desk, who: &Who, ask: &Ask, command: Command) -> Result<Ask, Problem> {
    desk.act(who, ask.id, None, command)
}

/// Answers red as ada.
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
fn hear(watch: &mut dyn Watch, changes: usize) -> Vec<(AskId, Vec<Event>)> {
    let mut heard = Vec::new();
    for _ in 0..30 {
        heard.extend(watch.wait(Duration::from_secs(1)).unwrap().into_iter().map(events));
        if heard.len() >= changes {
            break;
        }
    }
    heard
}

/// Returns the ask and its events.
pub(crate) fn events(heard: Heard) -> (AskId, Vec<Event>) {
    let Heard::Changed(Changed { id, events, .. }) = heard else { panic!("a gap") };
    (id, events)
}

pub(crate) fn code<T: std::fmt::Debug>(result: Result<T, Problem>) -> Code {
    result.unwrap_err().code
}
