//! Checksums of rows, so that a row that the disk changed is reported and never returned as true.
//!
//! Each covers the id of its row's ask or thread, which also detects an index that leads to another row. CRC-32
//! detects every single flipped bit and every burst of up to 32 bits in a row.

use crate::store::sqlite::error::{RowDamage, damage_error};
use rusqlite::Row as SqlRow;
use sayso_core::AskSummary;
use sayso_core::wire::json;
use sayso_core::{AskId, QuestionId};

/// Bytes that are collected before they are hashed: a call of the hasher costs as much as 100 bytes of it.
const PENDING_BYTES: usize = 256;

/// Checksum of values, each with its length, so that no value can pass for a part of another.
struct RowChecksum {
    hasher: crc32fast::Hasher,
    pending: [u8; PENDING_BYTES],
    length: usize,
}

impl RowChecksum {
    fn new(owner: &[u8]) -> Self {
        let mut sum = Self { hasher: crc32fast::Hasher::new(), pending: [0; PENDING_BYTES], length: 0 };
        sum.bytes(owner);
        sum
    }

    fn push(&mut self, bytes: &[u8]) {
        let end = self.length + bytes.len();
        if let Some(free) = self.pending.get_mut(self.length..end) {
            free.copy_from_slice(bytes);
            self.length = end;
        } else {
            self.flush();
            self.hasher.update(bytes);
        }
    }

    /// Adds eight bytes, which takes one instruction, where a copy of any length is a call.
    fn word(&mut self, word: [u8; 8]) {
        if let Some(free) = self.pending.get_mut(self.length..).and_then(<[u8]>::first_chunk_mut) {
            *free = word;
            self.length += word.len();
        } else {
            self.push(&word);
        }
    }

    fn flush(&mut self) {
        self.hasher.update(self.pending.get(..self.length).unwrap_or_default());
        self.length = 0;
    }

    fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.word((bytes.len() as u64).to_le_bytes());
        self.push(bytes);
        self
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.bytes(text.as_bytes())
    }

    fn int(&mut self, value: i64) -> &mut Self {
        self.word(value.to_le_bytes());
        self
    }

    fn optional_int(&mut self, value: Option<i64>) -> &mut Self {
        match value {
            Some(value) => self.int(1).int(value),
            None => self.int(0),
        }
    }

    fn optional_text(&mut self, text: Option<&str>) -> &mut Self {
        match text {
            Some(text) => self.int(1).text(text),
            None => self.int(0),
        }
    }

    fn finish(&mut self) -> i64 {
        self.flush();
        self.hasher.clone().finalize().into()
    }
}

/// Returns the checksum of the constant columns of an ask.
pub(crate) fn fixed_columns_sum(row: &AskSummary) -> i64 {
    // Each member is named, so that a new one gets a place in a sum, or a reason to have none.
    let AskSummary {
        id,
        title,
        act,
        asker,
        account,
        program,
        audience,
        folder,
        dialect,
        questions,
        created_at,
        // In the sum of the columns that each change writes.
        state: _,
        approved: _,
        seen: _,
        delivered: _,
        attached: _,
        process: _,
        deadline: _,
        changed_at: _,
        // They follow from the draft, whose replies have sums.
        asked: _,
        answered: _,
        drafted: _,
        // It says what the sums have found.
        damaged: _,
    } = row;
    let mut sum = RowChecksum::new(id.as_bytes());
    sum.text(title)
        .text(asker)
        .optional_text(folder.as_deref())
        .text(dialect)
        .int((*questions).into())
        .int(created_at.as_microsecond())
        .optional_text(account.as_deref());
    if let Some(program) = program {
        sum.text(program);
    }
    if let Some(audience) = audience {
        // Apart from a program of the same text.
        sum.int(1).text(&json::write(audience));
    }
    if let Some(act) = act {
        sum.int(2).text(&json::write(act));
    }
    sum.finish()
}

