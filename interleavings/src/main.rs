//! Plays histories and says what is wrong with them: `interleavings [--count N] [--seed S] [--planted]`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to whoever runs it")]

use interleavings::{Asked, Plant, play};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Histories unless told.
const COUNT: u64 = 1_000_000;
/// So much is shown of how a bug was found.
const SHOWN_CHARS: usize = 80;
/// A bug that is planted is found within this time.
const FOUND_WITHIN: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (count, seed, is_planted) = match parse_words(&words) {
        Ok(parsed) => parsed,
        Err(word) => {
            eprintln!("error: {word}: expected [--count N] [--seed S] [--planted]");
            return ExitCode::FAILURE;
        }
    };
    let asked = match Asked::new() {
        Ok(asked) => asked,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    let is_well = if is_planted { are_found(&asked, seed) } else { all_hold(&asked, seed, count) };
    if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Parses the number of histories, the first seed and the switch for bugs; the error is the word that is none of these.
fn parse_words(words: &[String]) -> Result<(u64, u64, bool), &str> {
    let (mut count, mut seed, mut is_planted) = (COUNT, 1, false);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut number =
            || words.next().ok_or(word.as_str()).and_then(|it| it.parse().map_err(|_| it.as_str()));
        match word.as_str() {
            "--count" => count = number()?,
            "--seed" => seed = number()?,
            "--planted" => is_planted = true,
            other => return Err(other),
        }
    }
    Ok((count, seed, is_planted))
}

/// Plays so many histories on all processors.
fn all_hold(asked: &Asked, seed: u64, count: u64) -> bool {
    let begun = Instant::now();
    let next = AtomicU64::new(0);
    let wrong = Mutex::new(None);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= count {
                        return;
                    }
                    let seed = seed.wrapping_add(at);
                    if let Some(what) = play(asked, seed, None) {
                        if let Ok(mut wrong) = wrong.lock() {
                            wrong.get_or_insert((seed, what));
                        }
                        next.store(count, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let seconds = begun.elapsed().as_secs_f64();
    match wrong.into_inner().unwrap_or_default() {
        Some((seed, what)) => {
            eprintln!("error: {what}\nagain: cargo xtask interleavings --seed {seed} --count 1");
            false
        }
        None => {
            println!("interleavings: {count} histories from seed {seed} on hold, in {seconds:.1} s");
            true
        }
    }
}

/// Looks for each bug that can be planted.
fn are_found(asked: &Asked, seed: u64) -> bool {
    let mut is_well = true;
    for plant in Plant::ALL {
        let begun = Instant::now();
        let mut at = seed;
        let found = loop {
            if let Some(what) = play(asked, at, Some(*plant)) {
                break Some(what);
            }
            at = at.wrapping_add(1);
            if begun.elapsed() > FOUND_WITHIN {
                break None;
            }
        };
        let (name, played) = (format!("{plant:?}"), at - seed + 1);
        let ms = begun.elapsed().as_secs_f64() * 1e3;
        match found {
            Some(what) => {
                let what: String = what.chars().take(SHOWN_CHARS).collect();
                println!("{name:18} found in {ms:9.2} ms, history {played:7}: {what}");
            }
            None => {
                println!("{name:18} NOT FOUND in {played} histories");
                is_well = false;
            }
        }
    }
    println!("interleavings: {} bugs planted", Plant::ALL.len());
    is_well
}
