//! One-time codes and sessions.

use super::*;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;

fn at(seconds: i64) -> Timestamp {
    add_seconds(Timestamp::UNIX_EPOCH, seconds)
}

/// Returns the code with another last letter.
fn mistyped(code: &str, by: usize) -> String {
    let last = LETTERS.iter().position(|letter| code.ends_with(char::from(*letter))).unwrap();
    format!("{}{}", &code[..code.len() - 1], char::from(LETTERS[(last + by) % LETTERS.len()]))
}

fn code(logins: &mut LoginRegistry, random: u64, now: Timestamp) -> String {
    logins.new_code("ada", random, now).unwrap().reveal()
}

fn is_let_in(logins: &mut LoginRegistry, typed: &str, now: Timestamp) -> bool {
    match logins.sign_in(typed, &[7; 32], now) {
        Ok((_, account)) => &*account == "ada",
        Err(problem) => {
            assert_eq!(problem.code, ProblemCode::Unauthorized);
            false
        }
    }
}

#[test]
fn code_format_tolerates_typing_variants() {
    assert_eq!(LoginCode(0).reveal(), "2222-2222");
    assert_eq!(LoginCode(CODES - 1).reveal(), "ZZZZ-ZZZZ");
    assert_eq!(LoginCode(31).reveal(), "2222-2233");
    let code = LoginCode(123_456_789_012);
    let text = code.reveal();
    for typed in [text.clone(), text.to_lowercase(), text.replace('-', ""), format!(" {text} ")] {
        assert_eq!(LoginCode::parse(&typed), Some(LoginCode(123_456_789_012)), "{typed}");
    }
    let wrong = ["", "2222", "2222-222O", "2222-222é", "2222-22222", &"2".repeat(100_000)];
    assert!(wrong.iter().all(|typed| LoginCode::parse(typed).is_none()));
    assert_eq!(format!("{code:?}"), "LoginCode(…)");
}

#[test]
fn code_works_once() {
    let mut logins = LoginRegistry::default();
    let code = code(&mut logins, 42, at(0));
    assert!(is_let_in(&mut logins, &code.to_lowercase(), at(1)));
    assert!(!is_let_in(&mut logins, &code, at(1)));
}

#[test]
fn code_expires_after_ten_minutes() {
    let mut logins = LoginRegistry::default();
    let first = code(&mut logins, 42, at(0));
    assert!(is_let_in(&mut logins, &first, at(10 * MINUTE - 1)));
    let second = code(&mut logins, 42, at(0));
    assert!(!is_let_in(&mut logins, &second, at(10 * MINUTE)));
}

#[test]
fn fifth_wrong_try_voids_the_code() {
    let mut logins = LoginRegistry::default();
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
fn next_code_follows_use_or_expiry() {
    let mut logins = LoginRegistry::default();
    let mut random = 0;
    let mut next = |logins: &mut LoginRegistry, now| {
        random += 1;
        logins.next_code("ada", random, now).map(|code| code.reveal())
    };
    let first = next(&mut logins, at(0)).unwrap();
    assert_eq!(next(&mut logins, at(1)), None);
    assert!(is_let_in(&mut logins, &first, at(2)));
    let second = next(&mut logins, at(3)).unwrap();
    for by in 1..=limits::LOGIN_ATTEMPTS {
        is_let_in(&mut logins, &mistyped(&second, by as usize), at(4));
    }
    assert!(!is_let_in(&mut logins, &second, at(5)));
    assert_eq!(next(&mut logins, at(10 * MINUTE)), None, "guessing brings no new one");
    let third = next(&mut logins, at(10 * MINUTE + 3)).unwrap();
    assert!(is_let_in(&mut logins, &third, at(10 * MINUTE + 4)));
}

#[test]
fn unused_codes_are_bounded() {
    let mut logins = LoginRegistry::default();
    // All have the same prefix, at the end of the alphabet.
    for _ in 0..limits::LOGIN_CODES {
        code(&mut logins, CODES - 1, at(0));
    }
    assert_eq!(logins.new_code("ada", 1, at(1)).unwrap_err().code, ProblemCode::TooManyRequests);
    assert!(logins.new_code("ada", 1, at(10 * MINUTE)).is_ok());
}

#[test]
fn idle_session_expires_after_twelve_hours() {
    let mut logins = LoginRegistry::default();
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
fn sign_out_ends_one_session() {
    let mut logins = LoginRegistry::default();
    let mut keys = Vec::new();
    for random in [1, 2] {
        let code = code(&mut logins, 42, at(0));
        keys.push(logins.sign_in(&code, &[random; 32], at(0)).unwrap().0);
    }
    let [first, second] = [0, 1].map(|n: usize| Digest::compute(keys[n].reveal().as_bytes()));
    logins.sign_out(&first);
    assert_eq!([first, second].map(|key| logins.is_signed_in(&key, at(1))), [false, true]);
    assert!(!logins.is_signed_in(&second, at(12 * HOUR)));
    assert_eq!(logins.account_of(keys[0].reveal(), at(1)), None);
    assert_eq!(logins.account_of(keys[1].reveal(), at(1)).as_deref(), Some("ada"));
}

#[test]
fn longest_idle_session_is_evicted() {
    let mut logins = LoginRegistry::default();
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
