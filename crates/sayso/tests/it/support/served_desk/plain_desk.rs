//! Desk on the network whose pages without scripts are open, with a person signed in on them.

use crate::support::browser::plain_browser::PlainBrowser;
use crate::support::http_client::HttpCaller;
use crate::support::served_desk::{ServedDesk, ask_path, id_of, new_token};
use crate::support::test_world::TestWorld;
use sayso_desk::token::TokenRole;
use serde_json::{Value, json};

/// Desk with a person signed in on its pages without scripts.
pub(crate) struct PlainDesk {
    pub(crate) served: ServedDesk,
    pub(crate) asker: HttpCaller,
    pub(crate) browser: PlainBrowser,
    pub(crate) world: TestWorld,
}

impl PlainDesk {
    pub(crate) fn start() -> Self {
        let world = TestWorld::new();
        let served = ServedDesk::with(&world, &["--rate", "0", "--plain-pages"]);
        let browser = PlainBrowser::signed_in(&served.address, &new_token(&world, TokenRole::Person, "ada"));
        Self { asker: served.asker(&world), served, browser, world }
    }

    /// Asks these questions.
    pub(crate) fn ask(&self, request: &Value) -> Value {
        self.asker.post("/v1/asks", &json!({ "dialect": "sayso", "request": request })).json(201)
    }

    /// Returns the outcome of an ask.
    pub(crate) fn outcome(&self, ask: &Value) -> Value {
        self.asker.get(&ask_path(ask, "/outcome?wait=20")).json(200)["outcome"].clone()
    }

    /// Returns the state of an ask in one word.
    pub(crate) fn state(&self, ask: &Value) -> String {
        self.asker.get(&ask_path(ask, "")).json(200)["state"].as_str().unwrap().to_owned()
    }
}

/// Returns the path of an ask's page.
pub(crate) fn plain_path(ask: &Value, more: &str) -> String {
    format!("/plain/asks/{}{more}", id_of(ask))
}
