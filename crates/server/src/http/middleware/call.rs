//! One API request: its caller and its content, read within limits.

use super::auth::{request_host, single_header, single_text_header, unauthorized, unreadable_header};
use super::caller::AuthenticatedCaller;
use super::request_body::{BodyLimit, read_body};
use crate::http::net::body_budget::BudgetPermit;
use crate::http::net::connection_limits::peer_network;
use crate::http::net::exposure::{ClientAddress, is_passed_on};
use crate::http::route::access::RouteAccess;
use crate::http::route::body::BodySpec;
use axum::body::Bytes;
use axum::http::header::{self, HeaderMap, HeaderName};
use axum::http::request::Parts;
use hyper::upgrade::OnUpgrade;
use sayso_core::i18n::{foreign, own};
use sayso_core::wire::json;
use sayso_core::{AskId, DocumentPath, Lang, Message, Problem, ProblemCode, lifecycle};
use sayso_desk::token::TokenRole;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::net::IpAddr;
use std::ops::RangeInclusive;

/// Header with the accounts and groups that a new ask is for.
const SAYSO_FOR: HeaderName = HeaderName::from_static("sayso-for");
/// Header that makes a retry the same write.
pub(crate) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// One authenticated API request.
pub(crate) struct ApiCall {
    /// The caller, if the route needs a token.
    pub(crate) caller: Option<AuthenticatedCaller>,
    /// Language of the caller.
    pub(crate) lang: Lang,
    /// Result of authentication for routes whose handler checks it late.
    pub(crate) deferred_caller: Option<Result<AuthenticatedCaller, Problem>>,
    address: ClientAddress,
    headers: HeaderMap,
    /// Host that the request addresses, with its port.
    host: Option<String>,
    query: String,
    /// Value of the path's parameter.
    path_param: String,
    body: Bytes,
    /// Budget reservation of the body.
    _admission: Option<BudgetPermit>,
    upgrade: Option<OnUpgrade>,
}

impl ApiCall {
    /// Reads a request and its body.
    ///
    /// # Errors
    /// Fails if the body has the wrong media type or is too large.
    pub(crate) async fn read(
        mut parts: Parts,
        part: String,
        address: ClientAddress,
        caller: Option<AuthenticatedCaller>,
        body: axum::body::Body,
        body_spec: BodySpec,
        limit: BodyLimit<'_>,
    ) -> Result<Self, Problem> {
        let lang = preferred_lang(&parts.headers);
        let (body, admission) = match body_spec {
            BodySpec::None => (Bytes::new(), None),
            BodySpec::Json(_) | BodySpec::MaybeJson(_) | BodySpec::Bytes => {
                let (body, admission) = read_body(&parts.headers, body, &limit).await?;
                let is_needed = matches!(body_spec, BodySpec::Json(_)) || !body.is_empty();
                if is_needed {
                    check_content_type(&parts.headers, body_spec.media())?;
                }
                (body, admission)
            }
        };
        let host = request_host(&parts).ok();
        let query = parts.uri.query().unwrap_or_default().to_owned();
        let upgrade = parts.extensions.remove::<OnUpgrade>();
        Ok(Self {
            caller,
            lang,
            deferred_caller: None,
            address,
            headers: parts.headers,
            host,
            query,
            path_param: part,
            body,
            _admission: admission,
            upgrade,
        })
    }

    /// Returns the caller.
    ///
    /// # Errors
    /// Fails if the request carries no token.
    pub(crate) fn caller(&self) -> Result<&AuthenticatedCaller, Problem> {
        match &self.caller {
            Some(caller) => Ok(caller),
            None => Err(unauthorized(Message::TokenMissing)),
        }
    }

    /// Returns whether the caller is a program on this machine and not behind a known proxy.
    pub(crate) fn is_of_this_machine(&self) -> bool {
        matches!(self.address.peer, Some(ip) if ip.is_loopback()) && !is_passed_on(&self.headers)
    }

