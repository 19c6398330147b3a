//! Contract suite over a desk in a database, on a server of its own.

use super::address::PostgresAddress;
use crate::contract::{DatabaseServer, DeskFixture, check_service_sessions, run_contract};
use crate::{Desk, StoreDesk};

struct DatabaseFixture(PostgresAddress);

impl DeskFixture for DatabaseFixture {
    fn desk(&self) -> Box<dyn Desk> {
        Box::new(StoreDesk::open_database(&self.0).unwrap())
    }
}

#[test]
fn database_desk_passes_contract() {
    let server = DatabaseServer::start();
    run_contract(&|| Box::new(DatabaseFixture(server.make_desk())));
    check_service_sessions(&StoreDesk::open_database(&server.make_desk()).unwrap());
}
