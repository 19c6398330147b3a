//! Random lives of asks: eight threads over four handles apply random commands, and every ask ends exactly once.

use crate::asks::{as_asker, as_person, asker, count_final_events, desk, new_ask, person, reply, submit};
use sayso_core::lifecycle::{self, AskEvent};
use sayso_core::model::ask::RoundFeedback;
use sayso_core::{Actor, Ask, AskCommand, AskId, NewAsk, Problem, ProblemCode};
use sayso_desk::{Desk, DraftRev, Interest, StoreDesk, Watch, WatchEvent};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use tempfile::TempDir;

/// Xorshift generator, which repeats for the same seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

const ASKS: u64 = 20;
const THREADS: u64 = 8;
const ROLLS: u64 = 150;

/// Observations of all threads.
#[derive(Default)]
struct Observations {
    asks: Mutex<BTreeMap<AskId, Ask>>,
    renderings: Mutex<BTreeMap<AskId, Vec<u8>>>,
    rendered: AtomicU64,
}

impl Observations {
    fn opened(&self, ask: &Ask) -> AskId {
        self.asks.lock().unwrap().entry(ask.id).or_insert_with(|| ask.clone());
        ask.id
    }

    fn any(&self, dice: &mut Dice) -> Ask {
        let asks = self.asks.lock().unwrap();
        let at = usize::try_from(dice.roll(u64::try_from(asks.len()).unwrap())).unwrap();
        asks.values().nth(at).unwrap().clone()
    }
}

/// Returns the n-th ask: a third have no deadline, a third expire soon; every second one is judged.
fn nth_ask(n: u64) -> NewAsk {
    let time_limit_ms = [None, Some(3_600_000), Some(i64::try_from(n).unwrap() * 3 + 1)][(n % 3) as usize];
    NewAsk { needs_verdict: n.is_multiple_of(2), time_limit_ms, ..new_ask(&format!("ask {n}")) }
}

/// Returns whether the lifecycle allows this error; a desk on a slow disk may be busy.
fn is_typed_conflict(problem: &Problem) -> bool {
    use ProblemCode::{
        AskAnswered, AskCancelled, AskDeclined, AskExpired, AskOpen, AskSubmitted, DeskBusy, WrongRound,
    };
    [AskAnswered, AskCancelled, AskDeclined, AskExpired, AskOpen, AskSubmitted, DeskBusy, WrongRound]
        .contains(&problem.code)
}

fn offer(desk: &StoreDesk, seen: &Observations, ask: &Ask) -> Result<(), Problem> {
    let render = |_: &Ask| seen.rendered.fetch_add(1, Ordering::Relaxed).to_string().into_bytes();
    let bytes = desk.offer(&asker(), &desk.get(ask.id)?, "plain", &render)?;
    let mut renderings = seen.renderings.lock().unwrap();
    assert_eq!(*renderings.entry(ask.id).or_insert_with(|| bytes.clone()), bytes, "everybody gets the same");
    Ok(())
}

/// Applies a random command to a random ask.
fn apply_random_command(
    desk: &StoreDesk,
    seen: &Observations,
    name: &str,
    dice: &mut Dice,
) -> Result<(), Problem> {
    let ask = seen.any(dice);
    let text = format!("{name} {}", dice.roll(1_000));
    let round = u32::try_from(dice.roll(3)).unwrap() + 1;
    let act = |who: &Actor, command| desk.act(who, ask.id, None, command).map(drop);
    match dice.roll(40) {
        0..4 => act(&as_person(name), submit(&ask, &text)),
        4 => act(&as_person(name), AskCommand::Decline { reason: Some(text), shown: ask.request.digest }),
        5 => act(&as_asker(), AskCommand::CANCEL),
        6..9 => act(&as_asker(), AskCommand::Accept { round }),
        9..14 => act(&as_asker(), AskCommand::Reprompt { round, feedback: RoundFeedback::default() }),
        14..22 => desk.save(&person(name), ask.id, DraftRev(0), vec![reply(&text)]).map(drop),
        22..24 => act(&as_person(name), AskCommand::MarkSeen),
        24 => act(&as_asker(), AskCommand::Attach { process: None }),
        25 => act(&as_asker(), AskCommand::Detach),
        26..28 => act(&Actor::Desk, AskCommand::Tick),
        28..30 => desk.get(ask.id).map(drop),
        30..35 => offer(desk, seen, &ask),
        35 => desk.ack(&asker(), ask.id),
        _ => {
            let opened = desk.open(None, nth_ask(dice.roll(ASKS)))?;
            seen.opened(opened.ask());
            Ok(())
        }
    }
}

/// Collects the events that a watch reports of each ask.
fn collect_events(watch: &mut dyn Watch) -> BTreeMap<AskId, Vec<AskEvent>> {
    let mut changes: BTreeMap<AskId, Vec<AskEvent>> = BTreeMap::new();
    for changed in watch.poll().unwrap().into_iter().filter_map(WatchEvent::into_change) {
        changes.entry(changed.id).or_default().extend(changed.events);
    }
    changes
}

fn check_end(desk: &StoreDesk, id: AskId) {
    if desk.get(id).unwrap().outcome().is_none() {
        desk.act(&as_asker(), id, None, AskCommand::CANCEL).unwrap();
    }
    let state = desk.get(id).unwrap().state;
    let log = desk.history(id).unwrap();
    assert_eq!(count_final_events(desk, id), 1, "{log:?}");
    let replayed = lifecycle::replay(log.iter().map(|(at, events)| (*at, events.as_slice())));
    assert_eq!(replayed, Some(state), "the log gives the state: {log:?}");
    let drafts = log.iter().flat_map(|(_, events)| events).filter_map(|event| match event {
        AskEvent::Drafted { rev } => Some(*rev),
        _ => None,
    });
    let saves = desk.draft(id).unwrap().rev.0;
    assert!(drafts.eq(1..=saves), "each save has the next revision: {log:?}");
}

#[test]
fn random_asks_end_exactly_once() {
    for seed in 1..=3 {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("desk");
        let handles: Vec<StoreDesk> = (0..4).map(|_| desk(&path)).collect();
        let mut watch = desk(&path).watch(Interest::All, None).unwrap();
        let seen = Observations::default();
        for n in 0..ASKS {
            seen.opened(handles[0].open(None, nth_ask(n)).unwrap().ask());
        }
        thread::scope(|scope| {
            for n in 0..THREADS {
                let (desk, seen) = (&handles[(n % 4) as usize], &seen);
                scope.spawn(move || {
                    let mut dice = Dice((seed * THREADS + n).wrapping_mul(0x9e37_79b9_7f4a_7c15));
                    for _ in 0..ROLLS {
                        if let Err(problem) = apply_random_command(desk, seen, &format!("p{n}"), &mut dice) {
                            assert!(is_typed_conflict(&problem), "{problem:?}");
                        }
                    }
                });
            }
        });
        let asks = seen.asks.into_inner().unwrap();
        assert!(asks.len() > usize::try_from(ASKS).unwrap(), "some were delivered and asked anew");
        let after = desk(&path);
        for id in asks.keys() {
            check_end(&after, *id);
        }
        let changes = collect_events(&mut *watch);
        assert!(changes.keys().eq(asks.keys()));
        for (id, events) in changes {
            let log: Vec<_> = after.history(id).unwrap().into_iter().flat_map(|(_, events)| events).collect();
            assert_eq!(events, log, "whoever watched heard it all, in order");
        }
    }
}