    /// Returns the address of the proxy that passed the request on, if the operator did not name it.
    pub(crate) fn unnamed_proxy(&self) -> Option<IpAddr> {
        if self.address.is_unnamed_proxy { self.address.peer } else { None }
    }

    /// Returns the rate-limit key of the client.
    pub(crate) fn peer_key(&self) -> String {
        peer_key(self.address)
    }

    /// Returns the body as it came.
    pub(crate) fn body_bytes(&self) -> &[u8] {
        &self.body
    }

    /// Returns the value of the path's parameter.
    pub(crate) fn path_param(&self) -> &str {
        &self.path_param
    }

    /// Returns the ask that the path names.
    ///
    /// # Errors
    /// Fails if the path holds no id of an ask.
    pub(crate) fn ask_id(&self) -> Result<AskId, Problem> {
        match AskId::parse(&self.path_param) {
            Some(id) => Ok(id),
            None => Err(not_found(&self.path_param)),
        }
    }

    /// Parses the query string.
    ///
    /// # Errors
    /// Fails if a member is unknown or has the wrong type.
    pub(crate) fn parse_query<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        serde_urlencoded::from_str(&self.query).map_err(|error| {
            Problem::new(ProblemCode::InvalidValue, Message::QueryUnreadable.with([own(error)]))
        })
    }

    /// Parses a number of the query, if present.
    ///
    /// # Errors
    /// Fails if it is no number or out of bounds.
    pub(crate) fn parse_number(
        name: &str,
        text: Option<&str>,
        bounds: RangeInclusive<u64>,
    ) -> Result<Option<u64>, Problem> {
        let Some(text) = text else { return Ok(None) };
        if let Ok(number) = text.parse()
            && bounds.contains(&number)
        {
            return Ok(Some(number));
        }
        let hint = Message::WholeNumber.with([own(bounds.start()), own(bounds.end())]);
        Err(Problem::invalid_value(name, text).with_hint(hint))
    }

    /// Validates the time limit of an ask, in milliseconds.
    ///
    /// # Errors
    /// Fails if it is out of bounds.
    pub(crate) fn check_time_limit(time_limit_ms: Option<i64>) -> Result<Option<i64>, Problem> {
        if let Some(limit) = time_limit_ms
            && let Err(problem) = lifecycle::time_limit(limit)
        {
            return Err(problem.at(DocumentPath::root().join("timeout_ms")));
        }
        Ok(time_limit_ms)
    }

    /// Parses the body as JSON; an empty body counts as `{}`.
    ///
    /// # Errors
    /// Fails if it is no JSON or has the wrong shape; the problem names the place.
    pub(crate) fn parse_json<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        let text = self.text()?;
        json::read_object(if text.is_empty() { "{}" } else { text }).map_err(with_header_hint)
    }

    /// Parses the body of a person's decision. A caller that may not decide learns that first.
    ///
    /// # Errors
    /// Fails if the caller may not decide, or as [`parse_json`](Self::parse_json) does.
    pub(crate) fn parse_decision<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        self.caller()?.check_may_decide()?;
        match self.parse_json() {
            Err(problem) if lacks_shown(&problem) => Err(problem.with_hint(Message::ShownHow)),
            result => result,
        }
    }

    /// Parses the body as untyped JSON, for formats that validate its shape themselves.
    ///
    /// # Errors
    /// Fails if it is no JSON.
    pub(crate) fn parse_any_json(&self) -> Result<Value, Problem> {
        let text = self.text()?;
        json::read_body(if text.is_empty() { "{}" } else { text })
    }

    /// Returns the body as text.
    ///
    /// # Errors
    /// Fails if it is not UTF-8.
    pub(crate) fn text(&self) -> Result<&str, Problem> {
        std::str::from_utf8(&self.body)
            .map_err(|_| Problem::new(ProblemCode::NotText, Message::RequestNotText))
    }

    /// Returns the host that the request addresses, with its port.
    pub(crate) fn host(&self) -> Option<&str> {
        self.host.as_deref()
    }

    /// Returns the raw body.
    pub(crate) fn bytes(&self) -> &Bytes {
        &self.body
    }

    /// Returns all headers.
    pub(crate) fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// Takes the pending protocol upgrade, if the request asks for one.
    pub(crate) fn take_upgrade(&mut self) -> Option<OnUpgrade> {
        self.upgrade.take()
    }

    /// Returns a header, if it is visible ASCII.
    pub(crate) fn header(&self, name: &HeaderName) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// Returns a header with UTF-8 text.
    ///
    /// # Errors
    /// Fails if it is present twice or not UTF-8.
    pub(crate) fn text_header(&self, name: &HeaderName) -> Result<Option<&str>, Problem> {
        single_text_header(&self.headers, name)
    }

    /// Returns whether the caller accepts a stream of events.
    pub(crate) fn wants_events(&self) -> bool {
        matches!(self.header(&header::ACCEPT), Some(accept) if accept.contains("text/event-stream"))
    }

    /// Returns the idempotency key, percent-decoded, if present.
    ///
    /// # Errors
    /// Fails if it is present twice or cannot be decoded.
    pub(crate) fn idempotency_key(&self) -> Result<Option<String>, Problem> {
        self.decoded_header(&IDEMPOTENCY_KEY)
    }

    /// Returns a header with percent-encoded text, decoded, if present.
    ///
    /// # Errors
    /// Fails if it is present twice or cannot be decoded.
    fn decoded_header(&self, name: &HeaderName) -> Result<Option<String>, Problem> {
        let Some(text) = single_header(&self.headers, name)? else { return Ok(None) };
        match percent_encoding::percent_decode_str(text).decode_utf8() {
            Ok(text) => Ok(Some(text.into_owned())),
            Err(_) => Err(unreadable_header(name)),
        }
    }

    /// Returns the accounts and groups that a new ask is for, percent-decoded, if it names some.
    ///
    /// # Errors
    /// Fails if the header is present twice or cannot be decoded.
    pub(crate) fn audience_names(&self) -> Result<Option<Vec<String>>, Problem> {
        let Some(names) = self.decoded_header(&SAYSO_FOR)? else { return Ok(None) };
        Ok(Some(names.split(',').map(str::trim).map(str::to_owned).collect()))
    }

    /// Returns the revision in `If-Match`, if present.
    ///
    /// # Errors
    /// Fails if it is no revision.
    pub(crate) fn if_match(&self) -> Result<Option<u64>, Problem> {
        let Some(text) = single_header(&self.headers, &header::IF_MATCH)? else { return Ok(None) };
        if let Some(tag) = text.trim().strip_prefix('"')
            && let Some(digits) = tag.strip_suffix('"')
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && let Ok(revision) = digits.parse()
        {
            return Ok(Some(revision));
        }
        let message = Message::HeaderWords.with([own("if-match"), foreign(text)]);
        Err(Problem::new(ProblemCode::BadHeader, message).with_hint(Message::RevisionHint))
    }
}

