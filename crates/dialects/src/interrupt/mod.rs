//! Interrupts: a thread that stops for a decision or for answers, and is resumed with a word or with a list of strings.
//!
//! `read` holds the three forms of a request, `approval` what is asked where the agent asks nothing, `act` what it
//! would do, `kept` what only this format says. `request` is the way back, `call` what an agent's calls become,
//! `resume` how a client decides, `chat` how it speaks, `malformed` what it is told of a body that is no JSON, `write`
//! and `event` what the asker and the stream get, `python` values as the original writes them; `schema` is what is
//! published.

mod act;
mod approval;
mod call;
mod chat;
mod event;
mod kept;
mod malformed;
mod python;
mod read;
mod request;
mod resume;
mod schema;
mod write;

pub use call::{event_data, info, is_ask_user_interrupt, of_call, split, task_name};
pub use chat::ChatRequest;
pub use event::{Event, ended, interrupted, refused};
pub use read::read;
pub use request::{left_out, request};
pub use resume::{Action, Decision, Invalid, Refusal, ResumeRequest, decision, not_waiting, read_answers};
pub(crate) use schema::published;
pub use write::{tool_result, write};

use crate::{Dialect, Written};
use sayso_core::{Lang, Problem};

/// The tool with which an agent asks (the spec's `ask_user`).
pub const ASK_USER: &str = "ask_user";
/// The value of an option that stands for typed text, where it has no other.
const CUSTOM: &str = "__custom__";
/// What such an option is called, where nobody named it.
const CUSTOM_LABEL: &str = "自定义";

/// What the asker gets for a request with these problems: each in a line, with its place. The spec has no words for it.
pub fn refuse(problems: &[Problem], lang: Lang) -> Written {
    Written::problems(Dialect::Interrupt, problems, lang)
}
