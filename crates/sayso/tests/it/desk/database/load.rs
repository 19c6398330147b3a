//! Writers that never rest, over several nodes, and the proof that nothing they were told is missing.

use crate::support::http_client::HttpCaller;
use crate::support::served_desk::text;
use interleavings::{SeenAsk, Testimony};
use sayso_core::AskId;
use sayso_core::model::ask_summary::AskStatus;
use sayso_desk::{AskQuery, Desk as _, StoreDesk};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

/// Time between a refused request and its repetition.
const PAUSE: Duration = Duration::from_millis(20);

/// Longest wait for writers.
const LIMIT: Duration = Duration::from_secs(60);

/// Confirmed ask.
#[derive(Debug, Clone)]
pub(super) struct Ack {
    key: String,
    id: AskId,
    node: usize,
    /// Time at which the first request with this key was sent.
    began: Instant,
    /// Time of the confirmation.
    pub(super) ended: Instant,
}

/// Writers and what they were told.
#[derive(Default)]
pub(super) struct Load {
    acks: Mutex<Vec<Ack>>,
    more: Condvar,
    refusals: [AtomicUsize; 2],
    is_over: AtomicBool,
}

impl Load {
    /// Starts writers at each node.
    pub(super) fn start<'s>(&'s self, scope: &'s Scope<'s, '_>, nodes: &'s [HttpCaller; 2], writers: usize) {
        for (node, caller) in nodes.iter().enumerate() {
            for writer in 0..writers {
                scope.spawn(move || self.write(caller, node, writer));
            }
        }
    }

    fn write(&self, caller: &HttpCaller, node: usize, writer: usize) {
        for number in 0.. {
            let (key, began) = (format!("{node}-{writer}-{number}"), Instant::now());
            let request = caller.request("POST", "/v1/asks").header("idempotency-key", &key);
            let request = request.json(&text(&format!("Ask {key}")));
            let id = loop {
                if self.is_over.load(Ordering::Relaxed) {
                    return;
                }
                match request.try_send() {
                    Some(reply) if reply.status == 201 || reply.status == 200 => {
                        break reply.value()["id"].as_str().unwrap().to_owned();
                    }
                    reply => {
                        let status = reply.as_ref().map(|reply| reply.status);
                        assert!(status.is_none_or(|status| status >= 500), "{reply:?}");
                        self.refusals[node].fetch_add(1, Ordering::Relaxed);
                        // The lock is that of who waits for it.
                        drop(self.acks.lock().unwrap_or_else(PoisonError::into_inner));
                        self.more.notify_all();
                        // A server that comes back needs the processor.
                        thread::park_timeout(PAUSE);
                    }
                }
            };
            let id = AskId::parse(&id).unwrap();
            let ack = Ack { key, id, node, began, ended: Instant::now() };
            self.acks.lock().unwrap_or_else(PoisonError::into_inner).push(ack);
            self.more.notify_all();
        }
    }

    /// Waits for this many confirmations at a node of what was asked after this time.
    pub(super) fn wait_for(&self, node: usize, count: usize, since: Instant) -> Vec<Ack> {
        let fits = |ack: &&Ack| ack.node == node && ack.began >= since;
        let acks = self.acks.lock().unwrap_or_else(PoisonError::into_inner);
        let too_few = |acks: &mut Vec<Ack>| acks.iter().filter(fits).count() < count;
        let (acks, waited) =
            self.more.wait_timeout_while(acks, LIMIT, too_few).unwrap_or_else(PoisonError::into_inner);
        assert!(!waited.timed_out(), "node {node} confirms nothing");
        acks.iter().filter(fits).cloned().collect()
    }

    /// Returns the longest time after this one without a confirmation at a node.
    pub(super) fn longest_gap(&self, node: usize, since: Instant) -> Duration {
        let acks = self.acks.lock().unwrap_or_else(PoisonError::into_inner);
        let ends = acks.iter().filter(|ack| ack.node == node && ack.ended >= since).map(|ack| ack.ended);
        let mut ends: Vec<_> = std::iter::once(since).chain(ends).collect();
        ends.sort();
        ends.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or_default()
    }

    /// Waits for a refusal of a node, and returns true if there is one.
    pub(super) fn waits_for_refusal(&self, node: usize) -> bool {
        let acks = self.acks.lock().unwrap_or_else(PoisonError::into_inner);
        let has_none = |_: &mut Vec<Ack>| self.refusals[node].load(Ordering::Relaxed) == 0;
        !self
            .more
            .wait_timeout_while(acks, LIMIT, has_none)
            .unwrap_or_else(PoisonError::into_inner)
            .1
            .timed_out()
    }

    /// Ends the writers.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Checks that the desk has every confirmed ask, each once.
    pub(super) fn judge(&self, desk: &StoreDesk) {
        let acks = self.acks.lock().unwrap_or_else(PoisonError::into_inner);
        let (opened, seen) = (acks.iter().map(|ack| ack.id).collect(), read_all(desk));
        let mut titles = BTreeMap::new();
        for ask in &seen {
            *titles.entry(ask.ask.request.questionnaire.title.clone().unwrap()).or_insert(0) += 1;
        }
        let twice: Vec<_> = titles.iter().filter(|(_, count)| **count > 1).collect();
        assert!(twice.is_empty(), "stored twice: {twice:?}");
        let keys: BTreeSet<_> = acks.iter().map(|ack| &ack.key).collect();
        assert_eq!(keys.len(), acks.len());
        Testimony { opened, ..Testimony::default() }.judge(seen).unwrap();
    }
}

/// Reads all asks of a desk.
pub(super) fn read_all(desk: &StoreDesk) -> Vec<SeenAsk> {
    let mut query = AskQuery { states: AskStatus::ALL.to_vec(), ..AskQuery::default() };
    let mut all = Vec::new();
    loop {
        let page = desk.list(&query).unwrap();
        all.extend(page.rows.iter().map(|row| read(desk, row.id)));
        let Some(next) = page.next else { return all };
        query.after = Some(next);
    }
}

/// Reads an ask and its log as they are at one moment: a running node notes when an asker is gone.
fn read(desk: &StoreDesk, id: AskId) -> SeenAsk {
    loop {
        let ask = desk.get(id).unwrap();
        let (draft, late) = (desk.draft(id).unwrap().replies, desk.late_submissions(id).unwrap());
        let log = desk.history(id).unwrap();
        if desk.get(id).unwrap().state == ask.state {
            return SeenAsk { ask, draft, late, log };
        }
    }
}