/// Returns whether a decision does not say what the person was shown.
fn lacks_shown(problem: &Problem) -> bool {
    problem.code == ProblemCode::Required && problem.path == DocumentPath::root().join("shown")
}

/// Returns the rate-limit key of a client address.
pub(crate) fn peer_key(from: ClientAddress) -> String {
    match from.client {
        Some(client) => peer_network(client).to_string(),
        None => String::new(),
    }
}

/// Returns the preferred language for a reply among those we support (RFC 9110, section 12.5.4).
pub(crate) fn preferred_lang(headers: &HeaderMap) -> Lang {
    let mut best_lang = Lang::En;
    let mut best_weight = 0.0;
    for range in header_text(headers, &header::ACCEPT_LANGUAGE).split(',') {
        let (tag, weight) = split_weight(range);
        let code = tag.split('-').next().unwrap_or_default().to_ascii_lowercase();
        if let Some(lang) = Lang::from_code(&code)
            && weight > best_weight
        {
            best_lang = lang;
            best_weight = weight;
        }
    }
    best_lang
}

/// Returns a member of a list and its weight: 1 if it has none, 0 if that is no number (RFC 9110, section 12.4.2).
pub(super) fn split_weight(member: &str) -> (&str, f32) {
    let Some((name, parameter)) = member.split_once(';') else { return (member.trim(), 1.0) };
    let weight = match parameter.trim().strip_prefix("q=") {
        Some(weight) => weight.parse().unwrap_or(0.0),
        None => 1.0,
    };
    (name.trim(), weight)
}

