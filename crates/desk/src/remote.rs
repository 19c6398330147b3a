//! Desk on the network, over HTTP. The server makes all decisions: roles, keys, validation.
//!
//! **Invariant:** only `remote*` names the HTTP client.

mod address;
mod body;
mod events;
mod http;
mod token;
mod told;
mod watch;

pub use address::RemoteAddress;
pub use body::Me;
pub use token::Tokens;

use crate::clock;
use crate::desk::{Desk, Opened, not_found};
use crate::draft::{Draft, DraftRev, Over, Saved};
use crate::local::must_be_key;
use crate::offer::offer;
use crate::query::{self, Page, Query};
use crate::token::Role;
use crate::watch::{Cursor, Interest, Watch};
use address::escaped;
use body::By;
use http::{Call, Content, Http, Reply};
use sayso_core::{
    Ask, AskId, Asker, Code, Command, Lang, Late, Message, NewAsk, Person, Problem, QuestionId,
    Reply as Said, Who, limits,
};
use std::fmt;
use std::sync::Arc;
use token::Caller;
use watch::RemoteWatch;

/// Status of a response without content.
const NO_CONTENT: u16 = 204;
const CREATED: u16 = 201;

/// Client of a desk on the network.
pub struct RemoteDesk {
    http: Arc<Http>,
}

impl fmt::Debug for RemoteDesk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteDesk").field("address", self.http.address()).finish_non_exhaustive()
    }
}

impl RemoteDesk {
    /// Returns a client for an address with these tokens. Sends nothing yet.
    pub fn new(address: RemoteAddress, tokens: Tokens, lang: Lang) -> Self {
        Self { http: Arc::new(Http::new(address, tokens, lang)) }
    }

    /// Checks that there is a token that may answer.
    ///
    /// # Errors
    /// If there is none.
    pub fn may_answer(&self) -> Result<(), Problem> {
        self.http.vouches(Caller::Person).map(drop)
    }

    /// Returns the roles that have a token.
    pub fn roles(&self) -> Vec<Role> {
        self.http.tokens().roles()
    }

    /// Returns the account of this role's token, and the server's version.
    ///
    /// # Errors
    /// If there is no such token, the server does not know it, or the desk cannot be reached.
    pub fn me(&self, role: Role) -> Result<Me, Problem> {
        body::me(self.http.call(&Call::get(Caller::Only(role), "/v1/me"))?.text()?)
    }

    /// Returns whether the desk is on this machine.
    fn is_here(&self) -> bool {
        self.http.address().is_loopback()
    }

    fn read_ask(&self, reply: &Reply) -> Result<Ask, Problem> {
        body::ask(reply.text()?, self.is_here())
    }

    fn post_offer(&self, id: AskId, form: &str, content: Content<'_>) -> Result<Reply, Problem> {
        let path = format!("/v1/asks/{id}/offer?form={}", escaped(form));
        self.http.call(&Call::post(Caller::Asker, path, content))
    }
}

/// Returns a random key for a write that a retry must not repeat.
fn own_key() -> String {
    clock::new_id(true).to_string()
}

/// Returns whether a repetition of a command has a further effect, or fails.
const fn is_told_apart(command: &Command) -> bool {
    matches!(
        command,
        Command::Submit { .. }
            | Command::Decline { .. }
            | Command::Cancel
            | Command::Accept { .. }
            | Command::Reprompt { .. }
    )
}

fn given_key(key: Option<&str>) -> Result<Option<String>, Problem> {
    key.map(|key| must_be_key(key).map(|()| key.to_owned())).transpose()
}

/// Returns whether this may be an id or its prefix. Other text matches none.
fn may_be_id(given: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_hexdigit() || byte == b'-';
    (1..=36).contains(&given.len()) && given.bytes().all(is_digit)
}

impl Desk for RemoteDesk {
    fn open(&self, key: Option<&str>, new: NewAsk) -> Result<Opened, Problem> {
        let body = body::open(&new, self.http.vouches(Caller::Asker)?);
        let call =
            Call { key: given_key(key)?, ..Call::post(Caller::Asker, "/v1/asks", Content::Json(&body)) };
        let reply = self.http.call(&call)?;
        let ask = self.read_ask(&reply)?;
        Ok(if reply.status == CREATED { Opened::New(ask) } else { Opened::Same(ask) })
    }

    fn keyed(&self, who: &Asker, key: &str) -> Result<Option<AskId>, Problem> {
        let mut path = format!("/v1/keys/{}?name={}", escaped(key), escaped(&who.name));
        for (name, value) in [("folder", &who.folder), ("session", &who.session)] {
            if let Some(value) = value {
                path.push_str(&format!("&{name}={}", escaped(value)));
            }
        }
        match self.http.call(&Call::get(Caller::Asker, path)) {
            Ok(reply) => body::named(reply.text()?).map(Some),
            Err(problem) if problem.code == Code::AskNotFound => Ok(None),
            Err(problem) => Err(problem),
        }
    }

