//! Lists and lookup of short ids.

use super::ask_rows::{read_audience, read_id};
use crate::query::{self, AskPage, AskQuery, PageCursor};
use crate::store::IdScope;
use crate::store::postgres::connection::{Query, Value};
use crate::store::postgres::error::DatabaseError;
use crate::store::row_value::without_nul;
use crate::store::stored_time::to_timestamp;
use jiff::Timestamp;
use sayso_core::model::actor::ProcessId;
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::wire::json;
use sayso_core::{AskId, AskReader, AskSummary, Departures, limits};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

const COLUMNS: &str = "seq, id, state, title, asker, folder, dialect, questions, answered, seen, delivered, attached, \
                       pid, started, created_at, changed_at, due_at, asked, draft_rev, account, program, audience, act, approved";

/// Condition of a list, with its values.
#[derive(Default)]
struct Condition {
    sql: String,
    values: Vec<Value>,
}

impl Condition {
    /// Adds a part, in which each `?` stands for one of the values.
    fn and(&mut self, part: &str, values: impl IntoIterator<Item = Value>) {
        self.values.extend(values);
        if !self.sql.is_empty() {
            self.sql.push_str(" AND ");
        }
        self.sql.push_str(part);
    }

    /// Returns the SQL with numbered parameters.
    fn numbered(&self) -> String {
        let mut numbered = String::with_capacity(self.sql.len() + 16);
        for (number, part) in self.sql.split('?').enumerate() {
            if number > 0 {
                numbered.push_str(&format!("${number}"));
            }
            numbered.push_str(part);
        }
        numbered
    }

    fn run(&self, query: &impl Query, select: &str, rest: &str) -> Result<Vec<Row>, DatabaseError> {
        self.run_sql(query, &format!("SELECT {select} FROM ask WHERE {} {rest}", self.numbered()))
    }

    /// Runs a query with these values.
    fn run_sql(&self, query: &impl Query, sql: &str) -> Result<Vec<Row>, DatabaseError> {
        let values: Vec<&(dyn ToSql + Sync)> =
            self.values.iter().map(|value| &**value as &(dyn ToSql + Sync)).collect();
        query.rows(sql, &values)
    }
}

fn value(value: impl ToSql + Sync + Send + 'static) -> Value {
    Box::new(value)
}

/// Reads one page. Pending asks come in the order they were opened, others newest first.
pub(crate) fn page(
    query: &impl Query,
    wanted: &AskQuery,
    without_due: Option<Timestamp>,
) -> Result<AskPage, DatabaseError> {
    let most = wanted.rows.unwrap_or(limits::LIST_ROWS).clamp(1, limits::LIST_ROWS);
    let pending = wanted.states.iter().all(|state| state.is_pending());
    let ended = wanted.states.iter().all(|state| !state.is_pending());
    let mut condition = Condition::default();
    condition.and(
        if pending {
            "pending"
        } else if ended {
            "NOT pending"
        } else {
            "true"
        },
        [],
    );
    if let Some(after) = wanted.after {
        condition.and(if pending { "seq > ?" } else { "seq < ?" }, [value(after.0)]);
    }
    let scope = condition.numbered();
    if !wanted.states.is_empty() {
        let words: Vec<_> = wanted.states.iter().map(|state| format!("'{}'", state.as_str())).collect();
        condition.and(&format!("state IN ({})", words.join(", ")), []);
    }
    add_reader(&mut condition, &wanted.reader);
    let keys = condition.values.len();
    for word in wanted.search.iter().flat_map(|search| query::search_words(search)).take(limits::SEARCH_WORDS)
    {
        add_word(&mut condition, word);
    }
    if let Some(asker) = &wanted.asker {
        let folder = asker.folder.as_deref().map(without_nul);
        condition.and(
            "asker = ? AND folder IS NOT DISTINCT FROM ?",
            [value(without_nul(&asker.name)), value(folder)],
        );
    }
    if let Some(dialect) = &wanted.dialect {
        condition.and("dialect = ?", [value(without_nul(dialect))]);
    }
    if wanted.undelivered {
        condition.and("NOT delivered", []);
    }
    if let Some(due) = without_due {
        condition.and("(due_at IS NULL OR due_at > ?)", [value(due.as_microsecond())]);
    }
    let order = if pending { "ORDER BY seq LIMIT" } else { "ORDER BY seq DESC LIMIT" };
    let end = format!("{order} {}", most + 1);
    let found = match &wanted.reader {
        AskReader::Person { is_in_default_audience, inherits, .. } if wanted.search.is_none() => {
            let nearby = format!("{scope} {order} {NEARBY_ROWS}");
            let found = run_nearby(query, &condition, &nearby, &end)?;
            match inherits {
                _ if found.len() > most => found,
                // The index does not know who has gone.
                Some(_) => condition.run(query, COLUMNS, &end)?,
                None => run_by_readers(query, &condition, (keys, *is_in_default_audience), &end)?,
            }
        }
        _ => condition.run(query, COLUMNS, &end)?,
    };
    let read = found.iter().take(most).map(|row| Ok((row.try_get::<_, i64>(0)?, read_row(row)?)));
    let rows = read.collect::<Result<Vec<_>, DatabaseError>>()?;
    let next = rows.last().filter(|_| found.len() > most).map(|(seq, _)| PageCursor(*seq));
    let may_see = |row: &AskSummary| {
        row.damaged || wanted.reader.may_see(row.account.as_deref(), row.audience.as_ref())
    };
    let rows = rows.into_iter().map(|(_, row)| row).filter(may_see).collect();
    Ok(AskPage { rows, next, for_others: 0 })
}

