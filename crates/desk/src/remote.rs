//! Desk on the network, over HTTP. The server makes all decisions: roles, keys, validation.
//!
//! **Invariant:** only `remote*` names the HTTP client.

mod address;
mod body;
mod error;
mod http;
mod sse;
mod thread_agent;
mod token;
mod watch;

pub use address::RemoteAddress;
pub use body::AccountInfo;
pub use thread_agent::{AgentTurn, ThreadAgentClient};
pub use token::TokenSet;

use crate::api::offer::offer;
use crate::clock;
use crate::desk::{Desk, OpenedAsk, not_found};
use crate::draft::{Draft, DraftRev, OnConflict, SaveReport};
use crate::query::{self, AskPage, AskQuery};
use crate::store_desk::{check_key, unshared_key};
use crate::token::TokenRole;
use crate::watch::{ChangeCursor, Interest, Watch};
use address::percent_encode;
use body::PersonBody;
use http::{HttpClient, HttpRequest, HttpResponse, RequestBody};
use sayso_core::{
    Actor, Ask, AskCommand, AskId, Asker, Lang, LateSubmission, Message, NewAsk, Person, Problem,
    ProblemCode, QuestionId, Reply as Said, limits,
};
use std::fmt;
use std::sync::Arc;
use token::CallerRole;
use watch::RemoteWatch;

/// Status of a response without content.
const NO_CONTENT: u16 = 204;
const CREATED: u16 = 201;

/// Client of a desk on the network.
pub struct RemoteDesk {
    http: Arc<HttpClient>,
}

impl fmt::Debug for RemoteDesk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteDesk").field("address", self.http.address()).finish_non_exhaustive()
    }
}

impl RemoteDesk {
    /// Returns a client for an address with these tokens. Sends nothing yet.
    pub fn new(address: RemoteAddress, tokens: TokenSet, lang: Lang) -> Self {
        Self { http: Arc::new(HttpClient::new(address, tokens, lang)) }
    }

    /// Checks that there is a token that may answer.
    ///
    /// # Errors
    /// If there is none.
    pub fn check_may_answer(&self) -> Result<(), Problem> {
        self.http.vouches(CallerRole::Person).map(drop)
    }

    /// Returns the roles that have a token.
    pub fn roles(&self) -> Vec<TokenRole> {
        self.http.tokens().roles()
    }

    /// Returns the account of this role's token, and the server's version.
    ///
    /// # Errors
    /// If there is no such token, the server does not know it, or the desk cannot be reached.
    pub fn account_info(&self, role: TokenRole) -> Result<AccountInfo, Problem> {
        body::parse_account_info(
            self.http.send_with_retry(&HttpRequest::get(CallerRole::Exactly(role), "/v1/me"))?.text()?,
        )
    }

    /// Returns whether the desk is on this machine.
    fn is_local(&self) -> bool {
        self.http.address().is_loopback()
    }

    fn read_ask(&self, reply: &HttpResponse) -> Result<Ask, Problem> {
        body::parse_ask(reply.text()?, self.is_local())
    }

    fn post_offer(&self, id: AskId, form: &str, content: RequestBody<'_>) -> Result<HttpResponse, Problem> {
        let path = format!("/v1/asks/{id}/offer?form={}", percent_encode(form));
        self.http.send_with_retry(&HttpRequest::post(CallerRole::Asker, path, content))
    }
}

/// Returns a random key for a write that a retry must not repeat.
fn random_key() -> String {
    clock::new_id(true).to_string()
}

/// Returns whether a repetition of a command has a further effect, or fails.
const fn needs_key(command: &AskCommand) -> bool {
    matches!(
        command,
        AskCommand::Submit { .. }
            | AskCommand::Decline { .. }
            | AskCommand::Cancel { .. }
            | AskCommand::Accept { .. }
            | AskCommand::Reprompt { .. }
    )
}

fn check_given_key(key: Option<&str>) -> Result<Option<String>, Problem> {
    key.map(|key| check_key(key).map(|()| key.to_owned())).transpose()
}

/// Returns whether this may be an id or its prefix. Other text matches none.
fn may_be_id(given: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_hexdigit() || byte == b'-';
    (1..=36).contains(&given.len()) && given.bytes().all(is_digit)
}

impl Desk for RemoteDesk {
    fn open(&self, key: Option<&str>, new: NewAsk) -> Result<OpenedAsk, Problem> {
        let body = body::write_open(&new, self.http.vouches(CallerRole::Asker)?);
        let process = new.process.filter(|_| self.is_local());
        let call = HttpRequest {
            key: unshared_key(check_given_key(key)?, &new.questionnaire, process),
            ..HttpRequest::post(CallerRole::Asker, "/v1/asks", RequestBody::Json(&body))
        };
        let reply = self.http.send_with_retry(&call)?;
        let ask = self.read_ask(&reply)?;
        Ok(if reply.status == CREATED { OpenedAsk::New(ask) } else { OpenedAsk::Existing(ask) })
    }

    fn find_by_key(&self, who: &Asker, key: &str) -> Result<Option<AskId>, Problem> {
        let mut path = format!("/v1/keys/{}?name={}", percent_encode(key), percent_encode(&who.name));
        for (name, value) in [("folder", &who.folder), ("session", &who.session)] {
            if let Some(value) = value {
                path.push_str(&format!("&{name}={}", percent_encode(value)));
            }
        }
        match self.http.send_with_retry(&HttpRequest::get(CallerRole::Asker, path)) {
            Ok(reply) => body::parse_ask_id(reply.text()?).map(Some),
            Err(problem) if problem.code == ProblemCode::AskNotFound => Ok(None),
            Err(problem) => Err(problem),
        }
    }

