//! Browser login: a one-time code, then a session.
//!
//! A signed-in browser has the role of a person and the name of its account. All state is in memory, so a restart
//! signs everyone out. Time and random bytes are arguments.

pub(super) mod browser;
mod login_state;
pub(super) mod page;

pub(super) use login_state::LoginState;

use jiff::{SignedDuration, Timestamp};
use sayso_core::model::digest::to_hex;
use sayso_core::{Digest, Message, Problem, ProblemCode, limits};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

/// Alphabet without 0, 1, I, L and O, which are mistaken for each other, and U, which is mistaken for V.
const LETTERS: &[u8; 30] = b"23456789ABCDEFGHJKMNPQRSTVWXYZ";
const BASE: u64 = LETTERS.len() as u64;
const CODE_LETTERS: u32 = 8;
/// Number of possible codes.
const CODES: u64 = BASE.pow(CODE_LETTERS);
/// Number of codes with the same prefix. The first two letters select the code; the others, with 729 million
/// combinations, must be guessed. So a wrong try counts against one code, and guessing cannot void the codes of all.
const CODES_PER_PREFIX: u64 = BASE.pow(CODE_LETTERS - 2);
const PREFIXES: u64 = CODES / CODES_PER_PREFIX;

/// Login code, to be shown only to the person.
#[derive(PartialEq, Eq)]
pub struct LoginCode(u64);

impl LoginCode {
    /// Returns the code as it is typed, in two groups: `7KQM-2WXA`.
    pub fn reveal(&self) -> String {
        let letters = (0..CODE_LETTERS).rev().filter_map(|place| {
            let value = usize::try_from(self.0 / BASE.pow(place) % BASE).ok()?;
            LETTERS.get(value).map(|letter| char::from(*letter))
        });
        let mut text: String = letters.collect();
        text.insert(text.len() / 2, '-');
        text
    }

    /// Parses a typed code; case and the dash do not matter.
    fn parse(typed: &str) -> Option<Self> {
        let (mut number, mut count) = (0, 0);
        for letter in typed.bytes().filter(|byte| !matches!(byte, b'-' | b' ')) {
            count += 1;
            let value = LETTERS.iter().position(|known| *known == letter.to_ascii_uppercase())?;
            if count > CODE_LETTERS {
                return None;
            }
            number = number * BASE + u64::try_from(value).ok()?;
        }
        (count == CODE_LETTERS).then_some(Self(number))
    }

    const fn prefix(&self) -> u64 {
        self.0 / CODES_PER_PREFIX
    }
}

impl fmt::Debug for LoginCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LoginCode(…)")
    }
}

/// Session key of a browser, the value of its cookie: 256 random bits.
pub struct SessionKey(String);

impl SessionKey {
    fn from_random(random: &[u8; 32]) -> Self {
        Self(to_hex(random))
    }

    /// Returns the value of the cookie.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SessionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionKey(…)")
    }
}

/// Terminal of a person, the only place that shows login codes.
pub struct LoginTerminal {
    /// Account that a code signs in.
    pub account: String,
    /// Shows a code. May block while the terminal is in use.
    pub show: Box<dyn Fn(&LoginCode) + Send + Sync>,
}

impl fmt::Debug for LoginTerminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terminal").field("account", &self.account).finish_non_exhaustive()
    }
}

/// Code that has not been used.
struct PendingCode {
    code: LoginCode,
    account: Arc<str>,
    expires_at: Timestamp,
    wrong_tries: u32,
}

struct BrowserSession {
    account: Arc<str>,
    last_seen: Timestamp,
}

/// Login codes and sessions of one server.
#[derive(Default)]
pub struct LoginRegistry {
    /// Codes by prefix; no two share one.
    codes: BTreeMap<u64, PendingCode>,
    /// Sessions by the hash of their keys, so that the time of a lookup reveals nothing about a key.
    sessions: HashMap<Digest, BrowserSession>,
}

impl fmt::Debug for LoginRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (codes, sessions) = (self.codes.len(), self.sessions.len());
        f.debug_struct("Logins").field("codes", &codes).field("sessions", &sessions).finish()
    }
}

