//! Client of a test's server: what an operator types.

use super::DatabaseServer;
use std::cell::RefCell;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// Ends the output of a statement.
const MARK: &str = "-- that was all --";

/// Session of `psql` in one database.
#[derive(Debug)]
pub struct DatabaseClient {
    program: Child,
    input: RefCell<ChildStdin>,
    output: RefCell<BufReader<ChildStdout>>,
}

impl DatabaseServer {
    /// Opens a session in a database.
    pub fn client(&self, database: &str) -> DatabaseClient {
        let port = self.port.to_string();
        let place = ["-h", &self.socket(), "-p", &port, "-U", "sayso", "-d", database].map(str::to_owned);
        let mut command = self.command("psql");
        command.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]).args(place);
        let mut program = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (program.stdin.take().unwrap(), program.stdout.take().unwrap());
        DatabaseClient { program, input: input.into(), output: BufReader::new(output).into() }
    }
}

impl DatabaseClient {
    /// Runs a statement, and returns its rows, one a line.
    pub fn query(&self, sql: &str) -> String {
        writeln!(self.input.borrow_mut(), "{sql};\n\\echo '{MARK}'").unwrap();
        let (mut rows, mut output) = (String::new(), self.output.borrow_mut());
        loop {
            let mut line = String::new();
            assert!(output.read_line(&mut line).unwrap() > 0, "it failed: {sql}");
            if line.trim_end() == MARK {
                return rows.trim_end().to_owned();
            }
            rows.push_str(&line);
        }
    }

    /// Makes so many pending asks of the first one of the desk in this database.
    pub fn multiply_first_ask(&self, count: usize) {
        let columns = "state, title, asker, folder, dialect, questions, seen, delivered, attached, created_at, \
                       changed_at, status, kept_bytes, audience, readers";
        self.query(&format!(
            "INSERT INTO ask (seq, id, pending, {columns}) SELECT last_row + number, decode(md5(number::text), 'hex'), \
             true, {columns} FROM ask, desk, generate_series(1, {count}) AS number \
             WHERE seq = (SELECT min(seq) FROM ask)"
        ));
        self.query(&format!("UPDATE desk SET last_row = last_row + {count}, pending = pending + {count}"));
    }

    /// Repeats a query until its result is this one.
    pub fn wait_for(&self, sql: &str, result: &str) {
        for _ in 0..200_000 {
            if self.query(sql) == result {
                return;
            }
        }
        panic!("{sql} is {}, not {result}", self.query(sql));
    }
}

impl Drop for DatabaseClient {
    fn drop(&mut self) {
        _ = self.program.kill().and_then(|()| self.program.wait());
    }
}
