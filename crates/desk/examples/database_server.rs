//! PostgreSQL server that the tests of a run share: prints its folder, and ends with its standard input.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a program for tests")]

use sayso_desk::contract::DatabaseServer;
use std::io::Read as _;

fn main() {
    let server = DatabaseServer::start();
    println!("{}", server.socket());
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
}
