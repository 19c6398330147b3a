//! Desk in a PostgreSQL database, with two servers that work on it.

mod access;
mod care;
mod example;
mod failover;
mod hidden_reads;
mod lagging;
mod limits;
mod load;
mod nodes;
mod race;
mod small_disk;
mod turns;

use crate::support::served_desk::{ServedDesk, answer_body, ask_path, id_of, text};
use crate::support::test_world::TestWorld;
use sayso_desk::contract::DatabaseServer;
use std::thread;

/// Starts a node over a database.
fn start_node(world: &TestWorld, desk: &str) -> ServedDesk {
    start_node_with(world, desk, &["--rate", "0"])
}

/// Starts a node over a database with more arguments.
fn start_node_with(world: &TestWorld, desk: &str, more: &[&str]) -> ServedDesk {
    let args = ["serve", "--listen", "127.0.0.1:0"];
    ServedDesk::from_program(world.sayso(args.iter().chain(more)).env("SAYSO_DESK", desk).start())
}

/// Creates a token, and returns its text.
fn new_token(world: &TestWorld, desk: &str, role: &str, account: &str) -> String {
    let made =
        world.sayso(["token", "new", "--role", role, "--account", account]).env("SAYSO_DESK", desk).run();
    assert_eq!(made.exit, 0, "{made:?}");
    made.stdout.trim_end().to_owned()
}

#[test]
fn ask_moves_between_two_nodes() {
    let (world, database) = (TestWorld::new(), DatabaseServer::shared());
    let desk = database.make_database();
    let sayso = |args: &[&str]| world.sayso(args).env("SAYSO_DESK", &desk).run();
    let early = sayso(&["list"]);
    assert!(early.exit == 7 && early.stderr.contains("sayso desk migrate"), "{early:?}");
    assert_eq!(sayso(&["desk", "migrate"]).exit, 0);
    assert_eq!(sayso(&["desk", "migrate"]).exit, 0, "a second time changes nothing");
    let [asker, person] =
        [("asker", "ci"), ("person", "ada")].map(|(role, account)| new_token(&world, &desk, role, account));
    // A desk of another version is not converted.
    let client = database.client(desk.split(['/', '?']).nth(3).unwrap());
    client.query("UPDATE desk SET format = format - 1");
    for args in [&["list"][..], &["desk", "migrate"]] {
        let older = sayso(args);
        assert!(older.exit == 7 && older.stderr.contains("the version of Sayso that wrote it"), "{older:?}");
    }
    client.query("UPDATE desk SET format = format + 1");
    let [first, second] = [start_node(&world, &desk), start_node(&world, &desk)];

    let ask = first.with_token(&asker).post("/v1/asks", &text("Which port?")).json(201);
    let waiting = second.with_token(&asker);
    let path = ask_path(&ask, "/outcome?wait=60");
    let waits = thread::spawn(move || waiting.get(&path).json(200));
    let ada = first.with_token(&person);
    assert_eq!(ada.get("/v1/asks").json(200)["asks"][0]["id"], ask["id"]);
    ada.post(&ask_path(&ask, "/answer"), &answer_body(&ask, "8080")).json(200);
    let outcome = waits.join().unwrap();
    assert!(outcome.to_string().contains("8080"), "{outcome}");

    // The other node has all that this one confirmed.
    let open = first.with_token(&asker).post("/v1/asks", &text("And now?")).json(201);
    crate::support::program::signal(first.program.pid, "KILL");
    let listed = second.with_token(&person).get("/v1/asks").json(200);
    assert_eq!(listed["asks"][0]["id"], open["id"], "{listed}");
    assert!(sayso(&["show", id_of(&open)]).stdout.contains("And now?"));
    let agent = sayso(&["mcp"]);
    assert!(agent.exit != 0 && agent.stderr.contains("SAYSO_DESK=https://"), "{agent:?}");
    assert_eq!(second.stop().exit, 0);
}