/// Number of the next rows that are read without the index of readers. A reader of many asks finds a page among them.
const NEARBY_ROWS: usize = 1_000;

/// Finds rows among the next ones.
fn run_nearby(
    query: &impl Query,
    condition: &Condition,
    nearby: &str,
    end: &str,
) -> Result<Vec<Row>, DatabaseError> {
    let condition_sql = condition.numbered();
    let sql = format!(
        "SELECT {COLUMNS} FROM (SELECT * FROM ask WHERE {nearby}) AS ask WHERE {condition_sql} {end}"
    );
    condition.run_sql(query, &sql)
}

/// Finds rows by the index of readers, and joins them with those for the usual audience. The database would read all
/// rows otherwise, since it cannot know that a reader may see few. `OFFSET 0` keeps it from doing so.
fn run_by_readers(
    query: &impl Query,
    condition: &Condition,
    (keys, is_in_default_audience): (usize, bool),
    end: &str,
) -> Result<Vec<Row>, DatabaseError> {
    let condition_sql = condition.numbered();
    let usual = if is_in_default_audience {
        format!("(SELECT seq FROM ask WHERE readers IS NULL AND {condition_sql} {end}) UNION ALL ")
    } else {
        String::new()
    };
    let named = format!("SELECT seq FROM ask WHERE readers && ${keys} AND {condition_sql} OFFSET 0");
    let all = format!("{usual}(SELECT seq FROM ({named}) AS named {end})");
    condition.run_sql(query, &format!("SELECT {COLUMNS} FROM ask WHERE seq IN ({all}) {end}"))
}

/// Adds the condition that a reader may see an ask.
///
/// **Invariant:** it gives the rows for which [`AskReader::may_see`] is true, and for an admin perhaps more.
fn add_reader(condition: &mut Condition, reader: &AskReader) {
    match reader {
        AskReader::Desk => {}
        AskReader::Nobody => condition.and("false", []),
        AskReader::Asker { account } => condition.and("account = ?", [value(without_nul(account))]),
        AskReader::Person { is_in_default_audience, inherits, .. } => {
            let mut parts = vec!["readers && ?"];
            let mut values = vec![value(reader.keys())];
            if let Some(departures) = inherits {
                // Others may be left in an audience with such a key.
                parts.push(
                    "EXISTS (SELECT 1 FROM unnest(readers) AS key WHERE key = ANY (?) OR key LIKE ANY (?) \
                     OR key LIKE 'g:%' AND key <> ALL (?))",
                );
                values.extend(gone_keys(departures).map(value));
            }
            if *is_in_default_audience {
                parts.push("readers IS NULL");
            }
            condition.and(&format!("({})", parts.join(" OR ")), values);
        }
    }
}

/// Returns the keys of accounts that have gone, the patterns of those of services' users, and the keys of the groups that
/// have not gone.
fn gone_keys(departures: &Departures) -> [Vec<String>; 3] {
    [
        departures.accounts().iter().map(|account| format!("a:{account}")).collect(),
        departures.services().iter().map(|service| format!("a:{}/%", service.replace('_', "\\_"))).collect(),
        departures.living_groups().iter().map(|group| format!("g:{group}")).collect(),
    ]
}

