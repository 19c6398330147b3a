//! Copies of desks in use, by the command.

use crate::support::program::kill_9;
use crate::support::sample_requests::release;
use crate::support::served_desk::{ServedDesk, answer_ask, ask_path, create_ask, new_ask, text};
use crate::support::test_world::TestWorld;
use sayso_desk::contract::DatabaseServer;
use sayso_desk::token::TokenRole;
use sayso_desk::{AskQuery, Desk as _, StoreDesk};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Runs `sayso` at a desk.
fn at(world: &TestWorld, desk: &str, args: &[&str]) -> crate::support::program::ProgramExit {
    world.sayso(args).env("SAYSO_DESK", desk).run()
}

#[test]
fn moved_desk_is_served_read_only() {
    let (world, database) = (TestWorld::new(), DatabaseServer::start());
    let (file, address) = (world.desk_file(), database.make_database());
    let file = file.to_str().unwrap();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let done = create_ask(&asker, "Which port?");
    answer_ask(&person, &done, "8080");
    let open = create_ask(&asker, "Which name?");
    let waiting = world.sayso(["ask", &release("Wait")]).start();
    waiting.stderr.wait_for("The question is waiting", 0);

    let early = world.sayso(["desk", "copy", file, &address]).run();
    assert!(early.exit == 7 && early.stderr.contains("sayso desk migrate"), "{early:?}");
    assert_eq!(at(&world, &address, &["desk", "migrate"]).exit, 0);
    let copied = world.sayso(["desk", "copy", file, &address]).run();
    assert_eq!((copied.exit, copied.stderr.as_str()), (0, ""), "{copied:?}");
    assert!(
        copied.stdout.starts_with("3 asks, ") && copied.stdout.contains("postgres:///desk0"),
        "{copied:?}"
    );

    // A program that waits at the old desk is told where the answer comes, and one that writes there too.
    let report = waiting.wait();
    assert!(report.exit == 7 && report.stderr.contains("has moved to postgres:///desk0"), "{report:?}");
    let refused = asker.post("/v1/asks", &text("And now?")).json(503);
    assert_eq!(refused["code"], "desk_moved", "{refused}");
    assert!(!refused.to_string().contains("sayso@"), "{refused}");
    let refused = world.sayso(["ask", "--no-wait", &release("More")]).run();
    assert!(refused.exit == 7 && refused.stderr.contains("postgres:///desk0"), "{refused:?}");
    let read = person.get(&ask_path(&done, "")).json(200);
    assert!(read.to_string().contains("8080"), "{read}");
    assert_eq!(person.get("/v1/asks").json(200)["asks"][0]["id"], open["id"]);
    let listed = world.sayso(["list"]).run();
    assert!(listed.exit == 0 && listed.stdout.contains("Which name?"), "{listed:?}");
    assert!(listed.stderr.contains("It can still be read here"), "{listed:?}");
    assert_eq!(served.stop().exit, 0);
    let again = ServedDesk::start(&world);
    assert_eq!(
        again.with_token(person.token.as_ref().unwrap()).get("/v1/asks").json(200)["asks"][0]["id"],
        open["id"]
    );

    // At the new desk the same tokens go on.
    let node = ServedDesk::from_program(
        world.sayso(["serve", "--listen", "127.0.0.1:0"]).env("SAYSO_DESK", &address).start(),
    );
    let [asker, person] = [asker, person].map(|caller| node.with_token(caller.token.as_ref().unwrap()));
    answer_ask(&person, &open, "heron");
    let outcome = asker.get(&ask_path(&open, "/outcome")).json(200);
    assert!(outcome.to_string().contains("heron"), "{outcome}");
    assert!(asker.get(&ask_path(&done, "/outcome")).text().contains("8080"));
}

#[test]
fn no_confirmed_write_is_left_behind() {
    let (world, database) = (TestWorld::new(), DatabaseServer::shared());
    let address = database.make_database();
    assert_eq!(at(&world, &address, &["desk", "migrate"]).exit, 0);
    let file = world.desk_file();
    let is_over = AtomicBool::new(false);
    let opened: Vec<_> = thread::scope(|scope| {
        let writers: Vec<_> = (0..4)
            .map(|writer| {
                let (file, is_over) = (&file, &is_over);
                scope.spawn(move || {
                    let desk = StoreDesk::open(file).unwrap();
                    let mut ids = Vec::new();
                    while !is_over.load(Ordering::Relaxed) {
                        let new = new_ask("ci", &format!("{writer} {}?", ids.len()));
                        match desk.open(None, new) {
                            Ok(opened) => ids.push(opened.ask().id),
                            Err(problem) => {
                                assert_eq!(problem.code.as_str(), "desk_moved", "{problem}");
                                break;
                            }
                        }
                    }
                    ids
                })
            })
            .collect();
        while StoreDesk::open(&file).unwrap().list(&AskQuery::default()).unwrap().rows.len() < 50 {
            thread::yield_now();
        }
        let copied = world.sayso(["desk", "copy", file.to_str().unwrap(), &address, "--json"]).run();
        is_over.store(true, Ordering::Relaxed);
        assert_eq!(copied.exit, 0, "{copied:?}");
        writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect()
    });
    let parsed = sayso_desk::PostgresAddress::parse(&address).unwrap();
    let moved = StoreDesk::open_database(&parsed).unwrap();
    let missing = opened.iter().filter(|id| moved.get(**id).is_err()).count();
    assert_eq!((missing, opened.len() >= 50), (0, true), "of {}", opened.len());
}

#[test]
fn killed_copy_leaves_both_desks() {
    let (world, database) = (TestWorld::new(), DatabaseServer::shared());
    let address = database.make_database();
    assert_eq!(at(&world, &address, &["desk", "migrate"]).exit, 0);
    let file = world.desk_file();
    let desk = StoreDesk::open(&file).unwrap();
    let all = (0..3_000).map(|n| (format!("key {n}"), new_ask("ci", &format!("Number {n}?"))));
    desk.open_all(all.collect()).unwrap();
    let copy = [world.path("copy.db").to_str().unwrap().to_owned(), address];
    for to in &copy {
        let line = ["desk", "copy", file.to_str().unwrap(), to];
        let mut terminal = world.sayso(line).on_terminal();
        terminal.expect("[#####");
        kill_9(terminal.pid);
        drop(terminal);
        let left = at(&world, to, &["list"]);
        assert!(!left.stdout.contains("Number"), "{left:?}");
        assert!(desk.open(None, new_ask("ci", &format!("After {to}?"))).is_ok(), "it is not marked");
        let spare = world.path(if to.starts_with("postgres") { "first.db" } else { "second.db" });
        assert_eq!(world.sayso(["desk", "backup", spare.to_str().unwrap()]).run().exit, 0);
        let copied = world.sayso(["desk", "copy", spare.to_str().unwrap(), to]).run();
        assert!(copied.exit == 0 && copied.stdout.starts_with("300"), "{copied:?}");
    }
    let refused = world.sayso(["desk", "copy", "https://desk.example", &copy[0]]).run();
    assert!(refused.exit != 0 && refused.stderr.contains("not through a server"), "{refused:?}");
    let asker = TokenRole::Asker;
    assert!(desk.new_token(asker, "ci", None).is_ok());
}
