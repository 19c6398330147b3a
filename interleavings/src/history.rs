//! One history: who acts, in which order, who dies, and when the power goes, all drawn from one seed.

use crate::actor::SimulatedProcess;
use crate::dice::Dice;
use crate::plant::Plant;
use crate::role::Role;
use crate::store::Store;
use sayso_core::{Digest, Questionnaire};
use std::sync::Arc;

/// More steps than any history takes.
const STEPS_MOST: u32 = 2_000;

/// Questionnaire of all histories.
#[derive(Debug, Clone)]
pub struct Asked {
    questions: Arc<Questionnaire>,
    digest: Digest,
}

impl Asked {
    /// One text that is wanted, and one that may be left out.
    ///
    /// # Errors
    /// When this cannot be read as a questionnaire.
    pub fn new() -> Result<Self, serde_json::Error> {
        let questions: Questionnaire = serde_json::from_str(
            r#"{"questions":[{"id":"say","kind":"text","prompt":"Say it."},{"id":"more","kind":"text","prompt":"More?","required":false}]}"#,
        )?;
        let digest = questions.digest();
        Ok(Self { questions: Arc::new(questions), digest })
    }
}

/// Plays the history of this seed; what is wrong with it.
pub fn play(asked: &Asked, seed: u64, plant: Option<Plant>) -> Option<String> {
    let mut dice = Dice::of(seed, 0);
    let mut store = Store::new(&asked.questions, asked.digest, plant);
    store.judged = dice.one_in(4);
    store.time_limit_ms = (!dice.one_in(3)).then(|| 20 + i64::try_from(dice.below(60)).unwrap_or(0));
    let mut actors = cast(&mut store, &mut dice);
    let mut power_cuts = u8::from(dice.one_in(8));
    let mut deaths = dice.below(3);
    let mut ready = Vec::with_capacity(actors.len());
    for _ in 0..STEPS_MOST {
        if store.judge.wrong.is_some() {
            break;
        }
        ready.clear();
        ready.extend(
            (0..actors.len()).filter(|at| actors.get(*at).is_some_and(|actor| actor.is_ready(&store))),
        );
        let Some(next) = dice.one_of(&ready) else { break };
        if dice.one_in(6) {
            store.now += i64::try_from(dice.below(20)).unwrap_or(0);
        }
        if power_cuts > 0 && dice.one_in(24) {
            power_cuts -= 1;
            store.lose_power();
            actors.iter_mut().for_each(|actor| actor.die(&mut store));
            continue;
        }
        let Some(actor) = actors.get_mut(*next) else { break };
        if deaths > 0 && dice.one_in(30) {
            deaths -= 1;
            actor.die(&mut store);
            continue;
        }
        actor.step(&mut store, &mut dice);
    }
    let asleep: Vec<_> = actors.iter().filter_map(SimulatedProcess::sleeps_for).collect();
    let seen = std::mem::take(&mut store.seen);
    store.judge.at_end(&seen, &asleep);
    if plant.is_none() && actors.iter().any(|actor| !actor.is_over() && actor.sleeps_for().is_none()) {
        store.judge.blame(|| format!("somebody comes to no end: {actors:?}"));
    }
    store.judge.wrong
}

/// Actors that take part.
fn cast(store: &mut Store, dice: &mut Dice) -> Vec<SimulatedProcess> {
    let mut roles = Vec::new();
    let key = dice.one_in(2).then_some(1);
    roles.extend((0..=dice.below(3)).map(|_| Role::Asker { key }));
    if dice.one_in(4) {
        roles.push(Role::Asker { key: None });
    }
    for number in 0..=u8::try_from(dice.below(3)).unwrap_or(0) {
        roles.push(Role::Person { number, is_hasty: dice.one_in(3) });
    }
    roles.extend(store.judged.then_some(Role::Judge));
    roles.extend((store.judged && dice.one_in(3)).then_some(Role::Judge));
    roles.extend(dice.one_in(4).then_some(Role::Canceller));
    roles.extend(dice.one_in(2).then_some(Role::Ticker));
    store.ears = vec![None; roles.len()];
    roles.into_iter().enumerate().map(|(ear, role)| SimulatedProcess::new(role, ear)).collect()
}
