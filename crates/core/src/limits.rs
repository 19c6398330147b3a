//! Every upper bound, with its unit in its name.

/// A request as text, in bytes.
pub const REQUEST_BYTES: usize = 1 << 20;
/// Answers given as data, and the body of a request over HTTP, in bytes: answers may be longer than what asks for them.
pub const BODY_BYTES: usize = 8 << 20;
/// The body of a request over HTTP that brings no answers, in bytes: what is asked, and what is said around it.
pub const REQUEST_BODY_BYTES: usize = REQUEST_BYTES + (64 << 10);
/// The body of one that asks in our own format, in bytes: written in it, a request of another format is longer.
pub const NEW_ASK_BODY_BYTES: usize = 4 << 20;
/// Bodies of requests that a server has in flight, in bytes.
pub const BODIES_IN_FLIGHT_BYTES: usize = 256 << 20;
/// Those of one account, in bytes.
pub const BODIES_OF_ACCOUNT_BYTES: usize = 16 << 20;
/// A message that comes over a WebSocket, in bytes.
pub const SOCKET_MESSAGE_BYTES: usize = 2 << 20;
/// What is read past of a message that is too long, so that its sender hears why, in bytes.
pub const SOCKET_PAST_BYTES: u64 = 64 << 20;
/// A file of settings, in bytes.
pub const SETTINGS_BYTES: u64 = 64 << 10;
/// A line that a host sends over standard input, in bytes: a request whose every letter is escaped has room. Of a longer
/// one only who waits for an answer is read.
pub const LINE_BYTES: usize = 4 << 20;
/// Messages in such a line.
pub const LINE_MESSAGES: usize = 100;
/// A line after which nothing more is read, in bytes.
pub const ENDLESS_LINE_BYTES: usize = 64 << 20;
/// A line of a stream of events that another desk sends, in bytes: an event holds the answers of one ask at most.
pub const EVENT_LINE_BYTES: u64 = 64 << 20;
/// A reply of another desk, in bytes: no page of a list is as large.
pub const REPLY_BYTES: u64 = 256 << 20;
/// The id that a caller gives a request over HTTP, in characters.
pub const REQUEST_ID_CHARS: usize = 64;
/// Nested arrays and objects in a request.
pub const JSON_DEPTH: usize = 64;
/// Questions in one questionnaire.
pub const QUESTIONS: usize = 1_000;
/// Options of one question.
pub const OPTIONS: usize = 1_000;
/// Sections in one questionnaire.
pub const SECTIONS: usize = 1_000;
/// Questions that follow each other up.
pub const NESTING: usize = 16;
/// Tests, and groups of tests, in the condition of one question or section.
pub const CONDITION_NODES: usize = 32;
/// Values that the condition of one question or section compares with.
pub const CONDITION_VALUES: usize = 1_000;
/// Constraints of one question.
pub const CONSTRAINTS: usize = 50;
/// Patterns of one questionnaire.
pub const PATTERNS: usize = 200;
/// Steps of a rating's scale.
pub const RATING_STEPS: i64 = 100;
/// Problems of one request that are worked out in every detail.
pub const PROBLEMS: usize = 100;
/// A question's or option's id, in characters.
pub const ID_CHARS: usize = 200;
/// What is compared of a label or a value, in characters.
pub const LABEL_COMPARED_CHARS: usize = 200;
/// A typed answer or note, in bytes.
pub const TEXT_ANSWER_BYTES: usize = 1 << 20;
/// Answers to one ask that came too late and are kept.
pub const LATE_ANSWERS: usize = 1_000;
/// All of them together, in bytes.
pub const LATE_BYTES: usize = 16 << 20;
/// What is read of somebody who may not be let in, where a format judges the body before it asks who sent it, in bytes.
pub const STRANGERS_BODY_BYTES: usize = 64 << 10;
/// What an agent calls one thing that it asks in a turn, in bytes; with the number of the turn it is a key.
pub const CALL_ID_BYTES: usize = 400;
/// An idempotency key, in bytes.
pub const KEY_BYTES: usize = 512;
/// The name an asker gives itself, in characters.
pub const NAME_CHARS: usize = 200;
/// The name of a dialect, in characters.
pub const DIALECT_CHARS: usize = 64;
/// The name of the form in which an outcome is rendered, in characters.
pub const FORM_CHARS: usize = 64;
/// What a process of an agent calls itself, in characters.
pub const WORKER_CHARS: usize = 200;
/// The folder or the session that an asker names, in bytes: as long as a path may be.
pub const PLACE_BYTES: usize = 4_096;
/// The name of an account at a desk on the network, in characters.
pub const ACCOUNT_CHARS: usize = 100;
/// Tokens of one desk.
pub const TOKENS: u64 = 10_000;
/// How long a token may last that ends by itself, in seconds: ten years of 365 days.
pub const TOKEN_SECONDS: i64 = 3_650 * 24 * 60 * 60;
/// How long a code to sign in with lasts, in seconds.
pub const LOGIN_CODE_SECONDS: i64 = 10 * 60;
/// Wrong tries that a code to sign in with survives no more.
pub const LOGIN_TRIES: u32 = 5;
/// Codes to sign in with at one time.
pub const LOGIN_CODES: usize = 100;
/// How long a browser stays signed in without a request, in seconds.
pub const SESSION_IDLE_SECONDS: i64 = 12 * 60 * 60;
/// Browsers signed in at one time.
pub const SESSIONS: usize = 10_000;
/// Threads of one account at a desk on the network.
pub const THREADS_OF_ACCOUNT: u64 = 10_000;
/// Messages of one thread whose turns have not ended.
pub const THREAD_PENDING_TURNS: u64 = 100;
/// What was said in a thread and is shown as its history: the last so many messages.
pub const THREAD_HISTORY: usize = 10_000;
/// What an agent publishes in one turn, in bytes.
pub const TURN_BYTES: usize = 16 << 20;
/// How long an agent may say nothing before its turn may be taken by another, in seconds.
pub const TURN_LEASE_SECONDS: u64 = 120;
/// How long an agent may say nothing in a turn before the turn ends with an error, in seconds, where no setting says otherwise.
pub const TURN_SILENCE_SECONDS: u32 = 300;
/// How often a turn is given out without any progress before it ends with an error.
pub const TURN_TRIES: u32 = 3;
/// Calls of tools that wait for a decision at once.
pub const WAITING_CALLS: usize = 100;
/// What all of the interrupts of such calls have alike, in all of them, in bytes.
pub const WAITING_CALLS_ALIKE_BYTES: usize = 8 * REQUEST_BYTES;
/// A pattern, in characters.
pub const PATTERN_CHARS: usize = 1_000;
/// Groups within groups in a pattern.
pub const PATTERN_GROUPS: usize = 40;
/// A part of a pattern once compiled, in bytes.
pub const PATTERN_COMPILED_BYTES: usize = 256 << 10;
/// A pattern that backtracks once compiled, in instructions.
pub const PATTERN_INSTRUCTIONS: usize = 20_000;
/// Ways that a match may try in vain; fewer for long texts and large patterns.
pub const PATTERN_BACKTRACKS: usize = 20_000;
/// Cost of one match, in steps: states of the pattern times bytes of the text, and each backtrack's part of that.
pub const PATTERN_STEPS: u64 = 1 << 24;
/// Cost of all patterns of one sheet, in steps: at most 50 ms in a release build.
pub const SHEET_PATTERN_STEPS: u64 = 50_000_000;
/// Length of the texts that a pattern is tried on when it is asked, in characters.
pub const PATTERN_TRIAL_CHARS: usize = 64;
/// What a text that is edited keeps of its older versions, to be undone, in bytes.
pub const UNDO_BYTES: usize = 16 << 20;
/// Space in a row that shows as space, in characters.
pub const SHOWN_BLANKS: usize = 40;
/// Blank lines in a row that show as blank lines.
pub const SHOWN_BLANK_LINES: usize = 2;
/// Marks that show on one letter.
pub const SHOWN_MARKS: usize = 4;
/// The same token in a row that shows each time.
pub const SHOWN_TOKENS: usize = 40;
/// Quotes or lists in each other that show as such.
pub const SHOWN_DEPTH: usize = 8;
/// Open asks at one desk.
pub const OPEN_ASKS: u64 = 1_000_000;
/// Open asks of one account at a desk on the network.
pub const OPEN_ASKS_OF_ACCOUNT: u64 = 1_000;
/// What is counted of an ask for the rows and indexes around its texts, in bytes.
pub const ASK_ROW_BYTES: usize = 1 << 10;
/// Bytes that the asks of one account may keep at a desk on the network, where no setting says otherwise.
pub const KEPT_BYTES_OF_ACCOUNT: u64 = 1 << 30;
/// Asks that one account may ask within an hour, where no setting says otherwise.
pub const ASKS_PER_HOUR_OF_ACCOUNT: u32 = 10_000;
/// How long a cancelled ask that no one saw keeps its questions, in seconds.
pub const UNSEEN_CANCELLED_SECONDS: i64 = 60 * 60;
/// Cancelled asks that are emptied to make room for a new one of the same account.
pub const EMPTIED_FOR_ROOM: u32 = 64;
/// Characters of a title in a row of a list.
pub const ROW_TITLE_CHARS: usize = 300;
/// Rows of one page of a list.
pub const LIST_ROWS: usize = 200;
/// Words of a search that are looked for; the rest is left out.
pub const SEARCH_WORDS: usize = 64;
/// How long an asker may make an ask wait, in seconds: 400 days.
pub const TIME_LIMIT_SECONDS: i64 = 400 * 24 * 60 * 60;
/// How long one call over HTTP waits, in seconds: what lies between may cut a longer one.
pub const CALL_WAIT_SECONDS: u64 = 60;
/// How long a submitted round waits for its asker's verdict before it counts as answered, in seconds: one day.
pub const VERDICT_WAIT_SECONDS: i64 = 24 * 60 * 60;
/// A clock that differs by more from what it would show had nobody set it was set, in seconds.
pub const CLOCK_SET_SECONDS: i64 = 5;
/// How long one offer of an outcome stands before it may be offered anew, in seconds.
pub const OFFER_LEASE_SECONDS: i64 = 30;
/// Offers after which an outcome is parked: kept, visible and given on request, but no longer pressed on anyone.
pub const OFFER_TRIES: u32 = 20;

const _: () = assert!(TEXT_ANSWER_BYTES <= REQUEST_BYTES);
