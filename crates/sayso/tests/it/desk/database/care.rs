//! What `sayso doctor` says of a desk in a database.

use super::{new_token, start_node};
use crate::support::fake_clock::FakeClock;
use crate::support::program::start_lock;
use crate::support::served_desk::{ServedDesk, text};
use crate::support::test_world::TestWorld;
use sayso_desk::contract::DatabaseServer;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};

/// Runs `sayso doctor` at a desk, and returns its report.
fn doctor(world: &TestWorld, desk: &str) -> serde_json::Value {
    let ended = world.sayso(["doctor", "--json"]).env("SAYSO_DESK", desk).run();
    serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {ended:?}"))
}

fn warnings(report: &serde_json::Value) -> String {
    assert_eq!(report["desk"]["ok"], true, "{report}");
    report["desk"]["warnings"].to_string()
}

#[test]
fn doctor_warns_of_nodes_without_standby() {
    let (world, server) = (TestWorld::new(), DatabaseServer::start());
    let desk = server.make_desk().to_string();
    assert_eq!(warnings(&doctor(&world, &desk)), "null");
    let first = start_node(&world, &desk);
    let client = server.client("desk0");
    let nodes = "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'sayso node %'";
    client.wait_for(nodes, "1");
    assert_eq!(warnings(&doctor(&world, &desk)), "null", "one node alone is as safe as its database");
    let second = start_node(&world, &desk);
    client.wait_for(nodes, "2");
    let warning = warnings(&doctor(&world, &desk));
    assert!(warning.contains("2 nodes") && warning.contains("synchronous_standby_names"), "{warning}");
    let shown = world.sayso(["doctor"]).env("SAYSO_DESK", &desk).run();
    assert!(shown.exit == 0 && shown.stdout.contains("! 2 nodes work on this desk"), "{shown:?}");

    let standby = server.start_synchronous_standby();
    assert_eq!(warnings(&doctor(&world, &desk)), "null");
    drop(standby);
    client.wait_for("SELECT count(*) FROM pg_stat_replication", "0");
    let warning = warnings(&doctor(&world, &desk));
    assert!(warning.contains("none is connected"), "{warning}");
    // Nobody waits for it any more.
    client.query("ALTER SYSTEM RESET synchronous_standby_names");
    client.query("SELECT pg_reload_conf()");
    assert_eq!(second.stop().exit, 0);
    assert_eq!(first.stop().exit, 0);
}

#[test]
#[cfg(target_os = "linux")]
fn doctor_warns_of_another_clock() {
    let (world, server) = (TestWorld::new(), DatabaseServer::start());
    let desk = server.make_desk().to_string();
    let clock = FakeClock::new(&world);
    clock.set_offset(90);
    let ended = world.sayso(["doctor", "--json"]).env("SAYSO_DESK", &desk).clock(&clock).run();
    assert!(ended.exit == 0 && ended.stdout.contains("that of the database differ by"), "{ended:?}");
}

/// Pooler before the server of a test.
struct Pooler {
    program: Child,
    address: String,
}

impl Pooler {
    fn start(world: &TestWorld, server: &DatabaseServer, mode: &str) -> Self {
        // A socket of its own, since another test could take a free port first.
        let folder = world.path("pooler");
        std::fs::create_dir(&folder).unwrap();
        let users = world.write("users.txt", "\"sayso\" \"\"\n");
        let settings = format!(
            "[databases]\n* = host={} port={}\n[pgbouncer]\nlisten_addr =\nlisten_port = 5432\n\
             unix_socket_dir = {}\nauth_type = trust\nauth_file = {}\npool_mode = {mode}\n",
            server.socket(),
            server.port(),
            folder.display(),
            users.display()
        );
        let settings = world.write("pgbouncer.ini", settings);
        // It refuses to run as root, and the files of this world are not secret.
        let open = Command::new("chmod").args(["-R", "a+rX"]).arg(settings.parent().unwrap()).status();
        assert!(open.unwrap().success());
        let writable = Command::new("chmod").arg("a+w").arg(&folder).status();
        assert!(writable.unwrap().success());
        let mut command = Command::new("/usr/sbin/pgbouncer");
        if rustix::process::geteuid().is_root() {
            command.args(["-u", "postgres"]);
        }
        let starting = start_lock();
        let program = command.arg(settings).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        drop(starting);
        let program = program.expect("no pgbouncer: run `cargo xtask setup`");
        while UnixStream::connect(folder.join(".s.PGSQL.5432")).is_err() {
            std::thread::yield_now();
        }
        Self { program, address: format!("postgres://sayso@/desk0?host={}", folder.display()) }
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        _ = self.program.kill().and_then(|()| self.program.wait());
    }
}

