//! Single flipped bits all over a desk file, from a fixed seed. No flip may change a returned answer, hide another
//! ask in the list, or escape the check. Flips of unused bytes have no effect.

use super::*;
use crate::contract::{act, answer, as_person, deliver, new_ask, note, open, person, pick, submit};
use crate::desk::Desk as _;
use crate::maintenance;
use crate::thread::{ThreadEventKind, TurnEntry, TurnProgress};
use crate::{Draft, StoreDesk};
use sayso_core::{Ask, AskCommand, AskId, ProblemCode};
use sayso_core::{AskSummary, model::ask_summary::AskStatus};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const FLIPS: usize = 150;

/// Everything that the desk has of one ask.
#[derive(Debug, PartialEq)]
struct AskSnapshot {
    ask: Ask,
    draft: Draft,
    rendering: Option<Vec<u8>>,
    late: usize,
}

impl AskSnapshot {
    fn is_part_of(&self, whole: &Self) -> bool {
        let has_reply = |(question, reply)| whole.draft.replies.get(question) == Some(reply);
        self.ask == whole.ask
            && self.draft.replies.iter().all(has_reply)
            && self.rendering.as_ref().is_none_or(|_| self.rendering == whole.rendering)
            && self.late <= whole.late
    }
}

fn take_snapshot(desk: &StoreDesk, id: AskId) -> Result<AskSnapshot, Problem> {
    let ask = desk.get(id)?;
    let rendering = desk.rendering(&ask, "plain")?;
    Ok(AskSnapshot { draft: desk.draft(id)?, rendering, late: desk.late_submissions(id)?.len(), ask })
}

fn list_all(desk: &StoreDesk) -> Result<Vec<AskSummary>, Problem> {
    let all = AskQuery { states: AskStatus::ALL.to_vec(), rows: Some(200), ..AskQuery::default() };
    desk.list(&all).map(|page| page.rows)
}

/// Fills a desk with asks of each kind and with threads, all in its file.
fn fill_desk(path: &Path) {
    let desk = desk(path);
    for number in 0..40_usize {
        let title = format!("May I deploy release {number} to the {} cluster?", number * 7);
        let ask = desk.open(Some(&title), new_ask(&title)).unwrap().into_ask();
        desk.save(&person("ada"), ask.id, DraftRev(0), vec![note(&format!("typed {number}")), pick("red")])
            .unwrap();
        if number % 4 == 0 {
            continue;
        }
        let shown = ask.request.digest;
        if number % 4 == 1 {
            let no = AskCommand::Decline { reason: Some(format!("no, {number}")), shown };
            act(&desk, &as_person("ada"), &ask, no).unwrap();
            continue;
        }
        let answered = answer(&desk, &ask);
        deliver(&desk, &answered);
        assert!(act(&desk, &as_person("bob"), &answered, submit(&answered, [note("late")])).is_err());
    }
    let thread = desk.new_thread("ada", None).unwrap();
    for number in 0..20 {
        let say = desk.post_message(
            &thread.id,
            &format!("hello {number}, how is the weather?"),
            Some(&number.to_string()),
            None,
        );
        if say.is_err() {
            break;
        }
    }
    let tools = (0..20).map(|number| TurnEntry::Event(ThreadEventKind::ToolEnd(format!("tool {number}"))));
    let turn = desk.pending_turns().unwrap().first().map(|turn| turn.number).unwrap();
    let entries = tools.collect();
    desk.record_progress(TurnProgress { turn, thread: thread.id, entries, ..TurnProgress::default() })
        .unwrap();
    open_raw(path).execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
}

/// Counts of the effects of the flips.
#[derive(Debug, Default)]
struct FlipCounts {
    unopened: usize,
    harmless: usize,
    damaged_rows: usize,
    refused: usize,
}

impl FlipCounts {
    const fn has_every_effect(&self) -> bool {
        self.damaged_rows > 0 && self.refused > 0 && self.harmless > 0
    }
}

