//! Contract suite over a desk in a database, on a server of its own.

use super::address::PostgresAddress;
use crate::Desk;
use crate::contract::{DeskFixture, run_contract};
use crate::local::LocalDesk;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use tempfile::TempDir;

/// Server in a temporary folder, on a Unix socket.
struct Server {
    folder: TempDir,
    programs: PathBuf,
    databases: AtomicU32,
}

impl Server {
    /// Starts a server. As root it runs under the user `postgres`, as PostgreSQL demands.
    fn start() -> Self {
        let folder = tempfile::Builder::new().prefix("pg").tempdir_in("/tmp").unwrap();
        let server = Self { folder, programs: find_programs(), databases: AtomicU32::new(0) };
        if rustix::process::geteuid().is_root() {
            assert!(
                Command::new("chown")
                    .args(["postgres:"])
                    .arg(server.folder.path())
                    .status()
                    .unwrap()
                    .success()
            );
        }
        let data = server.data();
        server.run(
            "initdb",
            &["-D", &data, "-A", "trust", "-U", "sayso", "--no-sync", "-E", "UTF8", "--locale=C"],
        );
        let options =
            format!("-k {} -h '' -c fsync=off -c max_connections=300", server.folder.path().display());
        server.run("pg_ctl", &["-D", &data, "-w", "-l", "/dev/null", "-o", &options, "start"]);
        server
    }

    fn data(&self) -> String {
        self.folder.path().join("data").display().to_string()
    }

    fn run(&self, program: &str, args: &[&str]) {
        let path = self.programs.join(program);
        let mut command = if rustix::process::geteuid().is_root() {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]).arg(path);
            command
        } else {
            Command::new(path)
        };
        let done = command.args(args).current_dir("/").stdout(Stdio::null()).status().unwrap();
        assert!(done.success(), "{program} {args:?}");
    }

    /// Creates a database with a desk, and returns its address.
    fn make_desk(&self) -> PostgresAddress {
        let name = format!("desk{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let socket = self.folder.path().display().to_string();
        self.run("createdb", &["-h", &socket, "-U", "sayso", &name]);
        let address = PostgresAddress::parse(&format!("postgres://sayso@/{name}?host={socket}")).unwrap();
        LocalDesk::migrate_database(&address).unwrap();
        address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.run("pg_ctl", &["-D", &self.data(), "-m", "immediate", "stop"]);
    }
}

/// Returns the folder of the newest server programs.
fn find_programs() -> PathBuf {
    let root = Path::new("/usr/lib/postgresql");
    let versions = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path().join("bin"));
    versions.max().unwrap()
}

struct DatabaseFixture(PostgresAddress);

impl DeskFixture for DatabaseFixture {
    fn desk(&self) -> Box<dyn Desk> {
        Box::new(LocalDesk::open_database(&self.0).unwrap())
    }
}

#[test]
fn database_desk_passes_contract() {
    let server = Server::start();
    run_contract(&|| Box::new(DatabaseFixture(server.make_desk())));
}