impl LoginRegistry {
    /// Creates a code that signs in once as this account, for ten minutes.
    ///
    /// # Errors
    /// Fails if there are too many unused codes.
    pub fn new_code(&mut self, account: &str, random: u64, now: Timestamp) -> Result<LoginCode, Problem> {
        self.codes.retain(|_, unused| unused.expires_at > now);
        if self.codes.len() >= limits::LOGIN_CODES {
            let message = Message::LoginCodesMany.with([limits::LOGIN_CODES]);
            return Err(Problem::new(ProblemCode::TooManyRequests, message));
        }
        let mut number = random % CODES;
        while self.codes.contains_key(&(number / CODES_PER_PREFIX)) {
            number = (number + CODES_PER_PREFIX) % CODES;
        }
        let code = LoginCode(number);
        let unused = PendingCode {
            code: LoginCode(number),
            account: account.into(),
            expires_at: add_seconds(now, limits::LOGIN_CODE_SECONDS),
            wrong_tries: 0,
        };
        self.codes.insert(code.prefix(), unused);
        Ok(code)
    }

    /// Creates the next code for this account, if the last one is used or expired. A code voided by wrong tries
    /// blocks until it expires, too, so guessing creates no new codes.
    pub fn next_code(&mut self, account: &str, random: u64, now: Timestamp) -> Option<LoginCode> {
        let is_out = self.codes.values().any(|code| &*code.account == account && code.expires_at > now);
        if is_out { None } else { self.new_code(account, random, now).ok() }
    }

    /// Signs in with a valid code, which is used up. The error does not reveal the reason.
    ///
    /// # Errors
    /// Fails if the code is wrong, used, expired, or voided by wrong tries.
    pub fn sign_in(
        &mut self,
        typed: &str,
        random: &[u8; 32],
        now: Timestamp,
    ) -> Result<(SessionKey, Arc<str>), Problem> {
        let account = self.redeem_code(typed, now).ok_or_else(|| {
            let message = Message::LoginCodeWrong.with([limits::LOGIN_CODE_SECONDS / 60]);
            Problem::new(ProblemCode::Unauthorized, message).with_hint(Message::LoginCodeAnew)
        })?;
        self.evict_sessions(now);
        let key = SessionKey::from_random(random);
        let session = BrowserSession { account: account.clone(), last_seen: now };
        self.sessions.insert(Digest::compute(key.reveal().as_bytes()), session);
        Ok((key, account))
    }

    /// Returns the account of a session and extends the session.
    pub fn account_of(&mut self, cookie: &str, now: Timestamp) -> Option<Arc<str>> {
        let key = Digest::compute(cookie.as_bytes());
        let session = self.sessions.get_mut(&key)?;
        if has_ended(session, now) {
            self.sessions.remove(&key);
            return None;
        }
        session.last_seen = session.last_seen.max(now);
        Some(session.account.clone())
    }

    /// Returns whether the session with this key hash is active, without extending it.
    pub fn is_signed_in(&self, key: &Digest, now: Timestamp) -> bool {
        self.sessions.get(key).is_some_and(|session| !has_ended(session, now))
    }

    /// Ends the session with this key hash, if it exists.
    pub fn sign_out(&mut self, key: &Digest) {
        self.sessions.remove(key);
    }

    fn redeem_code(&mut self, typed: &str, now: Timestamp) -> Option<Arc<str>> {
        let typed = LoginCode::parse(typed)?;
        let beginning = typed.prefix();
        let unused = self.codes.get_mut(&beginning)?;
        let is_valid = unused.expires_at > now && unused.wrong_tries < limits::LOGIN_ATTEMPTS;
        let is_right = is_valid && unused.code == typed;
        unused.wrong_tries = unused.wrong_tries.saturating_add(u32::from(!is_right));
        let account = is_right.then(|| unused.account.clone());
        if is_right {
            self.codes.remove(&beginning);
        }
        account
    }

    /// Removes ended sessions and, if there are still too many, the one idle for longest.
    fn evict_sessions(&mut self, now: Timestamp) {
        if self.sessions.len() < limits::SESSIONS {
            return;
        }
        self.sessions.retain(|_, session| !has_ended(session, now));
        if self.sessions.len() >= limits::SESSIONS {
            let oldest = self.sessions.iter().min_by_key(|(_, session)| session.last_seen);
            if let Some(key) = oldest.map(|(key, _)| *key) {
                self.sessions.remove(&key);
            }
        }
    }
}

fn has_ended(session: &BrowserSession, now: Timestamp) -> bool {
    add_seconds(session.last_seen, limits::SESSION_IDLE_SECONDS) <= now
}

fn add_seconds(time: Timestamp, seconds: i64) -> Timestamp {
    time.checked_add(SignedDuration::from_secs(seconds)).unwrap_or(Timestamp::MAX)
}

const _: () = assert!(PREFIXES as usize > limits::LOGIN_CODES);

#[cfg(test)]
mod tests;
