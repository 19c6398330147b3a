//! Log of what happened in the turns that have not ended. A desk file has one server: it reads the log when it starts.

use crate::store::sqlite::integrity::checksum;
use crate::thread::{TurnNews, TurnNewsKind, TurnNewsPage};
use rusqlite::{Connection, Row, params};

fn last_place(conn: &Connection) -> rusqlite::Result<i64> {
    conn.prepare_cached(
        "SELECT max(coalesce((SELECT max(n) FROM turn), 0), coalesce((SELECT max(n) FROM turn_log), 0))",
    )?
    .query_row([], |row| row.get(0))
}

/// Returns a place that is larger than the numbers of all turns, and the places of the log.
pub(super) fn next_place(conn: &Connection) -> rusqlite::Result<i64> {
    Ok(last_place(conn)? + 1)
}

/// Appends what happened in a turn, at one place after another, and returns the last place that is taken then.
pub(super) fn append(conn: &Connection, turn: i64, news: &[TurnNewsKind]) -> rusqlite::Result<i64> {
    let mut last = last_place(conn)?;
    for one in news {
        last += 1;
        append_at(conn, last, turn, one)?;
    }
    Ok(last)
}

/// Appends what happened in a turn at a place.
pub(super) fn append_at(
    conn: &Connection,
    place: i64,
    turn: i64,
    news: &TurnNewsKind,
) -> rusqlite::Result<()> {
    let (kind, body) = (news.kind(), news.body());
    conn.prepare_cached("INSERT INTO turn_log (n, turn, kind, body, sum) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![place, turn, kind, body, checksum::turn_log_sum(place, turn, kind, body)])
        .map(drop)
}

/// Reads what happened after a place.
pub(super) fn read_after(conn: &Connection, after: i64) -> rusqlite::Result<TurnNewsPage> {
    let news = conn
        .prepare_cached("SELECT n, turn, kind, body, sum FROM turn_log WHERE n > ?1 ORDER BY n")?
        .query_map([after], read_row)?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(TurnNewsPage { news, last: last_place(conn)? })
}

fn read_row(row: &Row<'_>) -> rusqlite::Result<TurnNews> {
    let (place, turn, kind, body): (i64, i64, String, Vec<u8>) =
        (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
    let is_intact = checksum::matches_stored(row.get(4)?, checksum::turn_log_sum(place, turn, &kind, &body));
    let kind = if is_intact { TurnNewsKind::read(&kind, body) } else { TurnNewsKind::Damaged };
    Ok(TurnNews { place, turn, kind })
}

#[cfg(test)]
mod tests {
    use crate::store::sqlite::tests::{desk, open_raw};
    use crate::thread::TurnNewsKind;
    use tempfile::TempDir;

    #[test]
    fn damaged_row_hides_no_other() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("desk");
        let thread = desk(&path).new_thread("ada", None).unwrap().id;
        let turn = desk(&path).post_message(&thread, "hello", None, None).unwrap();
        let text = |text: &str| TurnNewsKind::Published(text.as_bytes().to_vec());
        desk(&path).share_turn(turn, vec![text("one"), text("two")]).unwrap();
        open_raw(&path).execute("UPDATE turn_log SET body = x'01' WHERE body = ?1", [b"one"]).unwrap();
        let kinds = desk(&path).turn_news(turn).unwrap().news.into_iter().map(|news| news.kind);
        assert_eq!(kinds.collect::<Vec<_>>(), [TurnNewsKind::Damaged, text("two")]);
    }
}
