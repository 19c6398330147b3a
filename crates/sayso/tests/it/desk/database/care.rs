//! What `sayso doctor` says of a desk in a database.

use super::start_node;
use crate::support::program::start_lock;
use crate::support::test_world::TestWorld;
use sayso_desk::contract::DatabaseServer;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
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
    let call = world.sayso(["doctor", "--json"]).env("SAYSO_DESK", &desk);
    let folders = std::fs::read_dir("/usr/lib").unwrap();
    let inside = |folder: PathBuf| folder.join("faketime/libfaketimeMT.so.1");
    let mut libraries = folders.map(|folder| inside(folder.unwrap().path()));
    let library =
        libraries.find(|library| library.exists()).expect("no libfaketime: run `cargo xtask setup`");
    let ended = call.env("LD_PRELOAD", library).env("FAKETIME", "+90s").run();
    assert!(ended.exit == 0 && ended.stdout.contains("that of the database differ by"), "{ended:?}");
}

/// Pooler in transaction mode, before the server of a test.
struct TransactionPooler {
    program: Child,
    address: String,
}

impl TransactionPooler {
    fn start(world: &TestWorld, server: &DatabaseServer) -> Self {
        // A socket of its own, since another test could take a free port first.
        let folder = world.path("pooler");
        std::fs::create_dir(&folder).unwrap();
        let users = world.write("users.txt", "\"sayso\" \"\"\n");
        let settings = format!(
            "[databases]\n* = host={} port={}\n[pgbouncer]\nlisten_addr =\nlisten_port = 5432\n\
             unix_socket_dir = {}\nauth_type = trust\nauth_file = {}\npool_mode = transaction\n\
             ignore_startup_parameters = options\n",
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

impl Drop for TransactionPooler {
    fn drop(&mut self) {
        _ = self.program.kill().and_then(|()| self.program.wait());
    }
}

#[test]
fn doctor_warns_of_transaction_pooler() {
    let (world, server) = (TestWorld::new(), DatabaseServer::start());
    server.make_desk();
    let pooler = TransactionPooler::start(&world, &server);
    let report = doctor(&world, &pooler.address);
    // One that knows no prepared statements may fail the desk before it is looked at.
    let desk_report = report["desk"].to_string();
    assert!(desk_report.contains("pooler in transaction mode"), "{desk_report}");
}
