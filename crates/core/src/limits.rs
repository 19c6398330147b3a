//! Every upper bound, with its unit in its name.

/// A request as text, in bytes.
pub const REQUEST_BYTES: usize = 1 << 20;
/// Nested arrays and objects in a request.
pub const JSON_DEPTH: usize = 64;
/// Questions in one questionnaire.
pub const QUESTIONS: usize = 1_000;
/// Options of one question.
pub const OPTIONS: usize = 1_000;
/// A question's or option's id, in characters.
pub const ID_CHARS: usize = 200;
/// A typed answer or note, in bytes.
pub const TEXT_ANSWER_BYTES: usize = 1 << 20;
/// An idempotency key, in bytes.
pub const KEY_BYTES: usize = 512;
/// The name an asker gives itself, in characters.
pub const NAME_CHARS: usize = 200;
/// Open asks at one desk.
pub const OPEN_ASKS: u64 = 1_000_000;
/// Rows of one page of a list.
pub const LIST_ROWS: usize = 200;
/// Words of a search that are looked for; the rest is left out.
pub const SEARCH_WORDS: usize = 64;
/// How long an asker may make an ask wait, in seconds: 400 days.
pub const TIME_LIMIT_SECONDS: i64 = 400 * 24 * 60 * 60;
/// How long a submitted round waits for its asker's verdict before it counts as answered, in seconds: one day.
pub const VERDICT_WAIT_SECONDS: i64 = 24 * 60 * 60;
/// How long one offer of an outcome stands before it may be offered anew, in seconds.
pub const OFFER_LEASE_SECONDS: i64 = 30;
/// Offers after which an outcome is parked: kept, visible and given on request, but no longer pressed on anyone.
pub const OFFER_TRIES: u32 = 20;

const _: () = assert!(TEXT_ANSWER_BYTES <= REQUEST_BYTES);
