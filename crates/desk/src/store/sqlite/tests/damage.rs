//! Damaged rows are reported with the id of their ask, and never returned as true.

use super::*;
use crate::contract::{answer, asker, deliver, new_ask, note, open, person};
use crate::desk::Desk as _;
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{Ask, ProblemCode};
use tempfile::TempDir;

/// Returns a desk with two answered asks after this statement has overwritten something.
fn damaged_desk(sql: &str) -> (TempDir, StoreDesk, [Ask; 2]) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let asks = {
        let desk = desk(&path);
        ["door", "wall"].map(|title| {
            let ask = desk.open(Some(title), new_ask(title)).unwrap().into_ask();
            desk.save(&person("ada"), ask.id, DraftRev(0), vec![note(title)]).unwrap();
            let ask = answer(&desk, &ask);
            deliver(&desk, &ask);
            desk.get(ask.id).unwrap()
        })
    };
    open_raw(&path).execute_batch(sql).unwrap();
    let desk = desk(&path);
    (folder, desk, asks)
}

#[test]
fn damaged_body_is_never_returned() {
    let swap = |table: &str, column: &str| {
        format!(
            "UPDATE {table} SET {column} = (SELECT other.{column} FROM {table} AS other WHERE other.seq = 2), \
             sum = (SELECT other.sum FROM {table} AS other WHERE other.seq = 2) WHERE seq = 1"
        )
    };
    let status = swap("ask", "status").replace("sum", "status_sum");
    for sql in [status, swap("request", "body")] {
        let (_folder, desk, [door, wall]) = damaged_desk(&sql);
        let problem = desk.get(door.id).unwrap_err();
        assert_eq!(problem.code, ProblemCode::AskDamaged, "{sql}");
        assert!(problem.to_string().contains(&door.id.short_id()), "{problem}");
        assert_eq!(desk.get(wall.id).unwrap(), wall);
    }
    let (_folder, desk, [door, _]) = damaged_desk(&swap("rendering", "body"));
    let offered = desk.offer(&asker(), &door, "plain", &|_| b"another".to_vec());
    assert_eq!(offered.unwrap_err().code, ProblemCode::AskDamaged);
    let (_folder, desk, [door, wall]) = damaged_desk(&swap("draft", "reply"));
    assert_eq!(desk.draft(door.id).unwrap_err().code, ProblemCode::AskDamaged);
    assert_eq!(desk.draft(wall.id).unwrap().replies, [note("wall")].into());
}

#[test]
fn damaged_key_leads_nowhere() {
    let (_folder, desk, _) = damaged_desk("UPDATE key SET seq = 3 - seq");
    let problem = desk.open(Some("door"), new_ask("door")).unwrap_err();
    assert_eq!(problem.code, ProblemCode::DeskDamaged, "{problem}");
}

#[test]
fn damaged_row_is_listed_as_damaged() {
    for change in [
        "title = 'wall'",
        "asker = 'eve'",
        "state = 'declined'",
        "state = 'x'",
        "changed_at = 0",
        "answered = 7",
        "draft_rev = 9",
        "folder = CAST(x'ff' AS TEXT)",
        "account = 'ci'",
        "delivered = 0",
    ] {
        let (_folder, desk, [door, wall]) = damaged_desk(&format!("UPDATE ask SET {change} WHERE seq = 1"));
        let all = AskQuery { states: AskStatus::ALL.to_vec(), ..AskQuery::default() };
        let rows = desk.list(&all).unwrap().rows;
        let found: Vec<_> = rows.iter().map(|row| (row.id, row.damaged)).collect();
        assert_eq!(found, [(wall.id, false), (door.id, true)], "{change}");
        let ended = AskQuery { states: AskStatus::settled().collect(), ..AskQuery::default() };
        assert_eq!(desk.list(&ended).unwrap().rows, rows, "{change}");
    }
    let (_folder, desk, _) = damaged_desk("");
    open(&desk, "roof");
    assert!(desk.list(&AskQuery::default()).unwrap().rows.iter().all(|row| !row.damaged));
}