/// Adds the condition that a word is found. Shorter words are matched in the title, the asker's name and its account.
/// A word that may be an id matches it too.
fn add_word(condition: &mut Condition, word: &str) {
    let lower = without_nul(word).to_lowercase();
    let like = format!("%{}%", lower.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"));
    if word.chars().count() < 3 {
        // The object is the last member of the act.
        let object = "substr(act, strpos(act, '\"object\":') + 10)";
        let names = format!("lower(concat_ws(' ', title, asker, account, {object})) LIKE ?");
        return condition.and(&names, [value(like)]);
    }
    let matches = "seq IN (SELECT seq FROM search WHERE words LIKE ?)";
    match AskId::search_digits(word) {
        Some(digits) => {
            let digits = digits.to_ascii_lowercase();
            let id = "(seq IN (SELECT seq FROM search WHERE words LIKE ?) OR substr(encode(id, 'hex'), 25) LIKE ? \
                      OR id BETWEEN ? AND ?)";
            let (first, last) = id_range(&digits).unwrap_or_default();
            condition.and(id, [value(like), value(format!("{digits}%")), value(first), value(last)]);
        }
        None => condition.and(matches, [value(like)]),
    }
}

fn read_row(row: &Row) -> Result<AskSummary, DatabaseError> {
    let id = read_id(row, 1)?;
    let Some(state) = AskStatus::parse(row.try_get(2)?) else { return Ok(AskSummary::damaged(id)) };
    let count = |column: usize| -> Result<u32, DatabaseError> {
        Ok(u32::try_from(row.try_get::<_, i64>(column)?).unwrap_or(u32::MAX))
    };
    let [pid, started]: [Option<i64>; 2] = [row.try_get(12)?, row.try_get(13)?];
    let process = pid.map(|pid| ProcessId {
        pid: u32::try_from(pid).unwrap_or_default(),
        started: started.unwrap_or_default().cast_unsigned(),
    });
    let questions = count(7)?;
    let asked =
        row.try_get::<_, Option<i64>>(17)?.and_then(|asked| u32::try_from(asked).ok()).unwrap_or(questions);
    Ok(AskSummary {
        id,
        state,
        title: row.try_get(3)?,
        approved: row.try_get(23)?,
        act: row.try_get::<_, Option<&str>>(22)?.and_then(|act| json::read_own(act).ok()),
        asker: row.try_get(4)?,
        account: row.try_get(19)?,
        program: row.try_get(20)?,
        audience: read_audience(row, 21)?,
        folder: row.try_get(5)?,
        dialect: row.try_get(6)?,
        questions,
        asked,
        answered: count(8)?.min(asked),
        drafted: row.try_get::<_, i64>(18)? > 0,
        seen: row.try_get(9)?,
        delivered: row.try_get(10)?,
        attached: row.try_get(11)?,
        process,
        created_at: to_timestamp(row.try_get(14)?),
        changed_at: to_timestamp(row.try_get(15)?),
        deadline: row.try_get::<_, Option<i64>>(16)?.map(to_timestamp),
        damaged: false,
    })
}

/// Largest number of candidates for a short id.
const MAX_CANDIDATES: usize = 6;

/// Finds the asks that a full id, an id prefix or a handle prefix matches.
pub(crate) fn find(query: &impl Query, given: &str, scope: IdScope<'_>) -> Result<Vec<AskId>, DatabaseError> {
    let mut condition = Condition::default();
    condition.and("true", []);
    add_reader(&mut condition, scope.reader);
    if let Some(id) = AskId::parse(given) {
        condition.and("id = ?", [value(id.as_bytes().to_vec())]);
        return condition.run(query, "id", "")?.iter().map(|row| read_id(row, 0)).collect();
    }
    let digits: String = given.chars().filter(|c| *c != '-').collect::<String>().to_ascii_lowercase();
    let Some((first, last)) = id_range(&digits) else { return Ok(Vec::new()) };
    if scope.pending_only {
        condition.and("pending", []);
    }
    if digits.len() <= AskId::SHORT_ID_CHARS {
        let part = "(id BETWEEN ? AND ? OR substr(encode(id, 'hex'), 25) LIKE ?)";
        condition.and(part, [value(first.clone()), value(last.clone()), value(format!("{digits}%"))]);
    } else {
        condition.and("id BETWEEN ? AND ?", [value(first.clone()), value(last.clone())]);
    }
    let rows = condition.run(query, "id", &format!("LIMIT {MAX_CANDIDATES}"))?;
    let mut found = rows.iter().map(|row| read_id(row, 0)).collect::<Result<Vec<_>, _>>()?;
    // Matches at the beginning come first.
    found.sort_by_key(|id| !(first.as_slice()..=last.as_slice()).contains(&id.as_bytes().as_slice()));
    Ok(found)
}

/// Returns the first and the last id with this hexadecimal prefix, if it is a valid one.
fn id_range(digits: &str) -> Option<(Vec<u8>, Vec<u8>)> {
    if digits.len() < 2 || digits.len() > 32 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let with = |filling: String| u128::from_str_radix(&filling, 16).ok().map(|id| id.to_be_bytes().to_vec());
    with(format!("{digits:0<32}")).zip(with(format!("{digits:f<32}")))
}
