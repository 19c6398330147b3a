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
mod tests {
    use super::*;

    const MINUTE: i64 = 60;
    const HOUR: i64 = 60 * MINUTE;

    fn at(seconds: i64) -> Timestamp {
        after(Timestamp::UNIX_EPOCH, seconds)
    }

    /// A code with another last letter.
    fn mistyped(code: &str, by: usize) -> String {
        let last = LETTERS.iter().position(|letter| code.ends_with(char::from(*letter))).unwrap();
        format!("{}{}", &code[..code.len() - 1], char::from(LETTERS[(last + by) % LETTERS.len()]))
    }

    fn code(logins: &mut Logins, random: u64, now: Timestamp) -> String {
        logins.new_code("ada", random, now).unwrap().reveal()
    }

    fn is_let_in(logins: &mut Logins, typed: &str, now: Timestamp) -> bool {
        match logins.sign_in(typed, &[7; 32], now) {
            Ok((_, account)) => &*account == "ada",
            Err(problem) => {
                assert_eq!(problem.code, Code::Unauthorized);
                false
            }
        }
    }

    #[test]
    fn a_code_is_written_in_two_groups_and_read_as_people_type_it() {
        assert_eq!(LoginCode(0).reveal(), "2222-2222");
        assert_eq!(LoginCode(CODES - 1).reveal(), "ZZZZ-ZZZZ");
        assert_eq!(LoginCode(31).reveal(), "2222-2233");
        let code = LoginCode(123_456_789_012);
        let text = code.reveal();
        for typed in [text.clone(), text.to_lowercase(), text.replace('-', ""), format!(" {text} ")] {
            assert_eq!(LoginCode::read(&typed), Some(LoginCode(123_456_789_012)), "{typed}");
        }
        let wrong = ["", "2222", "2222-222O", "2222-222é", "2222-22222", &"2".repeat(100_000)];
        assert!(wrong.iter().all(|typed| LoginCode::read(typed).is_none()));
        assert_eq!(format!("{code:?}"), "LoginCode(…)");
    }

    #[test]
    fn a_code_lets_in_once() {
        let mut logins = Logins::default();
        let code = code(&mut logins, 42, at(0));
        assert!(is_let_in(&mut logins, &code.to_lowercase(), at(1)));
        assert!(!is_let_in(&mut logins, &code, at(1)));
    }

    #[test]
    fn a_code_lasts_ten_minutes() {
        let mut logins = Logins::default();
        let first = code(&mut logins, 42, at(0));
        assert!(is_let_in(&mut logins, &first, at(10 * MINUTE - 1)));
        let second = code(&mut logins, 42, at(0));
        assert!(!is_let_in(&mut logins, &second, at(10 * MINUTE)));
    }

    #[test]
    fn the_fifth_wrong_try_voids_a_code_and_no_other() {
        let mut logins = Logins::default();
        for tries in [4, 5] {
            let mine = code(&mut logins, 42, at(0));
            let theirs = code(&mut logins, 42, at(0));
            assert_ne!(mine[..2], theirs[..2]);
            for by in 1..=tries {
                assert!(!is_let_in(&mut logins, &mistyped(&mine, by), at(1)));
            }
            assert_eq!(is_let_in(&mut logins, &mine, at(1)), tries < 5, "{tries}");
            assert!(is_let_in(&mut logins, &theirs, at(1)));
        }
    }

    #[test]
    fn the_next_code_comes_when_the_last_one_is_used_or_over() {
        let mut logins = Logins::default();
        let mut random = 0;
        let mut next = |logins: &mut Logins, now| {
            random += 1;
            logins.next_code("ada", random, now).map(|code| code.reveal())
        };
        let first = next(&mut logins, at(0)).unwrap();
        assert_eq!(next(&mut logins, at(1)), None);
        assert!(is_let_in(&mut logins, &first, at(2)));
        let second = next(&mut logins, at(3)).unwrap();
        for by in 1..=limits::LOGIN_TRIES {
            is_let_in(&mut logins, &mistyped(&second, by as usize), at(4));
        }
        assert!(!is_let_in(&mut logins, &second, at(5)));
        assert_eq!(next(&mut logins, at(10 * MINUTE)), None, "guessing brings no new one");
        let third = next(&mut logins, at(10 * MINUTE + 3)).unwrap();
        assert!(is_let_in(&mut logins, &third, at(10 * MINUTE + 4)));
    }

    #[test]
    fn so_many_codes_are_unused_at_one_time() {
        let mut logins = Logins::default();
        // All would begin alike, at the end of the alphabet.
        for _ in 0..limits::LOGIN_CODES {
            code(&mut logins, CODES - 1, at(0));
        }
        assert_eq!(logins.new_code("ada", 1, at(1)).unwrap_err().code, Code::TooManyRequests);
        assert!(logins.new_code("ada", 1, at(10 * MINUTE)).is_ok());
    }

    #[test]
    fn a_session_lasts_while_it_is_used_and_ends_twelve_hours_after() {
        let mut logins = Logins::default();
        let code = code(&mut logins, 42, at(0));
        let (key, _) = logins.sign_in(&code, &[7; 32], at(0)).unwrap();
        assert_eq!(key.reveal(), "07".repeat(32));
        assert_eq!(format!("{key:?}"), "SessionKey(…)");
        for now in [11 * HOUR, 22 * HOUR, 34 * HOUR - 1] {
            assert_eq!(logins.account_of(key.reveal(), at(now)).as_deref(), Some("ada"));
        }
        assert_eq!(logins.account_of(key.reveal(), at(46 * HOUR - 1)), None);
        assert_eq!(logins.account_of(key.reveal(), at(0)), None, "what has ended does not come back");
        assert_eq!(logins.account_of("", at(0)), None);
    }

    #[test]
    fn whoever_signs_out_is_out_and_others_stay() {
        let mut logins = Logins::default();
        let mut keys = Vec::new();
        for random in [1, 2] {
            let code = code(&mut logins, 42, at(0));
            keys.push(logins.sign_in(&code, &[random; 32], at(0)).unwrap().0);
        }
        let [first, second] = [0, 1].map(|n: usize| Digest::of(keys[n].reveal().as_bytes()));
        logins.sign_out(&first);
        assert_eq!([first, second].map(|key| logins.has(&key, at(1))), [false, true]);
        assert!(!logins.has(&second, at(12 * HOUR)));
        assert_eq!(logins.account_of(keys[0].reveal(), at(1)), None);
        assert_eq!(logins.account_of(keys[1].reveal(), at(1)).as_deref(), Some("ada"));
    }

    #[test]
    fn where_too_many_are_signed_in_the_one_unseen_for_longest_goes() {
        let mut logins = Logins::default();
        let mut sign_in = |n: usize, now: Timestamp| {
            let code = code(&mut logins, 42, now);
            let mut random = [0; 32];
            random[..8].copy_from_slice(&n.to_be_bytes());
            logins.sign_in(&code, &random, now).unwrap().0
        };
        let first = sign_in(0, at(0));
        let second = sign_in(1, at(1));
        for n in 2..=limits::SESSIONS {
            sign_in(n, at(2));
        }
        assert_eq!(logins.account_of(first.reveal(), at(3)), None);
        assert!(logins.account_of(second.reveal(), at(3)).is_some());
        assert_eq!(logins.sessions.len(), limits::SESSIONS);
    }
}
