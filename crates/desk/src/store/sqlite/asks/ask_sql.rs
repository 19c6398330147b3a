//! SQL on asks, as SQLite has it.

use super::search;
use crate::store::logic::asks::ask_sql::AskSql;
use crate::store::row_value::RowValue;
use sayso_core::Departures;

/// SQL of SQLite.
pub(crate) struct SqliteSql;

impl AskSql for SqliteSql {
    // The partial indexes must match literally.
    const PENDING: &'static str = "pending = 1";
    const ENDED: &'static str = "pending IS NULL";
    const UNDELIVERED: &'static str = "delivered = 0";
    const UNSEEN: &'static str = "state = 'cancelled' AND seen = 0 AND emptied = 0";
    const FOR_USUAL_AUDIENCE: &'static str = "ask.audience IS NULL";
    const SHORT_ID: &'static str = "substr(hex(id), 25)";
    // The index has trigrams.
    const HAS_WORDS: &'static str = "seq IN (SELECT rowid FROM search WHERE search MATCH ?)";
    const HAS_NAME: &'static str =
        "concat_ws(' ', title, asker, account, act ->> 'object') LIKE ? ESCAPE '\\'";
    // Row numbers of purged asks are used again.
    const ASK_OF_CHANGE: &'static str = "ask.seq = change.seq AND ask.id = change.id";
    const EVENTS: &'static str = "CAST(events AS BLOB)";

    fn sum_column(table: &str) -> String {
        format!("{table}.sum")
    }

    fn word_values(words: &[&str]) -> Vec<RowValue> {
        if words.is_empty() {
            return Vec::new();
        }
        let quoted_words: Vec<_> = words.iter().copied().map(search::quote).collect();
        vec![quoted_words.join(" ").into()]
    }

    fn name_value(pattern: String) -> RowValue {
        pattern.into()
    }

    fn names_reader(keys: Vec<String>, departures: Option<&Departures>) -> (String, Vec<RowValue>) {
        let mut has_key = "key IN (SELECT value FROM json_each(?))".to_owned();
        let mut values = vec![keys.into()];
        if let Some(departures) = departures {
            // A semicolon comes after a colon, and a zero after a slash.
            has_key.push_str(
                " OR key IN (SELECT 'a:' || value FROM json_each(?)) OR (key >= 'g:' AND key < 'g;' \
                 AND key NOT IN (SELECT 'g:' || value FROM json_each(?)))",
            );
            for names in [departures.accounts(), departures.living_groups()] {
                values.push(Vec::from_iter(names.iter().cloned()).into());
            }
            for service in departures.services() {
                has_key.push_str(" OR (key >= ? AND key < ?)");
                values.extend([format!("a:{service}/").into(), format!("a:{service}0").into()]);
            }
        }
        (format!("ask.audience IN (SELECT audience FROM audience_key WHERE {has_key})"), values)
    }
}
