//! Delivery: an outcome is rendered once, and every offer gives the same bytes until the asker acknowledges it.

use super::*;
use sayso_core::limits;
use sayso_core::model::ask::DeliveryState;
use std::cell::Cell;

pub(super) fn offer_before_outcome_is_refused(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let ask = open(&*desk, "door");
    let render = |_: &Ask| -> Vec<u8> { panic!("there is nothing to render") };
    assert_eq!(code(desk.offer(&asker(), &ask, "plain", &render)), ProblemCode::AskOpen);
    assert_eq!(code(desk.ack(&asker(), ask.id)), ProblemCode::AskOpen);
    assert_eq!(desk.get(ask.id).unwrap(), ask);
}

pub(super) fn outcome_is_rendered_once_per_form(bench: &dyn DeskFixture) {
    let (desk, other) = (bench.desk(), bench.desk());
    let ask = open(&*desk, "door");
    let answered = answer(&*desk, &ask);
    let renderings = Cell::new(0);
    let render = |ask: &Ask| {
        renderings.set(renderings.get() + 1);
        assert_eq!(ask.outcome(), answered.outcome());
        format!("rendering {}\n", renderings.get()).into_bytes()
    };
    let now = |desk: &dyn Desk| desk.get(ask.id).unwrap();
    let first = desk.offer(&asker(), &answered, "plain", &render).unwrap();
    assert_eq!(first, b"rendering 1\n");
    assert_eq!(desk.offer(&asker(), &now(&*desk), "plain", &render).unwrap(), first);
    assert_eq!(other.offer(&asker(), &now(&*other), "plain", &render).unwrap(), first);
    // A caller that read the ask before the first offer gets the same bytes.
    let late = |_: &Ask| b"late".to_vec();
    assert_eq!(other.offer(&asker(), &answered, "plain", &late).unwrap(), first);
    drop((desk, other));
    let after = bench.desk();
    assert_eq!(after.offer(&asker(), &now(&*after), "plain", &render).unwrap(), first);
    assert_eq!(after.offer(&asker(), &now(&*after), "other form", &render).unwrap(), b"rendering 2\n");
    assert_eq!(renderings.get(), 2);
}

pub(super) fn acknowledged_outcome_is_offered_again(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let ask = answer(&*desk, &open(&*desk, "door"));
    let answered = crate::AskQuery {
        states: vec![sayso_core::model::ask_summary::AskStatus::Answered],
        ..crate::AskQuery::default()
    };
    let delivered = || desk.list(&answered).unwrap().rows.iter().map(|row| row.delivered).collect::<Vec<_>>();
    desk.offer(&asker(), &ask, "plain", &|_| b"bytes".to_vec()).unwrap();
    assert_eq!(delivered(), [false], "offered is not delivered");
    desk.ack(&asker(), ask.id).unwrap();
    assert_eq!(delivered(), [true]);
    let acked = desk.get(ask.id).unwrap();
    assert!(matches!(acked.state.delivery, DeliveryState::Acked { .. }));
    desk.ack(&asker(), ask.id).unwrap();
    let again = bench.desk().offer(&asker(), &acked, "plain", &|_| b"other bytes".to_vec()).unwrap();
    assert_eq!(again, b"bytes");
    assert_eq!(desk.get(ask.id).unwrap(), acked, "nothing takes it back");
}

pub(super) fn parked_outcome_is_still_offered(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let ask = answer(&*desk, &open(&*desk, "door"));
    for _ in 0..=limits::OFFER_ATTEMPTS {
        let ask = desk.get(ask.id).unwrap();
        assert_eq!(desk.offer(&asker(), &ask, "plain", &|_| b"bytes".to_vec()).unwrap(), b"bytes");
    }
    let parked = desk.get(ask.id).unwrap();
    assert_eq!(parked.state.delivery, DeliveryState::Parked { tries: limits::OFFER_ATTEMPTS });
    assert_eq!(desk.offer(&asker(), &parked, "plain", &|_| Vec::new()).unwrap(), b"bytes");
    desk.ack(&asker(), ask.id).unwrap();
    assert!(!desk.get(ask.id).unwrap().is_live());
}
