//! Server on a terminal, an asker, and a browser that is signed in with the terminal's code.

use crate::support::browser::page_browser::PageBrowser;
use crate::support::http_client::HttpCaller;
use crate::support::served_desk::new_token;
use crate::support::terminal::TestTerminal;
use crate::support::test_world::TestWorld;
use sayso_desk::token::TokenRole;
use serde_json::{Value, json};

/// Desk with a page and its callers.
pub(crate) struct SignedInPage {
    pub(crate) world: TestWorld,
    pub(crate) terminal: Option<TestTerminal>,
    /// Host and port.
    pub(crate) address: String,
    read_to: usize,
    pub(crate) asker: HttpCaller,
    pub(crate) person: HttpCaller,
    pub(crate) page: PageBrowser,
}

impl SignedInPage {
    /// Starts a server and a browser, and signs it in at the inbox.
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts a browser of its own with further switches; without any, it is the shared one.
    pub(crate) fn start_with(switches: &[&str]) -> Self {
        let world = TestWorld::new();
        let terminal = serve(&world, "127.0.0.1:0");
        let (address, code, read_to) = read_code(&terminal, 0);
        let caller = |role, account| HttpCaller {
            address: address.clone(),
            token: Some(new_token(&world, role, account)),
        };
        let (asker, person) = (caller(TokenRole::Asker, "ci"), caller(TokenRole::Person, "bob"));
        let site = format!("http://localhost:{}", port(&address));
        let page = PageBrowser::start_with(&world, &site, switches);
        let mut signed = Self { world, terminal: Some(terminal), address, read_to, asker, person, page };
        signed.sign_in(&code);
        signed
    }

    fn sign_in(&mut self, code: &str) {
        self.page.go_to("/");
        self.page.run_step("put", json!({ "selector": "#code", "text": code }));
        self.page.run_step("hit", json!({ "selector": "#login button" }));
        self.page.run_step("visible", json!({ "selector": ".inbox .tab >> nth=0" }));
    }

    /// Opens another browser and signs it in with a new code.
    pub(crate) fn open_browser(&mut self, name: &str, how: Value) {
        self.page.open(name, how);
        self.page.go_to("/login");
        let (_, code, read_to) = read_code(self.terminal.as_ref().unwrap(), self.read_to);
        self.read_to = read_to;
        self.sign_in(&code);
    }

    /// Asks, and returns the ask.
    pub(crate) fn ask(&self, request: &Value) -> Value {
        self.asker.post("/v1/asks", &json!({ "request": request })).json(201)
    }

    /// Kills the server like a crash.
    pub(crate) fn kill_server(&mut self) {
        self.terminal.take().unwrap().kill_9();
    }

    /// Starts the server again at its address.
    pub(crate) fn restart_server(&mut self) {
        let terminal = serve(&self.world, &self.address);
        (_, _, self.read_to) = read_code(&terminal, 0);
        self.terminal = Some(terminal);
    }
}

fn port(address: &str) -> &str {
    address.rsplit_once(':').unwrap().1
}

fn serve(world: &TestWorld, listen: &str) -> TestTerminal {
    world.sayso(["serve", "--listen", listen, "--rate", "0"]).on_terminal()
}

/// Reads the next code from the terminal: the address, the code, and how far was read.
fn read_code(terminal: &TestTerminal, from: usize) -> (String, String, usize) {
    let end = terminal.output.wait_for("minutes.", from);
    let text = terminal.output.between(from, end).split_whitespace().collect::<Vec<_>>().join(" ");
    let word = |before: &str| {
        let rest = text.split_once(before).unwrap_or_else(|| panic!("{text}")).1;
        rest.split_whitespace().next().unwrap().trim_end_matches('.').trim_end_matches("/login").to_owned()
    };
    (word("open http://"), word("with the code "), end)
}
