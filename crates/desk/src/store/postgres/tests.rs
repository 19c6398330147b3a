//! Contract suite over a desk in a database, on a server of its own.

use super::PostgresStore;
use super::connection::address::PostgresAddress;
use crate::contract::{
    DatabaseServer, DeskFixture, answer, as_person, check_departures, check_service_sessions, check_sign_ins,
    check_turn_log, new_ask, note, open, run_contract, run_upkeep_contract, submit,
};
use crate::store::api::{AskStore as _, ChangeOptions, ChangeTarget};
use crate::{AskQuery, Desk, StoreDesk};
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{AskId, AskReader, Audience, NewAsk, lifecycle};
use std::sync::atomic::Ordering;

struct DatabaseFixture(PostgresAddress);

impl DeskFixture for DatabaseFixture {
    fn desk(&self) -> Box<dyn Desk> {
        Box::new(StoreDesk::open_database(&self.0).unwrap())
    }
}

#[test]
fn database_desk_passes_contract() {
    let server = DatabaseServer::shared();
    run_contract(&|| Box::new(DatabaseFixture(server.make_desk())));
    let desk = || StoreDesk::open_database(&server.make_desk()).unwrap();
    check_service_sessions(&desk());
    check_departures(&desk());
    check_sign_ins(&desk());
    let shared = server.make_desk();
    let node = || StoreDesk::open_database(&shared).unwrap();
    check_turn_log(&node(), &node());
}

#[test]
fn database_desk_is_kept_up() {
    let server = DatabaseServer::shared();
    run_upkeep_contract(&|| {
        let address = server.make_desk();
        [(); 2].map(|()| StoreDesk::open_database(&address).unwrap())
    });
}

/// Lists the pending asks that a reader may see, by pages of so many rows.
fn list(desk: &StoreDesk, reader: &AskReader, rows: usize) -> Vec<AskId> {
    let states = vec![AskStatus::Open];
    let mut query = AskQuery { states, reader: reader.clone(), rows: Some(rows), ..AskQuery::default() };
    let mut ids = Vec::new();
    loop {
        let page = desk.list(&query).unwrap();
        ids.extend(page.rows.iter().map(|row| row.id));
        let Some(next) = page.next else { return ids };
        query.after = Some(next);
    }
}

#[test]
fn readers_find_few_among_many() {
    let server = DatabaseServer::start();
    let desk = StoreDesk::open_database(&server.make_desk()).unwrap();
    let open = |title: &str, account: Option<&str>| {
        let audience = account.map(Audience::of_account);
        desk.open(None, NewAsk { audience, ..new_ask(title) }).unwrap().ask().id
    };
    let first = open("of bob", Some("bob"));
    // More than a list reads at once.
    server.client("desk0").multiply_first_ask(1_500);
    let [usual, named, last] = [open("usual", None), open("of ada", Some("ada")), open("last", None)];
    let members = Audience::members();
    let person = |account: &str| AskReader::person(account.to_owned(), members.groups.clone(), &members);
    let stranger = AskReader::service_user("ada".to_owned());
    for rows in [1, 2, 200] {
        assert_eq!(list(&desk, &person("ada"), rows), [usual, named, last]);
        assert_eq!(list(&desk, &stranger, rows), [named]);
    }
    let all = list(&desk, &person("bob"), 200);
    assert_eq!((all.len(), all.first(), all.last()), (1_503, Some(&first), Some(&last)));
}

#[test]
fn late_text_has_the_time_of_the_server() {
    let server = DatabaseServer::shared();
    let address = server.make_desk();
    let desk = StoreDesk::open_database(&address).unwrap();
    let ask = open(&desk, "door");
    answer(&desk, &ask);
    let (bob, command) = (as_person("bob"), submit(&ask, [note("late")]));
    let node = PostgresStore::open(&address).unwrap();
    // It believes that the server's clock is an hour behind its own.
    node.clock_offset.store(-3_600_000_000, Ordering::Relaxed);
    let refused = node.change(
        ChangeTarget::Ask(ask.id),
        None,
        ChangeOptions { late: Some(Box::new((bob.clone(), command.clone()))), ..ChangeOptions::default() },
        Box::new(move |ask, now| lifecycle::apply_command(ask.unwrap(), &bob, command.clone(), now)),
    );
    assert!(refused.is_err());
    let kept = desk.late_submissions(ask.id).unwrap();
    assert_eq!(kept.len(), 1);
    assert!(kept[0].at >= ask.request.created_at);
}
