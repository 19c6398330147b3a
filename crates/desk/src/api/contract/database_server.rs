//! PostgreSQL server of a test, for desks in a database.

mod client;
mod small_disk;
mod standby;

pub use client::DatabaseClient;

use crate::random;
use crate::store::postgres::connection::address::PostgresAddress;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Port of a server that has a Unix socket alone.
const SOCKET_PORT: u16 = 5432;

/// Server in a temporary folder, on a Unix socket. It ends when it is dropped.
#[derive(Debug)]
pub struct DatabaseServer {
    folder: PathBuf,
    programs: PathBuf,
    port: u16,
    databases: AtomicU32,
    has_ended: AtomicBool,
    /// True if this process started it.
    is_own: bool,
}

/// Variable with the folder of the server that all tests of a run share.
const SHARED_SERVER: &str = "SAYSO_TEST_DATABASE_SERVER";

impl DatabaseServer {
    /// Returns the server that all tests of a run share, each with databases and roles of its own. A test that kills,
    /// fills, stops or sets up a server starts its own. If there is none for the run, the tests of this process share
    /// one, which ends with the last of them.
    pub fn shared() -> Arc<Self> {
        static SHARED: Mutex<Weak<DatabaseServer>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(server) = shared.upgrade() {
            return server;
        }
        let server = Arc::new(match std::env::var_os(SHARED_SERVER) {
            Some(folder) => Self::at(folder.into(), SOCKET_PORT, false),
            None => Self::start(),
        });
        *shared = Arc::downgrade(&server);
        server
    }

    /// Returns the server in a folder. One that is not ours is ended by the process that started it.
    fn at(folder: PathBuf, port: u16, is_own: bool) -> Self {
        Self {
            folder,
            programs: find_programs(),
            port,
            databases: AtomicU32::new(0),
            has_ended: AtomicBool::new(false),
            is_own,
        }
    }

    /// Starts a server. As root it runs under the user `postgres`, as PostgreSQL demands.
    pub fn start() -> Self {
        Self::start_with(SOCKET_PORT, &[])
    }

    /// Starts a server that waits for the disk at each commit, as one outside of tests does.
    pub fn start_durable() -> Self {
        Self::start_with(SOCKET_PORT, &["-c fsync=on"])
    }

    /// Starts a server that listens at a port of this machine, too.
    pub fn start_at_port() -> Self {
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        Self::start_with(port, &["-h 127.0.0.1"])
    }

    fn start_with(port: u16, options: &[&str]) -> Self {
        let server = Self::new(port);
        server.make_cluster();
        server.launch(options);
        server
    }

    /// Creates the files of a server.
    fn make_cluster(&self) {
        let own = ["-D", &self.data(), "-A", "trust", "-U", "sayso", "--no-sync", "-E", "UTF8", "--locale=C"];
        self.run("initdb", &own);
    }

    /// Creates the folder of a server.
    fn new(port: u16) -> Self {
        let mut name = String::from("/tmp/sayso-pg-");
        for byte in random::random_bytes::<6>().unwrap() {
            write!(name, "{byte:02x}").unwrap();
        }
        let folder = PathBuf::from(name);
        std::fs::create_dir(&folder).unwrap();
        if is_root() {
            // The server refuses to run as root, and to use a folder of root.
            let status = Command::new("chown").arg("postgres:").arg(&folder).status().unwrap();
            assert!(status.success());
        }
        Self::at(folder, port, true)
    }

    fn launch(&self, options: &[&str]) {
        let done = self.launch_command(options).stdout(Stdio::null()).status().unwrap();
        assert!(done.success(), "{options:?}");
    }

    /// Returns the command that starts the server and ends once it takes connections.
    fn launch_command(&self, options: &[&str]) -> Command {
        // The last of two options counts. Shared memory is in the server's folder: a killed server leaves none.
        let socket = format!(
            "-k {} -p {} -h '' -c fsync=off -c max_connections=300 -c dynamic_shared_memory_type=mmap {}",
            self.folder.display(),
            self.port,
            options.join(" ")
        );
        let mut command = self.command("pg_ctl");
        command.args(["-D", &self.data(), "-w", "-l", "/dev/null", "-o", &socket, "start"]);
        command
    }