/// Returns a header, or nothing if it is no text.
fn header_text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> &'h str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

pub(crate) fn not_found(id: &str) -> Problem {
    Problem::new(ProblemCode::AskNotFound, Message::AskNotFound.with([foreign(id)]))
}

fn check_content_type(headers: &HeaderMap, media: &str) -> Result<(), Problem> {
    if let Some(coding) = headers.get(header::CONTENT_ENCODING) {
        let message = Message::BodyCoded.with([foreign(String::from_utf8_lossy(coding.as_bytes()))]);
        return Err(Problem::new(ProblemCode::UnsupportedMediaType, message).with_hint(Message::SendPlain));
    }
    let content_type = header_text(headers, &header::CONTENT_TYPE);
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case(media) {
        return Ok(());
    }
    let message = Message::MediaTypeWrong.with([own(media), foreign(content_type)]);
    let hint = Message::MediaTypeHint.with([own(media)]);
    Err(Problem::new(ProblemCode::UnsupportedMediaType, message).with_hint(hint))
}

impl RouteAccess {
    /// Checks that a service's token opens the routes of services alone, and that no other opens those.
    ///
    /// # Errors
    /// Fails if the role does not fit the route.
    pub(crate) fn check_service(self, role: TokenRole) -> Result<(), Problem> {
        match (self, role) {
            (Self::Service, TokenRole::Service) => Ok(()),
            (Self::Service, _) => Err(Problem::new(ProblemCode::NotAllowed, Message::OnlyServices)),
            (_, TokenRole::Service) => Err(Problem::new(ProblemCode::NotAllowed, Message::ServiceLetsIn)),
            _ => Ok(()),
        }
    }
}

/// Adds the header's name to the problem of a body that holds the key of a request.
fn with_header_hint(problem: Problem) -> Problem {
    let is_key = ["key", "idempotency_key"].iter().any(|it| problem.path == DocumentPath::root().join(*it));
    if is_key && problem.code == ProblemCode::UnknownMember {
        return problem.with_hint(Message::KeyIsHeader);
    }
    problem
}

#[cfg(test)]
mod tests {
    use super::{peer_key, preferred_lang};
    use crate::http::net::exposure::ClientAddress;
    use axum::http::{HeaderMap, HeaderValue, header};
    use sayso_core::Lang;

    #[test]
    fn preferred_supported_language_is_chosen() {
        let spoken = |wanted: &'static str| {
            let wanted = HeaderValue::from_static(wanted);
            preferred_lang(&HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, wanted)]))
        };
        for chinese in ["zh", "ZH-CN", "zh-Hans;q=0.9, en;q=0.8", "fr, zh", "en;q=0.5, zh"] {
            assert_eq!(spoken(chinese), Lang::Zh, "{chinese}");
        }
        for english in ["", "en", "fr", "zh;q=0, en", "en, zh", "zhx", "zh;q=x", "*"] {
            assert_eq!(spoken(english), Lang::En, "{english}");
        }
        assert_eq!(preferred_lang(&HeaderMap::new()), Lang::En);
    }

    #[test]
    fn ipv6_network_shares_one_key() {
        let key = |from: &str| {
            peer_key(ClientAddress { client: Some(from.parse().unwrap()), ..ClientAddress::default() })
        };
        assert_eq!(key("2001:db8::1"), key("2001:db8::ffff:1"));
        assert_ne!(key("2001:db8::1"), key("2001:db8:0:1::1"));
        assert_eq!(key("192.0.2.1"), key("::ffff:192.0.2.1"));
        assert_ne!(key("192.0.2.1"), key("192.0.2.2"));
    }
}
