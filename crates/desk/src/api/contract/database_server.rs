//! PostgreSQL server of a test, for desks in a database.

use crate::random;
use crate::store::postgres::address::PostgresAddress;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// Server in a temporary folder, on a Unix socket. It ends when it is dropped.
#[derive(Debug)]
pub struct DatabaseServer {
    folder: PathBuf,
    programs: PathBuf,
    databases: AtomicU32,
}

impl DatabaseServer {
    /// Starts a server. As root it runs under the user `postgres`, as PostgreSQL demands.
    pub fn start() -> Self {
        let mut name = String::from("/tmp/sayso-pg-");
        random::random_bytes::<6>().unwrap().iter().for_each(|byte| write!(name, "{byte:02x}").unwrap());
        let server =
            Self { folder: PathBuf::from(name), programs: find_programs(), databases: AtomicU32::new(0) };
        std::fs::create_dir(&server.folder).unwrap();
        if is_root() {
            let owned = Command::new("chown").arg("postgres:").arg(&server.folder).status().unwrap();
            assert!(owned.success());
        }
        let data = server.data();
        let own = ["-D", &data, "-A", "trust", "-U", "sayso", "--no-sync", "-E", "UTF8", "--locale=C"];
        server.run("initdb", &own);
        let options = format!("-k {} -h '' -c fsync=off -c max_connections=300", server.folder.display());
        server.run("pg_ctl", &["-D", &data, "-w", "-l", "/dev/null", "-o", &options, "start"]);
        server
    }

    /// Creates an empty database, and returns its address.
    pub fn make_database(&self) -> String {
        let name = format!("desk{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let socket = self.folder.display().to_string();
        self.run("createdb", &["-h", &socket, "-U", "sayso", &name]);
        format!("postgres://sayso@/{name}?host={socket}")
    }

    /// Creates a database with a desk, and returns its address.
    pub fn make_desk(&self) -> PostgresAddress {
        let address = PostgresAddress::parse(&self.make_database()).unwrap();
        crate::LocalDesk::migrate_database(&address).unwrap();
        address
    }

    fn data(&self) -> String {
        self.folder.join("data").display().to_string()
    }

    fn run(&self, program: &str, args: &[&str]) {
        let path = self.programs.join(program);
        let mut command = if is_root() {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]).arg(path);
            command
        } else {
            Command::new(path)
        };
        let done = command.args(args).current_dir("/").stdout(Stdio::null()).status().unwrap();
        assert!(done.success(), "{program} {args:?}");
    }
}

impl Drop for DatabaseServer {
    fn drop(&mut self) {
        self.run("pg_ctl", &["-D", &self.data(), "-m", "immediate", "stop"]);
        // The folder of a test that failed may be looked at.
        if !std::thread::panicking() {
            std::fs::remove_dir_all(&self.folder).unwrap();
        }
    }
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Returns the folder of the newest server programs.
fn find_programs() -> PathBuf {
    let versions = std::fs::read_dir(Path::new("/usr/lib/postgresql")).ok();
    let folders = versions.into_iter().flatten().map(|entry| entry.unwrap().path().join("bin"));
    let newest = folders.filter(|folder| folder.join("initdb").exists()).max();
    newest.unwrap_or_else(|| panic!("there is no PostgreSQL server: run `cargo xtask setup`"))
}
