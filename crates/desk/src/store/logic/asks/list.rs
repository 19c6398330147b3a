//! Lists: which asks they have, in which order, and where a page ends. Also the lookup of short ids.
//!
//! **Invariant:** the condition on readers gives the rows for which [`AskReader::may_see`] is true, and for an admin
//! perhaps more. Every row of a list is checked against both, because an index may be damaged.

use super::ask_sql::{AskSql, Condition};
use super::ask_store::AskReads;
use super::{UNKNOWN_ID, read_audience};
use crate::query::{self, AskPage, AskQuery, PageCursor};
use crate::store::api::IdScope;
use crate::store::logic::statements::StoreReader;
use crate::store::row_value::{RowValue, StoredRow, UnreadableColumn};
use jiff::Timestamp;
use sayso_core::model::actor::ProcessId;
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::wire::json;
use sayso_core::{AskId, AskReader, AskSummary, limits};

/// Largest number of candidates for a short id.
const MAX_CANDIDATES: usize = 6;

/// Columns of a row of a list. A database may add some of its own.
pub(crate) const COLUMNS: &str = "seq, id, state, title, asker, folder, dialect, questions, answered, seen, delivered, attached, \
                                  pid, started, created_at, changed_at, due_at, asked, draft_rev, account, program, audience, act, approved";

/// Number of columns in [`COLUMNS`].
pub(crate) const COLUMN_COUNT: usize = 24;

/// Rows that a database finds for a list.
pub(crate) struct ListStatement<'a> {
    pub(crate) reader: &'a AskReader,
    /// Condition of the rows, whoever reads them and whatever is in them: their state, and the place in the list.
    pub(crate) scope: Condition,
    /// Condition of the rows. The scope is its first part, so it numbers the values of the scope alike.
    pub(crate) condition: Condition,
    /// Order of the rows.
    pub(crate) order: &'static str,
    /// Largest number of rows: those of the page, and one that says whether there is a next page.
    pub(crate) limit: usize,
    /// True if the rows must have words.
    pub(crate) has_search: bool,
}

/// Returns the number of rows of a page.
pub(crate) fn page_rows(query: &AskQuery) -> usize {
    query.rows.unwrap_or(limits::LIST_ROWS).clamp(1, limits::LIST_ROWS)
}

/// Reads one page. Pending asks come in the order they were opened, others newest first.
pub(crate) fn page<R: AskReads>(
    reader: &R,
    query: &AskQuery,
    without_due: Option<Timestamp>,
) -> Result<AskPage, R::Error> {
    let most = page_rows(query);
    let mut rows = reader.find_summaries(&write_statement::<R::Sql>(query, without_due))?;
    let has_next = rows.len() > most;
    rows.truncate(most);
    let mut page = AskPage::default();
    if has_next && let Some((last, _)) = rows.last() {
        page.next = Some(PageCursor(*last));
    }
    for (_, row) in rows {
        if row.damaged || query.reader.may_see(row.account.as_deref(), row.audience.as_ref()) {
            page.rows.push(row);
        }
    }
    Ok(page)
}

fn write_statement<Q: AskSql>(query: &AskQuery, without_due: Option<Timestamp>) -> ListStatement<'_> {
    let is_pending = query.states.iter().all(|state| state.is_pending());
    let has_ended = query.states.iter().all(|state| !state.is_pending());
    let mut condition = Condition::default();
    // This part lets an index serve the rows in their order.
    if is_pending {
        condition.and(Q::PENDING, []);
    } else if has_ended {
        condition.and(Q::ENDED, []);
    }
    if let Some(PageCursor(after)) = query.after {
        condition.and(if is_pending { "seq > ?" } else { "seq < ?" }, [after.into()]);
    }
    let scope = condition.clone();
    add_states(&mut condition, &query.states);
    add_reader::<Q>(&mut condition, &query.reader);
    if let Some(search) = &query.search {
        add_words::<Q>(&mut condition, search);
    }
    if let Some(asker) = &query.asker {
        let folder = asker.folder.as_deref();
        condition
            .and("asker = ? AND folder IS NOT DISTINCT FROM ?", [asker.name.as_str().into(), folder.into()]);
    }
    if let Some(dialect) = &query.dialect {
        condition.and("dialect = ?", [dialect.into()]);
    }
    if query.undelivered {
        condition.and(Q::UNDELIVERED, []);
    }
    if let Some(due) = without_due {
        condition.and("(due_at IS NULL OR due_at > ?)", [due.into()]);
    }
    ListStatement {
        reader: &query.reader,
        scope,
        condition,
        order: if is_pending { "ORDER BY seq" } else { "ORDER BY seq DESC" },
        limit: page_rows(query) + 1,
        has_search: query.search.is_some(),
    }
}

