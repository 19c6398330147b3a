//! Descriptions in our own sentences, shared by all surfaces: of askers, questions, actions, replies, problems and ends.

mod asker;
mod button_label;
mod ended_view;
mod outcome;
mod problem;
mod question;
mod reply;
mod request;
mod sent;
mod sentence;
pub mod short_form;

pub use asker::{asker_and_folder, asker_claims, folder_in_sentence};
pub(crate) use asker::{asker_folder, asker_name};
pub(crate) use button_label::{decline_label, label_before, section_label, submit_label};
pub(crate) use ended_view::{EndedLine, completion_lines, ended_view, reply_lines};
pub use ended_view::{hidden_answers, summary_lines};
pub use outcome::ask_receipt;
pub(crate) use outcome::{end_anywhere, end_elsewhere, sent_confirmation, sent_sentences};
pub(crate) use problem::{
    changes_heading, first_requested_change, objection_heading, own_problem_text, problem_text,
    question_index, sheet_problems,
};
pub(crate) use question::{
    ConstraintText, SpoofingCheck, constraint_texts, question_changes, requirement, section_heading,
};
pub(crate) use reply::{
    changed_form_note, form_note, full_reply, noted_reply_in_sentence, recorded_notice, reply_at,
    reply_in_sentence, reply_parts_at, text_length,
};
pub(crate) use request::own_title;
pub use request::{offers_line, prompt_text, quote_markdown, request_text, row_name, title_text};
pub(crate) use sayso_core::i18n::action_words::{ActionPart, action_parts};
pub(crate) use sent::sent_summary;
pub(crate) use sentence::{
    Author, AuthoredText, age_text, brief, count_message, excerpt, label_value, sentence_separator, title,
};
