//! Those who act: askers that wait, people that type and answer, an asker that judges or takes back, the desk's clock.
//! Each is a small machine; the schedule says who takes the next step.

use crate::dice::Dice;
use crate::plant::Plant;
use crate::role::Role;
use crate::store::{Done, Job, Store, asker, moment, store_key_apart};
use crate::transaction::Transaction;
use sayso_core::model::actor::{AssuranceLevel, Surface};
use sayso_core::model::ask::{AskPhase, RoundFeedback};
use sayso_core::{Actor, AskCommand, Digest, Person, QuestionId, Replies, Reply};

/// Position of an actor.
#[derive(Debug, Clone)]
enum Stage {
    Begin,
    Listen,
    Look,
    Wait,
    Read {
        last: usize,
    },
    Offer,
    Print(String),
    Refused(Replies),
    Keep(Replies),
    Submit,
    /// The reply was lost: it tries again, with the same key.
    Again(AskCommand),
    Over,
}

/// One of those who act.
#[derive(Debug, Clone)]
pub(crate) struct SimulatedProcess {
    pub(crate) role: Role,
    stage: Stage,
    transaction: Option<Transaction>,
    /// The ask that it is at.
    at: Option<usize>,
    /// Position of its watch.
    cursor: usize,
    ear: usize,
    /// Replies that it submits.
    replies: Replies,
    printed_early: bool,
    polls: u8,
    /// Number of deaths of its process.
    deaths: u8,
    has_tried_again: bool,
}

/// The ask that was asked last.
fn last(store: &Store) -> usize {
    store.seen.records.len().saturating_sub(1)
}

fn line_of(number: u8) -> (QuestionId, Reply) {
    (QuestionId::new("say"), Reply::from_text(format!("person {number}")))
}

fn person(number: u8) -> Actor {
    Actor::Person(Person {
        name: format!("person {number}"),
        surface: Surface::Prompter,
        assurance: AssuranceLevel::Terminal,
        access: None,
    })
}

impl SimulatedProcess {
    pub(crate) fn new(role: Role, ear: usize) -> Self {
        Self {
            role,
            stage: Stage::Begin,
            transaction: None,
            at: None,
            cursor: 0,
            ear,
            replies: Replies::new(),
            printed_early: false,
            polls: 12,
            deaths: 0,
            has_tried_again: false,
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over) && self.transaction.is_none()
    }

    /// The ask for whose end it sleeps.
    pub(crate) fn sleeps_for(&self) -> Option<usize> {
        self.at.filter(|_| matches!(self.stage, Stage::Wait) && self.transaction.is_none())
    }

    /// Its process dies; another one may do the same from the beginning.
    pub(crate) fn die(&mut self, store: &mut Store) {
        if let Some(transaction) = &mut self.transaction {
            transaction.die(store);
        }
        if let Some(ear) = store.ears.get_mut(self.ear) {
            *ear = None;
        }
        *self = Self { deaths: self.deaths + 1, ..Self::new(self.role, self.ear) };
    }

    /// Returns whether it can take a step.
    pub(crate) fn is_ready(&self, store: &Store) -> bool {
        if let Some(transaction) = &self.transaction {
            return transaction.is_ready(store);
        }
        match (&self.stage, self.role) {
            (Stage::Over, _) => false,
            (Stage::Wait, _) => {
                let rang = store.ears.get(self.ear).copied().flatten() == Some(true);
                rang || self.is_due(store)
            }
            (Stage::Begin, Role::Person { .. } | Role::Judge | Role::Canceller | Role::Ticker) => {
                !store.seen.records.is_empty()
            }
            _ => true,
        }
    }

    fn is_due(&self, store: &Store) -> bool {
        let record = self.at.and_then(|at| store.record(at));
        record.is_some_and(|record| record.ask.is_due(moment(store.now)))
    }

    fn begin(&mut self, job: Job) {
        self.transaction = Some(Transaction::of(job));
    }

    /// Takes one step.
    pub(crate) fn step(&mut self, store: &mut Store, dice: &mut Dice) {
        if let Some(mut transaction) = self.transaction.take() {
            let Some(done) = transaction.step(store) else {
                self.transaction = Some(transaction);
                return;
            };
            self.hear(store, &transaction.job, done);
            // A bug that tells too early does the rest a step later, if it still lives then.
            if matches!(store.plant, Some(Plant::AckBeforeCommit | Plant::AckBeforeSync))
                && self.transaction.is_none()
            {
                if dice.one_in(4) {
                    transaction.die(store);
                } else {
                    transaction.goes_on(store);
                }
            }
            return;
        }
        match self.role {
            Role::Asker { key } => self.asks(store, key),
            Role::Person { number, is_hasty } => self.answers(store, number, is_hasty, dice),
            Role::Judge => self.judges(store, dice),
            Role::Canceller => {
                let command = AskCommand::CANCEL;
                self.stage = Stage::Over;
                self.begin(Job::Act { at: last(store), who: Actor::Asker(asker()), key: None, command });
            }
            Role::Ticker => self.ticks(store),
        }
    }