/// Adds the condition that an ask is in one of these states; none adds nothing: the list is then of pending asks. An
/// unknown state word is damage, and every list shows it as such.
fn add_states(condition: &mut Condition, states: &[AskStatus]) {
    if states.is_empty() {
        return;
    }
    let listed_states = join_states(states);
    let all_states = join_states(&AskStatus::ALL);
    condition.and(&format!("(state IN ({listed_states}) OR state NOT IN ({all_states}))"), []);
}

fn join_states(states: &[AskStatus]) -> String {
    let words: Vec<_> = states.iter().map(|state| format!("'{}'", state.as_str())).collect();
    words.join(", ")
}

/// Adds the condition that a reader may see an ask.
fn add_reader<Q: AskSql>(condition: &mut Condition, reader: &AskReader) {
    match reader {
        AskReader::Desk => {}
        AskReader::Nobody => condition.and("false", []),
        AskReader::Asker { account } => condition.and("account = ?", [account.into()]),
        AskReader::Person { is_in_default_audience, inherits, .. } => {
            let (mut may_see, values) = Q::names_reader(reader.keys(), inherits.as_deref());
            if *is_in_default_audience {
                may_see = format!("{} OR {may_see}", Q::FOR_USUAL_AUDIENCE);
            }
            condition.and(&format!("({may_see})"), values);
        }
    }
}

/// Adds the condition that all words are found. A word of one or two characters is looked for in the names alone: the
/// title, the act, the asker and its account. One that may be an id matches it, too.
fn add_words<Q: AskSql>(condition: &mut Condition, search: &str) {
    let mut long_words = Vec::new();
    for word in query::search_words(search).take(limits::SEARCH_WORDS) {
        if word.chars().count() < 3 {
            condition.and(Q::HAS_NAME, [Q::name_value(contains_pattern(word))]);
        } else if let Some(digits) = AskId::search_digits(word) {
            add_id_word::<Q>(condition, word, &digits);
        } else {
            long_words.push(word);
        }
    }
    for value in Q::word_values(&long_words) {
        condition.and(Q::HAS_WORDS, [value]);
    }
}

/// Adds the condition that a word is found, or an id begins with its digits. Fewer digits than a short id has are looked
/// for in the short id alone, because the ids of the same hours begin alike.
fn add_id_word<Q: AskSql>(condition: &mut Condition, word: &str, digits: &str) {
    let mut part = format!("{} OR {} LIKE ?", Q::HAS_WORDS, Q::SHORT_ID);
    let mut values = Q::word_values(&[word]);
    values.push(format!("{digits}%").into());
    if digits.len() >= AskId::SHORT_ID_CHARS
        && let Some((first, last)) = id_range(digits)
    {
        part.push_str(" OR id BETWEEN ? AND ?");
        values.extend([first, last]);
    }
    condition.and(&format!("({part})"), values);
}

