//! Write jobs of the store, and their results.

use super::error::{self, failed, full};
use super::purge::{Old, Step};
use super::requests::Requests;
use super::reserve::Reserve;
use super::{ask, draft, due, emptied, purge, search, thread, token};
use crate::draft::{DraftRev, Over};
use crate::store::{AllOrNone, Beside, Committed, Decide, KeyUse, Target, Together};
use crate::thread::Write;
use crate::token::{NewToken, Token};
use jiff::Timestamp;
use rusqlite::Connection;
use sayso_core::{AskId, Person, Problem, QuestionId, Reply};

/// State that the writer keeps in addition to its connection.
#[derive(Clone, Copy)]
pub(super) struct Kept<'a> {
    pub(super) reserve: &'a Reserve,
    pub(super) requests: &'a Requests,
}

/// Write job.
pub(super) enum Job {
    Change {
        target: Target,
        key: Option<KeyUse>,
        beside: Beside,
        decide: Decide,
    },
    ChangeAll(Vec<Together>),
    Draft {
        id: AskId,
        base: DraftRev,
        by: Person,
        replies: Vec<(QuestionId, Reply)>,
        over: Over,
    },
    Purge {
        old: Old,
        step: Step,
    },
    /// Prunes a batch of unseen asks that were cancelled before this time.
    Empty {
        before: Timestamp,
    },
    Index,
    /// Runs what is due, on a batch of asks.
    Due,
    /// Does nothing beyond every transaction's clock check, which moves deadlines if the clock was set.
    KeepTime,
    NewToken(NewToken),
    RevokeToken {
        id: String,
    },
    Thread(Write),
}

impl Job {
    /// Returns whether the job must be synced to disk before its caller returns.
    pub(super) const fn must_last(&self) -> bool {
        match self {
            Self::Change { beside, .. } => !beside.fleeting,
            Self::ChangeAll(_)
            | Self::Draft { .. }
            | Self::Due
            | Self::NewToken(_)
            | Self::RevokeToken { .. } => true,
            Self::Thread(write) => write.must_last(),
            // A purge that a power cut undoes is repeated.
            Self::Index | Self::KeepTime | Self::Purge { .. } | Self::Empty { .. } => false,
        }
    }

    /// Returns whether the job adds data, for which free space outside the reserve is needed. For asks the change
    /// itself decides.
    const fn is_new(&self) -> bool {
        matches!(self, Self::NewToken(_) | Self::Thread(Write::New(_) | Write::Say { .. }))
    }

    /// Returns whether the job may use the reserve, because it completes existing asks or turns.
    pub(super) const fn may_use_reserve(&self) -> bool {
        !self.is_new() && !matches!(self, Self::Index)
    }

    /// Runs the job inside a transaction.
    pub(super) fn run(&mut self, conn: &Connection, kept: Kept<'_>, now: Timestamp) -> Result<Done, Failure> {
        if self.is_new() && !kept.reserve.fill() {
            return Err(full().into());
        }
        match self {
            Self::Change { target, key, beside, decide } => {
                ask::change(conn, target, key.as_ref(), beside, decide, kept, now)
                    .map(|done| Done::Committed(Box::new(done)))
            }
            Self::ChangeAll(changes) => ask::change_all(conn, changes, kept, now).map(Done::AllOrNone),
            Self::Draft { id, base, by, replies, over } => {
                let asked = draft::questionnaire(conn, kept.requests, *id)?;
                let (rev, overwritten) = draft::save(conn, *id, (*base, *over), by, replies, &asked, now)?;
                if !replies.is_empty() {
                    draft::count(conn, *id, &asked)?;
                }
                Ok(Done::Saved(rev, overwritten))
            }
            Self::Purge { old, step } => {
                let (gone, next) = purge::take(conn, *old, *step, now)?;
                Ok(Done::Purged { gone, next })
            }
            Self::Empty { before } => {
                emptied::cancelled_before(conn, kept.requests, *before).map(Done::Counted)
            }
            Self::NewToken(new) => token::add(conn, new, now).map(|()| Done::Token(None)),
            Self::RevokeToken { id } => {
                token::revoke(conn, id, now).map(|token| Done::Token(token.map(Box::new)))
            }
            Self::Thread(write) => thread::write(conn, write, now).map(Done::Numbered),
            Self::KeepTime => Ok(Done::Counted(0)),
            Self::Due => Ok(Done::Counted(due::pass_time(conn, kept.requests, now)?)),
            Self::Index => Ok(Done::Counted(search::catch_up(conn)?)),
        }
    }
}

/// Result of a job.
pub(super) enum Done {
    Committed(Box<Committed>),
    AllOrNone(AllOrNone),
    Saved(DraftRev, Vec<QuestionId>),
    Counted(usize),
    Purged { gone: usize, next: Step },
    Token(Option<Box<Token>>),
    Numbered(i64),
}

impl Done {
    pub(super) fn committed(self) -> Result<Committed, Problem> {
        if let Self::Committed(committed) = self { Ok(*committed) } else { Err(failed("mixed-up reply")) }
    }

    pub(super) fn all_or_none(self) -> Result<AllOrNone, Problem> {
        if let Self::AllOrNone(done) = self { Ok(done) } else { Err(failed("mixed-up reply")) }
    }

    pub(super) fn saved(self) -> Result<(DraftRev, Vec<QuestionId>), Problem> {
        if let Self::Saved(rev, overwritten) = self {
            Ok((rev, overwritten))
        } else {
            Err(failed("mixed-up reply"))
        }
    }

    pub(super) fn counted(self) -> Result<usize, Problem> {
        if let Self::Counted(count) = self { Ok(count) } else { Err(failed("mixed-up reply")) }
    }

    pub(super) fn purged(self) -> Result<(usize, Step), Problem> {
        if let Self::Purged { gone, next } = self { Ok((gone, next)) } else { Err(failed("mixed-up reply")) }
    }

    pub(super) fn numbered(self) -> Result<i64, Problem> {
        if let Self::Numbered(number) = self { Ok(number) } else { Err(failed("mixed-up reply")) }
    }

    pub(super) fn token(self) -> Result<Option<Token>, Problem> {
        if let Self::Token(token) = self {
            Ok(token.map(|token| *token))
        } else {
            Err(failed("mixed-up reply"))
        }
    }
}

/// Error of a job: its own problem, which leaves other jobs unaffected, or a database error, which aborts the
/// transaction.
pub(super) enum Failure {
    Problem(Problem),
    Database(rusqlite::Error),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        match error::damage_in(&error) {
            Some(damage) => Self::Problem(damage.problem()),
            None => Self::Database(error),
        }
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thread::{Holder, Progress, Thread};

    #[test]
    fn full_disk_only_ends_turns() {
        let now = Timestamp::UNIX_EPOCH;
        let name = || "t".to_owned();
        let thread =
            Thread { id: name(), owner: name(), agent: None, title: None, created_at: now, changed_at: now };
        let holder = Holder { secret: name(), worker: name() };
        let may = |write| Job::Thread(write).may_use_reserve();
        assert!(
            !may(Write::New(thread))
                && !may(Write::Say { thread: name(), message: name(), key: None, agent: None })
        );
        assert!(may(Write::Take { turn: 1, thread: name(), agent: name(), holder }));
        assert!(may(Write::Progress(Progress { has_ended: true, ..Progress::default() })));
        assert!(may(Write::Delete { thread: name() }));
    }
}