    /// Creates an empty database, and returns its address.
    pub fn make_database(&self) -> String {
        let number = self.databases.fetch_add(1, Ordering::Relaxed);
        // Other processes make databases at a server that is not ours.
        let name = if self.is_own {
            format!("desk{number}")
        } else {
            format!("desk{}_{number}", std::process::id())
        };
        let (socket, port) = (self.socket(), self.port.to_string());
        self.run("createdb", &["-h", &socket, "-p", &port, "-U", "sayso", &name]);
        format!("postgres://sayso@/{name}?host={socket}&port={port}")
    }

    /// Creates a database with a desk, and returns its address.
    pub fn make_desk(&self) -> PostgresAddress {
        let address = PostgresAddress::parse(&self.make_database()).unwrap();
        crate::StoreDesk::migrate_database(&address).unwrap();
        address
    }

    /// Returns the folder of the socket.
    pub fn socket(&self) -> String {
        self.folder.display().to_string()
    }

    /// Returns a command that runs a program of PostgreSQL as its user.
    pub fn program(&self, name: &str) -> Command {
        self.command(name)
    }

    /// Returns the port.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Demands a password of a new role, which may read and write the desk in this database and nothing else.
    pub fn make_role(&self, database: &str, role: &str, password: &str) {
        let client = self.client(database);
        client.query(&format!("CREATE ROLE {role} LOGIN PASSWORD '{password}'"));
        client
            .query(&format!("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}"));
        let path = self.folder.join("data/pg_hba.conf");
        let rules = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("local all {role} scram-sha-256\n{rules}")).unwrap();
        client.query("SELECT pg_reload_conf()");
        let port = self.port.to_string();
        let call = ["-w", "-h", &self.socket(), "-p", &port, "-U", role, "-d", database, "-c", "SELECT 1"];
        let is_let_in = || {
            let mut psql = self.command("psql");
            psql.args(call).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success()
        };
        while is_let_in() {}
    }

    /// Kills the server like a crash.
    pub fn kill_9(&self) {
        self.has_ended.store(true, Ordering::Relaxed);
        assert!(Command::new("kill").args(["-9", &self.first_process()]).status().unwrap().success());
    }

    /// Stops all processes of the server where they are: it takes connections, and answers nothing.
    pub fn freeze(&self) {
        let first = self.first_process();
        let stop = "kill -STOP $1 $(ps -o pid= --ppid $1)";
        assert!(Command::new("/bin/sh").args(["-c", stop, "sh", &first]).status().unwrap().success());
    }

    /// Kills a server that was stopped.
    pub fn kill_frozen(&self) {
        let first = self.first_process();
        self.has_ended.store(true, Ordering::Relaxed);
        let kill = "kill -9 $1 $(ps -o pid= --ppid $1)";
        assert!(Command::new("/bin/sh").args(["-c", kill, "sh", &first]).status().unwrap().success());
    }

    fn first_process(&self) -> String {
        let file = std::fs::read_to_string(self.folder.join("data/postmaster.pid")).unwrap();
        file.lines().next().unwrap().to_owned()
    }

    /// Ends the server.
    pub fn stop(&self) {
        self.run("pg_ctl", &["-D", &self.data(), "-m", "fast", "stop"]);
        self.has_ended.store(true, Ordering::Relaxed);
    }

    /// Starts a server again that was ended.
    pub fn start_again(&self) {
        self.launch(&[]);
        self.has_ended.store(false, Ordering::Relaxed);
    }

    fn append(&self, file: &str, text: &str) {
        let path = self.folder.join("data").join(file);
        let before = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, before + "\n" + text).unwrap();
    }

    fn data(&self) -> String {
        self.folder.join("data").display().to_string()
    }

    /// Returns a command that runs a program of PostgreSQL as its user.
    fn command(&self, program: &str) -> Command {
        Self::command_line(self.programs.join(program))
    }

    fn command_line(program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = if is_root() {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        command.current_dir("/");
        command
    }

    fn run(&self, program: &str, args: &[&str]) {
        let done = self.command(program).args(args).stdout(Stdio::null()).status().unwrap();
        assert!(done.success(), "{program} {args:?}");
    }
}

impl Drop for DatabaseServer {
    fn drop(&mut self) {
        if !self.is_own {
            return;
        }
        if !self.has_ended.load(Ordering::Relaxed) {
            self.run("pg_ctl", &["-D", &self.data(), "-m", "immediate", "stop"]);
        }
        // The folder of a test that failed may be looked at.
        if !std::thread::panicking() {
            let removed = std::fs::remove_dir_all(&self.folder);
            // The last processes of a killed server may still write there.
            assert!(removed.is_ok() || self.has_ended.load(Ordering::Relaxed), "{removed:?}");
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
