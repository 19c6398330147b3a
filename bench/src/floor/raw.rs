//! Rows that an ask and its answer write, as raw SQL without anything around it. The tables are a desk's own and the
//! rows are copies of what a desk wrote there: the same columns, indexes and lengths. Only what tells one ask from
//! another is new.

use crate::request::new_ask;
use crate::workload::{self, pair};
use anyhow::{Context as _, anyhow};
use rusqlite::config::DbConfig;
use rusqlite::types::Value;
use rusqlite::{Connection, params, params_from_iter};
use sayso_desk::{Desk as _, StoreDesk};
use std::path::Path;
use std::sync::mpsc::{Sender, channel};

/// A desk's file, written to by hand.
pub(crate) struct RawSql {
    conn: Connection,
    next: i64,
    /// Writes the row of an ask.
    insert: String,
    row: Vec<Value>,
    /// The places in it of what is new with each ask: its id, what makes it the same as others, and who asks.
    new: [usize; 3],
    request: String,
    owner: String,
    /// The state of an ask that is answered.
    answered: String,
    /// Entries of the change log for a new ask and for an answered one.
    events: [String; 2],
}

impl RawSql {
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let desk = StoreDesk::open(path)?;
        pair(&desk, 1)?;
        desk.open(Some("2"), new_ask(2)?)?;
        drop(desk);
        let conn = Connection::open(path)?;
        // A desk has its log carried over at this size, too.
        conn.execute_batch("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 1024")?;
        conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        conn.set_prepared_statement_cache_capacity(64);
        let text = |sql: &str| conn.query_row(sql, [], |row| row.get::<_, String>(0));
        let events =
            |of: i64| text(&format!("SELECT events FROM change WHERE seq = {of} ORDER BY n DESC LIMIT 1"));
        let (answered, events) = (text("SELECT status FROM ask WHERE seq = 1")?, [events(2)?, events(1)?]);
        let request = text("SELECT body FROM request WHERE seq = 2")?;
        let owner = text("SELECT owner FROM key WHERE seq = 2")?.replace("bench-2", "");
        let mut found = conn.prepare("SELECT * FROM ask WHERE seq = 2")?;
        let names: Vec<String> = found.column_names().map(str::to_owned).collect();
        let mut row = found.query_row([], |row| {
            (0..names.len()).map(|at| row.get(at)).collect::<rusqlite::Result<Vec<_>>>()
        })?;
        drop(found);
        let place = |name: &str| names.iter().position(|known| known == name).context("no such column");
        let new = [place("id")?, place("content")?, place("asker")?];
        // The next free place.
        *row.get_mut(place("seq")?).context("no place")? = Value::Null;
        let places = vec!["?"; names.len()].join(", ");
        let insert = format!("INSERT INTO ask ({}) VALUES ({places})", names.join(", "));
        Ok(Self { conn, next: 2, insert, row, new, request, owner, answered, events })
    }

    fn begin(&self) -> anyhow::Result<()> {
        Ok(self.conn.prepare_cached("BEGIN IMMEDIATE")?.raw_execute().map(drop)?)
    }

    fn commit(&self) -> anyhow::Result<()> {
        Ok(self.conn.prepare_cached("COMMIT")?.raw_execute().map(drop)?)
    }

    /// Asks; the id of the ask, which begins with the time as that of a desk does.
    fn ask(&mut self) -> anyhow::Result<[u8; 16]> {
        self.next += 1;
        let asker = format!("bench-{}", self.next);
        let random = self.next.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64.cast_signed()).to_le_bytes();
        let mut id = [0; 16];
        id.iter_mut()
            .zip(self.next.to_be_bytes().into_iter().chain(random))
            .for_each(|(to, from)| *to = from);
        let key = format!("{}{asker}", self.owner);
        let new = [Value::Blob(id.to_vec()), Value::Blob(random.repeat(4)), Value::Text(asker)];
        for (at, value) in self.new.into_iter().zip(new) {
            *self.row.get_mut(at).context("no place")? = value;
        }
        self.conn.prepare_cached(&self.insert)?.execute(params_from_iter(&self.row))?;
        let seq = self.conn.last_insert_rowid();
        let request = "INSERT INTO request (seq, body) VALUES (?1, ?2)";
        self.conn.prepare_cached(request)?.execute(params![seq, self.request])?;
        self.log(seq, id, 0)?;
        self.conn
            .prepare_cached("INSERT INTO key (owner, key, request, seq) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![key, self.next.to_string(), [7_u8; 32], seq])?;
        Ok(id)
    }

    fn log(&self, seq: i64, id: [u8; 16], which: usize) -> anyhow::Result<()> {
        self.conn
            .prepare_cached("INSERT INTO change (seq, id, at, events) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![seq, id, self.next, self.events.get(which)])?;
        Ok(())
    }

    /// Answers. Who does must have looked whether the ask still is open.
    fn answer(&self, id: [u8; 16]) -> anyhow::Result<()> {
        let seq: i64 = self
            .conn
            .prepare_cached("SELECT seq FROM ask WHERE id = ?1 AND pending = 1")?
            .query_row([id], |row| row.get(0))?;
        self.conn
            .prepare_cached("UPDATE ask SET state = 'answered', pending = NULL, changed_at = ?2, status = ?3 WHERE seq = ?1")?
            .execute(params![seq, self.next, self.answered])?;
        self.log(seq, id, 1)
    }

    /// Asks, in a transaction.
    pub(crate) fn one(&mut self) -> anyhow::Result<()> {
        self.begin()?;
        self.ask()?;
        self.commit()
    }

    /// Asks and answers, each in its own transaction.
    pub(crate) fn pair(&mut self) -> anyhow::Result<()> {
        self.begin()?;
        let id = self.ask()?;
        self.commit()?;
        self.begin()?;
        self.answer(id)?;
        self.commit()
    }

    /// Asks and answers so often from many threads, each of which waits for its commits. Whoever has come by then is
    /// committed together: what group commit reaches where nobody reads, judges or writes but SQLite.
    pub(crate) fn at_once(&mut self, count: usize) -> anyhow::Result<()> {
        let (jobs, coming) = channel::<Job>();
        std::thread::scope(|scope| {
            let callers = scope.spawn(move || {
                workload::at_once(count, |_| {
                    let (done, receiver) = channel();
                    jobs.send((None, done.clone()))?;
                    jobs.send((Some(receiver.recv()?), done))?;
                    receiver.recv()?;
                    Ok(())
                })
            });
            while let Ok(first) = coming.recv() {
                let jobs = std::iter::once(first).chain(coming.try_iter()).collect();
                self.together(jobs)?;
            }
            callers.join().map_err(|_| anyhow!("panicked"))?
        })
    }

    fn together(&mut self, jobs: Vec<Job>) -> anyhow::Result<()> {
        self.begin()?;
        let done = jobs.into_iter().map(|(asked, report)| {
            let id = match asked {
                Some(id) => self.answer(id).map(|()| id)?,
                None => self.ask()?,
            };
            Ok((id, report))
        });
        let done = done.collect::<anyhow::Result<Vec<_>>>()?;
        self.commit()?;
        done.into_iter().try_for_each(|(id, report)| report.send(id).context("nobody waits"))
    }
}

/// An ask, or the answer to one; and where its id goes once it is on the disk.
type Job = (Option<[u8; 16]>, Sender<[u8; 16]>);
