//! Text for people in their language: the message catalogue, answers in words, and spelling.

pub mod completion_summary;
pub mod describe_action;
pub mod describe_answer;
mod localized_ask;
mod message;
pub mod spelling;
pub mod task_name;
mod text;

pub use message::{Lang, Message};
pub use text::{LocalizedText, MessageArg, foreign, own, quote, quote_escaped};
