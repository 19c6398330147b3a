//! Tests of a desk whose file is removed while it is open: programs report it at once, and accept nothing more.

use crate::support::emulated_terminal::EmulatedTerminal;
use crate::support::sample_requests::text;
use crate::support::served_desk::{ServedDesk, ask_path, create_ask, text as request, wait_for_metric};
use crate::support::test_world::TestWorld;
use std::thread;

const SAID: &str = "was removed or replaced.";

#[test]
fn waiters_hear_of_removed_desk() {
    let world = TestWorld::new();
    let waiting = world.sayso(["ask", &text("T"), "--elsewhere"]).start();
    waiting.stderr.wait_for("is waiting at the desk", 0);
    let screen = EmulatedTerminal::start(&world.sayso(["inbox"]), 24, 80);
    screen.expect_text("agent waits");
    std::fs::remove_dir_all(world.desk_file().parent().unwrap()).unwrap();
    let ended = waiting.wait();
    assert!(ended.exit == 7 && ended.stderr.contains(SAID), "{ended:?}");
    screen.expect_text("was removed");
}

#[test]
fn server_refuses_removed_desk() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, admin) = (served.asker(&world), served.admin(&world));
    let ask = create_ask(&asker, "door");
    let reply = thread::scope(|scope| {
        let waiting = scope.spawn(|| asker.get(&ask_path(&ask, "/outcome?wait=60")));
        wait_for_metric(&admin, "sayso_waits 1");
        std::fs::remove_dir_all(world.desk_file().parent().unwrap()).unwrap();
        waiting.join().unwrap()
    });
    let problem = reply.problem(503, "desk_unreachable");
    assert_eq!(
        problem["detail"], "The desk does not answer at the moment.",
        "no place is named over the network"
    );
    served.program.stderr.wait_for(SAID, 0);
    asker.post("/v1/asks", &request("wall")).problem(503, "desk_unreachable");
    served.without_token().get("/readyz").problem(503, "desk_unreachable");
    // A new file in its place is not the served desk.
    world.leave_ask(&text("T"), &[]);
    asker.post("/v1/asks", &request("wall")).problem(503, "desk_unreachable");
}