#[test]
fn flipped_bit_is_always_detected() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    fill_desk(&path);
    let sound = fs::read(&path).unwrap();
    let (rows, asks) = {
        let desk = desk(&path);
        let rows = list_all(&desk).unwrap();
        let asks: Vec<_> = rows.iter().map(|row| take_snapshot(&desk, row.id).unwrap()).collect();
        (rows, asks)
    };
    let (mut seed, mut tally) = (0x5eed_u64, FlipCounts::default());
    // The place of a bit differs with the random ids of a desk: it goes on until every effect was seen.
    let mut flip = 0;
    while flip < FLIPS || (flip < FLIPS * 20 && !tally.has_every_effect()) {
        flip += 1;
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bit = usize::try_from(seed >> 16).unwrap() % (sound.len() * 8);
        let case = folder.path().join(format!("{flip}"));
        fs::create_dir(&case).unwrap();
        let path = case.join("desk");
        let mut bytes = sound.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, bytes).unwrap();
        try_flip(
            &path,
            &format!("flip {flip}, bit {} of byte {}", bit % 8, bit / 8),
            (&rows, &asks),
            &mut tally,
        );
        fs::remove_dir_all(&case).unwrap();
    }
    // Only the file header can keep the whole desk from opening.
    assert!(tally.unopened <= flip / 10, "{tally:?}");
    assert!(tally.has_every_effect(), "{tally:?}");
}

fn try_flip(path: &Path, case: &str, (rows, asks): (&[AskSummary], &[AskSnapshot]), tally: &mut FlipCounts) {
    let desk = match StoreDesk::open(path) {
        Ok(desk) => desk,
        Err(problem) => {
            let codes = [
                ProblemCode::DeskDamaged,
                ProblemCode::DeskNotOurs,
                ProblemCode::DeskTooNew,
                ProblemCode::DeskTooOld,
            ];
            assert!(codes.contains(&problem.code), "{case}: {problem:?}");
            tally.unopened += 1;
            return;
        }
    };
    let found = match list_all(&desk) {
        Ok(found) => found,
        Err(problem) => {
            // The flip changed the name of a table.
            assert_eq!(problem.code, ProblemCode::DeskDamaged, "{case}: {problem:?}");
            let are_ours = schema::schema_sql(&open_raw(path))
                .is_ok_and(|tables| tables == schema::expected_schema_sql().unwrap());
            assert!(!are_ours, "{case}: no list: {problem}");
            assert!(
                !maintenance::check(path, false, &|_, _| {}).is_ok_and(|found| found.is_sound()),
                "{case}"
            );
            tally.unopened += 1;
            return;
        }
    };
    let mut is_whole = found.len() == rows.len();
    for row in &found {
        is_whole &= !row.damaged;
        tally.damaged_rows += usize::from(row.damaged);
        assert!(row.damaged || rows.contains(row), "{case}: {row:?}");
    }
    for before in asks {
        match take_snapshot(&desk, before.ask.id) {
            Ok(now) => {
                // Parts of it may be missing, but none may differ.
                assert!(now.is_part_of(before), "{case}: {now:?} is not {before:?}");
                is_whole &= now == *before;
            }
            Err(problem) => {
                let codes = [ProblemCode::AskDamaged, ProblemCode::DeskDamaged, ProblemCode::AskNotFound];
                assert!(codes.contains(&problem.code), "{case}: {problem:?}");
                tally.refused += 1;
                is_whole = false;
            }
        }
    }
    drop(desk);
    let findings = maintenance::check(path, false, &|_, _| {}).unwrap();
    assert!(is_whole || !findings.is_sound(), "{case}: not found");
    tally.harmless += usize::from(findings.is_sound());
}

#[test]
fn broken_page_lists_asks_as_damaged() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let ids: Vec<_> = {
        let desk = desk(&path);
        (0..60).map(|number| open(&desk, &format!("door {number}")).id).collect()
    };
    open_raw(&path).execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let mut bytes = fs::read(&path).unwrap();
    // The page of the table that has the row of this title.
    let at = bytes
        .windows(8)
        .position(|window| window == b"door 31s")
        .unwrap_or_else(|| bytes.windows(7).position(|window| window == b"door 31").unwrap());
    let page = at / 4096 * 4096;
    bytes[page] = 0xff;
    fs::write(&path, bytes).unwrap();
    let rows = desk(&path).list(&AskQuery::default()).unwrap().rows;
    assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), ids);
    let damaged = rows.iter().filter(|row| row.damaged).count();
    assert!((1..30).contains(&damaged), "{damaged}");
    let findings = maintenance::check(&path, false, &|_, _| {}).unwrap();
    assert_eq!(findings.damaged_asks.len(), damaged);
    assert!(!findings.file.is_empty());
}
