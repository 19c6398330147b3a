//! The statements of an ask and an answer by `pgbench`.

use crate::Run;
use crate::request::TEXT;
use anyhow::Context as _;
use sayso_desk::PostgresAddress;
use sayso_desk::contract::DatabaseServer;

/// Transactions of an ask and of its answer, as the store writes them: the lock, reads, writes, the head of the desk.
/// `BODY` stands for the request.
const PAIR: &str = r#"BEGIN;
SELECT format, last_change, last_row, pending, mark, last_row + 1 AS row, last_change + 1 AS change FROM desk FOR UPDATE \gset
SELECT seq FROM key WHERE owner = 'bench' AND key = 'k' || :row;
INSERT INTO ask (seq, id, state, pending, content, title, asker, folder, dialect, questions, seen, delivered, attached, created_at, changed_at, status, kept_bytes) VALUES (:row, decode(md5('a' || :row), 'hex'), 'open', true, decode(md5('c' || :row), 'hex'), 'Deploy plan for api-gateway', 'bench-' || :row, '/srv/api', 'sayso', 3, false, false, false, 1, 1, '{"phase":"open","attention":"unseen","delivery":"none"}', 1500);
INSERT INTO request (seq, body) VALUES (:row, 'BODY');
INSERT INTO search (seq, words) VALUES (:row, 'deploy plan for api-gateway bench /srv/api which environment should i target first? when should the rollout start?');
INSERT INTO change (n, id, at, events) VALUES (:change, decode(md5('a' || :row), 'hex'), 1, '[{"event":"opened"}]');
INSERT INTO key (owner, key, request, seq) VALUES ('bench', 'k' || :row, decode(md5('c' || :row), 'hex'), :row);
UPDATE desk SET last_change = :change, last_row = :row, pending = pending + 1;
COMMIT;
BEGIN;
SELECT format, last_change, last_row, pending, mark, last_change + 1 AS change FROM desk FOR UPDATE \gset
SELECT ask.seq AS found, id, body, status FROM ask JOIN request ON request.seq = ask.seq WHERE id = decode(md5('a' || :row), 'hex');
UPDATE ask SET state = 'answered', pending = false, content = NULL, changed_at = 2, status = '{"phase":{"answered":{"env":"canary","window":["tonight"],"notes":"drop v1"}},"delivery":"none"}', kept_bytes = 2200 WHERE seq = :row;
INSERT INTO change (n, id, at, events) VALUES (:change, decode(md5('a' || :row), 'hex'), 2, '[{"event":"settled","outcome":{"answered":{"env":"canary","window":["tonight"],"notes":"drop v1"}}}]');
UPDATE desk SET last_change = :change, pending = pending - 1;
COMMIT;
"#;

/// Returns the pairs of an ask and an answer that 64 connections make in a second.
pub(crate) fn pairs_per_second(
    run: &Run,
    server: &DatabaseServer,
    desk: &PostgresAddress,
) -> anyhow::Result<f64> {
    // Its user may read the folder of the server alone, and `pgbench` takes a colon for a variable.
    let file = format!("{}/pairs.sql", server.socket());
    let body = TEXT.replace('\'', "''").replace(':', " ");
    std::fs::write(&file, PAIR.replace("BODY", &body))?;
    let (port, seconds) = (server.port().to_string(), if run.quick { "1" } else { "4" });
    let name = desk.to_string();
    let name = name.split('/').nth(3).and_then(|rest| rest.split('?').next()).context("no database")?;
    let mut command = server.program("pgbench");
    command.args(["-n", "-M", "prepared", "-c", "64", "-j", "2", "-T", seconds, "-f", &file]);
    let ended = command.args(["-h", &server.socket(), "-p", &port, "-U", "sayso", name]).output()?;
    let printed = String::from_utf8_lossy(&ended.stdout).into_owned();
    let rate =
        printed.lines().find_map(|line| line.strip_prefix("tps = ")).and_then(|rest| rest.split(' ').next());
    let output = || format!("{printed}{}", String::from_utf8_lossy(&ended.stderr));
    Ok(rate.with_context(output)?.parse()?)
}
