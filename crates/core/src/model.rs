//! Nouns of the domain: what is asked, who asks and answers, and what comes of it. Data, with the questions that it can
//! answer about itself.

pub mod action;
pub mod actor;
pub mod answer;
pub mod ask;
pub mod ask_summary;
pub mod audience;
pub mod digest;
pub mod document_path;
pub mod id;
pub mod outcome;
pub mod question;
pub mod questionnaire;
pub mod section;
pub mod validation_rules;
pub mod value;