/// Returns the pattern of texts that contain a word.
pub(crate) fn contains_pattern(word: &str) -> String {
    format!("%{}%", word.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"))
}

/// Reads the row number and the rest of a row of [`COLUMNS`]. One that cannot be read is marked as damaged.
pub(crate) fn read_row(row: &StoredRow) -> Result<(i64, AskSummary), UnreadableColumn> {
    let id = row.get(1).unwrap_or(UNKNOWN_ID);
    let summary = match read_summary(row, id) {
        Ok(Some(summary)) => summary,
        Ok(None) | Err(_) => AskSummary::damaged(id),
    };
    Ok((row.get(0)?, summary))
}

/// Reads a row of [`COLUMNS`], unless its state is unknown.
pub(crate) fn read_summary(row: &StoredRow, id: AskId) -> Result<Option<AskSummary>, UnreadableColumn> {
    let state: String = row.get(2)?;
    let Some(state) = AskStatus::parse(&state) else { return Ok(None) };
    let question_count: u32 = row.get(7)?;
    let answer_count: u32 = row.get(8)?;
    let asked_count: Option<u32> = row.get(17)?;
    let asked_count = asked_count.unwrap_or(question_count);
    let draft_rev: i64 = row.get(18)?;
    let act: Option<String> = row.get(22)?;
    Ok(Some(AskSummary {
        id,
        state,
        title: row.get(3)?,
        approved: row.get(23)?,
        act: act.and_then(|act| json::read_own(&act).ok()),
        asker: row.get(4)?,
        account: row.get(19)?,
        program: row.get(20)?,
        audience: read_audience(row, 21)?,
        folder: row.get(5)?,
        dialect: row.get(6)?,
        questions: question_count,
        asked: asked_count,
        answered: answer_count.min(asked_count),
        drafted: draft_rev > 0,
        seen: row.get(9)?,
        delivered: row.get(10)?,
        attached: row.get(11)?,
        process: read_process(row)?,
        created_at: row.get(14)?,
        changed_at: row.get(15)?,
        deadline: row.get(16)?,
        damaged: false,
    }))
}

fn read_process(row: &StoredRow) -> Result<Option<ProcessId>, UnreadableColumn> {
    let pid: Option<u32> = row.get(12)?;
    let start_ticks: Option<i64> = row.get(13)?;
    let Some(pid) = pid else { return Ok(None) };
    Ok(Some(ProcessId { pid, started: start_ticks.unwrap_or_default().cast_unsigned() }))
}

/// Finds the asks that a full id, an id prefix or a short id matches. Those that begin with it come first.
pub(crate) fn find<R: StoreReader>(
    reader: &R,
    text: &str,
    scope: IdScope<'_>,
) -> Result<Vec<AskId>, R::Error> {
    let mut condition = Condition::default();
    let mut order = String::new();
    if let Some(id) = AskId::parse(text) {
        condition.and("id = ?", [id.into()]);
    } else {
        let digits = text.replace('-', "").to_ascii_lowercase();
        let Some((first, last)) = id_range(&digits) else { return Ok(Vec::new()) };
        if scope.pending_only {
            condition.and(R::Sql::PENDING, []);
        }
        if digits.len() <= AskId::SHORT_ID_CHARS {
            let part = format!("(id BETWEEN ? AND ? OR {} LIKE ?)", R::Sql::SHORT_ID);
            condition.and(&part, [first, last, format!("{digits}%").into()]);
            order =
                format!("ORDER BY CASE WHEN id BETWEEN $1 AND $2 THEN 0 ELSE 1 END LIMIT {MAX_CANDIDATES}");
        } else {
            condition.and("id BETWEEN ? AND ?", [first, last]);
            order = format!("LIMIT {MAX_CANDIDATES}");
        }
    }
    add_reader::<R::Sql>(&mut condition, scope.reader);
    let sql = format!("SELECT id FROM ask WHERE {condition} {order}");
    let mut ids = Vec::new();
    for row in reader.query(&sql, condition.values())? {
        // An ask whose id is damaged must not hide the others.
        ids.push(row.get(0).unwrap_or(UNKNOWN_ID));
    }
    Ok(ids)
}

/// Returns the first and the last id with this hexadecimal prefix, if it is a valid one.
fn id_range(digits: &str) -> Option<(RowValue, RowValue)> {
    if digits.len() < 2 || digits.len() > 32 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let first = u128::from_str_radix(&format!("{digits:0<32}"), 16).ok()?;
    let last = u128::from_str_radix(&format!("{digits:f<32}"), 16).ok()?;
    Some((first.to_be_bytes().as_slice().into(), last.to_be_bytes().as_slice().into()))
}