    fn act(&self, who: &Who, id: AskId, key: Option<&str>, command: Command) -> Result<Ask, Problem> {
        let (caller, by) = match who {
            Who::Asker(_) => (Caller::Asker, None),
            Who::Person(person) => (Caller::Person, Some(By::of(person, self.http.vouches(Caller::Person)?))),
            // The server runs what is due before it reads the ask.
            Who::Desk if command == Command::Tick => return self.get(id),
            Who::Desk => return Err(Problem::new(Code::NotAllowed, Message::OnlyTheAsker)),
        };
        let Some((name, body)) = body::act(&command, by) else { return self.get(id) };
        let own = || is_told_apart(&command).then(own_key);
        let call = Call {
            key: given_key(key)?.or_else(own),
            ..Call::post(caller, format!("/v1/asks/{id}/{name}"), Content::Json(&body))
        };
        self.read_ask(&self.http.call(&call)?)
    }

    fn save_over(
        &self,
        who: &Person,
        id: AskId,
        base: DraftRev,
        replies: Vec<(QuestionId, Said)>,
        over: Over,
    ) -> Result<Saved, Problem> {
        let by = By::of(who, self.http.vouches(Caller::Person)?);
        let keeps = over == Over::Keep;
        let body = body::save(&replies, (!keeps).then_some(base), by);
        let call = Call {
            method: "PATCH",
            if_match: keeps.then_some(base.0),
            ..Call::post(Caller::Person, format!("/v1/asks/{id}/draft"), Content::Json(&body))
        };
        body::saved(self.http.call(&call)?.text()?)
    }

    fn draft(&self, id: AskId) -> Result<Draft, Problem> {
        body::draft(self.http.call(&Call::get(Caller::Person, format!("/v1/asks/{id}/draft")))?.text()?)
    }

    fn late(&self, id: AskId) -> Result<Vec<Late>, Problem> {
        body::late(self.http.call(&Call::get(Caller::Person, format!("/v1/asks/{id}")))?.text()?)
    }

    fn get(&self, id: AskId) -> Result<Ask, Problem> {
        self.read_ask(&self.http.call(&Call::get(Caller::Anyone, format!("/v1/asks/{id}")))?)
    }

    fn find(&self, given: &str) -> Result<AskId, Problem> {
        if !may_be_id(given) {
            return Err(not_found(given));
        }
        let reply = self.http.call(&Call::get(Caller::Anyone, format!("/v1/asks/{given}")))?;
        self.read_ask(&reply).map(|ask| ask.id)
    }

    fn list(&self, query: &Query) -> Result<Page, Problem> {
        let states: Vec<_> = query.states.iter().map(|state| state.as_str()).collect();
        // Further words are ignored, and the length of a URL is bounded.
        let words =
            |text: &String| query::words(text).take(limits::SEARCH_WORDS).collect::<Vec<_>>().join(" ");
        let asker = query.asker.as_ref();
        let members = [
            ("name", asker.map(|asker| asker.name.clone())),
            ("folder", asker.and_then(|asker| asker.folder.clone())),
            ("dialect", query.dialect.clone()),
            ("undelivered", query.undelivered.then(|| "true".to_owned())),
            ("state", (!states.is_empty()).then(|| states.join(","))),
            ("search", query.search.as_ref().map(words)),
            ("after", query.after.map(|place| place.to_string())),
            ("rows", query.rows.map(|rows| rows.clamp(1, limits::LIST_ROWS).to_string())),
        ];
        let said: Vec<_> = members
            .into_iter()
            .filter_map(|(name, value)| value.map(|value| format!("{name}={}", escaped(&value))))
            .collect();
        let path =
            if said.is_empty() { "/v1/asks".to_owned() } else { format!("/v1/asks?{}", said.join("&")) };
        body::page(self.http.call(&Call::get(Caller::Anyone, path))?.text()?, self.is_here())
    }

    fn offer(
        &self,
        _who: &Asker,
        ask: &Ask,
        form: &str,
        render: &dyn Fn(&Ask) -> Vec<u8>,
    ) -> Result<Vec<u8>, Problem> {
        let stored = || {
            let stored = self.post_offer(ask.id, form, Content::Nothing)?;
            Ok((stored.status != NO_CONTENT).then_some(stored.body))
        };
        let put = |body: Vec<u8>| Ok(self.post_offer(ask.id, form, Content::Bytes(&body))?.body);
        offer(ask, render, stored, put)
    }

    fn ack(&self, who: &Asker, id: AskId) -> Result<(), Problem> {
        self.act(&Who::Asker(who.clone()), id, None, Command::Ack).map(drop)
    }

    fn watch(&self, interest: Interest, since: Option<Cursor>) -> Result<Box<dyn Watch>, Problem> {
        Ok(Box::new(RemoteWatch::begin(&self.http, &interest, since)?))
    }
}
