//! Reads of the database for an ask that is for others, and for one that does not exist.

use super::{new_token, start_node};
use crate::support::http_client::HttpCaller;
use crate::support::proxy::byte_meter::ByteMeter;
use crate::support::served_desk::{create_ask, id_of};
use crate::support::test_world::TestWorld;
use sayso_desk::contract::DatabaseServer;

/// Requests of which the one with the fewest bytes counts: upkeep reads the same database in between.
const REPETITIONS: usize = 20;

/// Returns the bytes that the database sends for a request that finds nothing.
fn bytes_for(caller: &HttpCaller, meter: &ByteMeter, path: &str) -> u64 {
    let before = meter.sent();
    caller.get(path).problem(404, "ask_not_found");
    meter.sent() - before
}

#[test]
fn foreign_and_missing_ids_cost_the_same_reads() {
    let (world, database) = (TestWorld::new(), DatabaseServer::start_at_port());
    let desk = database.make_desk().to_string();
    let meter = ByteMeter::start(&format!("127.0.0.1:{}", database.port()));
    let metered = format!("postgres://sayso@127.0.0.1:{}/desk0", meter.port);
    let [asker, other] = ["ci", "other"].map(|account| new_token(&world, &desk, "asker", account));
    let node = start_node(&world, &metered);
    let ask = create_ask(&node.with_token(&asker), "Which port?");
    let other = node.with_token(&other);
    let foreign = id_of(&ask).to_owned();
    // The same length, and as near to the other in the index.
    let last = if foreign.ends_with('0') { "1" } else { "0" };
    let missing = format!("{}{last}", &foreign[..foreign.len() - 1]);

    for rest in ["", "/outcome"] {
        let fewest = |id: &str| {
            let path = format!("/v1/asks/{id}{rest}");
            (0..REPETITIONS).map(|_| bytes_for(&other, &meter, &path)).min().unwrap()
        };
        let (of_foreign, of_missing) = (fewest(&foreign), fewest(&missing));
        assert!(of_foreign > 0);
        assert_eq!(of_foreign, of_missing, "{rest:?}");
    }
}
