//! SQL on asks, as PostgreSQL has it.

use crate::store::logic::asks::ask_sql::AskSql;
use crate::store::logic::asks::list;
use crate::store::row_value::RowValue;
use sayso_core::Departures;

/// SQL of PostgreSQL.
pub(crate) struct PostgresSql;

impl AskSql for PostgresSql {
    const PENDING: &'static str = "pending";
    const ENDED: &'static str = "NOT pending";
    const UNDELIVERED: &'static str = "NOT delivered";
    const UNSEEN: &'static str = "state = 'cancelled' AND NOT seen AND NOT emptied";
    const FOR_USUAL_AUDIENCE: &'static str = "readers IS NULL";
    const SHORT_ID: &'static str = "substr(encode(id, 'hex'), 25)";
    const HAS_WORDS: &'static str = "seq IN (SELECT seq FROM search WHERE words LIKE ?)";
    // The object is the last member of the act.
    const HAS_NAME: &'static str =
        "lower(concat_ws(' ', title, asker, account, substr(act, strpos(act, '\"object\":') + 10))) LIKE ?";
    const ASK_OF_CHANGE: &'static str = "ask.id = change.id";
    const EVENTS: &'static str = "events";

    // The server has checksums of its own.
    fn sum_column(_: &str) -> String {
        "NULL::bigint".to_owned()
    }

    fn word_values(words: &[&str]) -> Vec<RowValue> {
        words.iter().map(|word| list::contains_pattern(&word.to_lowercase()).into()).collect()
    }

    fn name_value(pattern: String) -> RowValue {
        pattern.to_lowercase().into()
    }

    fn names_reader(keys: Vec<String>, departures: Option<&Departures>) -> (String, Vec<RowValue>) {
        let mut names_reader = "readers && ?".to_owned();
        let mut values = vec![keys.into()];
        if let Some(departures) = departures {
            names_reader.push_str(
                " OR EXISTS (SELECT 1 FROM unnest(readers) AS key WHERE key = ANY (?) OR key LIKE ANY (?) \
                 OR key LIKE 'g:%' AND key <> ALL (?))",
            );
            values.extend(departure_keys(departures).map(RowValue::Texts));
        }
        (names_reader, values)
    }
}

/// Returns the keys of accounts that have gone, the patterns of those of services' users, and the keys of the groups that
/// have not gone.
fn departure_keys(departures: &Departures) -> [Vec<String>; 3] {
    [
        departures.accounts().iter().map(|account| format!("a:{account}")).collect(),
        departures.services().iter().map(|service| format!("a:{}/%", service.replace('_', "\\_"))).collect(),
        departures.living_groups().iter().map(|group| format!("g:{group}")).collect(),
    ]
}