    fn act(&self, who: &Actor, id: AskId, key: Option<&str>, command: AskCommand) -> Result<Ask, Problem> {
        let (caller, by) = match who {
            Actor::Asker(_) => (CallerRole::Asker, None),
            Actor::Person(person) => (
                CallerRole::Person,
                Some(PersonBody::from_person(person, self.http.vouches(CallerRole::Person)?)),
            ),
            // The server runs what is due before it reads the ask.
            Actor::Desk if command == AskCommand::Tick => return self.get(id),
            Actor::Desk => return Err(Problem::new(ProblemCode::NotAllowed, Message::OnlyTheAsker)),
        };
        let Some((name, body)) = body::write_command(&command, by) else { return self.get(id) };
        let own = || needs_key(&command).then(random_key);
        let call = HttpRequest {
            key: check_given_key(key)?.or_else(own),
            ..HttpRequest::post(caller, format!("/v1/asks/{id}/{name}"), RequestBody::Json(&body))
        };
        self.read_ask(&self.http.send_with_retry(&call)?)
    }

    fn save_with(
        &self,
        who: &Person,
        id: AskId,
        base: DraftRev,
        replies: Vec<(QuestionId, Said)>,
        over: OnConflict,
    ) -> Result<SaveReport, Problem> {
        let by = PersonBody::from_person(who, self.http.vouches(CallerRole::Person)?);
        let keeps = over == OnConflict::Refuse;
        let body = body::write_save(&replies, (!keeps).then_some(base), by);
        let call = HttpRequest {
            method: "PATCH",
            if_match: keeps.then_some(base.0),
            ..HttpRequest::post(CallerRole::Person, format!("/v1/asks/{id}/draft"), RequestBody::Json(&body))
        };
        body::parse_save_report(self.http.send_with_retry(&call)?.text()?)
    }

    fn draft(&self, id: AskId) -> Result<Draft, Problem> {
        body::parse_draft(
            self.http
                .send_with_retry(&HttpRequest::get(CallerRole::Person, format!("/v1/asks/{id}/draft")))?
                .text()?,
        )
    }

    fn late_submissions(&self, id: AskId) -> Result<Vec<LateSubmission>, Problem> {
        body::parse_late(
            self.http
                .send_with_retry(&HttpRequest::get(CallerRole::Person, format!("/v1/asks/{id}")))?
                .text()?,
        )
    }

    fn get(&self, id: AskId) -> Result<Ask, Problem> {
        self.read_ask(
            &self.http.send_with_retry(&HttpRequest::get(CallerRole::Anyone, format!("/v1/asks/{id}")))?,
        )
    }

    fn find(&self, given: &str) -> Result<AskId, Problem> {
        if !may_be_id(given) {
            return Err(not_found(given));
        }
        let reply =
            self.http.send_with_retry(&HttpRequest::get(CallerRole::Anyone, format!("/v1/asks/{given}")))?;
        self.read_ask(&reply).map(|ask| ask.id)
    }

    fn list(&self, query: &AskQuery) -> Result<AskPage, Problem> {
        let states: Vec<_> = query.states.iter().map(|state| state.as_str()).collect();
        // Further words are ignored, and the length of a URL is bounded.
        let words = |text: &String| {
            query::search_words(text).take(limits::SEARCH_WORDS).collect::<Vec<_>>().join(" ")
        };
        let asker = query.asker.as_ref();
        let members = [
            ("name", asker.map(|asker| asker.name.clone())),
            ("folder", asker.and_then(|asker| asker.folder.clone())),
            ("dialect", query.dialect.clone()),
            ("undelivered", query.undelivered.then(|| "true".to_owned())),
            ("all", query.all.then(|| "true".to_owned())),
            ("state", (!states.is_empty()).then(|| states.join(","))),
            ("search", query.search.as_ref().map(words)),
            ("after", query.after.map(|place| place.to_string())),
            ("rows", query.rows.map(|rows| rows.clamp(1, limits::LIST_ROWS).to_string())),
        ];
        let parameters: Vec<_> = members
            .into_iter()
            .filter_map(|(name, value)| value.map(|value| format!("{name}={}", percent_encode(&value))))
            .collect();
        let path = if parameters.is_empty() {
            "/v1/asks".to_owned()
        } else {
            format!("/v1/asks?{}", parameters.join("&"))
        };
        body::parse_page(
            self.http.send_with_retry(&HttpRequest::get(CallerRole::Anyone, path))?.text()?,
            self.is_local(),
        )
    }

    fn offer(
        &self,
        _who: &Asker,
        ask: &Ask,
        form: &str,
        render: &dyn Fn(&Ask) -> Vec<u8>,
    ) -> Result<Vec<u8>, Problem> {
        let stored = || {
            let stored = self.post_offer(ask.id, form, RequestBody::Nothing)?;
            Ok((stored.status != NO_CONTENT).then_some(stored.body))
        };
        let put = |body: Vec<u8>| Ok(self.post_offer(ask.id, form, RequestBody::Bytes(&body))?.body);
        offer(ask, render, stored, put)
    }

    fn ack(&self, who: &Asker, id: AskId) -> Result<(), Problem> {
        self.act(&Actor::Asker(who.clone()), id, None, AskCommand::Ack).map(drop)
    }

    fn watch(&self, interest: Interest, since: Option<ChangeCursor>) -> Result<Box<dyn Watch>, Problem> {
        Ok(Box::new(RemoteWatch::begin(&self.http, &interest, since)?))
    }
}
