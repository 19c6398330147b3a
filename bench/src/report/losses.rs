//! Rows that lost since the page before, measured by their floor or peer.

use super::figure::{self, Measure};
use super::words;
use crate::table::Measured;
use std::fmt::Write as _;

/// A row that lost more than this is listed.
const NOTED: f64 = 1.3;

/// Cost of a row compared with its floor or first peer, or by itself if it has none; more is worse.
fn cost(figures: &str, beside: &str) -> Option<(f64, bool)> {
    let rated = |cell| {
        let found = figure::first(cell).filter(|(figure, _)| *figure > 0.0);
        found.map(|(figure, measure)| (figure, measure == Measure::Rate))
    };
    let (measured, is_rate) = rated(figures)?;
    let floor = rated(beside).filter(|(_, same)| *same == is_rate);
    let ratio = measured / floor.map_or(1.0, |(floor, _)| floor);
    Some((if is_rate { ratio.recip() } else { ratio }, floor.is_some()))
}

/// Lists the rows that lost since an earlier page.
pub(super) fn list(rows: &[Measured], earlier: &str) -> String {
    let mut text = String::from(words::LOSSES_BEGINNING);
    let mut is_any = false;
    for row in rows {
        let Some(cells) = row_of(earlier, &row.what) else { continue };
        let [before, now] = [cost(cells.0, cells.1), cost(&row.figures, &row.beside)];
        let (Some((before, had_floor)), Some((now, has_floor))) = (before, now) else { continue };
        let loss = now / before;
        if had_floor != has_floor || loss <= NOTED {
            continue;
        }
        is_any = true;
        let measure = if has_floor { "of its ratio to floor or peer" } else { "by itself, without a floor" };
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "- {}: {loss:.2} × {measure}: {}",
            row.what,
            words::why_lost(&row.name, has_floor)
        );
    }
    if !is_any {
        text.push_str(words::NO_LOSSES);
    }
    text
}

/// The figures at rest of a row of a page, and what was measured beside it.
fn row_of<'a>(page: &'a str, what: &str) -> Option<(&'a str, &'a str)> {
    page.lines().find_map(|line| {
        let cells: Vec<&str> = line.strip_prefix("| ")?.split('|').map(str::trim).collect();
        let [name, figures, _, _, _, beside, ..] = cells.as_slice() else { return None };
        (*name == what).then_some((*figures, *beside))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Table, Target};

    fn lost(page: &str, figures: &str, beside: &str) -> bool {
        let mut table = Table::default();
        table.begin("visible");
        table.row("an ask", figures, Target::none(), beside);
        list(&table.rows, page).contains("- an ask: ")
    }

    #[test]
    fn row_that_lost_against_its_floor_is_listed() {
        let page = "| an ask | 0.300 ms · p99 1 ms | 4 ms | ≤ 1 ms | met | raw 0.200 ms<br>beside: 9 ms |";
        assert!(!lost(page, "0.300 ms", "raw 0.200 ms"));
        assert!(!lost(page, "0.600 ms", "raw 0.400 ms"), "a slower machine is no loss");
        assert!(lost(page, "0.300 ms", "raw 0.150 ms"));
        assert!(lost(page, "300 µs", "raw 150 µs"));
        assert!(!lost("", "0.300 ms", "raw 0.150 ms"));
    }

    #[test]
    fn rate_that_fell_is_listed() {
        let page =
            "| an ask | 11799 (76 % of raw SQL) |  |  |  | raw SQL, 64 at once: 15591; in batches: 21638 |";
        assert!(!lost(page, "9800 (70 %)", "raw SQL, 64 at once: 14000; in batches: 1"));
        assert!(lost(page, "7000 (50 %)", "raw SQL, 64 at once: 14000; in batches: 1"));
        assert!(lost("| an ask | 2064 |  |  |  |  |", "306", ""), "without a floor by itself");
    }
}
