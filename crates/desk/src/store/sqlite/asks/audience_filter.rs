//! Index of audiences by their keys, with which a query leaves out what its reader may not see.

use rusqlite::{Connection, params};
use sayso_core::Audience;
use sayso_core::wire::json;

/// Stores the keys of an audience, so that its readers find it, and returns its text for the column.
pub(crate) fn intern(conn: &Connection, audience: Option<&Audience>) -> rusqlite::Result<Option<String>> {
    let Some(audience) = audience else { return Ok(None) };
    let text = json::write(audience);
    intern_keys(conn, audience, &text)?;
    Ok(Some(text))
}

/// Stores the keys of an audience with this text.
pub(crate) fn intern_keys(conn: &Connection, audience: &Audience, text: &str) -> rusqlite::Result<()> {
    let mut statement =
        conn.prepare_cached("INSERT OR IGNORE INTO audience_key (key, audience) VALUES (?1, ?2)")?;
    for key in audience.keys() {
        statement.execute(params![key, text])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::StoreDesk;
    use crate::contract::{answer, new_ask};
    use crate::desk::Desk as _;
    use crate::query::AskQuery;
    use crate::store::sqlite::SqliteStore;
    use crate::store::sqlite::tests::{desk, far_future, open_raw, search, titles};
    use crate::{ChangeCursor, GroupChange};
    use sayso_core::model::ask_summary::AskStatus;
    use sayso_core::{Ask, AskReader, Audience, NewAsk, ProblemCode};
    use tempfile::TempDir;

    fn open_for(desk: &StoreDesk, title: &str, audience: Option<Audience>) -> Ask {
        desk.open(None, NewAsk { audience, ..new_ask(title) }).unwrap().into_ask()
    }

    fn person(account: &str, groups: &[&str]) -> AskReader {
        let groups = groups.iter().map(|&group| group.to_owned()).collect();
        AskReader::person(account.to_owned(), groups, &Audience::members())
    }

    fn named(names: &[&str]) -> Audience {
        let names = names.iter().map(|&name| name.to_owned());
        Audience { groups: names.collect(), ..Audience::default() }
    }

    #[test]
    fn readers_find_their_asks_alone() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("desk");
        let desk = desk(&path);
        open_for(&desk, "old door", None);
        open_for(&desk, "door of all", Some(Audience::members()));
        let hidden = open_for(&desk, "door of ada", Some(Audience::of_account("ada")));
        open_for(&desk, "door of ops", Some(named(&["ops", "web"])));
        let readers = [
            (AskReader::Desk, vec!["old door", "door of all", "door of ada", "door of ops"]),
            (person("ada", &["members"]), vec!["old door", "door of all", "door of ada"]),
            (person("bob", &["members", "ops"]), vec!["old door", "door of all", "door of ops"]),
            (person("shop/7", &["web"]), vec!["door of ops"]),
            (person("ops", &[]), vec![]),
            (AskReader::Asker { account: "ada".to_owned() }, vec![]),
            (AskReader::Nobody, vec![]),
        ];
        for (reader, expected) in readers {
            let all =
                AskQuery { states: AskStatus::ALL.to_vec(), reader: reader.clone(), ..AskQuery::default() };
            assert_eq!(
                titles(&desk, &AskQuery { states: Vec::new(), ..all.clone() }),
                expected,
                "{reader:?}"
            );
            let found = AskQuery { reader: reader.clone(), ..search("door") };
            assert_eq!(titles(&desk, &found).len(), expected.len(), "{reader:?}");
            let one = AskQuery { rows: Some(1), reader: reader.clone(), ..AskQuery::default() };
            assert_eq!(desk.list(&one).unwrap().next.is_some(), expected.len() > 1, "{reader:?}");
            for given in [hidden.id.to_string(), hidden.id.short_id()] {
                let found = desk.find_for(&reader, &given);
                assert_eq!(found.is_ok(), expected.contains(&"door of ada"), "{reader:?} {given}");
            }
        }
    }

    #[test]
    fn flipped_audience_hides_the_ask() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("desk");
        let desk = desk(&path);
        let ask = open_for(&desk, "door", Some(Audience::of_account("ada")));
        open_for(&desk, "window", Some(Audience::of_account("bob")));
        let stolen = r#"UPDATE ask SET audience = '{"accounts":["bob"]}' WHERE title = 'door'"#;
        open_raw(&path).execute_batch(stolen).unwrap();
        let bob = AskQuery { reader: person("bob", &[]), ..AskQuery::default() };
        let rows = desk.list(&bob).unwrap().rows;
        assert!(rows.iter().all(|row| row.damaged || row.title == "window"), "{rows:?}");
        let index = r#"INSERT INTO audience_key VALUES ('a:eve', '{"accounts":["bob"]}')"#;
        open_raw(&path).execute_batch(index).unwrap();
        let eve = AskQuery { reader: person("eve", &[]), ..AskQuery::default() };
        let rows = desk.list(&eve).unwrap().rows;
        assert!(rows.iter().all(|row| row.damaged), "a wrong index shows nothing: {rows:?}");
        assert_eq!(desk.get(ask.id).unwrap().request.audience, Some(Audience::of_account("ada")));
    }

    #[test]
    fn purged_ask_stays_behind_wall() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("desk");
        let desk = desk(&path);
        let begin = desk.resume_cursor(None).unwrap().0;
        let ask = open_for(&desk, "door", Some(Audience::of_account("ada")));
        answer(&desk, &ask);
        let bob = person("bob", &["members"]);
        let sees_changes = |begin: ChangeCursor| {
            let changes = desk.changes_after(begin, 100).unwrap();
            changes.iter().any(|change| bob.may_see(change.account.as_deref(), change.audience.as_ref()))
        };
        assert!(!sees_changes(begin));

        let ask = open_for(&desk, "gate", Some(Audience::of_account("ada")));
        answer(&desk, &ask);
        SqliteStore::open(&path).unwrap().purge(far_future(), far_future()).unwrap();
        let text_of = |reader: &AskReader| desk.find_for(reader, &ask.id.to_string()).unwrap_err();
        let none = text_of(&bob);
        assert_eq!(none.code, ProblemCode::AskNotFound);
        assert_ne!(
            text_of(&person("ada", &[])).message,
            none.message,
            "its reader learns that it was deleted"
        );
        open_for(&desk, "window", Some(Audience::of_account("ada")));
        // Its row is gone, and its entries in the log are not yet.
        open_raw(&path).execute_batch("PRAGMA foreign_keys = 0; DELETE FROM ask").unwrap();
        assert!(!sees_changes(begin));
    }

    #[test]
    fn names_are_groups_or_accounts() {
        let folder = TempDir::new().unwrap();
        let desk = desk(&folder.path().join("desk"));
        let change = |group: &str, account: &str, joins: bool| {
            desk.change_group(GroupChange { group: group.to_owned(), account: account.to_owned(), joins })
        };
        assert!(change("ops", "ada", true).unwrap() && !change("ops", "ada", true).unwrap());
        assert!(desk.groups_of("ada").unwrap().contains("ops"));
        let names = ["ops", "ada", "members"].map(str::to_owned);
        let audience = desk.audience_named(&names).unwrap();
        assert_eq!(
            audience,
            Audience { groups: named(&["ops", "members"]).groups, ..Audience::of_account("ada") }
        );
        assert_eq!(change("members", "ada", true).unwrap_err().code, ProblemCode::InvalidValue);
        assert!(change("ops", "ada", false).unwrap());
        assert!(desk.groups().unwrap().is_empty());
    }
}
