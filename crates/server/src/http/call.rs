//! One API request: its caller and its content, read within limits.

use super::body_budget::{Admission, BodyBudget};
use super::caller::Caller;
use super::gate::{one, only, unreadable};
use super::listen::body::is_late;
use super::listen::peers::peer;
use super::route::{Access, Body};
use axum::body::{Bytes, HttpBody as _};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::request::Parts;
use hyper::upgrade::OnUpgrade;
use sayso_core::wire::json;
use sayso_core::{AskId, Code, Lang, Message, Path, Problem, lifecycle, limits};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::borrow::Cow;
use std::future::poll_fn;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::pin::Pin;
use std::time::Duration;

/// Header that makes a retry the same write.
pub(super) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Initial capacity of a body buffer, in bytes.
const FIRST_BUFFER_BYTES: usize = 16 << 10;

/// Size at which a body moves to a memory-mapped buffer, in bytes.
const LARGE_BYTES: usize = 128 << 10;
/// Size of a memory-mapped buffer, in bytes. glibc maps allocations above 32 MiB and returns them to the system when
/// freed. Smaller ones stay in its heap, once one of their size has been freed
/// (<https://sourceware.org/glibc/manual/latest/html_node/Malloc-Tunable-Parameters.html>). Only pages that are
/// written take memory.
const MAPPED_BYTES: usize = 33 << 20;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Query parameters of a request that may wait.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wait {
    wait: Option<String>,
}

/// One authenticated API request.
pub(super) struct Call {
    /// The caller, if the route needs a token.
    pub(super) caller: Option<Caller>,
    /// Language of the caller.
    pub(super) lang: Lang,
    /// Result of authentication for routes whose handler checks it late.
    pub(super) late: Option<Result<Caller, Problem>>,
    from: Option<SocketAddr>,
    headers: HeaderMap,
    query: String,
    /// Value of the path's parameter.
    part: String,
    body: Bytes,
    /// Budget reservation of the body.
    _admission: Option<Admission>,
    upgrade: Option<OnUpgrade>,
}

/// Limit on a request body, and the budget that it is reserved from.
pub(super) struct BodyLimit<'a> {
    /// Maximum size in bytes.
    pub(super) most: usize,
    /// Account of the sender; empty without a known token.
    pub(super) account: String,
    pub(super) budget: &'a BodyBudget,
}

impl Call {
    /// Reads a request and its body.
    ///
    /// # Errors
    /// Fails if the body has the wrong media type or is too large.
    pub(super) async fn read(
        mut parts: Parts,
        part: String,
        from: Option<SocketAddr>,
        caller: Option<Caller>,
        body: axum::body::Body,
        wanted: Body,
        limit: BodyLimit<'_>,
    ) -> Result<Self, Problem> {
        let lang = lang_of(&parts.headers);
        let (body, admission) = match wanted {
            Body::None => (Bytes::new(), None),
            Body::Json(_) | Body::MaybeJson(_) | Body::Bytes => {
                let (body, admission) = all_of(&parts.headers, body, &limit).await?;
                let is_needed = matches!(wanted, Body::Json(_)) || !body.is_empty();
                if is_needed {
                    must_be(&parts.headers, wanted.media())?;
                }
                (body, admission)
            }
        };
        let query = parts.uri.query().unwrap_or_default().to_owned();
        let upgrade = parts.extensions.remove::<OnUpgrade>();
        Ok(Self {
            caller,
            lang,
            late: None,
            from,
            headers: parts.headers,
            query,
            part,
            body,
            _admission: admission,
            upgrade,
        })
    }

    /// Returns the caller.
    ///
    /// # Errors
    /// Fails if the request carries no token.
    pub(super) fn caller(&self) -> Result<&Caller, Problem> {
        self.caller.as_ref().ok_or_else(|| super::gate::unauthorized(Message::TokenMissing))
    }

    /// Returns whether the caller is a program on this machine and not behind a known proxy.
    pub(super) fn is_of_this_machine(&self) -> bool {
        let is_passed_on =
            self.headers.contains_key(header::FORWARDED) || self.headers.contains_key(FORWARDED_FOR);
        self.from.is_some_and(|from| from.ip().is_loopback()) && !is_passed_on
    }

    /// Returns the rate-limit key of the client.
    pub(super) fn peer(&self) -> String {
        peer_of(self.from)
    }

    /// Returns the value of the path's parameter.
    pub(super) fn part(&self) -> &str {
        &self.part
    }

    /// Returns the ask that the path names.
    ///
    /// # Errors
    /// Fails if the path holds no id of an ask.
    pub(super) fn id(&self) -> Result<AskId, Problem> {
        AskId::parse(&self.part).ok_or_else(|| not_found(&self.part))
    }

