//! Limits of a node's connections and of the server's statements: who meets them is told to try again.

use super::new_token;
use crate::support::served_desk::in_process::InProcessServer;
use crate::support::served_desk::text;
use crate::support::test_world::TestWorld;
use sayso_desk::contract::DatabaseServer;
use sayso_desk::{DatabaseTimeouts, PostgresAddress, StoreDesk};
use sayso_server::http::ServerDelays;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// Starts a node that waits less for its database than usual.
fn start_node(world: &TestWorld, address: &PostgresAddress, timeouts: DatabaseTimeouts) -> InProcessServer {
    let desk = StoreDesk::open_database(&address.clone().with_timeouts(timeouts)).unwrap();
    InProcessServer::start(desk, &world.path("work"), ServerDelays::default())
}

#[test]
fn exhausted_pool_refuses_and_recovers() {
    let (world, server) = (TestWorld::new(), DatabaseServer::start());
    let desk = server.make_desk();
    let [person, admin] = [("person", "ada"), ("admin", "gateway")]
        .map(|(role, account)| new_token(&world, &desk.to_string(), role, account));
    let timeouts = DatabaseTimeouts { connection: Duration::from_millis(300), ..DatabaseTimeouts::default() };
    let node = start_node(&world, &desk, timeouts);
    let (person, admin) = (node.with_token(&person), node.with_token(&admin));
    person.get("/v1/asks").json(200);
    let client = server.client("desk0");
    client.query("BEGIN");
    client.query("LOCK TABLE ask IN ACCESS EXCLUSIVE MODE");
    let (sender, replies) = channel();
    thread::scope(|scope| {
        for _ in 0..32 {
            let (person, sender) = (person.clone(), sender.clone());
            scope.spawn(move || sender.send(person.get("/v1/asks")));
        }
        // Each of the 16 connections waits for the table; the others find none, and tokens are looked up all the same.
        for _ in 0..8 {
            let refused = replies.recv().unwrap();
            refused.problem(503, "desk_busy");
            assert_eq!(refused.header("retry-after"), Some("1"));
        }
        // With those for tokens and for notices they are 21 at most.
        let connections =
            "SELECT count(*) FROM pg_stat_activity WHERE datname = 'desk0' AND pid <> pg_backend_pid()";
        let connections: u32 = client.query(connections).parse().unwrap();
        assert!((17..=21).contains(&connections), "{connections}");
        client.query("COMMIT");
        let rest: Vec<_> = (0..24).map(|_| replies.recv().unwrap().status).collect();
        assert!(rest.iter().all(|status| [200, 503].contains(status)), "{rest:?}");
        assert!(rest.iter().filter(|status| **status == 200).count() >= 8, "{rest:?}");
    });
    person.get("/v1/asks").json(200);
    let metrics = admin.get("/metrics").text();
    let number = |name: &str| -> f64 {
        let line = metrics.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_else(|| panic!("no {name} in {metrics}")).trim().parse().unwrap()
    };
    assert!(number("sayso_pool_timeouts_total{store=\"postgres\"}") >= 8.0);
    assert_eq!(number("sayso_pool_connections{state=\"Limit\"}"), 16.0);
    assert_eq!(number("sayso_node_hears_others{store=\"postgres\"}"), 1.0);
}

#[test]
fn statement_ends_after_its_time() {
    let (world, server) = (TestWorld::new(), DatabaseServer::start());
    let desk = server.make_desk();
    let token = new_token(&world, &desk.to_string(), "asker", "ci");
    let timeouts = DatabaseTimeouts {
        lock: Duration::from_millis(300),
        statement: Duration::from_millis(1_000),
        ..DatabaseTimeouts::default()
    };
    let nodes = [(), ()].map(|()| start_node(&world, &desk, timeouts));
    let [slow, other] = nodes.each_ref().map(|node| node.with_token(&token));
    // They have written their addresses into the desk.
    [&slow, &other].iter().for_each(|caller| drop(caller.get("/v1/me").json(200)));
    let client = server.client("desk0");
    let wait = "CREATE FUNCTION stall() RETURNS trigger LANGUAGE plpgsql AS \
                $$ BEGIN PERFORM pg_sleep(600); RETURN new; END $$";
    client.query(wait);
    client.query(
        "CREATE TRIGGER stall BEFORE INSERT ON ask FOR EACH ROW WHEN (new.title = 'slow') EXECUTE FUNCTION stall()",
    );
    thread::scope(|scope| {
        let stalled = scope.spawn(|| slow.post("/v1/asks", &text("slow")));
        client.wait_for("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'", "1");
        // Who waits for the lock is told sooner.
        other.post("/v1/asks", &text("quick")).problem(503, "desk_busy");
        stalled.join().unwrap().problem(503, "desk_busy");
    });
    other.post("/v1/asks", &text("quick")).json(201);
    slow.post("/v1/asks", &text("next")).json(201);
    let listed = world.sayso(["list"]).env("SAYSO_DESK", desk.to_string()).run();
    assert!(listed.stdout.contains("quick") && !listed.stdout.contains("slow"), "{listed:?}");
}