/// Returns the checksum of the columns that each change of an ask writes.
pub(crate) fn state_columns_sum(row: &AskSummary) -> i64 {
    let flags = [row.seen, row.delivered, row.attached].map(u8::from);
    let process = row.process.map(|process| (process.pid, i64::try_from(process.started).unwrap_or(0)));
    let mut sum = RowChecksum::new(row.id.as_bytes());
    sum.text(row.state.as_str())
        .optional_int(row.deadline.map(jiff::Timestamp::as_microsecond))
        .bytes(&flags)
        .int(row.changed_at.as_microsecond());
    if let Some(approved) = row.approved {
        // Apart from the numbers of a process.
        sum.int(2 + i64::from(approved));
    }
    match process {
        Some((pid, started)) => sum.int(1).int(pid.into()).int(started).finish(),
        None => sum.int(0).finish(),
    }
}

/// Returns the checksum of the draft progress of an ask.
pub(crate) fn draft_progress_sum(id: AskId, answered: i64, asked: Option<i64>, rev: i64) -> i64 {
    RowChecksum::new(id.as_bytes()).int(answered).optional_int(asked).int(rev).finish()
}

/// Returns the checksum of a text of an ask: request, status, late submission.
pub(crate) fn text_sum(id: AskId, text: &str) -> i64 {
    RowChecksum::new(id.as_bytes()).text(text).finish()
}

/// Returns the checksum of a rendered outcome.
pub(crate) fn rendering_sum(id: AskId, form: &str, body: &[u8]) -> i64 {
    RowChecksum::new(id.as_bytes()).text(form).bytes(body).finish()
}

/// Returns the checksum of a reply in a draft.
pub(crate) fn reply_sum(id: AskId, question: &QuestionId, reply: &str, is_scripted: bool) -> i64 {
    RowChecksum::new(id.as_bytes()).text(question.as_str()).text(reply).int(is_scripted.into()).finish()
}

/// Returns the checksum of a key used on an ask.
pub(crate) fn key_sum(id: AskId, owner: &str, key: &str, request: &[u8]) -> i64 {
    RowChecksum::new(id.as_bytes()).text(owner).text(key).bytes(request).finish()
}

/// Returns the checksum of an entry of the change log.
pub(crate) fn change_sum(id: AskId, at: i64, events: &str) -> i64 {
    RowChecksum::new(id.as_bytes()).int(at).text(events).finish()
}

/// Returns the checksum of a message in a thread.
pub(crate) fn message_sum(thread: &str, by_person: bool, content: &str) -> i64 {
    RowChecksum::new(thread.as_bytes()).int(by_person.into()).text(content).finish()
}

/// Returns the checksum of an event in a thread.
pub(crate) fn thread_event_sum(
    thread: &str,
    [message, opens]: [i64; 2],
    [kind, tool]: [&str; 2],
    ask: Option<&[u8]>,
) -> i64 {
    let mut sum = RowChecksum::new(thread.as_bytes());
    sum.int(message).int(opens).text(kind).text(tool);
    if let Some(ask) = ask {
        sum.bytes(ask);
    }
    sum.finish()
}

/// Returns the checksum of a row of the log of turns.
pub(crate) fn turn_log_sum(place: i64, turn: i64, kind: &str, body: &[u8]) -> i64 {
    RowChecksum::new(&turn.to_le_bytes()).int(place).text(kind).bytes(body).finish()
}

/// Returns whether a stored checksum matches. A purge leaves rows without one.
pub(crate) fn matches_stored(stored: Option<i64>, computed: i64) -> bool {
    stored.is_none_or(|stored| stored == computed)
}

/// Compares the checksum in a column.
///
/// # Errors
/// If it does not match.
pub(crate) fn verify(
    row: &SqlRow<'_>,
    column: usize,
    computed: i64,
    whose: &RowDamage,
) -> rusqlite::Result<()> {
    match row.get(column) {
        Ok(stored) if matches_stored(stored, computed) => Ok(()),
        _ => Err(damage_error(whose.clone())),
    }
}