    /// Parses the query string.
    ///
    /// # Errors
    /// Fails if a member is unknown or has the wrong type.
    pub(super) fn query<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        serde_urlencoded::from_str(&self.query).map_err(|error| {
            Problem::new(Code::InvalidValue, Message::QueryUnreadable.with([error.to_string()]))
        })
    }

    /// Parses a number of the query, if present.
    ///
    /// # Errors
    /// Fails if it is no number or out of bounds.
    pub(super) fn number(
        name: &str,
        given: Option<&str>,
        bounds: RangeInclusive<u64>,
    ) -> Result<Option<u64>, Problem> {
        let Some(given) = given else { return Ok(None) };
        match given.parse() {
            Ok(number) if bounds.contains(&number) => Ok(Some(number)),
            _ => Err(Problem::no_such_value(name, given)
                .hint(Message::WholeNumber.with([bounds.start(), bounds.end()]))),
        }
    }

    /// Validates the time limit of an ask, in milliseconds.
    ///
    /// # Errors
    /// Fails if it is out of bounds.
    pub(super) fn time_limit(given: Option<i64>) -> Result<Option<i64>, Problem> {
        let judged = given.map_or(Ok(()), |limit| lifecycle::time_limit(limit).map(drop));
        judged.map(|()| given).map_err(|problem| problem.at(Path::root().then("timeout_ms")))
    }

    /// Returns how long the caller waits; zero by default.
    ///
    /// # Errors
    /// Fails if it is no number, or above the maximum.
    pub(super) fn wait(&self) -> Result<Duration, Problem> {
        let wait = self.query::<Wait>()?.wait;
        let seconds = Self::number("wait", wait.as_deref(), 0..=limits::CALL_WAIT_SECONDS)?;
        Ok(Duration::from_secs(seconds.unwrap_or(0)))
    }

    /// Parses the body as JSON; an empty body counts as `{}`.
    ///
    /// # Errors
    /// Fails if it is no JSON or has the wrong shape; the problem names the place.
    pub(super) fn json<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        let text = self.text()?;
        json::read_object(if text.is_empty() { "{}" } else { text })
    }

    /// Parses the body as untyped JSON, for formats that validate its shape themselves.
    ///
    /// # Errors
    /// Fails if it is no JSON.
    pub(super) fn any_json(&self) -> Result<Value, Problem> {
        let text = self.text()?;
        json::read_body(if text.is_empty() { "{}" } else { text })
    }

    /// Returns the body as text.
    ///
    /// # Errors
    /// Fails if it is not UTF-8.
    pub(super) fn text(&self) -> Result<&str, Problem> {
        std::str::from_utf8(&self.body).map_err(|_| Problem::new(Code::NotText, Message::RequestNotText))
    }

    /// Returns the raw body.
    pub(super) fn bytes(&self) -> &Bytes {
        &self.body
    }

    /// Returns all headers.
    pub(super) fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// Takes the pending protocol upgrade, if the request asks for one.
    pub(super) fn take_upgrade(&mut self) -> Option<OnUpgrade> {
        self.upgrade.take()
    }

    /// Returns a header, if it is visible ASCII.
    pub(super) fn header(&self, name: &HeaderName) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// Returns a header with UTF-8 text.
    ///
    /// # Errors
    /// Fails if it is present twice or not UTF-8.
    pub(super) fn text_header(&self, name: &HeaderName) -> Result<Option<&str>, Problem> {
        let text = |value| str::from_utf8(HeaderValue::as_bytes(value)).map_err(|_| unreadable(name));
        only(&self.headers, name)?.map(text).transpose()
    }

    /// Returns whether the caller accepts a stream of events.
    pub(super) fn wants_events(&self) -> bool {
        self.header(&header::ACCEPT).is_some_and(|accept| accept.contains("text/event-stream"))
    }

    /// Returns the idempotency key, percent-decoded, if present.
    ///
    /// # Errors
    /// Fails if it is present twice or cannot be decoded.
    pub(super) fn key(&self) -> Result<Option<String>, Problem> {
        let Some(text) = one(&self.headers, &IDEMPOTENCY_KEY)? else { return Ok(None) };
        let key = percent_encoding::percent_decode_str(text).decode_utf8().map(Cow::into_owned);
        key.map(Some).map_err(|_| unreadable(&IDEMPOTENCY_KEY))
    }

    /// Returns the revision in `If-Match`, if present.
    ///
    /// # Errors
    /// Fails if it is no revision.
    pub(super) fn if_match(&self) -> Result<Option<u64>, Problem> {
        let Some(text) = one(&self.headers, &header::IF_MATCH)? else { return Ok(None) };
        let number = text.trim().trim_matches('"').parse().ok();
        let wrong = || {
            let said = Message::HeaderWords.with(["if-match", text]);
            Problem::new(Code::BadHeader, said).hint(Message::RevisionHint)
        };
        number.map(Some).ok_or_else(wrong)
    }
}

/// Returns the rate-limit key of a client address.
pub(super) fn peer_of(from: Option<SocketAddr>) -> String {
    from.map(|from| peer(from.ip()).to_string()).unwrap_or_default()
}

