//! Tests of a server that may have few files open.

use crate::support::served_desk::ServedDesk;
use crate::support::test_world::TestWorld;
use sayso_desk::token::TokenRole;

/// Files that the server may have open: 192 connections, of which an account has 96 and people the last twelve.
const FILES: u32 = 256;

#[test]
fn flood_of_streams_leaves_room_for_people() {
    let world = TestWorld::new();
    let serve = world.sayso(["serve", "--listen", "127.0.0.1:0", "--rate", "0"]);
    let serve = serve.by_shell(&format!("ulimit -n {FILES} && exec \"$0\" \"$@\""));
    let served = ServedDesk::from_program(serve.start());
    let person = served.person(&world);
    let askers = ["ci", "second", "third"].map(|account| served.caller(&world, TokenRole::Asker, account));
    let mut streams = Vec::new();
    let mut counts = Vec::new();
    for asker in &askers {
        let before = streams.len();
        for _ in 0..FILES {
            let opened = asker.request("GET", "/v1/events").try_send_for_head();
            match opened {
                Some(opened) if opened.reply.status == 200 => streams.push(opened),
                Some(refused) => assert_eq!(refused.reply.status, 429, "{:?}", refused.reply),
                None => {}
            }
        }
        counts.push(streams.len() - before);
        assert_eq!(person.get("/v1/asks").status, 200, "{counts:?}");
    }
    assert_eq!(counts, [96, 84, 0]);
    assert_eq!(person.get("/healthz").status, 200);
}
