//! Desk on the network: a server in a world of its own, and worlds of askers and people that have only its address and
//! a token.

use crate::support::program::{ProgramExit, TestProgram, signal};
use crate::support::served_desk::ServedDesk;
use crate::support::test_world::TestWorld;
use std::path::PathBuf;

/// Server and its world.
pub(crate) struct NetworkDesk {
    /// World with the desk. Reads go to its file.
    pub(crate) world: TestWorld,
    /// `http://127.0.0.1:PORT`.
    pub(crate) address: String,
    program: Option<TestProgram>,
}

impl NetworkDesk {
    /// Starts a server on a free port.
    pub(crate) fn new() -> Self {
        Self::start_in(TestWorld::new())
    }

    /// Starts a server in a prepared world.
    pub(crate) fn start_in(world: TestWorld) -> Self {
        let mut served = Self { world, address: String::new(), program: None };
        served.start("127.0.0.1:0");
        served
    }

    fn start(&mut self, listen: &str) {
        let ServedDesk { program, address } = ServedDesk::at(&self.world, listen, &[]);
        self.address = format!("http://{address}");
        self.program = Some(program);
    }

    /// Kills the server like a crash.
    pub(crate) fn kill_9(&mut self) {
        assert!(self.program.take().unwrap().kill_9());
    }

    /// Tells the server to end.
    pub(crate) fn tell_to_end(&self) {
        signal(self.program.as_ref().unwrap().pid, "TERM");
    }

    /// Tells the server to end, and waits for its exit.
    pub(crate) fn stop(&mut self) -> ProgramExit {
        self.tell_to_end();
        self.program.take().unwrap().wait()
    }

    /// Restarts the server at the same address.
    pub(crate) fn restart(&mut self) {
        let address = self.address.clone();
        self.start(address.strip_prefix("http://").unwrap());
        assert_eq!(self.address, address);
    }

    /// Creates a token if it does not exist, and returns its file.
    pub(crate) fn token(&self, role: &str, account: &str) -> PathBuf {
        let file = self.world.path(&format!("{role}-{account}.token"));
        if file.exists() {
            return file;
        }
        let out = file.to_str().unwrap();
        let ended =
            self.world.sayso(["token", "new", "--role", role, "--account", account, "--out", out]).run();
        assert_eq!((ended.exit, ended.stdout.as_str()), (0, ""), "{ended:?}");
        file
    }

    /// Creates the world of a caller with these tokens.
    pub(crate) fn caller_world(&self, tokens: &[(&str, &str)]) -> TestWorld {
        let files = tokens.iter().map(|(role, account)| self.token(role, account));
        let mut world = TestWorld::new();
        world.set_var("SAYSO_TOKEN_FILE", std::env::join_paths(files).unwrap());
        world.set_var("SAYSO_DESK", &self.address);
        world
    }

    /// Creates the world of an agent, and that of ada, who answers.
    pub(crate) fn asker_and_person(&self) -> (TestWorld, TestWorld) {
        (self.caller_world(&[("asker", "ci")]), self.caller_world(&[("person", "ada")]))
    }
}