    /// Result of its transaction.
    fn hear(&mut self, store: &mut Store, job: &Job, done: Done) {
        match (job, done) {
            (Job::Open { key }, Done::Ask { at, is_new }) => self.opened(store, *key, at, is_new),
            (Job::Act { at, key, command, .. }, Done::Ask { .. }) => {
                match command {
                    AskCommand::Submit { replies, .. } => store.judge.answered(*at, replies.clone()),
                    AskCommand::Decline { .. } | AskCommand::Cancel { .. } | AskCommand::Accept { .. } => {
                        store.judge.ended(*at);
                    }
                    AskCommand::Ack => store.judge.delivered(*at),
                    _ => {}
                }
                if let Some(key) = key {
                    store.judge.acted(*key);
                    let has_tried = std::mem::replace(&mut self.has_tried_again, true);
                    self.stage = if has_tried { Stage::Over } else { Stage::Again(command.clone()) };
                }
            }
            (Job::Act { at, .. }, Done::Refused(problem)) if self.has_tried_again => {
                store
                    .judge
                    .blame(|| format!("what was done at {at} is refused when it is repeated: {problem}"));
            }
            (Job::Act { at, command: AskCommand::Submit { replies, .. }, .. }, Done::Refused(problem)) => {
                if problem.hint.is_some() {
                    store.judge.came_late(*at, replies.clone());
                }
                self.stage = Stage::Refused(replies.clone());
            }
            (Job::Save { at, line, unless_since: None }, Done::Saved) => {
                store.judge.saved(*at, line.0.clone(), line.1.clone());
            }
            // Somebody types there at the same time: it looks again.
            (Job::Save { unless_since: Some(_), .. }, Done::Changed) => {
                self.stage = Stage::Refused(self.replies.clone());
            }
            (Job::Offer { .. }, Done::Rendered(bytes)) => self.stage = Stage::Print(bytes),
            (Job::Open { .. } | Job::Offer { .. }, _) => self.stage = Stage::Over,
            _ => {}
        }
    }

    fn opened(&mut self, store: &mut Store, key: Option<u8>, at: usize, is_new: bool) {
        if let Some(key) = key.filter(|_| store.has(Plant::KeyApart)) {
            store_key_apart(store, key, at);
        }
        let is_live = store.record(at).is_some_and(|record| record.ask.is_live());
        let is_delivered = store.record(at).is_some_and(|record| record.ask.is_delivered());
        if key.is_none() && !is_new && is_delivered && store.has(Plant::DeliveredIsFound) {
            store.judge.blame(|| format!("an answer that was delivered is given to a new question: {at}"));
        }
        if key.is_none() && !is_new && !is_live {
            // It was found while its deadline passed, or another one took it: this is another question.
            self.stage = Stage::Begin;
            return;
        }
        store.judge.opened(at, key);
        self.at = Some(at);
        self.stage = Stage::Listen;
    }

