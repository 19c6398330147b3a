//! Server on a person's terminal, which shows codes for browsers.

use crate::support::browser::test_browser::TestBrowser;
use crate::support::http_client::HttpCaller;
use crate::support::served_desk::new_token;
use crate::support::terminal::TestTerminal;
use crate::support::test_world::TestWorld;
use sayso_desk::token::TokenRole;

/// Server on a terminal, with its output.
pub(crate) struct TerminalServer {
    pub(crate) terminal: TestTerminal,
    /// Position up to which the output was read.
    at: usize,
    /// Host and port of the pages.
    pub(crate) address: String,
    pub(crate) code: String,
}

impl TerminalServer {
    /// Starts a server at a free port.
    pub(crate) fn start(world: &TestWorld) -> Self {
        Self::start_at(world, "127.0.0.1:0")
    }

    /// Starts a server at this address.
    pub(crate) fn start_at(world: &TestWorld, listen: &str) -> Self {
        let terminal = world.sayso(["serve", "--listen", listen, "--rate", "0"]).on_terminal();
        let mut shown = Self { terminal, at: 0, address: String::new(), code: String::new() };
        shown.read_code();
        shown
    }

    /// Reads the next code from the terminal.
    pub(crate) fn read_code(&mut self) {
        let output = &self.terminal.output;
        let end = output.wait_for("minutes.", self.at);
        let text = output.between(self.at, end).split_whitespace().collect::<Vec<_>>().join(" ");
        let word = |before: &str| {
            let rest = text.split_once(before).unwrap_or_else(|| panic!("{text}")).1;
            let word = rest.split_whitespace().next().unwrap();
            word.trim_end_matches('.').trim_end_matches("/login").to_owned()
        };
        (self.address, self.code, self.at) =
            (word("in a browser, open http://"), word("with the code "), end);
    }

    /// Returns the address to listen on for another server at the same port.
    pub(crate) fn listen_address(&self) -> String {
        format!("127.0.0.1:{}", self.address.rsplit_once(':').unwrap().1)
    }

    pub(crate) fn without_token(&self) -> HttpCaller {
        HttpCaller { address: self.address.clone(), token: None }
    }

    pub(crate) fn asker(&self, world: &TestWorld) -> HttpCaller {
        HttpCaller { token: Some(new_token(world, TokenRole::Asker, "ci")), ..self.without_token() }
    }

    /// Returns a browser that is not signed in.
    pub(crate) fn browser(&self) -> TestBrowser {
        TestBrowser::new(&self.address)
    }

    /// Returns a browser that is signed in with the code that is shown.
    pub(crate) fn signed_in(&self) -> TestBrowser {
        let mut browser = self.browser();
        assert_eq!(browser.sign_in(&self.code).status, 200);
        browser
    }
}
