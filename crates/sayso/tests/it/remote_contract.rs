//! The suite that every desk must pass, over HTTP: each test against a server of its own.

use crate::network::Served;
use sayso_core::Lang;
use sayso_core::who::Assurance;
use sayso_desk::contract::{Bench, check};
use sayso_desk::remote::{RemoteAddress, Tokens};
use sayso_desk::{Desk, RemoteDesk};
use std::path::PathBuf;

struct Network {
    served: Served,
    token: PathBuf,
}

impl Bench for Network {
    fn desk(&self) -> Box<dyn Desk> {
        let tokens = Tokens::read(std::slice::from_ref(&self.token)).unwrap();
        let address = RemoteAddress::parse(&self.served.address).unwrap();
        Box::new(RemoteDesk::new(address, tokens, Lang::En))
    }

    fn recorded(&self, claimed: Assurance) -> Assurance {
        claimed.min(Assurance::Relayed)
    }
}

#[test]
fn a_desk_on_the_network_keeps_the_contract() {
    check(&|| {
        let served = Served::new();
        let token = served.token("admin", "gateway");
        Box::new(Network { served, token })
    });
}