    fn asks(&mut self, store: &mut Store, key: Option<u8>) {
        let at = self.at.unwrap_or_default();
        let is_settled = store.record(at).is_some_and(|record| record.ask.outcome().is_some());
        match std::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Begin => self.begin(Job::Open { key }),
            Stage::Listen if store.has(Plant::ReadThenWatch) && self.cursor == 0 => {
                // Reads first; the watch begins a step later.
                self.cursor = usize::MAX;
                self.stage = if is_settled { Stage::Offer } else { Stage::Listen };
            }
            Stage::Listen => {
                let reads_next = self.cursor != usize::MAX;
                if let Some(ear) = store.ears.get_mut(self.ear) {
                    *ear = Some(false);
                }
                self.cursor = store.seen.changes.len();
                self.stage = if reads_next { Stage::Look } else { Stage::Wait };
            }
            Stage::Look => self.stage = if is_settled { Stage::Offer } else { Stage::Wait },
            Stage::Wait if self.is_due(store) => {
                self.stage = Stage::Look;
                self.begin(Job::Act { at, who: Actor::Desk, key: None, command: AskCommand::Tick });
            }
            Stage::Wait => {
                if !store.has(Plant::DrainAfterRead) {
                    self.drain(store);
                }
                self.stage = Stage::Read { last: store.seen.changes.len() };
            }
            Stage::Read { last } => {
                let end = if store.has(Plant::DrainAfterRead) { last } else { store.seen.changes.len() };
                let skips = store.has(Plant::CursorSkips);
                let read = store.seen.changes.get(self.cursor..if skips { last } else { end });
                let is_meant = read.unwrap_or_default().contains(&at);
                self.cursor = store.seen.changes.len().max(if skips { 0 } else { end });
                if store.has(Plant::DrainAfterRead) {
                    self.cursor = end;
                    self.drain(store);
                }
                self.stage = if is_meant { Stage::Look } else { Stage::Wait };
            }
            Stage::Offer => self.begin(Job::Offer { at }),
            Stage::Print(bytes) => {
                let acks_early = store.has(Plant::AckBeforePrint) && !self.printed_early;
                if acks_early {
                    self.printed_early = true;
                    self.stage = Stage::Print(bytes);
                } else {
                    store.judge.printed(at, &bytes);
                    if self.printed_early {
                        return;
                    }
                }
                self.begin(Job::Act { at, who: Actor::Asker(asker()), key: None, command: AskCommand::Ack });
            }
            Stage::Refused(_) | Stage::Keep(_) | Stage::Submit | Stage::Again(_) | Stage::Over => {}
        }
    }

    fn drain(&self, store: &mut Store) {
        if let Some(ear) = store.ears.get_mut(self.ear) {
            *ear = Some(false);
        }
    }

    fn answers(&mut self, store: &Store, number: u8, is_hasty: bool, dice: &mut Dice) {
        let at = self.at.unwrap_or_else(|| last(store));
        let Some(record) = store.record(at) else {
            self.stage = Stage::Over;
            return;
        };
        let shown: Digest = record.ask.request.digest;
        match std::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Begin => {
                self.at = Some(at);
                if record.ask.outcome().is_some() {
                    return;
                }
                self.stage = Stage::Submit;
                if !is_hasty {
                    self.begin(Job::Save { at, line: line_of(number), unless_since: None });
                }
            }
            Stage::Submit => {
                let mut replies: Replies =
                    record.draft.iter().map(|(id, (reply, _))| (id.clone(), reply.clone())).collect();
                if is_hasty {
                    // Without the question that has to be answered it is refused, now and then.
                    replies = [(QuestionId::new("more"), Reply::from_text(format!("hasty {number}")))].into();
                    if dice.one_in(2) {
                        replies.extend([line_of(number)]);
                    }
                }
                let command = if dice.one_in(6) {
                    AskCommand::Decline { reason: Some("no".to_owned()), shown }
                } else {
                    AskCommand::Submit { replies, as_sent: None, shown: shown.into() }
                };
                self.act(at, number, command);
            }
            Stage::Again(command) => self.act(at, number, command),
            // Refused replies are kept in the draft, at questions where no one has typed.
            Stage::Refused(mut replies) => {
                replies.retain(|question, _| !record.draft.contains_key(question));
                if let Some((question, reply)) = replies.pop_first() {
                    self.replies = [(question.clone(), reply.clone())].into();
                    self.stage = Stage::Keep(replies);
                    let unless_since = Some(record.rev);
                    self.begin(Job::Save { at, line: (question, reply), unless_since });
                }
            }
            Stage::Keep(replies) => self.stage = Stage::Refused(replies),
            _ => {}
        }
    }

    /// Does something as a person, with a key for this life of its process.
    fn act(&mut self, at: usize, number: u8, command: AskCommand) {
        let key = Some(number * 16 + self.deaths);
        self.begin(Job::Act { at, who: person(number), key, command });
    }

    fn judges(&mut self, store: &Store, dice: &mut Dice) {
        self.polls = self.polls.saturating_sub(1);
        if self.polls == 0 {
            self.stage = Stage::Over;
            return;
        }
        let at = last(store);
        if let Some(AskPhase::Submitted { round, .. }) =
            store.record(at).map(|record| &record.ask.state.phase)
        {
            let round = *round;
            let command = if dice.one_in(2) {
                AskCommand::Accept { round }
            } else {
                AskCommand::Reprompt { round, feedback: RoundFeedback::default() }
            };
            self.begin(Job::Act { at, who: Actor::Asker(asker()), key: None, command });
        }
    }

    fn ticks(&mut self, store: &Store) {
        self.polls = self.polls.saturating_sub(1);
        if self.polls == 0 {
            self.stage = Stage::Over;
            return;
        }
        let early = if store.has(Plant::TooEarly) { 15 } else { 0 };
        let due =
            |record: &std::sync::Arc<crate::store::Record>| record.ask.is_due(moment(store.now + early));
        if let Some(at) = store.seen.records.iter().position(due) {
            self.begin(Job::Act { at, who: Actor::Desk, key: None, command: AskCommand::Tick });
        }
    }
}
