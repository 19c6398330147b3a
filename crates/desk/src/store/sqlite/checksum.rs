//! Checksums of rows, so that a row that the disk gives back changed is reported and never handed out as true.
//!
//! Each covers the id of the ask or thread that the row belongs to: an index that leads to another row is found out too. CRC-32
//! finds every single flipped bit and every damage of up to 32 bits in a row.

use super::error::{Damage, damage};
use rusqlite::Row as SqlRow;
use sayso_core::row::Row;
use sayso_core::{AskId, QuestionId};

/// The checksum of some values, each with its length, so that none can pass for a part of another.
struct Checksum(crc32fast::Hasher);

impl Checksum {
    fn new(owner: &[u8]) -> Self {
        Self(crc32fast::Hasher::new()).bytes(owner)
    }

    fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.update(&bytes.len().to_le_bytes());
        self.0.update(bytes);
        self
    }

    fn text(self, text: &str) -> Self {
        self.bytes(text.as_bytes())
    }

    fn int(mut self, value: i64) -> Self {
        self.0.update(&value.to_le_bytes());
        self
    }

    fn optional_int(self, value: Option<i64>) -> Self {
        match value {
            Some(value) => self.int(1).int(value),
            None => self.int(0),
        }
    }

    fn optional_text(self, text: Option<&str>) -> Self {
        match text {
            Some(text) => self.int(1).text(text),
            None => self.int(0),
        }
    }

    fn finish(self) -> i64 {
        self.0.finalize().into()
    }
}

/// Of what never changes in the row of an ask.
pub(super) fn of_fixed(row: &Row) -> i64 {
    let sum = Checksum::new(row.id.as_bytes())
        .text(&row.title)
        .text(&row.asker)
        .optional_text(row.folder.as_deref())
        .text(&row.dialect)
        .int(row.questions.into())
        .int(row.created_at.as_microsecond())
        .optional_text(row.account.as_deref());
    match row.program.as_deref() {
        Some(program) => sum.text(program).finish(),
        None => sum.finish(),
    }
}

/// Of what each change of an ask writes into its row.
pub(super) fn of_state(row: &Row) -> i64 {
    let flags = [row.seen, row.delivered, row.attached].map(u8::from);
    let process = row.process.map(|process| (process.pid, i64::try_from(process.started).unwrap_or(0)));
    let sum = Checksum::new(row.id.as_bytes())
        .text(row.state.as_str())
        .optional_int(row.deadline.map(jiff::Timestamp::as_microsecond))
        .bytes(&flags)
        .int(row.changed_at.as_microsecond());
    match process {
        Some((pid, started)) => sum.int(1).int(pid.into()).int(started).finish(),
        None => sum.int(0).finish(),
    }
}

/// Of how far the draft of an ask is.
pub(super) fn of_progress(id: AskId, answered: i64, asked: Option<i64>, rev: i64) -> i64 {
    Checksum::new(id.as_bytes()).int(answered).optional_int(asked).int(rev).finish()
}

/// Of one text that belongs to an ask: its request, its status, what came too late.
pub(super) fn of_text(id: AskId, text: &str) -> i64 {
    Checksum::new(id.as_bytes()).text(text).finish()
}

/// Of an outcome as it was rendered.
pub(super) fn of_rendering(id: AskId, form: &str, body: &[u8]) -> i64 {
    Checksum::new(id.as_bytes()).text(form).bytes(body).finish()
}

/// Of the reply to one question of a draft.
pub(super) fn of_reply(id: AskId, question: &QuestionId, reply: &str, is_scripted: bool) -> i64 {
    Checksum::new(id.as_bytes()).text(question.as_str()).text(reply).int(is_scripted.into()).finish()
}

/// Of the use of a key on an ask.
pub(super) fn of_key(id: AskId, owner: &str, key: &str, request: &[u8]) -> i64 {
    Checksum::new(id.as_bytes()).text(owner).text(key).bytes(request).finish()
}

/// Of an entry of the change log.
pub(super) fn of_change(id: AskId, at: i64, events: &str) -> i64 {
    Checksum::new(id.as_bytes()).int(at).text(events).finish()
}

/// Of something that was said in a thread.
pub(super) fn of_said(thread: &str, by_person: bool, content: &str) -> i64 {
    Checksum::new(thread.as_bytes()).int(by_person.into()).text(content).finish()
}

/// Whether a checksum as it is stored is that of what is there. A row of an older format has none.
pub(super) fn is_sound(stored: Option<i64>, computed: i64) -> bool {
    stored.is_none_or(|stored| stored == computed)
}

/// Compares the checksum in a column.
///
/// # Errors
/// When it is that of something else.
pub(super) fn verify(row: &SqlRow<'_>, column: usize, computed: i64, whose: &Damage) -> rusqlite::Result<()> {
    match row.get(column) {
        Ok(stored) if is_sound(stored, computed) => Ok(()),
        _ => Err(damage(whose.clone())),
    }
}
