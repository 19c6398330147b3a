//! Floors: the least that the machine allows for the same work, measured in the same run.

use crate::figures::Times;
use anyhow::Context as _;
use rusqlite::{Connection, params};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A Rust program that only greets, built here with the compiler at hand.
pub(crate) fn hello(folder: &Path) -> anyhow::Result<PathBuf> {
    let source = folder.join("hello.rs");
    let program = folder.join("hello");
    std::fs::write(&source, "fn main() { println!(\"hello\"); }")?;
    let built = Command::new("rustc").args(["-O", "-o"]).arg(&program).arg(&source).status()?;
    anyhow::ensure!(built.success(), "rustc failed");
    Ok(program)
}

/// How long a program takes from its start to its end.
pub(crate) fn program(count: usize, program: &Path, args: &[&str]) -> anyhow::Result<Times> {
    Times::of(count, || {
        let ended = Command::new(program).args(args).stdin(Stdio::null()).stdout(Stdio::null()).status()?;
        anyhow::ensure!(ended.success(), "{} failed", program.display());
        Ok(())
    })
}

/// The rows that an ask and an answer write, as raw SQL without anything around them: an ask with two indexes and its
/// request, two lines of the change log and a key.
pub(crate) struct RawSql {
    conn: Connection,
    next: i64,
}

const SCHEMA: &str = "
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0;
    CREATE TABLE ask (seq INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, state TEXT NOT NULL, pending INTEGER,
        content BLOB, title TEXT NOT NULL, asker TEXT NOT NULL, created_at INTEGER NOT NULL, status TEXT NOT NULL) STRICT;
    CREATE INDEX ask_pending ON ask (pending) WHERE pending IS NOT NULL;
    CREATE INDEX ask_content ON ask (content) WHERE content IS NOT NULL;
    CREATE TABLE request (seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
    CREATE TABLE change (n INTEGER PRIMARY KEY, seq INTEGER NOT NULL, at INTEGER NOT NULL, events TEXT NOT NULL) STRICT;
    CREATE TABLE key (owner TEXT, key TEXT, request BLOB, seq INTEGER, PRIMARY KEY (owner, key)) STRICT, WITHOUT ROWID;";

impl RawSql {
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let conn = Connection::open(path)?;
        conn.execute_batch(SCHEMA)?;
        conn.set_prepared_statement_cache_capacity(64);
        Ok(Self { conn, next: 0 })
    }

    fn begin(&self) -> anyhow::Result<()> {
        Ok(self.conn.prepare_cached("BEGIN IMMEDIATE")?.raw_execute().map(drop)?)
    }

    fn commit(&self) -> anyhow::Result<()> {
        Ok(self.conn.prepare_cached("COMMIT")?.raw_execute().map(drop)?)
    }

    fn ask(&mut self) -> anyhow::Result<i64> {
        self.next += 1;
        let mixed = self.next.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64.cast_signed());
        let content =
            [mixed.to_le_bytes(), mixed.to_be_bytes(), mixed.to_le_bytes(), mixed.to_be_bytes()].concat();
        self.conn
            .prepare_cached("INSERT INTO ask (id, state, pending, content, title, asker, created_at, status) VALUES (?1, 'open', 1, ?2, 'Deploy plan for api-gateway', 'bench', ?3, ?4)")?
            .execute(params![self.next.to_be_bytes(), content, self.next, "x".repeat(240)])?;
        let seq = self.conn.last_insert_rowid();
        self.conn
            .prepare_cached("INSERT INTO request VALUES (?1, ?2)")?
            .execute(params![seq, "x".repeat(crate::request::TEXT.len() + 300)])?;
        self.log(seq, 120)?;
        self.conn.prepare_cached("INSERT INTO key VALUES ('bench', ?1, ?2, ?3)")?.execute(params![
            self.next.to_string(),
            [7_u8; 32],
            seq
        ])?;
        Ok(seq)
    }

    fn log(&self, seq: i64, bytes: usize) -> anyhow::Result<()> {
        self.conn
            .prepare_cached("INSERT INTO change (seq, at, events) VALUES (?1, 1, ?2)")?
            .execute(params![seq, "x".repeat(bytes)])?;
        Ok(())
    }

    fn answer(&self, seq: i64) -> anyhow::Result<()> {
        self.conn
            .prepare_cached("UPDATE ask SET state = 'answered', pending = NULL, status = ?2 WHERE seq = ?1")?
            .execute(params![seq, "x".repeat(640)])?;
        self.log(seq, 480)
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
        let seq = self.ask()?;
        self.commit()?;
        self.begin()?;
        self.answer(seq)?;
        self.commit()
    }

    /// Asks so many, then answers them, each in one transaction: what group commit can reach at best.
    pub(crate) fn batch(&mut self, size: usize) -> anyhow::Result<()> {
        self.begin()?;
        let asked = (0..size).map(|_| self.ask()).collect::<anyhow::Result<Vec<_>>>()?;
        self.commit()?;
        self.begin()?;
        asked.into_iter().try_for_each(|seq| self.answer(seq))?;
        self.commit()
    }
}

/// The processor time that a process has used so far, and its resident and anonymous memory in KiB.
pub(crate) fn usage(pid: u32) -> anyhow::Result<(Duration, u64, u64)> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/schedstat"))?;
    let nanos: u64 = stat.split_whitespace().next().context("no schedstat")?.parse()?;
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    let field = |name: &str| -> u64 {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|rest| rest.split_whitespace().next()).and_then(|kib| kib.parse().ok()).unwrap_or(0)
    };
    Ok((Duration::from_nanos(nanos), field("VmRSS:"), field("RssAnon:")))
}

/// Makes a desk of a thousand asks one of a million: more rows like those, each with an id of its own.
pub(crate) fn multiply(path: &Path, by: usize) -> anyhow::Result<()> {
    let conn = Connection::open(path)?;
    let columns = "state, pending, due_at, title, asker, folder, dialect, questions, answered, draft_rev, seen, \
                   delivered, attached, pid, started, created_at, changed_at, status, account";
    let count: i64 = conn.query_row("SELECT max(seq) FROM ask", [], |row| row.get(0))?;
    conn.execute_batch("PRAGMA synchronous = OFF; BEGIN")?;
    for round in 1..i64::try_from(by)? {
        let offset = round * count;
        conn.execute(
            &format!(
                "INSERT INTO ask (seq, id, content, {columns}) \
                 SELECT seq + {offset}, randomblob(16), NULL, {columns} FROM ask WHERE seq <= {count}"
            ),
            [],
        )?;
        conn.execute(
            &format!("INSERT INTO request SELECT seq + {offset}, body FROM request WHERE seq <= {count}"),
            [],
        )?;
    }
    conn.execute_batch("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")?;
    Ok(())
}
