//! Log line of a request.
//!
//! **Invariant:** a line has only the fields of [`RequestEntry`]. There is none for a path, a query, a header or a
//! text, so none can leak into the log.

use super::target::LogTarget;
use super::value::{LogValue, log_value};
use sayso_core::limits;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tracing::Level;
use tracing::field::{DisplayValue, display};

/// Id of a request: our own, or one of the client with plain characters alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RequestId(Arc<str>);

impl RequestId {
    /// Takes an id if it is plain.
    pub(crate) fn new(id: &str) -> Option<Self> {
        let has_length = (1..=limits::REQUEST_ID_CHARS).contains(&id.len());
        let is_plain = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte));
        if has_length && is_plain { Some(Self(id.into())) } else { None }
    }

    /// Returns the id of a number.
    pub(crate) fn from_number(number: u64) -> Self {
        Self(format!("{number:016x}").into())
    }

    /// Returns the id as text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl LogValue for RequestId {
    type Field<'v> = DisplayValue<&'v Self>;

    fn to_field(&self) -> DisplayValue<&Self> {
        display(self)
    }
}

/// Caller of a request, passed in the extensions of the response.
#[derive(Debug, Clone)]
pub(crate) struct LoggedCaller {
    /// Account of the token.
    pub(crate) account: Arc<str>,
    /// Role of the token.
    pub(crate) role: &'static str,
}

/// Fields of one request.
#[derive(Debug)]
pub(crate) struct RequestEntry<'a> {
    /// Method of the HTTP standard, or `OTHER`.
    pub(crate) method: &'static str,
    /// Template of the route, never the path.
    pub(crate) route: &'a str,
    /// Status; `None` if the client disconnected before the response.
    pub(crate) status: Option<u16>,
    /// Time until the response began.
    pub(crate) took: Duration,
    /// Id of the request.
    pub(crate) id: &'a RequestId,
    /// Caller, if known.
    pub(crate) caller: Option<&'a LoggedCaller>,
}

impl RequestEntry<'_> {
    /// Logs the request.
    pub(crate) fn log(&self) {
        /// Writes the line at a level.
        macro_rules! write_entry {
            ($level:ident) => {
                tracing::event!(
                    target: LogTarget::Request.path(),
                    Level::$level,
                    {
                        method = self.method,
                        route = self.route,
                        status = self.status,
                        ms = log_value(&self.took),
                        request_id = self.id.as_str(),
                        account = self.caller.map(|caller| &*caller.account),
                        role = self.caller.map(|caller| caller.role),
                    }
                )
            };
        }
        match self.status {
            Some(500..) => write_entry!(ERROR),
            Some(_) | None => write_entry!(INFO),
        }
    }
}
