//! Callers of the nodes: they repeat what was not answered, at either node, and remember what they were told.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use interleavings::{Dice, SeenAsk, Testimony};
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{AskId, QuestionId, Replies, Reply};
use sayso_desk::token::TokenRole;
use sayso_desk::{AskQuery, Desk as _, StoreDesk};
use serde_json::{Value, json};

use super::Progress;
use crate::storm::network::{Caller, text};

/// Time between a request that failed and its repetition.
const PAUSE: Duration = Duration::from_millis(30);

/// Number of the last asks that callers end.
const RECENT_ASKS: usize = 16;

/// Ask that is known to be stored.
#[derive(Clone)]
struct KnownAsk {
    id: AskId,
    digest: String,
}

/// Replies of the nodes so far.
#[derive(Default)]
struct Observations {
    testimony: Testimony,
    asks: Vec<KnownAsk>,
    /// The outcome of each ask, as it was read first.
    outcomes: BTreeMap<AskId, Value>,
}

/// Longest time without a reply to any caller.
struct Pauses {
    last_reply: Instant,
    longest: Duration,
}

impl Pauses {
    fn end(&mut self) {
        let now = Instant::now();
        self.longest = self.longest.max(now - self.last_reply);
        self.last_reply = now;
    }
}

/// Callers, and what they were told.
pub(super) struct Callers {
    asker: String,
    person: String,
    nodes: Mutex<[Option<String>; 2]>,
    observations: Mutex<Observations>,
    pauses: Mutex<Pauses>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Callers {
    pub(super) fn new(desk: &StoreDesk) -> anyhow::Result<Self> {
        let token = |role, account| -> anyhow::Result<String> {
            Ok(desk.new_token(role, account, None)?.1.reveal().to_owned())
        };
        let (asker, person) = (token(TokenRole::Admin, "ci")?, token(TokenRole::Person, "ada")?);
        let pauses = Mutex::new(Pauses { last_reply: Instant::now(), longest: Duration::ZERO });
        Ok(Self { asker, person, nodes: Mutex::default(), observations: Mutex::default(), pauses })
    }

    /// Sets the address of a node, while it lives.
    pub(super) fn set_node(&self, place: usize, address: Option<String>) {
        if let Some(node) = lock(&self.nodes).get_mut(place) {
            *node = address;
        }
    }

    /// Sends a request to either node until one answers it; nothing if the storm is over before.
    fn send(
        &self,
        token: &str,
        (verb, path): (&str, &str),
        (key, body): (&str, &Value),
        progress: &Progress,
        dice: &mut Dice,
    ) -> Option<(u16, Value)> {
        while !progress.is_over() {
            let nodes: Vec<String> = lock(&self.nodes).iter().flatten().cloned().collect();
            let key = Some(key).filter(|key| !key.is_empty());
            let reply =
                dice.one_of(&nodes).and_then(|address| Caller { address, token, key }.send(verb, path, body));
            match reply {
                Some((status, body)) if status < 500 => {
                    lock(&self.pauses).end();
                    return Some((status, body));
                }
                _ => thread::park_timeout(PAUSE),
            }
        }
        None
    }

    /// Asks until the storm is over.
    pub(super) fn ask(&self, who: u64, progress: &Progress, dice: &mut Dice) -> anyhow::Result<()> {
        for number in 0.. {
            let key = format!("{who}-{number}");
            let questions = json!([{ "id": "text", "prompt": "Say it." }]);
            let body = json!({ "dialect": "sayso", "request": { "title": key, "questions": questions } });
            let Some((status, ask)) =
                self.send(&self.asker, ("POST", "/v1/asks"), (&key, &body), progress, dice)
            else {
                return Ok(());
            };
            let id = text(&ask, "/id").and_then(AskId::parse);
            let (Some(id), Some(digest)) = (id, text(&ask, "/digest")) else {
                bail!("an ask was refused with {status}: {ask}");
            };
            let mut observations = lock(&self.observations);
            observations.testimony.opened.push(id);
            observations.asks.push(KnownAsk { id, digest: digest.to_owned() });
        }
        Ok(())
    }

    /// Answers, declines and cancels until the storm is over.
    pub(super) fn end_asks(&self, who: u64, progress: &Progress, dice: &mut Dice) -> anyhow::Result<()> {
        for number in 0_u64.. {
            let recent: Vec<KnownAsk> =
                lock(&self.observations).asks.iter().rev().take(RECENT_ASKS).cloned().collect();
            let Some(KnownAsk { id, digest }) = dice.one_of(&recent) else {
                if progress.is_over() {
                    return Ok(());
                }
                thread::park_timeout(PAUSE);
                continue;
            };
            let key = format!("{who}-{number}");
            let replies = Replies::from([(QuestionId::new("text"), Reply::from_text(&key))]);
            let (way, token, body) = match dice.below(6) {
                0 => ("cancel", &self.asker, json!({})),
                1 => ("decline", &self.person, json!({ "shown": digest, "reason": key })),
                _ => ("answer", &self.person, json!({ "shown": digest, "answers": { "text": key } })),
            };
            let path = format!("/v1/asks/{id}/{way}");
            let Some((status, reply)) = self.send(token, ("POST", &path), (&key, &body), progress, dice)
            else {
                return Ok(());
            };
            let mut observations = lock(&self.observations);
            match (status, way) {
                (200, "answer") => observations.testimony.answered.push((*id, replies)),
                (200, _) => observations.testimony.ended.push(*id),
                (409 | 410, "answer") if text(&reply, "/hint").is_some() => {
                    observations.testimony.late.push((*id, replies));
                }
                (409 | 410, _) => {}
                _ => bail!("{way} was refused with {status}: {reply}"),
            }
            drop(observations);
            self.read_outcome(*id, progress, dice)?;
        }
        Ok(())
    }

    /// Reads an outcome, which is the same at every node and each time.
    fn read_outcome(&self, id: AskId, progress: &Progress, dice: &mut Dice) -> anyhow::Result<()> {
        let path = format!("/v1/asks/{id}/outcome");
        let Some((_, outcome)) = self.send(&self.asker, ("GET", &path), ("", &Value::Null), progress, dice)
        else {
            return Ok(());
        };
        let first = lock(&self.observations).outcomes.entry(id).or_insert_with(|| outcome.clone()).clone();
        if first != outcome {
            bail!("the ask {id} has two outcomes: {first} and {outcome}");
        }
        Ok(())
    }

    /// Judges what the desk has, and says what was acknowledged.
    pub(super) fn judge(&self, desk: &StoreDesk) -> anyhow::Result<String> {
        let (observations, seen) = (lock(&self.observations), read_all(desk)?);
        let titles: BTreeSet<_> = seen.iter().map(|seen| &seen.ask.request.questionnaire.title).collect();
        if titles.len() != seen.len() {
            bail!("{} asks have {} keys", seen.len(), titles.len());
        }
        let Testimony { opened, answered, ended, late } = &observations.testimony;
        let counts = [opened.len(), answered.len(), ended.len(), late.len(), observations.outcomes.len()];
        observations.testimony.judge(seen).map_err(anyhow::Error::msg)?;
        if counts.contains(&0) {
            bail!("an act never happened: {counts:?}");
        }
        let [opened, answered, ended, late, read] = counts;
        let pause = lock(&self.pauses).longest.as_secs_f64();
        Ok(format!(
            "Lost: 0 of {opened} acknowledged asks, {answered} answers, {ended} other ends and {late} answers too \
             late. {read} outcomes read, one each. The longest time without a reply was {pause:.1} s."
        ))
    }
}

/// Reads all asks of a desk.
fn read_all(desk: &StoreDesk) -> anyhow::Result<Vec<SeenAsk>> {
    let mut query = AskQuery { states: AskStatus::ALL.to_vec(), ..AskQuery::default() };
    let mut all = Vec::new();
    loop {
        let page = desk.list(&query).context("the desk cannot be read")?;
        for row in page.rows {
            let (ask, draft) = (desk.get(row.id)?, desk.draft(row.id)?.replies);
            let (late, log) = (desk.late_submissions(row.id)?, desk.history(row.id)?);
            all.push(SeenAsk { ask, draft, late, log });
        }
        let Some(next) = page.next else { return Ok(all) };
        query.after = Some(next);
    }
}