#[test]
fn pooler_serves_in_session_mode_alone() {
    for mode in ["session", "transaction"] {
        let (world, server) = (TestWorld::new(), DatabaseServer::start());
        server.make_desk();
        let pooler = Pooler::start(&world, &server, mode);
        let report = doctor(&world, &pooler.address);
        if mode == "session" {
            assert_eq!(warnings(&report), "null");
            let token = new_token(&world, &pooler.address, "asker", "ci");
            let node = start_node(&world, &pooler.address);
            node.with_token(&token).post("/v1/asks", &text("Which port?")).json(201);
            assert_eq!(node.stop().exit, 0);
        } else {
            let ended =
                world.sayso(["serve", "--listen", "127.0.0.1:0"]).env("SAYSO_DESK", &pooler.address).run();
            assert!(ended.exit == 7 && ended.stderr.contains("pooler in transaction mode"), "{ended:?}");
            assert!(report["desk"].to_string().contains("pooler in transaction mode"), "{report}");
        }
    }
}

#[test]
fn doctor_tries_a_write() {
    let (world, server) = (TestWorld::new(), DatabaseServer::start());
    server.make_desk();
    server.client("desk0").query("CREATE ROLE reader LOGIN");
    server.client("desk0").query("GRANT SELECT, UPDATE ON ALL TABLES IN SCHEMA public TO reader");
    let desk = server.address_of("desk0").replace("sayso@", "reader@");
    let report = doctor(&world, &desk);
    assert_eq!(report["desk"]["ok"], false, "{report}");
    assert!(report["desk"]["problem"].to_string().contains("permission denied"), "{report}");
}

#[test]
fn server_waits_for_its_database() {
    let (world, server) = (TestWorld::new(), DatabaseServer::start());
    let desk = server.make_desk().to_string();
    server.stop();
    let program = world.sayso(["serve", "--listen", "127.0.0.1:0"]).env("SAYSO_DESK", &desk).start();
    let first = program.stderr.wait_for("the database cannot be reached", 0);
    program.stderr.wait_for("the database cannot be reached", first);
    server.start_again();
    let node = ServedDesk::from_program(program);
    assert_eq!(node.without_token().get("/readyz").status, 200);
    assert_eq!(node.stop().exit, 0);
    // What does not pass by waiting ends it.
    let unknown = desk.replace("desk0", "nowhere");
    let ended = world.sayso(["serve", "--listen", "127.0.0.1:0"]).env("SAYSO_DESK", &unknown).run();
    assert!(ended.exit == 7 && ended.stderr.contains("does not exist"), "{ended:?}");
}

#[test]
fn network_learns_no_place_of_the_desk() {
    let (world, server) = (TestWorld::new(), DatabaseServer::start());
    let desk = server.make_desk().to_string();
    let token = new_token(&world, &desk, "asker", "ci");
    let node = start_node(&world, &desk);
    let asker = node.with_token(&token);
    asker.post("/v1/asks", &text("Which port?")).json(201);
    server.stop();
    let socket = server.socket();
    for reply in [asker.post("/v1/asks", &text("Which one?")), asker.get("/v1/asks"), asker.get("/readyz")] {
        let words = reply.value().to_string();
        assert!(reply.status >= 500 && words.contains("The desk"), "{words}");
        assert!(
            !words.contains(&socket) && !words.contains("postgres") && !words.contains("desk0"),
            "{words}"
        );
    }
}
