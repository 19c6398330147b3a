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

use crate::api::offer::{Renderings, offer};
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
        body::parse_account_info(self.get_response(CallerRole::Exactly(role), "/v1/me")?.text()?)
    }

    fn get_response(&self, caller: CallerRole, path: &str) -> Result<HttpResponse, Problem> {
        self.http.send_with_retry(&HttpRequest::get(caller, path))
    }

    /// Returns whether the desk is on this machine.
    fn is_local(&self) -> bool {
        self.http.address().is_loopback()
    }

    fn read_ask(&self, response: &HttpResponse) -> Result<Ask, Problem> {
        body::parse_ask(response.text()?, self.is_local())
    }

    fn post_offer(&self, id: AskId, form: &str, content: RequestBody<'_>) -> Result<HttpResponse, Problem> {
        let path = format!("/v1/asks/{id}/offer?form={}", percent_encode(form));
        self.http.send_with_retry(&HttpRequest::post(CallerRole::Asker, path, content))
    }
}

/// The server knows the asker by its token.
impl Renderings for RemoteDesk {
    fn read_rendering(&self, ask: &Ask, form: &str) -> Result<Option<Vec<u8>>, Problem> {
        let response = self.post_offer(ask.id, form, RequestBody::Nothing)?;
        Ok(if response.status == NO_CONTENT { None } else { Some(response.body) })
    }

    fn store_rendering(&self, _: &Asker, ask: &Ask, form: &str, body: Vec<u8>) -> Result<Vec<u8>, Problem> {
        Ok(self.post_offer(ask.id, form, RequestBody::Bytes(&body))?.body)
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

/// Returns the key that a caller gave, if it is a valid one.
fn to_valid_key(key: Option<&str>) -> Result<Option<String>, Problem> {
    if let Some(key) = key {
        check_key(key)?;
    }
    Ok(key.map(str::to_owned))
}

/// Returns whether this may be an id or its prefix. Other text matches none.
fn may_be_id(text: &str) -> bool {
    (1..=36).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// Returns the parameters of a list. Further words of a search are ignored, because the length of a URL is bounded.
fn list_parameters(query: &AskQuery) -> Vec<String> {
    let mut members = Vec::new();
    if let Some(asker) = &query.asker {
        members.push(("name", asker.name.clone()));
        if let Some(folder) = &asker.folder {
            members.push(("folder", folder.clone()));
        }
    }
    if let Some(dialect) = &query.dialect {
        members.push(("dialect", dialect.clone()));
    }
    if query.undelivered {
        members.push(("undelivered", "true".to_owned()));
    }
    if query.all {
        members.push(("all", "true".to_owned()));
    }
    if !query.states.is_empty() {
        let states: Vec<_> = query.states.iter().map(|state| state.as_str()).collect();
        members.push(("state", states.join(",")));
    }
    if let Some(search) = &query.search {
        let words: Vec<_> = query::search_words(search).take(limits::SEARCH_WORDS).collect();
        members.push(("search", words.join(" ")));
    }
    if let Some(place) = query.after {
        members.push(("after", place.to_string()));
    }
    if let Some(rows) = query.rows {
        members.push(("rows", rows.clamp(1, limits::LIST_ROWS).to_string()));
    }
    members.iter().map(|(name, value)| format!("{name}={}", percent_encode(value))).collect()
}

impl Desk for RemoteDesk {
    fn open(&self, key: Option<&str>, new: NewAsk) -> Result<OpenedAsk, Problem> {
        let body = body::write_open(&new, self.http.vouches(CallerRole::Asker)?);
        // The server cannot see whether a process of another machine runs.
        let process = if self.is_local() { new.process } else { None };
        let call = HttpRequest {
            key: unshared_key(to_valid_key(key)?, &new.questionnaire, process),
            ..HttpRequest::post(CallerRole::Asker, "/v1/asks", RequestBody::Json(&body))
        };
        let response = self.http.send_with_retry(&call)?;
        let ask = self.read_ask(&response)?;
        Ok(if response.status == CREATED { OpenedAsk::New(ask) } else { OpenedAsk::Existing(ask) })
    }

    fn find_by_key(&self, who: &Asker, key: &str) -> Result<Option<AskId>, Problem> {
        let mut path = format!("/v1/keys/{}?name={}", percent_encode(key), percent_encode(&who.name));
        for (name, value) in [("folder", &who.folder), ("session", &who.session)] {
            if let Some(value) = value {
                path.push_str(&format!("&{name}={}", percent_encode(value)));
            }
        }
        match self.get_response(CallerRole::Asker, &path) {
            Ok(response) => Ok(Some(body::parse_ask_id(response.text()?)?)),
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
        let mut key = to_valid_key(key)?;
        if key.is_none() && needs_key(&command) {
            key = Some(random_key());
        }
        let call = HttpRequest {
            key,
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
        let (if_match, overwritten_rev) = match over {
            OnConflict::Refuse => (Some(base.0), None),
            OnConflict::Overwrite => (None, Some(base)),
        };
        let body = body::write_save(&replies, overwritten_rev, by);
        let call = HttpRequest {
            method: "PATCH",
            if_match,
            ..HttpRequest::post(CallerRole::Person, format!("/v1/asks/{id}/draft"), RequestBody::Json(&body))
        };
        body::parse_save_report(self.http.send_with_retry(&call)?.text()?)
    }

    fn draft(&self, id: AskId) -> Result<Draft, Problem> {
        let response = self.get_response(CallerRole::Person, &format!("/v1/asks/{id}/draft"))?;
        body::parse_draft(response.text()?)
    }

    fn late_submissions(&self, id: AskId) -> Result<Vec<LateSubmission>, Problem> {
        body::parse_late(self.get_response(CallerRole::Person, &format!("/v1/asks/{id}"))?.text()?)
    }

    fn get(&self, id: AskId) -> Result<Ask, Problem> {
        self.read_ask(&self.get_response(CallerRole::Anyone, &format!("/v1/asks/{id}"))?)
    }

    fn find(&self, text: &str) -> Result<AskId, Problem> {
        if !may_be_id(text) {
            return Err(not_found(text));
        }
        let response = self.get_response(CallerRole::Anyone, &format!("/v1/asks/{text}"))?;
        Ok(self.read_ask(&response)?.id)
    }

    fn list(&self, query: &AskQuery) -> Result<AskPage, Problem> {
        let parameters = list_parameters(query);
        let mut path = "/v1/asks".to_owned();
        if !parameters.is_empty() {
            path = format!("{path}?{}", parameters.join("&"));
        }
        body::parse_page(self.get_response(CallerRole::Anyone, &path)?.text()?, self.is_local())
    }

    fn offer(
        &self,
        who: &Asker,
        ask: &Ask,
        form: &str,
        render: &dyn Fn(&Ask) -> Vec<u8>,
    ) -> Result<Vec<u8>, Problem> {
        offer(self, (who, ask), form, render)
    }

    fn ack(&self, who: &Asker, id: AskId) -> Result<(), Problem> {
        self.act(&Actor::Asker(who.clone()), id, None, AskCommand::Ack).map(drop)
    }

    fn watch(&self, interest: Interest, since: Option<ChangeCursor>) -> Result<Box<dyn Watch>, Problem> {
        Ok(Box::new(RemoteWatch::begin(&self.http, &interest, since)?))
    }
}
