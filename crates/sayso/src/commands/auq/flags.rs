//! Arguments of AUQ's commands: `--flag`, `--flag value`, and positional arguments.

use super::AuqError;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Default number of listed sessions.
const DEFAULT_LIMIT: usize = 20;

/// Page of a list, as `--limit` and `--page` name it.
#[derive(Debug, Clone, Copy)]
pub(super) struct ListPage {
    page: usize,
    limit: usize,
}

impl ListPage {
    /// Removes the rows of other pages, and returns AUQ's description of the page.
    pub(super) fn select<T>(self, rows: &mut Vec<T>) -> Value {
        let Self { page, limit } = self;
        let total = rows.len();
        let pages = total.div_ceil(limit).max(1);
        rows.drain(..total.min((page - 1).saturating_mul(limit)));
        rows.truncate(limit);
        json!({
            "page": page,
            "limit": limit,
            "total": total,
            "totalPages": pages,
            "hasNextPage": page < pages,
            "hasPrevPage": page > 1,
        })
    }
}

/// Parsed arguments.
pub(super) struct AuqFlags {
    values: BTreeMap<String, Option<String>>,
    positional: Vec<String>,
}

impl AuqFlags {
    /// Parses arguments: `bare` flags have no value, those `with_value` take the next argument unless it is a flag.
    pub(super) fn parse(args: Vec<String>, bare: &[&str], with_value: &[&str]) -> Result<Self, AuqError> {
        let (mut set, mut rest) = (BTreeMap::new(), Vec::new());
        let mut args = args.into_iter().peekable();
        while let Some(arg) = args.next() {
            let Some(flag) = arg.strip_prefix("--") else {
                rest.push(arg);
                continue;
            };
            let (name, joined) = match flag.split_once('=') {
                Some((name, value)) if with_value.contains(&name) => (name, Some(value.to_owned())),
                _ => (flag, None),
            };
            let value = match joined {
                Some(value) => Some(value),
                None if with_value.contains(&name) => args.next_if(|next| !next.starts_with("--")),
                None if bare.contains(&name) => None,
                None => return Err(AuqError::Usage(format!("Unknown option: {arg}"))),
            };
            set.insert(name.to_owned(), value);
        }
        Ok(Self { values: set, positional: rest })
    }

    /// Returns whether a flag is set.
    pub(super) fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Returns the value of a flag.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.values.get(name)?.as_deref().filter(|value| !value.is_empty())
    }

    /// Returns the page of a list that the flags name.
    pub(super) fn list_page(&self) -> ListPage {
        let number = |name: &str| self.value(name).and_then(|value| value.parse::<usize>().ok());
        ListPage {
            page: number("page").unwrap_or(1).max(1),
            limit: number("limit").unwrap_or(DEFAULT_LIMIT).max(1),
        }
    }

    /// Returns a positional argument.
    pub(super) fn positional_argument(&self, place: usize) -> Option<&str> {
        self.positional.get(place).map(String::as_str).filter(|argument| !argument.is_empty())
    }
}
