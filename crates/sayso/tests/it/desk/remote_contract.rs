//! The contract suite of every desk, over HTTP: each test has a server of its own.

use crate::support::network_desk::NetworkDesk;
use sayso_core::model::actor::AssuranceLevel;
use sayso_core::wire::questionnaire;
use sayso_core::{Asker, Lang, NewAsk};
use sayso_desk::contract::{DeskFixture, run_contract};
use sayso_desk::remote::{RemoteAddress, TokenSet};
use sayso_desk::{Desk, Interest, RemoteDesk, Watch};
use std::fs::File;
use std::io::{copy, sink};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

struct RemoteBench {
    served: NetworkDesk,
    token: PathBuf,
}

impl DeskFixture for RemoteBench {
    fn desk(&self) -> Box<dyn Desk> {
        let tokens = TokenSet::read(std::slice::from_ref(&self.token)).unwrap();
        let address = RemoteAddress::parse(&self.served.address).unwrap();
        Box::new(RemoteDesk::new(address, tokens, Lang::En))
    }

    fn recorded_assurance(&self, claimed: AssuranceLevel) -> AssuranceLevel {
        claimed.min(AssuranceLevel::Relayed)
    }
}

#[test]
fn remote_desk_keeps_contract() {
    run_contract(&|| {
        let served = NetworkDesk::new();
        let token = served.token("admin", "gateway");
        Box::new(RemoteBench { served, token })
    });
}

#[test]
fn remote_consent_is_not_shared() {
    let served = NetworkDesk::new();
    let token = served.token("asker", "ci");
    let bench = RemoteBench { served, token };
    let request = r#"{"questions":[{"id":"go","kind":"confirm","prompt":"Refund 20 €?"}]}"#;
    let questionnaire = Arc::new(questionnaire::read(request).unwrap().questionnaire);
    let asker = Asker { name: "ci".to_owned(), folder: None, session: None, account: None };
    let open = || {
        let new = NewAsk::new(questionnaire.clone(), "sayso", asker.clone());
        bench.desk().open(None, new).unwrap().into_ask().id
    };
    assert_ne!(open(), open(), "one yes would serve both");
}

/// Returns true if a watch's thread exits soon after the drop: then the other end of its wakeup closes.
fn ends_when_dropped(watch: Box<dyn Watch>) -> bool {
    let mut bell = File::from(watch.wakeup_fd().unwrap().try_clone_to_owned().unwrap());
    drop(watch);
    let (ended, has_ended) = channel();
    std::thread::spawn(move || ended.send(copy(&mut bell, &mut sink()).unwrap()));
    has_ended.recv_timeout(Duration::from_secs(5)).is_ok()
}

#[test]
fn dropped_watch_leaks_nothing() {
    let served = NetworkDesk::new();
    let token = served.token("person", "ada");
    let mut bench = RemoteBench { served, token };
    let desk = bench.desk();
    let watch = || desk.watch(Interest::All, None).unwrap();
    assert!(ends_when_dropped(watch()), "while it listens");
    let orphan = watch();
    bench.served.kill_9();
    assert!(ends_when_dropped(orphan), "while it looks for the server");
}
