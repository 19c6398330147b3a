//! How a person's browser is let in: a code that is typed once, and a session after it.
//!
//! A browser that is let in has the role of a person and the name of its account. All of it is in memory: when the
//! server ends, everybody signs in anew. Time and random bytes come in as arguments.

use jiff::{SignedDuration, Timestamp};
use sayso_core::digest::hex;
use sayso_core::{Code, Digest, Message, Problem, limits};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

/// Without 0, 1, I, L and O, which are taken for each other, and U, which is taken for V.
const LETTERS: &[u8; 30] = b"23456789ABCDEFGHJKMNPQRSTVWXYZ";
const BASE: u64 = LETTERS.len() as u64;
const CODE_LETTERS: u32 = 8;
/// How many codes there are.
const CODES: u64 = BASE.pow(CODE_LETTERS);
/// How many codes begin alike. The first two letters say which code is meant; the others, of which there are 729 million,
/// have to be guessed. So a wrong try counts against one code, and nobody voids everybody's by guessing.
const CODES_ALIKE: u64 = BASE.pow(CODE_LETTERS - 2);
const BEGINNINGS: u64 = CODES / CODES_ALIKE;

/// A code to sign in with, to be told to the person and to nobody else.
#[derive(PartialEq, Eq)]
pub struct LoginCode(u64);

impl LoginCode {
    /// The code as it is typed, in two groups: `7KQM-2WXA`.
    pub fn reveal(&self) -> String {
        let letters = (0..CODE_LETTERS).rev().filter_map(|place| {
            let value = usize::try_from(self.0 / BASE.pow(place) % BASE).ok()?;
            LETTERS.get(value).map(|letter| char::from(*letter))
        });
        let mut text: String = letters.collect();
        text.insert(text.len() / 2, '-');
        text
    }

    /// Reads what was typed, in capitals or not, with or without the dash.
    fn read(typed: &str) -> Option<Self> {
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

    const fn beginning(&self) -> u64 {
        self.0 / CODES_ALIKE
    }
}

impl fmt::Debug for LoginCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LoginCode(…)")
    }
}

/// What a browser shows with each request: the value of its cookie, 256 random bits.
pub struct SessionKey(String);

impl SessionKey {
    fn of(random: &[u8; 32]) -> Self {
        Self(hex(random))
    }

    /// The value of the cookie.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SessionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionKey(…)")
    }
}

/// A terminal at which a person sits: codes to sign in with are shown there and nowhere else.
pub struct Terminal {
    /// As whom a code lets in.
    pub account: String,
    /// Shows a code. It may wait for a terminal that is held.
    pub show: Box<dyn Fn(&LoginCode) + Send + Sync>,
}

impl fmt::Debug for Terminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terminal").field("account", &self.account).finish_non_exhaustive()
    }
}

/// A code that nobody has used yet.
struct Unused {
    code: LoginCode,
    account: Arc<str>,
    ends_at: Timestamp,
    wrong_tries: u32,
}

struct Session {
    account: Arc<str>,
    last_seen: Timestamp,
}

/// The codes and sessions of one server.
#[derive(Default)]
pub struct Logins {
    /// By their beginnings, which no two have in common.
    codes: BTreeMap<u64, Unused>,
    /// By the hash of their keys, so that the time a search takes tells nothing of a key.
    sessions: HashMap<Digest, Session>,
}

impl fmt::Debug for Logins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (codes, sessions) = (self.codes.len(), self.sessions.len());
        f.debug_struct("Logins").field("codes", &codes).field("sessions", &sessions).finish()
    }
}

