//! Text for people in their language: the message catalogue, answers in words, and spelling.

pub mod action_words;
pub mod answer_words;
mod asker_words;
pub mod completion_summary;
mod exact_words;
mod localized_ask;
mod message;
mod own_prompt;
pub mod spelling;
pub mod task_name;
mod text;

pub use exact_words::exact_lines;
pub use message::{Lang, Message};
pub use own_prompt::{own_prompt, plan_title};
pub use text::{LocalizedText, MessageArg, foreign, own, quote, quote_escaped};
