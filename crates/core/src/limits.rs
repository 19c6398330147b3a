//! Every upper bound, with its unit in its name.

/// Request as text, in bytes.
pub const REQUEST_BYTES: usize = 1 << 20;
/// Answers given as data, and the body of an HTTP request, in bytes: answers may be longer than their questionnaire.
pub const BODY_BYTES: usize = 8 << 20;
/// Body of an HTTP request without answers, in bytes: the questionnaire and its envelope.
pub const REQUEST_BODY_BYTES: usize = REQUEST_BYTES + (64 << 10);
/// Body of a new ask in our own format, in bytes: a request of another format is longer when converted to it.
pub const NEW_ASK_BODY_BYTES: usize = 4 << 20;
/// Request bodies in flight at a server, in bytes.
pub const BODIES_IN_FLIGHT_BYTES: usize = 256 << 20;
/// Request bodies in flight of one account, in bytes.
pub const ACCOUNT_BODIES_BYTES: usize = 16 << 20;
/// WebSocket message, in bytes.
pub const SOCKET_MESSAGE_BYTES: usize = 2 << 20;
/// Bytes read past the end of an oversized message, so that its sender receives the error.
pub const SOCKET_DISCARD_BYTES: u64 = 64 << 20;
/// Settings file, in bytes.
pub const SETTINGS_BYTES: u64 = 64 << 10;
/// Line from a host on standard input, in bytes: room for a request with every letter escaped. Only the id of the
/// pending call is read from a longer one.
pub const LINE_BYTES: usize = 4 << 20;
/// Messages in such a line.
pub const LINE_MESSAGES: usize = 100;
/// Line length after which nothing more is read, in bytes.
pub const LINE_DISCARD_BYTES: usize = 64 << 20;
/// Line of an event stream from another desk, in bytes: an event holds the answers of one ask at most.
pub const EVENT_LINE_BYTES: u64 = 64 << 20;
/// Response of another desk, in bytes: larger than any page of a list.
pub const REPLY_BYTES: u64 = 256 << 20;
/// Request id that an HTTP caller sends, in characters.
pub const REQUEST_ID_CHARS: usize = 64;
/// Nesting depth of arrays and objects in a request.
pub const JSON_DEPTH: usize = 64;
/// Questions in one questionnaire.
pub const QUESTIONS: usize = 1_000;
/// Options of one question.
pub const OPTIONS: usize = 1_000;
/// Sections in one questionnaire.
pub const SECTIONS: usize = 1_000;
/// Nesting depth of follow-up questions.
pub const NESTING: usize = 16;
/// Tests, and groups of tests, in the condition of one question or section.
pub const CONDITION_NODES: usize = 32;
/// Values that the conditions of one question or section compare with.
pub const CONDITION_VALUES: usize = 1_000;
/// Constraints of one question.
pub const CONSTRAINTS: usize = 50;
/// Steps of a rating's scale.
pub const RATING_STEPS: i64 = 100;
/// Problems of one request that are reported in full.
pub const PROBLEMS: usize = 100;
/// A question's or option's id, in characters.
pub const ID_CHARS: usize = 200;
/// Compared prefix of a label or a value, in characters.
pub const LABEL_COMPARED_CHARS: usize = 200;
/// Typed answer or note, in bytes.
pub const TEXT_ANSWER_BYTES: usize = 1 << 20;
/// Asker's summary of an answered questionnaire, with the answers filled in, in bytes.
pub const SUMMARY_BYTES: usize = 64 << 10;
/// Late answers kept for one ask.
pub const LATE_ANSWERS: usize = 1_000;
/// Late answers kept for one ask, in bytes in all.
pub const LATE_BYTES: usize = 16 << 20;
/// Bytes read of an unauthenticated request whose format validates the body before authentication.
pub const UNAUTHENTICATED_BODY_BYTES: usize = 64 << 10;
/// Id that an agent gives a call in a turn, in bytes; with the number of the turn it is a key.
pub const CALL_ID_BYTES: usize = 400;
/// An idempotency key, in bytes.
pub const IDEMPOTENCY_KEY_BYTES: usize = 512;
/// Name that an asker gives itself, in characters.
pub const NAME_CHARS: usize = 200;
/// The name of a dialect, in characters.
pub const DIALECT_CHARS: usize = 64;
/// Name of an outcome's rendered form, in characters.
pub const FORM_CHARS: usize = 64;
/// Name that an agent's process gives itself, in characters.
pub const WORKER_CHARS: usize = 200;
/// Folder or session that an asker names, in bytes: as long as a path may be.
pub const ASKER_PLACE_BYTES: usize = 4_096;
/// The name of an account at a desk on the network, in characters.
pub const ACCOUNT_CHARS: usize = 100;
/// Accounts and groups that an audience may name.
pub const AUDIENCE_NAMES: usize = 100;
/// Tokens of one desk.
pub const TOKENS: u64 = 10_000;
/// Maximum lifetime of an expiring token, in seconds: ten years of 365 days.
pub const TOKEN_SECONDS: i64 = 3_650 * 24 * 60 * 60;
/// Lifetime of a sign-in code, in seconds.
pub const LOGIN_CODE_SECONDS: i64 = 10 * 60;
/// Wrong attempts after which a sign-in code is invalid.
pub const LOGIN_ATTEMPTS: u32 = 5;
/// Lifetime of a link that lets in a phone, in seconds.
pub const LOGIN_LINK_SECONDS: i64 = 2 * 60;
/// Longest session of a person whom a proxy signed in, in hours.
pub const PROXY_SESSION_HOURS: i64 = 12;
/// Groups of one person that a proxy may name.
pub const PROXY_GROUPS: usize = 200;
/// Sign-in codes at one time.
pub const LOGIN_CODES: usize = 100;
/// Default of the days without a request after which a browser is signed out.
pub const SESSION_DAYS: u32 = 30;
/// Most days without a request after which a browser is signed out: browsers keep no cookie for longer.
pub const SESSION_MOST_DAYS: u32 = 400;
/// Longest idle time after which a browser is signed out, in seconds.
pub const SESSION_IDLE_SECONDS: i64 = SESSION_MOST_DAYS as i64 * 24 * 60 * 60;
/// Age up to which the proof of a browser's request is valid, and how far ahead its clock may be, in seconds.
pub const PROOF_SECONDS: u64 = 120;
/// Signed-in browsers at one time.
pub const SESSIONS: usize = 10_000;
/// The name of a service, in characters.
pub const SERVICE_CHARS: usize = 40;
/// The name of a service's user, in bytes.
pub const SERVICE_USER_BYTES: usize = 200;
/// Longest lifetime of a session of a service's user, in seconds.
pub const SERVICE_SESSION_SECONDS: i64 = 12 * 60 * 60;
/// Lifetime of an address that lets in a service's user once, in seconds.
pub const SERVICE_ADDRESS_SECONDS: i64 = 60;
/// Default of the users that a service may let in within an hour.
pub const SERVICE_LOGINS_PER_HOUR: u32 = 20_000;
/// Default of the sessions of a service's users at one time.
pub const SERVICE_SESSIONS: u32 = 20_000;
/// Sessions of one user of a service at one time.
pub const SERVICE_USER_SESSIONS: usize = 20;
/// Threads of one account at a desk on the network.
pub const ACCOUNT_THREADS: u64 = 10_000;
/// Streams of threads that one account has open.
pub const ACCOUNT_STREAMS: usize = 2_000;
/// Messages of one account whose turns have not ended.
pub const ACCOUNT_PENDING_TURNS: usize = 2_000;
/// Messages of one thread whose turns have not ended.
pub const THREAD_PENDING_TURNS: u64 = 100;
/// Last messages of a thread that are shown as its history.
pub const THREAD_HISTORY: usize = 10_000;
/// Output of an agent in one turn, in bytes.
pub const TURN_BYTES: usize = 16 << 20;
/// Longest silence of an agent after which another may take its turn, in seconds; the default, too.
pub const TURN_LEASE_SECONDS: u32 = 120;
/// Default silence of an agent after which its turn ends with an error, in seconds.
pub const TURN_IDLE_SECONDS: u32 = 300;
/// Times that a turn is handed out without progress before it ends with an error.
pub const TURN_ATTEMPTS: u32 = 3;
/// One message of an agent's program, in bytes.
pub const AGENT_LINE_BYTES: usize = 8 << 20;
/// Messages of an agent's program between two prompts, in bytes.
pub const AGENT_PROMPT_BYTES: usize = 64 << 20;
/// Tool calls waiting for a decision at once.
pub const PENDING_CALLS: usize = 100;
/// Shared parts of the interrupts of all such calls together, in bytes.
pub const PENDING_CALLS_SHARED_BYTES: usize = 8 * REQUEST_BYTES;
/// Undo history of an edited text, in bytes.
pub const UNDO_BYTES: usize = 16 << 20;
/// Consecutive spaces that show as spaces, in characters.
pub const SHOWN_BLANKS: usize = 40;
/// Consecutive blank lines that show as blank lines.
pub const SHOWN_BLANK_LINES: usize = 2;
/// Combining marks that show on one letter.
pub const SHOWN_MARKS: usize = 4;
/// Repetitions of a token that show one by one.
pub const SHOWN_TOKENS: usize = 40;
/// Longest name of a tool, an agent, a section or a folder that a sentence of ours quotes.
pub const QUOTED_NAME_BYTES: usize = 64;
/// Nesting depth of quotes or lists that shows as such.
pub const SHOWN_DEPTH: usize = 8;
/// Open asks at one desk.
pub const OPEN_ASKS: u64 = 1_000_000;
/// Open asks of one account at a desk on the network.
pub const ACCOUNT_OPEN_ASKS: u64 = 1_000;
/// Overhead counted for the rows and indexes of an ask, in bytes.
pub const ASK_OVERHEAD_BYTES: usize = 1 << 10;
/// Default of the bytes that the asks of one account may keep at a desk on the network.
pub const ACCOUNT_STORED_BYTES: u64 = 1 << 30;
/// Default of the asks of one account per hour.
pub const ACCOUNT_ASKS_PER_HOUR: u32 = 10_000;
/// Time that a cancelled ask no one saw keeps its questions, in seconds.
pub const UNSEEN_CANCELLED_SECONDS: i64 = 60 * 60;
/// Cancelled asks that are emptied to make room for a new one of the same account.
pub const EVICTED_ASKS: u32 = 64;
/// Characters of a title in a row of a list.
pub const LIST_TITLE_CHARS: usize = 300;
/// Rows of one page of a list.
pub const LIST_ROWS: usize = 200;
/// Words of a search that are matched; the rest is ignored.
pub const SEARCH_WORDS: usize = 64;
/// Maximum time limit of an ask, in seconds: 400 days.
pub const TIME_LIMIT_SECONDS: i64 = 400 * 24 * 60 * 60;
/// Wait of one HTTP call, in seconds: proxies may cut a longer one.
pub const CALL_WAIT_SECONDS: u64 = 60;
/// Wait of a submitted round for its asker's verdict before it counts as answered, in seconds: one day.
pub const VERDICT_WAIT_SECONDS: i64 = 24 * 60 * 60;
/// Clock difference above which the clock counts as set, in seconds.
pub const CLOCK_CHANGE_SECONDS: i64 = 5;
/// Lease of one offer of an outcome before it may be offered again, in seconds.
pub const OFFER_LEASE_SECONDS: i64 = 30;
/// Offers after which an outcome is parked: kept, visible and returned on request, but no longer offered.
pub const OFFER_ATTEMPTS: u32 = 20;

const _: () = assert!(TEXT_ANSWER_BYTES <= REQUEST_BYTES);