impl Logins {
    /// A code that lets in whoever types it as this account: once, and for ten minutes.
    ///
    /// # Errors
    /// When there are too many that nobody has used yet.
    pub fn new_code(&mut self, account: &str, random: u64, now: Timestamp) -> Result<LoginCode, Problem> {
        self.codes.retain(|_, unused| unused.ends_at > now);
        if self.codes.len() >= limits::LOGIN_CODES {
            let said = Message::LoginCodesMany.with([limits::LOGIN_CODES]);
            return Err(Problem::new(Code::TooManyRequests, said));
        }
        let mut number = random % CODES;
        while self.codes.contains_key(&(number / CODES_ALIKE)) {
            number = (number + CODES_ALIKE) % CODES;
        }
        let code = LoginCode(number);
        let unused = Unused {
            code: LoginCode(number),
            account: account.into(),
            ends_at: after(now, limits::LOGIN_CODE_SECONDS),
            wrong_tries: 0,
        };
        self.codes.insert(code.beginning(), unused);
        Ok(code)
    }

    /// The next code for this account, once the last one has been used or its time is over. One that was mistyped too
    /// often has its time too: nobody gets new codes made by guessing at them.
    pub fn next_code(&mut self, account: &str, random: u64, now: Timestamp) -> Option<LoginCode> {
        let is_out = self.codes.values().any(|code| &*code.account == account && code.ends_at > now);
        if is_out { None } else { self.new_code(account, random, now).ok() }
    }

    /// Lets in whoever types a code that is valid; then it is used up. What was wrong with one is not told.
    ///
    /// # Errors
    /// When it is mistyped, used, too old, or was mistyped too often.
    pub fn sign_in(
        &mut self,
        typed: &str,
        random: &[u8; 32],
        now: Timestamp,
    ) -> Result<(SessionKey, Arc<str>), Problem> {
        let account = self.use_up(typed, now).ok_or_else(|| {
            let said = Message::LoginCodeWrong.with([limits::LOGIN_CODE_SECONDS / 60]);
            Problem::new(Code::Unauthorized, said).hint(Message::LoginCodeAnew)
        })?;
        self.make_room(now);
        let key = SessionKey::of(random);
        let session = Session { account: account.clone(), last_seen: now };
        self.sessions.insert(Digest::of(key.reveal().as_bytes()), session);
        Ok((key, account))
    }

    /// The account that a browser with this cookie is signed in as. Being seen keeps it signed in.
    pub fn account_of(&mut self, cookie: &str, now: Timestamp) -> Option<Arc<str>> {
        let key = Digest::of(cookie.as_bytes());
        let session = self.sessions.get_mut(&key)?;
        if has_ended(session, now) {
            self.sessions.remove(&key);
            return None;
        }
        session.last_seen = session.last_seen.max(now);
        Some(session.account.clone())
    }

    /// Whether the session with this hash of its cookie lasts. To be asked keeps nobody signed in.
    pub fn has(&self, key: &Digest, now: Timestamp) -> bool {
        self.sessions.get(key).is_some_and(|session| !has_ended(session, now))
    }

    /// Ends the session with this hash of its cookie, if there is one.
    pub fn sign_out(&mut self, key: &Digest) {
        self.sessions.remove(key);
    }

    fn use_up(&mut self, typed: &str, now: Timestamp) -> Option<Arc<str>> {
        let typed = LoginCode::read(typed)?;
        let beginning = typed.beginning();
        let unused = self.codes.get_mut(&beginning)?;
        let is_valid = unused.ends_at > now && unused.wrong_tries < limits::LOGIN_TRIES;
        let is_right = is_valid && unused.code == typed;
        unused.wrong_tries = unused.wrong_tries.saturating_add(u32::from(!is_right));
        let account = is_right.then(|| unused.account.clone());
        if is_right {
            self.codes.remove(&beginning);
        }
        account
    }

    /// Forgets sessions that ended, and where there are still too many, the one that was not seen for longest.
    fn make_room(&mut self, now: Timestamp) {
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

fn has_ended(session: &Session, now: Timestamp) -> bool {
    after(session.last_seen, limits::SESSION_IDLE_SECONDS) <= now
}

fn after(time: Timestamp, seconds: i64) -> Timestamp {
    time.checked_add(SignedDuration::from_secs(seconds)).unwrap_or(Timestamp::MAX)
}

const _: () = assert!(BEGINNINGS as usize > limits::LOGIN_CODES);

#[cfg(test)]
mod tests;
