//! Tables of a desk, as both stores have them. What only one store has follows from these rows: checksums, counters and
//! the index of words. Addresses at which a desk is served stay with the old one.

use crate::store::row_value::RowValue;

/// Table of a desk.
#[derive(Debug)]
pub(crate) struct TransferTable {
    /// Name in a database.
    pub(crate) name: &'static str,
    /// Name in a file.
    pub(crate) file_name: &'static str,
    pub(crate) columns: &'static [TransferColumn],
    /// Number of the first columns that are the key.
    pub(crate) keys: usize,
}

/// Column of a table.
#[derive(Debug)]
pub(crate) struct TransferColumn {
    /// Name in a database.
    pub(crate) name: &'static str,
    /// Name in a file.
    pub(crate) file_name: &'static str,
    pub(crate) kind: ColumnKind,
}

/// Kind of the values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    Int,
    /// True or false; 1 or 0 in a file.
    Flag,
    /// True or false; 1 or NULL in a file.
    Open,
    Text,
    Bytes,
    /// Text, which a database keeps as bytes.
    Prose,
}

use ColumnKind::{Bytes, Flag, Int, Open, Prose, Text};

const fn col(name: &'static str, kind: ColumnKind) -> TransferColumn {
    TransferColumn { name, file_name: name, kind }
}

const fn renamed(name: &'static str, file_name: &'static str, kind: ColumnKind) -> TransferColumn {
    TransferColumn { name, file_name, kind }
}

const fn table(name: &'static str, keys: usize, columns: &'static [TransferColumn]) -> TransferTable {
    TransferTable { name, file_name: name, columns, keys }
}

pub(crate) const ASK: TransferTable = table(
    "ask",
    1,
    &[
        col("seq", Int),
        col("id", Bytes),
        col("state", Text),
        col("pending", Open),
        col("content", Bytes),
        col("due_at", Int),
        col("title", Text),
        col("act", Text),
        col("approved", Flag),
        col("asker", Text),
        col("account", Text),
        col("folder", Text),
        col("program", Text),
        col("dialect", Text),
        col("questions", Int),
        col("asked", Int),
        col("answered", Int),
        col("draft_rev", Int),
        col("draft_key", Bytes),
        col("seen", Flag),
        col("delivered", Flag),
        col("attached", Flag),
        col("pid", Int),
        col("started", Int),
        col("created_at", Int),
        col("changed_at", Int),
        col("status", Text),
        col("kept_bytes", Int),
        col("audience", Text),
        col("emptied", Flag),
    ],
);

/// All tables; a row comes after those that it refers to.
pub(crate) const TABLES: &[TransferTable] = &[
    ASK,
    table("request", 1, &[col("seq", Int), col("body", Text)]),
    table("change", 1, &[col("n", Int), col("id", Bytes), col("at", Int), col("events", Text)]),
    table(
        "draft",
        2,
        &[
            col("seq", Int),
            col("question", Text),
            col("reply", Text),
            col("answered", Flag),
            col("rev", Int),
            col("by", Text),
            col("scripted", Flag),
            col("at", Int),
        ],
    ),
    table("key", 2, &[col("owner", Text), col("key", Text), col("request", Bytes), col("seq", Int)]),
    table("rendering", 2, &[col("seq", Int), col("form", Text), col("body", Bytes)]),
    table("late", 1, &[col("n", Int), col("seq", Int), col("body", Text)]),
    table(
        "tombstone",
        1,
        &[
            col("id", Bytes),
            col("outcome", Text),
            col("audience", Text),
            col("created_at", Int),
            col("settled_at", Int),
        ],
    ),
    table(
        "account_usage",
        1,
        &[col("account", Text), col("kept_bytes", Int), col("hour_began_at", Int), col("asks_in_hour", Int)],
    ),
    table(
        "token",
        1,
        &[
            col("id", Text),
            col("hash", Bytes),
            col("role", Text),
            col("account", Text),
            col("created_at", Int),
            col("expires_at", Int),
            col("revoked_at", Int),
            col("audience", Text),
        ],
    ),
    table("group_member", 2, &[col("account", Text), col("name", Text)]),
    table(
        "session",
        1,
        &[
            col("id", Text),
            col("hash", Bytes),
            col("account", Text),
            col("token", Text),
            col("key", Bytes),
            col("agent", Text),
            col("created_at", Int),
            col("last_seen_at", Int),
            col("service", Text),
            col("expires_at", Int),
        ],
    ),
    table(
        "login_code",
        1,
        &[
            col("prefix", Int),
            col("hash", Bytes),
            col("account", Text),
            col("expires_at", Int),
            col("wrong_tries", Int),
        ],
    ),
    table(
        "login_link",
        1,
        &[
            col("id", Text),
            col("hash", Bytes),
            col("account", Text),
            col("token", Text),
            col("expires_at", Int),
            col("state", Text),
            col("claim", Bytes),
            col("key", Bytes),
            col("agent", Text),
            col("number", Text),
            col("session_seconds", Int),
        ],
    ),
    table("service_usage", 1, &[col("service", Text), col("hour_began_at", Int), col("logins", Int)]),
    table(
        "thread",
        1,
        &[
            col("id", Text),
            col("owner", Text),
            col("agent", Text),
            col("title", Prose),
            col("created_at", Int),
            col("changed_at", Int),
        ],
    ),
    TransferTable {
        name: "message",
        file_name: "said",
        keys: 1,
        columns: &[col("n", Int), col("thread", Text), col("by_person", Flag), col("content", Prose)],
    },
    table(
        "turn",
        1,
        &[
            col("n", Int),
            col("thread", Text),
            renamed("message", "said", Int),
            col("holder", Text),
            col("worker", Text),
            col("pending", Open),
            col("key", Text),
            col("lease_seconds", Int),
            col("attempts", Int),
        ],
    ),
    table("interrupt", 1, &[col("n", Int), col("turn", Int), col("ask", Bytes)]),
    table(
        "thread_event",
        1,
        &[
            col("n", Int),
            col("thread", Text),
            renamed("message", "said", Int),
            col("kind", Text),
            col("tool", Prose),
            col("ask", Bytes),
            col("opens", Flag),
        ],
    ),
];

impl TransferTable {
    /// Returns the value of a column of this table; nothing if there is no such column.
    pub(crate) fn value<'r>(&self, row: &'r [RowValue], column: &str) -> &'r RowValue {
        let place = self.columns.iter().position(|candidate| candidate.name == column);
        place.and_then(|place| row.get(place)).unwrap_or(&RowValue::Null)
    }

    /// Returns the columns of the key.
    pub(crate) fn key_columns(&self) -> impl Iterator<Item = &TransferColumn> {
        self.columns.iter().take(self.keys)
    }
}
