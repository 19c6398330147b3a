//! Pages of a desk file that are in no use. Most are used again; those of a large purge are given back to the disk.

use rusqlite::Connection;

/// Pages given back in one transaction: 4 MiB, of which each may be copied.
const STEP_PAGES: i64 = 1 << 10;

/// Share of the file that may stay free: one page of so many.
const FREE_SHARE: i64 = 8;

/// Returns whether so many pages are free that the disk should have them back.
pub(super) fn are_many(conn: &Connection) -> rusqlite::Result<bool> {
    let count = |name| conn.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let free = count("freelist_count")?;
    Ok(free >= STEP_PAGES && free > count("page_count")? / FREE_SHARE)
}

/// Moves pages from the end of the file to free ones, and returns the number of pages by which it becomes shorter.
pub(crate) fn give_back(conn: &Connection) -> rusqlite::Result<usize> {
    let free = || conn.pragma_query_value(None, "freelist_count", |row| row.get::<_, i64>(0));
    let earlier_count = free()?;
    let mut vacuum = conn.prepare(&format!("PRAGMA incremental_vacuum({STEP_PAGES})"))?;
    let mut rows = vacuum.query([])?;
    // Each row is a page.
    while rows.next()?.is_some() {}
    Ok(usize::try_from(earlier_count - free()?).unwrap_or_default())
}