/// Returns the preferred language for a reply among those we support (RFC 9110, section 12.5.4).
pub(super) fn lang_of(headers: &HeaderMap) -> Lang {
    let wanted =
        headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut best = (0.0, Lang::En);
    for range in wanted.split(',') {
        let (tag, weight) = range.split_once(';').unwrap_or((range, ""));
        let weight = weight.trim().strip_prefix("q=").map_or(Some(1.0), |weight| weight.parse::<f32>().ok());
        let code = tag.trim().split('-').next().unwrap_or_default().to_ascii_lowercase();
        let Some(lang) = Lang::of_code(&code) else { continue };
        if let Some(weight) = weight.filter(|weight| *weight > best.0) {
            best = (weight, lang);
        }
    }
    best.1
}

pub(super) fn not_found(given: &str) -> Problem {
    Problem::new(Code::AskNotFound, Message::AskNotFound.with([given]))
}

fn too_large(bytes: &str, most: usize) -> Problem {
    Problem::new(Code::TooLarge, Message::RequestTooLarge.with([bytes, &most.to_string()]))
}

/// Reads the whole body, after reserving budget for its maximum size. Rejects a body by its `Content-Length` without
/// reading it.
async fn all_of(
    headers: &HeaderMap,
    body: axum::body::Body,
    limit: &BodyLimit<'_>,
) -> Result<(Bytes, Option<Admission>), Problem> {
    let most = limit.most;
    let said = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if let Some(length) = said.filter(|length: &usize| *length > most) {
        return Err(too_large(&length.to_string(), most));
    }
    if body.is_end_stream() {
        return Ok((Bytes::new(), None));
    }
    let admission = limit.budget.admit(&limit.account, said.unwrap_or(most)).await?;
    let read = read_all(body, said, most).await?;
    Ok((read, Some(admission)))
}

/// Reads a body into a buffer that grows with the received bytes, not with the announced length.
async fn read_all(mut body: axum::body::Body, said: Option<usize>, most: usize) -> Result<Bytes, Problem> {
    let mut read = Vec::with_capacity(said.unwrap_or(0).min(FIRST_BUFFER_BYTES));
    while let Some(frame) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        let frame = frame.map_err(|error| match is_late(&error) {
            true => Problem::new(Code::BodyLate, Message::BodyCutOff),
            false => Problem::new(Code::MissingRequest, Message::BodyCutOff),
        })?;
        let Ok(data) = frame.into_data() else { continue };
        if read.len() + data.len() > most {
            return Err(too_large(&format!("> {most}"), most));
        }
        if read.len() + data.len() > LARGE_BYTES && read.capacity() < MAPPED_BYTES {
            let mut mapped = Vec::new();
            // If the allocation fails, the buffer grows as usual.
            if mapped.try_reserve_exact(MAPPED_BYTES).is_ok() {
                mapped.extend_from_slice(&read);
                read = mapped;
            }
        }
        read.extend_from_slice(&data);
    }
    Ok(read.into())
}

fn must_be(headers: &HeaderMap, media: &str) -> Result<(), Problem> {
    let wrong = |given: &str| {
        let said = Message::MediaTypeWrong.with([media, given]);
        Problem::new(Code::UnsupportedMediaType, said).hint(Message::MediaTypeHint.with([media]))
    };
    if let Some(coding) = headers.get(header::CONTENT_ENCODING) {
        let said = Message::BodyCoded.with([String::from_utf8_lossy(coding.as_bytes())]);
        return Err(Problem::new(Code::UnsupportedMediaType, said).hint(Message::SendPlain));
    }
    let given = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = given.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case(media) { Ok(()) } else { Err(wrong(given)) }
}

impl Access {
    /// Returns whether the gate authenticates the caller of a route.
    pub(super) const fn needs_token(self) -> bool {
        !matches!(self, Self::Open | Self::Late)
    }
}

#[cfg(test)]
mod tests {
    use super::{lang_of, peer_of};
    use axum::http::{HeaderMap, HeaderValue, header};
    use sayso_core::Lang;

    #[test]
    fn preferred_supported_language_is_chosen() {
        let spoken = |wanted: &'static str| {
            let wanted = HeaderValue::from_static(wanted);
            lang_of(&HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, wanted)]))
        };
        for chinese in ["zh", "ZH-CN", "zh-Hans;q=0.9, en;q=0.8", "fr, zh", "en;q=0.5, zh"] {
            assert_eq!(spoken(chinese), Lang::Zh, "{chinese}");
        }
        for english in ["", "en", "fr", "zh;q=0, en", "en, zh", "zhx", "zh;q=x", "*"] {
            assert_eq!(spoken(english), Lang::En, "{english}");
        }
        assert_eq!(lang_of(&HeaderMap::new()), Lang::En);
    }

    #[test]
    fn ipv6_network_shares_one_key() {
        let key = |from: &str| peer_of(Some(from.parse().unwrap()));
        assert_eq!(key("[2001:db8::1]:50000"), key("[2001:db8::ffff:1]:50001"));
        assert_ne!(key("[2001:db8::1]:50000"), key("[2001:db8:0:1::1]:50000"));
        assert_eq!(key("192.0.2.1:50000"), key("[::ffff:192.0.2.1]:50000"));
        assert_ne!(key("192.0.2.1:50000"), key("192.0.2.2:50000"));
    }
}
